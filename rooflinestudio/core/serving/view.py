"""All that the serving view shows of a study, worked out when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.models.cards import load_model
from rooflinestudio.core.serving import Costs, Request, costs_of, serve_on_one, serve_on_two
from rooflinestudio.core.serving.curves import rates, traffic
from rooflinestudio.core.serving.decode import Decoding, decode_row
from rooflinestudio.core.serving.panel import serving_panel
from rooflinestudio.core.serving.what_if import what_ifs
from rooflinestudio.core.study import Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.serving import SplitServing
    from rooflinestudio.core.serving.curves import RateCurve, TrafficCurve
    from rooflinestudio.core.serving.panel import ServingPanel
    from rooflinestudio.core.serving.what_if import WhatIf

__all__ = ["ServingPicture", "serving_picture"]

PREFILL: Final = "prefill_step"
_OWN: Final = ("model", "batch", "context")


@dataclass(frozen=True)
class ServingPicture:
    """A decode step of a study, and what the panel asks about it.

    Attributes
    ----------
    placed, row, panel
        The study, the row of the decode step, and the settings.
    decoding
        The step, or None where it is not placed: then ``row.reason`` says why.
    """

    placed: PlacedStudy
    row: PlacedRow
    panel: ServingPanel
    decoding: Decoding | None

    @cached_property
    def what_ifs(self) -> tuple[WhatIf, ...]:
        """The step as it is, and its changes."""
        return what_ifs(self._decoding)

    @cached_property
    def traffic(self) -> TrafficCurve:
        """Weights and cache over what the panel says, the batch where it does not."""
        return traffic(self._decoding, "context" if self.panel.over == "context" else "batch")

    @cached_property
    def rates(self) -> RateCurve:
        """Tokens per second over the batch."""
        return rates(self._decoding)

    @property
    def _decoding(self) -> Decoding:
        assert self.decoding is not None, self.row.reason
        return self.decoding

    # One machine or two ------------------------------------------------------------------------------------------

    @cached_property
    def prefill_on(self) -> HardwareProfile | None:
        """The machine that reads prompts; that of the decode step where the panel names none that is there."""
        return self.placed.profiles.get(self.panel.prefill_on, self.row.profile)

    @cached_property
    def decode_on(self) -> HardwareProfile | None:
        """The machine that makes tokens."""
        return self.placed.profiles.get(self.panel.decode_on, self.row.profile)

    @property
    def on_one(self) -> bool:
        """Whether one machine does both."""
        return self.prefill_on is self.decode_on

    @cached_property
    def request(self) -> Request:
        """What is asked of the machines: the model, batch and further parameters are those of the decode step."""
        step, panel = self._decoding.placement.parameters, self.panel
        return Request(
            model=str(step["model"]),
            context=panel.prompt_tokens or max(self._decoding.context, 1),
            output_tokens=panel.output_tokens,
            batch=self._decoding.batch,
            prefill_batch=panel.prefill_batch,
            extra={name: value for name, value in step.items() if name not in _OWN},
        )

    @cached_property
    def served(self) -> SplitServing | str:
        """The figures of one machine or two, or why there are none."""
        first, second = self.prefill_on, self.decode_on
        if first is None or second is None:
            return "Choose the machines."
        subject = self._decoding.subject
        try:
            if self.on_one:
                return serve_on_one(subject.source, self.request, subject.dtypes, first, subject.settings)
            return serve_on_two(subject.source, self.request, subject.dtypes, first, second, subject.settings)
        except StudioError as error:
            return str(error)

    @cached_property
    def costs(self) -> Costs:
        """What tokens cost, as far as the prices are known."""
        served = self.served
        if isinstance(served, str):
            return Costs(None, None, None)
        price = self.panel.price_per_hour
        ids = served.prefill.profile.id, served.decode.profile.id
        return costs_of(served, self.request, price.get(ids[0]), price.get(ids[1]))

    @property
    def pair(self) -> tuple[Entry, Entry]:
        """Prefill and decoding as entries, each on its machine; the second is linked to the first."""
        study, step, request = self.placed.study, self.row.entry, self.request
        declared = {one.name for one in self._decoding.subject.source.operator(PREFILL).parameters}
        further = {
            name: value for name, value in step.parameters.items() if name in declared and name not in _OWN
        }
        name = load_model(request.model).name
        first = Entry(
            study.next_id(PREFILL),
            PREFILL,
            step.plugin,
            parameters={
                **further, "model": request.model, "batch": request.prefill_batch, "context": request.context,
            },
            dtypes=step.dtypes,
            machines=(self.prefill_on.id,) if self.prefill_on is not None else None,
            label=f"{name} prefill",
            slot=study.next_slot(),
            group=step.group or f"{name} served",
        )  # fmt: skip
        second = replace(
            step,
            id=study.next_id(step.operator),
            parameters={**step.parameters, "context": request.context + request.output_tokens // 2},
            machines=(self.decode_on.id,) if self.decode_on is not None else None,
            label=f"{name} decode",
            slot=study.adding(first).next_slot(),
            group=first.group,
            variant_of=first.id,
        )
        return first, second


def serving_picture(
    source: Any, placed: PlacedStudy, selection: Sequence[object] = (), machine: str = ""
) -> ServingPicture | None:
    """Return what there is to show: the selected decode step, else the panel's, else the first; None without one.

    Parameters
    ----------
    selection
        Ids of entries by preference.
    machine
        The machine that is preferred where an entry is on several.
    """
    panel = serving_panel(placed.study)
    row = decode_row(placed, (*selection, panel.entry), machine)
    if row is None:
        return None
    try:
        decoding = Decoding.of(source, row)
    except StudioError:
        decoding = None
    return ServingPicture(placed, row, panel, decoding)

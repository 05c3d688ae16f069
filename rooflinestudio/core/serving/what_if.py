"""What a change of a decode step brings: each is placed by the same operators and held against the step as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.serving.changes import Change, changes_of
from rooflinestudio.core.serving.decode import Decoding

if TYPE_CHECKING:
    from rooflinestudio.core.study import Entry

__all__ = ["AS_IT_IS", "WhatIf", "what_if", "what_ifs"]

AS_IT_IS: Final = Change("present", "As it is", "the decode step as it stands in the study")


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A change and its figures.

    Attributes
    ----------
    tokens_per_s
        At the batch of the step, whether or not that fits (``fits``; None where the capacity is not known).
    max_batch, max_tokens_per_s
        The largest batch that fits and the rate there; None where the capacity is not known or nothing fits.
    gain, max_gain
        The rates in those of the step as it is.
    crossover_batch
        From which batch on the caches are more bytes than the weights; None without a cache.
    refusal
        Why it cannot be placed; then there are no figures.
    entry
        The entry to place as a variant (its id is empty), or None where there is none for it.
    """

    change: Change
    tokens_per_s: float | None = None
    fits: bool | None = None
    max_batch: int | None = None
    max_tokens_per_s: float | None = None
    gain: float | None = None
    max_gain: float | None = None
    crossover_batch: float | None = None
    refusal: str = ""
    entry: Entry | None = None


def what_ifs(decoding: Decoding) -> tuple[WhatIf, ...]:
    """Return the step as it is, and then every change that makes sense for it."""
    present = what_if(decoding, AS_IT_IS)
    return (present, *(what_if(decoding, one, present) for one in changes_of(decoding)))


def what_if(decoding: Decoding, change: Change, present: WhatIf | None = None) -> WhatIf:
    """Return what a change brings, held against the step as it is where that is given."""
    try:
        if change.reserved_context:
            return _against(_reserved(decoding, change), present)
        return _against(_figures(changed(decoding, change), change), present)
    except StudioError as error:
        return WhatIf(change, refusal=str(error))


def changed(decoding: Decoding, change: Change) -> Decoding:
    """Return the decoding of a changed entry; parameters that another operator does not know are left out."""
    subject, entry = decoding.subject, decoding.entry
    operator = change.operator or entry.operator
    known = {one.name for one in subject.source.operator(operator).parameters}
    parameters = {
        name: value for name, value in {**entry.parameters, **change.parameters}.items() if name in known
    }
    dtypes = {**entry.dtypes, **change.dtypes}
    made = replace(
        entry,
        id="",
        operator=operator,
        parameters=parameters,
        dtypes=dtypes,
        variant_of=(entry.variant_of or entry.id) if change is not AS_IT_IS else entry.variant_of,
        label=f"{entry.label}, {_small(change.label)}" if entry.label else "",
        machines=entry.machines,
    )
    return Decoding(
        made, replace(subject, operator_id=operator, fixed=parameters, dtypes=parse_dtypes(dtypes))
    )


def _small(label: str) -> str:
    """Return a label as it stands behind a comma; abbreviations keep their capitals."""
    return label if label[1:2].isupper() or label.startswith("MoE") else label[:1].lower() + label[1:]


def _figures(decoding: Decoding, change: Change) -> WhatIf:
    return WhatIf(
        change,
        decoding.tokens_per_s,
        decoding.details.get("fits"),
        decoding.max_batch,
        decoding.rate_at_most,
        crossover_batch=decoding.crossover_batch,
        entry=None if change is AS_IT_IS else decoding.entry,
    )


def _reserved(decoding: Decoding, change: Change) -> WhatIf:
    """Return the step where each sequence takes up more room than it reads: the batch that fits is that of the room."""
    room = changed(decoding, replace(change, parameters={"context": change.reserved_context}))
    most = room.max_batch
    return replace(
        _figures(decoding, change),
        fits=room.details.get("fits"),
        max_batch=most,
        max_tokens_per_s=decoding.rate_at(most) if most else None,
        entry=None,
    )


def _against(found: WhatIf, present: WhatIf | None) -> WhatIf:
    base = found if present is None else present
    return replace(
        found,
        gain=_ratio(found.tokens_per_s, base.tokens_per_s),
        max_gain=_ratio(found.max_tokens_per_s, base.max_tokens_per_s),
    )


def _ratio(rate: float | None, base: float | None) -> float | None:
    return None if rate is None or not base else rate / base

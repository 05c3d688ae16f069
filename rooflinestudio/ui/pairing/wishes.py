"""From the views to the session: kernels that are to be held against entries, each wish as one edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.measured.main import held_on
from rooflinestudio.core.pairing.edits import PairingError, pair_of, with_new, with_pairs, without_pairs
from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.core.study import PluginRef

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.pairing.edits import Kernel
    from rooflinestudio.core.study import Study
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.pairing.dialog import PairDialog

__all__ = ["PairWishes"]


class PairWishes(QObject):
    """What the views of one window ask for where kernels and entries become pairs.

    A view has those of these signals that it needs: ``pairsRequested(kernels, entry_id)``,
    ``unpairsRequested(kernels)``, ``pairChoiceRequested(kernels)``; for one kernel
    ``pairRequested(digest, index, entry_id)`` (an empty id takes the pair away), ``unpairRequested(digest, index)``,
    ``pairNewRequested(digest, index, operator_id, parameters)``.

    Attributes
    ----------
    dialog
        The open dialog, or None.
    """

    def __init__(self, inside: Furnishing) -> None:
        super().__init__(inside if isinstance(inside, QObject) else None)
        self._inside, self._session = inside, inside.session
        self.dialog: PairDialog | None = None

    def connect_view(self, view: Any) -> None:
        """Connect every wish that a view has."""
        for name, done in self._slots().items():
            signal = getattr(view, name, None)
            if signal is not None:
                signal.connect(done)

    def _slots(self) -> Mapping[str, Callable[..., object]]:
        return {
            "pairRequested": self.pair_one,
            "pairsRequested": self.pair,
            "unpairRequested": self._on_unpair_requested,
            "unpairsRequested": self.unpair,
            "pairNewRequested": self.pair_new,
            "pairChoiceRequested": self.choose,
        }

    # Edits ----------------------------------------------------------------------------------------------------------

    def pair(self, kernels: Sequence[Kernel], entry_id: str) -> None:
        """Hold kernels against an entry."""
        words = "Pair" if len(kernels) == 1 else f"Pair {len(kernels)} kernels"
        self._edit(words, lambda study: with_pairs(study, kernels, entry_id))

    def pair_one(self, digest: str, index: int, entry_id: str) -> None:
        """Hold one kernel against an entry; an empty id means against nothing."""
        if entry_id:
            self.pair([(digest, index)], entry_id)
        else:
            self.unpair([(digest, index)])

    def unpair(self, kernels: Sequence[Kernel]) -> None:
        """Hold kernels against nothing."""
        words = "Unpair" if len(kernels) == 1 else f"Unpair {len(kernels)} kernels"
        self._edit(words, lambda study: without_pairs(study, kernels))

    def pair_new(
        self,
        digest: str,
        index: int,
        operator_id: str,
        parameters: Mapping[str, Any],
        dtypes: Mapping[str, str] | None = None,
    ) -> None:
        """Place an operator with some of its parameters and hold a kernel against it; the new entry is selected."""
        try:
            operator, origin = (
                self._session.source.operator(operator_id),
                self._session.source.origin(operator_id),
            )
            made = with_new(
                self._session.study, (digest, index), operator_id, parameters,
                plugin=PluginRef(origin.plugin, origin.version), label=operator.label, dtypes=dict(dtypes or {}),
            )  # fmt: skip
        except StudioError as error:
            self._inside.notices.tell("error", "The operator was not placed", str(error))
            return
        self._session.edit_and_select(f"Place {operator.label} and pair", made)

    def _edit(self, words: str, made: Callable[[Study], Study]) -> None:
        try:
            study = made(self._session.study)
        except PairingError as error:
            self._inside.notices.tell("warn", "The pair was not changed", str(error))
            return
        self._session.edit(words, study)

    def _on_unpair_requested(self, digest: str, index: int) -> None:
        self.unpair([(digest, index)])

    # Of the selected kernel -----------------------------------------------------------------------------------------

    @property
    def selected(self) -> Kernel | None:
        """The selected kernel, or None."""
        selection = self._session.selection
        if isinstance(selection, tuple) and selection[0] == "measured":
            return (str(selection[1]), int(selection[2]))
        return None

    @property
    def can_unpair(self) -> bool:
        """Whether the selected kernel has a pair."""
        try:
            return self.selected is not None and pair_of(self._session.study, *self.selected) is not None
        except PairingError:
            return False

    def choose_for_selected(self) -> None:
        """Show what the selected kernel can be held against."""
        if self.selected is not None:
            self.choose([self.selected])

    def unpair_selected(self) -> None:
        """Hold the selected kernel against nothing."""
        if self.selected is not None:
            self.unpair([self.selected])

    # The dialog -----------------------------------------------------------------------------------------------------

    def choose(self, kernels: Sequence[Kernel]) -> PairDialog | None:
        """Show what kernels can be held against; the suggestions are those of the first one."""
        from rooflinestudio.core.pairing.choice import pair_choices
        from rooflinestudio.ui.pairing.dialog import PairDialog

        session = self._session
        overlays = {one.digest: one for one in session.study.overlays}
        kernels = tuple(kernels)
        if not kernels or kernels[0][0] not in overlays:
            return None
        digest, index = kernels[0]
        machine = session.placed.profiles.get(session.machine)
        measurement = held_on(overlays[digest].measurement(index), machine)
        choices = pair_choices(session.placed, session.source, digest, index, session.machine)
        if len(kernels) > 1:
            choices = tuple(one for one in choices if one.new is None)
        if self.dialog is not None:
            self.dialog.close()
        dialog = self.dialog = PairDialog(self._inside.window)
        dialog.entryChosen.connect(lambda entry_id: self.pair(kernels, entry_id))
        dialog.newChosen.connect(
            lambda new: self.pair_new(digest, index, new.operator, new.parameters, new.dtypes)
        )
        dialog.unpairChosen.connect(lambda: self.unpair(kernels))
        dialog.finished.connect(self._on_dialog_finished)
        more = f" and {len(kernels) - 1} more" if len(kernels) > 1 else ""
        dialog.show_kernel(
            f"{measurement.kernel.removeprefix('void ')}{more}", _figures(measurement), choices
        )
        dialog.open()
        return dialog

    def _on_dialog_finished(self, _result: int) -> None:
        self.dialog = None


def _figures(measurement: Measurement) -> str:
    """Return what is known of a kernel in one line."""
    parts = [
        "" if measurement.time_s is None else format_quantity(measurement.time_s, "s", digits=4),
        "" if measurement.grid is None else f"grid {' × '.join(map(str, measurement.grid))}",
        f"W {format_quantity(measurement.work_flop, 'FLOP', digits=4)}" if measurement.work_flop else "no W",
        ""
        if measurement.dram_bytes is None
        else f"Q {format_quantity(measurement.dram_bytes, 'B', digits=4)}",
    ]
    return " · ".join(filter(None, parts))

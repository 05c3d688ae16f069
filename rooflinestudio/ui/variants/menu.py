"""The menu "Vary": every sensible change of an entry by kind, with what it would do to the time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from rooflinestudio.core.selection import selected_entry
from rooflinestudio.core.variant_options import KIND_WORDS
from rooflinestudio.ui.icons import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.core.selection import Selection
    from rooflinestudio.core.variants import Variant, VariantKind

__all__ = ["VaryMenu", "VarySubject", "effect_words", "subject_of"]

ICONS: Final[dict[VariantKind, str]] = {
    "dtype": "chip",
    "boundary": "boundary",
    "policy": "policy",
    "tile": "table",
    "batch": "sliders",
    "profile": "roof",
    "fusion": "layers",
}
OWN: Final = "Own values, in the inspector"
NOTHING: Final = "Select an entry to vary it"


class VarySubject(NamedTuple):
    """What is varied: a row of a placed study, and the source that answers for its operator."""

    row: PlacedRow
    placed: PlacedStudy
    source: EstimateSource


def subject_of(
    placed: PlacedStudy, source: EstimateSource, selection: Selection, machine: str
) -> VarySubject | None:
    """Return what is varied while something is selected: its entry, on the strong machine or its first one."""
    entry = selected_entry(selection)
    rows = placed.rows_of(entry) if entry is not None else ()
    row = next((one for one in rows if one.machine == machine), rows[0] if rows else None)
    return VarySubject(row, placed, source) if row is not None else None


class VaryMenu(QMenu):
    """Asks what is to be varied when it opens, and tries every variant then.

    Signals
    -------
    variantRequested
        A new entry without an id, and the words of what is tried.
    chainVariantRequested
        Id of a chain's entry, the joints at which the variant is cut (a tuple), and the words.
    """

    variantRequested = Signal(object, str)
    chainVariantRequested = Signal(str, object, str)

    def __init__(self, ask: Callable[[], VarySubject | None], parent: QWidget | None = None) -> None:
        super().__init__("Vary", parent)
        self.setObjectName("variants.menu")
        self.setAccessibleName("Vary")
        self.setIcon(icon("duplicate"))
        self._ask = ask
        self.aboutToShow.connect(self.renew)

    def renew(self) -> None:
        """Fill the menu for what is to be varied now."""
        for action in self.actions():
            below = action.menu()
            self.removeAction(action)
            if below is not None:
                below.deleteLater()
        subject = self._ask()
        if subject is None:
            self.addAction(NOTHING).setEnabled(False)
            return
        from rooflinestudio.core.variants import variants

        found = variants(*subject)
        for kind in KIND_WORDS:
            self._add_kind(kind, [one for one in found if one.kind == kind])
        self._add_copy(subject)

    def _add_kind(self, kind: VariantKind, found: Sequence[Variant]) -> None:
        if not found:
            return
        below = self.addMenu(icon(ICONS[kind]), KIND_WORDS[kind])
        below.setObjectName(f"variants.{kind}")
        below.setToolTipsVisible(True)
        for one in found:
            effect = effect_words(one)
            action = below.addAction(f"{one.words}\t{effect}" if effect else one.words)
            action.setObjectName(f"variants.{kind}.{one.words}")
            action.setEnabled(not one.reason)
            action.setToolTip(one.reason or one.entry.label)
            action.setStatusTip(one.reason)
            action.triggered.connect(partial(self._on_action_triggered, one))

    def _add_copy(self, subject: VarySubject) -> None:
        """Offer a copy for values that are typed."""
        from rooflinestudio.core.variants import copy_of

        self.addSeparator()
        action: QAction = self.addAction(icon("sliders"), OWN)
        action.setObjectName("variants.own")
        copied = copy_of(subject.row.entry, subject.placed)
        action.triggered.connect(lambda _checked=False: self.variantRequested.emit(copied, "own values"))

    def _on_action_triggered(self, variant: Variant, _checked: bool = False) -> None:
        if variant.cuts is not None:
            id_ = variant.entry.variant_of or ""
            self.chainVariantRequested.emit(id_, variant.cuts, variant.words)
        else:
            self.variantRequested.emit(variant.entry, variant.words)


def effect_words(variant: Variant) -> str:
    """Say what a variant does to the time: ``2.00× faster``, ``1.30× faster per FLOP``, ``not crossed``."""
    from rooflinestudio.core.variant_ratios import time_words

    if variant.ratio is None or variant.reason:
        return ""
    if not variant.crossed:
        return "not crossed"
    return time_words(variant.ratio) + (" per FLOP" if variant.per_work else "")

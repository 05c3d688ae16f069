"""The study before and after a what-if, and what a tenth more of each resource buys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.ui.machines.markdown import table_markdown
from rooflinestudio.ui.serving.lines import times_text
from rooflinestudio.ui.widgets.cells import BarCell, Cell, ChipCell, TextCell
from rooflinestudio.ui.widgets.rows_model import RowsModel
from rooflinestudio.ui.widgets.words import time_text, whole_words

if TYPE_CHECKING:
    from rooflinestudio.core.machines.gains import Gain
    from rooflinestudio.core.machines.what_if import Flip
    from rooflinestudio.core.placement import Placement

__all__ = ["FlipsModel", "GainsModel"]

NONE: Final = "–"
_MOST_SAVED: Final = 1 - 1 / 1.1
"""What a tenth more of one resource can save at most: the full bar."""


class FlipsModel(RowsModel):
    """One row for each entry."""

    heads = ("Entry", "Bound now", "Bound then", "Time now", "Time then", "Δ time")
    hints = (
        "Entry of the study on this machine; bold where another limit would bind",
        "Which limit binds on the machine as it is",
        "Which limit would bind on the changed machine",
        "Time of one run on the machine as it is",
        "Time of one run on the changed machine",
        "How much faster or slower",
    )
    numbers = (3, 4, 5)
    NAME, NOW, THEN, TIME_NOW, TIME_THEN, DELTA = range(6)

    def key(self, row: Flip) -> object:
        return row.entry

    def cell(self, row: Flip, column: int) -> Cell | None:
        if column == self.NAME:
            return TextCell(row.label, strong=row.flips)
        placement = row.before if column in (self.NOW, self.TIME_NOW) else row.after
        if column in (self.NOW, self.THEN):
            return TextCell("not placed", "muted") if placement is None else _chip(placement)
        if column == self.DELTA:
            text, token = times_text(row.speedup)
            return TextCell(text, token, strong=token in ("ok", "error"), number=True)
        return TextCell(NONE if placement is None else time_text(placement.time_s), number=True)

    def tip(self, row: Flip, column: int) -> str | None:
        placement = row.after if column in (self.THEN, self.TIME_THEN) else row.before
        return row.label if column == self.NAME or placement is None else placement.verdict

    def markdown(self) -> str:
        """Return the table as Markdown."""
        return table_markdown(self)


def _chip(placement: Placement) -> ChipCell:
    return ChipCell(str(placement.bound), whole_words(placement))


class GainsModel(RowsModel):
    """One row for each resource, the one that saves most first."""

    heads = ("A tenth better", "Time of the study", "saves", "helps")
    hints = (
        "Resource of which there would be a tenth more (of an overhead: a tenth less, as a ratio)",
        "Of all visible entries together, one run each",
        f"Share of that time; {100 * _MOST_SAVED:.1f}% is the most that a tenth can save",
        "Entries that get faster",
    )
    numbers = (1,)
    NAME, TIME, SAVED, HELPS = range(4)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._names: dict[str, str] = {}

    def set_gains(self, gains: tuple[Gain, ...], names: dict[str, str]) -> None:
        """Show gains, with the labels of entries by id."""
        self._names = names
        self.set_rows(gains)

    def key(self, row: Gain) -> object:
        return row.id

    def cell(self, row: Gain, column: int) -> Cell | None:
        quiet = "text" if row.helped else "muted"
        if column == self.NAME:
            return TextCell(row.label, quiet, strong=bool(row.helped))
        if column == self.TIME:
            return TextCell(time_text(row.better_time_s), quiet, number=True)
        if column == self.SAVED:
            if row.saved < 5e-5:
                return TextCell("nothing", "muted")
            kind = "memory" if row.id in _MEMORY else "launch" if row.id == "launch" else "compute"
            return BarCell(row.saved / _MOST_SAVED, kind, _percent(100 * row.saved))
        return TextCell(f"{len(row.helped)} of {row.entries}", quiet)

    def tip(self, row: Gain, column: int) -> str | None:
        if column != self.HELPS or not row.helped:
            return row.label
        return "\n".join(self._names.get(one, one) for one in row.helped)

    def markdown(self) -> str:
        """Return the table as Markdown."""
        return table_markdown(self)


def _percent(share: float) -> str:
    return f"{share:.1f}%" if share >= 0.1 else "<0.1%"


_MEMORY: Final = (
    "register", "shared", "l1", "l2", "l3", "dram", "nvlink", "xgmi", "ici", "neuronlink", "xe_link", "roce", "c2c",
    "pcie", "network",
)  # fmt: skip

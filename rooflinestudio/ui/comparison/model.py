"""The compare table as a model: it sorts itself, and writes itself down as Markdown or tab-separated text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt

from rooflinestudio.ui.widgets.cells import BarCell, Cell, ChipCell, MarkerCell, TextCell
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.ui.comparison.lines import Line

__all__ = ["COLUMNS", "ComparisonModel"]

COLUMNS: Final = (
    "Variant",
    "What differs",
    "Q",
    "Δ Q",
    "I, FLOP/byte",
    "Δ I",
    "Bound",
    "Time",
    "Fraction of its peak",
    "Δ time",
)
VARIANT, DIFFERS, TRAFFIC, TRAFFIC_RATIO, INTENSITY, INTENSITY_RATIO, BOUND, TIME, FRACTION, DELTA = range(
    len(COLUMNS)
)


class ComparisonModel(RowsModel):
    """Lines in the order of the study, or sorted by one column."""

    heads = COLUMNS
    hints = (
        "Entry, or kernel measured for it",
        "What sets it apart from its baseline",
        "Traffic at the selected boundary",
        "Traffic against the baseline",
        "Intensity there",
        "Intensity against the baseline",
        "Which limit binds",
        "Time of one run",
        "Fraction of the peak of its main pipe",
        "Time against the baseline",
    )
    numbers = (TRAFFIC, TRAFFIC_RATIO, INTENSITY, INTENSITY_RATIO, TIME, DELTA)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._unsorted: tuple[Line, ...] = ()
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show these lines, sorted as before."""
        self._unsorted = tuple(lines)
        self.set_rows(self._in_order())

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 goes back to the order of the study."""
        self._sorted_by = (column, order) if column >= 0 else None
        self.set_rows(self._in_order())

    def _in_order(self) -> list[Line]:
        if self._sorted_by is None:
            return list(self._unsorted)
        column, order = self._sorted_by
        known = [line for line in self._unsorted if line.values[column] is not None]
        unknown = [line for line in self._unsorted if line.values[column] is None]
        known.sort(key=lambda line: line.values[column], reverse=order == Qt.SortOrder.DescendingOrder)
        return known + unknown

    def key(self, row: Line) -> object:
        return row.key

    def cell(self, row: Line, column: int) -> Cell | None:
        quiet = "text" if not row.reason else "muted"
        if column == VARIANT:
            mode = Qt.TextElideMode.ElideMiddle if row.shape == "diamond" else Qt.TextElideMode.ElideRight
            return MarkerCell(row.name, row.shape, row.slot, token=quiet, mode=mode)
        if column == DIFFERS:
            return TextCell(row.differs, "warn" if row.reason and row.fraction is None else "text2")
        if column == BOUND:
            return ChipCell(row.bound, row.bound_text) if row.bound_text else None
        if column == FRACTION:
            if row.fraction is None:
                return TextCell(row.fraction_text, "muted")
            return BarCell(row.fraction, row.bound, row.fraction_text)
        if column == DELTA:
            return TextCell(
                row.delta, row.delta_token, strong=row.delta_token in ("ok", "error"), number=True
            )
        if column in (TRAFFIC_RATIO, INTENSITY_RATIO):
            text = row.traffic_ratio if column == TRAFFIC_RATIO else row.intensity_ratio
            return TextCell(text, "muted" if text in ("baseline", "–") else "text2", number=True)
        text = {TRAFFIC: row.traffic, INTENSITY: row.intensity, TIME: row.time}[column]
        return TextCell(text, quiet, number=True)

    def spoken(self, row: Line, column: int) -> str:
        if column == VARIANT:
            kind = "measured" if row.shape == "diamond" else "predicted"
            return f"{row.name}, {kind}"
        return super().spoken(row, column)

    def tip(self, row: Line, column: int) -> str | None:
        if row.reason and column in (VARIANT, DIFFERS, BOUND):
            return row.reason
        return {VARIANT: row.name, DIFFERS: row.differs}.get(column)

    def row_of(self, selection: Any, machine: str) -> int:
        """Return the row of a selection, on a machine where it has several; -1 where it has none."""
        if selection is None:
            return -1
        found = [at for at, line in enumerate(self.rows) if line.selection == selection]
        return next((at for at in found if self.rows[at].machine == machine), found[0] if found else -1)

    # Written down -------------------------------------------------------------------------------------------------

    def texts(self, columns: Sequence[int] = tuple(range(len(COLUMNS)))) -> list[list[str]]:
        """Return head and rows as texts, in full."""
        table = [[COLUMNS[column] for column in columns]]
        for line in self.rows:
            words = (
                line.name, line.differs, line.traffic, line.traffic_ratio, line.intensity, line.intensity_ratio,
                line.bound_text, line.time, line.fraction_text, line.delta,
            )  # fmt: skip
            table.append([words[column] for column in columns])
        return table

    def markdown(self) -> str:
        """Return the table in Markdown, numbers at the right."""
        head, *rows = self.texts()
        rule = ["---:" if column in (*self.numbers, FRACTION) else "---" for column in range(len(head))]
        lines = [head, rule, *rows]
        return "\n".join(f"| {' | '.join(_escaped(cell) for cell in line)} |" for line in lines) + "\n"

    def tsv(self) -> str:
        """Return the table as tab-separated text, for spreadsheets."""
        return "\n".join("\t".join(" ".join(cell.split()) for cell in line) for line in self.texts()) + "\n"


def _escaped(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")

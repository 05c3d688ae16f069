"""Reads the columns of a table of shapes one by one, and gathers what cannot be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rooflinestudio.core.shapes.faults import Fault
from rooflinestudio.core.shapes.numbers import NoUnitError, count_column, time_column
from rooflinestudio.core.shapes.sheet import ShapeTableError, Sheet, shown
from rooflinestudio.core.shapes.words import WordColumn, dtype_column, word_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.shapes.columns import ColumnMap
    from rooflinestudio.core.shapes.faults import ReadColumn

__all__ = ["MOST_FAULTS", "CutColumns", "Reading", "cut_columns"]

Column = TypeVar("Column")

MOST_FAULTS: Final = 1000
"""Faults that are kept; ``fault_count`` counts all of them."""


@dataclass(frozen=True)
class CutColumns:
    """The columns that are wanted, cut out of a sheet: lines of the file, cells by position, lines that do not fit."""

    lines: list[int]
    cells: dict[int, list[str]]
    faults: list[Fault]


def cut_columns(sheet: Sheet, columns: ColumnMap) -> CutColumns:
    """Cut out the columns that a map names.

    Raises
    ------
    ShapeTableError
        If no line has them.
    """
    wanted = sorted(
        {*columns.parameters.values(), *(at for at in (columns.time, columns.dtype) if at is not None)}
    )
    cut = CutColumns([], {at: [] for at in wanted}, [])
    targets = [(at, cut.cells[at].append) for at in wanted]
    width, last = sheet.width, max(wanted, default=0)
    for line, cells in sheet.rows():
        if len(cells) <= last or (sheet.head and len(cells) > width and any(cells[width:])):
            what = "the head line" if sheet.head else "the first rows"
            text = f"has {len(cells)} cells where {what} has {width}; a separator is missing, or one is too many."
            cut.faults.append(Fault(line, "", "", text))
            continue
        cut.lines.append(line)
        for at, append in targets:
            append(cells[at])
    if not cut.lines:
        raise ShapeTableError(f"{sheet.name}: no row can be used. The first: {cut.faults[0]}")
    return cut


class Reading:
    """Reads columns one by one and gathers what is wrong with them."""

    def __init__(self, sheet: Sheet, operator: Operator, cut: CutColumns) -> None:
        import numpy as np

        self._sheet, self._operator, self._cut = sheet, operator, cut
        self.faults: list[Fault] = cut.faults[:MOST_FAULTS]
        self.fault_count = len(cut.faults)
        self._told: dict[int, NDArray[Any]] = {}
        self.usable = np.ones(len(cut.lines), bool)

    def counts(self, parameter: Parameter, at: int, mark: str) -> NDArray[Any]:
        """Return a column of numbers."""
        return self._keep(at, count_column(parameter, self._cut.cells[at], mark))

    def times(self, at: int, mark: str, unit: str) -> NDArray[Any]:
        """Return a column of times in seconds, NaN where there is none."""
        try:
            return self._keep(at, time_column(self._cut.cells[at], mark, unit))
        except NoUnitError as error:
            row = error.args[0]
            raise ShapeTableError(
                f"{self._sheet.name}, line {self._cut.lines[row]}, column {self._sheet.column_name(at)}: "
                f"{shown(self._cut.cells[at][row])} has no unit, nor has the head of the column. "
                "Name the unit of time: us, ms, s or ns."
            ) from None

    def words(self, parameter: Parameter, at: int) -> WordColumn:
        """Return a column of choices or switches."""
        return self._keep(at, word_column(self._operator, parameter, self._cut.cells[at]))

    def dtypes(self, at: int) -> WordColumn:
        """Return a column of number formats."""
        return self._keep(at, dtype_column(self._operator, self._cut.cells[at]))

    def _keep(self, at: int, column: ReadColumn[Column]) -> Column:
        import numpy as np

        # A column may be read twice (seq_len for queries and for keys): each of its cells is told once.
        told = self._told.setdefault(at, np.zeros(len(self.usable), bool))
        wrong = column.wrong[~told[column.wrong]]
        told[wrong] = True
        self.usable[wrong] = False
        self.fault_count += len(wrong)
        name, lines, cells = self._sheet.column_name(at), self._cut.lines, self._cut.cells[at]
        for row in wrong[:MOST_FAULTS].tolist():
            self.faults.append(Fault(lines[row], name, cells[row], column.why(row)))
        return column.values

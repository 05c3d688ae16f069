"""Shapes from a file: rows of an operator's parameters, with measured times where there are any.

A CSV file of whatever origin: separator and decimal mark are found out, columns are proposed by their heads and
checked, and every cell that cannot be used is named with its line, its column and the mend.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.shapes.columns import ColumnMap, Wishes, propose_columns
from rooflinestudio.core.shapes.faults import Fault
from rooflinestudio.core.shapes.numbers import decimal_mark
from rooflinestudio.core.shapes.reading import MOST_FAULTS, Reading, cut_columns
from rooflinestudio.core.shapes.sheet import ShapeTableError, Sheet, open_sheet
from rooflinestudio.core.shapes.words import WordColumn, dtype_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from rooflinestudio.core.operators import Operator, Parameter
    from rooflinestudio.core.shapes.reading import CutColumns

__all__ = [
    "ColumnMap", "Fault", "ShapeRow", "ShapeTable", "ShapeTableError", "Sheet", "Wishes", "open_sheet",
    "propose_columns", "read_shapes", "shapes_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShapeRow:
    """One row.

    Attributes
    ----------
    parameters
        What the table says, by name.
    dtype
        Formats as written on the command line, or empty where the table has none.
    time_s
        The measured time, or None.
    line
        In the file, counted from 1.
    """

    parameters: Mapping[str, Any]
    dtype: str
    time_s: float | None
    line: int


@dataclass(frozen=True, eq=False)
class ShapeTable:
    """The rows of a file that can be used, as columns.

    Attributes
    ----------
    name
        The file's name.
    operator_id
        Whose parameters the columns are.
    line
        Line of each row.
    numbers
        Values by numeric parameter, float64.
    words
        Choices and switches by parameter.
    dtypes
        Formats by role, or None without such a column.
    time_s
        Seconds, NaN where nothing was measured; None without such a column.
    columns
        Which column was taken for what; ``heads`` gives their names.
    faults, fault_count
        What could not be used (the first thousand), and how many there are; those rows are left out.
    notes
        What was guessed.
    """

    name: str
    operator_id: str
    line: NDArray[Any]
    numbers: Mapping[str, NDArray[Any]]
    words: Mapping[str, WordColumn]
    dtypes: WordColumn | None
    time_s: NDArray[Any] | None
    columns: ColumnMap
    heads: Mapping[str, str]
    whole: frozenset[str]
    faults: tuple[Fault, ...] = ()
    fault_count: int = 0
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.line)

    def row(self, at: int) -> ShapeRow:
        """Return one row, counted from 0."""
        time = float(self.time_s[at]) if self.time_s is not None else float("nan")
        dtype = dtype_text(self.dtypes.at(at)) if self.dtypes is not None else ""
        return ShapeRow(self.parameters(at), dtype, time if time == time else None, int(self.line[at]))

    def parameters(self, at: int) -> dict[str, Any]:
        """Return what the table says about one row; whole numbers are ``int``."""
        found: dict[str, Any] = {}
        for name in self.columns.parameters:
            if name in self.numbers:
                value = float(self.numbers[name][at])
                found[name] = int(value) if name in self.whole else value
            else:
                found[name] = self.words[name].at(at)
        return found

    def rows(self) -> Iterator[ShapeRow]:
        """Yield all rows."""
        return (self.row(at) for at in range(len(self)))

    def of(self, rows: Any) -> ShapeTable:
        """Return the table with some rows only: a mask, or positions."""
        return replace(
            self,
            line=self.line[rows],
            numbers={name: values[rows] for name, values in self.numbers.items()},
            words={name: column.of(rows) for name, column in self.words.items()},
            dtypes=self.dtypes.of(rows) if self.dtypes is not None else None,
            time_s=self.time_s[rows] if self.time_s is not None else None,
        )


def read_shapes(
    source: str | Path | bytes,
    operator: Operator,
    wishes: Wishes | None = None,
    *,
    separator: str | None = None,
    mark: str | None = None,
) -> ShapeTable:
    """Read a file of shapes for one operator.

    Parameters
    ----------
    source
        A path, or the bytes of a file.
    wishes
        What the user says about the columns; the rest is proposed by the heads.
    separator, mark
        What parts cells and decimals; left out, they are found out.

    Raises
    ------
    ShapeTableError
        If the file cannot be read, its columns cannot be told, or no row can be used.
    """
    sheet = open_sheet(source, separator=separator)
    return shapes_of(sheet, operator, propose_columns(sheet, operator, wishes or Wishes({})), mark=mark)


def shapes_of(sheet: Sheet, operator: Operator, columns: ColumnMap, *, mark: str | None = None) -> ShapeTable:
    """Read all rows of a sheet, given which column holds what.

    Raises
    ------
    ShapeTableError
        If the decimal mark or the unit of time cannot be told, or no row can be used.
    """
    import numpy as np

    cut = cut_columns(sheet, columns)
    parameters = {one.name: one for one in operator.parameters if one.name in columns.parameters}
    numeric = {name: one for name, one in parameters.items() if _is_numeric(one)}
    if mark is None:
        mark = decimal_mark(_marked(sheet, columns, numeric, cut), cut.lines)
    elif mark not in (".", ","):
        raise ShapeTableError(f"decimal mark {mark!r} must be a point or a comma.")
    reading = Reading(sheet, operator, cut)
    numbers = {name: reading.counts(one, columns.parameters[name], mark) for name, one in numeric.items()}
    words = {
        name: reading.words(one, columns.parameters[name])
        for name, one in parameters.items()
        if name not in numeric
    }
    dtypes = reading.dtypes(columns.dtype) if columns.dtype is not None else None
    time_s = reading.times(columns.time, mark, columns.time_unit) if columns.time is not None else None
    faults = sorted(reading.faults, key=lambda one: one.line)
    table = ShapeTable(
        sheet.name, operator.id, np.array(cut.lines, np.int64), numbers, words, dtypes, time_s, columns,
        _heads(sheet, columns), frozenset(name for name, one in numeric.items() if one.integer),
        tuple(faults[:MOST_FAULTS]), reading.fault_count, columns.notes,
    )  # fmt: skip
    if not reading.usable.any():
        raise ShapeTableError(f"{sheet.name}: no row can be used. The first: {faults[0]}")
    return table if reading.usable.all() else table.of(reading.usable)


def _is_numeric(parameter: Parameter) -> bool:
    return not (parameter.choices or parameter.open_choices or isinstance(parameter.default, bool | str))


def _marked(
    sheet: Sheet, columns: ColumnMap, numeric: Mapping[str, Parameter], cut: CutColumns
) -> Iterator[tuple[str, bool, list[str]]]:
    """Yield the columns whose cells may tell the decimal mark."""
    for name, one in numeric.items():
        at = columns.parameters[name]
        yield sheet.column_name(at), one.integer, cut.cells[at]
    if columns.time is not None:
        yield sheet.column_name(columns.time), False, cut.cells[columns.time]


def _heads(sheet: Sheet, columns: ColumnMap) -> dict[str, str]:
    places = {**columns.parameters, "dtype": columns.dtype, "time": columns.time}
    return {
        name: (sheet.head[at].strip() if sheet.head else str(at + 1))
        for name, at in places.items()
        if at is not None
    }

"""Cells to numbers: which mark parts the decimals is decided per file, by evidence, and asked for when undecided."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.quantities import parse_quantity
from rooflinestudio.core.shapes.faults import ReadColumn
from rooflinestudio.core.shapes.names import TIME_UNITS
from rooflinestudio.core.shapes.sheet import ShapeTableError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from rooflinestudio.core.operators import Parameter

__all__ = [
    "ABSENT",
    "NoUnitError",
    "count_column",
    "decimal_mark",
    "split_number",
    "time_column",
    "unit_of_cell",
]

ABSENT: Final = frozenset(("", "-", "–", "—", "n/a", "na", "nan", "none", "null", "#n/a", "?"))
"""What a cell may hold, in lower case, where nothing was measured."""

SHORTEST_S: Final = 1e-12
LONGEST_S: Final = 1e9

_GROUPS: Final = "_' \u00a0\u2009\u202f"
_BOTH: Final = re.compile(r"[.,]")
_GROUPED: Final = re.compile(r"[+\-\u2212]?[1-9][0-9]{0,2}[.,][0-9]{3}(?![0-9])")


class NoUnitError(Exception):
    """A time without a unit; the argument is its position."""


def _pattern(mark: str) -> re.Pattern[str]:
    other = re.escape("," if mark == "." else ".")
    point = re.escape(mark)
    return re.compile(
        r"\s*(?P<number>[+\-\u2212]?"
        rf"(?:[1-9][0-9]{{0,2}}(?P<group>[{_GROUPS}{other}])[0-9]{{3}}(?:(?P=group)[0-9]{{3}})*(?![0-9])|[0-9]*)"
        rf"(?:{point}[0-9]*)?(?:[eE][+\-\u2212]?[0-9]+)?)\s*(?P<unit>[^0-9]*)\Z"
    )


_PATTERNS: Final = {mark: _pattern(mark) for mark in ".,"}


def split_number(cell: str, mark: str) -> tuple[float, str] | None:
    """Return the number at the start of a cell and the unit after it; None where there is no finite number."""
    found = _PATTERNS[mark].match(cell) if len(cell) <= 200 else None
    if found is None:
        return None
    digits = found["number"].replace("\u2212", "-")
    if found["group"]:
        digits = digits.replace(found["group"], "")
    try:
        value = float(digits.replace(",", "."))
    except ValueError:
        return None
    return (value, found["unit"].strip()) if math.isfinite(value) else None


def unit_of_cell(text: str) -> str:
    """Return the unit of time after a number, or an empty text where it is none."""
    word = text.strip().replace("\u00b5", "u").replace("\u03bc", "u").lower()
    return word if word in TIME_UNITS else ""


def decimal_mark(columns: Iterable[tuple[str, bool, Sequence[str]]], lines: Sequence[int]) -> str:
    """Return the decimal mark of a file.

    Parameters
    ----------
    columns
        Name, whether whole numbers are meant, and the cells of each column of numbers.

    Raises
    ------
    ShapeTableError
        If the cells contradict each other, or a comma may part thousands as well as decimals.
    """
    seen: dict[str, str] = {}
    doubtful = ""
    for name, whole, cells in columns:
        for at, cell in enumerate(cells):
            if "," not in cell and "." not in cell:
                continue
            mark = _evidence(cell.strip(), whole=whole)
            place = f"line {lines[at]}, column {name}: {shown(cell)}"
            if mark in ".,":
                seen.setdefault(mark, place)
            elif not doubtful:
                doubtful = place
        if len(seen) == 2:
            raise ShapeTableError(
                f"{seen['.']} has a decimal point and {seen[',']} a decimal comma. Write all numbers in one way, or "
                "say which mark parts the decimals (decimal mark . or ,)."
            )
    if doubtful and not seen:
        raise ShapeTableError(
            f"{doubtful}: the comma may part thousands or decimals. Say which (decimal mark . or ,)."
        )
    return next(iter(seen), ".")


def _evidence(cell: str, *, whole: bool) -> str:
    """Return the decimal mark that a cell speaks for, or ``?`` where it speaks for none."""
    marks = _BOTH.findall(cell)
    if len(set(marks)) == 2:
        return str(marks[-1])
    other = "." if marks[0] == "," else ","
    if len(marks) > 1:  # thousands
        return other
    if _GROUPED.match(cell) is None:
        return str(marks[0])
    if not whole:  # 12,288: both readings; 12.288: decimals, unless other cells speak
        return "?" if marks[0] == "," else "."
    value = split_number(cell, marks[0])
    if value is not None and value[0] == int(value[0]):  # 64.000 is a whole number written with decimals
        return str(marks[0])
    return other


def count_column(parameter: Parameter, cells: Sequence[str], mark: str) -> ReadColumn[NDArray[Any]]:
    """Read a column of a numeric parameter and check it against what the operator takes."""
    import numpy as np

    values = _floats(cells) if mark == "." else None
    if values is None:
        values = np.array([_one(parameter, cell, mark) for cell in cells], dtype=float)
    with np.errstate(invalid="ignore"):
        wrong = ~((values >= parameter.low) & (values <= parameter.high))
        if parameter.integer:
            wrong |= values != np.floor(values)
    positions = np.flatnonzero(wrong)
    return ReadColumn(values, positions, lambda at: _why(parameter, cells[at], float(values[at])))


def _floats(cells: Sequence[str]) -> NDArray[Any] | None:
    """Return cells of plain numbers at once, or None where one is anything else."""
    import numpy as np

    try:
        values = np.array(cells, dtype=float)
    except ValueError:
        return None
    return values if bool(np.isfinite(values).all()) else None


def _one(parameter: Parameter, cell: str, mark: str) -> float:
    found = split_number(cell, mark)
    if found is None:
        return math.nan
    if not found[1]:
        return found[0]
    try:
        return parse_quantity(cell.replace(",", ".") if mark == "," else cell, parameter.unit)
    except (StudioError, KeyError):
        return math.nan


def _why(parameter: Parameter, cell: str, value: float) -> str:
    if not cell.strip():
        return f"is empty; {parameter.name} needs a value."
    if math.isnan(value):
        return f"is no number; write {parameter.name} such as {parameter.default:g}."
    if not parameter.low <= value <= parameter.high:
        return f"must lie between {parameter.low:g} and {parameter.high:g}."
    return f"must be a whole number, such as {parameter.default:g}; check that the column holds {parameter.name}."


def time_column(cells: Sequence[str], mark: str, unit: str) -> ReadColumn[NDArray[Any]]:
    """Read a column of times in seconds; NaN where nothing was measured.

    Parameters
    ----------
    unit
        The unit of cells that are bare numbers; empty if none is known.

    Raises
    ------
    NoUnitError
        If a cell is a bare number and no unit is known.
    """
    import numpy as np

    values = _floats(cells) if mark == "." and unit else None
    if values is not None:
        values /= TIME_UNITS[unit]
        if bool(((values >= SHORTEST_S) & (values <= LONGEST_S)).all()):
            return ReadColumn(values, np.empty(0, np.int64))
    found: list[float] = []
    wrong: list[int] = []
    for at, cell in enumerate(cells):
        value, why = _time(cell, mark, unit)
        if why is None:
            raise NoUnitError(at)
        if why:
            wrong.append(at)
        found.append(value)
    return ReadColumn(
        np.array(found, dtype=float),
        np.array(wrong, np.int64),
        lambda at: _time(cells[at], mark, unit)[1] or "",
    )


def _time(cell: str, mark: str, unit: str) -> tuple[float, str | None]:
    """Return seconds and an empty text, NaN and what is wrong, or NaN and None where the unit is missing."""
    if cell.strip().lower() in ABSENT:
        return math.nan, ""
    found = split_number(cell, mark)
    if found is None:
        return math.nan, "is no time; write a number, such as 12.5, or leave the cell empty."
    value, written = found
    own = unit_of_cell(written) if written else unit
    if not own:
        return math.nan, ("has a unit that is no time; write us, ms or s." if written else None)
    if value <= 0:
        return math.nan, "must be above zero; leave the cell empty where nothing was measured."
    seconds = value / TIME_UNITS[own]
    if SHORTEST_S <= seconds <= LONGEST_S:
        return seconds, ""
    return math.nan, f"is {'short' if seconds < SHORTEST_S else 'long'} beyond reason; check the unit."

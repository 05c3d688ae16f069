"""Tables of nvprof, found by the names of their columns, and its numbers with the unit glued on.

Tables come as CSV or, on a terminal, with cells between two and more blanks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from plugins_builtin._ncu.lines import split_row
from plugins_builtin._ncu.values import Value
from plugins_builtin._nvprof.figures import WANTED

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["NvprofTable", "TableKind", "find_table", "looks_like_nvprof", "read_value", "split_at_gaps"]

TableKind = Literal["metrics", "trace", "counters", "summary"]

_BANNER: Final = re.compile(r"^\ufeff?==\d{1,10}== (?:NVPROF|Event result:|Metric result:)", re.MULTILINE)
_CLUES: Final = (("Kernel", "Device"), ("Duration", "Name"), ("Calls", "Name"), ("Invocations", "Avg"))
_GAP: Final = re.compile(r"\s{2,}")
_LONGEST: Final = 200_000  # characters of a header
_NUMBER: Final = re.compile(r"(\d{1,40})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?([A-Za-z\u00b5/]{0,8})\Z")
# nvprof counts its kB, MB and GB by 1024; times are decimal.
_BYTES: Final = {"B": 1.0, "KB": 1024.0, "MB": 1024.0**2, "GB": 1024.0**3, "TB": 1024.0**4}
_TIMES: Final = {"ns": 1e9, "us": 1e6, "\u00b5s": 1e6, "ms": 1e3, "s": 1.0}
_LARGEST: Final = 1e30  # nothing that a GPU counts comes near; products of it stay finite


@dataclass(frozen=True, slots=True)
class NvprofTable:
    """Header of one table.

    Attributes
    ----------
    kind
        Extremes and mean per kernel of metrics or events (``metrics``), one row per launch with its times
        (``trace``) or its counters (``counters``), or times per kernel (``summary``).
    columns
        Position of each column by name; of columns with one name, the first.
    on_terminal
        Whether blanks stand between the cells, and kernel and device of metrics on lines of their own.
    """

    kind: TableKind
    columns: dict[str, int]
    on_terminal: bool = False


def looks_like_nvprof(text: str) -> bool:
    """Whether text at the head of a file comes from nvprof."""
    return _BANNER.search(text) is not None or any(map(find_table, text.splitlines()))


def find_table(line: str) -> NvprofTable | None:
    """Table that starts with this line, or None if it is no header row."""
    if len(line) > _LONGEST or not any(first in line and second in line for first, second in _CLUES):
        return None
    by_commas = _columns(split_row(line) or [])
    kind = _kind(by_commas)
    if kind is not None and ("Kernel" in by_commas or kind != "metrics"):
        return NvprofTable(kind, by_commas)
    by_gaps = _columns(split_at_gaps(line))
    kind = _kind(by_gaps)
    return None if kind in (None, "counters") else NvprofTable(kind, by_gaps, on_terminal=True)


def split_at_gaps(line: str) -> list[str]:
    """Cells of a row on a terminal."""
    return _GAP.split(line.strip()) if len(line) <= _LONGEST else []


def _columns(cells: list[str]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for position, cell in enumerate(cells):
        columns.setdefault(cell.strip().lstrip("\ufeff"), position)
    return columns


def _kind(names: Collection[str]) -> TableKind | None:
    if {"Invocations", "Avg"}.issubset(names):
        return "metrics" if "Metric Name" in names or "Event Name" in names else None
    if {"Start", "Duration", "Device", "Stream", "Name"}.issubset(names):
        return "trace"
    if {"Time", "Calls", "Avg", "Min", "Max", "Name"}.issubset(names):
        return "summary"
    if {"Device", "Kernel", "Stream"}.issubset(names) and not WANTED.isdisjoint(names):
        return "counters"
    return None


def read_value(text: str, unit: str, recipe: str) -> Value | None:
    """Value of a cell in s, byte, byte/s or pieces; None for words, percentages and units that are not known.

    Parameters
    ----------
    text
        The cell; a unit may be glued to the number (``43.996615GB/s``, ``4.3850ms``).
    unit
        Unit of the column, for a number that has none.
    recipe
        Name of what was counted.
    """
    match = _NUMBER.match(text.strip()[:100])
    if match is None:
        return None
    whole, decimals, exponent, glued = match.groups()
    scale = _scale(glued or unit.strip())
    if scale is None:
        return None
    factor, divisor = scale
    power = 10.0 ** int(exponent) if exponent else 1.0
    number = float(f"{whole}.{decimals or '0'}") * power
    error = 0.5 * 10.0 ** -len(decimals) * power if decimals and (factor, divisor) != (1.0, 1.0) else 0.0
    if not number < _LARGEST:
        return None
    return Value(number * factor / divisor, error * factor / divisor, recipe)


def _scale(unit: str) -> tuple[float, float] | None:
    """Factor and divisor of a unit."""
    if unit in _TIMES:
        return 1.0, _TIMES[unit]
    amount, _, per = unit.partition("/")
    if amount in _BYTES and per in ("", "s"):
        return _BYTES[amount], 1.0
    return (1.0, 1.0) if not unit else None

"""Tables of nvprof, found by the names of their columns, and its numbers with the unit glued on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from plugins_builtin._ncu.lines import split_row
from plugins_builtin._ncu.values import Value

__all__ = ["NvprofTable", "TableKind", "find_table", "looks_like_nvprof", "read_value"]

TableKind = Literal["metrics", "events", "trace", "counters", "summary"]

_BANNER: Final = re.compile(r"^\ufeff?==\d{1,10}== (?:NVPROF|Event result|Metric result)", re.MULTILINE)
_CLUES: Final = (("Kernel", "Device"), ("Duration", "Name"), ("Calls", "Name"))
_LONGEST: Final = 200_000  # characters of a header
_NUMBER: Final = re.compile(r"(\d{1,40})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))? ?([A-Za-z%\u00b5/]{0,8})\Z", re.ASCII)
_BINARY: Final = {"": 1.0, "K": 1024.0, "M": 1024.0**2, "G": 1024.0**3, "T": 1024.0**4}
_TIMES: Final = {"ns": 1e9, "us": 1e6, "\u00b5s": 1e6, "ms": 1e3, "s": 1.0}


@dataclass(frozen=True, slots=True)
class NvprofTable:
    """Header of one table.

    Attributes
    ----------
    kind
        Extremes and mean of metrics or events per kernel (``metrics``, ``events``), one row per launch with its times
        (``trace``) or its counters (``counters``), or times per kernel (``summary``).
    columns
        Position of each column by name; of columns with one name, the first.
    """

    kind: TableKind
    columns: dict[str, int]


def looks_like_nvprof(text: str) -> bool:
    """Whether text at the head of a file comes from nvprof."""
    return _BANNER.search(text) is not None or any(find_table(line) for line in text.splitlines())


def find_table(line: str) -> NvprofTable | None:
    """Table that starts with this line, or None if it is no header row."""
    if len(line) > _LONGEST or not any(first in line and second in line for first, second in _CLUES):
        return None
    row = split_row(line) or []
    columns: dict[str, int] = {}
    for position, cell in enumerate(row):
        columns.setdefault(cell.strip().lstrip("\ufeff"), position)
    kind = _kind(columns.keys())
    return None if kind is None else NvprofTable(kind, columns)


def _kind(names: frozenset[str] | set[str] | object) -> TableKind | None:
    found = frozenset(names)  # type: ignore[call-overload]
    if {"Device", "Kernel", "Invocations", "Avg"} <= found:
        return "metrics" if "Metric Name" in found else "events" if "Event Name" in found else None
    if {"Start", "Duration", "Name"} <= found:
        return "trace"
    if {"Time", "Calls", "Avg", "Name"} <= found:
        return "summary"
    if {"Device", "Kernel", "Stream"} <= found and "Invocations" not in found:
        return "counters"
    return None


@lru_cache(maxsize=1)
def _unused() -> None: ...

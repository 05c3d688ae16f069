"""Tables in a file, found by the names in their header row and never by a line number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from plugins_builtin._ncu.lines import split_row

__all__ = ["IDENTITY", "Table", "TableKind", "find_table"]

TableKind = Literal["long", "wide", "summary", "source", "nvprof"]

IDENTITY: Final = frozenset((
    "ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream", "Block Size",
    "Grid Size", "Device", "CC", "Invocations",
))  # fmt: skip
"""Columns that say which launch a row belongs to."""

# Each header has one of these pairs; few rows do, so that few are taken apart twice.
_CLUES: Final = (("Kernel Name", ""), ("Kernel", "Invocations"), ("Address", "Source"))
_DELIMITERS: Final = (",", ";", "\t")
_LONGEST_HEADER: Final = 2_000_000  # characters


@dataclass(frozen=True, slots=True)
class Table:
    """Header of one table.

    Attributes
    ----------
    kind
        One row per launch and metric (``long``) or per launch (``wide``), means over launches (``summary``), one
        row per instruction (``source``), or a table of nvprof.
    columns
        Position of each column by name; of columns with one name, the first.
    names
        All names in order.
    delimiter
        Character between cells: a comma, or what a spreadsheet made of it.
    """

    kind: TableKind
    columns: dict[str, int]
    names: tuple[str, ...]
    delimiter: str


def find_table(line: str) -> Table | None:
    """Table that starts with this line, or None if the line is no header row."""
    if not any(first in line and second in line for first, second in _CLUES) or len(line) > _LONGEST_HEADER:
        return None
    for delimiter in _DELIMITERS:
        if delimiter not in line:
            continue
        row = split_row(line, delimiter)
        if row is None:
            continue
        names = tuple(cell.strip().lstrip("\ufeff") for cell in row)
        kind = _kind(set(names))
        if kind is not None:
            columns: dict[str, int] = {}
            for position, name in enumerate(names):
                columns.setdefault(name, position)
            return Table(kind, columns, names, delimiter)
    return None


def _kind(names: set[str]) -> TableKind | None:
    if {"Kernel Name", "Metric Name", "Average"} <= names:
        return "summary"
    if {"Kernel Name", "Metric Name", "Metric Value"} <= names:
        return "long"
    if {"ID", "Kernel Name"} <= names and "Metric Name" not in names:
        return "wide"
    if {"#", "Address", "Source"} <= names:
        return "source"
    if {"Device", "Kernel", "Invocations"} <= names:
        return "nvprof"
    return None

"""Two measured files of a report held against each other: the kernels whose time changed most."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.measured.panel import measured_panel
from rooflinestudio.core.report.document import Column, Prose, Section, Table
from rooflinestudio.core.report.words import elided, several
from rooflinestudio.core.series.settings import COLUMN_IDS
from rooflinestudio.core.series.table import HEADS, NUMBERS, SeriesTableMaker
from rooflinestudio.core.series.words import counts_words, total_words

if TYPE_CHECKING:
    from rooflinestudio.core.series.table import SeriesTable
    from rooflinestudio.core.study import Study

__all__ = ["MOST_CHANGES", "before_after_section"]

MOST_CHANGES: Final = 15
_COLUMNS: Final = (
    "kernel", "change", "launches", "time_before", "time_after", "time_ratio", "saved", "traffic_ratio",
)  # fmt: skip


def before_after_section(study: Study) -> Section | None:
    """Return what became of the kernels from one file to the other; None where there are not two files."""
    import numpy as np

    table = SeriesTableMaker().table(study, replace(measured_panel(study), filter="", list_hidden=False))
    if table is None or not len(table.lines):
        return None
    figures = table.figures
    changed = np.nan_to_num(np.abs(figures.saved_s[table.lines]))
    lines = table.lines[np.argsort(-changed, kind="stable")].tolist()
    rows = tuple(
        tuple(elided(text) if name == "kernel" else text for name, text in _cells(table, line))
        for line in lines[:MOST_CHANGES]
    )
    heads = tuple(Column(HEADS[COLUMN_IDS.index(name)], name in NUMBERS) for name in _COLUMNS)
    more = len(lines) - MOST_CHANGES
    note = f"Left out: {several(more, 'kernel')} more, whose time changed less." if more > 0 else ""
    match = figures.match
    told = [f"Before: {match.before.name}. After: {match.after.name}.", f"{counts_words(figures.total)}."]
    told += [f"{words}."] if (words := total_words(figures.total)) else []
    changes = Table("Kernels of both files, the largest change of time first", heads, rows, note)
    return Section("before-after", "Before and after", (Prose(" ".join(told)), changes))


def _cells(table: SeriesTable, line: int) -> list[tuple[str, str]]:
    return [(name, table.cell_text(line, name)) for name in _COLUMNS]

"""The measured table in words: heads, cells, tool tips, totals, and what is copied."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.main import beside_words
from rooflinestudio.core.measured.order import NUMBERS
from rooflinestudio.core.measured.panel import COLUMN_IDS
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rooflinestudio.core.measured.groups import GroupFigures
    from rooflinestudio.core.measured.table import FileTotal, MeasuredTable

__all__ = [
    "HEADS", "HINTS", "LENT", "LENT_NOTE", "MOST_COPIED", "as_markdown", "as_tsv", "cell_text", "cell_tip",
    "fraction_of", "head_of", "is_lent", "kind_of", "pair_text", "summary",
]  # fmt: skip

HEADS: Final = (
    "Kernel", "File", "Launch", "Grid", "Block", "Time", "Share", "W", "Q at dram", "I, FLOP/byte", "Achieved",
    "Pipe", "Bound, of roof", "Pair", "Device", "Not plotted because",
)  # fmt: skip
HINTS: Final = (
    "Name as the profiler wrote it",
    "File that it was read from",
    "Position in the file; in groups, the number of launches",
    "Blocks: x × y × z",
    "Threads of a block: x × y × z",
    "Duration of one launch; in groups, of all launches",
    "Part in the time of its file",
    "Work on the main pipe; in groups, of all launches",
    "Bytes to and from device memory; in groups, of all launches",
    "Work per byte at device memory; in groups, the ratio of the sums",
    "Rate on the main pipe; in groups, the ratio of the sums",
    "Main pipe: the one with the largest work against its ceiling on the chosen machine",
    "Which roof of the chosen machine binds at device memory, and how much of it is reached",
    "Entry that the kernel is held against; with a question mark one that it may be",
    "Where it was measured",
    "What is missing, and why",
)
MOST_COPIED: Final = 20_000
"""More rows than these are not copied at once: nobody pastes a million."""

LENT: Final = "*"
"""Behind a figure whose work is that of the operator that the kernel is held against."""
LENT_NOTE: Final = f"{LENT} W from the operator of the pair"

_NONE: Final = "–"
_LENT_COLUMNS: Final = ("work", "intensity", "achieved")
_GROUPED_HEADS: Final = {"launch": "Launches", "time": "Σ time", "work": "Σ W", "traffic": "Σ Q at dram"}
_TEXTS: Final = ("kernel", "grid", "block", "pipe", "device", "note")
_UNITS: Final = {"time": "s", "work": "FLOP", "traffic": "B", "achieved": "FLOP/s"}
_TOLD: Final = 3  # suggestions in a tool tip
_DIGITS: Final = {"time": 4, "traffic": 4, "work": 4}
_COUNTED: Final = {"time": "timed", "work": "worked", "traffic": "carried"}


def head_of(column: str, *, grouped: bool) -> str:
    """Return the head of a column."""
    return (
        _GROUPED_HEADS.get(column, "")
        if grouped and column in _GROUPED_HEADS
        else HEADS[COLUMN_IDS.index(column)]
    )


# Cells ------------------------------------------------------------------------------------------------------------


def cell_text(table: MeasuredTable, line: int, column: str) -> str:
    """Return a cell in words; a dash where a number is absent, nothing where a text is."""
    if line < 0:
        return _group_text(table, -1 - line, column)
    series = table.series
    if column in _TEXTS:
        text = series.text(column, line)
        return text.replace(" ", " × ") if column in ("grid", "block") else text
    if column == "file":
        return series.place_of(line)[0].name
    if column == "bound":
        return _bound_text(table.held, line)
    if column == "pair":
        return pair_text(table, line)
    value = series.shares[line] if column == "share" else series.numbers(NUMBERS[column])[line]
    text = _number_text(column, float(value))
    return f"{text}{LENT}" if column in _LENT_COLUMNS and is_lent(table, line) and text != _NONE else text


def is_lent(table: MeasuredTable, line: int) -> bool:
    """Whether the work of a kernel is that of the operator it is held against."""
    return line >= 0 and line in table.paired and table.paired[line].lent is not None


def pair_text(table: MeasuredTable, line: int) -> str:
    """Return the entry of a kernel, or with a question mark the one that it may be; empty where there is none."""
    if line in table.paired:
        return table.paired[line].name
    return table.suggester.words(table.series, line)


def _group_pair_text(table: MeasuredTable, group: int) -> str:
    found = table.paired_in.get(group)
    if not found:
        return table.suggester.words(table.series, table.kernel_at(-1 - group))
    name, count = max(found.items(), key=lambda one: one[1])
    kernels = int(table.figures.kernels[group]) if table.figures is not None else count
    paired = sum(found.values())
    shown = name if len(found) == 1 else f"{name} and others"
    return shown if paired == kernels else f"{shown}, {paired} of {kernels}"


def _pair_tip(table: MeasuredTable, line: int) -> str:
    if line < 0:
        return ""
    if line in table.paired:
        one = table.paired[line]
        return "\n".join((f"Held against {one.name}", *one.ratios, *filter(None, (one.work_from,))))
    found = table.suggester.of(table.series, line)[:_TOLD]
    return "\n".join(f"{one.name}? {one.words}" for one in found)


def _beside_tip(table: MeasuredTable, line: int) -> str:
    """Return what a kernel did on other pipes than its main one."""
    if line < 0:
        return ""
    overlay, index = table.series.place_of(line)
    return beside_words(overlay.measurement(index), table.series.text("pipe", line))


def _group_text(table: MeasuredTable, group: int, column: str) -> str:
    groups, figures = table.groups, table.figures
    if groups is None or figures is None:
        return ""
    if column in ("kernel", "file", "device") or (
        column in ("grid", "block") and table.panel.group == "launch"
    ):
        return cell_text(table, int(groups.first[group]), column)
    if column == "pipe":
        code = int(figures.pipe[group])
        name = table.series.texts("pipe")[1][code] if code >= 0 else ""
        return f"{name}, mixed" if bool(figures.mixed[group]) else name
    if column == "bound" and table.groups_held is not None:
        return _bound_text(table.groups_held, group)
    if column == "pair":
        return _group_pair_text(table, group)
    values = _group_values(figures)
    return _number_text(column, float(values[column][group])) if column in values else ""


def _group_values(figures: GroupFigures) -> dict[str, Any]:
    return {
        "launch": figures.launches, "time": figures.time_s, "share": figures.share, "work": figures.work_flop,
        "traffic": figures.traffic_bytes, "intensity": figures.intensity, "achieved": figures.achieved_flop_per_s,
    }  # fmt: skip


def _number_text(column: str, value: float) -> str:
    if math.isnan(value):
        return _NONE
    if column == "launch":
        return f"{value:,.0f}".replace(",", "\u202f")
    if column == "share":
        return _percent(value)
    if column == "intensity":
        return format_number(value)
    return format_quantity(value, _UNITS[column], digits=_DIGITS.get(column, 3))


def _percent(share: float) -> str:
    percent = 100 * share
    if 0 < percent < 0.01:
        return "<0.01%"
    return f"{percent:.0f}%" if percent >= 9.95 or percent == 0 else f"{format_number(percent, digits=2)}%"


def _bound_text(held: Any, at: int) -> str:
    fraction = float(held.fraction[at])
    return _NONE if math.isnan(fraction) else f"{_percent(fraction)}, {held.words(at)}"


def fraction_of(table: MeasuredTable, line: int) -> float:
    """Return which part of its roof a line reaches, not-a-number where that is not known."""
    held = table.held if line >= 0 else table.groups_held
    return math.nan if held is None else float(held.fraction[line if line >= 0 else -1 - line])


def kind_of(table: MeasuredTable, line: int) -> str:
    """Return the kind of bound of a line: ``compute``, ``memory`` or empty."""
    held = table.held if line >= 0 else table.groups_held
    return "" if held is None else held.kind_word(line if line >= 0 else -1 - line)


def cell_tip(table: MeasuredTable, line: int, column: str) -> str:
    """Return what a cell says in full, with what a sum leaves out; empty where there is no more to say."""
    if column in ("kernel", "file", "device", "note"):
        return cell_text(table, line, column)
    if column == "pipe":
        return "\n".join(filter(None, (cell_text(table, line, column), _beside_tip(table, line))))
    if column == "pair":
        return _pair_tip(table, line)
    if column in _LENT_COLUMNS and is_lent(table, line):
        return table.paired[line].work_from
    if column == "bound":
        fraction = fraction_of(table, line)
        if math.isnan(fraction):
            return "Without work, traffic at device memory and a rate it cannot be held against a roof."
        odd = (
            "\nAbove the roof: look at sparse peak, clock, pipe, cache hits and units."
            if fraction > 1.02
            else ""
        )
        return cell_text(table, line, column) + odd
    if line < 0 and table.figures is not None and column in _COUNTED:
        having = int(getattr(table.figures, _COUNTED[column])[-1 - line])
        kernels = int(table.figures.kernels[-1 - line])
        return (
            "" if having == kernels else f"Of {having} of {kernels} kernels: the others have no such figure."
        )
    if line >= 0 and column in ("launch", "time") and table.series.counts[line] > 1:
        return f"Mean of {_number_text('launch', float(table.series.counts[line]))} launches"
    return ""


# Sums -------------------------------------------------------------------------------------------------------------


def summary(table: MeasuredTable) -> str:
    """Return one line on what is listed: each file with its kernels and sums, and how many are hidden."""
    parts = [_total_words(one, named=len(table.totals) > 1) for one in table.totals]
    hidden = int(table.hidden.sum())
    more = [f"{_number_text('launch', hidden)} hidden"] if hidden else []
    return "   ".join([*parts, *more, *([LENT_NOTE] if table.lends else [])])


def _total_words(total: FileTotal, *, named: bool) -> str:
    return ", ".join(_words_of(total, named=named))


def _words_of(total: FileTotal, *, named: bool) -> Iterator[str]:
    listed, of = (_number_text("launch", float(one)) for one in (total.kernels, total.of_kernels))
    count = of if listed == of else f"{listed} of {of}"
    noun = "kernel" if of == "1" else "kernels"
    yield f"{total.name}: {count} {noun}" if named else f"{count} {noun}"
    for column, value in (
        ("time", total.time_s),
        ("work", total.work_flop),
        ("traffic", total.traffic_bytes),
    ):
        if value > 0:
            yield f"Σ{'t' if column == 'time' else 'W' if column == 'work' else 'Q'} {_number_text(column, value)}"


# Copies -----------------------------------------------------------------------------------------------------------


def as_tsv(table: MeasuredTable, lines: Iterable[int]) -> str:
    """Return lines under their heads as tab-separated text, names in full."""
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in _rows(table, lines))


def as_markdown(table: MeasuredTable, lines: Iterable[int]) -> str:
    """Return lines under their heads as a table in Markdown, numbers to the right."""
    head, *rows = _rows(table, lines)
    numbers = (*NUMBERS, "share")
    rule = ["---:" if column in numbers else "---" for column in COLUMN_IDS]
    cells = [[" ".join(cell.replace("|", "\\|").split()) for cell in row] for row in (head, *rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in (cells[0], rule, *cells[1:]))


def _rows(table: MeasuredTable, lines: Iterable[int]) -> Iterator[list[str]]:
    yield [head_of(column, grouped=table.groups is not None) for column in COLUMN_IDS]
    for line in lines:
        yield [cell_text(table, int(line), column) for column in COLUMN_IDS]

"""The measured kernels of a report that are held against nothing: the most time-consuming by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.measured.panel import MeasuredPanel, hidden_kernels, measured_panel
from rooflinestudio.core.measured.ranges import ranges_text
from rooflinestudio.core.measured.table import TableMaker
from rooflinestudio.core.measured.words import cell_text, head_of
from rooflinestudio.core.pairing.edits import found_pairs
from rooflinestudio.core.report.document import Column, Section, Table
from rooflinestudio.core.report.words import amount, elided, several

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.table import MeasuredTable
    from rooflinestudio.core.placing import PlacedStudy

__all__ = ["MOST_KERNELS", "unpaired_section"]

MOST_KERNELS: Final = 25
_COLUMNS: Final = ("kernel", "launch", "time", "share", "work", "traffic", "intensity", "achieved", "bound")


def unpaired_section(
    placed: PlacedStudy, machine_of: Callable[[PlacedStudy, str | None], HardwareProfile | None]
) -> Section | None:
    """Return the kernels of all files that have no pair, one line per name and file; None where there are none.

    Parameters
    ----------
    machine_of
        Says on which machine a device's kernels are judged.
    """
    study = placed.study
    first = next((one for one in study.overlays if len(one)), None)
    if first is None:
        return None
    devices = [text for text in first.texts("device")[1] if text]
    profile = machine_of(placed, devices[0] if devices else None)
    hidden, by_user = _hidden(placed)
    panel = MeasuredPanel(group="kernel", sort="time", descending=True, hidden=hidden)
    table = TableMaker().table(study, panel, profile)
    lines = [int(line) for line in table.lines]
    if not lines:
        return None
    columns = _COLUMNS if len(study.overlays) == 1 else ("kernel", "file", *_COLUMNS[1:])
    rows = tuple(tuple(_cell(table, line, name) for name in columns) for line in lines[:MOST_KERNELS])
    heads = tuple(
        Column(head_of(name, grouped=True), name not in ("kernel", "file", "bound")) for name in columns
    )
    against = f", held against {profile.short_name}" if profile is not None else ""
    caption = f"Kernels without a pair, by name, the longest first{against}"
    note = " ".join(filter(None, (_left_out(table, lines), _by_user(by_user))))
    return Section("unpaired", "Kernels without a pair", (Table(caption, heads, rows, note),))


def _hidden(placed: PlacedStudy) -> tuple[dict[str, str], int]:
    """Return by digest what is not listed, kernels with a pair and hidden ones, and how many the study hides."""
    own, masks, count = measured_panel(placed.study), {}, 0
    for overlay in placed.study.overlays:
        masks[overlay.digest] = hidden_kernels(own, overlay).copy()
        count += int(masks[overlay.digest].sum())
    for one in found_pairs(placed.study):
        masks[one.overlay.digest][one.index] = True
    return {digest: ranges_text(mask) for digest, mask in masks.items()}, count


def _cell(table: MeasuredTable, line: int, column: str) -> str:
    text = cell_text(table, line, column)
    return elided(text) if column == "kernel" else text


def _left_out(table: MeasuredTable, lines: list[int]) -> str:
    more = lines[MOST_KERNELS:]
    if not more or table.figures is None:
        return ""
    times = [float(table.figures.time_s[-1 - line]) for line in more]
    return f"{several(len(more), 'kernel')} more with {amount(sum(t for t in times if t == t), 's')} in all."


def _by_user(count: int) -> str:
    return f"Left out: {several(count, 'kernel')} that the study hides." if count else ""

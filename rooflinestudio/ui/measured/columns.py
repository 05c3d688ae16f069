"""Which columns of the measured table there is room for: numbers are never shortened, a column goes first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.measured.model import (
    ACHIEVED,
    BLOCK,
    BOUND,
    DEVICE,
    FILE,
    GRID,
    INTENSITY,
    KERNEL,
    LAUNCH,
    NOTE,
    PAIR,
    PIPE,
    SHARE,
    TIME,
    TRAFFIC,
    WORK,
)  # fmt: skip

if TYPE_CHECKING:
    from rooflinestudio.core.measured.table import MeasuredTable

__all__ = ["WIDTHS", "columns_with_room", "growing_columns"]

WIDTHS: Final = (170, 104, 70, 92, 88, 78, 62, 102, 90, 92, 104, 96, 114, 116, 176, 150)
_WIDE_PX: Final = 1200
_KERNELS: Final = (
    KERNEL, TIME, SHARE, ACHIEVED, BOUND, NOTE, PAIR, FILE, INTENSITY, PIPE, TRAFFIC, LAUNCH, WORK, GRID, DEVICE, BLOCK,
)  # fmt: skip
_BY_NAME: Final = (
    KERNEL, TIME, SHARE, LAUNCH, BOUND, PAIR, FILE, WORK, TRAFFIC, INTENSITY, ACHIEVED, PIPE, DEVICE,
)  # fmt: skip
_BY_LAUNCH: Final = (
    KERNEL, TIME, SHARE, LAUNCH, GRID, BLOCK, PAIR, FILE, BOUND, WORK, TRAFFIC, INTENSITY, ACHIEVED, PIPE, DEVICE,
)  # fmt: skip


def columns_with_room(table: MeasuredTable, width_px: int) -> frozenset[int]:
    """Return the columns that fit, the most telling ones first; what says nothing in any row stands back."""
    order = {"": _KERNELS, "kernel": _BY_NAME, "launch": _BY_LAUNCH}[table.panel.group]
    wanted = [column for column in order if column != FILE or len(table.series.overlays) > 1]
    if not table.pairs_matter:
        wanted = [column for column in wanted if column != PAIR]
    if bool(table.series.is_drawn.all()):
        wanted = [column for column in wanted if column != NOTE]
    found, used = [KERNEL], WIDTHS[KERNEL]
    for column in wanted[1:]:
        used += WIDTHS[column]
        if used > width_px:
            break
        found.append(column)
    return frozenset(found)


def growing_columns(width_px: int) -> tuple[int, ...]:
    """Return the columns that take the room left over: names, and where there is much, reasons too."""
    return (KERNEL, NOTE) if width_px >= _WIDE_PX else (KERNEL,)

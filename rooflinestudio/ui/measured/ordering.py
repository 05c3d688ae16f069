"""Clicks on the heads of the measured tables: one way, the other way, then as the kernels came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.ui.widgets.row_table import RowTable

__all__ = ["next_order", "show_order"]


def next_order(now: tuple[str, bool], column: str, *, down_first: bool) -> tuple[str | None, bool | None]:
    """Return what is sorted by after a click, and whether downwards; None is the default.

    Parameters
    ----------
    now
        What is sorted by, and whether downwards.
    down_first
        Numbers come from the largest first, texts from A.
    """
    sort, descending = now
    if sort != column:
        return column, down_first or None
    if descending == down_first:
        return column, (not down_first) or None
    return None, None


def show_order(table: RowTable, columns: Sequence[str], sort: str, *, descending: bool) -> None:
    """Show in the head of a table what it is sorted by."""
    head = table.horizontalHeader()
    head.setSortIndicatorShown(bool(sort))
    if sort:
        down = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        head.setSortIndicator(columns.index(sort), down)

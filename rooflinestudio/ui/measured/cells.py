"""The cell of a kernel's name: its mark, whether it is hidden, and whether it opens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPointF, QRectF

from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.cells import CellDelegate, MarkerCell
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import paint_marker, paint_name

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

__all__ = ["CHEVRON_PX", "KernelCell", "KernelDelegate"]

CHEVRON_PX: Final = 18
"""Room for the sign that a group opens."""


@dataclass(frozen=True, slots=True)
class KernelCell(MarkerCell):
    """A kernel, or a group that is ``open`` or ``closed``.

    Attributes
    ----------
    chevron
        ``open``, ``closed``, or empty where there is nothing to open.
    indented
        Whether it stands below its group.
    hidden
        Whether the canvas does not show it.
    """

    chevron: str = ""
    indented: bool = False
    hidden: bool = False


class KernelDelegate(CellDelegate):
    """Paints the cells of the measured table."""

    def __init__(self, *, row_px: int, padding_px: int, edge_px: int, parent: Any = None) -> None:
        super().__init__(row_px=row_px, padding_px=padding_px, edge_px=edge_px, parent=parent)
        self._painters[KernelCell] = _paint_kernel_cell


def _paint_kernel_cell(painter: QPainter, rect: QRectF, cell: KernelCell) -> None:
    middle = rect.center().y()
    if cell.chevron:
        name = "chevron-down" if cell.chevron == "open" else "chevron-right"
        paint_icon(painter, QRectF(rect.left(), middle - 6, 12, 12), name, "muted")
    rect = rect.adjusted(CHEVRON_PX if cell.chevron or cell.indented else 0, 0, 0, 0)
    if cell.hidden:
        paint_icon(painter, QRectF(rect.left() - 1, middle - 7, 14, 14), "eye-off", "muted")
    else:
        paint_marker(painter, QPointF(rect.left() + 5, middle), cell.shape, slot_ink(cell.slot))
    role = "name" if cell.strong else "table"
    paint_name(painter, rect.adjusted(18, 0, 0, 0), cell.text, role, ink(cell.token))

"""How rows of a tree look: a rounded ground, and headings that open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QStyle

from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

__all__ = ["INSET_PX", "ROW_PX", "TEXT_X", "paint_head", "paint_row_ground"]

ROW_PX: Final = 26
INSET_PX: Final = 6.0
TEXT_X: Final = 26.0
_CHEVRON_X: Final = 10.0


def paint_row_ground(painter: QPainter, rect: QRectF, state: QStyle.StateFlag) -> None:
    """Draw the rounded ground of a selected or hovered row, and the focus."""
    inner = rect.adjusted(INSET_PX, 0.5, -INSET_PX, -0.5)
    selected = bool(state & QStyle.StateFlag.State_Selected)
    if selected or state & QStyle.StateFlag.State_MouseOver:
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink("accent_soft" if selected else "raised"))
        painter.drawRoundedRect(inner, 5.0, 5.0)
    if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
        paint_focus_ring(painter, inner)


def paint_head(
    painter: QPainter, rect: QRectF, text: str, count: int, *, is_open: bool, token: str = "text2"
) -> None:
    """Draw a heading that opens and closes, with the number of what stands under it."""
    chevron = "chevron-down" if is_open else "chevron-right"
    paint_icon(painter, QRectF(rect.left() + _CHEVRON_X, rect.center().y() - 6, 12, 12), chevron, "muted")
    number = str(count)
    width = metrics("label").horizontalAdvance(number)
    right = rect.right() - INSET_PX - 8
    paint_text(
        painter,
        QRectF(right - width - 2, rect.top(), width + 2, rect.height()),
        number,
        "label",
        ink("muted"),
        Qt.AlignmentFlag.AlignRight,
    )
    left = rect.left() + TEXT_X
    paint_text(
        painter,
        QRectF(left, rect.top(), right - width - 8 - left, rect.height()),
        text,
        "section",
        ink(token),
    )

"""How the palette's rows look: headings with a count, operators with a badge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QTreeView

from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.palette.model import ITEM, CategoryItem, OperatorItem
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import chip_width, metrics, paint_chip, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

__all__ = ["ROW_PX", "PaletteDelegate", "paint_row_ground"]

ROW_PX: Final = 26
_INSET, _CHEVRON_X, _TEXT_X = 6.0, 10.0, 26.0


class PaletteDelegate(QStyledItemDelegate):
    """Paints rows 26 px high; the tree has no indentation of its own."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        return QSize(120, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        item = index.data(ITEM)
        rect = QRectF(option.rect)
        painter.save()
        paint_row_ground(painter, rect, option.state)
        if isinstance(item, CategoryItem):
            tree = option.widget
            paint_head(
                painter,
                rect,
                item.name,
                len(item.operators),
                is_open=isinstance(tree, QTreeView) and tree.isExpanded(index),
            )
        elif isinstance(item, OperatorItem):
            _paint_operator(painter, rect, item)
        painter.restore()


def paint_row_ground(painter: QPainter, rect: QRectF, state: QStyle.StateFlag) -> None:
    """Draw the rounded ground of a selected or hovered row, and the focus."""
    inner = rect.adjusted(_INSET, 0.5, -_INSET, -0.5)
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
    right = rect.right() - _INSET - 8
    paint_text(
        painter,
        QRectF(right - width - 2, rect.top(), width + 2, rect.height()),
        number,
        "label",
        ink("muted"),
        Qt.AlignmentFlag.AlignRight,
    )
    left = rect.left() + _TEXT_X
    paint_text(
        painter,
        QRectF(left, rect.top(), right - width - 8 - left, rect.height()),
        text,
        "section",
        ink(token),
    )


def _paint_operator(painter: QPainter, rect: QRectF, item: OperatorItem) -> None:
    right = rect.right() - _INSET - 8
    if item.plugin:
        width = min(chip_width(item.plugin, glyph=True), rect.width() / 2.5)
        badge = QRectF(right - width + 2, rect.center().y() - 8, width, 16)
        paint_chip(
            painter,
            badge,
            item.plugin,
            (ink("accent_text"), ink("accent_soft")),
            glyph=("plug", "accent_text"),
        )
        right = badge.left() - 6
    elif item.no_work:
        width = metrics("caption").horizontalAdvance("I = 0") + 2
        sign = QRectF(right - width, rect.top(), width, rect.height())
        paint_text(painter, sign, "I = 0", "caption", ink("muted"), Qt.AlignmentFlag.AlignRight)
        right = sign.left() - 6
    left = rect.left() + _TEXT_X
    paint_text(
        painter, QRectF(left, rect.top(), right - left, rect.height()), item.label, "tree", ink("text")
    )

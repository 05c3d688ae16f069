"""How the palette's rows look: headings with a count, operators with a badge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QTreeView

from rooflinestudio.ui.palette.model import ITEM, CategoryItem, OperatorItem
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import chip_width, metrics, paint_chip, paint_text
from rooflinestudio.ui.widgets.tree_rows import INSET_PX, ROW_PX, TEXT_X, paint_head, paint_row_ground

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

__all__ = ["PaletteDelegate"]


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


def _paint_operator(painter: QPainter, rect: QRectF, item: OperatorItem) -> None:
    right = rect.right() - INSET_PX - 8
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
    left = rect.left() + TEXT_X
    paint_text(
        painter, QRectF(left, rect.top(), right - left, rect.height()), item.label, "tree", ink("text")
    )

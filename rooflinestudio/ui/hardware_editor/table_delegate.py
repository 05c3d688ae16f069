"""How cells of figures look, and the entry that opens in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.hardware_editor.table_model import BadgeCell, FiguresModel, RefusedCell
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.theme import set_state
from rooflinestudio.ui.widgets.cells import CELL, CellDelegate
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import CHIP_PX, chip_width, paint_chip, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex
    from PySide6.QtWidgets import QStyleOptionViewItem

__all__ = ["FigureDelegate", "paint_badge"]

_TONES: Final = {
    "published": ("text2", "sunken"),
    "measured": ("ok", "ok_soft"),
    "assumed": ("warn", "warn_soft"),
}
_ENTRY_PX: Final = 26


def paint_badge(painter: QPainter, rect: QRectF, provenance: str) -> None:
    """Draw where a figure comes from: filled neutral, outlined, green, or amber with a sign."""
    is_assumed = provenance == "assumed"
    width = min(rect.width(), chip_width(provenance, glyph=is_assumed))
    chip = QRectF(rect.left(), rect.center().y() - CHIP_PX / 2, width, CHIP_PX)
    if provenance in _TONES:
        text, soft = _TONES[provenance]
        paint_chip(
            painter, chip, provenance, (ink(text), ink(soft)), glyph=("warn", "warn") if is_assumed else None
        )
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink("border_strong"), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0)
    paint_text(painter, chip.adjusted(6, 0, -6, 0), provenance, "chip", ink("text2"))
    painter.restore()


class FigureDelegate(CellDelegate):
    """Badges and refused texts besides plain cells; the cell with the keyboard has a ring."""

    def __init__(self, *, row_px: int, padding_px: int, edge_px: int, parent: QWidget | None = None) -> None:
        super().__init__(row_px=row_px, padding_px=padding_px, edge_px=edge_px, parent=parent)
        self._painters[BadgeCell] = _paint_badge_cell
        self._painters[RefusedCell] = _paint_refused_cell

    def content_width(self, cell: Any) -> int:
        if isinstance(cell, BadgeCell):
            return round(chip_width(cell.text, glyph=cell.text == "assumed")) + 1
        if isinstance(cell, RefusedCell):
            return 90
        return super().content_width(cell)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus_ring(painter, QRectF(option.rect).adjusted(1, 2, -1, -3), 4.0)

    # The entry ----------------------------------------------------------------------------------------------------

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        entry = QLineEdit(parent)
        entry.setFont(font("table"))
        model = index.model()
        if isinstance(model, FiguresModel):
            row = model.rows[index.row()]
            entry.setObjectName(f"figure.{row.place.group}.{row.place.id}.{index.column()}")
            entry.setAccessibleName(f"{row.name}, {model.heads[index.column()].lower()}")
            if index.column() in model.numbers:
                entry.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if isinstance(index.data(CELL), RefusedCell):
            set_state(entry, "error")
        return entry

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        if isinstance(editor, QLineEdit):
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = option.rect
        editor.setGeometry(rect.adjusted(2, (rect.height() - _ENTRY_PX) // 2 - 1, -1, 0))
        editor.setFixedHeight(_ENTRY_PX)


def _paint_badge_cell(painter: QPainter, rect: QRectF, cell: BadgeCell) -> None:
    paint_badge(painter, rect, cell.text)


def _paint_refused_cell(painter: QPainter, rect: QRectF, cell: RefusedCell) -> None:
    box = QRectF(rect.left() - 5.5, rect.center().y() - 12.5, rect.width() + 11, 25)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink("error"), 1.0))
    painter.setBrush(ink("surface"))
    painter.drawRoundedRect(box, 5.0, 5.0)
    if cell.text:
        paint_text(painter, rect, cell.text, "table", ink("text"), Qt.AlignmentFlag.AlignRight)
    else:
        paint_icon(painter, QRectF(rect.right() - 14, rect.center().y() - 7, 14, 14), "error", "error")

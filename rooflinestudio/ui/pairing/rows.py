"""The lines of the pair dialog: headings, and what can be chosen with its reasons below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from rooflinestudio.core.pairing.choice import HEADINGS, PairChoice
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import paint_marker, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

__all__ = ["ChoiceDelegate", "ChoiceModel"]

ROW_PX, HEADING_PX = 44, 28
_ROW: Final = Qt.ItemDataRole.UserRole
_BAR_PX: Final = 44
_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()


class ChoiceModel(QAbstractListModel):
    """Headings (texts) and choices, in the order of the core."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.rows: list[str | PairChoice] = []

    def show_choices(self, choices: tuple[PairChoice, ...]) -> None:
        """Show lines under their headings."""
        self.beginResetModel()
        self.rows = []
        for one in choices:
            if HEADINGS[one.kind] not in self.rows:
                self.rows.append(HEADINGS[one.kind])
            self.rows.append(one)
        self.endResetModel()

    def choice(self, row: int) -> PairChoice | None:
        """Return what stands in a row, None for a heading."""
        found = self.rows[row] if 0 <= row < len(self.rows) else None
        return found if isinstance(found, PairChoice) else None

    def step(self, row: int, by: int) -> int:
        """Return the row that lies so many choices further down or up, as far as there are any."""
        found = [at for at, one in enumerate(self.rows) if isinstance(one, PairChoice)]
        if not found:
            return -1
        at = found.index(row) + by if row in found else 0
        return found[max(0, min(at, len(found) - 1))]

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        one = self.rows[index.row()]
        if role == _ROW:
            return one
        if isinstance(one, str):
            return one if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return one.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{one.name}: {one.reason}" if one.reason else one.name
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if self.choice(index.row()) is None:
            return flags & ~(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
        return flags


class ChoiceDelegate(QStyledItemDelegate):
    """Paints a heading, or marker, name, how well it fits, and the reasons."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(200, HEADING_PX if isinstance(index.data(_ROW), str) else ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        one, rect = index.data(_ROW), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        if isinstance(one, str):
            paint_text(painter, rect.adjusted(12, 4, -12, 0), one, "caption", ink("muted"))
        else:
            if option.state & QStyle.StateFlag.State_Selected:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(ink("accent_soft"))
                painter.drawRoundedRect(rect.adjusted(4, 1, -4, -1), 5, 5)
            _paint_choice(painter, rect.adjusted(12, 4, -12, -4), one)
        painter.restore()


def _paint_choice(painter: QPainter, rect: QRectF, one: PairChoice) -> None:
    upper, lower = QRectF(rect), QRectF(rect)
    upper.setHeight(rect.height() / 2)
    lower.setTop(upper.bottom())
    sign = QPointF(rect.left() + 7, upper.center().y())
    if one.new is not None:
        paint_icon(painter, QRectF(sign.x() - 7, sign.y() - 7, 14, 14), "new", "text2")
    else:
        paint_marker(painter, sign, "circle", slot_ink(one.slot))
    right = 0.0
    if one.score:
        right = _BAR_PX + 10
        _paint_score(painter, QRectF(rect.right() - _BAR_PX, upper.center().y() - 3, _BAR_PX, 6), one.score)
    elif one.is_pair:
        right = 60
    if one.is_pair:
        words = upper.adjusted(0, 0, -right if one.score else 0, 0)
        paint_text(painter, words, "paired now", "caption", ink("ok"), Qt.AlignmentFlag.AlignRight)
        right += 74 if one.score else 10
    paint_text(painter, upper.adjusted(22, 0, -right, 0), one.name, "name", ink("text"))
    paint_text(painter, lower.adjusted(22, 0, 0, 0), one.reason, "caption", ink("text2"))


def _paint_score(painter: QPainter, rect: QRectF, score: float) -> None:
    """Draw how well it fits as a bar; the words say why."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink("sunken"))
    painter.drawRoundedRect(rect, 3, 3)
    painter.setBrush(ink("accent"))
    painter.drawRoundedRect(
        QRectF(rect.left(), rect.top(), rect.width() * min(score, 1.0), rect.height()), 3, 3
    )

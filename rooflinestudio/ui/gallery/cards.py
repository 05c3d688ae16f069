"""How a heading and an example of the gallery are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from rooflinestudio.core.examples import Example, ExampleGroup
from rooflinestudio.ui.gallery.model import ITEM
from rooflinestudio.ui.gallery.thumbnails import THUMBNAIL
from rooflinestudio.ui.theme import LIGHT, font

if TYPE_CHECKING:
    from rooflinestudio.ui.gallery.thumbnails import Thumbnails
    from rooflinestudio.ui.theme import Theme

__all__ = ["CardDelegate"]

_PAD: Final = 8
_CARD: Final = QSize(THUMBNAIL.width() + 4 * _PAD, 226)
_HEADING_HEIGHT: Final = 40
_LINES: Final = 3

_Index = QModelIndex | QPersistentModelIndex


class CardDelegate(QStyledItemDelegate):
    """Headings as wide as the list, examples as cards: picture, title, where it comes from, one line."""

    def __init__(self, thumbnails: Thumbnails, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self.theme: Theme = LIGHT
        self.width = 4 * _CARD.width()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        if isinstance(index.data(ITEM), ExampleGroup):
            return QSize(self.width, _HEADING_HEIGHT)
        return _CARD

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        one, rect = index.data(ITEM), QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(one, Example):
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_card(painter, rect.adjusted(4, 4, -4, -4), one, selected=selected)
        else:
            self._paint_heading(painter, rect, one)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, group: ExampleGroup) -> None:
        left = rect.adjusted(_PAD, 0, -_PAD, -_PAD)
        strong, small = font("body_strong"), font("caption")
        painter.setFont(strong)
        painter.setPen(self.theme.qcolor("text"))
        at = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        painter.drawText(left, at, group.title)
        offset = QFontMetrics(strong).horizontalAdvance(group.title) + 12
        painter.setFont(small)
        painter.setPen(self.theme.qcolor("muted"))
        room = left.adjusted(offset, 0, 0, 0)
        words = QFontMetrics(small).elidedText(group.article, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, at, words)

    def _paint_card(self, painter: QPainter, rect: QRect, example: Example, *, selected: bool) -> None:
        edge = "accent" if selected else "border"
        painter.setPen(QPen(self.theme.qcolor(edge), 2 if selected else 1))
        painter.setBrush(self.theme.qcolor("accent_soft" if selected else "surface"))
        painter.drawRoundedRect(rect, 6, 6)
        picture = QRect(rect.left() + _PAD + 4, rect.top() + _PAD, THUMBNAIL.width(), THUMBNAIL.height())
        painter.fillRect(picture, self.theme.qcolor("canvas"))
        device = painter.device()
        ratio = device.devicePixelRatioF()
        pixmap = self._thumbnails.pixmap(example.id, self.theme, ratio)
        if pixmap is not None:
            painter.drawPixmap(picture.topLeft(), pixmap)
        below = QRect(
            picture.left(), picture.bottom() + 6, picture.width(), rect.bottom() - picture.bottom() - 10
        )
        self._paint_words(painter, below, example)

    def _paint_words(self, painter: QPainter, rect: QRect, example: Example) -> None:
        strong, small = font("body_strong"), font("caption")
        metrics, small_metrics = QFontMetrics(strong), QFontMetrics(small)
        painter.setFont(strong)
        painter.setPen(self.theme.qcolor("text"))
        title = metrics.elidedText(example.title, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, title)
        y = rect.top() + metrics.height() + 1
        painter.setFont(small)
        painter.setPen(self.theme.qcolor("muted"))
        painter.drawText(rect.left(), y + small_metrics.ascent(), example.refers)
        y += small_metrics.height() + 1
        painter.setPen(self.theme.qcolor("text2"))
        for line in _wrapped(example.line, small_metrics, rect.width()):
            if y + small_metrics.height() > rect.bottom() + 4:
                break
            painter.drawText(rect.left(), y + small_metrics.ascent(), line)
            y += small_metrics.height()


def _wrapped(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """Break a text into at most three lines; the last one is elided."""
    layout = QTextLayout(text, font("caption"))
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    layout.beginLayout()
    starts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    ends = [*starts[1:], len(text)]
    lines = [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    if len(lines) <= _LINES:
        return lines
    last = metrics.elidedText(text[starts[_LINES - 1] :], Qt.TextElideMode.ElideRight, width)
    return [*lines[: _LINES - 1], last]

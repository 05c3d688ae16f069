"""Text that wraps, painted: a new text of as many lines as before costs no layout."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QGuiApplication, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import worn_theme

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QPaintEvent

    from rooflinestudio.ui.theme import Theme

__all__ = ["Paragraph", "Span", "TextBlock"]

_LEADING_PX = 1.0


@dataclass(frozen=True, slots=True)
class Span:
    """Some text in the colour of a token."""

    text: str
    token: str = "text"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Spans that flow into each other, from a left edge in pixels."""

    spans: tuple[Span, ...]
    indent_px: int = 0

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(span.text for span in self.spans)


class TextBlock(QWidget):
    """Paragraphs below each other in the font of one role; its height follows its width.

    The context menu copies the text.
    """

    def __init__(self, role: str = "label", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self._paragraphs: tuple[Paragraph, ...] = ()
        self._laid_out: list[tuple[QPointF, QTextLayout]] = []
        self._for: tuple[int, Theme | None] = (-1, None)
        self._height = 0
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def text(self) -> str:
        """Return the text, a line for each paragraph."""
        return "\n".join(one.text for one in self._paragraphs)

    def set_paragraphs(self, *paragraphs: Paragraph) -> None:
        """Show other paragraphs."""
        if paragraphs == self._paragraphs:
            return
        self._paragraphs = paragraphs
        self.setAccessibleName(self.text())
        before = self._height if self._for[0] == self.width() else -1  # it was laid out for another width
        self._for = (-1, None)
        self._lay_out(self.width())
        if self._height != before:
            self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        if width == self._for[0]:
            return self._height
        return self._arranged(width)[1]

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._lay_out(self.width())
        painter = QPainter(self)
        for corner, layout in self._laid_out:
            layout.draw(painter, corner)
        painter.end()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy", self._copy)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())

    def _lay_out(self, width: int) -> None:
        wanted = (width, worn_theme())
        if wanted != self._for:
            self._laid_out, self._height = self._arranged(width)
            self._for = wanted

    def _arranged(self, width: int) -> tuple[list[tuple[QPointF, QTextLayout]], int]:
        laid_out = []
        top = 0.0
        for paragraph in self._paragraphs:
            layout = self._layout_of(paragraph)
            layout.beginLayout()
            height = 0.0
            while (line := layout.createLine()).isValid():
                line.setLineWidth(max(width - paragraph.indent_px, 20))
                line.setPosition(QPointF(0, height))
                height += line.height() + _LEADING_PX
            layout.endLayout()
            laid_out.append((QPointF(paragraph.indent_px, top), layout))
            top += height
        return laid_out, math.ceil(top)

    def _layout_of(self, paragraph: Paragraph) -> QTextLayout:
        layout = QTextLayout(paragraph.text, font(self._role))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        theme = worn_theme()
        formats = []
        start = 0
        for span in paragraph.spans:
            part = QTextLayout.FormatRange()
            part.start, part.length = start, _utf16_length(span.text)
            look = QTextCharFormat()
            look.setForeground(theme.qcolor(span.token))
            if span.bold:
                look.setFontWeight(QFont.Weight.DemiBold)
            part.format = look
            formats.append(part)
            start += part.length
        layout.setFormats(formats)
        return layout


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2

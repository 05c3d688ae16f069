"""One line of text that gives way: shortened to its width, complete in the tool tip and on the clipboard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeySequence, QPainter
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.widgets.ink import ink

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPaintEvent

__all__ = ["ElidingLabel"]

_LEAST_PX = 24


class ElidingLabel(QLabel):
    """A label that may be narrower than its text.

    ``whole`` labels are shown in full or not at all: numbers are never shortened. ``steady`` ones have a place whose
    width does not come from their text, so that a new text costs no layout.
    """

    def __init__(  # noqa: PLR0913 - all but the text by keyword
        self,
        text: str = "",
        *,
        role: str = "label",
        token: str = "text2",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        whole: bool = False,
        steady: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._token, self._mode, self._align = token, mode, align
        self._hint: str | None = None
        self._copyable = False
        self._whole, self._steady = whole, steady
        self._text = ""
        self.setFont(font(role))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show a text; nothing happens if it is shown already."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self._renew_tool_tip()
            if not self._steady:
                self.updateGeometry()
            self.update()

    def setText(self, text: str) -> None:
        self.set_text(text)

    def text(self) -> str:
        """Return the full text."""
        return self._text

    def set_token(self, token: str) -> None:
        """Change the colour."""
        if token != self._token:
            self._token = token
            self.update()

    def set_hint(self, hint: str | None) -> None:
        """Give a tool tip of its own; without one it is the full text where that does not fit."""
        if hint != self._hint:
            self._hint = hint
            self._renew_tool_tip()

    def set_copyable(self) -> None:
        """Let the full text be copied: by the context menu, or by the copy key once it has the focus."""
        self._copyable = True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def is_elided(self) -> bool:
        """Whether the text does not fit."""
        return QFontMetricsF(self.font()).horizontalAdvance(self._text) > self.width() + 0.5

    def shown_text(self) -> str:
        """Return what is painted."""
        if self._whole:
            return "" if self.is_elided() else self._text
        return QFontMetricsF(self.font()).elidedText(self._text, self._mode, self.width() + 0.5)

    def _renew_tool_tip(self) -> None:
        self.setToolTip(self._hint if self._hint is not None else (self._text if self.is_elided() else ""))

    def sizeHint(self) -> QSize:
        size = QFontMetricsF(self.font())
        width = _LEAST_PX if self._steady else math.ceil(size.horizontalAdvance(self._text)) + 1
        return QSize(width, math.ceil(size.height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0 if self._whole else min(_LEAST_PX, self.sizeHint().width()), self.sizeHint().height())

    def resizeEvent(self, event: object) -> None:
        self._renew_tool_tip()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(ink(self._token if self.isEnabled() else "disabled"))
        rect = QRectF(self.rect())
        painter.drawText(rect, self._align | Qt.AlignmentFlag.AlignVCenter, self.shown_text())
        if self.hasFocus():
            painter.setPen(ink("accent"))
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._copyable and event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self._copyable:
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.addAction("Copy", self._copy)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)

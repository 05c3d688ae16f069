"""The heading of a section that folds: an arrow and its words; click, Space or Enter opens and closes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent

__all__ = ["Disclosure"]

_HEIGHT_PX: Final = 22
_ICON_PX: Final = 10
_GAP_PX: Final = 5


class Disclosure(QAbstractButton):
    """A heading in two states; ``toggled`` says that the user changed it, or the program did."""

    def __init__(self, text: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = metrics("section").horizontalAdvance(self.text())
        return QSize(round(width) + _ICON_PX + _GAP_PX + 2, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, _HEIGHT_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect())
        arrow = QRectF(0, (rect.height() - _ICON_PX) / 2, _ICON_PX, _ICON_PX)
        token = "text2" if self.underMouse() else "muted"
        paint_icon(painter, arrow, "chevron-down" if self.isChecked() else "chevron-right", token)
        words = rect.adjusted(_ICON_PX + _GAP_PX, 0, 0, 0)
        paint_text(painter, words, self.text(), "section", ink("text" if self.underMouse() else "text2"))
        if self.hasFocus():
            paint_focus_ring(painter, rect, 3.0)
        painter.end()

"""A button that looks like a link and stands flush with the text around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

__all__ = ["LinkButton"]

_HEIGHT_PX, _ICON_PX, _GAP_PX = 20, 14, 5


class LinkButton(QPushButton):
    """Words in the colour of links, with a drawing before them where there is one."""

    def __init__(self, text: str = "", icon_name: str = "", *, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._icon_name = icon_name
        self.setFont(font("label"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(metrics("label").horizontalAdvance(self.text())) + 3 + self._lead_px(), _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(40, self.sizeHint().width()), _HEIGHT_PX)

    def _lead_px(self) -> int:
        return _ICON_PX + _GAP_PX if self._icon_name else 0

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect())
        token = "accent_text" if self.isEnabled() else "disabled"
        if self._icon_name:
            paint_icon(
                painter, QRectF(0, (rect.height() - _ICON_PX) / 2, _ICON_PX, _ICON_PX), self._icon_name, token
            )
        text = rect.adjusted(self._lead_px(), 0, 0, 0)
        paint_text(painter, text, self.text(), "label", ink(token))
        if self.underMouse() and self.isEnabled():
            width = metrics("label").horizontalAdvance(self.text())
            painter.fillRect(QRectF(text.left(), rect.center().y() + 7, width, 1), ink(token))
        if self.hasFocus():
            paint_focus_ring(painter, rect, 3.0)
        painter.end()

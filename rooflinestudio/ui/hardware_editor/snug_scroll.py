"""A part that scrolls, and is never higher than what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QResizeEvent

__all__ = ["SnugScroll"]


class SnugScroll(QScrollArea):
    """Gives the height that it does not need to what follows.

    Parameters
    ----------
    share
        The largest part of its parent's height that it takes.

    Attributes
    ----------
    body
        What is in it.
    """

    def __init__(self, body: QWidget, *, share: float = 1.0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share, self.body = share, body
        self._revealed: QWidget | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it has the keyboard, and is scrolled to
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setWidget(body)

    def _content_px(self) -> int:
        layout = self.body.layout()
        if layout is not None and layout.hasHeightForWidth():
            return layout.totalHeightForWidth(max(1, self.viewport().width()))
        return self.body.sizeHint().height()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._content_px())

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), min(40, self._content_px()))

    def fit(self) -> None:
        """Take the height of what is in it, as far as there is room."""
        parent = self.parentWidget()
        most = round(self._share * parent.height()) if parent is not None and self._share < 1 else 1 << 20
        height = min(self._content_px(), max(most, 60))
        if height != self.maximumHeight():
            self.setMaximumHeight(height)
            self.updateGeometry()

    def reveal(self, part: QWidget) -> None:
        """Scroll to a part that has just come: now, and again when what is in here has been laid out with it."""
        self._revealed = part
        self._scroll_there()

    def _scroll_there(self) -> None:
        if self._revealed is not None:
            self.ensureWidgetVisible(self._revealed, 20, 20)

    def _scroll_once_more(self) -> None:
        self._scroll_there()
        self._revealed = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        answer: bool = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.Resize and self._revealed is not None:
            QTimer.singleShot(0, self, self._scroll_once_more)  # when what is in here has its places
        elif event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self.fit()
        return answer

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

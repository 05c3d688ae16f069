"""What letting go will do, beside the pointer while something is dragged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel

from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

__all__ = ["DropNote"]

_ASIDE: Final = QPoint(18, 18)
_LARGEST_PX: Final = 420


class DropNote(QLabel):
    """A small card inside a widget; it takes no events, and keeps within the widget."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(inside)
        self.setObjectName("pairing.note")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        set_role(self, "card", font_role="label")
        self.setContentsMargins(8, 5, 8, 5)
        self.hide()

    def say(self, words: str, at: QPoint) -> None:
        """Show words beside a point of the widget; hide where there are none."""
        inside = self.parentWidget()
        if not words or inside is None:
            self.hide()
            return
        self.setText(words)
        room = max(80, min(_LARGEST_PX, inside.width() - 16))
        self.setWordWrap(False)
        wanted = self.sizeHint().width()
        self.setWordWrap(True)
        self.setFixedWidth(min(room, wanted))
        self.resize(self.width(), self.heightForWidth(self.width()))
        place = at + _ASIDE
        if place.y() + self.height() > inside.height():
            place.setY(at.y() - _ASIDE.y() - self.height())
        left = max(4, min(place.x(), inside.width() - self.width() - 4))
        self.move(left, max(4, place.y()))
        self.show()
        self.raise_()

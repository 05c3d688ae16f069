"""A page of the tabs that is made when it is first looked at: its imports must not slow the start down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

__all__ = ["LaterPage"]


class LaterPage(QWidget):
    """Holds the place of a view until somebody looks.

    Signals
    -------
    made
        The view, once, before it is shown for the first time.
    """

    made = Signal(object)

    def __init__(self, make: Callable[[], QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._make = make
        self._view: Any = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def view(self) -> Any:
        """The view, made now if it was not yet."""
        if self._view is None:
            self._view = self._make()
            self._column.addWidget(self._view)
            self.made.emit(self._view)
        return self._view

    def showEvent(self, event: QShowEvent) -> None:
        assert self.view is not None
        super().showEvent(event)

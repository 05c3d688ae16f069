"""What the user is asked in a window of its own, behind one interface, so that tests answer instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

__all__ = ["Answer", "Asker", "LaterAsker"]

Answer = Literal["save", "discard", "cancel"]


class Asker(Protocol):
    """What the user is asked; an empty answer means that they thought better of it."""

    def study_to_open(self, folder: str) -> str:
        """Return which study to open."""
        ...

    def place_to_save(self, suggestion: str) -> str:
        """Return where to save the study."""
        ...

    def files_to_import(self, folder: str) -> list[str]:
        """Return which measured files to lay over the study."""
        ...

    def place_to_export(self, suggestion: str, kinds: tuple[str, ...]) -> str:
        """Return where to write a picture or table; ``kinds`` are endings with their dot."""
        ...

    def profile_to_import(self, folder: str) -> str:
        """Return which hardware profile to import."""
        ...

    def table_to_place(self, folder: str) -> str:
        """Return which table of shapes to place."""
        ...

    def about_unsaved(self, name: str) -> Answer:
        """Return what to do with unsaved edits."""
        ...


class LaterAsker:
    """Asks with Qt's dialogs, which are imported when the first question comes."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._asker: Asker | None = None

    def __getattr__(self, question: str) -> Any:
        if self._asker is None:
            from rooflinestudio.ui.dialogs import QtAsker

            self._asker = QtAsker(self._window)
        return getattr(self._asker, question)

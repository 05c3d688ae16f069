"""Places labels a moment after the last change, a few at a time, so that the event loop never waits for them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from rooflinestudio.ui.canvas.labels import placing
from rooflinestudio.ui.canvas.painter import label_task, laid_out

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from rooflinestudio.ui.canvas.labels import PlacedLabel
    from rooflinestudio.ui.canvas.painter import Picture
    from rooflinestudio.ui.canvas.text import Text

__all__ = ["Settling"]

PAUSE_MS: Final = 80
SLICE_S: Final = 0.008


class Settling(QObject):
    """Waits until nothing has changed for a while, then finds the places of all labels.

    Signals
    -------
    settled
        The picture with its words and labels placed.
    """

    settled = Signal(object)

    def __init__(self, text: Text, parent: QObject) -> None:
        super().__init__(parent)
        self._text = text
        self._picture: Picture | None = None
        self._places: Iterator[Mapping[Hashable, PlacedLabel]] | None = None
        self._found: Mapping[Hashable, PlacedLabel] = {}
        self._was_placed = False
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._on_pause_timeout)
        self._slice = QTimer(self, singleShot=True, interval=0)
        self._slice.timeout.connect(self._on_slice_timeout)

    @property
    def is_busy(self) -> bool:
        """Whether labels are still to be placed."""
        return self._picture is not None

    def start(self, picture: Picture) -> None:
        """Begin anew with another picture; the first one is not waited for."""
        self._picture, self._places, self._found = picture, None, {}
        self._slice.stop()
        self._pause.start(PAUSE_MS if self._was_placed else 0)

    def finish_now(self) -> None:
        """Place everything at once."""
        self._pause.stop()
        self._slice.stop()
        if self._picture is not None:
            self._run(None)

    def _on_pause_timeout(self) -> None:
        self._run(SLICE_S)

    def _on_slice_timeout(self) -> None:
        self._run(SLICE_S)

    def _run(self, seconds: float | None) -> None:
        picture = self._picture
        if picture is None:
            return
        if self._places is None:
            picture = laid_out(picture.scene, picture.layout, picture.range, self._text, avoid_markers=True)
            self._picture = picture
            self._places = placing(*label_task(picture, self._text))
        until = None if seconds is None else time.perf_counter() + seconds
        for found in self._places:
            self._found = found  # the last one counts, and a turn may end with it
            if until is not None and time.perf_counter() > until:
                self._go_on_later()
                return
        self._tell(replace(picture, labels=self._found))

    def _go_on_later(self) -> None:
        if isValid(self):  # a view that nobody holds any more can go in the midst of a turn
            self._slice.start()

    def _tell(self, picture: Picture) -> None:
        self._picture, self._places, self._found, self._was_placed = None, None, {}, True
        if isValid(self):
            self.settled.emit(picture)

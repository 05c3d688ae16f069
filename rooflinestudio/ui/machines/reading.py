"""Reading all machines one by one while they are looked at: a window must not wait for sixty files."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["AllMachines"]

_AT_ONCE = 8
"""After so many it tells what it has."""


class AllMachines(QObject):
    """The profiles of a source, as far as they are read.

    Signals
    -------
    grown
        There are more than before, or all are there.
    """

    grown = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source: Any = None
        self._waiting: list[str] = []
        self._known: dict[str, HardwareProfile] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._read_next)

    @property
    def known(self) -> dict[str, HardwareProfile]:
        """Those that are read, by id."""
        return dict(self._known)

    @property
    def waiting(self) -> int:
        """How many are to be read."""
        return len(self._waiting)

    def set_source(self, source: Any) -> None:
        """Read from another source, from the beginning."""
        if source is not self._source:
            self._source, self._known = source, {}
            self._waiting = [one.id for one in source.profiles] if source is not None else []

    def set_running(self, running: bool) -> None:
        """Go on reading, or rest while nobody looks."""
        if running and self._waiting:
            self._timer.start()
        else:
            self._timer.stop()

    def read_all(self) -> None:
        """Read what is left at once."""
        while self._waiting:
            self._read_next()

    def _read_next(self) -> None:
        if not self._waiting:
            self._timer.stop()
            return
        id_ = self._waiting.pop(0)
        with contextlib.suppress(
            StudioError
        ):  # the plugin page says what is wrong with one that cannot be read
            self._known[id_] = self._source.load_profile(id_)
        if not self._waiting or len(self._waiting) % _AT_ONCE == 0:
            self.grown.emit()

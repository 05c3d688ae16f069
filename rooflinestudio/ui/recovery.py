"""Work that a window left behind: offered in a notice, taken over or thrown away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from rooflinestudio.ui.autosave import find_left_behind

if TYPE_CHECKING:
    from rooflinestudio.ui.autosave import Autosave, LeftBehind
    from rooflinestudio.ui.furnishing import Furnishing

__all__ = ["Recovery"]


class Recovery(QObject):
    """Offers what other windows left; each copy stays locked for this window until it is answered or closes."""

    def __init__(self, inside: Furnishing, autosave: Autosave) -> None:
        super().__init__(inside)
        self._inside, self._autosave = inside, autosave
        self._offered: tuple[LeftBehind, ...] = ()

    def offer(self) -> None:
        """Show a notice for each copy, with a button to restore and one to discard it."""
        self._offered = find_left_behind(self._autosave.path.parent)
        for left in self._offered:
            banner = self._inside.notices.tell(
                "warn",
                f"Unsaved edits in {left.name}",
                f"The studio did not end in order. A copy of {left.saved_at:%d %B, %H:%M} is here.",
                stays=True,
            )
            banner.add_button("Restore", partial(self.restore, left))
            banner.add_button("Discard", left.discard)

    def restore(self, left: LeftBehind) -> None:
        """Open a copy; it counts as edited."""
        self._inside.files.load(
            str(left.study_path), original=left.original_path, then=partial(self._take_over, left)
        )

    def let_go(self) -> None:
        """Leave what was not answered to the next start."""
        for left in self._offered:
            left.lock.unlock()

    def _take_over(self, left: LeftBehind) -> None:
        """Write a copy of our own before the one left behind goes."""
        self._autosave.written.connect(left.discard, Qt.ConnectionType.SingleShotConnection)
        self._autosave.write()

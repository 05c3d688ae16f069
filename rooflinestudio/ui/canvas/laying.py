"""The scene as it is laid out now: words and labels with their places, which settle a moment after a change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from rooflinestudio.ui.canvas.painter import Picture, laid_out, with_scene
from rooflinestudio.ui.canvas.settling import Settling

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.coordinates import Range
    from rooflinestudio.ui.canvas.layout import Layout
    from rooflinestudio.ui.canvas.scene import Scene
    from rooflinestudio.ui.canvas.text import Text

__all__ = ["Laying"]


class Laying(QObject):
    """Keeps the picture of a view; labels keep their places beside their markers until the view has settled.

    Signals
    -------
    settled
        Labels have found their places.
    """

    settled = Signal()

    def __init__(self, picture: Picture, text: Text, parent: QObject) -> None:
        super().__init__(parent)
        self.picture, self._text = picture, text
        self._settling = Settling(text, self)
        self._settling.settled.connect(self._on_settling_settled)

    @property
    def is_busy(self) -> bool:
        """Whether labels are still to be placed."""
        return self._settling.is_busy

    def renew(self, scene: Scene, layout: Layout, range_: Range) -> bool:
        """Lay out anew what changed; tell whether that was more than the marks."""
        old = self.picture
        anew = layout != old.layout or range_ != old.range or not _same_lines(scene, old.scene)
        if anew:
            new = laid_out(scene, layout, range_, self._text)
            self.picture = replace(new, labels=old.labels)
        else:
            self.picture = with_scene(old, scene, self._text)
        self._settling.start(self.picture)
        return anew

    def settle(self) -> None:
        """Place all labels now."""
        self._settling.finish_now()

    def _on_settling_settled(self, picture: Picture) -> None:
        if picture.scene is self.picture.scene and picture.range == self.picture.range:
            self.picture = picture
            self.settled.emit()


def _same_lines(first: Scene, second: Scene) -> bool:
    return first.roofs is second.roofs and first.ceilings is second.ceilings and first.slopes is second.slopes

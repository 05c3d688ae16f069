"""The small roof of the bench, with the step of the chain drawn in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.ui.canvas.small_roof import SmallRoof
from rooflinestudio.ui.fusion.roof_scene import with_short_names

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.scene import Scene

__all__ = ["BenchRoof"]


class BenchRoof(SmallRoof):
    """Where the chain stands on its roof, all split, as drawn and all fused.

    No margin strip: the whole chain has work and traffic, or there is no picture.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fusion.roof")

    def in_short(self, scene: Scene) -> Scene:
        return with_short_names(scene)

    def paint_under(self, c: Canvas, scene: Scene) -> None:
        """Draw the way from the split chain to the one that is drawn."""
        points = {str(one.key[1]): c.frame.point(one.log_x, one.log_y) for one in scene.markers}
        if "split" in points and "drawn" in points:
            slot = scene.markers[-1].slot
            c.polyline([points["split"], points["drawn"]], c.pen(c.slot(slot), 3.0))

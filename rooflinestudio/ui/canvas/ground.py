"""What lies under the markers, kept as one picture until machines, view, size or theme change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QPainter, QPixmap

from rooflinestudio.ui.canvas.painter import canvas_of, paint_ground_layer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.ui.canvas.painter import Picture
    from rooflinestudio.ui.canvas.text import Text
    from rooflinestudio.ui.theme import Theme

__all__ = ["Ground"]


class Ground:
    """Paints the ground for a widget and remembers it."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._same: tuple[Any, ...] = ()
        self._equal: tuple[Any, ...] = ()
        self._pixmap = QPixmap()

    def pixmap(self, widget: QWidget, picture: Picture, theme: Theme) -> QPixmap:
        """Return the ground of a picture in the widget's size and pixel ratio."""
        scene, ratio = picture.scene, widget.devicePixelRatioF()
        # Large parts are compared by identity, small ones by value.
        same = (scene.roofs, scene.ceilings, scene.slopes, picture.fixed, *scene.overlays)
        equal = (scene.x_title, picture.layout, picture.range, theme.name, ratio, widget.size())
        if equal != self._equal or len(same) != len(self._same) or any(map(_differ, same, self._same)):
            self._pixmap = QPixmap(widget.size() * ratio)
            self._pixmap.setDevicePixelRatio(ratio)
            if not self._pixmap.isNull():  # without any room there is nothing to paint on
                painter = QPainter(self._pixmap)
                paint_ground_layer(canvas_of(painter, picture, theme, self._text))
                painter.end()
            self._same, self._equal = same, equal
        return self._pixmap


def _differ(first: object, second: object) -> bool:
    return first is not second

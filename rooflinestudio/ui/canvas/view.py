"""The canvas as a widget: a camera that pans and zooms, everything drawn by one layer of our own.

What is under the markers is kept as one picture, so that a change of a marker does not draw roofs and grid again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, Qt, Signal

from rooflinestudio.ui.canvas.band import Band
from rooflinestudio.ui.canvas.camera import Camera
from rooflinestudio.ui.canvas.cards import Cards
from rooflinestudio.ui.canvas.context import Highlight
from rooflinestudio.ui.canvas.dropping import Dropping
from rooflinestudio.ui.canvas.ground import Ground
from rooflinestudio.ui.canvas.laying import Laying
from rooflinestudio.ui.canvas.layout import layout_of
from rooflinestudio.ui.canvas.painter import canvas_of, laid_out, paint_marks_layer
from rooflinestudio.ui.canvas.pair_tool import PairTool
from rooflinestudio.ui.canvas.pointing import Pointing
from rooflinestudio.ui.canvas.probe_tool import ProbeTool
from rooflinestudio.ui.canvas.scene import PreviewMarker, Scene
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.canvas.tool_view import ToolView
from rooflinestudio.ui.theme import LIGHT, Theme, set_role

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import (
        QContextMenuEvent,
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPainter,
        QResizeEvent,
    )
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.ui.canvas.coordinates import Frame, Range
    from rooflinestudio.ui.canvas.layout import Layout
    from rooflinestudio.ui.canvas.painter import Picture

__all__ = ["CanvasView"]

ZOOM_STEP, LEAST_WIDTH, LEAST_HEIGHT = 0.8, 320, 240


class CanvasView(ToolView):
    """Shows a scene and tells what the user wants; it changes nothing but what it looks at.

    Signals
    -------
    operatorDropped
        Operator id, and log10 of intensity and rate where it was let go.
    filesDropped
        Paths of local files.
    kernelsDropped
        Measured kernels, each as digest and position, and the entry that they were let go on.
    menuRequested
        Key of what a menu is wanted for, or None, and the place on the screen.
    selectionRequested
        An entry id, ``("measured", overlay digest, index)``, ``("part", entry id, index)``, or None.
    markRequested
        Ids of the entries that are to be marked, and no others.
    hoverChanged
        The key under the pointer, or None.
    previewRequested
        Id of the operator that is being dragged over the canvas; empty when it has left. The answer is
        :meth:`set_preview`.
    statusTextChanged
        Intensity, rate and distance to the roof of what is hovered, focused or selected.
    fitRequested
        The user asked for the whole picture; it is shown already.
    rangeChanged
        The view shows another :class:`Range`.
    """

    operatorDropped = Signal(str, float, float)
    filesDropped = Signal(list)
    kernelsDropped = Signal(object, str)
    menuRequested = Signal(object, object)
    selectionRequested = Signal(object)
    markRequested = Signal(object)
    hoverChanged = Signal(object)
    previewRequested = Signal(str)
    statusTextChanged = Signal(str)
    fitRequested = Signal()
    rangeChanged = Signal(object)

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("canvas")
        self.setAccessibleName("Roofline canvas")
        set_role(self, "canvas")
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.setAcceptDrops(True)
        self._theme = theme
        self._text = Text()
        self._scene = Scene()
        self._ground = Ground(self._text)
        self._camera = Camera(self.scene(), self)
        self._camera.moved.connect(self._on_camera_moved)
        picture = laid_out(self._scene, self._layout(), self.shown_range, self._text)
        self._laying = Laying(picture, self._text, self)
        self._laying.settled.connect(self.viewport().update)
        self.probe = ProbeTool(self)
        self._cards = Cards(self)
        self._band = Band(self)
        self.pairs = PairTool(self)
        self.tools = (self._band, self.probe, self.pairs)
        self._pointing = Pointing(self)
        self.drops = Dropping(self)
        self.highlight = Highlight()

    # What is shown

    @property
    def shown_scene(self) -> Scene:
        """The scene on display."""
        return self._scene

    @property
    def picture(self) -> Picture:
        """The scene as it is laid out now, with the places of all labels."""
        return self._laying.picture

    @property
    def frame_of_data(self) -> Frame:
        """The mapping between data and pixels of the viewport."""
        return self.picture.frame

    @property
    def shown_range(self) -> Range:
        """What the view shows, in log10 data coordinates."""
        return self._camera.range

    @property
    def theme(self) -> Theme:
        return self._theme

    def set_scene(self, scene: Scene) -> None:
        """Show another scene; the view stays where it is unless other machines set other axes."""
        old, self._scene = self._scene, scene
        if scene is old:
            return
        if self._camera.follows and (scene.home_range != old.home_range or not old.roofs):
            self._camera.look(scene.fit_range, follows=True)
        self._refresh()
        self._cards.show_invitation(scene.empty)
        self._pointing.scene_changed()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of another theme."""
        self._theme = theme
        self.viewport().update()

    def set_preview(self, preview: PreviewMarker | None) -> None:
        """Show where a dragged operator would land, or nothing."""
        self.set_highlight(preview=preview)

    def set_highlight(self, **changes: Any) -> None:
        """Change what is hovered, focused or previewed."""
        highlight = replace(self.highlight, **changes)
        if highlight != self.highlight:
            self.highlight = highlight
            self.viewport().update()

    def settle(self) -> None:
        """Place all labels now instead of a moment after the last change."""
        self._laying.settle()

    # Where it looks

    def fit(self) -> None:
        """Show the axes that the machine sets, with decades added until every marker is in."""
        self._camera.look(self._scene.fit_range, follows=True)

    def zoom_in(self) -> None:
        self._camera.zoom(ZOOM_STEP)

    def zoom_out(self) -> None:
        self._camera.zoom(1 / ZOOM_STEP)

    def pan(self, right: float, up: float) -> None:
        """Move the view by shares of its width and height."""
        self._camera.pan(right, up)

    def _on_camera_moved(self) -> None:
        self._refresh()
        self.rangeChanged.emit(self.shown_range)

    # Laying out

    def _layout(self) -> Layout:
        layout = layout_of(self.viewport().width(), self.viewport().height(), self._scene, self._text)
        self._camera.put(layout.plot)
        return layout

    def _refresh(self) -> None:
        if self._laying.renew(self._scene, self._layout(), self.shown_range):
            self.place_cards()
        self.viewport().update()

    def place_cards(self) -> None:
        """Put the cards on the canvas where they hide least."""
        self._cards.place()

    def text_width(self, words: str) -> float:
        """Return the width of words in the small type of the canvas."""
        return self._text.width(words, "caption")

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None and hasattr(
            self, "_laying"
        ):  # pyqtgraph's constructor calls it, too early for us
            self._refresh()

    # Drawing

    def drawForeground(self, painter: QPainter, _rect: QRectF) -> None:
        """Draw the layer: the kept picture of the ground, then everything on it."""
        painter.resetTransform()
        painter.drawPixmap(0, 0, self._ground.pixmap(self.viewport(), self.picture, self._theme))
        canvas = canvas_of(painter, self.picture, self._theme, self._text, highlight=self.highlight)
        paint_marks_layer(canvas, self.picture)
        self.probe.paint(canvas)
        self._band.paint(canvas)
        self.drops.paint(canvas)
        self.pairs.paint(canvas)

    # Pointer and keyboard

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if any(tool.moved(event) for tool in self.tools):
            self._pointing.left()
            return
        super().mouseMoveEvent(event)
        self._pointing.moved(event.position(), pressed=event.buttons() != Qt.MouseButton.NoButton)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of what is under the pointer; by key, of what has the focus or is selected."""
        key, at = self._pointing.menu_place(event)
        self.menuRequested.emit(key, self.viewport().mapToGlobal(at))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointing.left()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            return self._pointing.show_tip(event)
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (any(tool.key_pressed(event) for tool in self.tools) or self._pointing.key_pressed(event)):
            event.ignore()  # so that the window's shortcuts get it

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        self.probe.key_released(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._pointing.focus_lost()
        self.probe.focus_lost()

    def data_at(self, position: QPointF) -> tuple[float, float]:
        """Return log10 intensity and log10 rate at a pixel of the viewport."""
        return self.picture.frame.data(position.x(), position.y())

    def chosen(self) -> tuple[str, ...]:
        """Return the entries that are marked, else the selected one, else none."""
        return self._pointing.chosen()

    def toggle_mark_at(self, position: QPointF) -> None:
        """Ask to mark the entry at a pixel, or to mark it no more."""
        self._pointing.toggle_mark_at(position)

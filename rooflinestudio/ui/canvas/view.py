"""The canvas as a widget: pan and zoom by pyqtgraph's view box, everything drawn by one layer of our own.

The view box is linear and holds log10 values; it draws nothing. What is under the markers is kept as one picture, so
that a change of a marker does not draw roofs and grid again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from pyqtgraph import GraphicsView, ViewBox
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QGraphicsView

from rooflinestudio.ui.canvas.context import Highlight
from rooflinestudio.ui.canvas.coordinates import Frame, Range
from rooflinestudio.ui.canvas.dropping import Dropping
from rooflinestudio.ui.canvas.empty_card import EmptyCard
from rooflinestudio.ui.canvas.ground import Ground
from rooflinestudio.ui.canvas.layout import layout_of
from rooflinestudio.ui.canvas.painter import (
    Picture,
    canvas_of,
    laid_out,
    paint_marks_layer,
    with_scene,
)
from rooflinestudio.ui.canvas.pointing import Pointing
from rooflinestudio.ui.canvas.scene import PreviewMarker, Scene
from rooflinestudio.ui.canvas.settling import Settling
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.theme import LIGHT, Theme, set_role

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPainter,
        QResizeEvent,
    )
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.ui.canvas.layout import Layout

__all__ = ["CanvasView"]

LIMITS: Final = {"xMin": -9.0, "xMax": 12.0, "yMin": 0.0, "yMax": 21.0, "minXRange": 0.02, "minYRange": 0.02}
ZOOM_STEP: Final = 0.8
PAN_STEP: Final = 0.1
LEAST_WIDTH, LEAST_HEIGHT = 320, 240


class CanvasView(GraphicsView):
    """Shows a scene and tells what the user wants; it changes nothing but what it looks at.

    Signals
    -------
    operatorDropped
        Operator id, and log10 of intensity and rate where it was let go.
    filesDropped
        Paths of local files.
    selectionRequested
        An entry id, ``("measured", overlay digest, index)``, or None.
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
    selectionRequested = Signal(object)
    hoverChanged = Signal(object)
    previewRequested = Signal(str)
    statusTextChanged = Signal(str)
    fitRequested = Signal()
    rangeChanged = Signal(object)

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self.setObjectName("canvas")
        self.setAccessibleName("Roofline canvas")
        set_role(self, "canvas")
        self.setCacheMode(GraphicsView.CacheModeFlag.CacheNone)
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.setAcceptDrops(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._theme = theme
        self._text = Text()
        self._scene = Scene()
        self._ground = Ground(self._text)
        self._follows = True
        self._card: EmptyCard | None = None
        self._box = self._make_box()
        self._picture = laid_out(self._scene, self._layout(), self.shown_range, self._text)
        self._pointing = Pointing(self)
        self._dropping = Dropping(self)
        self._settling = Settling(self._text, self)
        self._settling.settled.connect(self._on_settling_settled)
        self.highlight = Highlight()

    def _make_box(self) -> ViewBox:
        box = ViewBox(enableMenu=False, defaultPadding=0.0)
        box.disableAutoRange()
        box.setLimits(**LIMITS)
        self.scene().addItem(box)
        box.sigRangeChanged.connect(self._on_box_sigRangeChanged)
        box.sigRangeChangedManually.connect(self._on_box_sigRangeChangedManually)
        return box

    # What is shown

    @property
    def shown_scene(self) -> Scene:
        """The scene on display."""
        return self._scene

    @property
    def picture(self) -> Picture:
        """The scene as it is laid out now, with the places of all labels."""
        return self._picture

    @property
    def frame_of_data(self) -> Frame:
        """The mapping between data and pixels of the viewport."""
        return self._picture.frame

    @property
    def shown_range(self) -> Range:
        """What the view shows, in log10 data coordinates."""
        (x0, x1), (y0, y1) = self._box.viewRange()
        return Range(float(x0), float(x1), float(y0), float(y1))

    @property
    def theme(self) -> Theme:
        return self._theme

    def set_scene(self, scene: Scene) -> None:
        """Show another scene; the view stays where it is unless other machines set other axes."""
        old, self._scene = self._scene, scene
        if scene is old:
            return
        if self._follows and (scene.home_range != old.home_range or not old.roofs):
            self._show_range(scene.fit_range)
        self._update_card()
        self._refresh(lines_changed=not _same_lines(scene, old))
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
        self._settling.finish_now()

    # Where it looks

    def fit(self) -> None:
        """Show the axes that the machine sets, with decades added until every marker is in."""
        self._follows = True
        self._show_range(self._scene.fit_range)

    def zoom_in(self) -> None:
        self._zoom(ZOOM_STEP)

    def zoom_out(self) -> None:
        self._zoom(1 / ZOOM_STEP)

    def pan(self, right: float, up: float) -> None:
        """Move the view by shares of its width and height."""
        x0, x1, y0, y1 = self.shown_range
        self._follows = False
        self._box.translateBy(x=right * (x1 - x0), y=up * (y1 - y0))

    def show_range(self, range_: Range) -> None:
        """Look at a part of the plane, in log10 coordinates."""
        self._follows = False
        self._show_range(range_)

    def _zoom(self, factor: float) -> None:
        self._follows = False
        self._box.scaleBy((factor, factor))

    def _show_range(self, range_: Range) -> None:
        self._box.setRange(xRange=(range_.x0, range_.x1), yRange=(range_.y0, range_.y1), padding=0)

    def _on_box_sigRangeChanged(self, *_args: object) -> None:
        self._refresh(lines_changed=True)
        self.rangeChanged.emit(self.shown_range)

    def _on_box_sigRangeChangedManually(self, *_args: object) -> None:
        self._follows = False

    # Laying out

    def _layout(self) -> Layout:
        layout = layout_of(self.viewport().width(), self.viewport().height(), self._scene, self._text)
        self._place_box(layout)
        return layout

    def _place_box(self, layout: Layout) -> None:
        plot = QRectF(layout.plot.left, layout.plot.top, layout.plot.width, layout.plot.height)
        if self._box.geometry() != plot:
            self._box.setGeometry(plot)
        if self._card is not None:
            self._card.place(layout.plot)

    def _refresh(self, *, lines_changed: bool) -> None:
        """Lay out anew what changed; labels keep their places beside their markers until the view has settled."""
        old = self._picture
        layout = self._layout()
        if lines_changed or layout != old.layout:
            new = laid_out(self._scene, layout, self.shown_range, self._text)
            self._picture = replace(new, labels=old.labels)
        else:
            self._picture = with_scene(old, self._scene, self._text)
        self._settling.start(self._picture)
        self.viewport().update()

    def _on_settling_settled(self, picture: Picture) -> None:
        if picture.scene is self._scene and picture.range == self.shown_range:
            self._picture = picture
            self.viewport().update()

    def _update_card(self) -> None:
        state = self._scene.empty
        if state is None:
            if self._card is not None:
                self._card.hide()
                self._card.deleteLater()
                self._card = None
        elif self._card is None:
            self._card = EmptyCard(state, self.viewport())
            self._card.show()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None and hasattr(
            self, "_settling"
        ):  # pyqtgraph's constructor calls it, too early for us
            self._refresh(lines_changed=True)

    # Drawing

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Draw nothing: the layer paints every pixel."""

    def drawForeground(self, painter: QPainter, _rect: QRectF) -> None:
        """Draw the layer: the kept picture of the ground, then everything on it."""
        painter.resetTransform()
        painter.drawPixmap(0, 0, self._ground.pixmap(self.viewport(), self._picture, self._theme))
        canvas = canvas_of(painter, self._picture, self._theme, self._text, highlight=self.highlight)
        paint_marks_layer(canvas, self._picture)
        self._dropping.paint(canvas)

    # Pointer and keyboard

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        event.accept()  # pyqtgraph answers later, on release; until then the press must not go on to the window

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._pointing.moved(event.position(), pressed=event.buttons() != Qt.MouseButton.NoButton)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointing.left()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            return self._pointing.show_tip(event)
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._pointing.key_pressed(event):
            event.ignore()  # so that the window's shortcuts get it

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._pointing.focus_lost()

    # Drag and drop; all four are needed: the plain view hands moves to its items, which refuse them

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._dropping.entered(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._dropping.moved(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._dropping.left()
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        self._dropping.dropped(event)

    def close(self) -> bool:
        """Close like any widget. pyqtgraph's own way deletes the viewport, which crashes a view that overrides it."""
        return bool(QGraphicsView.close(self))

    def data_at(self, position: QPointF) -> tuple[float, float]:
        """Return log10 intensity and log10 rate at a pixel of the viewport."""
        return self._picture.frame.data(position.x(), position.y())


def _same_lines(first: Scene, second: Scene) -> bool:
    return first.roofs is second.roofs and first.ceilings is second.ceilings and first.slopes is second.slopes

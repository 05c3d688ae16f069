"""The compare grid as small rooflines: one widget paints them all, with one range for all axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from rooflinestudio.core.grid.words import cell_summary
from rooflinestudio.ui.canvas.coordinates import Frame
from rooflinestudio.ui.canvas.pointing import tip_html
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.grid.axes import Drag, LockedAxes
from rooflinestudio.ui.grid.layout import grid_layout
from rooflinestudio.ui.grid.painter import GridPicture, paint_grid
from rooflinestudio.ui.grid.scene import grid_scene
from rooflinestudio.ui.grid.scrolling import reveal, span
from rooflinestudio.ui.icons import worn_theme

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent

    from rooflinestudio.core.grid.cells import CellKey, Grid
    from rooflinestudio.ui.canvas.coordinates import Range
    from rooflinestudio.ui.grid.layout import GridLayout
    from rooflinestudio.ui.grid.scene import GridScene, Multiple

__all__ = ["MultiplesView"]

_STEP: Final = 1.15
_ARROWS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class MultiplesView(QAbstractScrollArea):
    """All pictures of a grid.

    The wheel with Ctrl zooms, a drag moves, in all pictures at once; a double click or F goes back to the axes that the
    machines set. Arrow keys move between cells, Enter chooses one.

    Signals
    -------
    cellChosen
        The key of the cell that the user clicked, or confirmed by key.
    copyRequested
        The copy key was pressed.
    """

    cellChosen = Signal(object)
    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("grid.multiples")
        self.setAccessibleName("Compare grid")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self._text = Text()
        self._grid: Grid | None = None
        self._scene: GridScene | None = None
        self._layout: GridLayout | None = None
        self._axes = LockedAxes()
        self._chosen: CellKey | None = None
        self._focus: tuple[int, int] | None = None
        self._drag: Drag | None = None

    # What it shows ------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> GridScene | None:
        """What is painted."""
        return self._scene

    @property
    def grid_layout(self) -> GridLayout | None:
        """Where it is painted."""
        return self._layout

    @property
    def shown_range(self) -> Range:
        """The axes of all pictures."""
        return self._axes.shown

    @property
    def is_zoomed(self) -> bool:
        """Whether the axes are not those that the machines set."""
        return self._axes.is_zoomed

    def set_grid(self, grid: Grid | None) -> None:
        """Show a grid; nothing is done for the one that is shown already."""
        if grid is self._grid:
            return
        before = self._scene.shape if self._scene is not None else None
        self._grid = grid
        self._scene = grid_scene(grid) if grid is not None else None
        if self._scene is not None:
            self._axes.home = self._scene.home
        if self._scene is not None and self._scene.shape != before:
            self._focus = None
        self._lay_out()

    def set_chosen(self, key: CellKey | None) -> None:
        """Mark a cell."""
        if key != self._chosen:
            self._chosen = key
            self.viewport().update()

    def _lay_out(self) -> None:
        scene = self._scene
        size = float(self.viewport().width()), float(self.viewport().height())
        if scene is None:
            self._layout = None
        else:
            words = [self._text.width(one, "name") for line in scene.stubs for one in line]
            self._layout = grid_layout(
                size,
                scene.shape,
                stub=max(words) + 18 if words else 0.0,
                has_heads=any(scene.heads),
                has_strip=scene.has_strip,
            )
            body, content = self._layout.body, self._layout.content
            span(self.horizontalScrollBar(), content[0], body.width)
            span(self.verticalScrollBar(), content[1], body.height)
        self.viewport().update()

    @property
    def _scroll(self) -> tuple[float, float]:
        return float(self.horizontalScrollBar().value()), float(self.verticalScrollBar().value())

    def multiple_at(self, x: float, y: float) -> Multiple | None:
        """Return the picture at a pixel of the viewport."""
        if self._layout is None or self._scene is None:
            return None
        at = self._layout.at(x, y, self._scroll)
        return self._scene.multiples[at[0]][at[1]] if at is not None else None

    def place_of(self, key: CellKey) -> QPointF:
        """Return the middle of a cell's picture, in pixels of the viewport."""
        assert self._scene is not None and self._layout is not None
        for row, line in enumerate(self._scene.multiples):
            for column, one in enumerate(line):
                if one.cell.key == key:
                    return QPointF(*self._layout.cell_box(row, column, self._scroll).centre)
        raise KeyError(key)

    # Axes, the same for all ---------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Go back to the axes that the machines set."""
        self._axes.fit()
        self.viewport().update()

    def zoom(self, factor: float, at: tuple[float, float] | None = None) -> None:
        """Zoom all pictures by a factor above 1 (closer) or below, around a point in log10 data coordinates."""
        self._axes.zoom(factor, at)
        self.viewport().update()

    def _frame_at(self, position: QPointF) -> Frame | None:
        if self._layout is None:
            return None
        at = self._layout.at(position.x(), position.y(), self._scroll)
        if at is None:
            return None
        plot = self._layout.plot_box(self._layout.cell_box(*at, self._scroll))
        return Frame(plot, self.shown_range) if plot.holds(position.x(), position.y()) else None

    # Events -------------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        if self._scene is None or self._layout is None:
            painter.fillRect(self.viewport().rect(), worn_theme().qcolor("canvas"))
        else:
            focused = None
            if self._focus is not None and self.hasFocus():
                focused = self._scene.multiples[self._focus[0]][self._focus[1]].cell.key
            picture = GridPicture(
                self._scene, self._layout, self.shown_range, self._scroll, self._chosen, focused
            )
            paint_grid(painter, picture, worn_theme(), self._text)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        frame = self._frame_at(event.position())
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and frame is not None and steps:
            self.zoom(_STEP**steps, frame.data(event.position().x(), event.position().y()))
            event.accept()
            return
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        frame = self._frame_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and frame is not None:
            self._drag = Drag((event.position().x(), event.position().y()), frame)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x, y = event.position().x(), event.position().y()
        if self._drag is None:
            inside = self.multiple_at(x, y) is not None
            shape = Qt.CursorShape.PointingHandCursor if inside else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
        elif self._drag.goes_to(x, y):
            self._axes.take(self._drag.moved_range(x, y))
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag, self._drag = self._drag, None
        if event.button() != Qt.MouseButton.LeftButton or self._layout is None:
            return
        at = self._layout.at(event.position().x(), event.position().y(), self._scroll)
        if at is not None and (drag is None or not drag.has_moved):
            self._focus = at
            self._choose(at)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copyRequested.emit()
        elif key in _ARROWS and self._scene is not None:
            self._move_focus(*_ARROWS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._focus is not None:
            self._choose(self._focus)
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(_STEP**2)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom(_STEP**-2)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            multiple = self.multiple_at(event.pos().x(), event.pos().y())
            if multiple is None:
                QToolTip.hideText()
            else:
                area = QRect(event.pos().x() - 8, event.pos().y() - 8, 17, 17)
                QToolTip.showText(
                    event.globalPos(), tip_html(cell_summary(multiple.cell)), self.viewport(), area
                )
            return True
        return super().viewportEvent(event)

    # Choosing -----------------------------------------------------------------------------------------------------

    def _move_focus(self, down: int, across: int) -> None:
        assert self._scene is not None
        rows, columns = self._scene.shape
        if not rows or not columns:
            return
        row, column = self._focus or (0, 0)
        if self._focus is not None:
            row, column = min(max(row + down, 0), rows - 1), min(max(column + across, 0), columns - 1)
        self._focus = row, column
        self._show_cell(row, column)
        # A screen reader hears the cell as the description of the grid.
        cell = self._scene.multiples[row][column].cell
        self.setAccessibleDescription(". ".join(cell_summary(cell)))
        self.viewport().update()

    def _show_cell(self, row: int, column: int) -> None:
        layout = self._layout
        if layout is not None:
            reveal(self.horizontalScrollBar(), column * layout.cell[0], layout.cell[0])
            reveal(self.verticalScrollBar(), row * layout.cell[1], layout.cell[1])

    def _choose(self, at: tuple[int, int]) -> None:
        if self._scene is not None:
            self.cellChosen.emit(self._scene.multiples[at[0]][at[1]].cell.key)

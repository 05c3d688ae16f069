"""Docks with heads of our own, the tabs under the canvas, and how they share the window at each size."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QWidget,
)

from rooflinestudio.ui.icons import HEAD_PX, icon
from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction

__all__ = ["BottomTabs", "DockHead", "Docks", "Extent", "extent_of", "head_button"]

HEAD_HEIGHT_PX: Final = 32
COMPACT_BELOW_PX: Final = 1440
NARROW_BELOW_PX: Final = 1070


class Extent(IntEnum):
    """How much room the window has."""

    NARROW = 0
    COMPACT = 1
    WIDE = 2


class _Sizes(NamedTuple):
    left: int
    right: int
    bottom: int
    outline_share: float


_SIZES: Final = {
    Extent.WIDE: _Sizes(264, 332, 256, 0.46),
    Extent.COMPACT: _Sizes(216, 284, 172, 0.46),
    Extent.NARROW: _Sizes(216, 284, 172, 0.46),
}


def extent_of(width_px: int) -> Extent:
    """Return which of the three layouts a window of this width gets."""
    if width_px >= COMPACT_BELOW_PX:
        return Extent.WIDE
    return Extent.COMPACT if width_px >= NARROW_BELOW_PX else Extent.NARROW


class DockHead(QWidget):
    """A title with small buttons at its right; also what the dock is dragged by."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "dock-head")
        self.setFixedHeight(HEAD_HEIGHT_PX)
        self.title = QLabel(title)
        set_role(self.title, "dock-title")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(14, 0, 8, 0)
        self._row.setSpacing(2)
        self._row.addWidget(self.title)
        self._row.addStretch(1)

    def add_button(self, button: QToolButton) -> None:
        """Put a button at the right end."""
        self._row.addWidget(button)

    def sizeHint(self) -> QSize:
        # The dock asks for this alone; a fixed height does not reach it.
        return QSize(super().sizeHint().width(), HEAD_HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, HEAD_HEIGHT_PX)


def head_button(name: str, tip: str, done: Callable[[], object] | QAction) -> QToolButton:
    """Return a 14 px button for a dock head; ``done`` is what it does."""
    button = QToolButton()
    button.setIcon(icon(name, "muted"))
    button.setIconSize(QSize(HEAD_PX, HEAD_PX))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.clicked.connect(done if callable(done) else done.trigger)
    return button


class _Corner(QStackedWidget):
    """Controls of the page in front; it takes only the room that they need, not that of the widest page."""

    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return super().sizeHint() if shown is None else shown.sizeHint()

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        return super().minimumSizeHint() if shown is None else shown.minimumSizeHint()


class BottomTabs(QTabWidget):
    """The tabs under the canvas; a double click on one gives it the whole centre, and again gives it back.

    Signals
    -------
    centreRequested
        Whether the tabs shall have the centre for themselves.
    """

    centreRequested = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fills = False
        self._corners: dict[QWidget, QWidget] = {}
        self.setObjectName("tabs")
        self.setAccessibleName("Tables")
        set_role(self, "surface")
        self.setDocumentMode(True)
        self.tabBar().setExpanding(False)
        self.tabBar().setDrawBase(False)
        self._corner = _Corner()
        set_role(self._corner, "tab-row")
        self._corner.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setCornerWidget(self._corner)
        self.currentChanged.connect(self._on_current_changed)
        self.tabBarDoubleClicked.connect(self._on_tab_bar_double_clicked)

    def add(self, page: QWidget, title: str, corner: QWidget | None = None) -> None:
        """Add a page, with controls that stand at the right of the tab row while it is shown."""
        held = corner or QWidget()
        self._corners[page] = held
        self._corner.addWidget(held)
        self.addTab(page, title)
        self._on_current_changed(self.currentIndex())

    def set_corner(self, page: QWidget, corner: QWidget) -> None:
        """Give a page its controls later: a view that is made when it is first looked at brings them then."""
        before = self._corners[page]
        self._corners[page] = corner
        self._corner.addWidget(corner)
        self._corner.removeWidget(before)
        before.deleteLater()
        self._on_current_changed(self.currentIndex())

    def set_compact(self, compact: bool) -> None:
        """Stand closer together in a narrow window."""
        set_role(self.tabBar(), "narrow-tabs" if compact else "")

    def fill_centre(self, fills: bool) -> None:
        """Take the whole centre, or give it back."""
        if fills != self._fills:
            self._fills = fills
            self.centreRequested.emit(fills)

    @property
    def fills_centre(self) -> bool:
        """Whether the tabs have the centre for themselves."""
        return self._fills

    def _on_current_changed(self, _index: int) -> None:
        corner = self._corners.get(self.currentWidget())
        if corner is not None:
            self._corner.setCurrentWidget(corner)
            # The row shares its width anew only when a corner is set, which hides the one that was there.
            self.setCornerWidget(self._corner)
            self._corner.show()

    def _on_tab_bar_double_clicked(self, index: int) -> None:
        if index >= 0:
            self.fill_centre(not self._fills)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 120)


class Docks:
    """The docks of a window, made once and put to their places.

    Left and right own the corners, so that the tabs lie under the canvas only.
    """

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._extent: Extent | None = None
        window.setDockNestingEnabled(True)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.palette = self._made("palette", "Operators")
        self.outline = self._made("outline", "Study outline")
        self.inspector = self._made("inspector", "Inspector")
        self.tabs = self._made("tables", "Tables", headless=True)
        self.place()

    @property
    def all(self) -> tuple[QDockWidget, ...]:
        """All docks."""
        return self.palette, self.outline, self.inspector, self.tabs

    def head(self, dock: QDockWidget) -> DockHead:
        """Return the head of a dock."""
        head = dock.titleBarWidget()
        assert isinstance(head, DockHead)
        return head

    def place(self) -> None:
        """Put every dock to its place."""
        window = self._window
        for dock in self.all:
            dock.setFloating(False)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self.palette)
        window.splitDockWidget(self.palette, self.outline, Qt.Orientation.Vertical)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.inspector)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.tabs)
        for dock in self.all:
            dock.show()

    def fit(self, extent: Extent, *, height_px: int) -> None:
        """Give the docks their sizes for a window of this room; works only once the window is shown."""
        if extent is Extent.NARROW and self._extent is not Extent.NARROW:
            self._window.tabifyDockWidget(self.palette, self.inspector)
            self.palette.raise_()
        elif extent is not Extent.NARROW and self._extent is Extent.NARROW:
            self.place()
        self._extent = extent
        sizes = _SIZES[extent]
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        if extent is Extent.NARROW:
            self._window.resizeDocks([self.palette], [sizes.right], across)
        else:
            self._window.resizeDocks([self.palette, self.inspector], [sizes.left, sizes.right], across)
        outline = round((height_px - 104) * sizes.outline_share)
        self._window.resizeDocks([self.palette, self.outline], [height_px - 104 - outline, outline], down)
        self._window.resizeDocks([self.tabs], [sizes.bottom], down)

    def _made(self, name: str, title: str, *, headless: bool = False) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(f"dock.{name}")
        dock.setAccessibleName(title)
        dock.setTitleBarWidget(QWidget() if headless else DockHead(title))
        empty = QWidget()
        set_role(empty, "surface")
        dock.setWidget(empty)
        if headless:
            dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        return dock

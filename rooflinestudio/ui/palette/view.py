"""The palette: search, then the operators by category; placed by dragging, double click or Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QStackedLayout,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.palette.delegate import PaletteDelegate
from rooflinestudio.ui.palette.model import CategoryItem, OperatorItem, PaletteModel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.ink import ink, repaint_all
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QKeyEvent

    from rooflinestudio.core.operators import Operator, OperatorOrigin
    from rooflinestudio.ui.theme import Theme

__all__ = ["OperatorTree", "PaletteView", "drag_pixmap"]

_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class OperatorTree(QTreeView):
    """The tree of operators. A heading opens and closes with a click; an operator can be dragged away as a copy.

    Signals
    -------
    placeRequested
        Id of the operator that was double-clicked or confirmed with Enter.
    leftUpwards
        The arrow key went up from the first row.
    """

    placeRequested = Signal(str)
    leftUpwards = Signal()

    def __init__(self, model: PaletteModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setObjectName("palette.tree")
        self.setAccessibleName("Operator palette")
        self.setModel(model)
        self.setItemDelegate(PaletteDelegate(self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font("tree"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setDefaultDropAction(Qt.DropAction.CopyAction)
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_double_clicked)

    def selected_operator(self) -> OperatorItem | None:
        """Return the operator of the current row, None on a heading."""
        item = self._model.item(self.currentIndex())
        return item if isinstance(item, OperatorItem) else None

    def startDrag(self, _actions: Qt.DropAction) -> None:
        item = self.selected_operator()
        if item is None:
            return
        drag = QDrag(self)
        drag.setMimeData(self._model.mimeData([self.currentIndex()]))
        picture = drag_pixmap(item.label, self.devicePixelRatioF())
        drag.setPixmap(picture)
        drag.setHotSpot(QPoint(10, 13))
        drag.exec(Qt.DropAction.CopyAction)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        item = self._model.item(index)
        if event.key() in _ENTER and isinstance(item, OperatorItem):
            self.placeRequested.emit(item.id)
            return
        if event.key() in (*_ENTER, Qt.Key.Key_Space) and isinstance(item, CategoryItem):
            self.setExpanded(index, not self.isExpanded(index))
            return
        if event.key() == Qt.Key.Key_Up and not self.indexAbove(index).isValid():
            self.leftUpwards.emit()
            return
        super().keyPressEvent(event)

    def _on_clicked(self, index: QModelIndex) -> None:
        if isinstance(self._model.item(index), CategoryItem):
            self.setExpanded(index, not self.isExpanded(index))

    def _on_double_clicked(self, index: QModelIndex) -> None:
        item = self._model.item(index)
        if isinstance(item, OperatorItem):
            self.placeRequested.emit(item.id)
        elif item is not None:  # the second click of the pair: undo what the first one's toggle began
            self.setExpanded(index, not self.isExpanded(index))


class _SearchField(QLineEdit):
    """Esc clears, Down and Enter lead into the tree."""

    leftDownwards = Signal()
    confirmed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.leftDownwards.emit()
        elif event.key() in _ENTER:
            self.confirmed.emit()
        else:
            super().keyPressEvent(event)


class PaletteView(QWidget):
    """Search field over the tree of operators.

    Signals
    -------
    placeRequested
        Id of an operator to be placed.
    """

    placeRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        set_role(self, "surface")
        self.model = PaletteModel(self)
        self.tree = OperatorTree(self.model)
        self.search = _SearchField()
        self._closed: set[str] = set()
        self._nothing = EmptyState(
            "No operators", "No plugin brings an operator. See the plugin page for what failed."
        )
        self._build()
        self.search.textChanged.connect(self._on_search_text_changed)
        self.search.leftDownwards.connect(self._enter_tree)
        self.search.confirmed.connect(self._on_search_confirmed)
        self.tree.leftUpwards.connect(self._on_tree_left_upwards)
        self.tree.placeRequested.connect(self.placeRequested)
        self.tree.collapsed.connect(self._on_tree_collapsed)
        self.tree.expanded.connect(self._on_tree_expanded)
        self._show_body()

    def _build(self) -> None:
        self.search.setObjectName("palette.search")
        self.search.setAccessibleName("Search operators")
        self.search.setPlaceholderText("Search operators")
        self.search.setFont(font("body"))
        self.search.setFixedHeight(26)
        self.search.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        top = QVBoxLayout()
        top.setContentsMargins(10, 8, 10, 6)
        top.addWidget(self.search)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        self._body = QStackedLayout()
        self._body.addWidget(self.tree)
        self._body.addWidget(self._nothing)
        layout.addLayout(self._body, 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 120)

    def set_operators(
        self,
        operators: Iterable[tuple[Operator, OperatorOrigin]],
        *,
        without_work: frozenset[str] = frozenset(),
    ) -> None:
        """Show these operators; headings that were closed stay closed."""
        self.model.set_operators(operators, without_work=without_work)
        self._show_body()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        repaint_all(self)

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _show_body(self) -> None:
        categories = self.model.categories
        self.tree.blockSignals(True)
        for row, category in enumerate(categories):
            is_open = bool(self.model.filter_text) or category.name not in self._closed
            self.tree.setExpanded(self.model.index(row, 0), is_open)
        self.tree.blockSignals(False)
        if categories:
            self._body.setCurrentWidget(self.tree)
            return
        if self.model.filter_text:
            text = self.search.text().strip()
            self._nothing.set_texts("Nothing found", f"No operator matches “{text}”. Esc clears the search.")
        else:
            self._nothing.set_texts(
                "No operators", "No plugin brings an operator. See the plugin page for what failed."
            )
        self._body.setCurrentWidget(self._nothing)

    def _on_search_text_changed(self, text: str) -> None:
        self.model.set_filter(text)
        self._show_body()

    def _enter_tree(self) -> None:
        index = self._first_operator()
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.setFocus(Qt.FocusReason.TabFocusReason)

    def _on_search_confirmed(self) -> None:
        item = self.model.item(self._first_operator())
        if self.model.filter_text and isinstance(item, OperatorItem):
            self.placeRequested.emit(item.id)

    def _first_operator(self) -> QModelIndex:
        return self.model.index(0, 0, self.model.index(0, 0))

    def _on_tree_left_upwards(self) -> None:
        self.search.setFocus(Qt.FocusReason.BacktabFocusReason)

    def _on_tree_collapsed(self, index: QModelIndex) -> None:
        self._remember(index, closed=True)

    def _on_tree_expanded(self, index: QModelIndex) -> None:
        self._remember(index, closed=False)

    def _remember(self, index: QModelIndex, *, closed: bool) -> None:
        item = self.model.item(index)
        if isinstance(item, CategoryItem) and not self.model.filter_text:
            (self._closed.add if closed else self._closed.discard)(item.name)


def drag_pixmap(label: str, ratio: float = 1.0) -> QPixmap:
    """Return the picture that follows the pointer: the operator's name on a small card."""
    width = round(metrics("name").horizontalAdvance(label)) + 24
    picture = QPixmap(round(width * ratio), round(26 * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = QRectF(0.5, 0.5, width - 1, 25)
    painter.setPen(ink("accent"))
    painter.setBrush(ink("surface"))
    painter.drawRoundedRect(rect, 5, 5)
    paint_text(painter, rect, label, "name", ink("text"), Qt.AlignmentFlag.AlignHCenter)
    painter.end()
    return picture

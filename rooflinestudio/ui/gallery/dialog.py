"""The gallery: all example studies with a picture and a line each, to search and to open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.core.examples import Example
from rooflinestudio.ui.gallery.cards import CardDelegate
from rooflinestudio.ui.gallery.model import ITEM, GalleryModel
from rooflinestudio.ui.gallery.thumbnails import Thumbnails
from rooflinestudio.ui.theme import LIGHT, set_role
from rooflinestudio.ui.widgets.empty import EmptyState

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.ui.theme import Theme

__all__ = ["GalleryDialog", "GalleryList"]

_TO_LIST = (Qt.Key.Key_Down, Qt.Key.Key_PageDown)


class GalleryList(QListView):
    """The cards, in rows as wide as the window allows, under headings that cannot be selected."""

    def __init__(self, delegate: CardDelegate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._delegate = delegate
        self.setItemDelegate(delegate)
        self.setViewMode(QListView.ViewMode.ListMode)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName("Examples")
        self.setFrameShape(QListView.Shape.NoFrame)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._delegate.width = max(self.viewport().width() - 4, 200)
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class GalleryDialog(QDialog):
    """Search field, cards, and a button that opens the selected one.

    Parameters
    ----------
    source, load_profile
        Operators (the plugin registry) and shipped machines by id, for the pictures; without them there are none.

    Signals
    -------
    exampleRequested
        The id of the example to open; the dialog closes with it.
    """

    exampleRequested = Signal(str)

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        source: Any = None,
        load_profile: Callable[[str], HardwareProfile] | None = None,
        theme: Theme = LIGHT,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Examples")
        self.setObjectName("gallery_dialog")
        self.resize(1060, 720)
        self.setMinimumSize(QSize(560, 420))
        self.model = GalleryModel(self)
        self.thumbnails = Thumbnails(source, load_profile, self)
        self._delegate = CardDelegate(self.thumbnails, self)
        self.list = GalleryList(self._delegate)
        self.list.setModel(self.model)
        self.search = self._made_search()
        self.empty = EmptyState("No example has these words", "Try fewer of them, or a figure's number.")
        self.pages = QStackedWidget()
        self.pages.addWidget(self.list)
        self.pages.addWidget(self.empty)
        self.open_button = QPushButton("Open")
        set_role(self.open_button, "primary")
        self.open_button.setDefault(True)
        self.open_button.clicked.connect(self.open_selected)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addLayout(self._head())
        column.addWidget(self.pages, 1)
        column.addLayout(self._buttons())
        self.list.doubleClicked.connect(lambda _index: self.open_selected())
        self.list.selectionModel().currentChanged.connect(lambda _new, _old: self._show_choice())
        self.thumbnails.ready.connect(self._repaint)
        self.set_theme(theme)
        self._select_first()
        self.search.setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Draw the cards in another theme."""
        self._delegate.theme = theme
        self.list.viewport().update()

    def select(self, example_id: str) -> None:
        """Select an example and scroll to it, if it is listed."""
        index = self.model.find(example_id)
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)

    def selected(self) -> str:
        """Return the id of the selected example, empty if there is none."""
        one = self.list.currentIndex().data(ITEM)
        return one.id if isinstance(one, Example) else ""

    def open_selected(self) -> None:
        """Ask for the selected example."""
        if id_ := self.selected():
            self.accept()
            self.exampleRequested.emit(id_)

    def done(self, result: int) -> None:
        self.thumbnails.stop()
        super().done(result)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # From the search field the arrows lead into the cards, and Enter opens the selected one.
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _TO_LIST:
                self.list.setFocus()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.open_selected()
                return True
        return super().eventFilter(watched, event)

    def _made_search(self) -> QLineEdit:
        search = QLineEdit()
        search.setPlaceholderText("Search: figure 7, attention, cache")
        search.setAccessibleName("Search the examples")
        search.setClearButtonEnabled(True)
        search.textChanged.connect(self._search)
        search.installEventFilter(self)
        return search

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        words = QLabel("Studies that redo the figures, tables and labs of two articles")
        set_role(words, "muted")
        self.search.setMinimumWidth(280)
        row.addWidget(words, 1)
        row.addWidget(self.search)
        return row

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.choice = QLabel()
        set_role(self.choice, "muted")
        row.addWidget(self.choice, 1)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.reject)
        row.addWidget(close)
        row.addWidget(self.open_button)
        return row

    def _search(self, text: str) -> None:
        self.model.search(text)
        self.pages.setCurrentWidget(self.list if self.model.examples else self.empty)
        self._select_first()

    def _select_first(self) -> None:
        index: QModelIndex = self.model.first()
        self.list.setCurrentIndex(index)
        self.list.scrollToTop()
        self._show_choice()

    def _show_choice(self) -> None:
        id_, count = self.selected(), len(self.model.examples)
        listed = f"{count} example{'' if count == 1 else 's'}"
        self.choice.setText(f"{listed} · rooflinestudio --example {id_}" if id_ else listed)
        self.open_button.setEnabled(bool(id_))

    def _repaint(self, example_id: str) -> None:
        index = self.model.find(example_id)
        if index.isValid():
            self.list.update(index)

"""The editor of machines: a window of its own beside the study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from rooflinestudio.core.profile_edit.notes import deleted_note
from rooflinestudio.ui.hardware_editor.document import EditorDocument
from rooflinestudio.ui.hardware_editor.facts import FactsPanel
from rooflinestudio.ui.hardware_editor.flow import MachineFlow
from rooflinestudio.ui.hardware_editor.handling import PageHandling
from rooflinestudio.ui.hardware_editor.head import EditorBar
from rooflinestudio.ui.hardware_editor.machine_tree import MachineTree
from rooflinestudio.ui.hardware_editor.page import EditorPage
from rooflinestudio.ui.hardware_editor.showing import MachineShowing
from rooflinestudio.ui.hardware_editor.telling import NoteTelling
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QResizeEvent, QShowEvent

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_edit.places import FigurePlace, Side
    from rooflinestudio.ui.hardware_editor.flow import Read
    from rooflinestudio.ui.hardware_editor.library import LibraryMachine

__all__ = ["EditorWindow"]

_WIDE_FROM_PX: Final = 1450
_SIDES_WIDE, _SIDES_NARROW = (232, 314), (214, 284)


class EditorWindow(QWidget):
    """Edits machines of the user's folder, shows all others, and makes copies of them.

    Parameters
    ----------
    read, folder, asker
        As of :class:`~rooflinestudio.ui.hardware_editor.flow.MachineFlow`.

    Attributes
    ----------
    document, flow
        The machine that is open, and the way of machines in and out.

    Signals
    -------
    profileSaved
        A profile was written into the user's folder.
    profileDeleted
        The file of the profile of an id was taken out of the user's folder.
    useInStudyRequested
        A profile is to be held against the study, or to replace the study's copy of it.
    """

    profileSaved = Signal(object)
    profileDeleted = Signal(str)
    useInStudyRequested = Signal(object)

    def __init__(self, *, read: Read, folder: Path, asker: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("hardware_editor")
        self.setWindowTitle("Hardware profiles")
        set_role(self, "surface")
        self.document = EditorDocument(self)
        self.flow = MachineFlow(self.document, read=read, folder=folder, asker=asker)
        self.bar, self.tree, self.page, self.facts = EditorBar(), MachineTree(), EditorPage(), FactsPanel()
        self.handling = PageHandling(self.page, self.document, self.flow)
        self.showing = MachineShowing(self, self.document, self.flow)
        self.telling = NoteTelling(self.page.notes, self.document)
        self._lay_out()
        self._connect_parts()
        self._add_keys()

    def sizeHint(self) -> QSize:
        return QSize(1600, 1000)

    def _lay_out(self) -> None:
        self.panes = QSplitter(Qt.Orientation.Horizontal)
        self.panes.setChildrenCollapsible(False)
        for at, one in enumerate((self.tree, self.page, self.facts)):
            self.panes.addWidget(one)
            self.panes.setStretchFactor(at, 1 if one is self.page else 0)
        self.tree.setMinimumWidth(170)
        self.page.setMinimumWidth(560)
        self.facts.setMinimumWidth(250)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.panes, 1)

    def _connect_parts(self) -> None:
        flow, page = self.flow, self.page
        showing, telling = self.showing, self.telling
        for one in (showing, telling):
            self.document.changed.connect(one.follow_document)
        for one in (telling, showing):
            flow.opened.connect(one.start_over)
        flow.libraryChanged.connect(showing.show_library)
        flow.saved.connect(self._on_flow_saved)
        flow.deleted.connect(self._on_flow_deleted)
        flow.failed.connect(telling.tell)
        self.tree.chosen.connect(flow.open_machine)
        self.bar.import_button.clicked.connect(self.import_file)
        self.bar.duplicate_button.clicked.connect(self.duplicate)
        self.bar.export_button.clicked.connect(flow.export)
        self.bar.delete_button.clicked.connect(flow.delete)
        self.bar.use_button.clicked.connect(self._on_use_clicked)
        page.figureChosen.connect(showing.choose_figure)
        page.save_button.clicked.connect(self.save)
        self.handling.told.connect(telling.tell)
        self.handling.takeRequested.connect(self._on_take_requested)
        self.facts.noteTyped.connect(self._on_note_typed)
        self.facts.removeRequested.connect(self.handling.remove)

    def _add_keys(self) -> None:
        stack = self.document.undo_stack
        for keys, handler in (
            ("Ctrl+Z", stack.undo), ("Ctrl+Shift+Z", stack.redo), ("Ctrl+Y", stack.redo), ("Ctrl+S", self.save),
            ("Ctrl+D", self.duplicate), ("Ctrl+O", self.import_file), ("Ctrl+E", self.flow.export),
            ("Ctrl+F", self.tree.search.setFocus), ("Ctrl+W", self.close),
        ):  # fmt: skip
            QShortcut(QKeySequence(keys), self).activated.connect(handler)

    # What there is ------------------------------------------------------------------------------------------------

    def set_library(self, machines: Iterable[LibraryMachine]) -> None:
        """List these machines."""
        self.flow.set_library(machines)

    def set_neighbours(self, profiles: Iterable[HardwareProfile]) -> None:
        """Hold machines against these in the self-check; machines that others were made from are found here too."""
        neighbours = tuple(profiles)
        self.flow.learn(neighbours)
        self.telling.set_neighbours(neighbours)

    def set_used(self, ids: frozenset[str]) -> None:
        """Say which machines the open study keeps copies of."""
        self.showing.set_used(ids)

    def open_machine(self, id_: str) -> None:
        """Open a machine of the list, after asking what to do with unsaved edits."""
        self.flow.open_machine(id_)

    def save(self) -> bool:
        """Write the machine into the user's folder, with what is being typed; tell whether that was done."""
        self._commit()
        return self.flow.save()

    def _commit(self) -> None:
        self.page.commit()
        self.facts.commit()

    def duplicate(self) -> None:
        """Make a machine of the user's own from the one that is open."""
        self.flow.duplicate()

    def import_file(self) -> None:
        """Ask for a profile file and show it as a machine of the user's own."""
        self.flow.import_file()

    def check(self) -> None:
        """Ask the self-check now; while somebody types it comes a moment later."""
        self.telling.check()

    # What is told on ----------------------------------------------------------------------------------------------

    def _on_flow_saved(self, profile: HardwareProfile) -> None:
        self.telling.tell_saved(profile, in_study=profile.id in self.showing.used)
        self.profileSaved.emit(profile)

    def _on_flow_deleted(self, id_: str) -> None:
        self.telling.tell(deleted_note())
        self.profileDeleted.emit(id_)

    def _on_note_typed(self, place: FigurePlace, side: Side, text: str) -> None:
        self.document.write(place, side, "note", text)

    def _on_use_clicked(self) -> None:
        if self.document.profile is not None:
            self.useInStudyRequested.emit(self.document.profile)

    def _on_take_requested(self, profile: HardwareProfile) -> None:
        self.telling.hush()
        self.useInStudyRequested.emit(profile)

    # The window ---------------------------------------------------------------------------------------------------

    def refresh_theme(self, _theme: object = None) -> None:
        """Take the colours of the theme now worn."""
        self.bar.refresh_theme()
        self.page.refresh_theme()
        self.facts.refresh_theme()
        repaint_all(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        width, before = event.size().width(), event.oldSize().width()
        if before < 0 or (width < _WIDE_FROM_PX) != (before < _WIDE_FROM_PX):
            left, right = _SIDES_NARROW if width < _WIDE_FROM_PX else _SIDES_WIDE
            self.panes.setSizes([left, width - left - right, right])
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.focusWidget() is None or self.focusWidget() is self.bar.import_button:
            self.tree.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._commit()
        event.setAccepted(self.flow.leave(lambda: None))

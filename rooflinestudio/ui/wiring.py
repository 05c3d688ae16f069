"""The one place where views meet the session: facts go down to the views, wishes come up from them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study import Pair
from rooflinestudio.ui.action_table import Key, When
from rooflinestudio.ui.comparison.view import ComparisonView
from rooflinestudio.ui.hardware.selector import MachineSelector
from rooflinestudio.ui.inspector.view import InspectorView
from rooflinestudio.ui.measured.view import MeasuredView
from rooflinestudio.ui.outline.view import OutlineView
from rooflinestudio.ui.palette.view import PaletteView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry
    from rooflinestudio.plugins.registry import Registry
    from rooflinestudio.ui.canvas.view import CanvasView
    from rooflinestudio.ui.main_window import MainWindow
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["Panels", "Wiring"]


class Panels:
    """The views of a window; the canvas comes later."""

    def __init__(self) -> None:
        self.machines = MachineSelector()
        self.palette = PaletteView()
        self.outline = OutlineView()
        self.inspector = InspectorView()
        self.comparison = ComparisonView()
        self.measured = MeasuredView()
        self.canvas: CanvasView | None = None

    @property
    def placed_views(self) -> tuple[Any, ...]:
        """Views that show the study."""
        views = (self.machines, self.outline, self.inspector, self.comparison, self.measured)
        return views if self.canvas is None else (*views, self.canvas)

    @property
    def all(self) -> tuple[Any, ...]:
        """All views."""
        return (self.palette, *self.placed_views)


class Wiring(QObject):
    """Connects one window's views with its session, both ways."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._panels = window.panels
        self._registry: Registry | None = None
        self._connect_session()
        self._connect_views()
        self._show_everything()

    # Facts: session to views ------------------------------------------------------------------------------------

    def _connect_session(self) -> None:
        session, stack = self._session, self._session.undo_stack
        session.studyChanged.connect(self._on_session_study_changed)
        session.selectionChanged.connect(self._on_session_selection_changed)
        session.machineChanged.connect(self._on_session_machine_changed)
        session.fileChanged.connect(self._on_session_file_changed)
        stack.indexChanged.connect(self.renew_actions)
        self._window.files.opened.connect(self._on_files_opened)
        self._window.files.saved.connect(self._on_files_saved)
        self._window.files.recentChanged.connect(self._fill_recent)
        self._window.imports.imported.connect(self._on_imports_imported)
        self._window.themes.themeChanged.connect(self._on_themes_theme_changed)

    def _on_session_study_changed(self, placed: PlacedStudy) -> None:
        for view in self._panels.placed_views:
            view.set_placed(placed)
        self._show_view_and_row()

    def _on_session_selection_changed(self, selection: Selection) -> None:
        for view in self._panels.placed_views:
            view.set_selection(selection)
        self._show_view_and_row()

    def _on_session_machine_changed(self, machine: str) -> None:
        for view in self._panels.placed_views:
            view.set_machine(machine)
        self._show_view_and_row()

    def _on_session_file_changed(self, path: str, modified: bool) -> None:
        window = self._window
        name = window.files.name
        window.top.show_file(name, modified=modified, path=path)
        window.status.show_file(path=path, modified=modified)
        window.setWindowTitle(f"{name}[*] – Roofline Studio")
        window.setWindowModified(modified)
        window.setWindowFilePath(path)
        self.renew_actions()

    def _on_themes_theme_changed(self, theme: Theme) -> None:
        for view in self._panels.all:
            view.set_theme(theme)
        self._window.settings.update(theme=theme.name)
        self.renew_actions()

    def _on_files_opened(self, _path: str) -> None:
        self._window.status.note_opened()

    def _on_files_saved(self, _path: str) -> None:
        self._window.status.note_saved()

    def _on_imports_imported(self, _digest: str) -> None:
        self._window.tabs.setCurrentWidget(self._panels.measured)

    def _show_everything(self) -> None:
        session = self._session
        for view in self._panels.placed_views:
            view.set_machine(session.machine)
            view.set_placed(session.placed)
            view.set_selection(session.selection)
        self._on_session_file_changed(session.path, session.is_modified)
        self._show_view_and_row()
        self._fill_recent()

    def _show_view_and_row(self) -> None:
        session, window = self._session, self._window
        window.top.view_bar.set_view(session.study.view, session.placed.profiles.get(session.machine))
        window.status.show_row(self._selected_row())
        self.renew_actions()

    def _selected_row(self) -> PlacedRow | None:
        selection = self._session.selection
        if not isinstance(selection, str):
            return None
        rows = self._session.placed.rows_of(selection)
        return next((one for one in rows if one.machine == self._session.machine), rows[0] if rows else None)

    def renew_actions(self, _index: int = 0) -> None:
        """Enable what can be done now, and name what would be undone."""
        actions, session = self._window.actions_, self._session
        stack, view = session.undo_stack, session.study.view
        actions.set_state(
            {
                When.CAN_UNDO: stack.canUndo(),
                When.CAN_REDO: stack.canRedo(),
                When.ENTRY_SELECTED: isinstance(session.selection, str),
                When.HAS_ENTRIES: bool(session.study.entries),
                When.SEVERAL_MACHINES: len(view.machines) > 1,
                When.CANVAS_READY: self._panels.canvas is not None,
            }
        )
        actions[Key.UNDO].setText(f"Undo: {stack.undoText()}" if stack.canUndo() else "Undo")
        actions[Key.REDO].setText(f"Redo: {stack.redoText()}" if stack.canRedo() else "Redo")
        for key, is_on in (
            (Key.POLICY_COMPULSORY, view.policy == "compulsory"),
            (Key.POLICY_TILED, view.policy == "tiled"),
            (Key.POLICY_MODELLED, view.policy == "modelled"),
            (Key.TOGGLE_FORECAST, view.forecast),
            (Key.TOGGLE_THEME, self._window.themes.theme.is_dark),
            (Key.SHOW_OPERATORS, not self._window.docks.palette.isHidden()),
            (Key.SHOW_OUTLINE, not self._window.docks.outline.isHidden()),
            (Key.SHOW_INSPECTOR, not self._window.docks.inspector.isHidden()),
            (Key.SHOW_TABS, not self._window.docks.tabs.isHidden()),
        ):
            actions[key].setChecked(is_on)

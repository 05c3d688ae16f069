"""From the session to the views: every fact that changes reaches whoever shows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.ui.action_table import Key, When

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.plugins.registry import Registry
    from rooflinestudio.ui.main_window import MainWindow
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["Wiring"]


class Wiring(QObject):
    """Connects one window's views with its session, both ways."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._panels = window.panels
        self._registry: Registry | None = None
        self._connect_session()
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
        for dock in self._window.docks.all:
            dock.visibilityChanged.connect(self._on_dock_visibility_changed)

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
        for view in (*self._panels.all, self._window.top):
            view.set_theme(theme)
        self._window.settings.update(theme=theme.name)
        self.renew_actions()

    def _on_files_opened(self, _path: str) -> None:
        self._window.status.note_opened()

    def _on_files_saved(self, _path: str) -> None:
        self._window.status.note_saved()

    def _on_imports_imported(self, _digest: str) -> None:
        self._window.tabs.setCurrentWidget(self._panels.measured)

    def _on_dock_visibility_changed(self, _visible: bool) -> None:
        self.renew_actions()

    def _show_everything(self) -> None:
        session = self._session
        for view in self._panels.placed_views:
            view.set_machine(session.machine)
            view.set_placed(session.placed)
            view.set_selection(session.selection)
        self._window.top.set_theme(self._window.themes.theme)
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

    def _fill_recent(self) -> None:
        menu = self._window.recent_menu
        menu.clear()
        for path in self._window.settings.settings.recent_files:
            action = menu.addAction(Path(path).name)
            action.setToolTip(path)
            action.setData(path)
        menu.setEnabled(not menu.isEmpty())

    # Plugins ----------------------------------------------------------------------------------------------------

    @property
    def operators(self) -> tuple[Operator, ...]:
        """Operators of all plugins, in the order of the palette."""
        return () if self._registry is None else self._registry.operators

    def take_registry(self, registry: Registry) -> None:
        """Show what plugins brought."""
        if registry is self._registry:
            return
        self._registry = registry
        pairs = [(one, registry.origin(one.id)) for one in registry.operators]
        self._panels.palette.set_operators(pairs, without_work=_without_work(registry))
        self._panels.inspector.set_source(registry)
        self._panels.machines.set_machines(registry.profiles)
        self._session.refresh(registry)


def _without_work(registry: Registry) -> frozenset[str]:
    """Return the operators that do no arithmetic with their defaults: the palette marks them with I = 0."""
    found = set()
    for operator in registry.operators:
        try:
            parameters = resolve_parameters(operator, {}, None)
            estimate = registry.estimate(operator, parameters, resolve_dtypes(operator, {}))
        except StudioError:
            continue
        if not estimate.parts and not any(estimate.work.values()):
            found.add(operator.id)
    return frozenset(found)

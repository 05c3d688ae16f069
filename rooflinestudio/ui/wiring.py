"""From the session to the views: every fact that changes reaches whoever shows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.core.selection import selected_entry
from rooflinestudio.ui.action_states import ActionStates

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.pairing.figures import KernelFigures
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.plugins.registry import Registry
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["Wiring"]


class Wiring(QObject):
    """Tells the views of one window what its session says."""

    def __init__(self, inside: Furnishing) -> None:
        super().__init__(inside)
        self._inside, self._window, self._frame = inside, inside.window, inside.frame
        self._session, self._panels = inside.session, inside.panels
        self._registry: Registry | None = None
        self._states = ActionStates(inside)
        self._workless: frozenset[str] = frozenset()
        self._front_was_named = False
        self._connect_session()
        for view in self._panels.placed_views:
            self.show_all_to(view)
        self._on_session_file_changed(self._session.path, self._session.is_modified)
        self._show_view_and_row()
        self._fill_recent()

    def _connect_session(self) -> None:
        session, inside, frame = self._session, self._inside, self._frame
        session.studyChanged.connect(self._on_session_study_changed)
        session.sourceChanged.connect(self._on_session_source_changed)
        session.selectionChanged.connect(self._on_session_selection_changed)
        session.markedChanged.connect(self._on_session_marked_changed)
        session.machineChanged.connect(self._on_session_machine_changed)
        session.fileChanged.connect(self._on_session_file_changed)
        session.undo_stack.indexChanged.connect(self._on_undo_stack_index_changed)
        inside.files.opened.connect(self._on_files_opened)
        inside.files.saved.connect(self._on_files_saved)
        inside.files.recentChanged.connect(self._fill_recent)
        frame.compactChanged.connect(self._on_frame_compact_changed)
        frame.themes.themeChanged.connect(self._on_themes_theme_changed)
        for dock in frame.docks.all:
            dock.visibilityChanged.connect(self._on_dock_visibility_changed)
        # A click turns the tick of an action over, also where it changed nothing.
        frame.actions.done.connect(self.renew_actions)
        self._window.closed.connect(self._on_window_closed)

    def _on_window_closed(self) -> None:
        # The end of an undo stack is a last change of its index, when nobody is there to hear of it.
        self._session.undo_stack.indexChanged.disconnect(self._on_undo_stack_index_changed)

    def show_all_to(self, view: Any) -> None:
        """Tell a view that has just come everything that it missed."""
        view.set_machine(self._session.machine)
        view.set_selection(self._session.selection)
        if hasattr(view, "set_marked"):
            view.set_marked(self._session.marked)
        view.set_placed(self._session.placed)
        self._tell_room(view)
        self.renew_actions()

    def _on_frame_compact_changed(self, _compact: bool) -> None:
        for view in self._panels.all:
            self._tell_room(view)

    def _tell_room(self, view: Any) -> None:
        if (
            hasattr(view, "set_compact") and view is not self._panels.machines
        ):  # the top bar tells those in it
            view.set_compact(self._frame.is_compact)

    def show_source_to(self, view: Any) -> None:
        """Give a view that asks operators itself their source."""
        if hasattr(view, "set_source"):
            view.set_source(self._session.source)

    def show_front(self) -> None:
        """Bring the tab to the front that the study names.

        Without a name the canvas is seen, and the first tab where the one in front was another study's choice.
        """
        if not self._panels.has_tabs:
            return
        front = self._session.study.panels.get("front", {})
        name = str(front.get("tab"))
        named = name in self._panels.tabs
        if named or self._front_was_named:
            self.show_tab(name if named else next(iter(self._panels.tabs)))
        self._front_was_named = named
        self._frame.tabs.fill_centre(named and front.get("fills") is True)

    def show_tab(self, name: str) -> None:
        """Bring a tab to the front."""
        self._frame.show_tabs()
        self._frame.tabs.setCurrentWidget(self._panels.tabs[name])

    # What changes -----------------------------------------------------------------------------------------------

    def _on_session_study_changed(self, placed: PlacedStudy) -> None:
        for view in self._panels.placed_views:
            view.set_placed(placed)
        self._show_view_and_row()

    def _on_session_selection_changed(self, selection: Selection) -> None:
        for view in self._panels.placed_views:
            view.set_selection(selection)
        self._show_view_and_row()

    def _on_session_marked_changed(self, marked: tuple[str, ...]) -> None:
        for view in self._panels.placed_views:
            if hasattr(view, "set_marked"):
                view.set_marked(marked)
        self.renew_actions()

    def _on_session_machine_changed(self, machine: str) -> None:
        for view in self._panels.placed_views:
            view.set_machine(machine)
        self._show_view_and_row()

    def _on_session_file_changed(self, path: str, modified: bool) -> None:
        window, frame, name = self._window, self._frame, self._inside.files.name
        frame.top.show_file(name, modified=modified, path=path)
        frame.status.show_file(path=path, modified=modified)
        window.setWindowTitle(f"{name}[*] – Roofline Studio")
        window.setWindowModified(modified)
        self.renew_actions()

    def _on_undo_stack_index_changed(self, _index: int) -> None:
        self.renew_actions()

    def _on_themes_theme_changed(self, theme: Theme) -> None:
        for view in (*self._panels.all, self._frame.top):
            view.set_theme(theme)
        self._window.settings.update(theme=theme.name)
        self.renew_actions()

    def _on_files_opened(self, _path: str) -> None:
        self._frame.status.note_opened()
        self.show_front()
        if self._panels.has_canvas:
            self._panels.canvas.invite()

    def _on_files_saved(self, _path: str) -> None:
        self._frame.status.note_saved()

    def _on_dock_visibility_changed(self, _visible: bool) -> None:
        self.renew_actions()

    def _fill_recent(self) -> None:
        menu = self._frame.recent_menu
        menu.clear()
        for path in self._window.settings.settings.recent_files:
            action = menu.addAction(Path(path).name)
            action.setToolTip(path)
            action.setData(path)
        menu.setEnabled(not menu.isEmpty())

    # What follows from it ---------------------------------------------------------------------------------------

    def _show_view_and_row(self) -> None:
        session = self._session
        profile = session.placed.profiles.get(session.machine)
        self._panels.view_bar.set_view(session.study.view, profile)
        kernel = self._selected_kernel()
        if kernel is not None:
            self._frame.status.show_kernel(kernel)
        else:
            self._frame.status.show_row(self._selected_row())
        self.renew_actions()

    def _selected_row(self) -> PlacedRow | None:
        selection = selected_entry(self._session.selection)
        return None if selection is None else self.row_of(selection)

    def row_of(self, entry_id: str) -> PlacedRow | None:
        """Return an entry on the machine of the strong roof, else on its first."""
        rows = self._session.placed.rows_of(entry_id)
        return next((one for one in rows if one.machine == self._session.machine), rows[0] if rows else None)

    def _selected_kernel(self) -> KernelFigures | None:
        selection = self._session.selection
        if not isinstance(selection, tuple):
            return None
        kind, digest, index = selection
        if kind != "measured":
            return None
        overlay = next((one for one in self._session.study.overlays if one.digest == digest), None)
        if overlay is None or not 0 <= index < len(overlay):
            return None
        from rooflinestudio.core.pairing.figures import kernel_figures

        return kernel_figures(self._session.placed, overlay, index, self._session.machine)

    def renew_actions(self) -> None:
        """Enable what can be done now, check what is on, and name what would be undone."""
        self._states.renew()

    # Plugins ----------------------------------------------------------------------------------------------------

    @property
    def operators(self) -> tuple[Operator, ...]:
        """Operators of all plugins, in the order of the palette."""
        return () if self._registry is None else self._registry.operators

    def take_registry(self, registry: Registry) -> None:
        """Show what plugins brought."""
        self._panels.machines.set_machines(registry.profiles)
        self._session.refresh(registry)

    def _on_session_source_changed(self, source: Any) -> None:
        """Offer what can be placed now: plugins came, or the study has kernels of its own."""
        known, self._registry = self._registry, source
        if (
            known is None or known.operators is not source.operators
        ):  # chains of a study are not in the palette
            self._fill_palette(self._workless)
        for view in self._panels.all:
            self.show_source_to(view)

    def mark_without_work(self) -> None:
        """Mark the operators of the palette that do no arithmetic; asking all of them takes a moment."""
        if self._registry is not None:
            self._workless = _without_work(self._registry)
            self._fill_palette(self._workless)

    def _fill_palette(self, without_work: frozenset[str]) -> None:
        registry = self._registry
        if registry is not None:
            pairs = [(one, registry.origin(one.id)) for one in registry.operators]
            self._panels.palette.set_operators(pairs, without_work=without_work)


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

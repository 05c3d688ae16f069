"""What each action does; every key of the table has one line here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from rooflinestudio.core.judged import BOTH_ROOFS
from rooflinestudio.core.placement import ALL
from rooflinestudio.ui.action_states import has_both_roofs
from rooflinestudio.ui.action_table import ACTIONS, Key
from rooflinestudio.ui.actions import key_text
from rooflinestudio.ui.exporting import Exporting
from rooflinestudio.ui.fuzzy import PaletteItem
from rooflinestudio.ui.reporting.writing import ReportWriting
from rooflinestudio.ui.study_commands import StudyCommands

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QDockWidget

    from rooflinestudio.ui.furnishing import Furnishing

__all__ = ["Commands"]

TABS: Final = {
    Key.TAB_COMPARE: "compare",
    Key.TAB_FUSION: "fusion",
    Key.TAB_BUDGET: "budget",
    Key.TAB_SWEEP: "sweep",
    Key.TAB_SERVING: "serving",
    Key.TAB_DIAGNOSIS: "diagnosis",
    Key.TAB_MACHINES: "machines",
}


HARDWARE: Final = (
    Key.EDIT_MACHINES,
    Key.IMPORT_PROFILE,
    Key.EXPORT_PROFILE,
    Key.CEILINGS_FILE,
    Key.SCALE_CLOCK,
    Key.MEASURE_MACHINE,
)
"""Actions on machines; what does them comes after the canvas."""


class Commands(QObject):
    """The handlers of all actions of a window, and what the command palette offers."""

    def __init__(self, inside: Furnishing) -> None:
        super().__init__(inside)
        self._inside, self._session = inside, inside.session
        self._window, self._frame = inside.window, inside.frame
        self.exporting = Exporting(inside)
        self.reporting = ReportWriting(inside)
        inside.frame.actions.connect_all(self._handlers())

    # The command palette ----------------------------------------------------------------------------------------

    def palette_items(self) -> list[PaletteItem]:
        """Return every action and every operator, as they are now."""
        items = []
        for info in ACTIONS:
            action = self._frame.actions[info.key]
            title = action.text().rstrip("…").replace("&", "")
            items.append(
                PaletteItem(
                    f"action:{info.key.value}",
                    title,
                    info.menu.word,
                    key_text(info),
                    info.icon,
                    info.tip,
                    action.isEnabled(),
                )
            )
        for operator in self._inside.wiring.operators:
            words = f"{operator.id} {operator.summary}"
            items.append(
                PaletteItem(
                    f"operator:{operator.id}", operator.label, operator.category, "place", "plus", words
                )
            )
        return items

    def run(self, id_: str) -> None:
        """Do what a row of the command palette says."""
        kind, _, name = id_.partition(":")
        if kind == "action":
            self._frame.actions[name].trigger()
        else:
            self._inside.wishes.place(name)

    # The handlers -----------------------------------------------------------------------------------------------

    def _handlers(self) -> Mapping[Key, Callable[[], object]]:
        window, frame, files = self._window, self._frame, self._inside.files
        wishes, docks = self._inside.wishes, frame.docks
        return {
            Key.NEW: files.new,
            Key.OPEN: files.open,
            Key.OPEN_EXAMPLE: window.exampleRequested.emit,
            Key.EXAMPLES: window.examplesRequested.emit,
            Key.PLACE_SHAPES: self.place_shapes,
            Key.SAVE: files.save,
            Key.SAVE_AS: files.save_as,
            Key.EXPORT_PICTURE: self.exporting.export_picture,
            Key.EXPORT_TABLE: self.exporting.export_table,
            Key.WRITE_REPORT: self.reporting.write,
            Key.CLOSE: window.close,
            Key.UNDO: self._session.undo_stack.undo,
            Key.REDO: self._session.undo_stack.redo,
            Key.FIND_ACTION: self._find_action,
            Key.FIND_OPERATOR: self._find_operator,
            Key.FIT: wishes.fit,
            Key.ZOOM_IN: wishes.zoom_in,
            Key.ZOOM_OUT: wishes.zoom_out,
            Key.TOGGLE_THEME: self._toggle_theme,
            Key.SHOW_OPERATORS: partial(_toggle, docks.palette),
            Key.SHOW_OUTLINE: partial(_toggle, docks.outline),
            Key.SHOW_INSPECTOR: partial(_toggle, docks.inspector),
            Key.SHOW_TABS: self._toggle_tabs,
            **{key: partial(self._inside.wiring.show_tab, name) for key, name in TABS.items()},
            Key.FILL_CENTRE: self._fill_centre,
            Key.EXPLORE: self._explore,
            Key.BOTH_ROOFS: self._toggle_both_roofs,
            Key.RESET_LAYOUT: frame.reset_layout,
            **StudyCommands(self._inside).handlers(),
            Key.NEXT_BOUNDARY: self._next_boundary,
            Key.PREVIOUS_BOUNDARY: self._previous_boundary,
            Key.TOGGLE_FORECAST: self._toggle_forecast,
            Key.ADD_MACHINE: self._inside.panels.machines.open_list,
            Key.HIDE_MACHINE: self._hide_machine,
            **{key: partial(window.hardwareRequested.emit, key.value) for key in HARDWARE},
            Key.NEXT_MACHINE: self._next_machine,
            Key.PREVIOUS_MACHINE: self._previous_machine,
            Key.IMPORT: self._import,
            Key.SHOW_MEASURED: partial(self._inside.wiring.show_tab, "measured"),
            Key.PAIR: self._inside.pair_wishes.choose_for_selected,
            Key.UNPAIR: self._inside.pair_wishes.unpair_selected,
            Key.PLUGINS: window.pluginsRequested.emit,
            Key.SAFE_MODE: window.safeModeRequested.emit,
            Key.KEYBOARD: self._show_keyboard,
            Key.ABOUT: self._show_about,
        }

    def _find_action(self) -> None:
        self._inside.command_palette.open()

    def _toggle_tabs(self) -> None:
        self._frame.tabs.fill_centre(False)  # they are hidden under the canvas, so that it comes back
        _toggle(self._frame.docks.tabs)

    def _fill_centre(self) -> None:
        self._frame.tabs.fill_centre(not self._frame.tabs.fills_centre)

    def _explore(self) -> None:
        on = bool(self._session.study.panels.get("probe", {}).get("on", False))
        self._session.change_panel("Explore the roofline", "probe", {"on": None if on else True})

    def _toggle_both_roofs(self) -> None:
        both = not has_both_roofs(self._session)
        self._session.change_panel("Draw roofs", "canvas", {BOTH_ROOFS: "both" if both else "used"})

    def _toggle_theme(self) -> None:
        self._window.setUpdatesEnabled(False)
        self._frame.themes.toggle()
        self._window.setUpdatesEnabled(True)

    def _find_operator(self) -> None:
        self._frame.docks.palette.show()
        self._frame.docks.palette.raise_()
        self._inside.panels.palette.focus_search()

    def _import(self) -> None:
        paths = self._inside.asker.files_to_import(self._inside.files.folder())
        if paths:
            self._inside.imports.start(paths)

    def place_shapes(self, path: str = "") -> None:
        """Make placements of a table of shapes, which is asked for if it is not given."""
        from rooflinestudio.ui.importing.shapes_flow import open_shapes

        open_shapes(self._inside, path)

    def _show_keyboard(self) -> None:
        from rooflinestudio.ui.dialogs import KeyboardPage

        KeyboardPage(self._window).open()

    def _show_about(self) -> None:
        from rooflinestudio.ui.dialogs import show_about

        show_about(self._window)

    # The view ---------------------------------------------------------------------------------------------------

    def _toggle_forecast(self) -> None:
        self._session.change_view("Change model", forecast=not self._session.study.view.forecast)

    def _next_boundary(self) -> None:
        self._step_boundary(1)

    def _previous_boundary(self) -> None:
        self._step_boundary(-1)

    def _step_boundary(self, step: int) -> None:
        profile = self._session.placed.profiles.get(self._session.machine)
        if profile is None:
            return
        circle = [*profile.boundaries, ALL]
        now = self._session.study.view.boundary
        at = circle.index(now) if now in circle else circle.index("dram") if "dram" in circle else 0
        self._session.change_view("Change boundary", boundary=circle[(at + step) % len(circle)])

    def _hide_machine(self) -> None:
        if self._session.machine:
            self._session.remove_machine(self._session.machine)

    def _next_machine(self) -> None:
        self._step_machine(1)

    def _previous_machine(self) -> None:
        self._step_machine(-1)

    def _step_machine(self, step: int) -> None:
        machines = self._session.study.view.machines
        if machines:
            at = machines.index(self._session.machine)
            self._session.select_machine(machines[(at + step) % len(machines)])


def _toggle(dock: QDockWidget) -> None:
    dock.setVisible(dock.isHidden())

"""Which actions can be done now, which are on, and what those say whose words change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.judged import BOTH_ROOFS, shows_both_roofs
from rooflinestudio.core.selection import selected_entry
from rooflinestudio.ui.action_table import Key, When

if TYPE_CHECKING:
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.session import Session

__all__ = ["ActionStates", "has_both_roofs"]


class ActionStates:
    """Renews the actions of one window, and touches them only where something changed."""

    def __init__(self, inside: Furnishing) -> None:
        self._inside, self._session, self._frame = inside, inside.session, inside.frame
        self._told: tuple[object, ...] = ()

    def renew(self) -> None:
        """Enable what can be done now, check what is on, and name what would be undone."""
        session, stack = self._session, self._session.undo_stack
        enabled, checked = self._enabled(), self._checked()
        chain = "Fuse into a chain" if session.marked else "New chain…"
        told = (tuple(enabled.values()), tuple(checked.values()), stack.undoText(), stack.redoText(), chain)
        if told != self._told:
            self._told = told
            actions = self._frame.actions
            actions.set_state(enabled)
            actions[Key.UNDO].setText(f"Undo: {stack.undoText()}" if stack.canUndo() else "Undo")
            actions[Key.REDO].setText(f"Redo: {stack.redoText()}" if stack.canRedo() else "Redo")
            actions[Key.NEW_CHAIN].setText(chain)
        for key, is_on in checked.items():  # a click turns the tick over also where it changed nothing
            self._frame.actions[key].setChecked(is_on)

    def _enabled(self) -> dict[When, bool]:
        session, panels = self._session, self._inside.panels
        stack, study = session.undo_stack, session.study
        return {
            When.CAN_UNDO: stack.canUndo(),
            When.CAN_REDO: stack.canRedo(),
            When.ENTRY_SELECTED: selected_entry(session.selection) is not None,
            When.HAS_ENTRIES: bool(study.entries),
            When.SEVERAL_MACHINES: len(study.view.machines) > 1,
            When.KERNEL_SELECTED: self._inside.pair_wishes.selected is not None,
            When.KERNEL_PAIRED: self._inside.pair_wishes.can_unpair,
            When.CANVAS_READY: panels.has_canvas,
            When.BOTH_ROOFS_KNOWN: has_both_roofs(session, "both"),
            When.TABS_READY: panels.has_tabs,
        }

    def _checked(self) -> dict[Key, bool]:
        session, frame = self._session, self._frame
        docks, view = frame.docks, session.study.view
        return {
            Key.POLICY_COMPULSORY: view.policy == "compulsory",
            Key.POLICY_TILED: view.policy == "tiled",
            Key.POLICY_MODELLED: view.policy == "modelled",
            Key.TOGGLE_FORECAST: view.forecast,
            Key.TOGGLE_THEME: frame.themes.theme.is_dark,
            Key.SHOW_OPERATORS: not docks.palette.isHidden(),
            Key.SHOW_OUTLINE: not docks.outline.isHidden(),
            Key.SHOW_INSPECTOR: not docks.inspector.isHidden(),
            Key.SHOW_TABS: frame.tabs.fills_centre or not docks.tabs.isHidden(),
            Key.FILL_CENTRE: frame.tabs.fills_centre,
            Key.BOTH_ROOFS: has_both_roofs(session),
            Key.EXPLORE: bool(session.study.panels.get("probe", {}).get("on", False)),
        }


def has_both_roofs(session: Session, setting: str | None = None) -> bool:
    """Tell whether the strong machine has a second roof drawn, as the study says or under another setting."""
    placed = session.placed
    profile = placed.profiles.get(session.machine)
    if profile is None or not profile.boundaries:
        return False
    boundary = placed.study.view.boundary
    at = str(boundary) if boundary in profile.boundaries else "dram"
    return shows_both_roofs(setting or placed.study.panels.get("canvas", {}).get(BOTH_ROOFS), profile, at)

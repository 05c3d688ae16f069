"""The machine that is open, as the parts of the window show it: page, facts, list, and what the bar offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from rooflinestudio.core.profile_edit.changes import base_words
from rooflinestudio.core.profile_edit.places import FigurePlace
from rooflinestudio.ui.hardware_editor.table_model import IN_USE

if TYPE_CHECKING:
    from rooflinestudio.core.profile_edit.places import Side
    from rooflinestudio.ui.hardware_editor.document import EditorDocument
    from rooflinestudio.ui.hardware_editor.flow import MachineFlow
    from rooflinestudio.ui.hardware_editor.window import EditorWindow

__all__ = ["MachineShowing"]

_BADGES: Final = {"mine": ("yours", "accent"), "shipped": ("shipped", "neutral")}
_COPIES: Final = "Each study keeps its own copy of the profile; saving here changes none of them."


class MachineShowing(QObject):
    """Keeps the parts of a window true to its document.

    Attributes
    ----------
    used
        Ids of the machines that the open study keeps copies of.
    """

    def __init__(self, window: EditorWindow, document: EditorDocument, flow: MachineFlow) -> None:
        super().__init__(window)
        self._window, self._document, self._flow = window, document, flow
        self._bar, self._tree, self._page, self._facts = window.bar, window.tree, window.page, window.facts
        self._figure: tuple[FigurePlace, Side] | None = None
        self.used: frozenset[str] = frozenset()

    def set_used(self, ids: frozenset[str]) -> None:
        """Say which machines the open study keeps copies of."""
        self.used = ids
        self._show_use()

    def choose_figure(self, place: FigurePlace, side: Side) -> None:
        """Show a figure in full."""
        self._figure = (place, side)
        self._show_facts()

    def start_over(self) -> None:
        """Begin with a machine that was just opened: at the top, with its reference ceiling."""
        profile = self._document.profile
        if profile is None:
            return
        self._figure = None
        self._page.area.verticalScrollBar().setValue(0)
        self._page.ceilings.go_to(FigurePlace("ceilings", profile.reference_ceiling), IN_USE)

    def follow_document(self) -> None:
        """Show the document as it is now."""
        document, draft = self._document, self._document.draft
        if draft is None:
            return
        locked = document.is_locked
        self._page.show_draft(draft, locked=locked)
        badge = _BADGES.get(document.home, (self._flow.plugin or "plugin", "accent"))
        base = base_words(draft.profile, document.base)
        self._page.head.show_machine(draft.profile.name, badge, base, locked=locked)
        self._page.save_button.setEnabled(document.can_save)
        self._page.revert_button.setEnabled(document.can_revert)
        self._window.setWindowTitle(f"{draft.profile.name}[*] – Hardware profiles")
        self._window.setWindowModified(document.is_modified)
        if document.is_new:
            self.show_library()
        self._figure = self._page.current_figure() or self._figure
        self._show_facts()
        self._show_use()

    def show_library(self) -> None:
        """List the machines that there are, and mark the one that is open."""
        profile = self._document.profile
        self._tree.set_machines(self._flow.machines)
        self._tree.set_current(profile.id if profile is not None else "")

    def _show_facts(self) -> None:
        profile = self._document.profile
        if profile is not None:
            self._facts.show_figure(profile, self._figure, locked=self._document.is_locked)

    def _show_use(self) -> None:
        profile = self._document.profile
        if profile is not None:
            used = profile.id in self.used
            self._facts.show_use(f"Used by the open study. {_COPIES}" if used else _COPIES)
            self._bar.use_button.setVisible(not used and not self._document.is_modified)
            self._bar.delete_button.setVisible(not self._document.is_locked and not self._document.is_new)

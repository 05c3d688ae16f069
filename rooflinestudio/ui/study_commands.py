"""What the actions on the selected entry, or on all that are marked, do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.selection import selected_entry
from rooflinestudio.ui.action_table import Key
from rooflinestudio.ui.marking import duplicate_all, fuse_entries, show_or_hide

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.variants.menu import VarySubject

__all__ = ["StudyCommands"]


class StudyCommands(QObject):
    """The handlers of the study menu, where they need more than the session."""

    def __init__(self, inside: Furnishing) -> None:
        super().__init__(inside)
        self._inside, self._session, self._frame = inside, inside.session, inside.frame

    def handlers(self) -> Mapping[Key, Callable[[], object]]:
        """Return what each action does."""
        change_view = self._session.change_view
        return {
            Key.NEW_KERNEL: self._new_kernel,
            Key.NEW_CHAIN: self._new_chain,
            Key.DUPLICATE: self._duplicate,
            Key.VARY: self._vary,
            Key.RENAME: self._rename,
            Key.GROUP: self._group,
            Key.DELETE: self._delete,
            Key.TOGGLE_VISIBLE: self._toggle_visible,
            Key.POLICY_COMPULSORY: partial(change_view, "Change policy", policy="compulsory"),
            Key.POLICY_TILED: partial(change_view, "Change policy", policy="tiled"),
            Key.POLICY_MODELLED: partial(change_view, "Change policy", policy="modelled"),
        }

    def _new_kernel(self) -> None:
        from rooflinestudio.ui.kernel_page import open_kernel_dialog

        open_kernel_dialog(self._inside)

    def _new_chain(self) -> None:
        """Put a chain on the bench: of all that are marked, else of the selected one, else six operators to fuse."""
        from rooflinestudio.core.bench_chains import chain_of_rows, example

        if self._session.marked:
            fuse_entries(self._inside, self._session.marked)
            return
        row = None if (id_ := self._selected()) is None else self._inside.wiring.row_of(id_)
        try:
            chain = example("split") if row is None else chain_of_rows((row,), self._session.source)
        except StudioError:  # nothing that a chain can begin with
            chain = example("split")
        self._inside.wiring.show_tab("fusion")
        self._inside.panel_wishes.new_chain(chain.spec, chain.parameters, chain.dtypes, chain.label)

    def _vary(self) -> None:
        """Open the menu of variants over the outline."""
        from rooflinestudio.ui.variants.menu import VaryMenu

        menu = VaryMenu(self._to_be_varied, self._frame.window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._inside.panel_wishes.connect_view(menu)
        menu.popup(self._frame.docks.outline.mapToGlobal(QPoint(20, 40)))

    def _to_be_varied(self) -> VarySubject | None:
        from rooflinestudio.ui.variants.menu import subject_of

        session = self._session
        return subject_of(session.placed, session.source, session.selection, session.machine)

    def _selected(self) -> str | None:
        return selected_entry(self._session.selection)

    def _duplicate(self) -> None:
        if self._session.chosen:
            duplicate_all(self._session, self._session.chosen)

    def _rename(self) -> None:
        if (id_ := self._selected()) is not None:
            self._frame.docks.outline.show()
            self._frame.docks.outline.raise_()
            self._inside.panels.outline.start_rename(id_)

    def _group(self) -> None:
        """Put all that are meant into a group of their own, and ask for its name."""
        if self._session.chosen:
            self._frame.docks.outline.show()
            self._frame.docks.outline.raise_()
            self._inside.panels.outline.request_new_group(self._session.chosen)

    def _delete(self) -> None:
        if self._session.chosen:
            self._session.remove(self._session.chosen)

    def _toggle_visible(self) -> None:
        if self._session.chosen:
            show_or_hide(self._session, self._session.chosen)

"""From the views beside the canvas to the session: whichever of these wishes a view has, it is done here.

Each signal is connected where a view has it, so that a view needs no word anywhere else.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.machines.panel import with_factors, with_what_if_shown
from rooflinestudio.core.study_edits import (
    chain_changed,
    chain_recut,
    chain_variant,
    with_new_chain,
    with_variant,
)
from rooflinestudio.ui.marking import fuse_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rooflinestudio.core.fusion_notation import ChainSpec
    from rooflinestudio.core.study import Entry
    from rooflinestudio.ui.furnishing import Furnishing

__all__ = ["PanelWishes"]


class PanelWishes(QObject):
    """What the panels of one window ask for, each wish as one edit."""

    def __init__(self, inside: Furnishing) -> None:
        super().__init__(inside)
        self._inside, self._session = inside, inside.session

    def connect_view(self, view: Any) -> None:
        """Connect every wish that a view has."""
        for name, done in self._slots().items():
            signal = getattr(view, name, None)
            if signal is not None:
                signal.connect(done)

    def _slots(self) -> Mapping[str, Callable[..., object]]:
        session = self._session
        return {
            "selectRequested": session.select,
            "markRequested": session.mark,
            "fuseRequested": partial(fuse_entries, self._inside),
            "machineRequested": session.select_machine,
            "gestureEnded": session.end_gesture,
            "copied": self._on_copied,
            "exportRequested": self._on_export_requested,
            "placeRequested": self._inside.wishes.place,
            "panelRequested": self._on_panel_requested,
            "parameterRequested": self._on_parameter_requested,
            "dtypesRequested": self._on_dtypes_requested,
            "visibleRequested": self._on_visible_requested,
            "absorptionRequested": self._on_absorption_requested,
            "variantRequested": self._on_variant_requested,
            "entriesRequested": self._on_entries_requested,
            "partPlaceRequested": self._on_part_place_requested,
            "newChainRequested": self.new_chain,
            "chainRequested": self._on_chain_requested,
            "chainCutsRequested": self._on_chain_cuts_requested,
            "chainVariantRequested": self._on_chain_variant_requested,
            "machineAddRequested": self._on_machine_add_requested,
            "whatIfRequested": self._on_what_if_requested,
            "whatIfShownRequested": self._on_what_if_shown_requested,
        }

    def _on_copied(self, what: str) -> None:
        self._inside.notices.tell("info", "Copied", what)

    def _on_export_requested(self, name: str, text: str) -> None:
        self._inside.commands.exporting.export_text(name, text)

    def _on_panel_requested(
        self, text: str, panel: str, changes: Mapping[str, Any], dragging: bool = False
    ) -> None:
        self._session.change_panel(text, panel, changes, dragging=dragging)

    def _on_parameter_requested(self, id_: str, name: str, value: object, dragging: bool = False) -> None:
        names = name.split("=")
        if len(names) == 1:
            self._session.set_parameter(id_, name, value, dragging=dragging)
            return
        entry = self._session.study.entry(id_)  # tied: m=n=k
        parameters = {**entry.parameters, **dict.fromkeys(names, value)}
        merge = ("parameter", id_, name) if dragging else None
        self._session.change_entry(id_, f"Change {name}", merge=merge, parameters=parameters)

    def _on_dtypes_requested(self, id_: str, dtypes: Mapping[str, str]) -> None:
        self._session.change_entry(id_, "Change formats", dtypes=dict(dtypes))

    def _on_visible_requested(self, id_: str, visible: bool) -> None:
        self._session.change_entry(id_, "Show" if visible else "Hide", visible=visible)

    def _on_absorption_requested(self, id_: str, value: float) -> None:
        # Absorption counts only where traffic is modelled.
        self._session.change_entry(id_, "Set absorption", policy="modelled", absorption=value)

    # Machines ---------------------------------------------------------------------------------------------------

    def _on_machine_add_requested(self, id_: str) -> None:
        """Show a machine, or, without an id, let one be chosen."""
        if id_:
            self._inside.machineAddRequested.emit(id_)
        else:
            self._inside.panels.machines.open_list()

    def _on_what_if_requested(self, machine: str, factors: Mapping[str, float], dragging: bool) -> None:
        profile = self._session.placed.profiles[machine]
        merge = ("what if", machine) if dragging else None
        self._session.edit("What if", with_factors(self._session.study, profile, factors), merge=merge)

    def _on_what_if_shown_requested(self, machine: str, shown: bool) -> None:
        profile = self._session.placed.profiles[machine]
        text = f"{'Show' if shown else 'Hide'} {profile.short_name}, what if"
        self._session.edit(text, with_what_if_shown(self._session.study, profile, shown=shown))

    # Variants ---------------------------------------------------------------------------------------------------

    def _on_variant_requested(self, entry: Entry, words: str) -> None:
        """Place a variant behind its entry; a machine that is not shown yet comes along."""
        study, id_ = with_variant(self._session.study, entry)
        base = study.entry(id_).variant_of
        own = study.entry(base).machines if base is not None and study.has_entry(base) else ()
        for machine in entry.machines or ():
            if machine not in study.view.machines and machine not in (own or ()):
                profile = study.profiles.get(machine) or self._session.source.load_profile(machine)
                study = study.with_profile(profile)
        self._session.edit_and_select(f"Try: {words}", (study, id_))

    def _on_entries_requested(self, text: str, entries: Iterable[Entry]) -> None:
        """Place several entries at once; those without a colour slot of their own take the next free ones."""
        study, id_ = self._session.study, ""
        for entry in entries:
            id_ = study.next_id(entry.operator)
            study = study.adding(replace(entry, id=id_, slot=study.next_slot()))
        if id_:
            self._session.edit_and_select(text, (study, id_))

    def _on_part_place_requested(self, id_: str, index: int) -> None:
        from rooflinestudio.core.budget_choice import entry_of_part

        rows = self._session.placed.rows_of(id_)
        row = next((one for one in rows if one.machine == self._session.machine), rows[0] if rows else None)
        if row is None or row.placement is None:
            return
        try:
            entry = entry_of_part(row, index, self._session.source)
        except (StudioError, ValueError) as error:
            self._inside.notices.tell("warn", "The part was not placed", str(error))
            return
        self._on_entries_requested(f"Place {entry.label}", (entry,))

    # Chains -----------------------------------------------------------------------------------------------------

    def new_chain(
        self, spec: ChainSpec, parameters: Mapping[str, Any], dtypes: Mapping[str, str], label: str
    ) -> None:
        """Place a chain of its own, and select it."""
        made = with_new_chain(self._session.study, spec, parameters=parameters, dtypes=dtypes, label=label)
        self._session.edit_and_select("New chain", made)

    def _on_chain_requested(self, text: str, id_: str, spec: ChainSpec) -> None:
        self._session.edit(text, chain_changed(self._session.study, id_, spec))

    def _on_chain_cuts_requested(self, text: str, id_: str, cuts: Iterable[int]) -> None:
        self._session.edit(text, chain_recut(self._session.study, id_, cuts))

    def _on_chain_variant_requested(self, id_: str, cuts: Iterable[int], words: str) -> None:
        self._session.edit_and_select(f"Try: {words}", chain_variant(self._session.study, id_, cuts, words))

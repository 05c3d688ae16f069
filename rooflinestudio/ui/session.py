"""The one mutable object of the window: the study, its placing, selection and undo.

Views never write what they show. They emit ``…Requested``; the session makes a new frozen study, pushes one undo
command that swaps two studies, and says ``studyChanged``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from rooflinestudio.core.chains import source_for
from rooflinestudio.core.placing import PlacedStudy, place
from rooflinestudio.core.selection import Selection, selected_entry
from rooflinestudio.core.study import Entry, PluginRef, Study, View
from rooflinestudio.core.study_edits import with_variant
from rooflinestudio.ui.marking import names_of
from rooflinestudio.ui.study_swap import StudySwap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["Selection", "Session", "selected_entry"]


class Session(QObject):
    """The study being edited and everything derived from it.

    Signals
    -------
    studyChanged
        A new :class:`PlacedStudy`; views compare its rows with ``is``.
    selectionChanged
        What is selected now.
    markedChanged
        Ids of the entries that are marked, a tuple.
    machineChanged
        Id of the machine whose roof is the strong one.
    sourceChanged
        The source of estimates: plugins came, or the study brought other kernels or chains of its own.
    fileChanged
        Path of the study file (or empty) and whether it has unsaved edits.
    """

    studyChanged = Signal(object)
    selectionChanged = Signal(object)
    markedChanged = Signal(object)
    machineChanged = Signal(str)
    sourceChanged = Signal(object)
    fileChanged = Signal(str, bool)

    def __init__(
        self, source: EstimateSource, study: Study | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._base: Any = source
        self._source: Any = source
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._on_undo_stack_clean_changed)
        self._placed = place(study or Study(), {}, source)
        self._source = source_for(source, self._placed.study)
        self._selection: Selection = None
        self._marked: tuple[str, ...] = ()
        self._machine = ""
        self._gesture: object = None
        self._tried: tuple[Any, PlacedStudy] | None = None
        self.path = ""

    # What is there

    @property
    def source(self) -> Any:
        """Where operators and their answers come from, the study's own kernels and chains included."""
        return self._source

    @property
    def study(self) -> Study:
        """The document as it is now."""
        return self._placed.study

    @property
    def placed(self) -> PlacedStudy:
        """The document held against its machines."""
        return self._placed

    @property
    def selection(self) -> Selection:
        """What is selected."""
        return self._selection

    @property
    def marked(self) -> tuple[str, ...]:
        """The entries that are marked, in the study's order: none, or several with the selected one among them."""
        return self._marked

    @property
    def chosen(self) -> tuple[str, ...]:
        """The entries that an action is meant for: those marked, else the selected one, else none."""
        selected = selected_entry(self._selection)
        return self._marked or (() if selected is None else (selected,))

    @property
    def machine(self) -> str:
        """The machine of the strong roof: the chosen one, else the first in view."""
        machines = self.study.view.machines
        return self._machine if self._machine in machines else (machines[0] if machines else "")

    @property
    def is_modified(self) -> bool:
        """Whether there are edits that are in no file."""
        return not self.undo_stack.isClean()

    # The one way to change it

    def edit(self, text: str, study: Study, *, merge: object = None) -> None:
        """Replace the study as one undoable edit.

        Parameters
        ----------
        text
            What the undo menu says: ``Change m``.
        merge
            Edits with equal keys in one gesture (a slider drag) become one command.
        """
        if study == self.study:
            return
        self._tried = self._place(study)  # whatever raises, raises before the stack is touched
        key = None if merge is None else (merge, self._gesture)
        self.undo_stack.push(StudySwap(self, text, (self.study, study), key))

    def end_gesture(self) -> None:
        """Say that a drag ended: what follows is a new command even with the same key."""
        self._gesture = object()

    def show_study(self, study: Study) -> None:
        """Place and announce a study; only undo commands and :meth:`open` call this."""
        machine = self.machine
        tried, self._tried = self._tried, None
        self._take(tried if tried is not None and tried[1].study is study else self._place(study))
        if not all(map(study.has_entry, self.chosen)):
            self.mark(filter(study.has_entry, self._marked))
        self.studyChanged.emit(self._placed)
        if self.machine != machine:
            self.machineChanged.emit(self.machine)

    def _place(self, study: Study, source: Any = None, *, anew: bool = False) -> tuple[Any, PlacedStudy]:
        """Place a study; return the source that it takes (its own kernels are part of that) and the result."""
        known = self._base if source is None else source
        # A source with layers gives itself back where the kernels are the same.
        taken = known.with_study(study.kernels) if hasattr(known, "with_study") else known
        previous = None if anew or taken is not self._base else self._placed
        return taken, place(study, {}, taken, previous=previous)

    def _take(self, result: tuple[Any, PlacedStudy]) -> None:
        base, self._placed = result
        source = source_for(self._source if base is self._base else base, self._placed.study)
        self._base = base
        if source is not self._source:
            self._source = source
            self.sourceChanged.emit(source)

    def refresh(self, source: EstimateSource | None = None) -> None:
        """Place everything anew: plugins came or went, or a pending answer arrived."""
        self._take(self._place(self.study, source, anew=True))
        self.studyChanged.emit(self._placed)

    def open(self, study: Study, path: str = "") -> None:
        """Put another document in place of this one; its history starts empty."""
        self.undo_stack.clear()
        self.path = path
        self._selection, self._marked = None, ()
        self._take(self._place(study, anew=True))
        self.selectionChanged.emit(None)
        self.markedChanged.emit(())
        self.studyChanged.emit(self._placed)
        self.machineChanged.emit(self.machine)
        self.fileChanged.emit(self.path, False)

    def mark_saved(self, path: str) -> None:
        """Remember that the study is in a file as it is now."""
        self.path = path
        self.undo_stack.setClean()
        self.fileChanged.emit(path, self.is_modified)

    # Selection

    def select(self, selection: Selection) -> None:
        """Select an entry, a measured kernel, or nothing; nothing is marked any more."""
        self._choose(selection, ())

    def mark(self, ids: Iterable[str]) -> None:
        """Mark several entries and no others; one alone is selected, and of none nothing is.

        The selection stays if it is marked; else it goes to the first of them.
        """
        wanted = set(ids)
        marked = tuple(one.id for one in self.study.entries if one.id in wanted)
        selection = self._selection if selected_entry(self._selection) in marked else next(iter(marked), None)
        self._choose(selection, marked if len(marked) > 1 else ())

    def _choose(self, selection: Selection, marked: tuple[str, ...]) -> None:
        before = self._selection, self._marked
        self._selection, self._marked = selection, marked
        if selection != before[0]:
            self.selectionChanged.emit(selection)
        if marked != before[1]:
            self.markedChanged.emit(marked)

    def select_machine(self, id_: str) -> None:
        """Make a machine's roof the strong one."""
        if id_ != self.machine:
            self._machine = id_
            self.machineChanged.emit(self.machine)

    # Edits that several views share

    def add_operator(self, operator_id: str, parameters: Mapping[str, Any] | None = None) -> str:
        """Place an operator with its defaults, select it, and return the entry's id."""
        operator = self.source.operator(operator_id)
        origin = self.source.origin(operator_id)
        study = self.study
        entry = Entry(
            study.next_id(operator_id),
            operator_id,
            PluginRef(origin.plugin, origin.version),
            dict(parameters or {}),
            label=operator.label,
            slot=study.next_slot(),
        )
        self.edit(f"Place {operator.label}", self._with_own_kernel(study.adding(entry), operator_id))
        self.select(entry.id)
        return entry.id

    def _with_own_kernel(self, study: Study, operator_id: str) -> Study:
        """Copy a kernel of the user's into the study that uses it: a study opens elsewhere, too."""
        kernel = self.source.kernel(operator_id) if hasattr(self.source, "kernel") else None
        if kernel is None or operator_id in study.kernels:
            return study
        from rooflinestudio.core.custom.kernels import with_kernel

        return with_kernel(study, kernel)

    def change_entry(self, id_: str, text: str, *, merge: object = None, **changes: Any) -> None:
        """Change fields of an entry as one edit."""
        self.edit(text, self.study.replacing(replace(self.study.entry(id_), **changes)), merge=merge)

    def set_parameter(self, id_: str, name: str, value: Any, *, dragging: bool = False) -> None:
        """Set one parameter of an entry; drags of one slider merge."""
        entry = self.study.entry(id_)
        merge = ("parameter", id_, name) if dragging else None
        self.change_entry(id_, f"Change {name}", merge=merge, parameters={**entry.parameters, name: value})

    def change_view(self, text: str, *, merge: object = None, **changes: Any) -> None:
        """Change what every entry follows: boundary, policy, absorption, overlap, forecast, machines."""
        view: View = replace(self.study.view, **changes)
        self.edit(text, replace(self.study, view=view), merge=merge)

    def remove(self, ids: tuple[str, ...]) -> None:
        """Take entries out of the study."""
        self.edit(f"Remove {names_of(self.study, ids)}", self.study.without(ids))

    def duplicate(self, id_: str) -> str:
        """Place a variant of an entry behind it, in the same colour; return its id."""
        entry = self.study.entry(id_)
        variant = replace(entry, id="", variant_of=id_, label=f"{entry.label} variant")
        return self.edit_and_select(f"Duplicate {entry.label}", with_variant(self.study, variant))

    def edit_and_select(self, text: str, made: tuple[Study, str]) -> str:
        """Take a study with something new in it as one edit, and select what is new; return its id."""
        study, id_ = made
        self.edit(text, study)
        self.select(id_)
        return id_

    def change_panel(
        self, text: str, panel: str, changes: Mapping[str, Any], *, dragging: bool = False
    ) -> None:
        """Change what a view beside the canvas shows; drags merge, and None takes a setting out."""
        merge = ("panel", panel, *changes) if dragging else None
        self.edit(text, self.study.with_panel(panel, changes), merge=merge)

    def add_machine(self, profile: HardwareProfile) -> None:
        """Show a machine; its profile is copied into the study."""
        self.edit(f"Show {profile.short_name}", self.study.with_profile(profile))

    def remove_machine(self, id_: str) -> None:
        """Take a machine out of view."""
        profile = self.placed.profiles.get(id_)
        self.edit(f"Hide {profile.short_name if profile else id_}", self.study.without_machine(id_))

    def _on_undo_stack_clean_changed(self, _clean: bool) -> None:
        self.fileChanged.emit(self.path, self.is_modified)

"""The machine that is open in the editor: its draft, what undo takes back, and whether it may be edited at all."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from rooflinestudio.core.profile_edit.choices import (
    added,
    removed,
    renamed_boundary,
    with_reference,
)
from rooflinestudio.core.profile_edit.copies import free_id, renamed
from rooflinestudio.core.profile_edit.draft import (
    Draft,
    draft_of,
    set_provenance,
    set_words,
    type_figure,
    use_anyway,
    use_in_row,
    with_mode,
    with_profile,
)
from rooflinestudio.core.profile_edit.findings import explained, mended
from rooflinestudio.core.profile_edit.places import name_of
from rooflinestudio.core.profile_edit.typed import Refusal

if TYPE_CHECKING:
    from collections.abc import Container

    from rooflinestudio.core.hardware import HardwareProfile, Provenance, Use
    from rooflinestudio.core.profile_check import Finding
    from rooflinestudio.core.profile_edit.draft import UseMode, Words
    from rooflinestudio.core.profile_edit.places import FigurePlace, Side

__all__ = ["EditorDocument", "Home"]

Home = Literal["mine", "shipped", "plugin"]
"""Where a machine comes from: the user's folder, the studio, a plugin."""

_MODE_WORDS: Final = {"stated": "published", "measured": "measured", "rows": "chosen"}


class _DraftSwap(QUndoCommand):
    """Exchange one frozen draft for another."""

    def __init__(self, document: EditorDocument, text: str, before: Draft, after: Draft) -> None:
        super().__init__(text)
        self._document, self._before, self._after = document, before, after

    def redo(self) -> None:
        self._document.show_draft(self._after)

    def undo(self) -> None:
        self._document.show_draft(self._before)


class EditorDocument(QObject):
    """One machine at a time.

    Attributes
    ----------
    home
        Where the machine comes from; only one of the user's own can be edited.
    saved
        As it is in its file, or as it was copied.
    base
        The profile that it was made from, where that is here.
    is_new
        Whether it is in no file yet.

    Signals
    -------
    changed
        The draft is another one, or the machine is.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._on_undo_stack_clean_changed)
        self.home: Home = "shipped"
        self.saved: HardwareProfile | None = None
        self.base: HardwareProfile | None = None
        self.is_new = False
        self._draft: Draft | None = None
        self._taken: Container[str] = ()

    # What is there ------------------------------------------------------------------------------------------------

    @property
    def draft(self) -> Draft | None:
        """The machine as it is now; None before one is opened."""
        return self._draft

    @property
    def profile(self) -> HardwareProfile | None:
        """The profile of the draft."""
        return None if self._draft is None else self._draft.profile

    @property
    def is_locked(self) -> bool:
        """Whether it cannot be edited, since it is not the user's own."""
        return self.home != "mine"

    @property
    def is_modified(self) -> bool:
        """Whether there is something that is in no file."""
        return self._draft is not None and (self.is_new or not self.undo_stack.isClean())

    @property
    def can_save(self) -> bool:
        """Whether there is something to save, and nothing refused stands in its way."""
        return self.is_modified and self._draft is not None and not self._draft.refused

    @property
    def can_revert(self) -> bool:
        """Whether the draft is not what is saved."""
        draft = self._draft
        return (
            draft is not None and not self.is_locked and (draft.profile != self.saved or bool(draft.refused))
        )

    # The machine --------------------------------------------------------------------------------------------------

    def open(
        self,
        profile: HardwareProfile,
        home: Home,
        *,
        base: HardwareProfile | None = None,
        is_new: bool = False,
        taken: Container[str] = (),
    ) -> None:
        """Put another machine in place of this one; its history starts empty.

        Parameters
        ----------
        taken
            Ids of other machines: until a new one is saved, its id follows its name.
        """
        self.home, self.saved, self.base, self.is_new, self._taken = home, profile, base, is_new, taken
        self._draft = draft_of(profile)
        self.undo_stack.clear()
        self.changed.emit()

    def set_base(self, base: HardwareProfile) -> None:
        """Take the profile that this one was made from, which was read meanwhile."""
        self.base = base
        self.changed.emit()

    def forget(self) -> None:
        """Let go of edits that nobody wants; one that is in no file is then none any more."""
        self.is_new = False
        self.undo_stack.clear()

    def take_id(self, id_: str) -> HardwareProfile:
        """Give a machine that is in no file yet the id under which it is going to be written; return it."""
        now = self._now()
        profile = replace(now.profile, id=id_)
        self._draft = replace(now, profile=profile)
        return profile

    def mark_saved(self) -> None:
        """Remember that the machine is in its file as it is now."""
        self.saved, self.is_new = self.profile, False
        self.undo_stack.setClean()
        self.changed.emit()

    def mark_deleted(self) -> None:
        """Remember that the machine is in no file any more."""
        self.is_new = True
        self.changed.emit()

    def show_draft(self, draft: Draft) -> None:
        """Show a draft; only undo commands call this. What is in a file keeps its id, however it was called before."""
        if not self.is_new and self.saved is not None and draft.profile.id != self.saved.id:
            draft = replace(draft, profile=replace(draft.profile, id=self.saved.id))
        self._draft = draft
        self.changed.emit()

    def _on_undo_stack_clean_changed(self, _clean: bool) -> None:
        self.changed.emit()

    # The one way to change it -------------------------------------------------------------------------------------

    def edit(self, text: str, draft: Draft) -> None:
        """Replace the draft as one undoable edit; of a machine that cannot be edited nothing changes."""
        if self._draft is None or self.is_locked or draft == self._draft:
            return
        self.undo_stack.push(_DraftSwap(self, text, self._draft, draft))

    def _now(self) -> Draft:
        assert self._draft is not None
        return self._draft

    def _name(self, place: FigurePlace) -> str:
        return name_of(self._now().profile, place)

    def type_figure(self, place: FigurePlace, side: Side, text: str) -> None:
        """Take a typed figure, or keep it as refused."""
        draft = type_figure(self._now(), place, side, text, today=today())
        self.edit(f"Type {self._name(place)}", draft)

    def restore_entry(self, place: FigurePlace, side: Side, field: str) -> None:
        """Forget a refused text."""
        now = self._now()
        kept = tuple(one for one in now.refused if one.key != (place, side, field))
        self.edit("Take a refused entry back", replace(now, refused=kept))

    def write(self, place: FigurePlace, side: Side, field: Words, text: str) -> None:
        """Write source, condition, date or note of a figure."""
        self.edit(
            f"Write the {field} of {self._name(place)}", set_words(self._now(), place, side, field, text)
        )

    def set_provenance(self, place: FigurePlace, provenance: Provenance) -> None:
        """Say where a figure comes from."""
        self.edit(f"Provenance of {self._name(place)}", set_provenance(self._now(), place, provenance))

    def set_mode(self, mode: UseMode) -> None:
        """Work with published, measured or chosen figures."""
        self.edit(f"Use {_MODE_WORDS[mode]} figures", with_mode(self._now(), mode))

    def use_in_row(self, place: FigurePlace, use: Use) -> None:
        """Use one of the two figures of a rate."""
        self.edit(f"Choose the figure of {self._name(place)}", use_in_row(self._now(), place, use))

    def use_anyway(self, place: FigurePlace) -> None:
        """Use a measured figure although it lies above the published one."""
        self.edit(f"Use the measured {self._name(place)} anyway", use_anyway(self._now(), place))

    def add(self, place: FigurePlace, text: str) -> Refusal | None:
        """Add a row with a typed figure; return why not, if so."""
        made = added(self._now(), place, text, today=today())
        if isinstance(made, Refusal):
            return made
        self.edit(f"Add {name_of(made.profile, place)}", made)
        return None

    def remove(self, place: FigurePlace) -> None:
        """Take a row out."""
        self.edit(f"Take {self._name(place)} out", removed(self._now(), place))

    def rename(self, name: str) -> None:
        """Give the machine another name."""
        now = self._now()
        profile = renamed(now.profile, name)
        if self.is_new and profile is not now.profile:
            profile = replace(profile, id=free_id(profile.name, self._taken))
        self.edit("Rename the machine", with_profile(now, profile))

    def rename_boundary(self, id_: str, label: str) -> None:
        """Give a boundary the machine's own word."""
        now = self._now()
        self.edit(f"Rename {id_}", with_profile(now, renamed_boundary(now.profile, id_, label)))

    def set_reference(self, id_: str) -> None:
        """Show a ceiling beside every operator's own."""
        now = self._now()
        self.edit("Change the reference ceiling", with_profile(now, with_reference(now.profile, id_)))

    def mend(self, finding: Finding) -> None:
        """Take the likely value of a finding."""
        self.edit("Take the likely value", mended(self._now(), finding))

    def explain(self, finding_id: str, reason: str) -> None:
        """Write why a finding is right as it stands."""
        self.edit("Say why it is right", explained(self._now(), finding_id, reason))

    def revert(self) -> None:
        """Go back to what is saved, as one edit that can be taken back."""
        if self.saved is not None:
            self.edit("Revert", draft_of(self.saved))


def today() -> str:
    """Return the date that a typed figure gets."""
    return datetime.date.today().isoformat()

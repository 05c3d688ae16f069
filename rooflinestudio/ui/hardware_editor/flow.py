"""Machines in and out of the editor: opened, copied, saved, imported, exported, and never lost without being asked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.profile_edit.copies import copy_name, duplicate, free_id
from rooflinestudio.core.profile_edit.folder import (
    delete_profile,
    export_profile,
    profiles_in,
    save_profile,
)
from rooflinestudio.core.profile_edit.notes import EditorNote
from rooflinestudio.ui.hardware_editor.library import LibraryMachine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.ui.hardware_editor.document import EditorDocument

    Then = Callable[[], object]
    Read = Callable[[str, Callable[[HardwareProfile], object]], object]

__all__ = ["MachineFlow"]


class MachineFlow(QObject):
    """Moves machines between the list, the document and files.

    Parameters
    ----------
    document
        Holds the machine that is open.
    read
        Reads a machine of the list: id, and what is called with the profile.
    folder
        Where the user's machines lie; it need not exist.
    asker
        Answers ``about_unsaved``, ``profile_to_import`` and ``place_to_export``.

    Signals
    -------
    opened
        Another machine is in the document.
    libraryChanged
        The list is another one, or what is open in it.
    saved
        A profile was written into the user's folder.
    deleted
        Id of a profile whose file was taken out of the user's folder.
    failed
        An :class:`EditorNote` on what could not be done.
    """

    opened = Signal()
    libraryChanged = Signal()
    saved = Signal(object)
    deleted = Signal(str)
    failed = Signal(object)

    def __init__(self, document: EditorDocument, *, read: Read, folder: Path, asker: Any) -> None:
        super().__init__(document)
        self._document, self._read, self._folder, self._asker = document, read, folder, asker
        self._machines: tuple[LibraryMachine, ...] = ()
        self._bases: dict[str, HardwareProfile] = {}
        self._wanted = ""
        self.plugin = ""

    # The list -----------------------------------------------------------------------------------------------------

    @property
    def machines(self) -> tuple[LibraryMachine, ...]:
        """The machines of the list, with the one that is open where it is in no file yet."""
        profile = self._document.profile
        if profile is None or not self._document.is_new:
            return self._machines
        return (*self._machines, replace(_mine(profile), unsaved=True))

    def set_library(self, machines: Iterable[LibraryMachine]) -> None:
        """List these machines."""
        self._machines = tuple(machines)
        self.libraryChanged.emit()

    def learn(self, profiles: Iterable[HardwareProfile]) -> None:
        """Know these profiles as ones that others were made from."""
        self._bases |= {one.id: one for one in profiles}

    # Machines -----------------------------------------------------------------------------------------------------

    def open_machine(self, id_: str, *, copy: bool = False) -> None:
        """Open a machine of the list, or a copy of it, after asking what to do with unsaved edits."""
        profile = self._document.profile
        if profile is not None and profile.id == id_ and self._wanted in ("", id_):
            if copy:
                self.duplicate()
            return
        if not self.leave(partial(self._open, id_, copy=copy)):
            self.libraryChanged.emit()  # the mark goes back to what is still open

    def _open(self, id_: str, *, copy: bool) -> None:
        machine = next((one for one in self._machines if one.id == id_), None)
        if machine is not None:
            self._wanted = id_
            self._read(id_, partial(self._show, machine, copy))

    def _show(self, machine: LibraryMachine, copy: bool, profile: HardwareProfile) -> None:
        if machine.id != self._wanted:
            return  # another one was chosen meanwhile
        self._put(profile, machine)
        if copy:
            self.duplicate()
            return
        base = profile.based_on
        if base and base not in self._bases and any(one.id == base for one in self._machines):
            self._read(base, self._take_base)

    def _put(self, profile: HardwareProfile, machine: LibraryMachine, *, is_new: bool = False) -> None:
        self._wanted, self.plugin = "", machine.plugin
        base = self._bases.get(profile.based_on)
        taken = frozenset(one.id for one in self._machines)
        self._document.open(profile, machine.home, base=base, is_new=is_new, taken=taken)
        self.libraryChanged.emit()
        self.opened.emit()

    def _take_base(self, profile: HardwareProfile) -> None:
        self.learn((profile,))
        now = self._document.profile
        if now is not None and now.based_on == profile.id:
            self._document.set_base(profile)

    def leave(self, then: Then) -> bool:
        """Go on, after asking what to do with unsaved edits if there are any; False where the user thought better."""
        profile = self._document.profile
        if profile is None or not self._document.is_modified:
            then()
            return True
        answer = self._asker.about_unsaved(profile.name)
        if answer == "discard":
            self._document.forget()
            self.libraryChanged.emit()
        if answer == "discard" or (answer == "save" and self.save()):
            then()
            return True
        return False

    def duplicate(self) -> bool:
        """Make a machine of the user's own from the one that is open; False where nothing came of it."""
        profile = self._document.profile
        return profile is not None and self.leave(partial(self._duplicate, profile))

    def _duplicate(self, profile: HardwareProfile) -> None:
        self.learn((profile,))
        name = copy_name(profile.name, {one.name for one in self._machines})
        copy = duplicate(profile, name, {one.id for one in self._machines})
        self._put(copy, _mine(copy), is_new=True)

    # Files --------------------------------------------------------------------------------------------------------

    def save(self) -> bool:
        """Write the machine into the user's folder; tell whether that was done."""
        if not self._document.can_save:
            if self._document.is_modified:
                why = "Settle what is outlined first: such an entry is no figure yet."
                self.failed.emit(EditorNote("message.save", "error", "Not saved", why))
            return False
        profile = self._with_free_id()
        try:
            save_profile(profile, self._folder)
        except ProfileError as error:
            self.failed.emit(EditorNote("message.save", "error", "Not saved", str(error)))
            return False
        self._document.mark_saved()
        self.learn((profile,))
        self.set_library((*(one for one in self._machines if one.id != profile.id), _mine(profile)))
        self.saved.emit(profile)
        return True

    def _with_free_id(self) -> HardwareProfile:
        """Return the machine that is open; a new one under an id that nobody took since, in another window say."""
        profile = self._document.profile
        assert profile is not None
        written = {one.id for one in profiles_in(self._folder)}
        if self._document.is_new and profile.id in written:
            id_ = free_id(profile.id, written | {one.id for one in self._machines})
            return self._document.take_id(id_)
        return profile

    def delete(self) -> None:
        """Delete the file of the machine that is open; it stays open, in no file."""
        profile = self._document.profile
        if profile is None or self._document.is_locked or self._document.is_new:
            return
        try:
            delete_profile(profile.id, self._folder)
        except ProfileError as error:
            self.failed.emit(EditorNote("message.delete", "error", "Not deleted", str(error)))
            return
        self._document.mark_deleted()
        self.set_library(one for one in self._machines if one.id != profile.id)
        self.deleted.emit(profile.id)

    def import_file(self, path: str | Path = "") -> None:
        """Show a profile file as a machine of the user's own, not yet saved; asks for the file if none is given."""
        from rooflinestudio.core.profile_files import load_profile

        chosen = path or self._asker.profile_to_import(str(Path.home()))
        if not chosen:
            return
        try:
            profile = load_profile(Path(chosen))
        except ProfileError as error:
            self.failed.emit(EditorNote("message.import", "error", "Not imported", str(error)))
            return
        self.leave(partial(self._import, profile))

    def _import(self, profile: HardwareProfile) -> None:
        taken = {one.id for one in self._machines}
        copy = replace(profile, id=free_id(profile.id, taken)) if profile.id in taken else profile
        self._put(copy, _mine(copy), is_new=True)

    def export(self) -> None:
        """Write the machine that is open into a file, whoever it comes from; refused entries are not in it."""
        profile = self._document.profile
        path = "" if profile is None else self._asker.place_to_export(f"{profile.id}.yaml", (".yaml",))
        if profile is None or not path:
            return
        try:
            export_profile(profile, Path(path))
        except ProfileError as error:
            self.failed.emit(EditorNote("message.export", "error", "Not exported", str(error)))


def _mine(profile: HardwareProfile) -> LibraryMachine:
    return LibraryMachine(profile.id, profile.name, profile.vendor, profile.year, "mine")

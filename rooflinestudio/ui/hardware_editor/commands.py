"""The editor at work: it is given what the studio knows, and what it saves goes into list, reader and study."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.profile_edit.changes import study_changes
from rooflinestudio.core.profile_edit.folder import export_profile, profiles_in
from rooflinestudio.ui.settings import profiles_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_edit.changes import ProfileChange
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.hardware.differences import DifferencesDialog
    from rooflinestudio.ui.hardware_editor.window import EditorWindow
    from rooflinestudio.ui.profile_reader import ProfileReader

__all__ = ["MachineEditing"]


class MachineEditing(QObject):
    """Opens the editor, and tells the study what has changed in the machines that it keeps copies of.

    Parameters
    ----------
    inside
        What the window holds.
    reader
        Reads machines that come with the studio or with plugins.

    Attributes
    ----------
    editor
        The window, from when it is first asked for on.
    changes
        What differs between the study's copies and the machines as they are now, by id.
    """

    def __init__(self, inside: Furnishing, reader: ProfileReader) -> None:
        super().__init__(inside)
        self._inside, self._session, self._reader = inside, inside.session, reader
        self.editor: EditorWindow | None = None
        self.changes: Mapping[str, tuple[ProfileChange, ...]] = {}
        self._library: dict[str, HardwareProfile] = {}
        self._asked: set[str] = set()
        self._copies: Mapping[str, HardwareProfile] | None = None
        inside.window.installEventFilter(self)
        selector = inside.panels.machines
        selector.profileTakeRequested.connect(self.take)
        selector.differencesRequested.connect(self.show_differences)
        selector.editRequested.connect(self.open)
        selector.duplicateRequested.connect(self.duplicate)
        self._session.studyChanged.connect(self._on_session_study_changed)
        self._session.sourceChanged.connect(self._on_session_source_changed)
        inside.frame.themes.themeChanged.connect(self._on_themes_theme_changed)
        self._renew_changes()

    # What actions do ----------------------------------------------------------------------------------------------

    def open(self, id_: str = "") -> None:
        """Open the editor, at a machine or at the one of the strong roof."""
        editor = self._shown()
        wanted = id_ or ("" if editor.document.profile is not None else self._session.machine)
        if wanted:
            editor.open_machine(wanted)

    def duplicate(self, id_: str) -> None:
        """Open a copy of a machine in the editor."""
        self._shown().flow.open_machine(id_, copy=True)

    def import_profile(self) -> None:
        """Ask for a profile file and show it in the editor."""
        self._shown().import_file()

    def export_profile(self) -> None:
        """Write the machine of the strong roof, as the study has it, into a file."""
        profile = self._session.placed.profiles.get(self._session.machine)
        path = "" if profile is None else self._inside.asker.place_to_export(f"{profile.id}.yaml", (".yaml",))
        if profile is None or not path:
            return
        try:
            export_profile(profile, Path(path))
        except ProfileError as error:
            self._inside.notices.tell("error", "The profile was not exported", str(error))

    def may_close(self) -> bool:
        """Close the editor, after asking about unsaved edits; False where the user wants to go on."""
        return self.editor is None or self.editor.isHidden() or self.editor.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close and watched is self._inside.window and not self.may_close():
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    # The editor ---------------------------------------------------------------------------------------------------

    def _shown(self) -> EditorWindow:
        editor = self.editor or self._made()
        editor.show()
        editor.raise_()
        editor.activateWindow()
        return editor

    def _made(self) -> EditorWindow:
        from rooflinestudio.ui.hardware_editor.window import EditorWindow

        inside = self._inside
        editor = EditorWindow(
            read=self._read, folder=profiles_folder(), asker=inside.asker, parent=inside.window
        )
        editor.resize(inside.window.size())
        editor.profileSaved.connect(self._on_editor_profile_saved)
        editor.profileDeleted.connect(self._on_editor_profile_deleted)
        editor.useInStudyRequested.connect(self.use)
        self.editor = editor
        self._show_library()
        shipped = [one.id for one in self._profiles() if not one.origin.foreign and one.id not in self._own()]
        if shipped:
            self._reader.read(shipped, editor.set_neighbours)
        return editor

    def _profiles(self) -> tuple[Any, ...]:
        return tuple(getattr(self._session.source, "profiles", ()))

    def _own(self) -> dict[str, Any]:
        return {one.id: one for one in profiles_in(profiles_folder())}

    def _show_library(self) -> None:
        from rooflinestudio.ui.hardware_editor.library import library_of

        if self.editor is not None:
            self.editor.set_library(library_of(self._profiles()))
            self.editor.set_used(frozenset(self._session.study.profiles))

    def _read(self, id_: str, then: Callable[[HardwareProfile], object]) -> None:
        """Read a machine: the user's own from its file, as it is there now."""
        own = self._own().get(id_)
        known = {one.id for one in self._profiles()}
        if own is None and id_ in known:
            self._reader.read((id_,), partial(_hand_one, then))
        elif own is not None:
            try:
                then(own.load())
            except ProfileError as error:
                self._inside.notices.tell("error", f"The machine {id_} cannot be used", str(error))

    def learn(self, profile: HardwareProfile) -> None:
        """Take a profile that was just written into the user's folder."""
        self._on_editor_profile_saved(profile)

    def _on_editor_profile_saved(self, profile: HardwareProfile) -> None:
        self._reader.learn(profile)
        self._library[profile.id] = profile
        self._renew_machines()

    def _on_editor_profile_deleted(self, id_: str) -> None:
        self._library.pop(id_, None)
        self._renew_machines()

    def _renew_machines(self) -> None:
        """Offer what is in the user's folder now."""
        source: Any = self._session.source
        registry = getattr(source, "registry", source).with_user_profiles(profiles_in(profiles_folder()))
        fresh = source.with_registry(registry) if hasattr(source, "with_registry") else registry
        self._inside.wiring.take_registry(fresh)
        self._show_library()
        self._renew_changes()

    # The study ----------------------------------------------------------------------------------------------------

    def use(self, profile: HardwareProfile) -> None:
        """Take a profile in place of the study's copy of it, or show its machine where there is none."""
        study = self._session.study
        if profile.id in study.profiles:
            text = f"Take the new figures of {profile.short_name}"
            self._session.edit(text, study.with_profile(profile, shown=False))
        else:
            self._session.add_machine(profile)

    def take(self, id_: str) -> None:
        """Take the profile of an id as it is now in place of the study's copy."""
        if id_ in self._library:
            self.use(self._library[id_])

    def show_differences(self, id_: str) -> DifferencesDialog | None:
        """List what has changed in a profile since the study took its copy."""
        from rooflinestudio.ui.hardware.differences import DifferencesDialog

        changes, copy = self.changes.get(id_), self._session.study.profiles.get(id_)
        if not changes or copy is None:
            return None
        dialog = DifferencesDialog(id_, copy.name, changes, self._inside.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.takeRequested.connect(self.take)
        self._inside.frame.themes.themeChanged.connect(dialog.refresh_theme)
        dialog.open()
        return dialog

    def _on_session_study_changed(self, _placed: object) -> None:
        copies = self._session.study.profiles
        if copies is self._copies:
            return  # a slider step leaves the machines as they are
        self._copies = copies
        self._renew_changes()
        if self.editor is not None:
            self.editor.set_used(frozenset(self._session.study.profiles))

    def _on_session_source_changed(self, _source: object) -> None:
        self._asked.clear()
        self._show_library()
        self._renew_changes()

    def _renew_changes(self) -> None:
        """Hold the study's copies against the machines as they are now, reading those that are not known yet."""
        copies = self._session.study.profiles
        known = {one.id for one in self._profiles()}
        for id_ in copies:
            if id_ in known and id_ not in self._library and id_ not in self._asked:
                self._asked.add(id_)
                self._read(id_, self._take_in)
        changes = study_changes(copies, [self._library[id_] for id_ in copies if id_ in self._library])
        if changes != self.changes:
            self.changes = changes
            self._inside.panels.machines.set_changes(changes)

    def _take_in(self, profile: HardwareProfile) -> None:
        self._library[profile.id] = profile
        self._renew_changes()

    def _on_themes_theme_changed(self, _theme: object) -> None:
        if self.editor is not None:
            self.editor.refresh_theme()


def _hand_one(then: Callable[[HardwareProfile], object], profiles: tuple[HardwareProfile, ...]) -> None:
    then(profiles[0])

"""Work on machines beside the study: the editor, ceilings from files, other clocks, measuring this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from rooflinestudio.ui.action_table import Key
from rooflinestudio.ui.ceilings.offer import CeilingsOffer
from rooflinestudio.ui.hardware_editor.commands import MachineEditing
from rooflinestudio.ui.measuring import MachineMeasuring
from rooflinestudio.ui.settings import profiles_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.profile_reader import ProfileReader

__all__ = ["HardwareWork"]


class HardwareWork(QObject):
    """What the hardware actions of one window do.

    Attributes
    ----------
    editing
        The editor of profiles, and what has changed in those that the study has copies of.
    ceilings
        What files say about machines.
    measuring
        The measuring of the machine that the studio runs on.
    """

    def __init__(self, inside: Furnishing, reader: ProfileReader, *, safe_mode: bool = False) -> None:
        super().__init__(inside)
        self._inside, self._session, self._reader = inside, inside.session, reader
        self.editing = MachineEditing(inside, reader)
        self.ceilings = CeilingsOffer(inside.session, inside.notices, reader.read, self, safe_mode=safe_mode)
        self.measuring = MachineMeasuring(inside.notices, profiles_folder(), self)
        inside.imports.ceilingsFound.connect(self.ceilings.found)
        inside.imports.machineRequested.connect(self._on_imports_machine_requested)
        inside.frame.themes.themeChanged.connect(self.ceilings.refresh_theme)
        self.ceilings.profileRequested.connect(self._on_ceilings_profile_requested)
        self.measuring.measured.connect(self._on_measuring_measured)
        self._handlers: Mapping[str, Callable[[], object]] = {
            Key.EDIT_MACHINES: self.editing.open,
            Key.IMPORT_PROFILE: self.editing.import_profile,
            Key.EXPORT_PROFILE: self.editing.export_profile,
            Key.CEILINGS_FILE: self._open_ceilings_file,
            Key.SCALE_CLOCK: self.ceilings.open_clock,
            Key.MEASURE_MACHINE: self.measuring.start,
        }

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read or the machine measured."""
        return self.ceilings.is_busy or self.measuring.is_busy

    def run(self, key: str) -> None:
        """Do what an action of the hardware asks for."""
        self._handlers[key]()

    def stop(self) -> None:
        """Stop everything that still runs."""
        self.ceilings.cancel()
        self.measuring.cancel()

    def _open_ceilings_file(self) -> None:
        paths = self._inside.asker.files_to_import(self._inside.files.folder())
        if paths:
            self.ceilings.open_file(paths[0])

    def _on_ceilings_profile_requested(self, profile: HardwareProfile, shown: bool) -> None:
        study = self._session.study
        before = study.profiles.get(profile.id)
        text = "Show" if before is None or before == profile else "Write figures into"
        self._session.edit(f"{text} {profile.short_name}", study.with_profile(profile, shown=shown))
        self._session.select_machine(profile.id)  # what was measured on it is judged by it

    def _on_imports_machine_requested(self, id_: str) -> None:
        own = self._session.study.profiles.get(id_)
        if own is not None:
            self._on_ceilings_profile_requested(own, True)
            return
        self._reader.read((id_,), lambda read: self._on_ceilings_profile_requested(read[0], True))

    def _on_measuring_measured(self, profiles: tuple[HardwareProfile, ...]) -> None:
        """Offer the machine that was measured; it need not have to do with the study at hand."""
        for profile in profiles:
            self.editing.learn(profile)
        first = profiles[0]
        banner = self._inside.notices.tell(
            "info", "This machine was measured", first.name, "It is in the list of machines.", stays=True
        )
        if banner.count == 1:
            banner.add_button("Show", lambda: self._session.add_machine(first))
            banner.add_button("Look at the figures…", lambda: self.editing.open(first.id))

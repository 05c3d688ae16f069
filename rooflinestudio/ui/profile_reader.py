"""Machines, read when somebody uses them: in another process, since checking a profile takes longer than a frame."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.ui.file_jobs import FileJob
from rooflinestudio.ui.profile_cache import ProfileCache

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["ProfileReader"]


class ProfileReader(QObject):
    """Reads each profile once; later requests get the same object, and a later start what an earlier one has checked.

    Parameters
    ----------
    refuse
        Called with the id(s) and the reason when a profile cannot be read.
    """

    def __init__(
        self, refuse: Callable[[str, str], object], parent: QObject | None = None, *, safe_mode: bool = False
    ) -> None:
        super().__init__(parent)
        self._refuse = refuse
        self._safe_mode = safe_mode
        self._known: dict[str, HardwareProfile] = {}
        self._cache = ProfileCache()
        self._jobs: list[FileJob] = []
        self._waiting = 0

    @property
    def is_busy(self) -> bool:
        """Whether a profile is being read."""
        return bool(self._jobs or self._waiting)

    def learn(self, profile: HardwareProfile) -> None:
        """Take a profile that is known to be right in place of whatever was read under its id."""
        self._known[profile.id] = profile

    def read(self, ids: Sequence[str], then: Callable[[tuple[HardwareProfile, ...]], object]) -> None:
        """Hand over the profiles of these ids, in this order; nothing comes if one of them cannot be read."""
        for id_ in ids:
            if id_ not in self._known and (kept := self._cache.get(id_)) is not None:
                self._known[id_] = kept
        missing = [id_ for id_ in ids if id_ not in self._known]
        if not missing:  # later all the same: whoever asks need not care whether it was known
            self._waiting += 1
            QTimer.singleShot(0, self, partial(self._hand_over_later, ids, then))
            return
        job = FileJob("profiles", ",".join(missing), self, safe_mode=self._safe_mode)
        self._jobs.append(job)

        def on_finished(profiles: tuple[HardwareProfile, ...]) -> None:
            self._jobs.remove(job)
            for profile in profiles:
                self._known.setdefault(profile.id, profile)
                self._cache.put(profile)
            self._hand_over(ids, then)

        def on_failed(text: str) -> None:
            if not job.could_start:
                try:
                    profiles = _read_here(missing)
                except ProfileError as error:
                    text = str(error)
                else:
                    on_finished(profiles)
                    return
            self._jobs.remove(job)
            self._refuse(", ".join(missing), text)

        job.finished.connect(on_finished)
        job.failed.connect(on_failed)
        job.start()

    def _hand_over_later(
        self, ids: Sequence[str], then: Callable[[tuple[HardwareProfile, ...]], object]
    ) -> None:
        self._waiting -= 1
        self._hand_over(ids, then)

    def _hand_over(self, ids: Sequence[str], then: Callable[[tuple[HardwareProfile, ...]], object]) -> None:
        then(tuple(self._known[id_] for id_ in ids))

    def cancel(self) -> None:
        """Stop reading."""
        while self._jobs:
            self._jobs.pop().cancel()


def _read_here(ids: Sequence[str]) -> tuple[HardwareProfile, ...]:
    """Read in this process: no other one can be started."""
    from rooflinestudio.ui.file_worker import read_profiles

    return read_profiles(",".join(ids), lambda _share: True)

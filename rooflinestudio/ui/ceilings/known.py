"""The machines that measured ceilings can belong to: those of the study first, the others read when they are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rooflinestudio.core.ceilings.matching import ProfileMatch, matching_profiles

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.ceilings import MeasuredMachine

__all__ = ["KnownMachines"]

Read = Callable[[Sequence[str], Callable[["tuple[HardwareProfile, ...]"], object]], object]


class _Entry(NamedTuple):
    id: str
    name: str


class KnownMachines:
    """Which machines there are, and how to get at their profiles.

    Parameters
    ----------
    entries
        Profiles that can be read: anything with ``id`` and ``name`` (or ``label``).
    present
        Profiles of the study by id; they win over those that can be read.
    shown
        Ids of the machines in view.
    read
        ``read(ids, then)`` hands profiles to ``then`` later, as :meth:`ProfileReader.read` does.
    """

    def __init__(
        self,
        entries: Iterable[Any] = (),
        *,
        present: Mapping[str, HardwareProfile] | None = None,
        shown: Sequence[str] = (),
        read: Read | None = None,
    ) -> None:
        self.present = dict(present or {})
        self._shown = tuple(shown)
        self._read = read
        named = {one.id: _Entry(one.id, getattr(one, "name", None) or one.label) for one in entries}
        named |= {id_: _Entry(id_, one.name) for id_, one in self.present.items()}
        first = [named[id_] for id_ in (*self._shown, *self.present) if id_ in named]
        self.entries: tuple[_Entry, ...] = tuple(dict.fromkeys((*first, *named.values())))

    def matches(self, machine: MeasuredMachine) -> tuple[ProfileMatch, ...]:
        """Return the profiles that can be that of a measured machine, the best first."""
        return matching_profiles(machine.device, self.entries, compute_capability=machine.compute_capability)

    def best(self, machine: MeasuredMachine) -> ProfileMatch | None:
        """Return the profile to begin with, or None where the user has to say.

        Of several that only a compute capability speaks for, it is the one in view.
        """
        found = self.matches(machine)
        if not found:
            return None
        if found[0].by_name or len(found) == 1:
            return found[0]
        in_view = [one for one in found if one.id in self._shown]
        return in_view[0] if len(in_view) == 1 else None

    def options(self, machine: MeasuredMachine) -> tuple[tuple[str, str], ...]:
        """Return ids and names to choose from: what fits first, then the machines of the study, then all others."""
        names = {one.id: one.name for one in self.entries}
        ids = dict.fromkeys((*(one.id for one in self.matches(machine)), *names))
        return tuple((id_, names[id_]) for id_ in ids)

    def get(self, id_: str, then: Callable[[HardwareProfile], object]) -> None:
        """Hand a profile over, at once if the study has it, else when it has been read."""
        if id_ in self.present:
            then(self.present[id_])
        elif self._read is not None:
            self._read((id_,), lambda profiles: then(profiles[0]))

"""The machines that the editor lists: where each comes from, and under which heading it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.plugins.registry import YOUR_MACHINES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.ui.hardware_editor.document import Home

__all__ = ["FROM_PLUGINS", "MINE", "LibraryMachine", "MachineGroup", "grouped", "library_of"]

MINE: Final = "Mine"
FROM_PLUGINS: Final = "From plugins"


@dataclass(frozen=True, slots=True)
class LibraryMachine:
    """One machine that can be opened, not yet read.

    ``plugin`` names the plugin that it comes from; ``unsaved`` marks one that is in no file yet.
    """

    id: str
    name: str
    vendor: str
    year: int
    home: Home
    plugin: str = ""
    unsaved: bool = False


@dataclass(frozen=True, slots=True)
class MachineGroup:
    """A heading, and what stands under it."""

    title: str
    machines: tuple[LibraryMachine, ...]


def library_of(profiles: Iterable[Any]) -> tuple[LibraryMachine, ...]:
    """Return the machines of a registry (``Registry.profiles``)."""
    return tuple(_machine(one) for one in profiles)


def _machine(source: Any) -> LibraryMachine:
    origin = source.origin
    home: Home = "mine" if origin.plugin == YOUR_MACHINES else "plugin" if origin.foreign else "shipped"
    plugin = origin.plugin if home == "plugin" else ""
    return LibraryMachine(source.id, source.name, source.vendor, source.year, home, plugin)


def grouped(machines: Iterable[LibraryMachine], text: str = "") -> tuple[MachineGroup, ...]:
    """Return the machines under their headings: the user's own, vendors by name, then those of plugins.

    Parameters
    ----------
    text
        Only machines in whose name, id, vendor or year every word of it stands.
    """
    words = text.casefold().split()
    found: dict[str, list[LibraryMachine]] = {MINE: []}
    for machine in machines:
        said = f"{machine.name}\n{machine.id}\n{machine.vendor}\n{machine.year}\n{machine.plugin}".casefold()
        if all(word in said for word in words):
            title = {"mine": MINE, "plugin": FROM_PLUGINS}.get(machine.home, machine.vendor or "Other")
            found.setdefault(title, []).append(machine)
    order = sorted(found, key=lambda title: ((title != MINE) + (title == FROM_PLUGINS), title.casefold()))
    groups = (MachineGroup(title, tuple(sorted(found[title], key=_by_year))) for title in order)
    return tuple(one for one in groups if one.machines)


def _by_year(machine: LibraryMachine) -> tuple[int, str]:
    return -machine.year, machine.name.casefold()

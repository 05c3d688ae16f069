"""The user's document: what is placed, on which machines, and how it is looked at. Everything here is frozen.

An edit makes a new study; parts that did not change are the same objects, so that views and undo compare with ``is``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.quick import nothing
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.traffic import DEFAULT_ABSORPTION, Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement_overlay import Overlay

__all__ = [
    "CHAIN_PREFIX",
    "FORMAT",
    "SLOTS",
    "Chain",
    "Entry",
    "Pair",
    "PluginRef",
    "Study",
    "View",
    "settings_of",
]

FORMAT: Final = "rooflinestudio-study/1"
CHAIN_PREFIX: Final = "chain:"
"""Begins the operator id of an entry that is a fused chain of the study."""

SLOTS: Final = 8
"""Colours that placements take in turn; from the ninth on they repeat with another marker."""


@dataclass(frozen=True, slots=True)
class PluginRef:
    """Which plugin an entry's operator came from when it was placed."""

    id: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One placed operator; None means: follows the view.

    Attributes
    ----------
    id
        Unique within the study and stable (``gemm-1``).
    parameters, dtypes
        What the user set, by name; the rest follows the operator. dtypes are ids by role, ``all`` the shorthand.
    machines
        Profile ids, or None for those of the view.
    slot
        Colour number 0 to 7 (and beyond: repeats with another marker), or a colour text of the user's own.
    unknown
        Keys of the file that this version does not know; written back unchanged.
    """

    id: str
    operator: str
    plugin: PluginRef = PluginRef()
    parameters: Mapping[str, Any] = field(default_factory=nothing)
    dtypes: Mapping[str, str] = field(default_factory=nothing)
    policy: Policy | None = None
    absorption: float | None = None
    ceiling: str | None = None
    overlap: float | None = None
    machines: tuple[str, ...] | None = None
    boundary: str | None = None
    variant_of: str | None = None
    label: str = ""
    slot: int | str = 0
    group: str = ""
    visible: bool = True
    unknown: Mapping[str, Any] = field(default_factory=nothing)


@dataclass(frozen=True, slots=True)
class Chain:
    """Operators in a row with kernel boundaries between some of them; shown by the fusion bench.

    It stands on the canvas through an entry whose operator is ``chain:ID``, which holds its parameters and formats.

    Attributes
    ----------
    parts
        Steps in the notation of chains (``add``, ``mul(v)``, ``add!``); the first may name the input (``x -> add``).
    cuts
        Joints, counted from 0, at which a kernel boundary stands.
    """

    id: str
    parts: tuple[str, ...]
    cuts: tuple[int, ...] = ()
    unknown: Mapping[str, Any] = field(default_factory=nothing)


@dataclass(frozen=True, slots=True)
class Pair:
    """A measured kernel held against an entry."""

    overlay: str
    kernel: str
    launch: int
    entry: str
    unknown: Mapping[str, Any] = field(default_factory=nothing)


@dataclass(frozen=True, slots=True)
class View:
    """What every entry follows unless it says otherwise; ``boundary`` None is the operator's home."""

    machines: tuple[str, ...] = ()
    boundary: str | None = "dram"
    policy: Policy = "modelled"
    absorption: float = DEFAULT_ABSORPTION
    overlap: float = 1.0
    forecast: bool = False
    unknown: Mapping[str, Any] = field(default_factory=nothing)


@dataclass(frozen=True)
class Study:
    """The document as a whole.

    Attributes
    ----------
    profiles
        Copies of the machines it uses, by id; the study's copy wins over a shipped profile of the same id.
    kernels
        Custom kernels as documents, by id; kept as they are.
    overlays
        Measured results, one per file.
    notes
        The user's own text.
    panels
        What each view beside the canvas shows, by its name (``sweep``, ``grid``, ``budget`` …): plain data that the
        view reads leniently.
    """

    entries: tuple[Entry, ...] = ()
    chains: tuple[Chain, ...] = ()
    profiles: Mapping[str, HardwareProfile] = field(default_factory=nothing)
    kernels: Mapping[str, Any] = field(default_factory=nothing)
    overlays: tuple[Overlay, ...] = ()
    pairs: tuple[Pair, ...] = ()
    view: View = View()
    notes: str = ""
    made_with: str = ""
    panels: Mapping[str, Mapping[str, Any]] = field(default_factory=nothing)
    unknown: Mapping[str, Any] = field(default_factory=nothing)

    def entry(self, id_: str) -> Entry:
        """Return the entry of this id; ``KeyError`` if there is none."""
        for one in self.entries:
            if one.id == id_:
                return one
        raise KeyError(f"the study has no entry {id_!r}")

    def has_entry(self, id_: str) -> bool:
        """Tell whether there is an entry of this id."""
        return any(one.id == id_ for one in self.entries)

    def adding(self, entry: Entry, *, after: str | None = None) -> Study:
        """Return the study with an entry more, at the end or behind another one."""
        at = next((i + 1 for i, one in enumerate(self.entries) if one.id == after), len(self.entries))
        return replace(self, entries=(*self.entries[:at], entry, *self.entries[at:]))

    def replacing(self, entry: Entry) -> Study:
        """Return the study with the entry of the same id exchanged."""
        self.entry(entry.id)
        return replace(self, entries=tuple(entry if one.id == entry.id else one for one in self.entries))

    def without(self, ids: Iterable[str]) -> Study:
        """Return the study without some entries; their variants stand alone then, their pairs go."""
        gone = frozenset(ids)
        kept = tuple(
            replace(one, variant_of=None) if one.variant_of in gone else one
            for one in self.entries
            if one.id not in gone
        )
        pairs = tuple(pair for pair in self.pairs if pair.entry not in gone)
        named = {one.operator for one in kept}
        left = {one.operator for one in self.entries if one.id in gone} - named
        chains = tuple(one for one in self.chains if f"{CHAIN_PREFIX}{one.id}" not in left)
        return replace(self, entries=kept, pairs=pairs, chains=chains)

    def chain(self, id_: str) -> Chain:
        """Return the chain of this id; ``KeyError`` if there is none."""
        for one in self.chains:
            if one.id == id_:
                return one
        raise KeyError(f"the study has no chain {id_!r}")

    def with_chain(self, chain: Chain) -> Study:
        """Return the study with a chain more, or with the chain of the same id exchanged."""
        if any(one.id == chain.id for one in self.chains):
            chains = tuple(chain if one.id == chain.id else one for one in self.chains)
        else:
            chains = (*self.chains, chain)
        return replace(self, chains=chains)

    def next_chain_id(self) -> str:
        """Return a free chain id: ``chain-1``, ``chain-2`` and so on."""
        taken = {one.id for one in self.chains}
        return next(f"chain-{number}" for number in count(1) if f"chain-{number}" not in taken)

    def with_panel(self, name: str, changes: Mapping[str, Any]) -> Study:
        """Return the study with settings of one panel changed; a value of None takes a setting out."""
        panel = {**self.panels.get(name, {}), **changes}
        panel = {key: value for key, value in panel.items() if value is not None}
        panels = {key: one for key, one in self.panels.items() if key != name}
        return replace(self, panels={**panels, name: panel} if panel else panels)

    def with_profile(self, profile: HardwareProfile, *, shown: bool = True) -> Study:
        """Return the study with a copy of a profile, and its machine in the view."""
        machines = self.view.machines
        if shown and profile.id not in machines:
            machines = (*machines, profile.id)
        return replace(
            self, profiles={**self.profiles, profile.id: profile}, view=replace(self.view, machines=machines)
        )

    def without_machine(self, id_: str) -> Study:
        """Return the study with a machine out of view; its profile stays while an entry names it."""
        view = replace(self.view, machines=tuple(one for one in self.view.machines if one != id_))
        named = any(one.machines and id_ in one.machines for one in self.entries)
        profiles = self.profiles if named else {key: one for key, one in self.profiles.items() if key != id_}
        return replace(self, view=view, profiles=profiles)

    def next_id(self, operator: str) -> str:
        """Return a free entry id for an operator: ``gemm-1``, ``gemm-2`` and so on."""
        stem = re.sub(r"[^a-z0-9]+", "-", operator.lower()).strip("-") or "entry"
        taken = {one.id for one in self.entries}
        number = 1
        while f"{stem}-{number}" in taken:
            number += 1
        return f"{stem}-{number}"

    def next_slot(self) -> int:
        """Return the colour slot for the next placement: the first free of eight, then in turn."""
        taken = [one.slot for one in self.entries if isinstance(one.slot, int)]
        for slot in range(SLOTS):
            if slot not in taken:
                return slot
        return max(taken) + 1

    def machines_of(self, entry: Entry) -> tuple[str, ...]:
        """Return the profile ids that an entry is placed on."""
        return self.view.machines if entry.machines is None else entry.machines


def settings_of(entry: Entry, view: View) -> Settings:
    """Return the settings that hold for an entry: its own, else the view's."""
    return Settings(
        boundary=entry.boundary if entry.boundary is not None else view.boundary,
        policy=entry.policy or view.policy,
        absorption=view.absorption if entry.absorption is None else entry.absorption,
        ceiling=entry.ceiling,
        overlap=view.overlap if entry.overlap is None else entry.overlap,
        forecast=view.forecast,
    )

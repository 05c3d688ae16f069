"""Which plugins are installed, and which of them are turned off. Nothing is imported here.

Each distribution is looked at alone: one with broken metadata is a row of its own, where ``importlib.metadata`` would
give up on all of them. The studio's own entry points are read without that module, which costs 20 ms to import: they
are needed before the window paints, those of others after it.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import PluginError
from rooflinestudio.plugins.faults import described
from rooflinestudio.plugins.hookspecs import ENTRY_POINT_GROUP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from importlib.metadata import Distribution

__all__ = [
    "DISABLE_VARIABLE",
    "OWN_DISTRIBUTION",
    "Disabled",
    "PluginEntry",
    "installed_entries",
    "own_entries",
]

OWN_DISTRIBUTION: Final = "rooflinestudio"
DISABLE_VARIABLE: Final = "ROOFLINESTUDIO_DISABLE_PLUGINS"
_ALL: Final = frozenset(("1", "all", "true", "yes", "on"))
_NONE: Final = frozenset(("", "0", "none", "false", "no", "off"))


@dataclass(frozen=True, slots=True)
class PluginEntry:
    """A plugin that was found, not yet loaded.

    Attributes
    ----------
    name
        Of the entry point.
    distribution, version
        Who brings it.
    load
        Imports it; may raise whatever the plugin raises, and ``PluginError`` where there is nothing to import.
    """

    name: str
    distribution: str
    version: str
    load: Callable[[], Any]

    @property
    def foreign(self) -> bool:
        """Whether it is anybody else's than the studio's own."""
        return canonical_name(self.distribution) != OWN_DISTRIBUTION


def canonical_name(distribution: str) -> str:
    """Return the form of a distribution's name in which capitals, hyphens, dots and underscores are alike."""
    return re.sub(r"[-_.]+", "-", distribution).strip().lower()


def own_entries(folders: Iterable[str] | None = None) -> tuple[PluginEntry, ...]:
    """Find the studio's own plugins, by name; none where it is installed in an unusual way.

    Parameters
    ----------
    folders
        Where to look; None for the import path.
    """
    for folder in sys.path if folders is None else folders:
        with suppress(OSError):
            for info in sorted(Path(folder or ".").glob(f"{OWN_DISTRIBUTION}-*.dist-info")):
                text = (info / "entry_points.txt").read_text(encoding="utf-8")
                version = info.stem.removeprefix(f"{OWN_DISTRIBUTION}-")
                return tuple(sorted(_own_entries_in(text, version), key=lambda entry: entry.name))
    return ()


def _own_entries_in(text: str, version: str) -> Iterator[PluginEntry]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        name, equals, module = line.partition("=")
        if line.startswith("["):
            section = line
        elif section == f"[{ENTRY_POINT_GROUP}]" and equals:
            load = partial(importlib.import_module, module.strip())
            yield PluginEntry(name.strip(), OWN_DISTRIBUTION, version, load)


def installed_entries(distributions: Iterable[Distribution] | None = None) -> tuple[PluginEntry, ...]:
    """Find all plugins, the studio's own first, then by distribution and name.

    Parameters
    ----------
    distributions
        Where to look; None for what is installed. Of two distributions of one name the first counts, as for imports.
    """
    if distributions is None:
        from importlib.metadata import distributions as installed

        distributions = installed()
    found: dict[str, list[PluginEntry]] = {}
    for distribution in distributions:
        entries = list(_entries_of(distribution))
        if entries:
            found.setdefault(canonical_name(entries[0].distribution), entries)
    everything = [entry for entries in found.values() for entry in entries]
    return tuple(
        sorted(everything, key=lambda one: (one.foreign, canonical_name(one.distribution), one.name))
    )


def _entries_of(distribution: Distribution) -> Iterator[PluginEntry]:
    try:
        text = distribution.read_text("entry_points.txt") or ""
    except Exception:
        return  # whatever it is, it says nothing of plugins of ours
    if f"[{ENTRY_POINT_GROUP}]" not in text:
        return
    name, version = _named(distribution)
    try:
        points = [point for point in distribution.entry_points if point.group == ENTRY_POINT_GROUP]
    except Exception as error:
        problem = f"Its entry_points.txt cannot be read: {described(error)}."
        yield PluginEntry(name, name, version, partial(_refuse, problem))
        return
    for point in points:
        load: Callable[[], Any] = point.load
        if point.pattern.match(point.value) is None:
            load = partial(_refuse, f"Its entry point reads {point.value!r}, which names no module.")
        yield PluginEntry(point.name, name, version, load)


def _refuse(problem: str) -> None:
    raise PluginError(problem)


def _named(distribution: Distribution) -> tuple[str, str]:
    """Return name and version, as far as the metadata say."""
    name = version = ""
    with suppress(Exception):  # then the name of its folder has to do
        metadata = distribution.metadata
        name, version = metadata["Name"] or "", metadata["Version"] or ""
    folder = getattr(distribution, "_path", None)
    return name or getattr(folder, "stem", "unknown").split("-")[0], version


class Disabled:
    """Which foreign plugins are turned off, and by what.

    Parameters
    ----------
    text
        ``all`` (or ``1``) for every one; else names of distributions or entry points, separated by commas. None reads
        the variable :data:`DISABLE_VARIABLE`.
    safe_mode
        Turns every one off.
    """

    def __init__(self, text: str | None = None, *, safe_mode: bool = False) -> None:
        self._from = DISABLE_VARIABLE if text is None else "the setting"
        text = os.environ.get(DISABLE_VARIABLE, "") if text is None else text
        words = {word for part in text.split(",") if (word := canonical_name(part)) not in _NONE}
        self._safe_mode = safe_mode
        self._all = bool(words & _ALL)
        self._names = words - _ALL
        self._text = text.strip()

    def reason(self, entry: PluginEntry) -> str:
        """Say why a plugin is off; empty if it is on. The studio's own are never off."""
        if not entry.foreign:
            return ""
        if self._safe_mode:
            return "Turned off: the studio was started in safe mode."
        if self._all or self._names & {canonical_name(entry.name), canonical_name(entry.distribution)}:
            return f"Turned off by {self._from} ({self._text})."
        return ""

    def unknown(self, entries: Iterable[PluginEntry]) -> tuple[str, ...]:
        """Return the names that turn nothing off, since no such plugin is there."""
        known = {
            canonical_name(name)
            for entry in entries
            if entry.foreign
            for name in (entry.name, entry.distribution)
        }
        return tuple(sorted(self._names - known))

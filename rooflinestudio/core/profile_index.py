"""Which profiles there are, without reading them: only the first lines of each file are looked at."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from rooflinestudio.core.errors import ProfileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.resources.abc import Traversable

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["ProfileIndex", "ProfileIndexEntry", "find_profile", "profile_index", "shipped_profiles"]

FORMAT: Final = "rooflinestudio-profile/1"
SHIPPED: Final = "hardware_profiles"
_HEAD_BYTES: Final = 2048
_FIELDS: Final = ("id", "name", "short_name", "vendor", "year")
# A value that stands for itself: not quoted, no comment, none of YAML's signs in front.
_HEAD_LINE: Final = re.compile(r"(format|id|name|short_name|vendor|year): +([A-Za-z0-9][^#:'\"\n]*?) *\r?")
_OTHER_LINE: Final = re.compile(r"#.*|[a-z_]+: +[A-Za-z0-9].*|\s*")
_WORD: Final = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class ProfileIndexEntry:
    """A profile that is there, not yet read.

    Attributes
    ----------
    id, name, short_name, vendor, year
        As in the file.
    path
        Where it stands, for people.
    shipped
        Whether it comes with the studio.
    """

    id: str
    name: str
    short_name: str
    vendor: str
    year: int
    path: str
    shipped: bool
    resource: Traversable | Path

    @property
    def label(self) -> str:
        """The machine's name on screen."""
        return self.name

    def load(self) -> HardwareProfile:
        """Read the profile, once; later calls return the same object.

        Raises
        ------
        ProfileError
            If the file cannot be read, or anything in it is wrong.
        """
        return self._profile

    @cached_property
    def _profile(self) -> HardwareProfile:
        return _loaded(self.resource)


def _loaded(resource: Traversable | Path) -> HardwareProfile:
    from rooflinestudio.core.profile_files import load_profile, profile_from_text

    if isinstance(resource, Path):
        return load_profile(resource)
    return profile_from_text(resource.read_text(encoding="utf-8"), name=resource.name)


class ProfileIndex(tuple[ProfileIndexEntry, ...]):
    """The entries, by vendor and name; ``problems`` says which files are no profiles or share an id."""

    problems: tuple[str, ...]

    def __new__(cls, entries: Iterable[ProfileIndexEntry] = (), problems: Iterable[str] = ()) -> ProfileIndex:
        """Make an index of these entries."""
        self = super().__new__(cls, entries)
        self.problems = tuple(problems)
        return self


def profile_index(*folders: Path | str, shipped: bool = True, user_wins: bool = False) -> ProfileIndex:
    """List the profiles that come with the studio and those in further folders.

    Parameters
    ----------
    folders
        Folders with ``*.yaml`` files; one that is not there holds none.
    shipped
        Whether the profiles of the studio are listed too.
    user_wins
        Whether a file in a folder replaces a shipped profile of the same id; otherwise the shipped one stays. Either
        way ``problems`` says so.
    """
    own: list[ProfileIndexEntry] = list(shipped_profiles()) if shipped else []
    problems: list[str] = list(shipped_profiles().problems) if shipped else []
    entries = {entry.id: entry for entry in own}
    for folder in folders:
        for entry in _entries(Path(folder), shipped=False, problems=problems):
            first = entries.setdefault(entry.id, entry)
            if first is entry:
                continue
            kept = entry if user_wins and first.shipped else first
            entries[entry.id] = kept
            problems.append(_shared(first, entry, kept))
    return ProfileIndex(sorted(entries.values(), key=_order), problems)


@cache
def shipped_profiles() -> ProfileIndex:
    """Return the profiles that come with the studio; read once per process."""
    from importlib.resources import files

    problems: list[str] = []
    return ProfileIndex(
        sorted(_entries(files(SHIPPED), shipped=True, problems=problems), key=_order), problems
    )


def _order(entry: ProfileIndexEntry) -> tuple[str, int, str]:
    return entry.vendor.lower(), entry.year, entry.id


def _shared(first: ProfileIndexEntry, second: ProfileIndexEntry, kept: ProfileIndexEntry) -> str:
    owner = "the shipped profile" if first.shipped else first.path
    used = "the shipped profile" if kept.shipped else kept.path
    return f"{second.path}: the id {second.id!r} is that of {owner}; {used} is used. Give one of them another id."


def _entries(
    folder: Traversable | Path, *, shipped: bool, problems: list[str]
) -> Iterator[ProfileIndexEntry]:
    if not folder.is_dir():
        return
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.startswith(".") or not file.name.endswith((".yaml", ".yml")) or not file.is_file():
            continue
        try:
            yield _entry(file, shipped=shipped)
        except (ProfileError, OSError) as error:
            problems.append(f"{file}: {error}")


def _entry(file: Traversable | Path, *, shipped: bool) -> ProfileIndexEntry:
    with file.open("rb") as stream:
        head = stream.read(_HEAD_BYTES).decode("utf-8", errors="replace").removeprefix("\ufeff")
    found: dict[str, str] = {}
    for line in head.split("\n")[:-1]:  # the last line may be cut
        match = _HEAD_LINE.fullmatch(line)
        if match is not None:
            found.setdefault(match[1], match[2])
        elif not _OTHER_LINE.fullmatch(line):
            break
    id_, name, short_name, vendor, year = (found.get(key, "") for key in _FIELDS)
    if found.get("format") == FORMAT and all((id_, name, short_name, vendor)) and year.isdecimal():
        return ProfileIndexEntry(id_, name, short_name, vendor, int(year), str(file), shipped, file)
    return _entry_of_unusual_file(file, shipped=shipped)


def _entry_of_unusual_file(file: Traversable | Path, *, shipped: bool) -> ProfileIndexEntry:
    """Read the whole file: its first lines are not written the way the studio writes them."""
    profile = _loaded(file)
    named = (profile.id, profile.name, profile.short_name, profile.vendor, profile.year)
    return ProfileIndexEntry(*named, str(file), shipped, file)


class _Named(Protocol):
    @property
    def id(self) -> str: ...


Named = TypeVar("Named", bound=_Named)


def find_profile(entries: Iterable[Named], text: str) -> Named:
    """Return the one profile that a text names: an id, or any part of an id or name that only one of them has.

    Capitals, spaces and hyphens make no difference. A whole word counts before a part of one: ``b200`` is the B200
    even where there is a GB200.

    Parameters
    ----------
    entries
        Index entries, profiles, or whatever else has an ``id`` (and perhaps ``name``, ``short_name`` or ``label``).

    Raises
    ------
    ProfileError
        If several fit, with their ids; or if none does, with the nearest.
    """
    known = list(entries)
    wanted = _words(text)
    if not wanted:
        raise ProfileError(f"No machine is named by {text!r}. Known: {_listed(known)}.")
    for fits in (_is_id, _is_name, _has_words_in_id, _has_words_in_name, _has_part_in_id, _has_part_in_name):
        found = [entry for entry in known if fits(entry, wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            raise ProfileError(f"{text!r} fits several machines: {_listed(found)}. Write more of the id.")
    close = difflib.get_close_matches(text.lower(), [entry.id for entry in known], n=1, cutoff=0.4)
    hint = f"Did you mean {close[0]!r}?" if close else f"Known: {_listed(known)}."
    raise ProfileError(f"No machine is called {text!r}. {hint}")


def _listed(entries: list[Named]) -> str:
    return ", ".join(entry.id for entry in entries) or "none"


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _names(entry: _Named) -> Iterator[list[str]]:
    for attribute in ("short_name", "name", "label"):
        name = getattr(entry, attribute, None)
        if isinstance(name, str):
            yield _words(name)


def _is_id(entry: _Named, wanted: list[str]) -> bool:
    return _words(entry.id) == wanted


def _is_name(entry: _Named, wanted: list[str]) -> bool:
    return wanted in _names(entry)


def _run(words: list[str], wanted: list[str]) -> bool:
    return any(words[start : start + len(wanted)] == wanted for start in range(len(words) - len(wanted) + 1))


def _has_words_in_id(entry: _Named, wanted: list[str]) -> bool:
    return _run(_words(entry.id), wanted)


def _has_words_in_name(entry: _Named, wanted: list[str]) -> bool:
    return any(_run(name, wanted) for name in _names(entry))


def _has_part_in_id(entry: _Named, wanted: list[str]) -> bool:
    return "".join(wanted) in "".join(_words(entry.id))


def _has_part_in_name(entry: _Named, wanted: list[str]) -> bool:
    return any("".join(wanted) in "".join(name) for name in _names(entry))

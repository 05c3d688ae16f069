"""Which profile is that of the device a measured file names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["DeviceMatch", "matching_profile", "relation"]

_WORD: Final = re.compile(r"[a-z]+\d+[a-z]*|\d+[a-z]*|[a-z]+")
_CAPACITY: Final = re.compile(r"\d+gb\Z")
_MEMORY: Final = re.compile(r"(?:hbm|gddr)\w*\Z")
_FORM: Final = re.compile(r"(sxm|pcie|nvl|mxm)\d*\Z")
_CHIP: Final = re.compile(r"(?:[a-z]{1,2}\d{1,4}[a-z]?|\d{4})\Z")
_OTHER_CHIPS: Final = frozenset(("ti", "super", "laptop", "max", "mobile", "d", "q", "pro", "ada"))
"""Words beside a number that make another chip of it: RTX 4090, RTX 4090 Laptop; RTX 6000 Ada, RTX PRO 6000."""
# A driver names the form of a board only where it is not that of the module ("H100 80GB HBM3" is the SXM one), and
# shows each die of a package as a device.
_USUAL: Final = re.compile(r"\bsxm\d*\b|\bone gcd\b", re.IGNORECASE)


class _Machine(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


Machine = TypeVar("Machine", bound=_Machine)


@dataclass(frozen=True, slots=True)
class DeviceMatch(Generic[Machine]):
    """A profile that belongs to a device.

    Attributes
    ----------
    entry
        The profile, or its entry in an index.
    device
        Name in the file.
    differs
        In what the part in the file differs from that of the profile, in words; empty where it does not.
    """

    entry: Machine
    device: str
    differs: str

    @property
    def words(self) -> str:
        """One sentence for the user."""
        if not self.differs:
            return f"The file names {self.device}: held against {self.entry.name}."
        return (
            f"The file names {self.device}, and the nearest profile is {self.entry.name} ({self.differs}): its "
            "bandwidth and rates may be other ones. Name a profile of that very part to be sure."
        )


@dataclass(frozen=True, slots=True)
class _Named:
    """A device taken apart: chip, form, capacity, and words that make another chip of it."""

    chip: frozenset[str]
    other: frozenset[str]
    form: str
    capacity: str

    @classmethod
    def of(cls, text: str) -> _Named:
        words = _WORD.findall(text.lower())
        forms = [match[1] for word in words if (match := _FORM.match(word))]
        capacities = [word for word in words if _CAPACITY.match(word)]
        # "80 GB" with a blank is two words
        capacities += [f"{a}gb" for a, b in pairwise(words) if a.isdigit() and b == "gb"]
        chip = {word for word in words if _CHIP.match(word) and not _is_variant(word)}
        other = frozenset(words) & _OTHER_CHIPS
        return cls(frozenset(chip), other, (forms or [""])[0], (capacities or [""])[0])


def _is_variant(word: str) -> bool:
    return bool(_FORM.match(word) or _CAPACITY.match(word) or _MEMORY.match(word))


def relation(device: str, name: str) -> str | None:
    """Tell how a device and a profile's name are related.

    Returns
    -------
    str or None
        Empty for the same part; in words what differs between two parts with the same chip (form, capacity); None for
        another chip.
    """
    file, profile = _Named.of(device), _Named.of(name)
    if not file.chip or file.chip != profile.chip or file.other != profile.other:
        return None
    pairs = ((file.form.upper(), profile.form.upper()), (file.capacity, profile.capacity))
    return ", ".join(f"{b} instead of {a}".replace("gb", " GB") for a, b in pairs if a and b and a != b)


def matching_profile(entries: Iterable[Machine], device: str | None) -> DeviceMatch[Machine] | None:
    """Return the profile of a device, the same part before another one with the same chip; None if there is none.

    A device that names no form is the module where there is one: ``H100 80GB HBM3`` is the SXM5.
    """
    if not device:
        return None
    found: list[tuple[str, Machine]] = []
    for entry in entries:
        differs = relation(device, entry.name)
        if differs is not None:
            found.append((differs, entry))
    if not found:
        return None
    differs, entry = min(found, key=_distance)
    return DeviceMatch(entry, device, differs)


def _distance(found: tuple[str, _Machine]) -> tuple[int, bool, str]:
    differs, entry = found
    return len(differs.split(",")) if differs else 0, not _USUAL.search(entry.name), entry.id

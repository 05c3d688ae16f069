"""Which profiles fit the device that a file of ceilings names, the best first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from rooflinestudio.core.diagnosis.device import relation

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ProfileMatch", "match_words", "matching_profiles"]

_CHIPS: Final = {
    "6.0": ("p100",), "7.0": ("v100",), "7.5": ("t4",), "8.0": ("a100", "a30"), "8.6": ("a10", "3090"),
    "8.7": ("orin",), "8.9": ("l4", "l40s", "4090", "6000 ada"), "9.0": ("h100", "h200", "gh200"),
    "10.0": ("b200", "gb200", "b100"), "10.3": ("b300",), "12.0": ("5090", "6000 blackwell"), "12.1": ("gb10",),
}  # fmt: skip
"""Chips by compute capability, as the vendor lists them."""

# The driver names the form of a board only where it is not that of the module: "H100 80GB HBM3" is the SXM one. A tool
# sees each die of a package as a device of its own.
_USUAL: Final = re.compile(r"sxm|one gcd|\boam\b", re.IGNORECASE)


_UNNAMED: Final = "The file names no device: choose the machine that it is."


class _Machine(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class ProfileMatch:
    """A profile that can be that of a device.

    Attributes
    ----------
    differs
        In what the part in the file differs from that of the profile, in words; empty where it does not.
    by_name
        Whether the file names the chip; else only its compute capability speaks for this profile.
    """

    id: str
    name: str
    differs: str = ""
    by_name: bool = True

    @property
    def certain(self) -> bool:
        """Whether the file names this very part."""
        return self.by_name and not self.differs


def matching_profiles(
    device: str, machines: Iterable[_Machine], *, compute_capability: str | None = None
) -> tuple[ProfileMatch, ...]:
    """Return the profiles of a device, the same part before others with the same chip.

    Parameters
    ----------
    device
        As the file names it; a text that names no chip (``device 0``) fits nothing.
    machines
        Profiles or entries of an index.
    compute_capability
        ``8.0``, for a file that names no chip: what has it is returned, none of it certain.
    """
    known = list(machines)
    named = [
        ProfileMatch(one.id, one.name, differs)
        for one in known
        if (differs := relation(device, one.name)) is not None
    ]
    if named:
        return tuple(sorted(named, key=_order))
    chips = _CHIPS.get(compute_capability or "", ())
    fitting = [ProfileMatch(one.id, one.name, by_name=False) for one in known if _has_chip(one.name, chips)]
    return tuple(sorted(fitting, key=_order))


def _order(match: ProfileMatch) -> tuple[int, bool, str]:
    differences = match.differs.count(",") + 1 if match.differs else 0
    return differences, _USUAL.search(match.name) is None, match.id


def _has_chip(name: str, chips: tuple[str, ...]) -> bool:
    words = set(re.findall(r"[a-z0-9]+", name.lower()))
    return any(words.issuperset(chip.split()) for chip in chips)


def match_words(device: str, match: ProfileMatch | None, *, compute_capability: str | None = None) -> str:
    """Say how sure it is that a profile belongs to a device; one sentence."""
    what = device or "no device"
    if match is None:
        return f"No profile is called “{device}”: choose the machine that it is." if device else _UNNAMED
    if match.certain:
        return f"The file names {what}."
    if match.by_name:
        return f"The file names {what}; this is the nearest profile ({match.differs})."
    return (
        f"The file names {what}, but compute capability {compute_capability}: check that it is this machine."
    )

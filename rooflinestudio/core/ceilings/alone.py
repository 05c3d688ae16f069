"""A machine that no profile has: what one file says of it is all that is known."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.ceilings.cleaning import clean_machine, tidy
from rooflinestudio.core.ceilings.words import slug
from rooflinestudio.core.hardware import HardwareProfile

if TYPE_CHECKING:
    from rooflinestudio.core.measured.ceilings import MeasuredMachine

__all__ = ["bare_profile", "can_stand_alone", "with_reference"]

_VENDORS: Final = (
    (re.compile(r"nvidia|geforce|titan|tesla|quadro|\brtx\b|\bgtx\b", re.IGNORECASE), "NVIDIA"),
    (re.compile(r"\bamd\b|radeon|instinct|\bgfx\d|\bepyc\b|\bryzen\b", re.IGNORECASE), "AMD"),
    (re.compile(r"\bintel\b|\bxeon\b", re.IGNORECASE), "Intel"),
    (re.compile(r"\bapple\b", re.IGNORECASE), "Apple"),
)
_NAMES: Final = re.compile(r"\A(?:nvidia|amd|intel|apple)\s+", re.IGNORECASE)
_REFERENCES: Final = ("bf16-tensor", "fp16-tensor", "tf32-tensor", "fp32", "fp64")
_LONGEST: Final = 60


def can_stand_alone(machine: MeasuredMachine) -> bool:
    """Whether a file says enough for a roof: a ceiling and the bandwidth of memory."""
    machine = clean_machine(machine)
    return bool(machine.ceilings) and any(one.id == "dram" for one in machine.boundaries)


def bare_profile(machine: MeasuredMachine, *, year: int | None = None) -> HardwareProfile:
    """Return a profile of a device that holds no figure yet: readings go into it like into any other.

    Parameters
    ----------
    year
        Of the profile; left out, that of the file's date, else this one.
    """
    machine = clean_machine(machine)
    device = tidy(machine.device, _LONGEST) or tidy(f"Machine measured by {machine.tool}", _LONGEST)
    dated = re.match(r"(?:19|20)\d{2}", machine.date)
    vendor = next((name for pattern, name in _VENDORS if pattern.search(device)), "unknown vendor")
    capability = machine.compute_capability
    return HardwareProfile(
        id=slug(device)[:_LONGEST].strip("-") or "measured",
        name=device,
        short_name=_NAMES.sub("", device)[:30].strip() or "measured",
        vendor=vendor,
        architecture=tidy(f"compute capability {capability}", 60) if capability else "",
        year=year or (int(dated[0]) if dated else datetime.datetime.now(datetime.UTC).year),
        ceilings={},
        boundaries={},
        reference_ceiling="",
        notes=(tidy(f"Known only from what {machine.tool} said of it."),),
    )


def with_reference(profile: HardwareProfile) -> HardwareProfile:
    """Return a profile whose reference ceiling is one that it has."""
    if profile.reference_ceiling in profile.ceilings:
        return profile
    known = [*_REFERENCES, *profile.ceilings]
    return replace(profile, reference_ceiling=next((id_ for id_ in known if id_ in profile.ceilings), ""))

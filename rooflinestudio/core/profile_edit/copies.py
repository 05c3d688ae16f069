"""Copies of profiles with a name and an id of their own."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Container

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["copy_name", "duplicate", "free_id", "renamed"]

_LONGEST_NAME: Final = 200
_LONGEST_SHORT: Final = 28


def duplicate(profile: HardwareProfile, name: str, taken: Container[str]) -> HardwareProfile:
    """Return a copy that says which profile it was made from, and is otherwise the same.

    Parameters
    ----------
    taken
        Ids that the copy must not have.
    """
    copy = replace(profile, id=free_id(name, taken), based_on=profile.id)
    return renamed(copy, name)


def renamed(profile: HardwareProfile, name: str) -> HardwareProfile:
    """Give a profile another name, and a short one of it; its id stays. An empty name changes nothing."""
    name = " ".join(name.split())[:_LONGEST_NAME]
    if not name:
        return profile
    short = name if len(name) <= _LONGEST_SHORT else f"{name[: _LONGEST_SHORT - 1].rstrip(' ,-')}…"
    return replace(profile, name=name, short_name=short)


def copy_name(name: str, taken: Container[str]) -> str:
    """Return a name for a copy: ``H100, copy``, then ``H100, copy 2``."""
    stem = re.sub(r", copy( \d+)?$", "", name)
    number = 1
    while (found := f"{stem}, copy" if number == 1 else f"{stem}, copy {number}") in taken:
        number += 1
    return found


def free_id(name: str, taken: Container[str]) -> str:
    """Return an id made of a name that nobody has: ``h100-sxm5-rack-7``, then ``h100-sxm5-rack-7-2``."""
    stem = "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:80].strip("-") or "machine"
    number = 1
    while (found := stem if number == 1 else f"{stem}-{number}") in taken:
        number += 1
    return found

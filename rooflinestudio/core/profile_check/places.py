"""Addresses of figures in a profile: read one, or make a profile with another value there."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["Place", "figure_at", "known_place", "name_of", "with_value"]

Place: TypeAlias = tuple[str, ...]
"""Attribute names and keys from the profile to the figure; a ceiling alone stands for its figure in use."""

_WORDS = {
    "tdp": "power (TDP)", "launch_overhead": "launch overhead", "sms": "number of multiprocessors",
    "shared_bytes_per_sm": "shared memory per multiprocessor", "registers_per_sm": "registers per multiprocessor",
}  # fmt: skip


def _child(value: Any, key: str) -> Any:
    if hasattr(value, "keys"):
        return value[key]
    return getattr(value, key)


def figure_at(profile: HardwareProfile, place: Place) -> Figure:
    """Return the figure at a place.

    Raises
    ------
    KeyError
        If nothing stands there.
    """
    found: Any = profile
    try:
        for key in place:
            found = _child(found, key)
    except AttributeError:
        found = None
    if isinstance(found, ComputeCeiling):
        found = found.figure
    if not isinstance(found, Figure):
        raise KeyError(f"{profile.id} has no figure at {'.'.join(place)}")
    return found


def with_value(profile: HardwareProfile, place: Place, value: float) -> HardwareProfile:
    """Return the profile with another value at a place; where the figure comes from stays as it is.

    Raises
    ------
    KeyError
        If no figure stands there.
    """
    figure_at(profile, place)
    changed: HardwareProfile = _changed(profile, place, value)
    return changed


def _changed(found: Any, place: Place, value: float) -> Any:
    if isinstance(found, Figure):
        return replace(found, value=value)
    key, *rest = place or ("figure",)
    child = _changed(_child(found, key), tuple(rest), value)
    if hasattr(found, "keys"):
        return MappingProxyType({**found, key: child})
    return replace(found, **{key: child})


def known_place(whole: ComputeCeiling | Boundary, *, observed: bool = False) -> Place:
    """Return where the stated (or the observed) figure of a rate stands."""
    is_ceiling = isinstance(whole, ComputeCeiling)
    base: Place = ("ceilings" if is_ceiling else "boundaries", whole.id)
    if (whole.in_use == "measured") is observed:
        return base if is_ceiling else (*base, "bandwidth")
    return (*base, "measured" if observed else "published")


def name_of(profile: HardwareProfile, place: Place) -> str:
    """Return the words for a figure: ``bandwidth of HBM3``, ``bf16 tensor rate``."""
    group, *rest = place
    if "achievable" in rest:
        return f"{rest[-1]} achievable share {_of(profile, group, rest[0])}"
    if group == "ceilings":
        known = f"{rest[1]} " if len(rest) > 1 else ""
        return f"{known}{profile.ceilings[rest[0]].label} rate"
    if group == "boundaries":
        return _boundary_name(profile.boundaries, tuple(rest))
    if group == "clocks":
        return f"{rest[0]} clock"
    return _WORDS.get(group, group)


def _of(profile: HardwareProfile, group: str, id_: str) -> str:
    one = profile.ceilings[id_] if group == "ceilings" else profile.boundaries[id_]
    return f"of {one.label}"


def _boundary_name(boundaries: Mapping[str, Boundary], rest: Place) -> str:
    id_, *what = rest
    of = f"of {boundaries[id_].label}"
    if what[0] in ("measured", "published"):
        return f"{what[0]} bandwidth {of}"
    if what[0] == "slopes":
        return f"{what[1]} bandwidth {of}"
    return f"{what[0]} {of}"

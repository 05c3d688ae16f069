"""Rows that come and go: which ceilings, boundaries and single figures can be added, and what taking one out leaves."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.hardware import BOUNDARY_ORDER, ComputeCeiling, Figure
from rooflinestudio.core.profile_edit.draft import Draft, with_profile
from rooflinestudio.core.profile_edit.places import (
    CLOCKS,
    MACHINE_FIGURES,
    FigurePlace,
    figure_at,
    name_of,
    with_figure,
)
from rooflinestudio.core.profile_edit.typed import Refusal, read_typed

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile

__all__ = [
    "added", "boundary_choices", "ceiling_choices", "figure_choices", "removal_refused", "removed",
    "renamed_boundary", "with_reference",
]  # fmt: skip

LABELS: Final = {
    "register": "registers", "shared": "shared memory", "l1": "L1", "l2": "L2", "l3": "L3", "dram": "memory",
    "nvlink": "NVLink", "xgmi": "Infinity Fabric", "ici": "ICI", "neuronlink": "NeuronLink", "xe_link": "Xe Link",
    "roce": "RoCE", "c2c": "C2C", "pcie": "PCIe", "network": "network",
}  # fmt: skip
"""Words for boundaries until the machine's own word is written over them."""

_LONGEST_LABEL: Final = 200


def ceiling_choices(profile: HardwareProfile) -> tuple[tuple[str, str], ...]:
    """Return the pipes that the profile has no ceiling of, with their names: matrix pipes, then vector ones."""
    pipes = tuple(dict.fromkeys(dtype.pipe for dtype in DTYPES.values()))
    ids = (*(f"{pipe}-tensor" for pipe in pipes), *pipes, "fp32-no-fma", "special")
    return tuple(
        (id_, ComputeCeiling(id_, Figure(1.0, "assumed")).label) for id_ in ids if id_ not in profile.ceilings
    )


def boundary_choices(profile: HardwareProfile) -> tuple[tuple[str, str], ...]:
    """Return the boundaries that the profile does not have, with words for them, from the innermost outward."""
    return tuple((id_, LABELS[id_]) for id_ in BOUNDARY_ORDER if id_ not in profile.boundaries)


def figure_choices(profile: HardwareProfile) -> tuple[FigurePlace, ...]:
    """Return the single figures that are not known yet: of the machine, its clocks, capacities, latencies."""
    places = [FigurePlace("machine", key) for key in MACHINE_FIGURES]
    places += [FigurePlace("clocks", name) for name in CLOCKS]
    places += [FigurePlace("boundaries", id_, "capacity") for id_ in profile.boundaries]
    places += [FigurePlace("boundaries", id_, "latency") for id_ in profile.boundaries]
    return tuple(place for place in places if figure_at(profile, place) is None)


def added(draft: Draft, place: FigurePlace, text: str, *, today: str) -> Draft | Refusal:
    """Add a row with the figure that was typed for it, as ``assumed`` until somebody says where it comes from."""
    from rooflinestudio.core.profile_edit.places import unit_at

    value = read_typed(text, unit_at(place))
    if isinstance(value, Refusal):
        return value
    profile = with_figure(draft.profile, place, Figure(value, "assumed", date=today))
    if place.group == "boundaries" and not place.part:
        profile = renamed_boundary(profile, place.id, LABELS.get(place.id, place.id))
    return with_profile(draft, profile)


def removal_refused(profile: HardwareProfile, place: FigurePlace) -> str:
    """Return why a row cannot be taken out; empty where it can."""
    if place.is_rate and len(getattr(profile, place.group)) == 1:
        what = "ceiling" if place.group == "ceilings" else "boundary"
        return f"{name_of(profile, place)} is the only {what}. A machine has at least one."
    return ""


def removed(draft: Draft, place: FigurePlace) -> Draft:
    """Take a row out, with everything that stands in it; the last ceiling and the last boundary stay.

    Where the reference ceiling goes, the next one in the order of the profile takes its place.
    """
    profile = draft.profile
    if removal_refused(profile, place):
        return draft
    if not place.is_rate:
        clean = replace(draft, refused=tuple(one for one in draft.refused if one.place != place))
        return with_profile(clean, with_figure(profile, place, None))
    left = {id_: one for id_, one in getattr(profile, place.group).items() if id_ != place.id}
    changes: dict[str, Any] = {place.group: MappingProxyType(left)}
    if place.group == "ceilings" and profile.reference_ceiling == place.id:
        changes["reference_ceiling"] = next(iter(left))
    return with_profile(draft, replace(profile, **changes))


def renamed_boundary(profile: HardwareProfile, id_: str, label: str) -> HardwareProfile:
    """Give a boundary the machine's own word; an empty one changes nothing."""
    label = " ".join(label.split())[:_LONGEST_LABEL]
    if not label or id_ not in profile.boundaries:
        return profile
    boundary = replace(profile.boundaries[id_], label=label)
    return replace(profile, boundaries=MappingProxyType({**profile.boundaries, id_: boundary}))


def with_reference(profile: HardwareProfile, id_: str) -> HardwareProfile:
    """Show a ceiling of the profile beside every operator's own."""
    return replace(profile, reference_ceiling=id_) if id_ in profile.ceilings else profile

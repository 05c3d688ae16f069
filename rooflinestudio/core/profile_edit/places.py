"""Where the figures of a profile stand, and how one of them is exchanged for another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from rooflinestudio.core.hardware import BOUNDARY_ORDER, Boundary, ComputeCeiling, Figure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile, Use

__all__ = [
    "CLOCKS", "MACHINE_FIGURES", "FigurePlace", "Side", "figure_at", "name_of", "places_of", "rate_at", "unit_at",
    "with_figure", "with_rate",
]  # fmt: skip

Side = Literal["stated", "measured"]
"""Which of the two figures of a rate: the one of documents, or the one that was measured."""

Group = Literal["ceilings", "boundaries", "clocks", "machine"]
Part = Literal["", "capacity", "latency"]

CLOCKS: Final = ("base", "boost", "tensor", "sustained", "profiled")
"""Clocks that have a meaning here, in the order in which they are shown."""

MACHINE_FIGURES: Final = {
    "sms": ("multiprocessors", ""),
    "launch_overhead": ("launch overhead", "s"),
    "tdp": ("thermal design power", "W"),
    "registers_per_sm": ("registers per SM", ""),
    "shared_bytes_per_sm": ("shared memory per SM", "B"),
}
"""Name on screen and unit of the single figures of a machine, by their key in the file."""

_PART_UNITS: Final = {"": "B/s", "capacity": "B", "latency": "s"}


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """One place of a profile where a figure stands or could stand.

    Attributes
    ----------
    group, id
        ``ceilings`` or ``boundaries`` with an id, ``clocks`` with a name, ``machine`` with a key of
        :data:`MACHINE_FIGURES`.
    part
        Of a boundary: empty for its bandwidth, ``capacity`` or ``latency``.
    """

    group: Group
    id: str
    part: Part = ""

    @property
    def is_rate(self) -> bool:
        """Whether a stated and a measured figure can stand here."""
        return self.group == "ceilings" or (self.group == "boundaries" and not self.part)


def unit_at(place: FigurePlace) -> str:
    """Return the unit of the figure at a place, as :mod:`rooflinestudio.core.quantities` names it."""
    if place.group == "ceilings":
        return "FLOP/s"
    if place.group == "boundaries":
        return _PART_UNITS[place.part]
    return "Hz" if place.group == "clocks" else MACHINE_FIGURES[place.id][1]


def name_of(profile: HardwareProfile, place: FigurePlace) -> str:
    """Name a place in words: ``bf16 tensor``, ``HBM3``, ``HBM3 capacity``, ``boost clock``."""
    if place.group == "ceilings":
        return ComputeCeiling(place.id, Figure(1.0, "assumed")).label
    if place.group == "boundaries":
        known = profile.boundaries.get(place.id)
        return f"{known.label if known is not None else place.id} {place.part}".rstrip()
    return f"{place.id} clock" if place.group == "clocks" else MACHINE_FIGURES[place.id][0]


def places_of(profile: HardwareProfile) -> tuple[FigurePlace, ...]:
    """Return every place where a figure stands: ceilings, bandwidths, then the rest of the machine."""
    rates = [FigurePlace("ceilings", id_) for id_ in profile.ceilings]
    rates += [FigurePlace("boundaries", id_) for id_ in profile.boundaries]
    rest = [FigurePlace("machine", key) for key in MACHINE_FIGURES]
    rest += [FigurePlace("clocks", name) for name in _clock_names(profile)]
    parts: tuple[Part, ...] = ("capacity", "latency")
    rest += [FigurePlace("boundaries", id_, part) for part in parts for id_ in profile.boundaries]
    return (*rates, *(one for one in rest if figure_at(profile, one) is not None))


def _clock_names(profile: HardwareProfile) -> list[str]:
    known = [name for name in CLOCKS if name in profile.clocks]
    return known + [name for name in profile.clocks if name not in CLOCKS]


def rate_at(profile: HardwareProfile, place: FigurePlace) -> ComputeCeiling | Boundary | None:
    """Return the ceiling or boundary of a place; None where there is none."""
    if place.group == "ceilings":
        return profile.ceilings.get(place.id)
    return profile.boundaries.get(place.id) if place.group == "boundaries" else None


def figure_at(profile: HardwareProfile, place: FigurePlace, side: Side = "stated") -> Figure | None:
    """Return the figure of a place; None where nothing is known. Only rates have a measured one besides."""
    if place.is_rate:
        one = rate_at(profile, place)
        return None if one is None else one.stated if side == "stated" else one.observed
    if place.group == "boundaries":
        boundary = profile.boundaries.get(place.id)
        return (
            None if boundary is None else boundary.capacity if place.part == "capacity" else boundary.latency
        )
    if place.group == "clocks":
        return profile.clocks.get(place.id)
    found: Figure | None = getattr(profile, place.id)
    return found


def with_figure(
    profile: HardwareProfile, place: FigurePlace, figure: Figure | None, side: Side = "stated"
) -> HardwareProfile:
    """Return the profile with a figure exchanged; None takes it out.

    Raises
    ------
    ValueError
        If it is the only figure of a rate: a ceiling without a rate is none.
    """
    if place.is_rate:
        one = rate_at(profile, place)
        pair = {"stated": one.stated, "measured": one.observed} if one is not None else {"stated": None}
        return with_rate(
            profile, place, {**pair, side: figure}, use=one.in_use if one is not None else "stated"
        )
    if place.group == "boundaries":
        changes: dict[str, Any] = {place.part: figure}
        return _with_boundary(profile, replace(profile.boundaries[place.id], **changes))
    if place.group == "clocks":
        clocks = {**profile.clocks, place.id: figure}
        return replace(profile, clocks=_table({name: one for name, one in clocks.items() if one is not None}))
    single: dict[str, Any] = {place.id: figure}
    return replace(profile, **single)


def with_rate(
    profile: HardwareProfile, place: FigurePlace, pair: Mapping[str, Figure | None], *, use: Use
) -> HardwareProfile:
    """Return the profile with both figures of a rate set, and which of them is in use where both are known.

    Parameters
    ----------
    pair
        Figures under ``stated`` and ``measured``.
    """
    stated, observed = pair.get("stated"), pair.get("measured")
    if stated is None and observed is None:
        raise ValueError(f"{place.id} has no figure")
    used = observed if observed is not None and (use == "measured" or stated is None) else stated
    known: dict[str, Any] = {
        "figure" if place.group == "ceilings" else "bandwidth": used,
        "published": None if used is stated else stated,
        "measured": None if used is observed else observed,
    }
    one = rate_at(profile, place)
    if place.group == "ceilings":
        ceiling = (
            replace(one, **known) if isinstance(one, ComputeCeiling) else ComputeCeiling(place.id, **known)
        )
        return replace(profile, ceilings=_table({**profile.ceilings, place.id: ceiling}))
    boundary = replace(one, **known) if isinstance(one, Boundary) else Boundary(place.id, place.id, **known)
    return _with_boundary(profile, boundary)


def _with_boundary(profile: HardwareProfile, boundary: Boundary) -> HardwareProfile:
    """Exchange a boundary, or put a new one where it belongs between the others."""
    known = {**profile.boundaries, boundary.id: boundary}
    order = sorted(
        known, key=lambda id_: BOUNDARY_ORDER.index(id_) if id_ in BOUNDARY_ORDER else len(BOUNDARY_ORDER)
    )
    ids = list(known) if boundary.id in profile.boundaries else order
    return replace(profile, boundaries=_table({id_: known[id_] for id_ in ids}))


def _table(values: dict[str, Any]) -> Any:
    return MappingProxyType(values)

"""Several kernels as one: sums of work, traffic and time, with the parts beside them (MODEL 1.10).

Intensities are never averaged; each part binds at its own slowest boundary.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.core.arithmetic import any_true, is_number, total, where
from rooflinestudio.core.binding import BOUND_KINDS
from rooflinestudio.core.crossing import crosses, crossing_time_s, traffic_at
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placement import PlacedPart, Placement, place_part
from rooflinestudio.core.roofline import intensity, slowest
from rooflinestudio.core.settings import ALL

if TYPE_CHECKING:
    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Estimate, Part
    from rooflinestudio.core.settings import Settings

__all__ = ["composite_traffic", "place_composite"]

MIXED_SHARE: Final = 0.05
"""A second bound above this share of the time makes the verdict name both."""


def place_composite(
    estimate: Estimate, profile: HardwareProfile, settings: Settings, identity: tuple[str, Any, Any]
) -> Placement:
    """Place every part and add up; a part with neither work nor crossing traffic is left out.

    Raises
    ------
    RefusedError
        If that leaves nothing, or a part cannot be placed.
    """
    placed = _placed_parts(estimate, profile, settings)
    work = total(one.count * one.placement.work_flop for one in placed)
    time_s = total(one.count * one.placement.time_s for one in placed)
    if not placed or any_true(time_s <= 0):
        raise RefusedError(
            f"None of its kernels has work or traffic there on {profile.name}: nothing to place. "
            "Give it a size above zero, or select another boundary."
        )
    main = max(placed, key=lambda one: _size(one.count * one.placement.work_flop)).placement
    bound, binding, bindings, shares = _time_by_bound(placed, time_s)
    boundary, traffic, boundaries = _costliest(placed, profile, settings)
    if not isinstance(boundary, str):
        boundary = boundary + len(bindings)
    return Placement(
        *identity,
        profile,
        settings,
        estimate,
        work,
        traffic,
        intensity(work, traffic),
        work / time_s,
        time_s,
        _fraction_of_peak(placed, time_s),
        main.ceiling_id,
        main.ceiling_flop_per_s,
        boundary,
        bound,
        binding,
        bindings + boundaries,
        total(one.count * one.placement.compute_s for one in placed),
        total(one.count * one.placement.memory_s for one in placed),
        parts=placed,
        extra={"time_by_bound": shares, "mixed": sum(share > MIXED_SHARE for share in shares.values()) > 1},
    )


def _fraction_of_peak(placed: tuple[PlacedPart, ...], time_s: Num) -> Num:
    """Hold the main pipe (that of the largest part; for arrays element by element) against its ceiling."""
    works = [one.count * one.placement.work_flop for one in placed]
    _, at = slowest(works)
    fractions: dict[str, Num] = {}
    for one, work in zip(placed, works, strict=True):
        id_ = one.placement.ceiling_id
        fractions[id_] = fractions.get(id_, 0.0) + work / one.placement.ceiling_flop_per_s
    if isinstance(at, int):
        return fractions[placed[at].placement.ceiling_id] / time_s
    fraction: Num = 0.0
    for index, one in enumerate(placed):
        fraction = where(at == index, fractions[one.placement.ceiling_id] / time_s, fraction)
    return fraction


def _placed_parts(estimate: Estimate, profile: HardwareProfile, settings: Settings) -> tuple[PlacedPart, ...]:
    placed = []
    for part in estimate.parts:
        placement = place_part(part, profile, _own_settings(part, estimate.main_pipe, settings))
        if any_true(part.count * (placement.compute_s + placement.memory_s) > 0):
            placed.append(PlacedPart(part.label, part.count, placement))
    return tuple(placed)


def _own_settings(part: Part, main_pipe: str, settings: Settings) -> Settings:
    if settings.ceiling is not None and part.estimate.main_pipe != main_pipe:
        return replace(settings, ceiling=None)  # it is meant for the parts on the composite's main pipe
    return settings


def _size(value: Any) -> float:
    return float(value) if is_number(value) else float(value.max())


class _Traffic(NamedTuple):
    """What crosses one boundary in one run; hypothetical, and without a time, where nothing does."""

    read: Num
    write: Num
    time_s: Num | None


def _traffic(placement: Placement, boundary: str) -> _Traffic:
    if placement.parts:
        (read, write), time_s, _ = composite_traffic(placement, boundary)
        return _Traffic(read, write, time_s)
    estimate, profile = placement.estimate, placement.profile
    read, write = traffic_at(estimate, profile, boundary, placement.settings)
    if not crosses(estimate, profile, boundary):
        return _Traffic(read, write, None)
    return _Traffic(read, write, crossing_time_s(estimate, profile, boundary, read + write))


def composite_traffic(placement: Placement, boundary: str) -> tuple[tuple[Num, Num], Num | None, bool]:
    """Return ((read, write), time or None, whether any part crosses) of a composite at one boundary."""
    figures = [(one.count, _traffic(one.placement, boundary)) for one in placement.parts]
    crossing = [(count, one.read, one.write, one.time_s) for count, one in figures if one.time_s is not None]
    if not crossing:
        hypothetical = total(n * one.read for n, one in figures), total(n * one.write for n, one in figures)
        return hypothetical, None, False
    read, write = (
        total(n * read for n, read, _, _ in crossing),
        total(n * write for n, _, write, _ in crossing),
    )
    return (read, write), total(n * time for n, _, _, time in crossing), True


def _costliest(
    placed: tuple[PlacedPart, ...], profile: HardwareProfile, settings: Settings
) -> tuple[Any, Num, tuple[str, ...]]:
    """Return the boundary that stands at the top level, its traffic, and the boundaries it was chosen from.

    It is the selected one; where there are several, the one with the largest summed time, for arrays element by
    element as indices.
    """
    if settings.boundary is None or settings.boundary == ALL:
        ids = tuple(
            id_ for id_ in profile.boundaries if any(id_ in one.placement.limit_ids for one in placed)
        )
    else:
        ids = (settings.boundary,)
    figures = [[(one.count, _traffic(one.placement, id_)) for one in placed] for id_ in ids]
    crossing = [[pair for pair in parts if pair[1].time_s is not None] or parts for parts in figures]
    traffic = [total(count * (one.read + one.write) for count, one in parts) for parts in crossing]
    times = [total(n * one.time_s for n, one in parts if one.time_s is not None) for parts in crossing]
    _, at = slowest(times)
    if isinstance(at, int):
        return ids[at], traffic[at], ids
    import numpy as np

    return at, np.choose(at, np.broadcast_arrays(*traffic)), ids


def _time_by_bound(
    placed: tuple[PlacedPart, ...], time_s: Num
) -> tuple[Any, Any, tuple[str, ...], dict[str, Num]]:
    spent: dict[tuple[str, str], Num] = {}
    for one in placed:
        if isinstance(one.placement.bound, str):
            key = (one.placement.bound, one.placement.binding)
            spent[key] = spent.get(key, 0.0) + one.count * one.placement.time_s
        else:
            _split_by_bound(one, spent)
    keys = list(spent)
    _, at = slowest([spent[key] for key in keys])
    shares = {f"{bound} at {binding}": spent[bound, binding] / time_s for bound, binding in keys}
    ids = tuple(dict.fromkeys(binding for _, binding in keys))
    if isinstance(at, int) and is_number(time_s):
        return *keys[at], ids, shares
    import numpy as np

    bounds = np.array([BOUND_KINDS.index(bound) for bound, _ in keys])
    bindings = np.array([ids.index(binding) for _, binding in keys])
    nowhere = np.zeros_like(time_s, int)
    return bounds[at] + nowhere, bindings[at] + nowhere, ids, shares


def _split_by_bound(one: PlacedPart, spent: dict[tuple[str, str], Num]) -> None:
    import numpy as np

    placement = one.placement
    time_s = one.count * placement.time_s
    for code in np.unique(placement.bound):
        for binding in np.unique(placement.binding):
            here = (placement.bound == code) & (placement.binding == binding)
            if here.any():
                key = (BOUND_KINDS[int(code)], placement.limit_ids[int(binding)])
                spent[key] = spent.get(key, 0.0) + np.where(here, time_s, 0.0)

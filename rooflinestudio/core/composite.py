"""Several kernels as one: sums of work, traffic and time, with the parts beside them (MODEL 1.10).

Intensities are never averaged; each part binds at its own slowest boundary.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number, total
from rooflinestudio.core.crossing import crosses, crossing_time_s, traffic_at
from rooflinestudio.core.placement import BOUND_KINDS, PlacedPart, Placement, place_estimate
from rooflinestudio.core.roofline import intensity, slowest

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    """Place every part and add up."""
    main_pipe = estimate.main_pipe
    placed = tuple(
        PlacedPart(part.label, part.count, _place_part(part, main_pipe, profile, settings))
        for part in estimate.parts
    )
    work = total(one.count * one.placement.work_flop for one in placed)
    time_s = total(one.count * one.placement.time_s for one in placed)
    main = max(placed, key=lambda one: _size(one.count * one.placement.work_flop)).placement
    boundary = _costliest_boundary(placed)
    traffic = total(one.count * sum_at(one, boundary) for one in placed)
    bound, binding, ids, shares = _time_by_bound(placed, time_s)
    main_work = total(
        one.count * one.placement.work_flop for one in placed if one.placement.ceiling_id == main.ceiling_id
    )
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
        main_work / time_s / main.ceiling_flop_per_s,
        main.ceiling_id,
        main.ceiling_flop_per_s,
        boundary,
        bound,
        binding,
        ids,
        total(one.count * one.placement.compute_s for one in placed),
        total(one.count * one.placement.memory_s for one in placed),
        parts=placed,
        extra={"time_by_bound": shares, "mixed": _mixed(shares)},
    )


def _place_part(part: Part, main_pipe: str, profile: HardwareProfile, settings: Settings) -> Placement:
    if settings.ceiling is not None and part.estimate.main_pipe != main_pipe:
        settings = replace(
            settings, ceiling=None
        )  # the override is for the parts on the composite's main pipe
    if settings.boundary not in (None, "all") and not crosses(
        part.estimate, profile, settings.boundary or ""
    ):
        settings = replace(settings, boundary=None)
    return place_estimate(
        part.estimate,
        profile,
        settings,
        operator=part.operator,
        parameters=part.parameters,
        dtypes=part.dtypes,
    )


def _size(value: Any) -> float:
    return float(value) if is_number(value) else float(value.max())


def sum_at(part: PlacedPart, boundary: str) -> Num:
    """Return the bytes of one run of a part that cross a boundary, 0 where it does not cross."""
    placement = part.placement
    if not crosses(placement.estimate, placement.profile, boundary):
        return 0.0
    read, write = traffic_at(placement.estimate, placement.profile, boundary, placement.settings)
    return read + write


def _costliest_boundary(placed: tuple[PlacedPart, ...]) -> str:
    spent: dict[str, float] = {}
    for one in placed:
        id_ = one.placement.boundary_id
        spent[id_] = spent.get(id_, 0.0) + _size(one.count * one.placement.memory_s)
    return max(spent, key=lambda id_: spent[id_])


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
    return bounds[at] + np.zeros_like(time_s, int), bindings[at] + np.zeros_like(time_s, int), ids, shares


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


def _mixed(shares: Mapping[str, Num]) -> bool:
    return sum(_size(share) > MIXED_SHARE for share in shares.values()) > 1


def composite_traffic(placement: Placement, boundary: str) -> tuple[tuple[Num, Num], Num | None, bool]:
    """Return ((read, write), time or None, whether any part crosses) of a composite at one boundary."""
    read: Num = 0.0
    write: Num = 0.0
    time_s: Num = 0.0
    crossing = False
    for one in placement.parts:
        inner = one.placement
        here = crosses(inner.estimate, placement.profile, boundary)
        part_read, part_write = traffic_at(inner.estimate, placement.profile, boundary, placement.settings)
        if not here:
            continue
        crossing = True
        read, write = read + one.count * part_read, write + one.count * part_write
        time_s = time_s + one.count * crossing_time_s(
            inner.estimate, placement.profile, boundary, part_read + part_write
        )
    if not crossing:
        for one in placement.parts:
            part_read, part_write = traffic_at(
                one.placement.estimate, placement.profile, boundary, placement.settings
            )
            read, write = read + one.count * part_read, write + one.count * part_write
    return (read, write), time_s if crossing else None, crossing

"""Verdicts and notes in words, made from a placement when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.judged import judged_notes
from rooflinestudio.core.pipes import SPECIAL, resolve_pipe
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placement import Placement

__all__ = ["CANNOT_SEE", "absent_figures", "bound_name", "capacity_notes", "is_model", "notes", "verdict"]

ON_CHIP = ("register", "shared", "l1", "l2", "l3")
CANNOT_SEE = (
    "The model cannot see: waves and launch gaps where the launch shape is not known; what caches really keep (they "
    "are counted, not simulated); dependencies and the critical path; that reads and writes cost differently, and "
    "partial writes read first; uneven chiplets; clocks that fall under power. Decode steps reach 60 to 85% of their "
    "bound, whole layers take 1.3 to 2 times theirs."
)
STRICT = ("published", "measured")
"""Provenances of a bandwidth that a bound in the strict sense can rest on."""


def is_model(placement: Placement, boundary_id: str) -> bool:
    """Tell whether a figure at a boundary is a model rather than a bound (MODEL 1.6).

    Strict bounds are only those at dram and on links, with compulsory traffic, against published or measured ceilings.
    """
    return bool(_rests_on(placement, boundary_id))


def _rests_on(placement: Placement, boundary_id: str) -> str:
    """Return in words what makes a figure a model; empty for a bound."""
    boundary = placement.profile.boundaries[boundary_id]
    if boundary_id in ON_CHIP:
        return "tiles and an on-chip bandwidth"
    if placement.settings.policy != "compulsory":
        return "a tile" if placement.settings.policy == "tiled" else "a tile and an absorption"
    provenance = boundary.bandwidth.provenance
    return "" if provenance in STRICT else f"a bandwidth of {boundary.label} that is {provenance}"


def verdict(placement: Placement) -> str:
    """Return one sentence that names bound, boundary, policy and the distance from the ridge."""
    if not isinstance(placement.bound, str):
        return f"{placement.bound.size} points: see their bounds one by one."
    place = f"{_label(placement, placement.boundary)}, {_policy(placement)}"
    if placement.extra.get("mixed"):
        return _mixed_verdict(placement, place)
    at = placement.at(placement.boundary)
    if not at.crosses:
        return (
            f"Compute-bound at {placement.binding}: the data does not cross {at.label}, so it cannot bind; "
            f"the traffic shown there is what it would be."
        )
    if placement.memory_s == 0 and at.traffic_bytes > 0:
        return (
            f"Compute-bound at {placement.binding}: {at.label} does not feed the matrix pipe, so it cannot bind; "
            f"the traffic there is shown all the same."
        )
    if placement.bound == "launch":
        return (
            f"Launch-bound at {place}: starting it takes longer than running it. Fewer, larger launches help."
        )
    if placement.bound == "latency":
        return (
            f"Latency-bound at {place}: too few bytes are in flight to keep it busy. More parallelism helps."
        )
    return _bound_verdict(placement, place, _distance(placement, at.ridge))


def _bound_verdict(placement: Placement, place: str, distance: str) -> str:
    modelled = ", as modelled" if is_model(placement, placement.boundary) else ""
    if placement.bound == "memory":
        if placement.work_flop == 0:
            return f"Memory-bound at {place}{modelled}: it does no arithmetic, only bytes count."
        return f"Memory-bound at {place}{modelled}: {distance}.{_no_help(placement, 'FLOP/s')}"
    if placement.binding != placement.ceiling_id:
        share = format_number(100 * float(placement.fraction_of_peak), digits=3)
        return (
            f"Compute-bound on the {placement.binding} pipe at {place}: "
            f"the {placement.ceiling_id} pipe waits at {share}% of its peak."
        )
    return f"Compute-bound at {place}: {distance}.{_no_help(placement, 'bandwidth')}"


def _no_help(placement: Placement, resource: str) -> str:
    # Without full overlap both sides cost time, and more of either helps a little.
    return f" More {resource} would not help." if placement.settings.overlap == 1 else ""


def _mixed_verdict(placement: Placement, place: str) -> str:
    shares = sorted(placement.extra["time_by_bound"].items(), key=lambda item: -item[1])
    words = " and ".join(
        f"{format_number(100 * share, digits=2)}% {bound_name(placement, name)}" for name, share in shares[:2]
    )
    return f"Mixed bounds at {place}: {words} of the time. One roof does not describe the whole."


def bound_name(placement: Placement, name: str) -> str:
    """Return ``memory at dram`` with the machine's own word for the boundary: ``memory at HBM3``."""
    kind, _, id_ = name.partition(" at ")
    known = placement.profile.boundaries.get(id_)
    return name if known is None else f"{kind} at {known.label}"


def _distance(placement: Placement, ridge: float) -> str:
    """Return how far it is to the ridge; in a forecast, where padding and latency move it, how the times compare."""
    if placement.intensity == float("inf"):
        return "no traffic at all"
    ratio: Any = placement.intensity / ridge
    words = "{}× past the ridge", "{}× short of the ridge"
    if placement.settings.forecast:
        ratio = placement.compute_s / placement.memory_s
        words = "compute takes {}× as long as the traffic", "the traffic takes {}× as long as compute"
    if ratio == 0:
        return "intensity 0"
    return words[0].format(format_number(ratio)) if ratio >= 1 else words[1].format(format_number(1 / ratio))


def _label(placement: Placement, boundary_id: str) -> str:
    return placement.profile.boundaries[boundary_id].label


def _policy(placement: Placement) -> str:
    settings = placement.settings
    return (
        f"modelled with absorption {settings.absorption:g}"
        if settings.policy == "modelled"
        else settings.policy
    )


def notes(placement: Placement) -> tuple[str, ...]:
    """Return what a reader should know beside the figures, most important first."""
    return tuple(dict.fromkeys(_all_notes(placement)))  # parts of one kind would say the same twice


def _all_notes(placement: Placement) -> Iterator[str]:
    yield from dict.fromkeys(note for kernel in _kernels(placement) for note in _pipe_notes(kernel))
    if placement.settings.ceiling is not None:
        yield f"Held against the ceiling {placement.settings.ceiling} by choice, not against the operator's own pipe."
    yield from capacity_notes(placement)
    yield from _boundary_notes(placement)
    yield from judged_notes(placement)
    yield from dict.fromkeys(note for kernel in _kernels(placement) for note in _not_judged(kernel))
    if placement.settings.forecast:
        yield from _expected_notes(placement)
        yield CANNOT_SEE
    yield from _own_notes(placement)
    for part in placement.parts:
        yield from (f"{part.label}: {note}" for note in _own_notes(part.placement))


def _expected_notes(placement: Placement) -> Iterator[str]:
    """Say what the expected time rests on, or why there is none."""
    from rooflinestudio.core.achievable import what_is_missing

    expected = placement.expected
    if expected is None:
        names = ", ".join(what_is_missing(placement))
        yield (
            f"No expected time: the profile of {placement.profile.name} does not say what share of {names} "
            "real kernels reach."
        )
    elif expected.assumed:
        yield "The expected time rests on an achievable share that is assumed; a measured one narrows it."


def _kernels(placement: Placement) -> Iterator[Placement]:
    """Return the kernels that a placement is made of: itself, or those of its parts."""
    if not placement.parts:
        yield placement
    for part in placement.parts:
        yield from _kernels(part.placement)


def _pipe_notes(placement: Placement) -> Iterator[str]:
    profile = placement.profile
    for pipe in placement.estimate.work:
        id_ = resolve_pipe(pipe, profile)
        if id_ is None and pipe == SPECIAL:
            yield f"{profile.name} has no figure for the special pipe: exponentials are left out of the time."
        elif id_ is not None and id_ != pipe and placement.settings.ceiling is None:
            yield f"{profile.name} has no {pipe.replace('-', ' ')} pipe: the product runs on vector {id_}."


def _not_judged(placement: Placement) -> Iterator[str]:
    if placement.limits is not None:
        yield from (f"Not judged: {one}." for one in placement.limits.not_judged)


def _own_notes(placement: Placement) -> Iterator[str]:
    if placement.estimate.notes is not None:
        yield from placement.estimate.notes()


def capacity_notes(placement: Placement) -> Iterator[str]:
    """Say so where a kernel needs more than its memory holds."""
    footprint, dram = placement.estimate.footprint_bytes, placement.profile.boundaries.get("dram")
    if footprint is None or dram is None or dram.capacity is None or not is_number(footprint):
        return
    if footprint > dram.capacity.value:
        yield (
            f"Does not fit: it needs {format_quantity(footprint, 'B')} at once, and {dram.label} holds "
            f"{format_quantity(dram.capacity.value, 'B')} (counted in powers of 1000)."
        )


def _boundary_notes(placement: Placement) -> Iterator[str]:
    if not isinstance(placement.boundary, str):
        return
    boundary = placement.profile.boundaries[placement.boundary]
    if not boundary.feeds_matrix and placement.estimate.main_pipe.endswith("-tensor"):
        yield f"{boundary.label} does not feed the matrix pipe of {placement.profile.name}: shown, not binding."
    if boundary.approximate:
        origin = boundary.bandwidth.source or boundary.bandwidth.provenance
        yield f"The bandwidth of {boundary.label} is approximate: {origin}."
    reason = _rests_on(placement, placement.boundary)
    if reason:
        yield f"A model, not a bound: it rests on {reason}."


def absent_figures(placement: Placement) -> Iterator[str]:
    """Say which figures are infinite or absent, by the key that the JSON document gives null for."""
    if is_number(placement.intensity) and placement.intensity == float("inf"):
        yield "intensity is infinite: no traffic crosses here."
    for id_, figures in placement.boundaries.items():
        if is_number(figures.intensity) and figures.intensity == float("inf") and id_ != placement.boundary:
            yield f"boundaries.{id_}.intensity is infinite: no traffic crosses there."
        if figures.time_s is None:
            yield f"boundaries.{id_}.time_s is absent: the data does not cross {figures.label}."

"""The boundaries among each other: bandwidth never rises outward, capacity grows, and the ridge is like others'."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import LINKS
from rooflinestudio.core.profile_check.links import is_known_link
from rooflinestudio.core.profile_check.memory import MEMORY_KINDS, fitting
from rooflinestudio.core.profile_check.places import figure_at, known_place, name_of, with_value
from rooflinestudio.core.profile_check.subject import memory_kind, shown
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.places import Place
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = ["capacity_order_findings", "order_findings", "ridge_findings"]

_GPU: Final = ("register", "shared", "l2", "l3", "dram")
_CPU: Final = ("register", "l1", "l2", "l3", "dram")
_STATED: Final = 1.02
_MEASURED: Final = 1.08
_LOOSE: Final = 3.0
"""How far an outer bandwidth may lie above an inner one: rounding, the scatter of measurements, and the first
cache of a GPU, which lies beside shared memory and has no fixed place in the order."""
_SLIPS: Final = (8.0, 1000.0, 1024.0)
_RIDGE: Final = (1.0, 5000.0)
_UNLIKE: Final = 1.5
_YEARS: Final = 3
_ENOUGH: Final = 3


def order_findings(subject: Subject) -> Iterator[Finding]:
    """Report a bandwidth that is above that of a boundary further inside, and links above device memory."""
    profile = subject.profile
    chain = [id_ for id_ in (_CPU if profile.kind == "cpu" else _GPU) if id_ in profile.boundaries]
    found = _worst_of_chain(subject, chain)
    if found is not None:
        yield found
    elif profile.kind != "cpu":
        yield from _first_cache(subject)
    if "dram" not in profile.boundaries:
        return
    for id_ in LINKS:
        if id_ in profile.boundaries and _rises(profile, "dram", id_):
            yield _link_above_memory(subject, id_)


def _first_cache(subject: Subject) -> Iterator[Finding]:
    boundaries = subject.profile.boundaries
    for inner, outer in (("register", "l1"), ("l1", "l2")):
        if inner in boundaries and outer in boundaries and _rises(subject.profile, inner, outer, _LOOSE):
            slip = next((one for one in _SLIPS if _is_mended(subject, inner, outer, one)), None)
            factor = None if slip is None else slip if outer == "l1" else 1 / slip
            yield _rise(subject, inner, outer, culprit="l1", slip=factor)


def _is_mended(subject: Subject, inner: str, outer: str, slip: float) -> bool:
    mended = _without(subject.profile, "l1", slip if outer == "l1" else 1 / slip)
    return not _rises(mended, inner, outer, _LOOSE)


def _link_above_memory(subject: Subject, id_: str) -> Finding:
    """Return the finding on the link, or on the memory where the link has a rate that such links have."""
    if not is_known_link(subject, id_):
        return _rise(subject, "dram", id_, culprit=id_, slip=None)
    slip = next(
        (1 / one for one in _SLIPS if not _rises(_without(subject.profile, "dram", 1 / one), "dram", id_)),
        None,
    )
    return _rise(subject, "dram", id_, culprit="dram", slip=slip)


def _rises(profile: HardwareProfile, inner: str, outer: str, slack: float = 1.0) -> bool:
    inside, outside = profile.boundaries[inner], profile.boundaries[outer]
    alike = inside.in_use == outside.in_use == "stated"
    if inside.approximate and inside.stated is None:
        slack *= _LOOSE  # measured as "at least so much"
    if not alike and inside.stated is not None and outside.stated is not None:
        return outside.stated.value > inside.stated.value * _STATED * slack
    return outside.bytes_per_s > inside.bytes_per_s * slack * (_STATED if alike else _MEASURED)


def _worst_of_chain(subject: Subject, chain: list[str]) -> Finding | None:
    """Return one finding for the chain: on the figure without whose slip all are in order, else on the first rise."""
    broken = [
        (inner, outer) for inner, outer in combinations(chain, 2) if _rises(subject.profile, inner, outer)
    ]
    if not broken:
        return None
    suspects = _suspects(subject, broken, chain)
    for slip in _SLIPS:
        for culprit in suspects:
            too_high = any(outer == culprit for _, outer in broken)
            factor = slip if too_high else 1 / slip
            if _in_order(_without(subject.profile, culprit, factor), chain):
                pair = next(pair for pair in broken if culprit in pair)
                return _rise(subject, *pair, culprit=culprit, slip=factor)
    pair = next(pair for pair in broken if suspects[0] in pair)
    return _rise(subject, *pair, culprit=suspects[0], slip=None)


def _suspects(subject: Subject, broken: list[tuple[str, str]], chain: list[str]) -> list[str]:
    """Return the boundaries of the rises, the likeliest culprit first: unlike its neighbours, then further out."""
    involved = {id_ for pair in broken for id_ in pair}
    open_to_doubt = {id_ for id_ in involved if not _is_sure(subject, id_)} or involved
    return sorted(open_to_doubt, key=lambda id_: (_is_usual(subject, id_), -chain.index(id_)))


def _is_usual(subject: Subject, id_: str) -> bool:
    """Whether machines of the same kind have such a bandwidth there."""
    alike = tuple(one for one in subject.neighbours if one.kind == subject.profile.kind)
    known = subject.values(("boundaries", id_, "bandwidth"), among=alike)
    return bool(known) and known[0] / 2 <= subject.profile.boundaries[id_].bytes_per_s <= known[-1] * 2


def _is_sure(subject: Subject, id_: str) -> bool:
    """Whether a bandwidth was already found to be what such memory, or the width and the clock, give."""
    if id_ == "dram":
        return memory_kind(subject.profile.boundaries[id_]) in MEMORY_KINDS
    return id_ in ("register", "shared") and subject.family is not None and subject.vector_clock is not None


def _without(profile: HardwareProfile, id_: str, slip: float) -> HardwareProfile:
    place = ("boundaries", id_, "bandwidth")
    return with_value(profile, place, profile.boundaries[id_].bytes_per_s / slip)


def _in_order(profile: HardwareProfile, chain: list[str]) -> bool:
    return not any(_rises(profile, inner, outer) for inner, outer in pairwise(chain))


def _rise(subject: Subject, inner: str, outer: str, *, culprit: str, slip: float | None) -> Finding:
    place: Place = ("boundaries", culprit, "bandwidth")
    boundaries = subject.profile.boundaries
    other = inner if culprit == outer else outer
    other_value = boundaries[other].bytes_per_s
    above = "above" if culprit == outer else "below"
    side = "further inside" if other == inner else "further outside"
    why = (
        f", {above} the {shown(other_value, place)} of {boundaries[other].label}, which lies {side}: "
        "what crosses an outer boundary crosses the inner ones too."
    )
    if slip is None:
        mend = f"Check this figure and the {name_of(subject.profile, ('boundaries', other, 'bandwidth'))}."
        return subject.finding("order", place, why, mend)
    likely = boundaries[culprit].bytes_per_s / slip
    cause = "bits and bytes" if slip in (8.0, 1 / 8.0) else "a unit off by a thousand"
    mend = f"{shown(likely, place)} would be in order: look for {cause}."
    return subject.finding("order", place, why, mend, likely=likely, severity="wrong")


def capacity_order_findings(subject: Subject) -> Iterator[Finding]:
    """Report a capacity below that of a cache further inside; a victim l3 may be smaller than the l2."""
    boundaries = subject.profile.boundaries
    for inner, outer in (("l2", "l3"), ("l3", "dram"), ("l2", "dram")):
        inside, outside = boundaries.get(inner), boundaries.get(outer)
        if inside is None or outside is None or inside.capacity is None or outside.capacity is None:
            continue
        if outside.capacity.value >= inside.capacity.value or (outer == "l3" and _is_victim(subject)):
            continue
        place: Place = ("boundaries", outer, "capacity")
        slip = next(
            (one for one in (1e-3, 1e-6) if outside.capacity.value / one >= inside.capacity.value), None
        )
        likely = outside.capacity.value / slip if slip is not None else None
        why = f", less than the {shown(inside.capacity.value, place)} of {inside.label} further inside."
        mend = "Check both units."
        if likely is not None:
            mend = f"Check both units; {shown(likely, place)} would be in order."
        yield subject.finding("capacity-order", place, why, mend, likely=likely, severity="wrong")
        return


def _is_victim(subject: Subject) -> bool:
    """Processors fill their l3 with what the l2 casts out, so that it can be the smaller one."""
    l3 = subject.profile.boundaries["l3"]
    notes = (l3.capacity.note if l3.capacity is not None else "") + l3.bandwidth.note + l3.label
    return subject.profile.kind == "cpu" or "victim" in notes.lower()


def ridge_findings(subject: Subject) -> Iterator[Finding]:
    """Hold the ridge at device memory against machines of the same kind, maker and years."""
    profile = subject.profile
    known = subject.stated_bandwidth("dram")
    rate = profile.ceilings[profile.reference_ceiling].stated
    if known is None or rate is None:
        return
    place, bandwidth = known
    ridge, (others, of_maker) = rate.value / bandwidth.value, _ridges(subject)
    low, high = (others[0], others[-1]) if len(others) >= _ENOUGH else _RIDGE
    if low / _UNLIKE <= ridge <= high * _UNLIKE:
        return
    why = (
        f"; its ridge, {format_number(ridge)} FLOP/byte, is outside the {format_number(low)} to "
        f"{format_number(high)} of comparable machines."
    )
    bits = (8.0, 1 / 8.0) if of_maker and not _is_narrow(subject) else ()
    slip = fitting(1 / ridge, 1 / high, 1 / low, (*bits, 1000.0, 1 / 1000.0))
    if slip is not None:
        yield _slipped_ridge(subject, place, slip, why)
    elif of_maker and not low / 8 <= ridge <= high * 8:
        mend = f"Check it and the {name_of(profile, ('ceilings', profile.reference_ceiling))}."
        yield subject.finding("ridge", place, why, mend)


def _is_narrow(subject: Subject) -> bool:
    """Whether the kind of memory leaves no room for a factor of 8, so that bits would have been seen already."""
    kind = memory_kind(subject.profile.boundaries["dram"])
    return kind in MEMORY_KINDS and kind != "HBM" and not kind.startswith(("LPDDR", "DDR"))


def _slipped_ridge(subject: Subject, place: Place, slip: float, why: str) -> Finding:
    """Return the finding on the bandwidth, or on the rate where the bandwidth is what such memory gives."""
    if slip in (1000.0, 1 / 1000.0) and _is_sure(subject, "dram"):
        place = known_place(subject.profile.ceilings[subject.profile.reference_ceiling])
        slip = 1 / slip
    likely = figure_at(subject.profile, place).value / slip
    cause = "bits and bytes" if slip in (8.0, 1 / 8.0) else "a unit off by a thousand"
    mend = f"{shown(likely, place)} would fit: look for {cause}."
    return subject.finding("ridge", place, why, mend, likely=likely)


def _ridges(subject: Subject) -> tuple[list[float], bool]:
    """Return the ridges of comparable machines, ascending, and whether they are of the same maker."""
    mine = subject.profile
    comparable = [
        one
        for one in subject.neighbours
        if one.kind == mine.kind
        and abs(one.year - mine.year) <= _YEARS
        and mine.reference_ceiling in one.ceilings
        and memory_kind(one.boundaries.get("dram")) in MEMORY_KINDS
    ]
    of_maker = [one for one in comparable if one.vendor.lower() == mine.vendor.lower()]
    stacked = memory_kind(mine.boundaries["dram"]).startswith("HBM")
    chosen = of_maker
    if len(of_maker) < _ENOUGH:
        chosen = [
            one for one in comparable if memory_kind(one.boundaries["dram"]).startswith("HBM") == stacked
        ]
    return sorted(one.ridge(mine.reference_ceiling) for one in chosen), chosen is of_maker

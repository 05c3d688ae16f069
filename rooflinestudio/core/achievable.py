"""The expected time of a forecast, with its band: what real kernels reach of each ceiling and slope (MODEL 1.7).

A machine whose rates are taken down to the shares that real kernels reach is a machine like any other, so every law of
the forecast (padding, waves, Little's law, overlap, launches, composites) holds for it as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.arithmetic import any_true, is_number, total
from rooflinestudio.core.hardware import Achievable, Figure
from rooflinestudio.core.pipes import resolve_pipe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, HardwareProfile
    from rooflinestudio.core.placement import Placement

__all__ = [
    "Expected",
    "derated_placement",
    "derated_profile",
    "expected_time",
    "shares_of",
    "what_is_missing",
]

Level = Literal["low", "typical", "high"]

MATTERS: Final = 0.5
"""A side without a known share keeps its bound while that is at most this part of the expected time."""

SMALL_PART: Final = 0.05
"""A part of a composite whose share is not known keeps its bound up to this part of the time."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a kernel will probably take, in seconds.

    Attributes
    ----------
    time_s
        With the typical shares.
    low_s, high_s
        With the best and with the worst shares known: ``low_s <= time_s <= high_s``.
    shares
        The shares that it rests on, by ceiling or boundary.
    """

    time_s: Num
    low_s: Num
    high_s: Num
    shares: Mapping[str, Achievable]

    @property
    def assumed(self) -> bool:
        """Whether a typical share among them is assumed rather than measured."""
        return any(
            one.typical is not None and one.typical.provenance == "assumed" for one in self.shares.values()
        )


def shares_of(profile: HardwareProfile, id_: str) -> Achievable | None:
    """Return what is known of a ceiling or a boundary, or None; at least the typical share is then there.

    Profiles tell shares of the stated rate; where a measured one is in use, the answer is shares of that, at most all.
    A boundary whose shares leave the typical one out takes that of its ``streaming`` slope.
    """
    ceiling = profile.ceilings.get(id_)
    if ceiling is not None:
        known = ceiling.achievable
        return _of_rate_in_use(known, ceiling) if known is not None and known.typical is not None else None
    boundary = profile.boundaries.get(id_)
    if boundary is None:
        return None
    known = _of_rate_in_use(boundary.achievable or Achievable(), boundary)
    streaming = boundary.slopes.get("streaming")
    if known.typical is None and streaming is not None:
        share = min(streaming.value / boundary.bandwidth.value, 1.0)
        what = f"streaming slope over {boundary.bandwidth.provenance} bandwidth"
        typical = Figure(
            share, streaming.provenance, streaming.condition, streaming.source or what, streaming.date
        )
        known = _in_order(replace(known, typical=typical))
    return known if known.typical is not None else None


def _of_rate_in_use(known: Achievable, one: ComputeCeiling | Boundary) -> Achievable:
    stated, observed = one.stated, one.observed
    if one.in_use == "stated" or stated is None or observed is None:
        return known
    more = stated.value / observed.value

    def scaled(share: Figure | None) -> Figure | None:
        return None if share is None else replace(share, value=min(share.value * more, 1.0))

    return Achievable(scaled(known.typical), scaled(known.low), scaled(known.high))


def _in_order(known: Achievable) -> Achievable:
    """Let a band end at the typical share where an old end lies on the wrong side of it."""
    typical, low, high = known.typical, known.low, known.high
    assert typical is not None
    return Achievable(
        typical,
        None if low is not None and low.value > typical.value else low,
        None if high is not None and high.value < typical.value else high,
    )


@lru_cache(maxsize=128)
def derated_profile(profile: HardwareProfile, level: Level) -> HardwareProfile:
    """Return the machine with each rate times its share; rates whose share is not known stay what they are.

    ``low`` and ``high`` stand for the typical share where they are not known. Slopes keep their own rates.
    """
    ceilings = {}
    for id_, ceiling in profile.ceilings.items():
        rate = replace(ceiling.figure, value=ceiling.figure.value * _share(profile, id_, level))
        ceilings[id_] = replace(ceiling, figure=rate)
    boundaries = {}
    for id_, boundary in profile.boundaries.items():
        rate = replace(boundary.bandwidth, value=boundary.bandwidth.value * _share(profile, id_, level))
        boundaries[id_] = replace(boundary, bandwidth=rate)
    return replace(profile, ceilings=MappingProxyType(ceilings), boundaries=MappingProxyType(boundaries))


def _share(profile: HardwareProfile, id_: str, level: Level) -> float:
    known = shares_of(profile, id_)
    if known is None or known.typical is None:
        return 1.0
    figure: Figure | None = getattr(known, level)
    return (figure or known.typical).value


def expected_time(placement: Placement) -> Expected | None:
    """Return the expected time of a forecast and its band.

    None for a pure bound, and where what the kernel waits for has no achievable share; :func:`what_is_missing` then
    says which.
    """
    if not placement.settings.forecast:
        return None
    profile = placement.profile
    typical = derated_placement(placement, "typical")
    decided_by = dict.fromkeys(_deciding(typical, profile))
    shares = {id_: known for id_ in decided_by if (known := shares_of(profile, id_)) is not None}
    if len(shares) < len(decided_by):
        return None
    low_s, high_s = derated_placement(placement, "high").time_s, derated_placement(placement, "low").time_s
    return Expected(typical.time_s, low_s, high_s, shares)


def what_is_missing(placement: Placement) -> tuple[str, ...]:
    """Return the ceilings and boundaries without an achievable share on which an expected time would hang."""
    if not placement.settings.forecast:
        return ()
    deciding = _deciding(derated_placement(placement, "typical"), placement.profile)
    return tuple(dict.fromkeys(id_ for id_ in deciding if shares_of(placement.profile, id_) is None))


def derated_placement(placement: Placement, level: Level) -> Placement:
    """Hold the same kernel against the machine with its rates taken down to one level of share."""
    from rooflinestudio.core.placement import place_estimate

    return place_estimate(
        placement.estimate, derated_profile(placement.profile, level), placement.settings,
        operator=placement.operator, parameters=placement.parameters, dtypes=placement.dtypes,
    )  # fmt: skip


def _deciding(typical: Placement, profile: HardwareProfile) -> Iterator[str]:
    """Yield the ceilings and boundaries that the time hangs on; ``typical`` is placed on the derated machine."""
    if typical.parts:
        spent: dict[str, list[Num]] = {}
        for part in typical.parts:
            for id_ in _deciding(part.placement, profile):
                spent.setdefault(id_, []).append(part.count * part.placement.time_s)
        small_s = SMALL_PART * typical.time_s
        yield from (id_ for id_, times in spent.items() if any_true(total(times) > small_s))
        return
    pipes = [id_ for id_ in typical.limit_ids if id_ in profile.ceilings]
    selected = [id_ for id_ in typical.limit_ids if id_ in profile.boundaries]
    for ids, side_s in ((pipes, typical.compute_s), (selected, typical.memory_s)):
        if any_true(side_s > MATTERS * typical.time_s):
            yield from _slowest(typical, ids)


def _slowest(typical: Placement, ids: list[str]) -> list[str]:
    """Return the slowest of several limits; all of them where that differs from point to point."""
    if len(ids) < 2 or not is_number(typical.time_s):
        return ids
    told = next((id_ for id_ in (typical.binding, typical.boundary) if id_ in ids), None)
    return [told or max(ids, key=lambda id_: _pipe_s(typical, id_))]


def _pipe_s(placement: Placement, ceiling_id: str) -> float:
    """Return how long the work on one pipe takes."""
    estimate, profile = placement.estimate, placement.profile
    for pipe, flop in estimate.work.items():
        id_ = placement.ceiling_id if pipe == estimate.main_pipe else resolve_pipe(pipe, profile)
        if id_ == ceiling_id and is_number(flop):
            return flop / profile.ceilings[ceiling_id].flop_per_s
    return 0.0

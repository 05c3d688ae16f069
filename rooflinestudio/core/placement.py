"""An estimate held against one machine: everything that a view shows about it.

:func:`place_estimate` computes the figures that every view needs at once; what is only looked at now and then
(figures at the boundaries that were not selected, verdict, notes, formulas) is made on first access.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from rooflinestudio.core.arithmetic import any_true, where
from rooflinestudio.core.binding import BOUND_KINDS, what_binds
from rooflinestudio.core.crossing import crosses, crossing_time_s, may_bind, selected_boundaries, traffic_at
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.forecast import LAUNCH_ID, Limits, apply_forecast
from rooflinestudio.core.pipes import pipe_times
from rooflinestudio.core.quick import nothing, quick_frozen
from rooflinestudio.core.roofline import intensity, overlapped, slowest
from rooflinestudio.core.settings import ALL, DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.achievable import Expected
    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.boundary_figures import BoundaryFigures
    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Estimate, Part
    from rooflinestudio.core.pipes import PipeTimes

__all__ = [
    "ALL",
    "Placement",
    "Settings",
    "place_estimate",
    "selected_boundaries",
]


@quick_frozen
class Placement:
    """An estimate against one profile under one setting.

    Single evaluations carry ``bound`` and ``binding`` as words; vectorised ones as integer arrays (indices into
    :data:`BOUND_KINDS` and ``limit_ids``), with words on demand.
    """

    operator: str
    parameters: Mapping[str, Any]
    dtypes: Mapping[str, DType]
    profile: HardwareProfile
    settings: Settings
    estimate: Estimate
    work_flop: Num
    traffic_bytes: Num
    intensity: Num
    attainable_flop_per_s: Num
    time_s: Num
    fraction_of_peak: Num
    ceiling_id: str
    ceiling_flop_per_s: float
    boundary: Any
    bound: Any
    binding: Any
    limit_ids: tuple[str, ...]
    compute_s: Num
    memory_s: Num
    limits: Limits | None = None
    parts: tuple[PlacedPart, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=nothing)

    @property
    def model(self) -> str:
        """``forecast`` or ``bound``."""
        return "forecast" if self.settings.forecast else "bound"

    @property
    def boundary_id(self) -> str:
        """The boundary whose traffic stands at the top level (of the first element, for arrays)."""
        return self.boundary if isinstance(self.boundary, str) else self.limit_ids[int(self.boundary.flat[0])]

    @cached_property
    def boundaries(self) -> Mapping[str, BoundaryFigures]:
        """The figures at every boundary of the machine."""
        return {id_: self.at(id_) for id_ in self.profile.boundaries}

    def at(self, boundary_id: str) -> BoundaryFigures:
        """Return the figures at one boundary of the machine, whether or not it was selected."""
        from rooflinestudio.core.boundary_figures import boundary_figures

        return boundary_figures(self, boundary_id)

    @cached_property
    def verdict(self) -> str:
        """One sentence that names boundary, policy and the distance."""
        from rooflinestudio.core.wording import verdict

        return verdict(self)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know beside the figures."""
        from rooflinestudio.core.wording import notes

        return notes(self)

    @cached_property
    def expected(self) -> Expected | None:
        """What a forecast expects it to take, with the band; None for a bound, and where no share is known."""
        from rooflinestudio.core.achievable import expected_time

        return expected_time(self)

    def bound_words(self) -> Any:
        """Return the bound as a word, or a list of words for arrays."""
        return (
            self.bound if isinstance(self.bound, str) else [BOUND_KINDS[code] for code in self.bound.ravel()]
        )

    def binding_words(self) -> Any:
        """Return what binds as an id, or a list of ids for arrays."""
        return (
            self.binding
            if isinstance(self.binding, str)
            else [self.limit_ids[code] for code in self.binding.ravel()]
        )


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """One part of a composite, placed; figures are those of a single run, ``count`` says how many there are."""

    label: str
    count: Num
    placement: Placement


def place_estimate(
    estimate: Estimate,
    profile: HardwareProfile,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    operator: str = "",
    parameters: Mapping[str, Any] | None = None,
    dtypes: Mapping[str, DType] | None = None,
) -> Placement:
    """Hold an estimate against a machine (MODEL 1).

    Raises
    ------
    RefusedError
        If the machine lacks what the estimate needs, or neither work nor crossing traffic is there.
    """
    return _place(
        estimate, profile, settings, (operator, parameters or {}, dtypes or {}), may_be_nothing=False
    )


def place_part(part: Part, profile: HardwareProfile, settings: Settings) -> Placement:
    """Hold one run of a part of a composite against a machine.

    Other than alone, it may have neither work nor crossing traffic; then its time is 0.
    """
    identity = (part.operator, part.parameters, part.dtypes)
    return _place(part.estimate, profile, settings, identity, may_be_nothing=True)


def _place(
    estimate: Estimate,
    profile: HardwareProfile,
    settings: Settings,
    identity: tuple[str, Mapping[str, Any], Mapping[str, DType]],
    *,
    may_be_nothing: bool,
) -> Placement:
    if estimate.parts:
        from rooflinestudio.core.composite import place_composite

        return place_composite(estimate, profile, settings, identity)
    if settings.ceiling is not None and settings.ceiling not in profile.ceilings:
        raise RefusedError(
            f"{profile.name} has no ceiling {settings.ceiling!r}; it has {', '.join(profile.ceilings)}."
        )
    selected = selected_boundaries(estimate, profile, settings)
    pipes = pipe_times(estimate.work, estimate.main_pipe, profile, settings.ceiling)
    traffic = [_sum(traffic_at(estimate, profile, id_, settings)) for id_ in selected]
    times = [crossing_time_s(estimate, profile, id_, one) for id_, one in zip(selected, traffic, strict=True)]
    binds = len(selected) != 1 or (
        crosses(estimate, profile, selected[0]) and may_bind(estimate, profile, selected[0])
    )
    sides = _Sides(selected, pipes, traffic, times, binds, may_be_nothing)
    return _placed(estimate, profile, settings, identity, sides)


class _Sides(NamedTuple):
    """What compute and memory take: traffic and times for each selected boundary."""

    selected: tuple[str, ...]
    pipes: PipeTimes
    traffic: list[Num]
    times: list[Num]
    binds: bool
    may_be_nothing: bool


def _sum(pair: tuple[Num, Num]) -> Num:
    return pair[0] + pair[1]


def _placed(
    estimate: Estimate,
    profile: HardwareProfile,
    settings: Settings,
    identity: tuple[str, Mapping[str, Any], Mapping[str, DType]],
    sides: _Sides,
) -> Placement:
    selected, pipes, traffic, times, binds, may_be_nothing = sides
    limits = None
    compute_s: Num = pipes.compute_s
    if settings.forecast:
        limits = apply_forecast(estimate, profile, settings, (selected, pipes, times))
        compute_s, times = limits.compute_s, limits.memory_s
    slowest_s, at = slowest(times)
    memory_s: Num = slowest_s if binds else 0.0
    rest_s = overlapped(compute_s, memory_s, settings.overlap)
    time_s = rest_s if limits is None else rest_s + limits.launch_s
    over_s = time_s  # what rates are divided by
    if any_true(time_s <= 0):
        if not may_be_nothing:
            raise _nothing(selected, profile, crossed=binds)
        over_s = where(time_s > 0, time_s, 1.0)
    traffic_bytes = traffic[at] if isinstance(at, int) else _pick(traffic, at)
    work = pipes.work_flop
    main_work = estimate.work.get(estimate.main_pipe, 0.0)
    bound, binding, boundary = what_binds(selected, pipes, (compute_s, memory_s, at, rest_s), limits)
    return Placement(
        *identity,
        profile,
        settings,
        estimate,
        work,
        traffic_bytes,
        intensity(work, traffic_bytes),
        work / over_s,
        time_s,
        main_work / over_s / pipes.main_flop_per_s,
        pipes.main_id,
        pipes.main_flop_per_s,
        boundary,
        bound,
        binding,
        pipes.ids + selected if limits is None else (*pipes.ids, *selected, LAUNCH_ID),
        compute_s,
        memory_s,
        limits,
    )


def _pick(traffic: list[Num], at: Any) -> Num:
    import numpy as np

    picked: Num = np.choose(at, np.broadcast_arrays(*traffic))
    return picked


def _nothing(selected: tuple[str, ...], profile: HardwareProfile, *, crossed: bool) -> RefusedError:
    if not crossed:
        return RefusedError(
            f"No work, and the data does not cross {selected[0]}: nothing to place. "
            "Select dram or another boundary that it crosses."
        )
    return RefusedError(
        f"No work and no traffic on {profile.name}: nothing to place. Give it a size above zero."
    )

"""The strict bound of a kernel, and what the forecast adds to it, limit by limit.

Only dram and links with compulsory traffic, against published or measured figures, bound a kernel in the strict sense
(MODEL 1.6). Everything else is a model: it explains a distance and is never held against a measurement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import any_true
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.hardware import LINKS
from rooflinestudio.core.placement import Placement, place_estimate
from rooflinestudio.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile

__all__ = [
    "STEPS", "TIMES", "Step", "boundaries_of", "is_strict", "not_strict", "refuse_inside", "steps_of",
    "strict_profile", "strict_settings", "what_was_not_judged",
]  # fmt: skip

_STRICT: Final = ("published", "measured")


@dataclass(frozen=True, slots=True)
class Step:
    """One reason for which a kernel takes longer than its bound.

    Attributes
    ----------
    id, label
        Identifier, and the words on screen.
    group
        What it is summed under: ``quantisation``, ``launch`` or ``rest``.
    help
        One sentence.
    """

    id: str
    label: str
    group: str
    help: str


STEPS: Final = (
    Step(
        "figures",
        "figures that bound nothing",
        "rest",
        "Ceilings that are derived or assumed, and slower slopes.",
    ),
    Step("tiles", "tiles", "quantisation", "Dimensions padded to whole tiles."),
    Step("waves", "waves", "quantisation", "Tiles in whole waves over the SMs."),
    Step("latency", "latency", "launch", "Too few bytes in flight for the bandwidth."),
    Step("launch", "launch", "launch", "Overhead of starting kernels."),
    Step("rates", "rates reached", "rest", "The share of ceilings and bandwidth that good kernels reach."),
    Step(
        "rest",
        "unexplained",
        "rest",
        "What no limit of the forecast explains; below 1 where it claims too much.",
    ),
)
"""In the order in which they are added to the bound; ``rest`` is what is left to the measured time."""

TIMES: Final = tuple(step.id for step in STEPS[:-1])
"""The steps after which a time is computed."""


def is_strict(figure: Figure) -> bool:
    """Tell whether a figure can bound a kernel: a published or a measured one."""
    return figure.provenance in _STRICT


def strict_settings(boundary: str | None) -> Settings:
    """Return the settings of a bound: compulsory traffic, full overlap, no limit of the forecast.

    Raises
    ------
    ParameterError
        For a boundary on the chip, or all of them: traffic there rests on a tile.
    """
    if boundary is not None:
        _refuse_inside(boundary)
    return Settings(boundary=boundary)


def _refuse_inside(boundary: str) -> None:
    if boundary != "dram" and boundary not in LINKS:
        raise ParameterError(
            f"{boundary} bounds nothing in the strict sense: what crosses there is modelled. Take dram or a link."
        )


def boundaries_of(placement: Placement) -> Iterator[str]:
    """Yield the boundaries whose traffic stands at the top level of a placement."""
    if isinstance(placement.boundary, str):
        yield placement.boundary
    else:
        yield from (placement.limit_ids[code] for code in sorted(set(placement.boundary.ravel().tolist())))


def refuse_inside(placement: Placement) -> None:
    """Raise ``ParameterError`` where a kernel, or a part of it, is at home at a boundary on the chip."""
    for one in _leaves(placement):
        for boundary in boundaries_of(one):
            _refuse_inside(boundary)


def strict_profile(profile: HardwareProfile) -> HardwareProfile:
    """Return the machine with nothing in it that slows a kernel without bounding it.

    Ceilings and bandwidths that are derived or assumed become infinite, slopes beside the published bandwidth go.
    """
    return replace(
        profile,
        ceilings=MappingProxyType({id_: _strict_ceiling(one) for id_, one in profile.ceilings.items()}),
        boundaries=MappingProxyType({id_: _strict_boundary(one) for id_, one in profile.boundaries.items()}),
    )


def not_strict(profile: HardwareProfile, placement: Placement) -> tuple[str, ...]:
    """Return the ceilings and boundaries of a placement that bound nothing, as ``special (derived)``."""
    found = []
    for one in _leaves(placement):
        for id_ in one.limit_ids:
            place = profile.ceilings.get(id_) or profile.boundaries.get(id_)
            figure = getattr(place, "figure", None) or getattr(place, "bandwidth", None)
            if figure is not None and not is_strict(figure) and any_true(one.estimate.work.get(id_, 1.0) > 0):
                found.append(f"{id_} ({figure.provenance})")
    return tuple(dict.fromkeys(found))


def _leaves(placement: Placement) -> Iterator[Placement]:
    if not placement.parts:
        yield placement
    for part in placement.parts:
        yield from _leaves(part.placement)


def _strict_ceiling(one: ComputeCeiling) -> ComputeCeiling:
    return one if is_strict(one.figure) else replace(one, figure=replace(one.figure, value=float("inf")))


def _strict_boundary(one: Boundary) -> Boundary:
    rate = one.bandwidth if is_strict(one.bandwidth) else replace(one.bandwidth, value=float("inf"))
    return replace(one, bandwidth=rate, slopes=MappingProxyType({}))


def steps_of(bound: Placement, profile: HardwareProfile) -> tuple[dict[str, Num], Placement]:
    """Return the time in seconds after each limit is added to a bound, and the full forecast.

    Parameters
    ----------
    bound
        Placed on the strict machine.
    profile
        The machine as it is.

    Steps whose limits cannot be judged repeat the time before them; ``rest`` is not among them.
    """
    settings = replace(bound.settings, forecast=True)
    still = MappingProxyType({id_: replace(one, latency=None) for id_, one in profile.boundaries.items()})
    without_launch = replace(profile, launch_overhead=None)
    without_latency = replace(without_launch, boundaries=still)
    forecast = _again(bound, profile, settings)
    expected = forecast.expected
    times = {
        "figures": _again(bound, profile, bound.settings).time_s,
        "tiles": _again(bound, replace(without_latency, sms=None), settings).time_s,
        "waves": _again(bound, without_latency, settings).time_s,
        "latency": _again(bound, without_launch, settings).time_s,
        "launch": forecast.time_s,
        "rates": expected.time_s if expected is not None else forecast.time_s,
    }
    return times, forecast


def _again(placement: Placement, profile: HardwareProfile, settings: Settings) -> Placement:
    return place_estimate(
        placement.estimate, profile, settings,
        operator=placement.operator, parameters=placement.parameters, dtypes=placement.dtypes,
    )  # fmt: skip


def what_was_not_judged(forecast: Placement) -> tuple[str, ...]:
    """Return the limits that a forecast could not judge, each with its reason."""
    from rooflinestudio.core.achievable import what_is_missing

    found: list[Any] = []
    for one in _leaves(forecast):
        found += one.limits.not_judged if one.limits is not None else ()
    missing = what_is_missing(forecast)
    if missing:
        found.append(
            f"rates reached: the profile of {forecast.profile.name} knows no share for {', '.join(missing)}"
        )
    return tuple(dict.fromkeys(found))

"""The figures that a sweep can show, for whole curves and for single points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.subject import Subject
    from rooflinestudio.core.sweep import SweepResult
    from rooflinestudio.core.sweep.panel import FigureId

__all__ = ["figure_at", "figures_along"]

_ARRAYS: Final[Mapping[str, tuple[str, str]]] = {
    "time": ("time_s", "s"),
    "intensity": ("intensity", "FLOP/B"),
    "attainable": ("attainable_flop_per_s", "FLOP/s"),
    "fraction": ("fraction_of_peak", ""),
    "traffic": ("traffic_bytes", "B"),
}
"""Attribute of sweeps and placements, and unit."""

_RATE: Final = "tokens_per_s"
_PER_RUN: Final = (("tokens", "tok/s"), ("elements", "elements/s"), ("parameter_count", "parameters/s"))
_RUNS: Final = "runs/s"


def figures_along(result: SweepResult, figure: FigureId) -> tuple[Any, str]:
    """Return a figure along the first axis of a sweep, and its unit.

    Throughput is the operator's own (tokens per second) where it tells one, else what a run handles (tokens,
    elements, parameters) over its time, else runs per second.
    """
    if figure in _ARRAYS:
        name, unit = _ARRAYS[figure]
        return getattr(result, name), unit
    import numpy as np

    own = _own_rates(result)
    if own is not None:
        return own, "tok/s"
    axis, subject = result.axes[0], result.subject
    with np.errstate(divide="ignore"):
        runs_per_s = 1.0 / result.time_s
    for name, unit in _PER_RUN:
        size = axis.values if name in axis.names else _size(subject, name)
        if size is not None:
            return np.asarray(size, float) * runs_per_s, unit
    return runs_per_s, _RUNS


def figure_at(subject: Subject, placement: Placement, figure: FigureId) -> float:
    """Return a figure of one placement, not a number where it has none."""
    if figure in _ARRAYS:
        return float(getattr(placement, _ARRAYS[figure][0]))
    rate = _details(subject, placement).get(_RATE)
    if rate is not None:
        return float(rate)
    time_s = float(placement.time_s)
    if not time_s:
        return float("nan")
    size = next((placement.parameters[name] for name, _ in _PER_RUN if name in placement.parameters), 1.0)
    return float(size) / time_s


def _own_rates(result: SweepResult) -> Any:
    """Return tokens per second at every point, as the operator tells it; None where it does not."""
    import numpy as np

    axis, subject = result.axes[0], result.subject
    if _RATE not in _details(subject, _last(subject, axis)):
        return None
    rates = np.full(len(axis), np.nan)
    if not result.refusals:
        rates[:] = _details(subject, subject.at(dict.fromkeys(axis.names, axis.values)))[_RATE]
        return rates
    for at in np.flatnonzero(result.bound >= 0).tolist():
        rates[at] = figure_at(subject, subject.at(dict.fromkeys(axis.names, axis.plain()[at])), "throughput")
    return rates


def _last(subject: Subject, axis: Any) -> Placement | None:
    """Place the last value that is not refused."""
    for value in reversed(axis.plain()):
        try:
            return subject.at(dict.fromkeys(axis.names, value))
        except StudioError:
            continue
    return None


def _details(subject: Subject, placement: Placement | None) -> Mapping[str, Any]:
    ask = getattr(subject.source, "details", None)
    if ask is None or placement is None:
        return {}
    try:
        found: Mapping[str, Any] = ask(placement)
    except StudioError:
        return {}
    return found


def _size(subject: Subject, name: str) -> float | None:
    parameter = next((one for one in subject.operator.parameters if one.name == name), None)
    if parameter is None:
        return None
    value = subject.fixed.get(name, parameter.default)
    return float(value) if isinstance(value, int | float) else None

"""The staircase over a dimension: how tile and wave quantisation make the time jump while the work just grows.

Under the forecast a dimension is padded to whole tiles, and tiles run in whole waves over the SMs. From one jump to
the next the padded work and the waves stay the same: a stair. The last value of a stair makes the best use of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import total
from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.placement import Placement
from rooflinestudio.core.subject import CHUNK, Subject, placed_blocks
from rooflinestudio.core.sweep.axes import spaced_axis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rooflinestudio.core.arithmetic import Num

__all__ = ["Stair", "staircase"]

LONGEST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Stair:
    """Values of a dimension for which the same tiles run in the same waves.

    Attributes
    ----------
    first, last
        Both included.
    padded_work_flop
        Work with the dimensions padded to whole tiles.
    waves
        Whole waves over the SMs.
    first_time_s, last_time_s
        Forecast at both ends.
    first_efficiency, last_efficiency
        Share of the compute time that useful work needs, at both ends.
    """

    first: int
    last: int
    padded_work_flop: float
    waves: float
    first_time_s: float
    last_time_s: float
    first_efficiency: float
    last_efficiency: float


def staircase(subject: Subject, names: Sequence[str] | str, *, low: float, high: float) -> tuple[Stair, ...]:
    """Return the stairs over every whole number of a range, under the forecast.

    Parameters
    ----------
    names
        The dimension, or several tied ones.
    low, high
        Both included.

    Raises
    ------
    ParameterError
        If the parameter takes no whole numbers, or the range is too long.
    RefusedError
        If the operator says neither how it pads nor how many blocks it launches.
    """
    if high - low >= LONGEST:
        raise ParameterError(
            f"{high - low + 1:g} values are too many for a staircase; look at {LONGEST} at most."
        )
    axis = spaced_axis(subject.operator, names, low=low, high=high, points=int(high - low) + 1)
    if not axis.integer:
        raise ParameterError(f"{axis.label} takes any number: tiles and waves step along whole ones.")
    columns = _columns(subject, axis.names, axis.values)  # type: ignore[arg-type]
    return tuple(_stairs(axis.values, columns))


_COLUMNS: Final = ("padded", "waves", "time_s", "efficiency")


def _columns(subject: Subject, names: tuple[str, ...], values: NDArray[Any]) -> dict[str, NDArray[Any]]:
    import numpy as np

    result = {name: np.full(len(values), np.nan) for name in _COLUMNS}
    ahead = replace(subject, settings=replace(subject.settings, forecast=True))
    bound = replace(subject, settings=replace(subject.settings, forecast=False))
    for start in range(0, len(values), CHUNK):
        some = values[start : start + CHUNK]
        given = dict.fromkeys(names, some)
        for where, placed in placed_blocks(ahead, given, len(some)):
            if not isinstance(placed, Placement):
                raise placed
            at = slice(start + where.start, start + where.stop)
            padded, waves = _quantised(placed)
            if padded is None and waves is None:
                raise RefusedError(
                    f"{subject.operator_id} says neither how it pads nor how many blocks it launches: "
                    "it has no staircase."
                )
            result["padded"][at] = placed.work_flop if padded is None else padded
            result["waves"][at] = 1.0 if waves is None else waves
            result["time_s"][at] = placed.time_s
            ideal = bound.at({name: one[where] for name, one in given.items()})
            result["efficiency"][at] = ideal.compute_s / placed.compute_s
    return result


def _quantised(placement: Placement) -> tuple[Num | None, Num | None]:
    """Return padded work and waves, for composites those of all parts together; None where none is judged."""
    if placement.parts:
        inner = [(one.count, *_quantised(one.placement)) for one in placement.parts]
        padded = [count * one for count, one, _ in inner if one is not None]
        waves = [count * one for count, _, one in inner if one is not None]
        return (total(padded) if padded else None), (total(waves) if waves else None)
    judged = placement.limits.judged if placement.limits is not None else {}
    tiles, waves_judged = judged.get("tiles"), judged.get("waves")
    return (
        tiles["padded_work_flop"] if tiles is not None else None,
        waves_judged["waves"] if waves_judged is not None else None,
    )


def _stairs(values: Any, columns: dict[str, NDArray[Any]]) -> list[Stair]:
    import numpy as np

    padded, waves = columns["padded"], np.rint(columns["waves"])
    changes = np.flatnonzero((padded[1:] != padded[:-1]) | (waves[1:] != waves[:-1])) + 1
    starts = [0, *changes.tolist()]
    ends = [*changes.tolist(), len(values)]
    return [
        Stair(
            int(values[start]),
            int(values[end - 1]),
            float(padded[start]),
            float(waves[start]),
            float(columns["time_s"][start]),
            float(columns["time_s"][end - 1]),
            float(columns["efficiency"][start]),
            float(columns["efficiency"][end - 1]),
        )
        for start, end in zip(starts, ends, strict=True)
    ]

"""Sweeps: one operator over one or two parameters, in vectorised calls of 65,536 points.

Chunks of that size stay in cache, which is worth a factor of two to three against whole arrays of a million. Choices
and switches are loops of such calls. Composites are swept like any other operator: their parts are arrays too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rooflinestudio.core.binding import BOUND_KINDS
from rooflinestudio.core.errors import ParameterError, RefusedError, StudioError
from rooflinestudio.core.subject import CHUNK, Subject, placed_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.sweep.axes import SweepAxis

    Progress: TypeAlias = Callable[[float], bool | None]
    """Called with the share done, from 0 to 1; to return False cancels."""

__all__ = ["CHUNK", "Subject", "SweepCancelledError", "SweepResult", "sweep"]

MOST_POINTS: Final = 50_000_000
FIGURES: Final = (
    "work_flop", "traffic_bytes", "intensity", "attainable_flop_per_s", "time_s", "fraction_of_peak",
)  # fmt: skip
REFUSED: Final = -1
"""Code of bound and binding at a point that was refused; its figures are not numbers."""


class SweepCancelledError(StudioError):
    """The progress hook asked to stop."""


@dataclass(frozen=True, eq=False)
class SweepResult:
    """Figures over one or two axes.

    Attributes
    ----------
    axes
        In the order of the dimensions of every array.
    work_flop, traffic_bytes, intensity, attainable_flop_per_s, time_s, fraction_of_peak
        float64 arrays; not a number where a point was refused.
    footprint_bytes
        What must fit into dram at once; not a number where the operator does not say.
    bound, binding
        Codes: indices into ``BOUND_KINDS`` and into ``binding_ids``; -1 where a point was refused.
    refusals
        How many points were refused; ``refusal`` is the reason of the first of them.
    """

    subject: Subject
    axes: tuple[SweepAxis, ...]
    work_flop: NDArray[Any]
    traffic_bytes: NDArray[Any]
    intensity: NDArray[Any]
    attainable_flop_per_s: NDArray[Any]
    time_s: NDArray[Any]
    fraction_of_peak: NDArray[Any]
    footprint_bytes: NDArray[Any]
    bound: NDArray[Any]
    binding: NDArray[Any]
    binding_ids: tuple[str, ...]
    refusals: int = 0
    refusal: str = ""

    @property
    def shape(self) -> tuple[int, ...]:
        """Points along each axis."""
        return tuple(len(axis) for axis in self.axes)

    def bound_words(self) -> list[str]:
        """Return the bounds as words, in the order of the flattened arrays; empty where a point was refused."""
        return [BOUND_KINDS[code] if code >= 0 else "" for code in self.bound.ravel().tolist()]

    def binding_words(self) -> list[str]:
        """Return what binds as ids, in the order of the flattened arrays; empty where a point was refused."""
        return [self.binding_ids[code] if code >= 0 else "" for code in self.binding.ravel().tolist()]

    def points(self) -> Iterator[tuple[Any, ...]]:
        """Yield the parameter values of each point, in the order of the flattened arrays."""
        return product(*(axis.plain() for axis in self.axes))


def sweep(subject: Subject, axes: Sequence[SweepAxis], progress: Progress | None = None) -> SweepResult:
    """Evaluate an operator over one or two axes.

    Parameters
    ----------
    progress
        Called with the share done after each vectorised call; to return False stops the sweep.

    Raises
    ------
    SweepCancelledError
        If ``progress`` returned False.
    ParameterError
        For no axis or more than two, one parameter on two of them or also fixed, or too many points.
    StudioError
        If every point is refused: the reason of the first.
    """
    import numpy as np

    _check_axes(subject, axes)
    collected = _Collected(tuple(len(axis) for axis in axes))
    done, count = 0, int(np.prod([len(axis) for axis in axes]))
    for at, chosen in _loops(axes):
        numeric = [axis for axis in axes if axis.is_numeric]
        shape = tuple(len(axis) for axis in numeric)
        size = int(np.prod(shape)) if shape else 1
        block = _Block(collected.arrays, at)
        for start in range(0, size, CHUNK):
            stop = min(start + CHUNK, size)
            values = {**chosen, **_values(numeric, shape, start, stop)}
            for where, placed in placed_blocks(subject, values, stop - start):
                collected.put(block, slice(start + where.start, start + where.stop), placed)
            done += stop - start
            if progress is not None and progress(done / count) is False:
                raise SweepCancelledError(f"The sweep was stopped after {done} of {count} points.")
        block.close()
    return collected.result(subject, tuple(axes), count)


def _check_axes(subject: Subject, axes: Sequence[SweepAxis]) -> None:
    if not 1 <= len(axes) <= 2:
        raise ParameterError(f"{len(axes)} ranges were given; a sweep runs over one or two.")
    names = [name for axis in axes for name in axis.names]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"{twice} is on two axes; keep one.")
    fixed = next((name for name in names if name in subject.fixed), None)
    if fixed is not None:
        raise ParameterError(f"{fixed} is swept and also set to {subject.fixed[fixed]}; keep one.")
    count = 1
    for axis in axes:
        count *= len(axis)
    if count > MOST_POINTS:
        raise ParameterError(
            f"{count} points are too many; at most {MOST_POINTS} are swept. Take fewer on one axis."
        )


def _loops(axes: Sequence[SweepAxis]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Yield, for each combination of choices, where it stands in the result and the parameters it sets."""
    options: list[list[tuple[Any, dict[str, Any]]]] = [
        [(slice(None), {})]
        if axis.is_numeric
        else [(at, dict.fromkeys(axis.names, value)) for at, value in enumerate(axis.values)]
        for axis in axes
    ]
    for combination in product(*options):
        merged: dict[str, Any] = {}
        for _, chosen in combination:
            merged |= chosen
        yield tuple(at for at, _ in combination), merged


def _values(numeric: list[SweepAxis], shape: tuple[int, ...], start: int, stop: int) -> dict[str, Any]:
    """Return the parameter arrays of some flat positions of the grid over the numeric axes."""
    import numpy as np

    if not numeric:
        return {}
    if len(numeric) == 1:
        return dict.fromkeys(numeric[0].names, np.asarray(numeric[0].values)[start:stop])
    # Whole rows of the grid, of which the wanted part is a slice: cheaper than an index for each point.
    outer, inner = (np.asarray(axis.values) for axis in numeric)
    row, last = start // shape[1], (stop - 1) // shape[1] + 1
    part = slice(start - row * shape[1], stop - row * shape[1])
    slow = np.repeat(outer[row:last], shape[1])[part]
    fast = np.tile(inner, last - row)[part]
    return dict.fromkeys(numeric[0].names, slow) | dict.fromkeys(numeric[1].names, fast)


class _Block:
    """The figures of one combination of choices, flat: the result's own memory where that lies in one piece."""

    def __init__(self, arrays: dict[str, NDArray[Any]], at: tuple[Any, ...]) -> None:
        self._parts = {name: array[at] for name, array in arrays.items()}
        self.flat = {name: part.reshape(-1) for name, part in self._parts.items()}

    def close(self) -> None:
        """Copy back what does not lie in one piece."""
        for name, part in self._parts.items():
            if not part.flags.c_contiguous:
                part[...] = self.flat[name].reshape(part.shape)


class _Collected:
    """Gathers the figures of a sweep."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        import numpy as np

        self.arrays = {name: np.empty(shape) for name in (*FIGURES, "footprint_bytes")}
        self.arrays |= {"bound": np.empty(shape, np.int8), "binding": np.empty(shape, np.int16)}
        self.ids: dict[str, int] = {}
        self.refusals = 0
        self.first: StudioError | None = None

    def put(self, block: _Block, where: slice, placed: Placement | StudioError) -> None:
        """Take over the figures of some points."""
        import numpy as np

        flat = block.flat
        if isinstance(placed, StudioError):
            self.refusals += where.stop - where.start
            self.first = self.first or placed
            for name, array in flat.items():
                array[where] = REFUSED if name in ("bound", "binding") else np.nan
            return
        for name in FIGURES:
            flat[name][where] = getattr(placed, name)
        footprint = placed.estimate.footprint_bytes
        flat["footprint_bytes"][where] = np.nan if footprint is None else footprint
        if isinstance(placed.bound, str):
            flat["bound"][where] = BOUND_KINDS.index(placed.bound)
            flat["binding"][where] = self._code(placed.binding)
            return
        flat["bound"][where] = placed.bound
        codes = np.array([self._code(one) for one in placed.limit_ids], np.int16)
        flat["binding"][where] = codes[placed.binding]

    def _code(self, id_: str) -> int:
        return self.ids.setdefault(id_, len(self.ids))

    def result(self, subject: Subject, axes: tuple[SweepAxis, ...], count: int) -> SweepResult:
        """Return what was gathered; raise the first reason where every point was refused."""
        if self.first is not None and self.refusals == count:
            raise RefusedError(
                f"Every point of the sweep is refused. The first: {self.first}"
            ) from self.first
        return SweepResult(
            subject,
            axes,
            **self.arrays,
            binding_ids=tuple(self.ids),
            refusals=self.refusals,
            refusal=str(self.first) if self.first is not None else "",
        )

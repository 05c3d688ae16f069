"""Which ceiling each pipe of an estimate runs against on a machine, and how long that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.roofline import slowest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["SPECIAL", "PipeTimes", "pipe_times", "resolve_pipe"]

SPECIAL = "special"
_TENSOR = "-tensor"


def resolve_pipe(pipe: str, profile: HardwareProfile) -> str | None:
    """Return the ceiling id that a pipe runs against: its own, vector for a missing matrix pipe, or None.

    fp32 products never fall to tf32: that would change the numbers, so it is asked for by its own name.
    """
    if pipe in profile.ceilings:
        return pipe
    if pipe.endswith(_TENSOR) and pipe[: -len(_TENSOR)] in profile.ceilings:
        return pipe[: -len(_TENSOR)]
    return None


def missing_pipe(pipe: str, profile: HardwareProfile) -> RefusedError:
    """Say what a machine lacks, and what could be computed instead."""
    have = [id_ for id_ in profile.ceilings if id_.endswith(_TENSOR)] or list(profile.ceilings)
    stem = pipe.removesuffix(_TENSOR)
    choice = profile.reference_ceiling.removesuffix(_TENSOR)
    return RefusedError(
        f"{profile.name} has no {pipe.replace('-', ' ')} pipe and no vector {stem} rate. It has {', '.join(have)}. "
        f"Store {stem} and compute in another format (compute={choice}), or choose another machine."
    )


class PipeTimes:
    """The compute side of a placement: ceiling ids, the slowest time, and which ceiling that is.

    Attributes
    ----------
    ids
        Ceiling ids of the pipes with work, main pipe first.
    compute_s, at
        The slowest time and the index of its pipe in ``ids`` (an array for arrays).
    main_id, main_flop_per_s
        The ceiling that the fraction of peak is held against.
    work_flop
        Work without the special pipe.
    """

    __slots__ = ("at", "compute_s", "ids", "main_flop_per_s", "main_id", "work_flop")

    def __init__(
        self, ids: tuple[str, ...], times: list[Num], main: tuple[str, float], work_flop: Num
    ) -> None:
        self.ids = ids
        self.compute_s, self.at = slowest(times)
        self.main_id, self.main_flop_per_s = main
        self.work_flop = work_flop


def pipe_times(
    work: Mapping[str, Num], main_pipe: str, profile: HardwareProfile, ceiling: str | None = None
) -> PipeTimes:
    """Hold each pipe's work against its ceiling.

    Parameters
    ----------
    ceiling
        Replaces the ceiling of the main pipe, for time and fraction alike; other pipes keep theirs.

    Raises
    ------
    RefusedError
        If the machine has neither the matrix pipe nor the vector rate that some work needs.
    """
    ceilings = profile.ceilings
    main_id = ceiling or resolve_pipe(main_pipe, profile)
    ids: list[str] = []
    times: list[Num] = []
    work_flop: Num = 0.0
    for pipe, flop in work.items():
        if pipe == main_pipe:
            id_ = main_id
        else:
            id_ = resolve_pipe(pipe, profile)
            if id_ is None and pipe == SPECIAL:
                continue  # left out: a note says so
        if id_ is None:
            raise missing_pipe(pipe, profile)
        ids.append(id_)
        times.append(flop / ceilings[id_].figure.value)
        if pipe != SPECIAL:
            work_flop = work_flop + flop
    if main_id is None:
        main_id = profile.reference_ceiling  # no work on the main pipe, so nothing is held against it
    return PipeTimes(tuple(ids) or (main_id,), times, (main_id, ceilings[main_id].figure.value), work_flop)

"""Measured kernels held against one machine: which roof binds at device memory, and how much of it is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.measured.series import DRAM
from rooflinestudio.core.pipes import resolve_pipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedStudy

    Column = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int64]

__all__ = ["Held", "held_against", "strong_profile"]


@dataclass(frozen=True, eq=False)
class Held:
    """What a machine says of kernels or groups, one value for each.

    Attributes
    ----------
    fraction
        Achieved over attainable; above 1 where a figure must be wrong; not-a-number where nothing can be said.
    kind
        0 compute, 1 memory, -1 unknown.
    ceiling
        Position in ``labels`` of the ceiling that it was held against.
    labels
        Words of the ceilings; the last one is the boundary's.
    """

    fraction: Column
    kind: Codes
    ceiling: Codes
    labels: tuple[str, ...]

    def words(self, at: int) -> str:
        """Return what binds, in words: ``memory at HBM3``; empty where it is unknown."""
        kind = int(self.kind[at])
        if kind < 0:
            return ""
        return f"memory at {self.labels[-1]}" if kind else f"compute at {self.labels[int(self.ceiling[at])]}"

    def kind_word(self, at: int) -> str:
        """Return the kind of bound: ``compute``, ``memory``, or empty."""
        return ("compute", "memory", "")[int(self.kind[at])]


def strong_profile(placed: PlacedStudy, machine: str) -> HardwareProfile | None:
    """Return the machine that kernels are held against: the chosen one, else the first of the study."""
    wanted = (machine, *placed.study.view.machines)
    return next((placed.profiles[one] for one in wanted if one in placed.profiles), None)


def held_against(
    profile: HardwareProfile | None, pipes: tuple[Codes, Sequence[str]], intensity: Column, rate: Column
) -> Held:
    """Hold points against the roof of their pipe at device memory; a pipe that is unknown against the reference.

    Parameters
    ----------
    pipes
        Number of the pipe of each point (-1: none), and the names of the pipes.
    intensity, rate
        FLOP/byte and FLOP/s.
    """
    import numpy as np

    nothing = np.full(len(intensity), np.nan)
    codes, names = pipes
    boundary = profile.boundaries.get(DRAM) if profile is not None else None
    if profile is None or boundary is None:
        return Held(nothing, np.full(len(intensity), -1), codes, ())
    found = [profile.ceiling(resolve_pipe(one, profile) or profile.reference_ceiling) for one in names]
    found.append(profile.ceiling(profile.reference_ceiling))  # code -1 finds it
    ceilings = np.array([one.flop_per_s for one in found])[codes]
    with np.errstate(all="ignore"):
        slope = intensity * boundary.bytes_per_s
        fraction = rate / np.minimum(ceilings, slope)
        judged = (intensity > 0) & (rate > 0)
        kind = np.where(judged, np.where(slope < ceilings, 1, 0), -1)
    fraction = np.where(judged, fraction, np.nan)
    labels: tuple[Any, ...] = (*(one.label for one in found), boundary.label)
    return Held(fraction, kind, np.where(codes < 0, len(names), codes), labels)

"""Energy of one run, as an estimate: a figure that nobody measured is better named than left to the eye."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.arithmetic import is_number

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import Figure
    from rooflinestudio.core.placement import Placement

__all__ = ["Energy", "energy_of"]


@dataclass(frozen=True, slots=True)
class Energy:
    """What a run takes if the part draws its rated power all the time.

    Attributes
    ----------
    energy_j
        Rated power times the time of the placement, in joules; at the bound it is what the fastest run would take.
    flop_per_j
        Work per joule, or None without work.
    power
        The rated power of the profile, in watts, with its provenance.
    """

    energy_j: float
    flop_per_j: float | None
    power: Figure


def energy_of(placement: Placement) -> Energy | None:
    """Return the energy of one run, E = TDP · T; None where the profile has no power or the placement is a sweep.

    A kernel that waits for memory draws less than the rated power, so the figure errs upward at a given time; a run
    takes longer than its bound, so it errs downward with the time. It orders choices, it is no measurement.
    """
    power, time_s = placement.profile.tdp, placement.time_s
    if power is None or not is_number(time_s):
        return None
    energy_j = power.value * float(time_s)
    work: Any = placement.work_flop
    return Energy(energy_j, float(work) / energy_j if work and energy_j else None, power)

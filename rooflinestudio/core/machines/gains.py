"""Which resource, made 10% better, buys how much for the study at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.machines.what_if import CLOCK, LAUNCH, changed_machine, flips, levers_of

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy

__all__ = ["BETTER", "Gain", "gains_of"]

BETTER: Final = 1.1
"""What counts as one step better: a tenth more of a rate, a tenth off an overhead in the same ratio."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What one resource buys.

    Attributes
    ----------
    id, label
        Of the resource.
    time_s, better_time_s
        Of all placed entries together, one run each, before and after.
    helped
        Entries that get faster by more than a thousandth, by id.
    entries
        How many are placed.
    """

    id: str
    label: str
    time_s: float
    better_time_s: float
    helped: tuple[str, ...]
    entries: int

    @property
    def saved(self) -> float:
        """Share of the time that is saved, from 0 to 0.0909 (the most that a tenth more can save)."""
        return 1 - self.better_time_s / self.time_s if self.time_s else 0.0


def gains_of(
    placed: PlacedStudy, profile: HardwareProfile, source: EstimateSource, *, better: float = BETTER
) -> tuple[Gain, ...]:
    """Return the resources of a machine, the one that saves most time first; really placed, one by one.

    Visible entries count one run each. What an entry waits for besides stays: with two entries bound by different
    resources, each of the two buys a part.
    """
    found = []
    for id_, label in levers_of(profile):
        factor = 1 / better if id_ == LAUNCH else better
        pairs = [
            one
            for one in flips(placed, profile, changed_machine(profile, {id_: factor}), source)
            if one.before is not None and one.after is not None
        ]
        if not pairs:
            return ()
        before = sum(float(one.before.time_s) for one in pairs if one.before is not None)
        after = sum(float(one.after.time_s) for one in pairs if one.after is not None)
        helped = tuple(one.entry for one in pairs if (one.speedup or 1.0) > 1.001)
        found.append(Gain(id_, label, before, after, helped, len(pairs)))
    # The clock moves many figures at once; of equal gains the single resource is named first.
    return tuple(sorted(found, key=lambda one: (-round(one.saved, 6), one.id == CLOCK)))

"""Against which roof a placement was judged: what documents say of the machine, or what was measured on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile, Provenance
    from rooflinestudio.core.placement import Placement

__all__ = [
    "BOTH_ROOFS", "Judge", "judged_against", "judged_in_short", "judged_notes", "judged_words", "shows_both_roofs",
]  # fmt: skip

BOTH_ROOFS = "roofs"
"""Key of the canvas' panel in a study: ``both``, or ``used`` for the roof in use alone."""


@dataclass(frozen=True, slots=True)
class Judge:
    """One rate that a placement is held against.

    Attributes
    ----------
    id, label
        Of the ceiling or boundary.
    unit
        ``FLOP/s`` or ``B/s``.
    value, provenance
        The rate in use.
    other
        The figure that is known besides and not in use, or None.
    """

    id: str
    label: str
    unit: Literal["FLOP/s", "B/s"]
    value: float
    provenance: Provenance
    other: Figure | None

    @property
    def is_measured(self) -> bool:
        """Whether the measured figure is the one in use."""
        return self.provenance == "measured"

    @property
    def share(self) -> float | None:
        """The measured rate as a share of the stated one, where both are known."""
        if self.other is None:
            return None
        return self.value / self.other.value if self.is_measured else self.other.value / self.value


def judged_against(placement: Placement) -> tuple[Judge, ...]:
    """Return the rates that a placement is held against: the ceiling of its main pipe, then its boundary."""
    profile = placement.profile
    return tuple(_judges(profile, placement.ceiling_id, placement.boundary_id))


def _judges(profile: HardwareProfile, ceiling_id: str, boundary_id: str) -> Iterator[Judge]:
    if (ceiling := profile.ceilings.get(ceiling_id)) is not None:
        yield _judge(ceiling, ceiling.figure, "FLOP/s")
    if (boundary := profile.boundaries.get(boundary_id)) is not None:
        yield _judge(boundary, boundary.bandwidth, "B/s")


def _judge(one: ComputeCeiling | Boundary, figure: Figure, unit: Literal["FLOP/s", "B/s"]) -> Judge:
    other = one.published if one.in_use == "measured" else one.measured
    return Judge(one.id, one.label, unit, figure.value, figure.provenance, other)


def judged_in_short(placement: Placement) -> str:
    """Return it in two to four words: ``published roofs``, ``measured ceiling, published slope``."""
    judges = judged_against(placement)
    kinds = dict.fromkeys(one.provenance for one in judges)
    if len(kinds) == 1:
        return f"{next(iter(kinds))} roofs"
    return ", ".join(f"{one.provenance} {'ceiling' if one.unit == 'FLOP/s' else 'slope'}" for one in judges)


def judged_words(placement: Placement) -> str:
    """Return it in a few words: ``published roofs``, or ``bf16 tensor measured, 80% of published; HBM3 published``."""
    judges = judged_against(placement)
    if len({one.provenance for one in judges}) == 1 and all(one.share is None for one in judges):
        return f"{judges[0].provenance} roofs"
    return "; ".join(_words(one) for one in judges)


def _words(judge: Judge) -> str:
    words = f"{judge.label} {judge.provenance}"
    if judge.share is None or judge.other is None:
        return words
    share = f"{format_number(100 * judge.share, digits=3)}%"
    if judge.is_measured:
        return f"{words}, {share} of {judge.other.provenance}"
    return f"{words}, {share} measured"


def judged_notes(placement: Placement) -> Iterator[str]:
    """Say so where a measured rate is in use, and where one is known that is not."""
    for judge in judged_against(placement):
        if judge.other is None or judge.share is None:
            continue
        used, other = (format_quantity(one, judge.unit) for one in (judge.value, judge.other.value))
        share = f"{format_number(100 * judge.share, digits=3)}%"
        if judge.is_measured:
            yield (
                f"Judged against the measured {judge.label} of {used}, {share} of the {judge.other.provenance} {other}."
            )
        else:
            yield (
                f"Judged against the {judge.provenance} {judge.label} of {used}; {other} were measured, {share} of it."
            )


def shows_both_roofs(setting: object, profile: HardwareProfile, boundary_id: str) -> bool:
    """Tell whether the roof of the other figures is drawn too: as the study says, else where a measured one is in use.

    Parameters
    ----------
    setting
        What the study has under :data:`BOTH_ROOFS`; anything but ``both`` and ``used`` counts as nothing.
    """
    judges = [
        one for one in _judges(profile, profile.reference_ceiling, boundary_id) if one.other is not None
    ]
    if not judges or setting == "used":
        return False
    return setting == "both" or any(one.is_measured for one in judges)

"""What of a measured machine would be taken for which figure of a profile: rows that a dialog and a command show.

A ceiling is what nothing exceeds, so the best run is taken unless the median is asked for. Of several readings of one
figure (Copy and Triad are both ``dram``) one is taken: the highest that is not in doubt. What is in doubt, above the
published figure or far below it, is taken only when somebody says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.ceilings.cleaning import clean_machine, is_target
from rooflinestudio.core.ceilings.doubts import Doubt, Held, doubt_about
from rooflinestudio.core.ceilings.words import label_of
from rooflinestudio.core.quick import nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.hardware import Figure, HardwareProfile
    from rooflinestudio.core.measured.ceilings import CeilingReading, MeasuredMachine

__all__ = ["NONE", "CeilingRow", "Choices", "Kind", "Proposal", "Run", "propose"]

Kind = Literal["ceiling", "boundary"]
Run = Literal["best", "median"]
NONE: Final = -1
"""Stands for "no reading" where a figure is not to be taken."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user decided; everything else follows the rules.

    Attributes
    ----------
    run
        Whether the best run counts or the median.
    targets
        Another ceiling or boundary for a reading, by the reading's number.
    taken
        By target: the number of the reading that is taken for it, or :data:`NONE`.
    """

    run: Run = "best"
    targets: Mapping[int, str] = field(default_factory=dict)
    taken: Mapping[str, int] = field(default_factory=nothing)

    def with_target(self, number: int, target: str) -> Choices:
        """Return the choices with a reading for another figure, which it is taken for."""
        freed = {id_: one for id_, one in self.taken.items() if one != number}
        return replace(self, targets={**self.targets, number: target}, taken={**freed, target: number})

    def with_taken(self, row: CeilingRow, *, taken: bool) -> Choices:
        """Return the choices with a row taken for its figure, in place of any other, or not taken."""
        return replace(self, taken={**self.taken, row.target: row.number if taken else NONE})


@dataclass(frozen=True, slots=True)
class CeilingRow:
    """One reading, and what it would become.

    Attributes
    ----------
    number
        Which reading of the machine it is, ceilings before boundaries.
    target, label
        Id of the figure it is for, and the machine's word for that; empty where no profile has such a figure.
    value
        The rate that would be taken, in FLOP/s or byte/s.
    stated
        What documents say of that figure, or None.
    ratio
        ``value`` over ``stated``, or None.
    is_new
        Whether a profile is chosen that does not have this figure yet.
    taken
        Whether it goes into the profile.
    doubt
        Why it is asked about; None where nothing is odd.
    rival
        The tool's word for the reading that is taken for the same figure instead, or empty.
    """

    number: int
    kind: Kind
    reading: CeilingReading
    target: str
    label: str
    value: float
    stated: Figure | None
    ratio: float | None
    is_new: bool
    taken: bool
    doubt: Doubt | None
    rival: str = ""

    @property
    def origin(self) -> str:
        """The tool's word for it, or the id."""
        return self.reading.origin or self.reading.id

    @property
    def ends(self) -> tuple[float, float] | None:
        """Lowest and highest run, where the file has both."""
        low, high = self.reading.low, self.reading.high
        return (low, high) if low is not None and high is not None else None


@dataclass(frozen=True)
class Proposal:
    """The rows, and what they come from.

    Attributes
    ----------
    profile
        The profile that the readings are held against, or None while none is chosen.
    """

    machine: MeasuredMachine
    profile: HardwareProfile | None
    choices: Choices
    rows: tuple[CeilingRow, ...]

    @cached_property
    def taken(self) -> tuple[CeilingRow, ...]:
        """The rows that go into the profile."""
        return tuple(row for row in self.rows if row.taken)

    @cached_property
    def questioned(self) -> tuple[CeilingRow, ...]:
        """The rows that are in doubt."""
        return tuple(row for row in self.rows if row.doubt is not None)

    @cached_property
    def has_medians(self) -> bool:
        """Whether any reading has a median beside its best run."""
        return any(row.reading.median is not None for row in self.rows)

    def targets_for(self, row: CeilingRow) -> tuple[tuple[str, str], ...]:
        """Return the figures that a reading can be for: ids and words."""
        known: Mapping[str, object] = {}
        if self.profile is not None:
            known = self.profile.ceilings if row.kind == "ceiling" else self.profile.boundaries
        ids = [one for one in dict.fromkeys((*known, row.reading.id, row.target)) if is_target(row.kind, one)]
        return tuple((id_, label_of(self.profile, row.kind, id_)) for id_ in ids)


def propose(
    machine: MeasuredMachine,
    profile: HardwareProfile | None,
    choices: Choices | None = None,
    *,
    differs: str = "",
) -> Proposal:
    """Hold the readings of a machine against a profile.

    Parameters
    ----------
    differs
        In what the device of the file differs from the part of the profile, in words.
    """
    choices, machine = choices or Choices(), clean_machine(machine)
    rows = [_row(machine, profile, choices, differs, *one) for one in _numbered(machine)]
    chosen = {target: _taken_for(target, rows, choices) for target in {row.target for row in rows}}
    origins = {row.number: row.origin for row in rows}
    told = (
        replace(
            row,
            taken=chosen[row.target] == row.number,
            rival=origins.get(chosen[row.target], "") if chosen[row.target] != row.number else "",
        )
        for row in rows
    )
    return Proposal(machine, profile, choices, tuple(told))


def _numbered(machine: MeasuredMachine) -> Iterator[tuple[int, Kind, CeilingReading]]:
    kinds: tuple[tuple[Kind, tuple[CeilingReading, ...]], ...] = (
        ("ceiling", machine.ceilings),
        ("boundary", machine.boundaries),
    )
    number = 0
    for kind, readings in kinds:
        for reading in readings:
            yield number, kind, reading
            number += 1


def _row(  # noqa: PLR0913 - one reading and everything it is held against
    machine: MeasuredMachine, profile: HardwareProfile | None, choices: Choices, differs: str,
    number: int, kind: Kind, reading: CeilingReading,
) -> CeilingRow:  # fmt: skip
    target = choices.targets.get(number, reading.id)
    target = target if is_target(kind, target) else ""
    value = reading.median if choices.run == "median" and reading.median is not None else reading.best
    has, stated = _stated(profile, kind, target)
    ratio = value / stated.value if stated is not None else None
    doubt = None
    if stated is not None and ratio is not None:
        held = Held(kind, target, ratio, stated, machine.clocks.get("sm"), differs)
        doubt = doubt_about(held)
    return CeilingRow(
        number, kind, reading, target, label_of(profile, kind, target), value, stated, ratio,
        is_new=profile is not None and not has, taken=False, doubt=doubt,
    )  # fmt: skip


def _stated(profile: HardwareProfile | None, kind: Kind, id_: str) -> tuple[bool, Figure | None]:
    """Tell whether a profile has a figure, and what documents say of it."""
    if profile is None:
        return False, None
    found = profile.ceilings.get(id_) if kind == "ceiling" else profile.boundaries.get(id_)
    return found is not None, found.stated if found is not None else None


def _taken_for(target: str, rows: list[CeilingRow], choices: Choices) -> int:
    """Return the number of the reading that is taken for a figure, or NONE."""
    if not target:
        return NONE
    mine = [row for row in rows if row.target == target]
    decided = choices.taken.get(target)
    if decided is not None and (decided == NONE or any(row.number == decided for row in mine)):
        return decided
    certain = [row for row in mine if row.doubt is None]
    return max(certain, key=lambda row: row.value).number if certain else NONE

"""Points that cannot be: above a roof, or faster than a bound; with the usual causes, the likeliest first.

Nearly always a figure is wrong: a ceiling that is not that of the run, arithmetic of another pipe, bytes that did not
cross, or a unit. What the data rules out is left out, and what it speaks for is put first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.diagnosis.roofs import ABOVE, clock_share
from rooflinestudio.core.diagnosis.words import percent, times
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.diagnosis.case import Case
    from rooflinestudio.core.diagnosis.roofs import Side, Standing

__all__ = ["Above", "Cause", "above_roofs"]

CauseId = Literal["machine", "sparse", "clock", "pipe", "cache", "units", "uncounted", "pair"]
_SPARSE: Final = 2.0
_UNITS: Final = (1e3, 1024.0, 1e6, 1024.0**2, 1e9)
_CLOSE: Final = 0.1
_BOOSTED: Final = 1.35
"""Clocks differ by up to about this much between a data sheet and a part that runs at its highest."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of a point that cannot be.

    Attributes
    ----------
    likely
        Whether the data speaks for it; the others are merely possible.
    """

    id: CauseId
    words: str
    likely: bool = False


@dataclass(frozen=True, slots=True)
class Above:
    """A roof, or a bound, that a kernel beats.

    Attributes
    ----------
    kind
        ``compute``, ``memory``, or ``bound`` for a time below the predicted one.
    id, label
        Of the ceiling or boundary; the operator for a bound.
    ratio
        Achieved over possible, above 1.
    causes
        In order of likelihood.
    """

    kind: Literal["compute", "memory", "bound"]
    id: str
    label: str
    ratio: float
    causes: tuple[Cause, ...]

    @property
    def text(self) -> str:
        """One sentence, without the causes."""
        if self.kind == "bound":
            return f"It is {times(self.ratio)} as fast as the bound of {self.label}, which cannot be."
        return f"It is {times(self.ratio)} above {self.label}, which cannot be: one of the figures is wrong."


def above_roofs(case: Case, standing: Standing | None, *, another_part: str) -> tuple[Above, ...]:
    """Find what is beaten by more than figures are rounded.

    Parameters
    ----------
    another_part
        In what the device of the file differs from that of the profile, in words; empty where it does not.
    """
    found = []
    for side in standing.sides if standing is not None else ():
        if side.strict and side.share > ABOVE:
            causes = _compute_causes if side.kind == "compute" else _memory_causes
            found.append(_above(side.kind, side.id, side.label, side.share, causes(case, side), another_part))
    bound = _bound_ratio(case)
    if bound is not None and case.placement is not None and not found:
        name = case.placement.operator or "the operator"
        found.append(_above("bound", name, name, bound, _bound_causes(case, bound), another_part))
    return tuple(found)


def _above(
    kind: Literal["compute", "memory", "bound"],
    id_: str,
    label: str,
    ratio: float,
    causes: Iterator[Cause],
    another_part: str,
) -> Above:
    first = []
    if another_part:
        words = f"the profile is of another part ({another_part}), whose rates are other ones"
        first.append(Cause("machine", words, likely=ratio < 2))
    ordered = sorted((*first, *causes), key=lambda one: not one.likely)  # stable: then the usual order
    return Above(kind, id_, label, ratio, tuple(ordered))


def _compute_causes(case: Case, side: Side) -> Iterator[Cause]:
    if side.id.endswith("-tensor") and side.share <= _SPARSE * ABOVE:
        yield Cause(
            "sparse",
            "2:4 sparse products, counted as if dense, are held against a dense ceiling (the sparse one is 2× as high)",
            likely=side.share > _BOOSTED,
        )
    yield from _clock(case, side.id, side.share)
    faster = _faster_pipes(case, side)
    if faster:
        yield Cause("pipe", f"the work ran on another pipe than {side.label}: {faster} would allow it")
    yield from _from_pair(case)
    yield from _units(side.share, "the counts of instructions or the time")


def _memory_causes(case: Case, side: Side) -> Iterator[Cause]:
    figure = case.measurement.figure(f"{side.id}_bytes") or case.measurement.figure(f"{side.id}_bytes_per_s")
    if side.share <= _BOOSTED:
        yield Cause(
            "clock", f"{side.label} ran at a higher clock than the profile gives, or the part has more of it"
        )
    if figure is None or figure.quality in ("estimated", "upper"):
        words = f"the bytes at {side.label} are estimated: hits in a cache that never crossed it may be among them"
        yield Cause("cache", words, likely=True)
    yield from _units(side.share, "the bytes or the time")
    if figure is not None and figure.quality not in ("estimated", "upper"):
        yield Cause(
            "uncounted", "traffic and time come from different passes of the profiler, which need not agree"
        )


def _bound_ratio(case: Case) -> float | None:
    placement = case.placement
    if placement is None or case.time_s is None or placement.settings.forecast:
        return None
    ratio = float(placement.time_s) / case.time_s
    return ratio if ratio > ABOVE else None


def _bound_causes(case: Case, ratio: float) -> Iterator[Cause]:
    placement = case.placement
    if placement is None:
        return
    if placement.bound == "compute":
        if str(placement.binding).endswith("-tensor") and ratio <= _SPARSE * ABOVE:
            yield Cause("sparse", "the kernel runs 2:4 sparse products, and the bound is a dense one")
        yield from _clock(case, str(placement.binding), ratio)
        yield Cause("pipe", f"it computes in another format than {placement.binding}")
    else:
        measured = case.measurement.dram_bytes
        predicted = (
            float(placement.at("dram").traffic_bytes) if "dram" in placement.profile.boundaries else 0.0
        )
        less = measured is not None and measured * ABOVE < predicted
        words = "part of the data was found in a cache, so fewer bytes crossed than the operator counts"
        if less and measured is not None:
            words += f" ({format_quantity(measured, 'B')} of {format_quantity(predicted, 'B')})"
        yield Cause("cache", words, likely=less and case.traffic.quality != "lower")
    yield Cause("pair", "it is paired with other sizes or formats than it ran with")
    yield from _units(ratio, "the time")
    if case.traffic.quality == "lower" or case.measurement.dram_bytes is None:
        yield Cause(
            "uncounted", "the DRAM traffic is not all counted", likely=case.traffic.quality == "lower"
        )


def _clock(case: Case, ceiling: str, ratio: float) -> Iterator[Cause]:
    share = clock_share(case, ceiling)
    if share is None:
        if ratio <= _BOOSTED:
            yield Cause(
                "clock",
                "the run had a higher clock than the ceiling is given for; its clock is not in the file",
            )
    elif share > 1:
        words = f"the run had {percent(share)} of the clock that the ceiling is given for"
        yield Cause("clock", words, likely=share * ABOVE >= ratio)


def _faster_pipes(case: Case, side: Side) -> str:
    enough = [
        one
        for id_, one in case.profile.ceilings.items()
        if id_ != "special" and side.achieved <= one.flop_per_s * ABOVE
    ]
    lowest = min(enough, key=lambda one: one.flop_per_s, default=None)
    return "" if lowest is None else f"{lowest.label} ({format_quantity(lowest.flop_per_s, 'FLOP/s')})"


def _from_pair(case: Case) -> Iterator[Cause]:
    if case.work.origin == "paired":
        yield Cause(
            "pair",
            "the work is that of the operator it is paired with, perhaps with other sizes",
            likely=True,
        )


def _units(ratio: float, what: str) -> Iterator[Cause]:
    near = any(abs(ratio / one - 1) <= _CLOSE for one in _UNITS)
    words = f"a unit or decimal mark of {what} was misread"
    yield Cause(
        "units",
        f"{words}: a factor of {format_number(ratio)} is not physics" if ratio > 10 else words,
        likely=near or ratio > 10,
    )

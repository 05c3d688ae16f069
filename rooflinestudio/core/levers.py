"""Levers: what would make a kernel faster, by how much, each as a variant that was really placed.

Candidates come from what the operator declares (sizes, tiles, choices, formats), from the settings and from the
machines that are known; every one is placed, and what does not help is not told.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.quick import nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import EstimateSource, PlacedRow
    from rooflinestudio.core.settings import Settings
    from rooflinestudio.core.study import Entry

__all__ = ["Candidate", "Lever", "LeverContext", "LeverKind", "levers"]

LeverKind = Literal[
    "size", "tile", "choice", "dtype", "fusion", "absorption", "overlap", "machine", "parallelism"
]
KINDS: Final[tuple[LeverKind, ...]] = (
    "choice", "dtype", "size", "tile", "fusion", "absorption", "overlap", "parallelism", "machine",
)  # fmt: skip
"""In the order in which equal gains are told: what the kernel's author can change first, money last."""

WORTH: Final = 0.98
"""A variant that takes more than this part of the time is no lever."""

KNEE: Final = 1.05
"""A smaller size is taken when its time per unit of work is at most this much above the best."""

SAME: Final = 0.01
"""Machines whose gains differ by less bring the same: one of them is told."""

KEPT: Final[Mapping[str, int]] = {"dtype": 4, "machine": 3, "tile": 1, "size": 2, "parallelism": 2}
"""How many of a kind are told; one of the others."""


@dataclass(frozen=True, slots=True)
class LeverContext:
    """What the levers are looked for around: an operator as the user set it, on a machine.

    Attributes
    ----------
    parameters
        As the user gave them (texts, numbers, switches); the rest follows the operator.
    dtypes
        Format ids by role, ``all`` the shorthand.
    """

    operator: str
    parameters: Mapping[str, Any]
    dtypes: Mapping[str, str]
    profile: HardwareProfile
    settings: Settings
    placement: Placement

    @classmethod
    def of_row(cls, row: PlacedRow) -> LeverContext:
        """Return the context of a placed row.

        Raises
        ------
        ValueError
            If the row is not placed.
        """
        if row.placement is None or row.profile is None:
            raise ValueError(f"row {row.key} is not placed")
        entry = row.entry
        return cls(entry.operator, entry.parameters, entry.dtypes, row.profile, row.settings, row.placement)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that may help.

    Attributes
    ----------
    kind, words
        What it is, and what is done in a phrase; the gain is said beside it.
    parameters, dtypes, settings
        What is set otherwise, by name; for settings ``absorption`` or ``overlap``.
    profile
        The other machine, or None for the same.
    per_work
        Whether times are compared per FLOP (or per byte, without work): the variant does more at once.
    chain
        A chain for the fusion bench in place of the kernel alone, or empty.
    extra_s
        Seconds that the variant costs beside its own time: an exchange between devices.
    """

    kind: LeverKind
    words: str
    parameters: Mapping[str, Any] = field(default_factory=nothing)
    dtypes: Mapping[str, str] = field(default_factory=nothing)
    settings: Mapping[str, Any] = field(default_factory=nothing)
    profile: HardwareProfile | None = None
    per_work: bool = False
    chain: str = ""
    extra_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Lever:
    """What would help, by how much, and how to have it.

    Attributes
    ----------
    ratio
        Time of the variant over the time now, below 1; per unit of work where ``change.per_work``.
    time_s
        Seconds of one run of the variant.
    bound
        What binds then: kind and id in words, such as ``memory at dram``.
    change
        The variant itself.
    """

    kind: LeverKind
    words: str
    ratio: float
    time_s: float
    bound: str
    change: Candidate

    def entry(self, entry: Entry, id_: str) -> Entry:
        """Return the variant of a study's entry under a new id; it follows the entry in all that is not changed.

        A fusion has no entry of its own: its chain goes to the fusion bench.

        Raises
        ------
        ValueError
            For a fusion.
        """
        if self.change.chain:
            raise ValueError(f"{self.change.chain!r} is a chain; open it in the fusion bench")
        changed: dict[str, Any] = dict(self.change.settings)
        if self.change.profile is not None:
            changed["machines"] = (self.change.profile.id,)
        return replace(
            entry,
            id=id_,
            variant_of=entry.id,
            label="",
            parameters={**entry.parameters, **self.change.parameters},
            dtypes={**entry.dtypes, **self.change.dtypes},
            **changed,
        )


def levers(
    context: LeverContext, source: EstimateSource, profiles: Iterable[HardwareProfile] = ()
) -> tuple[Lever, ...]:
    """Return what would help, the largest gain first; empty for several points at once.

    Parameters
    ----------
    profiles
        Other machines to try.
    """
    if not is_number(context.placement.time_s) or not isinstance(context.placement.bound, str):
        return ()
    from rooflinestudio.core.levers_candidates import candidates

    tried = (_tried(one, context, source) for one in candidates(context, source, tuple(profiles)))
    found = sorted(_machines(_knees([one for one in tried if one is not None])), key=_rank)
    kept: dict[str, int] = {}
    same: set[tuple[str, float]] = set()
    result = []
    for one in found:
        if one.kind == "dtype" and (one.kind, one.time_s) in same:
            continue  # another way to say the same
        same.add((one.kind, one.time_s))
        kept[one.kind] = kept.get(one.kind, 0) + 1
        if kept[one.kind] <= KEPT.get(one.kind, 1):
            result.append(one)
    return tuple(result)


def _knees(found: list[Lever]) -> Iterator[Lever]:
    """Of one size at several values keep the smallest that has nearly all of the gain; keep all others."""
    best: dict[tuple[str, ...], float] = {}
    for one in found:
        if one.kind == "size":
            name = tuple(one.change.parameters)
            best[name] = min(one.ratio, best.get(name, one.ratio))
    told: set[tuple[str, ...]] = set()
    for one in found:  # from the smallest size to the largest
        if one.kind != "size":
            yield one
            continue
        name = tuple(one.change.parameters)
        if name not in told and one.ratio <= KNEE * best[name]:
            told.add(name)
            yield one


def _machines(found: Iterable[Lever]) -> Iterator[Lever]:
    """Of machines that bring the same keep the one that was tried first; keep all other levers."""
    told: list[float] = []
    for one in found:
        if one.kind != "machine":
            yield one
        elif not any(abs(one.ratio - other) <= SAME * other for other in told):
            told.append(one.ratio)
            yield one


def _rank(lever: Lever) -> tuple[float, int, str]:
    return round(lever.ratio, 9), KINDS.index(lever.kind), lever.words


def _tried(candidate: Candidate, context: LeverContext, source: EstimateSource) -> Lever | None:
    """Place a candidate; None where it cannot be placed, does not fit, or does not help."""
    if candidate.chain:
        from rooflinestudio.core.levers_candidates import fused

        return fused(candidate, context, source)
    try:
        placement = _placed(candidate, context, source)
    except StudioError:
        return None
    if not _fits(placement) and _fits(context.placement):
        return None
    time_s = float(placement.time_s) + candidate.extra_s
    ratio = time_s / float(context.placement.time_s)
    if candidate.per_work:
        ratio *= _size(context.placement) / _size(placement)
    if not ratio < WORTH:
        return None
    bound = f"{placement.bound} at {placement.binding}"
    return Lever(candidate.kind, candidate.words, ratio, time_s, bound, candidate)


def _placed(candidate: Candidate, context: LeverContext, source: EstimateSource) -> Placement:
    from rooflinestudio.core.placing import evaluate

    return evaluate(
        source,
        context.operator,
        {**context.parameters, **candidate.parameters},
        parse_dtypes({**context.dtypes, **candidate.dtypes}),
        candidate.profile or context.profile,
        replace(context.settings, **candidate.settings),
    )


def _size(placement: Placement) -> float:
    """Return how much is done in one run: FLOP, or what every tensor holds where there are none."""
    work = float(placement.work_flop)
    if work > 0:
        return work
    return sum(float(one.elements) for one in placement.estimate.tensors) or 1.0


def _fits(placement: Placement) -> bool:
    footprint, dram = placement.estimate.footprint_bytes, placement.profile.boundaries.get("dram")
    if footprint is None or dram is None or dram.capacity is None:
        return True
    return bool(footprint <= dram.capacity.value)

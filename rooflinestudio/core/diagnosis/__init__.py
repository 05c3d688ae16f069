"""Diagnosis: one measured kernel against its machine, by six questions in a fixed order.

The roofline answers which capacity binds; where neither does, the questions ask for what it cannot see. Each is
answered from the data, or not at all: then the answer names the counters that are missing and the command that collects
them.

>>> from rooflinestudio.core.diagnosis import diagnose
>>> diagnosis = diagnose(measurement, profile)  # doctest: +SKIP
>>> [answer.outcome for answer in diagnosis.answers]  # doctest: +SKIP
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.diagnosis.above import Above, Cause, above_roofs
from rooflinestudio.core.diagnosis.answer import QUESTIONS, Answer, Outcome
from rooflinestudio.core.diagnosis.case import Case, Datum
from rooflinestudio.core.diagnosis.compute import tensor_answer
from rooflinestudio.core.diagnosis.device import relation
from rooflinestudio.core.diagnosis.memory import parallelism_answer, saturation_answer
from rooflinestudio.core.diagnosis.reuse import Gap, Reuse, gap_of, reuse_answer, reuse_of
from rooflinestudio.core.diagnosis.roofs import Side, Standing, clock_share, standing
from rooflinestudio.core.diagnosis.size import quantisation_answer, size_answer
from rooflinestudio.core.diagnosis.tools import command_for
from rooflinestudio.core.diagnosis.words import percent
from rooflinestudio.core.placement import place_estimate
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placement import Placement

__all__ = [
    "QUESTIONS", "Above", "Answer", "Cause", "Datum", "Diagnosis", "DiagnosisKind", "Gap", "Outcome", "Reuse", "Side",
    "Standing", "diagnose",
]  # fmt: skip

DiagnosisKind = Literal[
    "memory", "compute", "latency", "launch", "quantisation", "unexplained", "impossible", "unknown"
]
"""What holds the kernel.

``memory``, ``compute``: that roof is near. ``latency``, ``launch``, ``quantisation``: no roof is near, and the question
of that subject found why. ``unexplained``: below both, and nothing was found. ``impossible``: above a roof.
``unknown``: the file does not say enough to hold it against both roofs.
"""

_BELOW: Final[tuple[tuple[str, DiagnosisKind], ...]] = (
    ("parallelism", "latency"), ("size", "launch"), ("quantisation", "quantisation"),
)  # fmt: skip
"""Questions, in order, whose finding explains a point below both roofs."""
_SLOW_CLOCK: Final = 0.95


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found out about one measured kernel.

    Attributes
    ----------
    kind
        What holds it, see :data:`DiagnosisKind`.
    numbers
        W, Q at device memory and t: value, origin and recipe of each; a value that is missing is None.
    standing
        Distance to each roof, the binding one first; None where the file allows none.
    answers
        To the six questions, in order.
    above
        Roofs and bounds that it beats, with the causes.
    gap, reuse
        What the gap to the paired prediction consists of, and the traffic in detail; None without a pair.
    notes
        What a reader should know about the figures.
    """

    measurement: Measurement
    profile: HardwareProfile
    placement: Placement | None
    kind: DiagnosisKind
    numbers: tuple[Datum, Datum, Datum]
    standing: Standing | None
    answers: tuple[Answer, ...]
    above: tuple[Above, ...]
    gap: Gap | None
    reuse: Reuse | None
    notes: tuple[str, ...]
    command: str

    @property
    def verdict(self) -> str:
        """One or two sentences: what holds the kernel, how far it is, what is to be won."""
        from rooflinestudio.core.diagnosis.verdict import verdict

        return verdict(self)

    @property
    def found(self) -> bool:
        """Whether a question found something, or a figure cannot be."""
        return bool(self.above) or any(one.outcome == "found" for one in self.answers)

    def answer(self, id_: str) -> Answer:
        """Return the answer to one question of :data:`QUESTIONS`."""
        return self.answers[QUESTIONS.index(id_)]


def diagnose(
    measurement: Measurement,
    profile: HardwareProfile,
    *,
    placement: Placement | None = None,
    overlay: Overlay | None = None,
) -> Diagnosis:
    """Ask the six questions of a measured kernel.

    Parameters
    ----------
    profile
        The machine that it ran on.
    placement
        What was predicted for it: a single placement; where it is on another machine, it is placed on ``profile``.
    overlay
        The file that the kernel stands in, for what the others say.

    Raises
    ------
    RefusedError
        If the paired operator cannot be placed on this machine.
    """
    if placement is not None and placement.profile != profile:
        placement = _moved(placement, profile)
    case = Case(measurement, profile, placement, overlay)
    stands = standing(case)
    reuse = reuse_of(case, stands)
    answers = _answers(case, stands, reuse)
    differs = relation(measurement.device, profile.name) if measurement.device else ""
    above = above_roofs(case, stands, another_part="another chip" if differs is None else differs)
    missing = [name for one in answers for name in one.missing]
    return Diagnosis(
        case.measurement,
        profile,
        placement,
        _kind(stands, answers, above),
        (case.work, case.traffic, case.time),
        stands,
        answers,
        above,
        gap_of(case, stands),
        reuse,
        tuple(_notes(case, stands, differs)),
        command_for(missing, measurement, case.tool),
    )


def _answers(case: Case, stands: Standing | None, reuse: Reuse | None) -> tuple[Answer, ...]:
    return (
        tensor_answer(case, stands),
        saturation_answer(case, stands),
        parallelism_answer(case, stands),
        size_answer(case, stands),
        reuse_answer(case, reuse),
        quantisation_answer(case, stands),
    )


def _moved(placement: Placement, profile: HardwareProfile) -> Placement:
    return place_estimate(
        placement.estimate,
        profile,
        placement.settings,
        operator=placement.operator,
        parameters=placement.parameters,
        dtypes=placement.dtypes,
    )


def _kind(stands: Standing | None, answers: tuple[Answer, ...], above: tuple[Above, ...]) -> DiagnosisKind:
    if any(one.kind != "bound" for one in above):
        return "impossible"
    if stands is not None and stands.holding is not None:
        return stands.holding.kind
    if stands is None or not stands.complete:
        return "unknown"
    by_id = {one.id: one for one in answers}
    for id_, kind in _BELOW:
        if by_id[id_].outcome == "found":
            return kind
    return "unexplained"


def _notes(case: Case, stands: Standing | None, differs: str | None) -> Iterator[str]:
    """Say what the figures rest on where that is not plain."""
    measurement, profile = case.measurement, case.profile
    if differs is None:
        yield f"The file names {measurement.device}, which is not {profile.name}: its roofs are those of another chip."
    elif differs:
        yield (
            f"The file names {measurement.device}; the profile of {profile.name} is of another part ({differs}), whose "
            "bandwidth and rates may be other ones."
        )
    if case.work.origin == "paired":
        yield f"W {case.work.recipe}."
    if case.pipe is not None and case.rate is not None and case.ceiling_of(case.pipe) is None:
        yield f"{profile.name} has no ceiling for {case.pipe}: its arithmetic is held against none."
    yield from _clock_notes(case, stands)
    for datum in (case.work, case.traffic, case.time):
        if datum.value is not None and datum.quality in ("lower", "upper", "estimated"):
            yield f"{datum.label} is {_QUALITY[datum.quality]}: {datum.recipe}."
    if measurement.count > 1:
        yield f"The figures are the mean of {measurement.count} launches."
    yield from measurement.notes
    if measurement.reason and not measurement.plotted:
        yield f"Not on the canvas: {measurement.reason}."


_QUALITY: Final = {"lower": "a lower bound", "upper": "an upper bound", "estimated": "an estimate"}


def _clock_notes(case: Case, stands: Standing | None) -> Iterator[str]:
    side = next((one for one in stands.sides if one.kind == "compute"), None) if stands is not None else None
    share = clock_share(case, side.id) if side is not None else None
    if side is None or share is None or share >= _SLOW_CLOCK or case.measurement.clock_hz is None:
        return
    clock, ceiling = (
        format_quantity(case.measurement.clock_hz, "Hz"),
        format_quantity(side.limit * share, "FLOP/s"),
    )
    yield (
        f"It ran at {clock}, {percent(share)} of the clock that {side.label} is given for: at this clock the ceiling "
        f"is {ceiling}, and it reached {percent(side.share / share)} of that."
    )

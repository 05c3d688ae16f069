"""Fifth question, whether data is reused where that was assumed; and what the gap to the prediction consists of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.diagnosis.answer import Answer, found, no_problem, unanswered
from rooflinestudio.core.diagnosis.case import Datum, paired_words
from rooflinestudio.core.diagnosis.words import percent, times
from rooflinestudio.core.placement import place_estimate
from rooflinestudio.core.quantities import format_number, format_quantity, format_ratio

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis.case import Case
    from rooflinestudio.core.diagnosis.roofs import Standing
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.traffic import Policy

__all__ = ["Gap", "Reuse", "gap_of", "reuse_answer", "reuse_of"]

ID: Final = "reuse"
QUESTION: Final = "Is reuse happening where you assumed?"
_ENDS: Final[tuple[Policy, Policy]] = ("compulsory", "tiled")
MORE: Final = 1.1
"""Measured over assumed traffic from which on the difference is worth a look."""
LESS: Final = 0.95
"""Below this part of the compulsory traffic the bytes cannot all have crossed."""


@dataclass(frozen=True, slots=True)
class Reuse:
    """Traffic at device memory, measured and predicted, in bytes.

    Attributes
    ----------
    assumed_bytes
        Under the policy of the placement, which ``assumption`` names.
    absorption
        Share of the tiled re-reads that the caches must have absorbed to give what was measured; None where the tiles
        re-read nothing. Below 0 where more crossed than the tiles ask for.
    prize_s
        The most that could be won if the traffic were the assumed one: the measured time less the longest of what the
        roofs take then.
    """

    measured_bytes: float
    compulsory_bytes: float
    tiled_bytes: float
    assumed_bytes: float
    assumption: str
    absorption: float | None
    prize_s: float | None


@dataclass(frozen=True, slots=True)
class Gap:
    """What lies between a prediction and the measurement: ``time = roof x headroom``.

    Attributes
    ----------
    time
        Measured over predicted time.
    traffic
        Measured over predicted traffic at ``boundary``; None where it was not measured.
    work
        Measured over predicted work; None where the work is that of the operator.
    roof
        Time at the roof over the measured point / predicted time: what other traffic and work cost.
    headroom
        Measured time / time at the roof: what the kernel loses below its own roof.
    """

    boundary: str
    label: str
    predicted_s: float
    measured_s: float
    time: float
    traffic: float | None
    work: float | None
    roof: float | None
    headroom: float | None

    @property
    def text(self) -> str:
        """One or two sentences."""
        parts = [
            f"Measured {format_ratio(self.time)} than predicted"
            if abs(self.time - 1) >= 0.005
            else "As predicted"
        ]
        parts[0] += (
            f" ({format_quantity(self.measured_s, 's')} against {format_quantity(self.predicted_s, 's')})."
        )
        if self.roof is not None and self.headroom is not None:
            ratios = [f"Q {times(self.traffic)} at {self.label}"] if self.traffic is not None else []
            ratios += [f"W {times(self.work)}"] if self.work is not None else []
            because = f" ({', '.join(ratios)})" if ratios else ""
            parts.append(
                f"Of this {times(self.roof)} is a roof that lies elsewhere{because}, and {times(self.headroom)} "
                "the distance to it."
            )
        elif self.traffic is not None:
            parts.append(f"Q is {times(self.traffic)} the prediction at {self.label}.")
        return " ".join(parts)


def reuse_of(case: Case, standing: Standing | None) -> Reuse | None:
    """Compare traffic at device memory with the prediction; None without either."""
    placement, measured = case.placement, case.measurement.dram_bytes
    if placement is None or measured is None or "dram" not in placement.profile.boundaries:
        return None
    if not placement.at("dram").crosses:
        return None
    compulsory, tiled = (_traffic(placement, policy) for policy in _ENDS)
    assumed = float(placement.at("dram").traffic_bytes)
    settings = placement.settings
    words = (
        f"modelled with absorption {settings.absorption:g}"
        if settings.policy == "modelled"
        else settings.policy
    )
    absorption = 1.0 - (measured - compulsory) / (tiled - compulsory) if tiled > compulsory else None
    prize = _prize_s(case, standing, assumed)
    return Reuse(measured, compulsory, tiled, assumed, words, absorption, prize)


def _traffic(placement: Placement, policy: Policy) -> float:
    settings = replace(placement.settings, policy=policy)
    varied = place_estimate(
        placement.estimate,
        placement.profile,
        settings,
        operator=placement.operator,
        parameters=placement.parameters,
        dtypes=placement.dtypes,
    )
    return float(varied.at("dram").traffic_bytes)


def _prize_s(case: Case, standing: Standing | None, assumed: float) -> float | None:
    if case.time_s is None or case.placement is None:
        return None
    floors = [assumed / case.profile.boundaries["dram"].bytes_per_s, float(case.placement.compute_s)]
    if standing is not None:
        floors += [one.share * case.time_s for one in standing.sides if one.binds and one.id != "dram"]
    return max(case.time_s - max(floors), 0.0)


def reuse_answer(case: Case, reuse: Reuse | None) -> Answer:
    """Hold the measured traffic against what the paired operator was predicted to move."""
    if case.placement is None:
        text = f"What was assumed is not known. Pair the kernel with an operator and its sizes.{_seen(case)}"
        missing = ("dram_bytes",) if case.measurement.dram_bytes is None else ()
        return unanswered(
            ID, QUESTION, missing, case, text, (case.traffic, case.datum("l2_hit_share", "hits in L2", "%"))
        )
    if case.measurement.dram_bytes is None:
        return unanswered(ID, QUESTION, ("dram_bytes",), case)
    if reuse is None:
        text = f"{paired_words(case.placement)} does not cross device memory, so nothing was assumed there."
        return unanswered(ID, QUESTION, (), case, text)
    return _judged(case, reuse)


def _seen(case: Case) -> str:
    """Say what the caches themselves show, without a prediction."""
    inner, outer = case.measurement.l2_bytes, case.measurement.dram_bytes
    if not inner or not outer:
        return ""
    return (
        f" For each byte at device memory {format_number(inner / outer)} crossed L2 "
        f"({format_quantity(inner, 'B')} to {format_quantity(outer, 'B')})."
    )


def _judged(case: Case, reuse: Reuse) -> Answer:
    ratio = reuse.measured_bytes / reuse.assumed_bytes
    figures = (
        case.traffic,
        Datum(f"assumed ({reuse.assumption})", reuse.assumed_bytes, "B", "paired"),
        Datum("compulsory", reuse.compulsory_bytes, "B", "paired"),
        Datum("tiled", reuse.tiled_bytes, "B", "paired"),
        Datum(
            "absorption", reuse.absorption, "", "worked out", "from compulsory, tiled and measured traffic"
        ),
    )
    if reuse.measured_bytes < LESS * reuse.compulsory_bytes:
        lower = case.traffic.quality == "lower"
        why = (
            "not all of the traffic was counted"
            if lower
            else "the data was already in a cache or is compressed, or the kernel is paired with other sizes or formats"
        )
        share = percent(reuse.measured_bytes / reuse.compulsory_bytes)
        sentence = f"Only {share} of the compulsory traffic was measured: {why}."
        return found(
            ID,
            QUESTION,
            "More than there can be.",
            sentence,
            figures,
            remedy="Check sizes and formats of the pair.",
        )
    against = f"Measured Q is {times(ratio)} the {_policy(reuse)} traffic"
    if reuse.assumed_bytes != reuse.compulsory_bytes:
        against += f" and {times(reuse.measured_bytes / reuse.compulsory_bytes)} the compulsory"
    if ratio > MORE:
        sentence = f"{against}.{_absorbed(reuse)}{_prize(case, reuse)}"
        return found(
            ID, QUESTION, "Less than assumed.", sentence, figures,
            remedy="Raise the reuse: larger tiles, an order of blocks that shares operands, less data at a time.",
        )  # fmt: skip
    if case.traffic.quality == "lower":
        sentence = f"{against} so far, but only a part of it was counted."
        return unanswered(ID, QUESTION, ("dram_bytes",), case, sentence, figures)
    return no_problem(ID, QUESTION, "Yes.", f"{against}.{_absorbed(reuse)}", figures)


def _policy(reuse: Reuse) -> str:
    return reuse.assumption.partition(" ")[0]


def _absorbed(reuse: Reuse) -> str:
    if reuse.absorption is None:
        return ""
    if reuse.absorption < 0:
        return " That is more than the tiles ask for without any cache."
    return f" The caches absorbed {percent(min(reuse.absorption, 1.0))} of what the tiles re-read."


def _prize(case: Case, reuse: Reuse) -> str:
    if not reuse.prize_s or case.time_s is None:
        return ""
    return (
        f" At most {format_quantity(reuse.prize_s, 's')} of {format_quantity(case.time_s, 's')} could be won."
    )


def gap_of(case: Case, standing: Standing | None) -> Gap | None:
    """Take the gap to the prediction apart; None where there is no prediction or no time."""
    placement = case.placement
    if placement is None or case.time_s is None:
        return None
    boundary = placement.boundary_id
    measured = case.measurement.traffic_bytes(boundary)
    predicted = float(placement.at(boundary).traffic_bytes)
    work = None
    main = placement.estimate.main_pipe
    if case.paired_work and not case.takes_paired_work and main in case.measurement.work:
        work = case.measurement.work[main] / case.paired_work
    predicted_s = float(placement.time_s)
    roof_s = standing.roof_s if standing is not None and standing.complete else None
    return Gap(
        boundary,
        placement.profile.boundaries[boundary].label,
        predicted_s,
        case.time_s,
        case.time_s / predicted_s,
        None if measured is None or not predicted else measured / predicted,
        work,
        None if roof_s is None else roof_s / predicted_s,
        None if roof_s is None else case.time_s / roof_s,
    )

"""Second and third question: whether device memory is saturated, and enough in flight to keep it busy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.diagnosis.answer import Answer, found, no_problem, unanswered
from rooflinestudio.core.diagnosis.case import Datum
from rooflinestudio.core.diagnosis.roofs import ABOVE, REACHABLE
from rooflinestudio.core.diagnosis.words import count, percent, times
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis.case import Case
    from rooflinestudio.core.diagnosis.roofs import Standing

__all__ = ["parallelism_answer", "saturation_answer"]

SATURATION, PARALLELISM = "saturation", "parallelism"
SATURATED: Final = 0.85
"""From this part of what a stream reaches on, device memory is saturated."""
WIDEST_BYTES: Final = 16
"""The widest load of one thread: what it can have in flight without a second, independent load."""
HALF_USED: Final = 0.5
STALLED: Final = 0.5
_MOST_THREADS: Final = {"7.5": 1024, "8.6": 1536, "8.7": 1536, "8.9": 1536, "12.0": 1536, "12.1": 1536}
"""Threads that an SM can hold by compute capability (CUDA programming guide, compute capabilities)."""
_THREADS: Final = 2048
_WARP: Final = 32


# ------------------------------------------------------------------------------------------ saturation


class _Stream(NamedTuple):
    """What a stream reaches, and how that is known."""

    bytes_per_s: float
    words: str


def saturation_answer(case: Case, standing: Standing | None) -> Answer:
    """Hold the rate at device memory against what a stream reaches, and against the published bandwidth."""
    question = f"Is {case.dram_label} saturated?"
    dram = case.profile.boundaries.get("dram")
    if dram is None:
        sentence = f"The profile of {case.profile.name} has no bandwidth of device memory. Add it."
        return unanswered(SATURATION, question, (), case, sentence)
    rate = case.measurement.bytes_per_s("dram")
    busy = case.extra("dram_busy_share")
    if rate is None and busy is not None:
        return _from_busy(case, question, busy)
    if rate is None:
        lacks = ("dram_bytes",) if case.measurement.dram_bytes is None else ()
        return unanswered(
            SATURATION,
            question,
            (*lacks, *(("time_s",) if case.time_s is None else ())) or ("dram_bytes",),
            case,
        )
    stream = _stream(case)
    return _judged(case, question, rate, dram.bytes_per_s, stream)


def _stream(case: Case) -> _Stream:
    dram = case.profile.boundaries["dram"]
    streaming = dram.slopes.get("streaming")
    if streaming is None:
        return _Stream(
            REACHABLE * dram.bytes_per_s, "No stream rate is in the profile; streams get about 85%."
        )
    words = (
        "The stream rate of the profile is measured."
        if streaming.provenance == "measured"
        else f"The stream rate of the profile is {streaming.provenance}: a measured one would settle it."
    )
    return _Stream(streaming.value, words)


def _judged(case: Case, question: str, rate: float, published: float, stream: _Stream) -> Answer:
    share, of_stream = rate / published, rate / stream.bytes_per_s
    figures = (
        case.datum("dram_bytes", "traffic", "B", case.measurement.dram_bytes),
        case.time,
        Datum("rate", rate, "B/s", "worked out", "traffic / time"),
        Datum(
            "of the bandwidth", share, "%", "profile", case.profile.boundaries["dram"].bandwidth.provenance
        ),
        Datum("of a stream", of_stream, "%", "profile", stream.words),
        case.datum("sector_use_share", "used of each sector", "%"),
    )
    sentence = (
        f"{format_quantity(rate, 'B/s')} is {percent(share)} of {format_quantity(published, 'B/s')} and "
        f"{percent(of_stream)} of what a stream reaches. {stream.words}{_sectors(case)}"
    )
    if share > ABOVE:
        return found(
            SATURATION,
            question,
            "More than it can be.",
            sentence,
            figures,
            remedy="Check the figures first: see above.",
        )
    if of_stream < SATURATED and case.traffic_is_least:
        least = f"What is known of the traffic is a lower bound: at least {sentence}"
        return unanswered(SATURATION, question, ("dram_bytes",), case, least, figures)
    if of_stream < SATURATED:
        return no_problem(SATURATION, question, "No.", sentence, figures)
    headline = "Yes." if of_stream >= 1 else "Nearly."
    return found(SATURATION, question, headline, sentence, figures, remedy=_fewer_bytes(case))


def _sectors(case: Case) -> str:
    used = case.extra("sector_use_share")
    if used is None or used >= HALF_USED:
        return ""
    return f" Of each sector that was loaded only {percent(used)} was used: part of these bytes is fetched in vain."


def _fewer_bytes(case: Case) -> str:
    used = case.extra("sector_use_share")
    if used is not None and used < HALF_USED:
        return "Mend the access pattern first: neighbouring threads should load neighbouring words."
    return (
        "Move fewer bytes: fuse with a neighbour, store a narrower format, or reuse more of what was loaded."
    )


def _from_busy(case: Case, question: str, busy: float) -> Answer:
    figures = (case.datum("dram_busy_share", "device memory busy", "%"),)
    sentence = f"It was busy for {percent(busy)} of its peak; the bytes themselves were not counted."
    if busy < SATURATED * REACHABLE:
        return no_problem(SATURATION, question, "No.", sentence, figures)
    headline = "Yes." if busy >= REACHABLE else "Nearly."
    return found(SATURATION, question, headline, sentence, figures, remedy=_fewer_bytes(case))


# ----------------------------------------------------------------------------------------- parallelism


class _Need(NamedTuple):
    """What Little's law asks for, and what was sustained, in bytes in flight."""

    needed_bytes: float
    sustained_bytes: float
    latency_s: float


class _Threads(NamedTuple):
    """Threads that were resident on the whole device, and how that is known."""

    number: float
    exact: bool
    datum: Datum


def parallelism_answer(case: Case, standing: Standing | None) -> Answer:
    """Answer by Little's law: bytes in flight = rate × latency, held against the threads that ask for them."""
    question = "Is enough parallel work in flight?"
    if standing is not None and standing.holding is not None:
        side = standing.holding
        sentence = f"{side.label} is at {percent(side.share)} of its roof, which takes enough work in flight by itself."
        share = Datum(f"of {side.label}", side.share, "%", "worked out", "achieved / limit")
        return no_problem(PARALLELISM, question, "Yes.", sentence, (share,))
    need = _need(case, standing)
    stalled = case.extra("memory_stall_share")
    threads = _resident(case)
    figures = _flight_figures(case, need, threads)
    if stalled is not None and stalled >= STALLED:
        sentence = (
            f"Warps spend {percent(stalled)} of their waiting on memory, and no roof is near.{_asks(need)}"
        )
        return found(PARALLELISM, question, "No.", sentence, figures, remedy=_MORE)
    if need is None or threads is None or not case.compute_known:
        return _open(case, question, need, figures)
    return _by_thread(case, question, need, threads, figures)


_MORE: Final = (
    "Put more in flight: more or smaller blocks, fewer registers per thread, wider or independent loads, asynchronous "
    "copies."
)


def _need(case: Case, standing: Standing | None) -> _Need | None:
    dram, rate = case.profile.boundaries.get("dram"), case.measurement.bytes_per_s("dram")
    if dram is None or dram.latency is None or not rate or standing is None:
        return None
    at_roof = min(rate * max(standing.headroom, 1.0), dram.bytes_per_s)
    return _Need(at_roof * dram.latency.value, rate * dram.latency.value, dram.latency.value)


def _resident(case: Case) -> _Threads | None:
    """Threads on the device on average; where that was not measured, the most that there can have been."""
    if case.sms is None:
        return None
    most = _MOST_THREADS.get(case.measurement.compute_capability or "", _THREADS)
    warps, occupancy = case.extra("active_warps"), case.extra("occupancy_share")
    if warps is not None:
        datum = case.datum("active_warps", "warps active per SM", "")
        return _Threads(warps * _WARP * case.sms, exact=True, datum=datum)
    if occupancy is not None:
        datum = case.datum("occupancy_share", "occupancy", "%")
        return _Threads(occupancy * most * case.sms, exact=True, datum=datum)
    if case.threads is None:
        return None
    count = min(case.threads, most * case.sms)
    recipe = f"threads of the grid, at most {most} on each SM"
    datum = Datum("threads at once", count, "", "worked out", recipe, "upper")
    return _Threads(count, exact=False, datum=datum)


def _flight_figures(case: Case, need: _Need | None, threads: _Threads | None) -> tuple[Datum, ...]:
    figures = [threads.datum] if threads is not None else []
    if need is not None:
        law = "rate × latency (Little's law)"
        figures += [
            Datum("needed in flight", need.needed_bytes, "B", "worked out", f"at the roof: {law}"),
            Datum("sustained in flight", need.sustained_bytes, "B", "worked out", law),
        ]
    figures.append(case.datum("memory_stall_share", "waiting that is for memory", "%"))
    return tuple(figures)


def _asks(need: _Need | None) -> str:
    if need is None:
        return ""
    needed, sustained = format_quantity(need.needed_bytes, "B"), format_quantity(need.sustained_bytes, "B")
    latency = format_quantity(need.latency_s, "s")
    return f" The roof asks for {needed} in flight at a latency of {latency}, and {sustained} were."


def _open(case: Case, question: str, need: _Need | None, figures: tuple[Datum, ...]) -> Answer:
    missing = [] if case.extra("active_warps") is not None else ["active_warps"]
    if case.extra("memory_stall_share") is None:
        missing.append("memory_stall_share")
    # A roof that was not counted may be near: then nothing is lacking.
    missing += ["work"] if case.work.value is None else []
    missing += ["tensor_work"] if case.blind else []
    if case.measurement.bytes_per_s("dram") is None:
        missing += [one for one in ("dram_bytes", "time_s") if case.datum(one, "", "").value is None]
    dram = case.profile.boundaries.get("dram")
    hint = (
        ""
        if dram is not None and dram.latency is not None
        else (f"The profile of {case.profile.name} has no latency of device memory either.")
    )
    return unanswered(PARALLELISM, question, tuple(missing), case, (_asks(need) or hint).strip(), figures)


def _by_thread(
    case: Case, question: str, need: _Need, threads: _Threads, figures: tuple[Datum, ...]
) -> Answer:
    if not threads.number:
        return _open(case, question, need, figures)
    each = need.needed_bytes / threads.number
    total = count(round(threads.number))
    figures = (*figures, Datum("per thread", each, "B", "worked out", "needed in flight / threads at once"))
    words = format_quantity(each, "B", digits=2)
    if each > WIDEST_BYTES:
        at_most = "" if threads.exact else "at most "
        sentence = (
            f"With {at_most}{total} threads at once each would need {words} in flight, "
            f"{times(each / WIDEST_BYTES)} the widest load.{_asks(need)}"
        )
        return found(PARALLELISM, question, "No.", sentence, figures, remedy=_MORE)
    if not threads.exact:  # the grid would allow it; whether it was so is another matter
        return _open(case, question, need, figures)
    sentence = f"With {total} threads at once {words} each are enough.{_asks(need)} What holds the kernel is elsewhere."
    return no_problem(PARALLELISM, question, "Yes.", sentence, figures)

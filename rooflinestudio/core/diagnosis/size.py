"""Fourth and sixth question: whether the kernel is too small, and whether its grid fills whole waves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.diagnosis.answer import Answer, found, no_problem, unanswered
from rooflinestudio.core.diagnosis.case import Datum
from rooflinestudio.core.diagnosis.words import count, percent
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.roofline import wave_efficiency

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis.case import Case
    from rooflinestudio.core.diagnosis.roofs import Standing
    from rooflinestudio.core.measurement_overlay import Overlay

__all__ = ["SHORT_S", "quantisation_answer", "size_answer"]

SIZE, QUANTISATION = "size", "quantisation"
SHORT_S: Final = 20e-6
"""Below this time a kernel partly measures its own launch, which takes a few microseconds."""
LOST: Final = 0.1
"""From this share of the machine's time lost in a last wave on it is worth mending."""
SIZE_QUESTION: Final = "Is the kernel too small?"
QUANTISATION_QUESTION: Final = "Is the work quantised badly?"


def size_answer(case: Case, standing: Standing | None) -> Answer:
    """Hold the time against the launch overhead, and say how the other kernels of the file do."""
    if case.time_s is None:
        return unanswered(SIZE, SIZE_QUESTION, ("time_s",), case)
    overhead = case.profile.launch_overhead
    figures = [case.time]
    floor = format_quantity(SHORT_S, "s")
    time = format_quantity(case.time_s, "s")
    words = (
        f"{time} is {'below' if case.time_s < SHORT_S else 'above'} the {floor} under which a launch shows."
    )
    if overhead is not None and overhead.value > 0:
        figures.append(Datum("launch overhead", overhead.value, "s", "profile", overhead.provenance))
        launches = format_number(case.time_s / overhead.value, digits=2)
        words = (
            f"{time} is {launches} launches of {format_quantity(overhead.value, 's')} ({overhead.provenance}); "
            f"a launch shows below {floor}."
        )
    words += _others(case)
    if case.time_s >= SHORT_S:
        return no_problem(SIZE, SIZE_QUESTION, "No.", words, tuple(figures))
    return found(
        SIZE, SIZE_QUESTION, "Yes.", words, tuple(figures),
        remedy="Do more in one launch: fuse, batch, or replay the launches as a graph.",
    )  # fmt: skip


def _others(case: Case) -> str:
    """Say how many kernels of the file are that short, and what part of its time they take."""
    short = None if case.overlay is None or len(case.overlay) < 2 else _short_launches(case.overlay)
    if short is None:
        return ""
    if not short.number:
        return f" None of the {count(short.of)} launches in the file is shorter."
    verb = "is" if short.number == 1 else "are"
    return (
        f" Of {count(short.of)} launches in the file {count(short.number)} {verb} shorter, with "
        f"{percent(short.share)} of its time."
    )


class _Short(NamedTuple):
    """Launches of a file with a time, those of them that are short, and their share of the time."""

    of: float
    number: float
    share: float


def _short_launches(overlay: Overlay) -> _Short | None:
    found: _Short | None = overlay.made_once("short launches", lambda: _counted_short(overlay))
    return found


def _counted_short(overlay: Overlay) -> _Short | None:
    import numpy as np

    times, counts = overlay.columns["time_s"], overlay.columns["count"]
    known = ~np.isnan(times)
    times, counts = times[known], counts[known]
    if times.size < 2:
        return None
    short = times < SHORT_S
    spent = times * counts
    return _Short(float(counts.sum()), float(counts[short].sum()), float(spent[short].sum() / spent.sum()))


def quantisation_answer(case: Case, standing: Standing | None) -> Answer:
    """Hold the blocks of the grid against whole waves of one block per SM."""
    blocks, sms = case.blocks, case.sms
    if blocks is None or not sms:
        missing = (("grid",) if blocks is None else ()) + (("sms",) if not sms else ())
        return unanswered(QUANTISATION, QUANTISATION_QUESTION, missing, case)
    efficiency = float(wave_efficiency(float(blocks), float(sms)))
    waves, lost = blocks / sms, 1.0 - efficiency
    figures = (
        Datum("blocks", blocks, "", "counter", "grid of the launch"),
        Datum("SMs", sms, "", "counter" if case.extra("sms") else "profile"),
        Datum("waves", waves, "", "worked out", "blocks / SMs: more blocks on an SM share its rate"),
        Datum("lost", lost, "%", "worked out", "empty places of the last wave / all places"),
    )
    text = _waves_words(blocks, sms, lost)
    if lost < LOST:
        return no_problem(
            QUANTISATION, QUANTISATION_QUESTION, "No.", f"{text}{_persistent(blocks, sms)}", figures
        )
    if standing is not None and standing.holding is not None:
        side = standing.holding
        sentence = (
            f"{text} It reaches {percent(side.share)} of {side.label} all the same, so that costs it little."
        )
        return no_problem(QUANTISATION, QUANTISATION_QUESTION, "Not so that it shows.", sentence, figures)
    return found(
        QUANTISATION, QUANTISATION_QUESTION, "Yes.", text, figures,
        remedy="Change the tile or split the sum, so that the blocks fill whole waves.",
    )  # fmt: skip


def _waves_words(blocks: int, sms: float, lost: float) -> str:
    total = count(blocks)
    if blocks < sms:
        idle = f"{count(sms - blocks)} of {count(sms)} SMs"
        return f"{total} blocks leave {idle} without work: {percent(lost)} lost."
    last = (blocks % sms) / sms or 1.0
    waves = format_number(blocks / sms)
    words = f"{total} blocks over {count(sms)} SMs are {waves} waves; the last is {percent(last)} full"
    return f"{words}, {percent(lost)} lost." if lost else f"{words}."


def _persistent(blocks: int, sms: float) -> str:
    if blocks != sms:
        return ""
    return " One block per SM may be a persistent kernel that deals out its own tiles: those are not in the file."

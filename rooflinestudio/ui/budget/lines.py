"""The figures of a budget as texts: lines of the table, readouts, tool tips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.readout import Readout
from rooflinestudio.ui.inspector.part_rows import count_text
from rooflinestudio.ui.widgets.words import bound_words, bytes_text, percent_text, short_intensity, time_text

if TYPE_CHECKING:
    from rooflinestudio.core.budget import Budget, BudgetPart

__all__ = ["PartLine", "part_lines", "part_tip", "readouts", "share_text", "summaries"]

_LEAST_SHARE: Final = 0.0005


@dataclass(frozen=True, slots=True)
class PartLine:
    """One row of the table; ``values`` is what its columns are sorted by."""

    index: int
    name: str
    work: str
    traffic: str
    intensity: str
    bound: str
    bound_text: str
    time: str
    share: float
    share_text: str
    fraction: float
    tip: str
    values: tuple[object, ...]


def share_text(share: float, *, short: bool = False) -> str:
    """Return a share of the time: ``12.8%``, ``0.5%``; ``short`` ones from ten on without a decimal."""
    if 0 < share < _LEAST_SHARE:
        return "<0.1%"
    if short:
        return percent_text(share)
    return f"{100 * share:.1f}%"


def part_lines(budget: Budget, noun: str) -> tuple[PartLine, ...]:
    """Return the parts of a budget as lines, in the order in which they run.

    The bars of their shares are drawn against the largest of them, so that small ones can be told apart.
    """
    largest = max(one.share for one in budget.parts)
    return tuple(_line(one, largest, noun) for one in budget.parts)


def _line(part: BudgetPart, largest: float, noun: str) -> PartLine:
    words = bound_words(part.placement)
    return PartLine(
        part.index,
        numbered_name(part),
        format_quantity(part.work_flop, "FLOP"),
        bytes_text(part.traffic_bytes, digits=3),
        short_intensity(part.intensity),
        part.bound,
        words,
        time_text(part.time_s),
        part.share,
        share_text(part.share),
        part.share / largest,
        part_tip(part, noun),
        (part.name, part.work_flop, part.traffic_bytes, part.intensity, words, part.time_s, part.share),
    )


def numbered_name(part: BudgetPart) -> str:
    """Return the name of a part, and how often it runs where that is not once: ``32 × SwiGLU``."""
    return part.name if part.count == 1 else f"{count_text(part.count)} {part.name}"


def part_tip(part: BudgetPart, noun: str) -> str:
    """Return what is told of a part under the pointer."""
    whole = "whole" if noun == "whole" else noun
    lines = [
        numbered_name(part),
        f"{time_text(part.time_s)}, {share_text(part.share)} of the {whole}",
        bound_words(part.placement),
        f"W {format_quantity(part.work_flop, 'FLOP')}, Q {bytes_text(part.traffic_bytes, digits=3)}, "
        f"I {short_intensity(part.intensity)} FLOP/byte",
    ]
    if part.count != 1:
        lines.append(f"each {time_text(part.placement.time_s)}")
    return "\n".join(lines)


def readouts(budget: Budget, noun: str) -> tuple[Readout, ...]:
    """Return work, traffic, time, utilisation and share of memory of a budget."""
    label = budget.boundary_label
    pipe, peak = budget.placement.ceiling_id, format_quantity(budget.peak_flop_per_s, "FLOP/s")
    work, traffic = format_quantity(budget.work_flop, "FLOP"), bytes_text(budget.traffic_bytes, digits=3)
    time, mfu, memory = (
        time_text(budget.time_s, digits=3),
        mfu_text(budget),
        percent_text(budget.memory_share),
    )
    return (
        _readout(f"{noun} work", work, work, "ΣW over all kernels"),
        _readout(f"{label} traffic", traffic, f"{traffic} at {label}", f"ΣQ at {label}"),
        _readout(f"{noun} time", time, time, _time_hint(budget)),
        _readout(
            f"MFU, this {noun}", mfu, f"MFU {mfu}", f"Model FLOP utilisation: ΣW / (ΣT · {peak} of {pipe})"
        ),
        _readout("time memory-bound", memory, f"{memory} memory-bound", "Share of ΣT in which memory binds"),
    )


def _readout(caption: str, text: str, short: str, hint: str) -> Readout:
    return Readout(caption, *_split(text), short=short, hint=hint)


def _time_hint(budget: Budget) -> str:
    expected = budget.placement.expected if budget.is_forecast else None
    words = f"{'Forecast' if budget.is_forecast else 'Bound'}: ΣT, kernel after kernel"
    if expected is None:
        return words
    low, high = (time_text(float(one), digits=3) for one in (expected.low_s, expected.high_s))
    return f"{words}. With rates that are reached: {time_text(expected.time_s, digits=3)} ({low} to {high})"


def mfu_text(budget: Budget) -> str:
    """Return the utilisation: ``95%``, below twenty with three digits (``11.0%``)."""
    percent = 100 * budget.mfu
    return f"{percent:.0f}%" if percent >= 19.95 else f"{format_number(percent)}%"


def summaries(budget: Budget) -> tuple[str, ...]:
    """Return time, utilisation and share of memory in one line, and shorter forms for narrow places."""
    time, mfu = time_text(budget.time_s), f"MFU {mfu_text(budget)}"
    return f"{time}, {mfu}, {percent_text(budget.memory_share)} memory-bound", f"{time}, {mfu}", time


def _split(text: str) -> tuple[str, str]:
    if text.endswith("%"):
        return text[:-1], "%"
    number, _, unit = text.rpartition(" ")
    return (number, unit) if number else (text, "")

"""The table of changes and the readouts as texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.readout import Readout
from rooflinestudio.ui.serving.words import count_text

if TYPE_CHECKING:
    from rooflinestudio.core.serving.decode import Decoding
    from rooflinestudio.core.serving.what_if import WhatIf

__all__ = ["Line", "lines_of", "readouts_of", "times_text"]

NONE = "–"


@dataclass(frozen=True, slots=True)
class Line:
    """One change in words; ``gain`` and ``max_gain`` are times with ``ok`` or ``error`` as their colour."""

    id: str
    label: str
    rate: str
    gain: str
    gain_token: str
    most: str
    max_rate: str
    max_gain: str
    max_gain_token: str
    crossover: str
    why: str
    fits: bool
    refused: bool
    placeable: bool


def lines_of(found: tuple[WhatIf, ...]) -> tuple[Line, ...]:
    """Return the changes as lines."""
    return tuple(_line(one, first=at == 0) for at, one in enumerate(found))


def _line(one: WhatIf, *, first: bool) -> Line:
    gain, max_gain = (
        (("baseline", "text2"),) * 2 if first else (times_text(one.gain), times_text(one.max_gain))
    )
    fits = one.fits is not False
    return Line(
        one.change.id,
        one.change.label,
        _number(one.tokens_per_s) if fits else "does not fit",
        gain[0] if fits else NONE,
        gain[1] if fits else "muted",
        NONE if one.max_batch is None else count_text(one.max_batch),
        _number(one.max_tokens_per_s),
        max_gain[0],
        max_gain[1],
        NONE if one.crossover_batch is None else count_text(one.crossover_batch),
        one.refusal or one.change.why,
        fits,
        bool(one.refusal),
        one.entry is not None,
    )


def _number(value: float | None) -> str:
    return NONE if value is None else format_number(value)


def times_text(gain: float | None) -> tuple[str, str]:
    """Return a ratio of rates with its direction, and the colour that goes with it."""
    if gain is None:
        return NONE, "muted"
    if abs(gain - 1) < 0.005:
        return "1.00×", "text2"
    times = gain if gain > 1 else 1 / gain
    shown = f"{times:.2f}" if times < 9.995 else format_number(times)
    return (f"{shown}× faster", "ok") if gain > 1 else (f"{shown}× slower", "error")


def readouts_of(step: Decoding) -> tuple[Readout, ...]:
    """Return the large figures."""
    time, unit = format_quantity(float(step.placement.time_s), "s").split(" ")
    most = NONE if step.max_batch is None else count_text(step.max_batch)
    crossing = NONE if step.crossover_batch is None else count_text(step.crossover_batch)
    return (
        Readout(f"batch {count_text(step.batch)}", format_number(step.tokens_per_s), "tok/s"),
        Readout("one step", time, unit),
        Readout("cache share", f"{100 * step.kv_share:.0f}", "%"),
        Readout("largest batch", most, ""),
        Readout("cache crossover", crossing, "batch"),
    )

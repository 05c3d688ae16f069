"""Ceilings that a measuring tool found on a machine: what a profile "as measured" can be made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rooflinestudio.plugins import CeilingReading, MeasuredMachine, format_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import MeasuredFigure

__all__ = ["MeasuredCeilings", "ceilings_in_words", "machines_of"]

_MOST_NAMED: Final = 8  # devices that a warning lists one by one


@dataclass(frozen=True, slots=True)
class MeasuredCeilings:
    """Roofs of one device as a benchmark measured them.

    Attributes
    ----------
    device
        As the file names it (``device 0``).
    flop_per_s
        Compute ceilings by pipe (``fp32``, ``bf16-tensor``), in FLOP/s.
    bytes_per_s
        Slopes by boundary (``dram``, ``l2``), in bytes/s.
    ranges
        Least and greatest value of a ceiling by the same names, where the file has them.
    """

    device: str
    flop_per_s: Mapping[str, MeasuredFigure]
    bytes_per_s: Mapping[str, MeasuredFigure]
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def machines_of(found: tuple[MeasuredCeilings, ...], tool: str) -> tuple[MeasuredMachine, ...]:
    """Return the same as the studio takes it, measured by this tool."""
    return tuple(
        MeasuredMachine(one.device, tool, _readings(one, one.flop_per_s), _readings(one, one.bytes_per_s))
        for one in found
    )


def _readings(one: MeasuredCeilings, figures: Mapping[str, MeasuredFigure]) -> tuple[CeilingReading, ...]:
    return tuple(
        CeilingReading(
            name,
            figure.value,
            low=one.ranges[name][0] if name in one.ranges else None,
            high=one.ranges[name][1] if name in one.ranges else None,
            origin=figure.recipe.partition(" × ")[0],
        )
        for name, figure in figures.items()
    )


def ceilings_in_words(found: tuple[MeasuredCeilings, ...]) -> list[str]:
    """One sentence per device, at most eight of them."""
    return [_sentence(one) for one in found[:_MOST_NAMED]]


def _sentence(one: MeasuredCeilings) -> str:
    slopes = [f"{name} {format_quantity(f.value, 'B/s', digits=6)}" for name, f in one.bytes_per_s.items()]
    rates = [f"{name} {format_quantity(f.value, 'FLOP/s', digits=6)}" for name, f in one.flop_per_s.items()]
    return f"Ceilings of {one.device[:60]}: {', '.join((*slopes, *rates))}."

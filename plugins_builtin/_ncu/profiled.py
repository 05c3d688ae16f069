"""The roofs that a table or a text page carries: peaks per cycle and clocks of the run, as in a binary report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from plugins_builtin._ncu.counters import read_counters
from plugins_builtin._ncu.reading import launches_of
from plugins_builtin._ncu_report.ceilings import CEILING_METRICS, Gathering

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from plugins_builtin._ncu.numbers import Mark
    from plugins_builtin._ncu_report.ceilings import AsProfiled
    from rooflinestudio.plugins import MeasuredFigure

__all__ = ["as_profiled"]


def as_profiled(path: Path, *, mark: Mark | None = None) -> tuple[AsProfiled, ...]:
    """Ceilings and clocks by device; raises as :func:`plugins_builtin._ncu.reading.read_file` does."""
    launches, found_mark = launches_of(path, mark)
    gathering = Gathering()
    rounded: set[str] = set()
    for raw in launches:
        values = read_counters(raw.cells, found_mark).values
        wanted = {name: value for name, value in values.items() if name in CEILING_METRICS}
        rounded |= {name for name, value in wanted.items() if value.quality != "exact"}
        numbers = {name: value.value for name, value in wanted.items()}
        gathering.add(numbers, raw.device_name or None, raw.compute_capability or None)
    return tuple(
        replace(one, flop_per_s=_told(one.flop_per_s, rounded), bytes_per_s=_told(one.bytes_per_s, rounded))
        for one in gathering.found()
    )


def _told(figures: Mapping[str, MeasuredFigure], rounded: set[str]) -> dict[str, MeasuredFigure]:
    """Figures that say where a peak or a clock in them was rounded."""
    return {
        name: replace(figure, quality="rounded") if any(one in figure.recipe for one in rounded) else figure
        for name, figure in figures.items()
    }

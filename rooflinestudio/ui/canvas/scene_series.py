"""From two measured files that are held against each other to arrows between their kernels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.measurement_names import short_kernel_name
from rooflinestudio.core.series.words import arrow_words, line_words
from rooflinestudio.ui.canvas.coordinates import has_log10, log10
from rooflinestudio.ui.canvas.scene_links import SeriesArrow, SeriesLinks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.core.series.figures import SeriesFigures
    from rooflinestudio.core.series.settings import SeriesLook

    LookOf = Callable[[str, int], tuple[int | str | None, float | None]]

__all__ = ["MOST_ARROWS", "series_links"]

MOST_ARROWS: Final = 12
"""So many kernels have their arrow always: those that take the most time. The others have it when they are selected or
pointed at."""
MOVED: Final = 1.02
"""Factor in intensity or in rate from which on a kernel has an arrow among the first ones."""


def series_links(
    figures: SeriesFigures, looks: Mapping[str, SeriesLook], look_of: LookOf, boundary: str
) -> SeriesLinks:
    """Return the arrows of all kernels that match.

    Parameters
    ----------
    look_of
        Colour slot that a kernel (digest, position) has, and its radius where areas say something.
    boundary
        Words for the boundary in view.
    """
    arrow = partial(_arrow, figures, looks, look_of, boundary)
    made = (arrow(line) for line in _first_lines(figures))
    return SeriesLinks(tuple(one for one in made if one is not None), partial(_arrow_of_key, figures, arrow))


def _first_lines(figures: SeriesFigures) -> list[int]:
    """Return the lines with the most time of those that have moved, and that have a place before and after."""
    import numpy as np

    before, after = figures.before, figures.after
    with np.errstate(all="ignore"):
        steps = [after.intensity / before.intensity, after.rate_flop_per_s / before.rate_flop_per_s]
        placed = np.logical_and.reduce([np.isfinite(step) & (step > 0) for step in steps])
        moved = np.logical_or.reduce([np.fmax(step, 1 / step) > MOVED for step in steps])
    wanted = np.flatnonzero((figures.match.change == 0) & (figures.kernels > 0) & placed & moved)
    weight = np.nan_to_num(figures.weight_s[wanted])
    found: list[int] = wanted[np.argsort(-weight, kind="stable")[:MOST_ARROWS]].tolist()
    return found


def _arrow_of_key(
    figures: SeriesFigures, arrow: Callable[[int], SeriesArrow | None], key: tuple[str, str, int]
) -> SeriesArrow | None:
    line = figures.match.line_of(key[1], key[2])
    return arrow(line) if line >= 0 else None


def _arrow(
    figures: SeriesFigures, looks: Mapping[str, SeriesLook], look_of: LookOf, boundary: str, line: int
) -> SeriesArrow | None:
    """Return the arrow of a line; None where one of its ends has no place."""
    match, before, after = figures.match, figures.before, figures.after
    if match.change[line] or not figures.kernels[line]:
        return None
    start = float(before.intensity[line]), float(before.rate_flop_per_s[line])
    end = float(after.intensity[line]), float(after.rate_flop_per_s[line])
    if not all(has_log10(one) for one in (*start, *end)):
        return None
    base = ("measured", match.before.digest, int(before.first[line]))
    key = ("measured", match.after.digest, int(after.first[line]))
    (base_slot, base_radius), (slot, radius) = look_of(*base[1:]), look_of(*key[1:])
    is_sum = int(figures.kernels[line]) > 1
    label, short = arrow_words(figures, line)
    tip = line_words(figures, line, boundary)
    return SeriesArrow(
        key,
        base,
        (log10(start[0]), log10(start[1])),
        (log10(end[0]), log10(end[1])),
        label,
        short,
        forms=(looks[base[1]].form, looks[key[1]].form),
        slots=(base_slot, slot),
        radii=(None, None) if is_sum else (base_radius, radius),
        name=short_kernel_name(tip[0]),
        tip=tip,
        status=". ".join(tip[1:3]),
    )

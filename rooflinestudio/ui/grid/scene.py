"""From the cells of a grid to what is drawn of them, without Qt: roofs, marker, corridor, words, the locked axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.grid.words import bound_text, percent, ratio_words
from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.ui.canvas.coordinates import Range, has_log10, log10
from rooflinestudio.ui.canvas.scene_roofs import extended, home_range
from rooflinestudio.ui.canvas.scene_rows import RowDrawing, draw_row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.grid.cells import Cell, Grid
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement

__all__ = ["GridScene", "MiniRoof", "Multiple", "grid_scene"]

PLAIN: Final = Range(-1.0, 4.0, 11.0, 15.4)
"""Axes where no machine is there to set them."""

_TONES: Final = {"faster": "ok", "slower": "error"}
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MiniRoof:
    """One ceiling and one slope in log10; ``dashed`` where the slope is a model rather than a bound."""

    log_bytes_per_s: float
    log_flop_per_s: float
    dashed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Multiple:
    """One small roofline.

    Attributes
    ----------
    roof, quiet
        The roof at the cell's own boundary and pipe, and those drawn faintly behind it (HBM, the reference pipe).
    drawing
        Marker, corridor or strip row, as on the canvas.
    bound, bound_words
        Kind of bound and its words, the longest first; empty where nothing was placed.
    tone
        Token of the ratio: ``ok`` for faster, ``error`` for slower, else ``muted``.
    reached
        Fraction of the peak of its pipe, or the bandwidth of what does no arithmetic.
    refusal
        Why there is nothing, as short as it can be said; the tool tip has the rest.
    """

    cell: Cell
    roof: MiniRoof | None
    quiet: tuple[MiniRoof, ...]
    drawing: RowDrawing
    bound: str = ""
    bound_words: tuple[str, ...] = ()
    time: str = ""
    ratio: str = ""
    tone: str = "muted"
    reached: str = ""
    refusal: str = ""

    @property
    def side(self) -> Literal["", "left", "right"]:
        """In which strip the marker stands: left without work, right without traffic, else in the plot."""
        return "left" if self.drawing.strip else "right" if self.drawing.right_strip else ""

    @property
    def crossed(self) -> bool:
        """Whether the marker is filled."""
        return self.cell.crosses


@dataclass(frozen=True, slots=True, eq=False)
class GridScene:
    """A grid ready to be painted.

    Attributes
    ----------
    heads, stubs
        Words of columns and of rows; a row has one for each dimension that varies.
    multiples
        By row, then column.
    home
        The axes that all share: the widest that any of the machines asks for, with room for every marker.
    baseline
        Where the baseline stands, in log10, or None.
    """

    heads: tuple[str, ...]
    stubs: tuple[tuple[str, ...], ...]
    multiples: tuple[tuple[Multiple, ...], ...]
    home: Range
    baseline: Point | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.multiples), len(self.heads)

    @property
    def has_strip(self) -> bool:
        """Whether any marker has no place on the log axes, so that all pictures keep a strip beside them."""
        return any(one.side for line in self.multiples for one in line)


def grid_scene(grid: Grid) -> GridScene:
    """Lay out a grid: which multiple stands where, and the axes of all."""
    spec = grid.spec
    rows, columns = grid.lines(spec.rows), grid.lines(spec.columns)
    multiples = tuple(tuple(_multiple(grid.at(row, column)) for column in columns) for row in rows)
    base = draw_row(grid.baseline).marker if grid.baseline is not None else None
    flat = [one for line in multiples for one in line]
    points = [
        (one.drawing.marker.log_x, one.drawing.marker.log_y) for one in flat if one.drawing.marker is not None
    ]
    return GridScene(
        tuple(", ".join(grid.heading(spec.columns, one)) for one in columns),
        tuple(grid.heading(spec.rows, one) for one in rows),
        multiples,
        extended(_home(flat), points),
        (base.log_x, base.log_y) if base is not None else None,
    )


def _home(multiples: Iterable[Multiple]) -> Range:
    """Return the widest of the axes that machines and boundaries ask for."""
    asked = {
        (id(cell.row.profile), cell.key.boundary): (cell.row.profile, cell.key.boundary)
        for cell in (one.cell for one in multiples)
        if cell.row.profile is not None
    }
    ranges = [home_range([profile], boundary) for profile, boundary in asked.values()]
    if not ranges:
        return PLAIN
    return Range(
        min(one.x0 for one in ranges),
        max(one.x1 for one in ranges),
        min(one.y0 for one in ranges),
        max(one.y1 for one in ranges),
    )


def _multiple(cell: Cell) -> Multiple:
    placement, profile = cell.row.placement, cell.row.profile
    if placement is None:
        roof = _reference(profile, cell.key.boundary) if profile is not None else None
        return Multiple(
            cell, None, () if roof is None else (roof,), RowDrawing(), refusal=_brief(cell.row.reason)
        )
    ratio, drawing = ratio_words(cell), draw_row(cell.row)
    # What does no arithmetic has no share of a peak; what counts is the bandwidth that it reaches.
    reached = drawing.strip.rate if drawing.strip is not None else percent(float(placement.fraction_of_peak))
    return Multiple(
        cell,
        _roof(placement),
        _behind(placement),
        drawing,
        placement.bound,
        _bound_words(placement),
        format_quantity(float(placement.time_s), "s"),
        ratio,
        _TONES.get(ratio.rpartition(" ")[2], "muted"),
        reached,
    )


def _bound_words(placement: Placement) -> tuple[str, ...]:
    """Return the words of a bound, the longest first: ``memory at shared memory``, ``memory at shared``, ``memory``."""
    whole = bound_text(placement)
    short = f"{placement.bound} at {str(placement.binding).removesuffix('-tensor')}"
    return (whole, placement.bound) if placement.bound == "launch" else (whole, short, placement.bound)


def _brief(reason: str) -> str:
    """Return the first sentence of a reason."""
    first, end, _ = reason.partition(". ")
    return f"{first}." if end else reason


def _roof(placement: Placement) -> MiniRoof:
    boundary = placement.profile.boundaries[placement.boundary_id]
    return MiniRoof(log10(boundary.bytes_per_s), log10(placement.ceiling_flop_per_s))


def _reference(profile: HardwareProfile, boundary: str) -> MiniRoof | None:
    ceiling = profile.ceilings.get(profile.reference_ceiling)
    at = profile.boundaries.get(boundary) or profile.boundaries.get("dram")
    if ceiling is None or at is None or not (has_log10(ceiling.flop_per_s) and has_log10(at.bytes_per_s)):
        return None
    return MiniRoof(log10(at.bytes_per_s), log10(ceiling.flop_per_s))


def _behind(placement: Placement) -> tuple[MiniRoof, ...]:
    """Return what stands faintly behind the roof of a cell: the machine's reference roof at dram, where it differs."""
    own, other = _roof(placement), _reference(placement.profile, "dram")
    if other is None or (math.isclose(own.log_bytes_per_s, other.log_bytes_per_s) and own == other):
        return ()
    return (other,)

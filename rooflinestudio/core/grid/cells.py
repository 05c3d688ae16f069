"""The cells of a compare grid: one for each combination of boundary, format, fusion and machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.grid.spec import GridSpec
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.study import Entry

__all__ = ["Cell", "CellKey", "Grid"]


class CellKey(NamedTuple):
    """Where a cell stands: its value along each dimension."""

    boundary: str
    dtype: str
    fusion: str
    machine: str


@dataclass(frozen=True, eq=False)
class Cell:
    """One combination.

    Attributes
    ----------
    row
        What was placed, or why it was not. Its entry is ready to be placed as a variant (with an empty id), or is the
        entry of the study itself where ``is_present``.
    is_baseline
        Whether ratios are held against this cell: the entry as it is, on its first machine.
    words
        What sets it apart from the baseline.
    delta_time_s, time_ratio, traffic_ratio, intensity_ratio
        Against the baseline (above 1: slower, more bytes, higher intensity); None where there is nothing to compare.
    placed_as
        Id of the entry that shows just this: the entry itself, or a variant that stands in the study; else None.
    cuts
        For another fusion of a chain: where that would cut it; ``only_cut`` if nothing else differs from the entry.
    """

    key: CellKey
    row: PlacedRow
    is_present: bool
    is_baseline: bool
    words: str
    delta_time_s: float | None = None
    time_ratio: float | None = None
    traffic_ratio: float | None = None
    intensity_ratio: float | None = None
    cuts: tuple[int, ...] | None = None
    placed_as: str | None = None
    only_cut: bool = False

    @property
    def can_be_placed(self) -> bool:
        """Whether one step makes it a variant: a chain that is cut anew is varied in nothing else at once."""
        return self.cuts is None or self.only_cut

    @cached_property
    def crosses(self) -> bool:
        """Whether its data crosses the boundary; drawn hollow where it does not."""
        placement = self.row.placement
        return placement is None or placement.at(placement.boundary_id).crosses


@dataclass(frozen=True, eq=False)
class Grid:
    """All cells of a specification, in the order boundary, format, fusion, machine; ``labels`` name the values."""

    spec: GridSpec
    entry: Entry
    baseline: PlacedRow | None
    cells: Mapping[CellKey, Cell]
    labels: Mapping[tuple[str, str], str]

    def label(self, dimension: str, value: str) -> str:
        """Return a value of a dimension in words: the machine's own name of a boundary, a short name."""
        return self.labels.get((dimension, value), value)

    def lines(self, dimensions: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return all combinations of the values of some dimensions, the first changing slowest."""
        return list(product(*(self.spec.values(one) for one in dimensions)))

    def heading(self, dimensions: tuple[str, ...], values: tuple[str, ...]) -> tuple[str, ...]:
        """Return a line's values in words, without those that are the same everywhere."""
        return tuple(
            self.label(dimension, value)
            for dimension, value in zip(dimensions, values, strict=True)
            if len(self.spec.values(dimension)) > 1
        )

    def at(self, row: tuple[str, ...], column: tuple[str, ...]) -> Cell:
        """Return the cell at a line of ``spec.rows`` and one of ``spec.columns``."""
        where = dict(zip((*self.spec.rows, *self.spec.columns), (*row, *column), strict=True))
        return self.cells[CellKey(**where)]

"""The cells of a compare grid as tables: one line for each, or a pivot of one figure; as Markdown, TSV and CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.comparison import ratio_text
from rooflinestudio.core.grid.spec import DIMENSIONS
from rooflinestudio.core.grid.words import (
    FIGURE_WORDS,
    NOTHING,
    bound_text,
    delta_text,
    figure_text,
    figure_value,
    percent,
    ratio_words,
)
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rooflinestudio.core.grid import Cell, Grid

__all__ = [
    "COLUMNS",
    "CSV_COLUMNS",
    "CellLine",
    "Column",
    "Pivot",
    "cell_lines",
    "grid_csv",
    "markdown",
    "pivot_of",
    "tsv",
]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table of cells."""

    id: str
    head: str
    hint: str
    number: bool = False


COLUMNS: Final = (
    Column("boundary", "Boundary", "Where bytes are counted"),
    Column("dtype", "Format", "Number format of tensors and arithmetic"),
    Column("fusion", "Fusion", "Where the chain is cut"),
    Column("machine", "Machine", "The machine it is placed on"),
    Column("bound", "Bound", "Which limit binds"),
    Column("traffic", "Q", "Traffic at the boundary", number=True),
    Column("traffic_ratio", "Q ratio", "Traffic against the baseline", number=True),
    Column("intensity", "I, FLOP/byte", "Intensity at the boundary", number=True),
    Column("intensity_ratio", "I ratio", "Intensity against the baseline", number=True),
    Column("time", "Time", "Time of one run", number=True),
    Column("delta", "Δ time", "Time minus that of the baseline", number=True),
    Column("time_ratio", "Time ratio", "Time against the baseline", number=True),
    Column("fraction", "Fraction of its peak", "Fraction of the peak of its main pipe", number=True),
)


@dataclass(frozen=True, eq=False)
class CellLine:
    """One cell as texts and as the values that it is sorted by, in the order of :data:`COLUMNS`; None sorts last."""

    cell: Cell
    texts: tuple[str, ...]
    values: tuple[Any, ...]


def cell_lines(grid: Grid) -> tuple[CellLine, ...]:
    """Return a line for each cell, in the order of the grid."""
    order = {(one, value): at for one in DIMENSIONS for at, value in enumerate(grid.spec.values(one))}
    return tuple(_line(grid, cell, order) for cell in grid.cells.values())


def _line(grid: Grid, cell: Cell, order: dict[tuple[str, str], int]) -> CellLine:
    where = cell.key._asdict()
    texts = [grid.label(one, where[one]) for one in DIMENSIONS]
    values: list[Any] = [order[one, where[one]] for one in DIMENSIONS]
    placement = cell.row.placement
    if placement is None:
        blank = len(COLUMNS) - len(DIMENSIONS) - 1
        return CellLine(
            cell, (*texts, cell.row.state, *(NOTHING,) * blank), (*values, *(None,) * (blank + 1))
        )
    base = cell.is_baseline
    texts += [
        bound_text(placement),
        format_quantity(float(placement.traffic_bytes), "B", digits=4),
        "baseline" if base else ratio_text(cell.traffic_ratio, "more", "less"),
        format_number(float(placement.intensity)),
        "baseline" if base else ratio_text(cell.intensity_ratio, "higher", "lower"),
        format_quantity(float(placement.time_s), "s", digits=4),
        NOTHING if base else delta_text(cell.delta_time_s),
        ratio_words(cell),
        percent(float(placement.fraction_of_peak)),
    ]
    values += [
        bound_text(placement), placement.traffic_bytes, cell.traffic_ratio, placement.intensity, cell.intensity_ratio,
        placement.time_s, cell.delta_time_s, cell.time_ratio, placement.fraction_of_peak,
    ]  # fmt: skip
    return CellLine(cell, tuple(texts), tuple(values))


# Pivot --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pivot:
    """One figure of all cells, rows against columns.

    Attributes
    ----------
    corner
        What the figure is, in words.
    heads, stubs
        Columns and rows in words.
    cells, texts, values
        By row, then column; a value is None where the cell was not placed.
    """

    corner: str
    heads: tuple[str, ...]
    stubs: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    values: tuple[tuple[float | str | None, ...], ...]

    def table(self) -> list[list[str]]:
        """Return the whole as lines of texts, heads first."""
        lines = zip(self.stubs, self.texts, strict=True)
        return [[self.corner, *self.heads], *([stub, *texts] for stub, texts in lines)]


def pivot_of(grid: Grid) -> Pivot:
    """Return the figure that the grid is set to, with its dimensions along rows and columns."""
    spec = grid.spec
    rows, columns = grid.lines(spec.rows), grid.lines(spec.columns)
    cells = tuple(tuple(grid.at(row, column) for column in columns) for row in rows)
    return Pivot(
        FIGURE_WORDS[spec.figure],
        tuple(_joined(grid, spec.columns, one) for one in columns),
        tuple(_joined(grid, spec.rows, one) for one in rows),
        cells,
        tuple(tuple(figure_text(cell, spec.figure) for cell in line) for line in cells),
        tuple(tuple(figure_value(cell, spec.figure) for cell in line) for line in cells),
    )


def _joined(grid: Grid, dimensions: tuple[str, ...], values: tuple[str, ...]) -> str:
    return ", ".join(grid.heading(dimensions, values)) or "all else as it is"


# Written down -------------------------------------------------------------------------------------------------------


def markdown(table: Sequence[Sequence[str]], numbers: Iterable[int]) -> str:
    """Return lines of texts, heads first, as a Markdown table; ``numbers`` are columns that stand at the right."""
    head, *lines = table
    right = frozenset(numbers)
    rule = ["---:" if at in right else "---" for at in range(len(head))]
    return (
        "\n".join(f"| {' | '.join(_escaped(one) for one in line)} |" for line in (head, rule, *lines)) + "\n"
    )


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


def tsv(table: Sequence[Sequence[str]]) -> str:
    """Return lines of texts with tabs between them, for spreadsheets."""
    return "\n".join("\t".join(" ".join(one.split()) for one in line) for line in table) + "\n"


CSV_COLUMNS: Final = (
    "entry", "boundary", "dtype", "fusion", "machine", "state", "crosses", "policy", "bound", "binding",
    "traffic_bytes", "traffic_ratio", "intensity_flop_per_byte", "intensity_ratio", "attainable_flop_per_s",
    "time_s", "delta_time_s", "time_ratio", "fraction_of_peak", "reason",
)  # fmt: skip
"""Heads of the CSV table; units stand in the names."""


def grid_csv(grid: Grid) -> str:
    """Return one line for each cell, RFC 4180, numbers in SI base units with all their digits."""
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for cell in grid.cells.values():
        writer.writerow(_csv_row(grid, cell))
    return out.getvalue()


def _csv_row(grid: Grid, cell: Cell) -> dict[str, Any]:
    row, placement = cell.row, cell.row.placement
    cells: dict[str, Any] = {
        "entry": grid.entry.id, **cell.key._asdict(), "state": row.state, "policy": row.settings.policy,
        "reason": row.reason,
    }  # fmt: skip
    if placement is None:
        return cells
    return cells | {
        "crosses": "yes" if cell.crosses else "no",
        "bound": placement.bound,
        "binding": placement.binding,
        "traffic_bytes": repr(float(placement.traffic_bytes)),
        "traffic_ratio": _number(cell.traffic_ratio),
        "intensity_flop_per_byte": repr(float(placement.intensity)),
        "intensity_ratio": _number(cell.intensity_ratio),
        "attainable_flop_per_s": repr(float(placement.attainable_flop_per_s)),
        "time_s": repr(float(placement.time_s)),
        "delta_time_s": _number(cell.delta_time_s),
        "time_ratio": _number(cell.time_ratio),
        "fraction_of_peak": repr(float(placement.fraction_of_peak)),
    }


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)

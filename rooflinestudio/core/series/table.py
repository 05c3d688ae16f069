"""The table that holds two measured files against each other: which lines, in which order, in which words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.filter import FilterError, names_matching
from rooflinestudio.core.quantities import MINUS, format_quantity
from rooflinestudio.core.series.maker import SeriesMaker
from rooflinestudio.core.series.settings import COLUMN_IDS
from rooflinestudio.core.series.words import BY_NAME, CHANGES, kernel_name, line_words, ratio_or_dash
from rooflinestudio.core.variant_ratios import factor_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.panel import MeasuredPanel
    from rooflinestudio.core.series.figures import SeriesFigures
    from rooflinestudio.core.study import Study

    Column = npt.NDArray[np.float64]
    Lines = npt.NDArray[np.int64]

__all__ = [
    "HEADS", "HINTS", "NUMBERS", "SeriesTable", "SeriesTableMaker", "rows_as_markdown", "rows_as_names", "rows_as_tsv",
    "series_rows",
]  # fmt: skip

HEADS: Final = (
    "Kernel", "Change", "Launches", "Σ time before", "Σ time after", "Time", "Saved", "Q", "Rate", "Σ Q before",
    "Σ Q after", "Rate before", "Rate after", "Grid", "Block",
)  # fmt: skip
HINTS: Final = (
    "Name as the profiler wrote it; kernels match by name, grid and block",
    "Whether both files have the kernel",
    "Launches that are held against each other, the n-th with the n-th",
    "Time of these launches in the file before",
    "Time of these launches in the file after",
    "Time after against time before",
    "Time before minus time after",
    "Bytes at device memory, after against before",
    "Rate on the main pipe of the file after, after against before",
    "Bytes at device memory in the file before",
    "Bytes at device memory in the file after",
    "Rate in the file before, on the main pipe of the file after",
    "Rate in the file after, on its main pipe",
    "Blocks: x × y × z",
    "Threads of a block: x × y × z",
)
NUMBERS: Final = tuple(name for name in COLUMN_IDS if name not in ("kernel", "change", "grid", "block"))
"""Columns of numbers."""

_NONE: Final = "–"
_FIGURES: Final = {"time": "time_s", "traffic": "traffic_bytes", "rate": "rate_flop_per_s"}
_UNITS: Final = {"time": "s", "traffic": "B", "rate": "FLOP/s"}


@dataclass(frozen=True, eq=False)
class SeriesTable:
    """What the table shows.

    Attributes
    ----------
    figures
        What the lines say.
    panel
        The settings that hold.
    lines
        Numbers of the lines that are listed, from top to bottom.
    names
        Full name of the kernel of every line, listed or not.
    fault
        Why the filter does not hold; then everything is listed.
    """

    figures: SeriesFigures
    panel: MeasuredPanel
    lines: Lines
    names: tuple[str, ...]
    fault: str = ""

    def row_of(self, digest: str, index: int) -> int:
        """Return the row in which a kernel stands, -1 where it is not listed."""
        found = (self.lines == self.figures.match.line_of(digest, index)).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def kernel_of(self, line: int) -> tuple[str, int]:
        """Return the kernel that stands for a line: digest and position, of the file after if it has one."""
        figures = self.figures
        for overlay, side in ((figures.match.after, figures.after), (figures.match.before, figures.before)):
            if side.first[line] >= 0:
                return overlay.digest, int(side.first[line])
        raise IndexError(f"no kernel of line {line} is shown")

    def kernels_of(self, lines: Iterable[int]) -> dict[str, Lines]:
        """Return the positions of all kernels of these lines, by digest of their file."""
        import numpy as np

        match = self.figures.match
        chosen = np.zeros(match.lines, dtype=bool)
        chosen[np.asarray(list(lines), dtype=np.int64)] = True
        pairs = chosen[match.pair_lines]
        ours = [match.pairs_before[pairs], match.gone[chosen[match.gone_lines]]]
        theirs = [match.pairs_after[pairs], match.new[chosen[match.new_lines]]]
        return {match.before.digest: np.concatenate(ours), match.after.digest: np.concatenate(theirs)}

    def ratio(self, line: int) -> float:
        """Return time after over time before, not-a-number where the line has no such ratio."""
        return float(self.figures.ratio("time_s")[line])

    @property
    def has_changes(self) -> bool:
        """Whether any listed kernel is new, gone, or matched by name alone."""
        match = self.figures.match
        return bool(((match.change[self.lines] != 0) | match.by_name[self.lines]).any())

    # Cells --------------------------------------------------------------------------------------------------------

    def cell_text(self, line: int, column: str) -> str:
        """Return a cell in words; a dash where a number is absent."""
        figures = self.figures
        if column == "kernel":
            return self.names[line]
        if column == "change":
            return _change_word(figures, line)
        if column == "launches":
            return _launches(float(figures.before.launches[line]), float(figures.after.launches[line]))
        if column in ("grid", "block"):
            return self._shape(line, column)
        if column == "saved":
            return _signed(float(figures.saved_s[line]))
        name, _, what = column.partition("_")
        if what == "ratio":
            ratio = float(figures.ratio(_FIGURES[name])[line])
            if name == "time":
                return ratio_or_dash(ratio)
            return _NONE if math.isnan(ratio) else factor_words("", ratio, digits=3).strip()
        value = float(getattr(getattr(figures, what), _FIGURES[name])[line])
        return (
            _NONE
            if math.isnan(value)
            else format_quantity(value, _UNITS[name], digits=4 if name != "rate" else 3)
        )

    def _shape(self, line: int, column: str) -> str:
        digest, index = self.kernel_of(line)
        match = self.figures.match
        codes, texts = (match.after if digest == match.after.digest else match.before).texts(column)
        code = int(codes[index])
        return texts[code].replace(" ", " × ") if code >= 0 else ""

    def cell_tip(self, line: int, column: str, boundary: str) -> str:
        """Return what a cell says in full; empty where there is no more to say."""
        figures = self.figures
        if column == "kernel":
            return self.names[line]
        if column == "change" and bool(figures.match.by_name[line]):
            return BY_NAME
        if column in ("time_ratio", "traffic_ratio", "rate_ratio") and figures.match.change[line] == 0:
            return "\n".join(line_words(figures, line, boundary)[1:])
        having, of = int(figures.timed[line]), int(figures.kernels[line])
        if column.startswith("time") and figures.match.change[line] == 0 and having < of:
            return f"Of {having} of {of} launches: the others have no time in one of the files."
        return ""


def _change_word(figures: SeriesFigures, line: int) -> str:
    return "by name" if bool(figures.match.by_name[line]) else CHANGES[int(figures.match.change[line])]


def _launches(before: float, after: float) -> str:
    ours, theirs = (f"{one:,.0f}".replace(",", "\u202f") for one in (before, after))
    if before == after or not before or not after:
        return theirs if after else ours
    return f"{ours} to {theirs}"


def _signed(seconds: float) -> str:
    if math.isnan(seconds):
        return _NONE
    text = format_quantity(abs(seconds), "s")
    return f"{MINUS}{text}" if seconds < 0 else text


# Making -----------------------------------------------------------------------------------------------------------


class SeriesTableMaker:
    """Makes tables, and keeps what the next one needs again."""

    def __init__(self) -> None:
        self._maker = SeriesMaker()
        self._kept: tuple[Any, SeriesTable | None] = (None, None)
        self._names: tuple[Any, tuple[str, ...]] = (None, ())

    def table(
        self, study: Study, panel: MeasuredPanel, profile: HardwareProfile | None = None
    ) -> SeriesTable | None:
        """Return the table of the two files that a panel names, by the main pipes of a machine; see the maker."""
        figures = self._maker.figures(study, panel, profile, with_hidden=panel.list_hidden)
        if figures is None:
            self._kept = (None, None)
            return None
        key = (id(figures), panel)
        if self._kept[0] != key:
            self._kept = (key, self._made(figures, panel))
        return self._kept[1]

    def _made(self, figures: SeriesFigures, panel: MeasuredPanel) -> SeriesTable:
        import numpy as np

        if self._names[0] is not figures:
            self._names = (
                figures,
                tuple(kernel_name(figures.match, figures, at) for at in range(figures.match.lines)),
            )
        names, fault = self._names[1], ""
        shown = figures.kernels > 0
        if panel.filter:
            try:
                shown &= names_matching(panel.filter, names)
            except FilterError as error:
                fault = str(error)
        lines = np.flatnonzero(shown)
        keys = _keys(figures, names, panel.series.sort)
        if keys is not None:
            order = np.argsort(-keys[lines] if panel.series.descending else keys[lines], kind="stable")
            lines = lines[order]
        return SeriesTable(figures, panel, lines, names, fault)


def _keys(figures: SeriesFigures, names: tuple[str, ...], column: str) -> Column | None:
    """Return what lines are sorted by; not-a-number is last whichever way."""
    import numpy as np

    if not column:
        return None
    if column == "change":
        return figures.match.change * 1.0 + 0.5 * figures.match.by_name
    if column == "launches":
        return np.fmax(figures.before.launches, figures.after.launches)
    if column == "saved":
        return figures.saved_s
    if column in ("kernel", "grid", "block"):
        table = SeriesTable(figures, None, np.empty(0, dtype=np.int64), names)  # type: ignore[arg-type]
        listed = np.flatnonzero(figures.kernels > 0).tolist()
        texts = {line: table.cell_text(line, column).removeprefix("void ").casefold() for line in listed}
        places = {text: float(at) for at, text in enumerate(sorted(set(texts.values()), key=_shape_order))}
        return np.array([places[texts[line]] if line in texts else np.nan for line in range(len(names))])
    name, _, what = column.partition("_")
    if what == "ratio":
        return figures.ratio(_FIGURES[name])
    found: Column = getattr(getattr(figures, what), _FIGURES[name])
    return found


def _shape_order(text: str) -> tuple[float, str]:
    """Sort grids and blocks by their size, names by their letters."""
    sizes = text.split(" × ")
    if len(sizes) == 3 and all(one.isdigit() for one in sizes):
        return float(math.prod(map(int, sizes))), text
    return 0.0, text


# Copies -----------------------------------------------------------------------------------------------------------


def series_rows(table: SeriesTable, lines: Iterable[int]) -> Iterator[list[str]]:
    """Yield the heads, then the lines, each as texts of all columns."""
    yield list(HEADS)
    for line in lines:
        yield [table.cell_text(int(line), column) for column in COLUMN_IDS]


def rows_as_tsv(rows: Iterable[list[str]]) -> str:
    """Return rows as tab-separated text."""
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows)


def rows_as_markdown(rows: list[list[str]]) -> str:
    """Return rows, of which the first are the heads, as a table in Markdown, numbers to the right."""
    rule = ["---:" if column in NUMBERS else "---" for column in COLUMN_IDS]
    cells = [[" ".join(cell.replace("|", "\\|").split()) for cell in row] for row in rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in (cells[0], rule, *cells[1:]))


def rows_as_names(rows: list[list[str]]) -> str:
    """Return the full names of rows below their heads, each once."""
    return "\n".join(dict.fromkeys(row[0] for row in rows[1:])) + "\n"

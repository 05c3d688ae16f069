"""Tables between rulers of dashes, as the profiler draws them on a terminal.

The ruler gives the columns: between a unit and its value there may be a single blank, and inside a name several words.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

__all__ = ["Columns", "Row", "RuledTable"]

_RULER: Final = re.compile(r"\s*-{3,}(?: +-{3,})+\s*\Z", re.ASCII)
_WIDE_GAP: Final = re.compile(r"\s{2,}")
_LONGEST: Final = 4_000  # characters of a line; the widest table seen has 120

_State = Literal["outside", "names", "under names", "rows"]


class Columns(NamedTuple):
    """Which of the columns hold what."""

    name: int
    unit: int | None
    value: int
    means: bool


_UNNAMED: Final = Columns(0, 1, 2, means=False)


class Row(NamedTuple):
    """One row of figures."""

    name: str
    unit: str
    value: str


class RuledTable:
    """Follows one table after another, line by line.

    Attributes
    ----------
    columns
        Of the table in hand, or of the last one.
    """

    def __init__(self) -> None:
        self.columns: Columns | None = None
        self._state: _State = "outside"
        self._spans: tuple[tuple[int, int], ...] = ()

    @property
    def open(self) -> bool:
        """Whether a table has begun and is not closed."""
        return self._state in ("under names", "rows")

    def leave(self) -> None:
        """Give up the table in hand: something else has begun."""
        self._state = "outside"

    def take(self, line: str, *, in_section: bool) -> Row | bool:
        """Take a line: its row, True for another part of a table, False for what is no part of one.

        Inside a section a table of three columns may lack their names, as it did in the first versions.
        """
        if len(line) > _LONGEST:
            return False
        if _RULER.match(line):
            return self._rule_off(line)
        if self._state == "rows":
            return self._row(line)
        if self._state != "names":
            self._state = "outside"
            return False
        cells = self._cells(line)
        self.columns = _columns(cells)
        if (
            self.columns is None
            and in_section
            and len(cells) == _UNNAMED.value + 1
            and cells[0]
            and cells[-1]
        ):
            self.columns, self._state = _UNNAMED, "rows"
            return self._row(line)
        self._state = "under names" if self.columns is not None else "outside"
        return self.columns is not None

    def _rule_off(self, line: str) -> bool:
        """Take a ruler: above the names of the columns, under them, and at the end."""
        if self._state == "under names":
            self._state = "rows"
        elif self._state == "rows":
            self._state = "outside"
        else:
            self._state = "names"
            self._spans = tuple(match.span() for match in re.finditer("-+", line))
        return True

    def _cells(self, line: str) -> list[str]:
        """Cells by the columns of the ruler; by gaps of two blanks where a cell is wider than its column."""
        starts = [start for start, _ in self._spans]
        bounds = zip(starts, [*starts[1:], None], strict=True)
        if all(start == 0 or line[start - 1 : start] in ("", " ") for start in starts):
            return [line[start:end].strip() for start, end in bounds]
        found = _WIDE_GAP.split(line.strip())
        return found if len(found) == len(starts) else []

    def _row(self, line: str) -> Row | bool:
        cells = self._cells(line)
        if not cells or self.columns is None:
            return not line.strip()
        unit = "" if self.columns.unit is None else cells[self.columns.unit]
        return Row(cells[self.columns.name], unit, cells[self.columns.value])


def _columns(names: list[str]) -> Columns | None:
    """Columns of a table of figures; None for other tables, such as those of advice."""
    value = next((name for name in ("Metric Value", "Average") if name in names), None)
    if "Metric Name" not in names or value is None:
        return None
    unit = names.index("Metric Unit") if "Metric Unit" in names else None
    return Columns(names.index("Metric Name"), unit, names.index(value), means=value == "Average")

"""nvbandwidth: matrices of the bandwidth between processors and GPUs; zeros on the diagonal are not measured."""

from __future__ import annotations

import re
from typing import Final

from plugins_builtin._measured.ceilings import MeasuredCeilings
from plugins_builtin._measured.drafts import Draft
from plugins_builtin._measured.tables import number_in, whole
from plugins_builtin._ncu.values import Value, total

__all__ = ["NvBandwidth"]

_TITLE: Final = re.compile(
    r"\s*(?P<how>\S.{0,80}?)\s+(?P<rows>CPU|GPU)\(row\)\s+(?P<arrow><->|->|<-)\s+(?P<columns>CPU|GPU)\(column\)"
    r"\s+bandwidth \(GB/s\)"
)
_TEST: Final = re.compile(r"\s*Running (?P<name>[\w.]{1,80}?)\.?\s*\Z")
_MOST: Final = 100_000  # pairs
_MOST_MATRICES: Final = 20  # that are summed up in words


class _Matrix:
    """One matrix: what it is called, where it goes, and the values that were measured."""

    def __init__(self, name: str, how: str, ends: tuple[str, str, str]) -> None:
        self.name = name
        self.how = how
        self.rows, self.arrow, self.columns = ends
        self.values: list[Value] = []
        self.unmeasured = 0
        self.numbers: list[int] = []

    @property
    def boundary(self) -> str:
        """Between GPUs the link, to the processor the bus."""
        return "nvlink" if self.rows == self.columns == "GPU" else "pcie"


class NvBandwidth:
    """Takes the lines of one file."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.matrices: list[_Matrix] = []
        self._test = ""
        self._open: _Matrix | None = None

    def add(self, line: str) -> None:
        """Take a line."""
        line = line[:20_000]
        if (match := _TEST.match(line[:200])) is not None:
            self._test, self._open = match["name"], None
        elif (match := _TITLE.match(line[:400])) is not None:
            ends = (match["rows"], match["arrow"], match["columns"])
            self._open = _Matrix(self._test or match["how"], match["how"], ends)
            self.matrices.append(self._open)
        elif self._open is not None:
            self._row(self._open, line.split())

    def _row(self, matrix: _Matrix, cells: list[str]) -> None:
        numbers = [whole(cell) for cell in cells]
        if not matrix.numbers:
            if cells and None not in numbers:
                matrix.numbers = [number for number in numbers if number is not None]
            return
        if len(cells) != len(matrix.numbers) + 1 or numbers[0] is None:
            self._open = None
            return
        for column, cell in zip(matrix.numbers, cells[1:], strict=True):
            value = number_in(cell, f"{matrix.name} in GB/s", 1e9, " × 1e9")
            if value is None or not value.value:
                matrix.unmeasured += 1
            elif len(self.drafts) < _MOST:
                matrix.values.append(value)
                self.drafts.append(_pair(matrix, numbers[0], column, value))

    def words(self) -> list[str]:
        """One sentence per matrix."""
        texts = []
        for matrix in self.matrices[:_MOST_MATRICES]:
            if not matrix.values:
                texts.append(f"{matrix.name}: nothing was measured.")
                continue
            rates = [value.value / 1e9 for value in matrix.values]
            mean = sum(rates) / len(rates)
            direction = " per direction" if matrix.arrow == "<->" else ""
            texts.append(
                f"{matrix.name}: {len(rates):,} pairs, {min(rates):.2f} to {max(rates):.2f} GB/s{direction}, mean "
                f"{mean:.2f}" + (f"; {matrix.unmeasured:,} not measured." if matrix.unmeasured else ".")
            )
        return texts

    def ceilings(self) -> tuple[MeasuredCeilings, ...]:
        """Slopes by boundary: the mean over the pairs of the first matrix in one direction that has it."""
        slopes = {}
        ranges = {}
        for matrix in self.matrices:
            if matrix.values and matrix.arrow != "<->" and matrix.boundary not in slopes:
                count = len(matrix.values)
                mean = total(matrix.values).scaled(1 / count, f"mean of {count:,} pairs of {matrix.name}")
                slopes[matrix.boundary] = mean.figure()
                rates = [value.value for value in matrix.values]
                ranges[matrix.boundary] = (min(rates), max(rates))
        return (MeasuredCeilings("links of this machine", {}, slopes, ranges),) if slopes else ()


def _pair(matrix: _Matrix, row: int, column: int, value: Value) -> Draft:
    draft = Draft(f"{matrix.how} {matrix.rows} {row} {matrix.arrow} {matrix.columns} {column}")
    direction = ", of each direction" if matrix.arrow == "<->" else ""
    draft.traffic_rates[matrix.boundary] = value._replace(text=value.text + direction)
    draft.missing = ("W = 0: a copy does no arithmetic; its rate is a slope of the machine",)
    return draft

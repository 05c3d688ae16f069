"""Columns of measured files in which work that the counters are blind to is that of the paired operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.series import DRAM, Series

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    Column = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int64]

__all__ = ["LentSeries", "LentWork"]


@dataclass(frozen=True, slots=True)
class LentWork:
    """Work of one launch that a kernel has from an operator, and what follows from it at device memory.

    Attributes
    ----------
    kernel
        Number in the series.
    intensity, achieved_flop_per_s
        None where traffic or time were not measured.
    """

    kernel: int
    work_flop: float
    intensity: float | None
    achieved_flop_per_s: float | None
    pipe: str


_LENT: Final = {
    "work_flop": "work_flop",
    f"intensity_{DRAM}": "intensity",
    "achieved_flop_per_s": "achieved_flop_per_s",
}


class LentSeries(Series):
    """A series with the work of operators put in."""

    def __init__(self, series: Series, lent: Iterable[LentWork]) -> None:
        super().__init__(series.overlays, series._columns)
        self._lent, self._base = tuple(lent), series

    def _joined(self, name: str) -> Column:
        column = super()._joined(name)
        if name not in _LENT:
            return column
        column = column.copy()  # that of a file is shared by all undo states
        for one in self._lent:
            value = getattr(one, _LENT[name])
            column[one.kernel] = float("nan") if value is None else value
        return column

    def _made_texts(self, key: str) -> tuple[Codes, tuple[str, ...]]:
        codes, texts = super()._made_texts(key)
        if key != "pipe":
            return codes, texts
        names = list(texts)
        made: Any = codes.copy()
        for one in self._lent:
            if one.pipe not in names:
                names.append(one.pipe)
            made[one.kernel] = names.index(one.pipe)
        return made, tuple(names)

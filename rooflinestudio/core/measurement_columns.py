"""Columns of many measured kernels: built from records, and the figures that follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measurement_figures import MeasurementError
from rooflinestudio.core.pipes import SPECIAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measurement_records import Scalar

    Column = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int32]

__all__ = ["MOST_KEYS", "ColumnBuilder", "check_width", "derived_columns"]


MOST_KEYS: Final = 1_000
"""Columns that the kernels of one file may have together; usual ones have some dozen."""


def check_width(keys: int, place: str) -> None:
    """Refuse kernels with so many different pipes, boundaries and figures that their columns would be mostly empty.

    Raises
    ------
    MeasurementError
        There are more than :data:`MOST_KEYS`.
    """
    if keys > MOST_KEYS:
        raise MeasurementError(
            f"{place}: {keys:,} different pipes, boundaries and figures; expected at most {MOST_KEYS:,} columns."
        )


class ColumnBuilder:
    """Columns that grow row by row, so that memory follows what is there and not what was announced."""

    def __init__(self) -> None:
        self.length = 0
        self._capacity = 256
        self._numbers: dict[str, Column] = {}
        self._codes: dict[str, Codes] = {}
        self._texts: dict[str, dict[str, int]] = {}

    def add(self, record: Mapping[str, Scalar]) -> None:
        """Take one row; keys that it lacks are absent in it."""
        if self.length == self._capacity:
            self._grow()
        row = self.length
        check_width(len(self._numbers) + len(self._codes), f"kernel {row}")
        for key, value in record.items():
            if isinstance(value, str):
                if key not in self._codes:
                    self._codes[key], self._texts[key] = self._new_codes(self._capacity), {}
                known = self._texts[key]
                self._codes[key][row] = known.setdefault(value, len(known))
            else:
                if key not in self._numbers:
                    self._numbers[key] = self._new_numbers(self._capacity)
                self._numbers[key][row] = value
        self.length += 1

    def finished(self) -> tuple[dict[str, Column], dict[str, tuple[Codes, tuple[str, ...]]]]:
        """Columns of exactly the rows that were added."""
        numbers = {key: column[: self.length].copy() for key, column in self._numbers.items()}
        texts = {
            key: (codes[: self.length].copy(), tuple(self._texts[key])) for key, codes in self._codes.items()
        }
        return numbers, texts

    def _grow(self) -> None:
        import numpy as np

        more = self._capacity
        self._capacity += more
        for key, column in self._numbers.items():
            self._numbers[key] = np.concatenate((column, self._new_numbers(more)))
        for key, codes in self._codes.items():
            self._codes[key] = np.concatenate((codes, self._new_codes(more)))

    @staticmethod
    def _new_numbers(size: int) -> Column:
        import numpy as np

        return np.full(size, np.nan)

    @staticmethod
    def _new_codes(size: int) -> Codes:
        import numpy as np

        return np.full(size, -1, dtype=np.int32)


def derived_columns(
    numbers: Mapping[str, Column], pipes: tuple[str, ...], length: int, main: Codes | None = None
) -> dict[str, Any]:
    """Columns that views use, read-only.

    Parameters
    ----------
    numbers
        Columns by key of a record, NaN where absent.
    pipes
        Order of the pipes; of equal work the first counts as the main pipe.
    length
        Number of kernels.
    main
        Position of the main pipe of each kernel; left out: the one with the largest work.
    """
    import numpy as np

    absent = np.full(length, np.nan)

    def column(key: str) -> Column:
        return numbers.get(key, absent)

    found: dict[str, Any] = {key: column(key) for key in ("launch", "count", "time_s", "clock_hz")}
    found |= {f"work.{pipe}": column(f"work.{pipe}") for pipe in pipes}
    with np.errstate(all="ignore"):
        work, rate, pipe = _main_pipe(numbers, pipes, length, main)
        achieved = np.where(np.isnan(work / column("time_s")), rate, work / column("time_s"))
        found |= {"work_flop": work, "achieved_flop_per_s": achieved, "pipe": pipe}
        boundaries = dict.fromkeys(
            key.partition(".")[2] for key in numbers if key.startswith(("bytes.", "bytes_per_s."))
        )
        for boundary in boundaries:
            amount, flow = column(f"bytes.{boundary}"), column(f"bytes_per_s.{boundary}")
            moved = np.where(np.isnan(amount / column("time_s")), flow, amount / column("time_s"))
            found[f"{boundary}_bytes"] = amount
            found[f"{boundary}_bytes_per_s"] = moved
            found[f"intensity_{boundary}"] = _intensity((work, amount), (rate, flow), (achieved, moved))
    for values in found.values():
        values.flags.writeable = False
    return found


def _main_pipe(
    numbers: Mapping[str, Column], pipes: tuple[str, ...], length: int, position: Codes | None
) -> tuple[Column, Column, npt.NDArray[np.int32]]:
    """Work and rate on the main pipe (left out: of the largest work, without any of the largest rate), its position."""
    import numpy as np

    absent = np.full(length, np.nan)
    if not pipes:
        return absent, absent.copy(), np.full(length, -1, dtype=np.int32)
    counted = [numbers if pipe != SPECIAL else {} for pipe in pipes]
    work = np.stack([of.get(f"work.{pipe}", absent) for of, pipe in zip(counted, pipes, strict=True)])
    rate = np.stack([of.get(f"work_rate.{pipe}", absent) for of, pipe in zip(counted, pipes, strict=True)])
    if position is None:
        has_work = ~np.isnan(work).all(axis=0)
        amounts = np.where(has_work, work, rate)
        main = np.where(np.isnan(amounts), -np.inf, amounts).argmax(axis=0)
        position = np.where(np.isnan(amounts).all(axis=0), -1, main).astype(np.int32)
    rows = np.arange(length)
    return work[position, rows], rate[position, rows], position


def _intensity(*pairs: tuple[Column, Column]) -> Column:
    """Work over traffic of the first pair that a kernel has; infinite without traffic, NaN without both."""
    import numpy as np

    result = np.full_like(pairs[0][0], np.nan)
    known = np.zeros(len(result), dtype=bool)
    for work, traffic in pairs:
        here = ~(known | np.isnan(work) | np.isnan(traffic))
        result = np.where(here, work / traffic, result)
        known |= here
    return result

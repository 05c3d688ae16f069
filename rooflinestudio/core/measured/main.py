"""Which pipe a measured kernel leans on most: on a machine the one with the largest work / ceiling.

A file knows no machine: there the main pipe is the one with the largest work. As soon as a kernel is held against a
profile, its work, intensities and rate are those of the pipe that takes the longest there, against the ceiling that it
runs under (:func:`~rooflinestudio.core.pipes.resolve_pipe`). A pipe without a ceiling counts only if no pipe with work
has one; ``special`` is never the main pipe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measurement_columns import derived_columns
from rooflinestudio.core.pipes import SPECIAL, resolve_pipe
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay

    Column = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int32]

__all__ = [
    "beside_words", "columns_on", "held_on", "main_columns", "other_pipes", "pipe_of_sums", "pipe_rates", "works_on",
]  # fmt: skip

_FOLLOWING: Final = ("work.", "work_rate.", "bytes.", "bytes_per_s.")


# One kernel ---------------------------------------------------------------------------------------------------------


def held_on(measurement: Measurement, profile: HardwareProfile | None) -> Measurement:
    """Return a kernel whose work, intensities and rate are those of its main pipe on a machine.

    Parameters
    ----------
    profile
        The machine; None leaves the pipe with the largest work.
    """
    if profile is None or (len(measurement.work) < 2 and len(measurement.work_rates) < 2):
        return measurement
    rates = pipe_rates(tuple(dict.fromkeys((*measurement.work, *measurement.work_rates))), profile)
    ceilings = {pipe: rate for pipe, rate in rates.items() if rate is not None}
    main = measurement.main_pipe(ceilings)
    return measurement if main == measurement.pipe else replace(measurement, held_pipe=main)


def pipe_rates(pipes: Sequence[str], profile: HardwareProfile | None) -> dict[str, float | None]:
    """Return the ceiling in FLOP/s that each pipe runs against on a machine; None where there is none."""
    found: dict[str, float | None] = {}
    for pipe in pipes:
        id_ = resolve_pipe(pipe, profile) if profile is not None and pipe != SPECIAL else None
        found[pipe] = None if id_ is None or profile is None else profile.ceilings[id_].flop_per_s
    return found


def other_pipes(measurement: Measurement, main: str | None) -> Iterator[tuple[str, float, str]]:
    """Yield the pipes beside the main one on which something was counted: name, amount, and its unit."""
    amounts, unit = (measurement.work, "FLOP") if measurement.work else (measurement.work_rates, "FLOP/s")
    for pipe, amount in amounts.items():
        if pipe != main and amount > 0:
            yield pipe, amount, unit


def beside_words(measurement: Measurement, main: str | None) -> str:
    """Return what was counted beside the main pipe: ``also fp32 50 GFLOP``; empty where that is nothing."""
    told = [
        f"{pipe} {format_quantity(amount, unit)}" for pipe, amount, unit in other_pipes(measurement, main)
    ]
    return f"also {', '.join(told)}" if told else ""


# Many kernels -------------------------------------------------------------------------------------------------------


def main_columns(overlay: Overlay, profile: HardwareProfile | None) -> Mapping[str, Any]:
    """Return :attr:`Overlay.columns` with the figures of the main pipe of each kernel on a machine.

    Where no kernel of the file has another main pipe there than in the file, these are the columns of the overlay
    themselves; those of the last machines are kept with the overlay.
    """
    rates = tuple(pipe_rates(overlay.pipes, profile).values())
    if len(rates) < 2 or rates.count(None) == len(rates):
        return overlay.columns
    found: Mapping[str, Any] = overlay.made_once(
        ("main", rates), lambda: columns_on(overlay, _main_codes(overlay, rates))
    )
    return found


def columns_on(overlay: Overlay, codes: Codes) -> Mapping[str, Any]:
    """Return :attr:`Overlay.columns` with the figures of given pipes.

    Parameters
    ----------
    codes
        Position of the pipe of each kernel in :attr:`Overlay.pipes`, -1 without work.
    """
    import numpy as np

    base = overlay.columns
    rows = np.flatnonzero(codes != base["pipe"])
    return base if not len(rows) else _PipeColumns(overlay, codes, rows)


def works_on(overlay: Overlay, at: int, rows: Any) -> npt.NDArray[np.bool_]:
    """Return whether kernels have work, or a rate, on the pipe at a position of :attr:`Overlay.pipes`."""
    found = _amounts(overlay, f"work.{overlay.pipes[at]}", rows) > 0
    return found | (_amounts(overlay, f"work_rate.{overlay.pipes[at]}", rows) > 0)


def pipe_of_sums(amounts: Any, rates: Sequence[float | None]) -> Any:
    """Return the position of the pipe with the largest work / ceiling; -1 where none with work has a ceiling.

    Parameters
    ----------
    amounts
        Work by pipe and kernel (or group); not-a-number where there is none.
    rates
        Ceiling of each pipe in FLOP/s, or None.
    """
    import numpy as np

    known = np.array([np.nan if rate is None else rate for rate in rates])[:, None]
    with np.errstate(all="ignore"):
        times = np.where(amounts > 0, amounts / known, np.nan)
    held = ~np.isnan(times)
    return np.where(held.any(axis=0), np.where(held, times, -1.0).argmax(axis=0), -1)


class _PipeColumns(Mapping[str, Any]):
    """The columns of an overlay, with other figures at those rows whose pipe is another one; made when asked for."""

    def __init__(self, overlay: Overlay, codes: Codes, rows: Any) -> None:
        self._base, self._rows = overlay.columns, rows
        keys = (key for key in overlay.record_keys if key == "time_s" or key.startswith(_FOLLOWING))
        numbers = {key: overlay.numbers(key)[rows] for key in keys}
        found = derived_columns(numbers, overlay.pipes, len(rows), codes[rows])
        wanted = (name for name in found if name.startswith("intensity_"))
        self._own = {name: found[name] for name in ("work_flop", "achieved_flop_per_s", "pipe", *wanted)}
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._own:
            return self._base[name]
        if name not in self._made:
            column = self._base[name].copy()
            column[self._rows] = self._own[name]
            column.flags.writeable = False
            self._made[name] = column
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._base)

    def __len__(self) -> int:
        return len(self._base)


def _main_codes(overlay: Overlay, rates: Sequence[float | None]) -> Codes:
    """Return the position of each kernel's main pipe, given the ceilings; only kernels with several pipes count."""
    import numpy as np

    base: Codes = overlay.columns["pipe"]
    pipes = [pipe for pipe in overlay.pipes if pipe != SPECIAL]
    worked = _how_many(overlay, pipes, "work.", lambda values: ~np.isnan(values)) > 0
    several = _how_many(overlay, pipes, "work.", lambda values: values > 0) > 1
    several |= ~worked & (_how_many(overlay, pipes, "work_rate.", lambda values: values > 0) > 1)
    rows = np.flatnonzero(several)
    if not len(rows):
        return base
    by_work = np.stack([_amounts(overlay, f"work.{pipe}", rows) for pipe in overlay.pipes])
    by_rate = np.stack([_amounts(overlay, f"work_rate.{pipe}", rows) for pipe in overlay.pipes])
    found = pipe_of_sums(np.where(worked[rows], by_work, by_rate), rates)
    codes = base.copy()
    codes[rows] = np.where(found < 0, base[rows], found)
    return codes


def _how_many(overlay: Overlay, pipes: Sequence[str], kind: str, test: Callable[[Any], Any]) -> Any:
    """Return for each kernel on how many pipes a test holds."""
    import numpy as np

    found = np.zeros(len(overlay), dtype=np.int16)
    for pipe in pipes:
        if kind + pipe in overlay.record_keys:
            found += test(overlay.numbers(kind + pipe))
    return found


def _amounts(overlay: Overlay, key: str, rows: Any) -> Column:
    import numpy as np

    return overlay.numbers(key)[rows] if key in overlay.record_keys else np.full(len(rows), np.nan)

"""One measured kernel launch, and everything that follows from what was counted."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rooflinestudio.core.measurement_figures import (
    MeasuredFigure,
    MeasuredTraffic,
    MeasurementError,
    ratio_figure,
)
from rooflinestudio.core.measurement_names import normalised_kernel_name, short_kernel_name
from rooflinestudio.core.pipes import SPECIAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Measurement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One kernel launch (or the mean of ``count`` launches) as a profiler saw it.

    Attributes
    ----------
    launch
        Position in the file, from 0. Profilers number launches per process, so their number is not unique.
    kernel, kernel_short
        The name as the file has it, and the function's own name (made from ``kernel`` where left empty).
    count
        Launches that these figures are the mean of.
    time_s
        Duration of one launch, in s.
    work
        FLOP of one launch by pipe, a multiply-add counted as 2.
    work_rates
        FLOP/s by pipe, where the file gives rates but no time to turn them into work.
    traffic
        Bytes of one launch by boundary.
    traffic_rates
        Bytes/s by boundary, where the file gives rates but no time.
    clock_hz
        Clock of the compute units while this launch was measured, in Hz.
    grid, block
        Blocks and threads, each (x, y, z).
    figures
        Origin of each figure: ``time_s``, ``clock_hz``, ``work.<pipe>``, ``work_rate.<pipe>``,
        ``<boundary>_bytes``, ``<boundary>_bytes_per_s``.
    notes
        What the reader wants said about this launch although it can be used.
    reason
        What is missing, why, and what to collect; None where nothing is.
    held_pipe
        Main pipe on the machine that the kernel is held against
        (:func:`~rooflinestudio.core.measured.main.held_on`); None, as of a file: the one with the largest work.
    """

    launch: int
    kernel: str
    kernel_short: str = ""
    count: int = 1
    time_s: float | None = None
    work: Mapping[str, float] = field(default_factory=dict)
    work_rates: Mapping[str, float] = field(default_factory=dict)
    traffic: Mapping[str, MeasuredTraffic] = field(default_factory=dict)
    traffic_rates: Mapping[str, float] = field(default_factory=dict)
    device: str | None = None
    compute_capability: str | None = None
    clock_hz: float | None = None
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    source_line: int | None = None
    figures: Mapping[str, MeasuredFigure] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reason: str | None = None
    held_pipe: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.kernel_short:
            object.__setattr__(self, "kernel_short", short_kernel_name(self.kernel))
        if self.launch < 0 or self.count < 1:
            text = f"launch {self.launch}, count {self.count}: a launch counts from 0, a count from 1."
            raise MeasurementError(text)
        for name, value in self._numbers():
            if not (math.isfinite(value) and value >= 0) or (value == 0 and name in ("time_s", "clock_hz")):
                text = f"launch {self.launch}: {name} is {value!r}; expected a finite positive number."
                raise MeasurementError(text)

    def _numbers(self) -> Iterator[tuple[str, float]]:
        if self.time_s is not None:
            yield "time_s", self.time_s
        if self.clock_hz is not None:
            yield "clock_hz", self.clock_hz
        yield from self.work.items()
        yield from self.work_rates.items()
        yield from self.traffic_rates.items()
        for boundary, traffic in self.traffic.items():
            for part in traffic:
                if part is not None:
                    yield boundary, part
        for name, figure in self.figures.items():
            yield name, figure.value

    @property
    def kernel_key(self) -> str:
        """Form of the name by which launches of different files are matched."""
        return normalised_kernel_name(self.kernel)

    # ------------------------------------------------------------------------------------------ work

    def main_pipe(self, ceilings: Mapping[str, float] | None = None) -> str | None:
        """Pipe that the kernel leans on most; never ``special``, whose results are no part of the work.

        Parameters
        ----------
        ceilings
            FLOP/s by pipe of a profile. With it the pipe with the largest work / ceiling, among those with work that
            the profile has; where it has none of them, the pipe with the largest work. Left out: that of the
            machine that the kernel is held against, else the pipe with the largest work.

        Returns
        -------
        str or None
            None where no work was counted on any pipe.
        """
        if ceilings is None and self.held_pipe is not None:
            return self.held_pipe
        amounts = _without_special(self.work) or _without_special(self.work_rates)
        if not amounts:
            return None
        known = [pipe for pipe, flop in amounts.items() if ceilings and flop > 0.0 < ceilings.get(pipe, 0.0)]
        if ceilings and known:
            return max(known, key=lambda pipe: amounts[pipe] / ceilings[pipe])
        return max(amounts, key=lambda pipe: amounts[pipe])

    @property
    def pipe(self) -> str | None:
        """Main pipe: on the machine that the kernel is held against, else the one with the largest work."""
        return self.main_pipe()

    @property
    def work_flop(self) -> float | None:
        """Work on the main pipe, in FLOP."""
        pipe = self.main_pipe()
        return None if pipe is None else self.work.get(pipe)

    @property
    def achieved_flop_per_s(self) -> float | None:
        """Rate achieved on the main pipe, in FLOP/s."""
        return self.achieved(self.main_pipe())

    def achieved(self, pipe: str | None) -> float | None:
        """Rate achieved on one pipe, in FLOP/s; None where it is not known."""
        if pipe is None:
            return None
        if self.time_s is not None and pipe in self.work:
            return self.work[pipe] / self.time_s
        return self.work_rates.get(pipe)

    # --------------------------------------------------------------------------------------- traffic

    def traffic_bytes(self, boundary: str) -> float | None:
        """Bytes that crossed a boundary in one launch; None where that was not counted."""
        found = self.traffic.get(boundary)
        return None if found is None else found.total_bytes

    @property
    def dram_bytes(self) -> float | None:
        """Bytes to and from device memory."""
        return self.traffic_bytes("dram")

    @property
    def l2_bytes(self) -> float | None:
        """Bytes between L2 and the level inside it."""
        return self.traffic_bytes("l2")

    @property
    def l1_bytes(self) -> float | None:
        """Bytes at the L1 cache."""
        return self.traffic_bytes("l1")

    @property
    def shared_bytes(self) -> float | None:
        """Bytes at shared memory."""
        return self.traffic_bytes("shared")

    def bytes_per_s(self, boundary: str) -> float | None:
        """Rate at which bytes crossed a boundary; None where it is not known."""
        amount = self.traffic_bytes(boundary)
        if amount is not None and self.time_s is not None:
            return amount / self.time_s
        return self.traffic_rates.get(boundary)

    # ------------------------------------------------------------------------------------- placement

    @property
    def intensity_dram(self) -> float | None:
        """Work per byte at device memory, in FLOP/byte; see :meth:`intensity`."""
        return self.intensity("dram")

    def intensity(self, boundary: str, pipe: str | None = None) -> float | None:
        """Work on ``pipe`` (left out: the main pipe) per byte at ``boundary``, in FLOP/byte.

        From amounts, else from rates. Zero traffic gives infinity, zero work 0; None where both are zero or
        either was not measured.
        """
        chosen = self.main_pipe() if pipe is None else pipe
        if chosen is None:
            return None
        for work, traffic in (
            (self.work.get(chosen), self.traffic_bytes(boundary)),
            (self.work_rates.get(chosen), self.traffic_rates.get(boundary)),
        ):
            if work is not None and traffic is not None:
                return _quotient(work, traffic)
        rate, flow = self.achieved(chosen), self.bytes_per_s(boundary)
        return None if rate is None or flow is None else _quotient(rate, flow)

    @property
    def plotted_at(self) -> tuple[str, ...]:
        """Boundaries at which this launch has a place on the log-log canvas: W > 0, Q > 0 and a rate."""
        rate = self.achieved_flop_per_s
        if not rate:
            return ()
        boundaries = dict.fromkeys((*self.traffic, *self.traffic_rates))
        return tuple(b for b in boundaries if 0.0 < (self.intensity(b) or 0.0) < math.inf)

    @property
    def plotted(self) -> bool:
        """Whether there is a boundary at which this launch can be drawn; where not, ``reason`` says why."""
        return bool(self.plotted_at)

    # --------------------------------------------------------------------------------------- origins

    def figure(self, name: str) -> MeasuredFigure | None:
        """Origin of a figure, also of those that follow from others.

        Parameters
        ----------
        name
            A key of ``figures``, or ``work_flop``, ``achieved_flop_per_s``, ``intensity_<boundary>``,
            ``<boundary>_bytes_per_s``.
        """
        if name in self.figures:
            return self.figures[name]
        work = self.figures.get(f"work.{self.pipe}")
        rate = self.figures.get(f"work_rate.{self.pipe}")
        if name == "work_flop":
            return work
        if name == "achieved_flop_per_s":
            time = self.figures.get("time_s")
            if work is None or time is None:
                return rate
            return ratio_figure(self.achieved_flop_per_s, "work_flop / time_s", work, time)
        if name.startswith("intensity_"):
            return self._intensity_figure(name.removeprefix("intensity_"), work, rate)
        if name.endswith("_bytes_per_s"):
            return self._flow_figure(name.removesuffix("_bytes_per_s"))
        return None

    def _flow_figure(self, boundary: str) -> MeasuredFigure | None:
        amount, time = self.figures.get(f"{boundary}_bytes"), self.figures.get("time_s")
        if amount is None or time is None:
            return None
        return ratio_figure(self.bytes_per_s(boundary), f"{boundary}_bytes / time_s", amount, time)

    def _intensity_figure(
        self, boundary: str, work: MeasuredFigure | None, rate: MeasuredFigure | None
    ) -> MeasuredFigure | None:
        amount = self.figures.get(f"{boundary}_bytes")
        flow = self.figures.get(f"{boundary}_bytes_per_s")
        value = self.intensity(boundary)
        if work and amount:
            return ratio_figure(value, f"work_flop / {boundary}_bytes", work, amount)
        if rate and flow:
            return ratio_figure(value, f"({rate.recipe}) / ({flow.recipe})", rate, flow)
        return None


def _without_special(amounts: Mapping[str, float]) -> Mapping[str, float]:
    return (
        {pipe: flop for pipe, flop in amounts.items() if pipe != SPECIAL} if SPECIAL in amounts else amounts
    )


def _quotient(work: float, traffic: float) -> float | None:
    if traffic == 0:
        return math.inf if work > 0 else None
    return work / traffic

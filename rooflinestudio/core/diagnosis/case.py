"""What a diagnosis starts from: a measured kernel, its machine, and the three numbers that make it a point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.diagnosis.device import relation
from rooflinestudio.core.diagnosis.tools import tool_for
from rooflinestudio.core.diagnosis.words import SIGNS, number
from rooflinestudio.core.measured.main import held_on
from rooflinestudio.core.pipes import resolve_pipe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.diagnosis.tools import Tool
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement, Quality
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placement import Placement

__all__ = ["BUSY", "Case", "Datum", "Origin", "paired_words"]

Origin = Literal["counter", "table", "model", "paired", "profile", "worked out", "missing"]
"""Where a number comes from: counted by the profiler, a column of somebody's table, worked out by the reader from
shapes, the paired operator, the profile of the machine, or other numbers."""
MODEL: Final = "model, not measured: "
"""How the recipe of a figure begins that a reader made from the shapes of a call."""

BUSY: Final = 0.01
"""Share of cycles from which on the matrix pipe counts as used: packed half arithmetic passes through it as well."""
BLIND: Final = 0.5
"""Below this part of the operator's work, vector arithmetic that was counted cannot be all of the work."""


@dataclass(frozen=True, slots=True)
class Datum:
    """One figure that an answer rests on.

    Attributes
    ----------
    value
        In base units, a share from 0 to 1 where the unit is ``%``; None where it is missing.
    origin, recipe
        Where it comes from, and how, in words.
    quality
        As of the measured figure.
    """

    label: str
    value: float | None
    unit: str
    origin: Origin = "counter"
    recipe: str = ""
    quality: Quality = "exact"

    @property
    def text(self) -> str:
        """Label and value, with the sign of its quality: ``traffic ≥ 588 MB``."""
        if self.value is None:
            return f"{self.label} –"
        return f"{self.label} {SIGNS.get(self.quality, '')}{number(self.value, self.unit)}"


def paired_words(placement: Placement) -> str:
    """Name an operator with the parameters that were counted for: ``gemm m = 4096, n = 4096, k = 4096``."""
    shown = [
        f"{name} = {value:g}"
        if isinstance(value, float | int) and not isinstance(value, bool)
        else f"{name} = {value}"
        for name, value in list(placement.parameters.items())[:3]
    ]
    return " ".join(filter(None, (placement.operator, ", ".join(shown))))


@dataclass(frozen=True)
class Case:
    """A measured kernel with all that it is held against.

    Attributes
    ----------
    measurement
        The kernel; its main pipe becomes that on the machine.
    profile
        The machine.
    placement
        What was predicted for it, or None where it is not paired.
    overlay
        The file that it stands in, for what the other kernels say; or None.
    """

    measurement: Measurement
    profile: HardwareProfile
    placement: Placement | None = None
    overlay: Overlay | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "measurement", held_on(self.measurement, self.profile))

    @cached_property
    def tool(self) -> Tool:
        """Profiler that can count what the file lacks."""
        return tool_for(self.overlay.format if self.overlay is not None else "", self.profile)

    @property
    def counters(self) -> tuple[str, ...]:
        """Names of the metrics that the file has, as far as that is known."""
        return self.overlay.counters if self.overlay is not None else ()

    # ----------------------------------------------------------------------------------- single figures

    def extra(self, name: str) -> float | None:
        """Value of a further figure of the file (:data:`COUNTERS`); None where it is absent."""
        figure = self.measurement.figures.get(name)
        return None if figure is None else figure.value

    def datum(self, name: str, label: str, unit: str, value: float | None = None) -> Datum:
        """Figure of the file with its recipe; ``value`` replaces its value."""
        figure = self.measurement.figure(name)
        if figure is None:
            return Datum(label, value, unit, "counter" if value is not None else "missing")
        return Datum(
            label, figure.value if value is None else value, unit, _origin(figure.recipe),
            figure.recipe.removeprefix(MODEL), figure.quality,
        )  # fmt: skip

    @property
    def time_s(self) -> float | None:
        """Measured time of one launch."""
        return self.measurement.time_s

    @cached_property
    def sms(self) -> float | None:
        """SMs of the device: as the file says, else as the profile says unless the file names another part."""
        counted = self.extra("sms")
        if counted:
            return counted
        device = self.measurement.device
        if device and relation(device, self.profile.name) != "":
            return None
        return self.profile.sms.value if self.profile.sms is not None else None

    @property
    def blocks(self) -> int | None:
        """Blocks of the grid; None where the file does not say, or says 0."""
        return _product(self.measurement.grid)

    @property
    def threads(self) -> int | None:
        """Threads of the whole grid."""
        per_block = _product(self.measurement.block)
        return None if self.blocks is None or per_block is None else self.blocks * per_block

    # --------------------------------------------------------------------------------------------- work

    @cached_property
    def tensor_counted(self) -> bool:
        """Whether the file says how much work the matrix pipe did, were it none."""
        m = self.measurement
        return any("tensor" in pipe for pipe in (*m.work, *m.work_rates))

    @cached_property
    def rates(self) -> Mapping[str, float]:
        """Achieved FLOP/s by pipe, as counted, without those at 0."""
        pipes = dict.fromkeys((*self.measurement.work, *self.measurement.work_rates))
        return {pipe: rate for pipe in pipes if (rate := self.measurement.achieved(pipe))}

    @cached_property
    def paired_work(self) -> float | None:
        """Work on the main pipe of the paired operator."""
        if self.placement is None or self.placement.parts:
            return None
        work = self.placement.estimate.work.get(self.placement.estimate.main_pipe)
        return float(work) if work else None

    @cached_property
    def takes_paired_work(self) -> bool:
        """Whether the work is that of the operator: its pipe was not counted, and what was counted is not all of it."""
        if self.placement is None or not self.paired_work or self.tensor_counted:
            return False
        if not self.placement.estimate.main_pipe.endswith("-tensor"):
            return not (
                self.rates or any(self.measurement.work.values())
            )  # nothing was counted: the operator's own arithmetic
        return not self.vectors_do_all

    @cached_property
    def vectors_do_all(self) -> bool:
        """Whether the vector pipes were seen doing the work of the operator: none is left for the matrix pipe."""
        counted = (flop for pipe, flop in self.measurement.work.items() if "tensor" not in pipe)
        return bool(self.paired_work) and max(counted, default=0.0) >= BLIND * (self.paired_work or 0.0)

    @cached_property
    def blind(self) -> bool:
        """Whether the machine has a matrix pipe of which nothing is known."""
        has = any(id_.endswith("-tensor") for id_ in self.profile.ceilings)
        idle = (self.extra("tensor_active_share") or 0.0) < BUSY and self.extra(
            "tensor_active_share"
        ) is not None
        return has and not (self.tensor_counted or idle or self.takes_paired_work or self.vectors_do_all)

    @property
    def compute_known(self) -> bool:
        """Whether all pipes that may hold the kernel were counted."""
        return self.work.value is not None and not self.blind

    @cached_property
    def pipe(self) -> str | None:
        """Main pipe: that of the operator where its work is taken, else the one with the largest work / ceiling."""
        if self.takes_paired_work and self.placement is not None:
            return self.placement.estimate.main_pipe
        amounts = self.rates or {pipe: flop for pipe, flop in self.measurement.work.items() if flop}
        counted = self.measurement.pipe
        return counted if counted in amounts else max(amounts, key=lambda pipe: amounts[pipe], default=None)

    def ceiling_of(self, pipe: str) -> str | None:
        """Ceiling of the profile that a pipe runs against; None where it has none."""
        return resolve_pipe(pipe, self.profile)

    @cached_property
    def rate(self) -> float | None:
        """Achieved FLOP/s on the main pipe."""
        if not self.takes_paired_work:
            return self.rates.get(self.pipe) if self.pipe is not None else None
        return self.paired_work / self.time_s if self.paired_work and self.time_s else None

    @cached_property
    def work(self) -> Datum:
        """W of one launch on the main pipe."""
        if self.takes_paired_work and self.placement is not None:
            why = (
                "the tensor pipe was not counted"
                if self.placement.estimate.main_pipe.endswith("-tensor")
                else ("no arithmetic was counted")
            )
            recipe = f"from {paired_words(self.placement)}: {why}"
            return Datum("W", self.paired_work, "FLOP", "paired", recipe)
        if self.pipe is not None and self.pipe in self.measurement.work:
            return self.datum(f"work.{self.pipe}", "W", "FLOP", self.measurement.work[self.pipe])
        counted = [pipe for pipe, flop in self.measurement.work.items() if flop == 0]
        if counted and not self.rates:
            return Datum("W", 0.0, "FLOP", "counter", f"none counted on {', '.join(counted)}")
        return Datum("W", None, "FLOP", "missing")

    # ------------------------------------------------------------------------------------ traffic, time

    @cached_property
    def traffic(self) -> Datum:
        """Q of one launch at device memory."""
        return self.datum("dram_bytes", "Q", "B", self.measurement.dram_bytes)

    @property
    def traffic_is_least(self) -> bool:
        """Whether more may have crossed device memory than is known: the figure is a lower bound."""
        known = self.measurement.figure("dram_bytes") or self.measurement.figure("dram_bytes_per_s")
        return known is not None and known.quality == "lower"

    @cached_property
    def time(self) -> Datum:
        """Time of one launch."""
        return self.datum("time_s", "t", "s", self.time_s)

    @property
    def dram_label(self) -> str:
        """The machine's own word for its device memory."""
        dram = self.profile.boundaries.get("dram")
        return dram.label if dram is not None else "device memory"


def _origin(recipe: str) -> Origin:
    if recipe.startswith(MODEL):
        return "model"
    return "table" if recipe.startswith("column ") else "counter"


def _product(dimensions: tuple[int, int, int] | None) -> int | None:
    if dimensions is None:
        return None
    x, y, z = dimensions
    return x * y * z or None

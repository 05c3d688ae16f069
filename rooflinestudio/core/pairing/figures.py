"""The figures of a measured kernel as every view shows them: with the work of its operator where counters are blind."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rooflinestudio.core.measured.main import beside_words, held_on
from rooflinestudio.core.measured.series import DRAM
from rooflinestudio.core.pairing.edits import found_pairs
from rooflinestudio.core.pairing.readout import read_pair, row_for_pair
from rooflinestudio.core.pipes import resolve_pipe

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import ComputeCeiling, HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.pairing.edits import FoundPair
    from rooflinestudio.core.pairing.readout import PairReadout
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy

__all__ = ["KernelFigures", "kernel_figures", "paired_figures", "pairs_by_entry"]


@dataclass(frozen=True)
class KernelFigures:
    """A measured kernel at one boundary of a machine. What is not known is None.

    Attributes
    ----------
    measurement
        The kernel, with the main pipe of the machine.
    profile
        The machine that it is held against, or None.
    boundary
        Where traffic and intensity are taken.
    pair
        What it says beside its entry, or None where it has none or that is not placed.
    """

    measurement: Measurement
    profile: HardwareProfile | None = None
    boundary: str = DRAM
    pair: PairReadout | None = None

    @property
    def work_flop(self) -> float | None:
        """W of one launch on the main pipe."""
        return self.measurement.work_flop if self.pair is None else self.pair.work_flop

    @property
    def pipe(self) -> str | None:
        """Main pipe."""
        return self.measurement.pipe if self.pair is None else self.pair.pipe

    @property
    def beside(self) -> str:
        """What was counted on other pipes: ``also fp32 50 GFLOP``; empty where that is nothing."""
        return beside_words(self.measurement, self.pipe)

    @property
    def traffic_bytes(self) -> float | None:
        """Q of one launch at the boundary."""
        return self.measurement.traffic_bytes(self.boundary)

    @property
    def intensity(self) -> float | None:
        """Work by traffic, in FLOP/byte."""
        return self.measurement.intensity(self.boundary) if self.pair is None else self.pair.intensity

    @property
    def achieved_flop_per_s(self) -> float | None:
        """Achieved rate on the main pipe."""
        return self.measurement.achieved_flop_per_s if self.pair is None else self.pair.achieved_flop_per_s

    @property
    def work_from(self) -> str:
        """In short where the work comes from where it is not from counters: ``W from GEMM``; else empty."""
        return f"W from {self.pair.name}" if self.pair is not None and self.pair.is_lent else ""

    @property
    def ceiling(self) -> ComputeCeiling | None:
        """What the main pipe runs against; None where the machine has nothing for it."""
        if self.profile is None or self.pipe is None:
            return None
        id_ = resolve_pipe(self.pipe, self.profile)
        return None if id_ is None else self.profile.ceilings[id_]

    @property
    def fraction_of_peak(self) -> float | None:
        """Achieved over the ceiling that a placement of the same pipe is held against, else over the pipe's own."""
        rate = self.achieved_flop_per_s
        if rate is None:
            return None
        placement = self.pair.placement if self.pair is not None else None
        if (
            placement is not None
            and placement.profile is self.profile
            and placement.estimate.main_pipe == self.pipe
        ):
            return rate / placement.ceiling_flop_per_s
        return None if self.ceiling is None else rate / self.ceiling.flop_per_s

    @property
    def bound(self) -> Literal["compute", "memory", ""]:
        """Which roof lies over the kernel; empty where that cannot be said. An unknown pipe counts as the reference."""
        intensity, ceiling = self.intensity, self._roof_ceiling
        if self.profile is None or ceiling is None or self.boundary not in self.profile.boundaries:
            return ""
        if not (intensity and self.achieved_flop_per_s):
            return ""
        slope = intensity * self.profile.boundaries[self.boundary].bytes_per_s
        return "memory" if slope < ceiling.flop_per_s else "compute"

    @property
    def bound_words(self) -> str:
        """The same with the name of what binds: ``memory at HBM3``."""
        ceiling = self._roof_ceiling
        if not self.bound or self.profile is None or ceiling is None:
            return ""
        where = self.profile.boundaries[self.boundary].label if self.bound == "memory" else ceiling.id
        return f"{self.bound} at {where}"

    @property
    def _roof_ceiling(self) -> ComputeCeiling | None:
        if self.ceiling is not None or self.profile is None:
            return self.ceiling
        return self.profile.ceilings.get(self.profile.reference_ceiling)

    @property
    def intensity_ratio(self) -> float | None:
        """Measured over predicted intensity at the boundary."""
        if self.pair is None or not self.pair.predicted_bytes or not self.intensity:
            return None
        predicted = float(self.pair.placement.work_flop) / self.pair.predicted_bytes
        return self.intensity / predicted if predicted and math.isfinite(self.intensity) else None


def kernel_figures(
    placed: PlacedStudy, overlay: Overlay, index: int, machine: str = "", boundary: str = DRAM
) -> KernelFigures:
    """Return the figures of a kernel, held against its entry on a machine (else on the entry's first) where it has one.

    Parameters
    ----------
    machine
        The one in view.
    """
    profile = placed.profiles.get(machine)
    found = next((one for one in found_pairs(placed.study, overlay.digest) if one.index == index), None)
    row = row_for_pair(placed, found.entry.id, machine) if found is not None else None
    return paired_figures(
        overlay, index, row, profile or (row.profile if row is not None else None), boundary
    )


def paired_figures(
    overlay: Overlay, index: int, row: PlacedRow | None, profile: HardwareProfile | None, boundary: str = DRAM
) -> KernelFigures:
    """Return the figures of a kernel, held against a row where there is one that is placed."""
    measurement = held_on(overlay.measurement(index), profile)
    pair = None
    if row is not None and profile is not None and boundary in profile.boundaries:
        pair = read_pair(measurement, row, profile, boundary, overlay)
    return KernelFigures(measurement, profile, boundary, pair)


def pairs_by_entry(placed: PlacedStudy) -> dict[str, list[FoundPair]]:
    """Return the pairs whose kernel is there, by the id of their entry."""
    found: dict[str, list[FoundPair]] = {}
    for one in found_pairs(placed.study):
        found.setdefault(one.entry.id, []).append(one)
    return found

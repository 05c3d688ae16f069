"""The lines of the canvas that come from machines: roofs, quiet ceilings, quiet slopes; log10 data coordinates."""

from __future__ import annotations

from dataclasses import dataclass

from rooflinestudio.ui.canvas.coordinates import roof_height

__all__ = ["Ceiling", "Roof", "Slope"]


@dataclass(frozen=True, slots=True)
class Roof:
    """One machine's roof at the boundary in view.

    ``order`` counts the machines in view from 0; it chooses the dash where the roof is not the strong one.
    ``other_figures``: the strong machine by the figures that are known and not in use, drawn dashed.
    """

    machine: str
    name: str
    strong: bool
    order: int
    log_bytes_per_s: float
    log_flop_per_s: float
    slope_label: str
    ceiling_label: str
    ridge_label: str
    other_figures: bool = False

    @property
    def log_ridge(self) -> float:
        return self.log_flop_per_s - self.log_bytes_per_s

    def height(self, log_x: float) -> float:
        """Return log10 of what the roof allows at a log10 intensity."""
        return roof_height(log_x, log_bytes_per_s=self.log_bytes_per_s, log_flop_per_s=self.log_flop_per_s)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Another pipe of the strong machine; it starts at its own ridge. ``own``: the selected placement's pipe."""

    log_flop_per_s: float
    log_from: float
    label: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class Slope:
    """Another boundary of the strong machine, up to where it meets the reference ceiling.

    ``modelled``: an on-chip or approximate bandwidth, drawn dashed, since it is a model and no bound. ``own``: the
    boundary that the selected placement is shown at.
    """

    boundary: str
    log_bytes_per_s: float
    log_flop_per_s: float
    label: str
    ridge_label: str
    modelled: bool = False
    own: bool = False

    @property
    def log_ridge(self) -> float:
        return self.log_flop_per_s - self.log_bytes_per_s

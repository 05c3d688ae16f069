"""Kernels of an imported file that stand above the roof: nearly always a unit, a mark, a clock or a pipe is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.diagnosis.words import times
from rooflinestudio.core.measured.held import held_against
from rooflinestudio.core.measured.series import DRAM

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement_overlay import Overlay

__all__ = ["above_roof_words"]

ABOVE: Final = 1.05
"""Up to this part of a roof the roof's own figure is rounded."""


def above_roof_words(overlay: Overlay, profile: HardwareProfile | None) -> str:
    """Say how many kernels stand above the roof of a machine at device memory; empty where none does."""
    import numpy as np

    columns = overlay.columns
    nothing = np.full(len(overlay), np.nan)
    held = held_against(
        profile, (columns["pipe"], overlay.pipes), columns.get(f"intensity_{DRAM}", nothing),
        columns["achieved_flop_per_s"],
    )  # fmt: skip
    above = held.fraction[held.fraction > ABOVE]
    if profile is None or not len(above):
        return ""
    who = "1 kernel stands" if len(above) == 1 else f"{len(above):,} kernels stand".replace(",", "\u202f")
    far = f"{times(float(above.max()))} it"
    return (
        f"{who} above the roof of {profile.name}, up to {far}: a unit, the decimal mark, the clock or the pipe may be "
        "another one than was read. The diagnosis names the likely causes."
    )

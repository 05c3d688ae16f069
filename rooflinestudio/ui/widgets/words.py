"""Figures of a placement as the panels word them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement

__all__ = [
    "POLICY_WORDS", "binding_word", "bound_words", "boundary_word", "bytes_text", "intensity_text", "percent_text",
    "short_intensity", "short_time", "time_text", "whole_words",
]  # fmt: skip

POLICY_WORDS: Final = {"compulsory": "Compulsory", "tiled": "Tiled", "modelled": "Modelled"}
"""Policies as the selectors name them."""


def time_text(seconds: Any, *, digits: int = 4) -> str:
    """Return a time with its unit: ``138.9 µs``; a dash where there is none."""
    return "–" if seconds is None else format_quantity(seconds, "s", digits=digits)


def short_time(seconds: Any) -> str:
    """Return a time for narrow places: ``139 µs``."""
    return time_text(seconds, digits=3)


def bytes_text(amount: Any, *, digits: int = 4) -> str:
    """Return bytes with their unit: ``412.7 MB``; a dash where there are none."""
    return "–" if amount is None else format_quantity(amount, "B", digits=digits)


def intensity_text(intensity: Any) -> str:
    """Return an intensity without its unit: ``333``, ``63.0``, ``1 365``."""
    return "–" if intensity is None else format_number(intensity)


def short_intensity(intensity: Any) -> str:
    """Return an intensity for narrow places: from ten thousand on in thousands, ``15.5 k``."""
    if intensity is None or not 1e4 <= intensity < math.inf:
        return intensity_text(intensity)
    return format_quantity(intensity, "B").removesuffix("B")


def percent_text(fraction: Any) -> str:
    """Return a share in per cent: ``57%``, below ten with two digits (``4.7%``)."""
    if fraction is None or math.isnan(fraction):
        return "–"
    percent = 100 * fraction
    if percent >= 9.95 or percent == 0:
        return f"{percent:.0f}%"
    return f"{format_number(percent, digits=2)}%"


def boundary_word(profile: HardwareProfile | None, boundary_id: str | None) -> str:
    """Return the machine's own word for a boundary (``HBM`` for dram)."""
    if boundary_id is None:
        return "home boundary"
    if boundary_id == "all":
        return "all boundaries"
    if profile is not None and boundary_id in profile.boundaries:
        return profile.boundaries[boundary_id].label
    return boundary_id


def binding_word(placement: Placement) -> str:
    """Return the name of what binds: a ceiling's id, or the machine's word for a boundary."""
    binding = placement.binding
    boundary = placement.profile.boundaries.get(binding)
    return boundary.label if boundary is not None else str(binding)


def bound_words(placement: Placement) -> str:
    """Return the bound with the name of what binds: ``memory at L2``; ``launch overhead`` for launches."""
    if placement.bound == "launch":
        return "launch overhead"
    return f"{placement.bound} at {binding_word(placement)}"


def whole_words(placement: Placement) -> str:
    """Return what binds; for a whole with several bounds that it is mixed, and how much the first one has."""
    if not placement.extra.get("mixed"):
        return bound_words(placement)
    share = sum(
        float(one)
        for name, one in placement.extra["time_by_bound"].items()
        if name.startswith(placement.bound)
    )
    return f"mixed, {percent_text(share)} {placement.bound}"

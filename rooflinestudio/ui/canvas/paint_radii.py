"""How large markers are, in pixels: what the painter draws, labels keep off and arrows end at."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.scene import Key, Marker, Scene

__all__ = [
    "CIRCLE", "DIAMOND", "ELSEWHERE", "LARGEST", "OF_THE_WHOLE", "RIM", "RING", "SATELLITE", "SMALLEST", "SQUARE",
    "box_radius", "radius_of_share", "rim_radius", "ring_radius",
]  # fmt: skip

CIRCLE, DIAMOND, SQUARE, SATELLITE, RING = 6.0, 6.4, 5.4, 4.6, 11.0
ELSEWHERE: Final = 4.2
"""Radius of a marker on a machine that is not the strong one."""
RIM: Final = 2.0

SMALLEST, LARGEST = 2.6, 30.0
"""Radii between which a diamond has the area of its kernel's share of the time."""
OF_THE_WHOLE: Final = 40.0
"""Radius that the whole time of a file would have; area grows with the share, so the radius with its root."""


def radius_of_share(share: float) -> float:
    """Return the radius in pixels of a kernel with a share of the time of its file."""
    return min(LARGEST, max(SMALLEST, OF_THE_WHOLE * math.sqrt(share)))


def rim_radius(scene: Scene, key: Key, machine: str) -> float:
    """Return the outer radius of an entry's marker, with the ring if it is the selected one."""
    if key == scene.selected and machine == scene.selected_machine:
        return RING
    return (CIRCLE if machine in ("", scene.machine) else ELSEWHERE) + RIM


def ring_radius(marker: Marker) -> float:
    """Return the radius of the ring around a marker that is selected: a large diamond stays inside."""
    return RING if marker.radius is None else max(RING, marker.radius + 4.0)


def box_radius(scene: Scene, marker: Marker) -> float:
    """Return half the size of the square that labels keep off."""
    if scene.is_selected(marker) and marker.style != "boundary":
        return ring_radius(marker)
    if marker.is_small:
        return SATELLITE + 1
    if marker.style == "measured":
        return (DIAMOND if marker.radius is None else marker.radius) + 1
    return (CIRCLE if marker.machine in ("", scene.machine) else ELSEWHERE) + 1

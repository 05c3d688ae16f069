"""How large markers are, in pixels: what the painter draws, labels keep off and arrows end at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.scene import Key, Marker, Scene

__all__ = ["CIRCLE", "DIAMOND", "ELSEWHERE", "RIM", "RING", "SATELLITE", "SQUARE", "box_radius", "rim_radius"]

CIRCLE, DIAMOND, SQUARE, SATELLITE, RING = 6.0, 6.4, 5.4, 4.6, 11.0
ELSEWHERE: Final = 4.2
"""Radius of a marker on a machine that is not the strong one."""
RIM: Final = 2.0


def rim_radius(scene: Scene, key: Key, machine: str) -> float:
    """Return the outer radius of an entry's marker, with the ring if it is the selected one."""
    if key == scene.selected and machine == scene.selected_machine:
        return RING
    return (CIRCLE if machine in ("", scene.machine) else ELSEWHERE) + RIM


def box_radius(scene: Scene, marker: Marker) -> float:
    """Return half the size of the square that labels keep off."""
    if scene.is_selected(marker) and marker.style != "boundary":
        return RING
    if marker.is_small:
        return SATELLITE + 1
    if marker.style == "measured":
        return DIAMOND + 1
    return (CIRCLE if marker.machine in ("", scene.machine) else ELSEWHERE) + 1

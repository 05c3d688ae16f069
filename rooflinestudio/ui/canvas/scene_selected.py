"""What only the selection puts on the canvas: other boundaries, launch floor, the parts of a composite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.scene_parts import part_selected, part_strip, parts_of
from rooflinestudio.ui.canvas.scene_rows import RowDrawing, launch_floor, satellites_of

if TYPE_CHECKING:
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.ui.canvas.scene import Key, LaunchFloor, Marker

__all__ = ["SelectedDrawing", "draw_selected", "selected_placement"]


_NOTHING: Final = RowDrawing()


@dataclass(frozen=True)
class SelectedDrawing:
    """What a selected row, or the row whose part is selected, puts on the canvas beside its marker."""

    satellites: tuple[Marker, ...] = ()
    floor: LaunchFloor | None = None
    parts: tuple[Marker, ...] = ()
    strip: RowDrawing = _NOTHING


def selected_placement(row: PlacedRow | None, selected: Key | None) -> Placement | None:
    """Return the placement whose ceiling and boundary are drawn stronger: that of the part, if one is selected."""
    placement = row.placement if row is not None else None
    part = part_selected(selected)
    if placement is None or part is None or not 0 <= part[1] < len(placement.parts):
        return placement
    return placement.parts[part[1]].placement


def draw_selected(row: PlacedRow | None, selected: Key | None) -> SelectedDrawing:
    """Return the drawing of a selection; it depends on nothing but the two, so that it can be kept."""
    if row is None:
        return SelectedDrawing()
    part = part_selected(selected)
    if part is None:
        return SelectedDrawing(satellites_of(row), launch_floor(row), parts_of(row))
    return SelectedDrawing(parts=parts_of(row, part[1]), strip=part_strip(row, part[1]) or _NOTHING)

"""The views of a window, made once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.ui.comparison.view import ComparisonView
from rooflinestudio.ui.hardware.selector import MachineSelector
from rooflinestudio.ui.inspector.view import InspectorView
from rooflinestudio.ui.measured.view import MeasuredView
from rooflinestudio.ui.outline.view import OutlineView
from rooflinestudio.ui.palette.view import PaletteView

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas_pane import CanvasPane

__all__ = ["Panels"]


class Panels:
    """The views of a window; the canvas comes later."""

    def __init__(self) -> None:
        self.machines = MachineSelector()
        self.palette = PaletteView()
        self.outline = OutlineView()
        self.inspector = InspectorView()
        self.comparison = ComparisonView()
        self.measured = MeasuredView()
        self.canvas: CanvasPane | None = None

    @property
    def placed_views(self) -> tuple[Any, ...]:
        """Views that show the study."""
        views = (self.machines, self.outline, self.inspector, self.comparison, self.measured)
        return views if self.canvas is None else (*views, self.canvas)

    @property
    def all(self) -> tuple[Any, ...]:
        """All views."""
        return (self.palette, *self.placed_views)

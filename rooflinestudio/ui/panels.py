"""The views of a window, made in the order in which they are needed: importing them costs more than the first paint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.ui.canvas_pane import CanvasPane
    from rooflinestudio.ui.comparison.view import ComparisonView
    from rooflinestudio.ui.hardware.selector import MachineSelector
    from rooflinestudio.ui.inspector.view import InspectorView
    from rooflinestudio.ui.later_page import LaterPage
    from rooflinestudio.ui.measured.view import MeasuredView
    from rooflinestudio.ui.outline.view import OutlineView
    from rooflinestudio.ui.palette.view import PaletteView
    from rooflinestudio.ui.theme import Theme
    from rooflinestudio.ui.view_bar import ViewBar

__all__ = ["Panels"]


class Panels:
    """What one window shows; each attribute is there once its ``make_…`` has been called."""

    machines: MachineSelector
    view_bar: ViewBar
    palette: PaletteView
    outline: OutlineView
    canvas: CanvasPane
    inspector: InspectorView
    comparison: ComparisonView
    measured: MeasuredView
    fusion: LaterPage
    budget: LaterPage
    sweep: LaterPage
    serving: LaterPage
    diagnosis: LaterPage
    figures: LaterPage

    def __init__(self) -> None:
        self._made: list[Any] = []

    @property
    def all(self) -> tuple[Any, ...]:
        """All views that are there."""
        return tuple(self._made)

    @property
    def placed_views(self) -> tuple[Any, ...]:
        """Those that show the study."""
        return tuple(one for one in self._made if hasattr(one, "set_placed"))

    @property
    def has_canvas(self) -> bool:
        """Whether the canvas is there."""
        return hasattr(self, "canvas")

    def make_first(self) -> None:
        """Make what stands around the canvas on the left and above."""
        from rooflinestudio.ui.hardware.selector import MachineSelector
        from rooflinestudio.ui.outline.view import OutlineView
        from rooflinestudio.ui.palette.view import PaletteView
        from rooflinestudio.ui.view_bar import ViewBar

        self.machines, self.view_bar = MachineSelector(), ViewBar()
        self.palette, self.outline = PaletteView(), OutlineView()
        self._made += [self.machines, self.palette, self.outline]

    def make_canvas(self, theme: Theme) -> None:
        """Make the canvas, and with it import pyqtgraph and NumPy."""
        from rooflinestudio.ui.canvas_pane import CanvasPane

        self.canvas = CanvasPane(theme)
        self._made.append(self.canvas)

    def make_rest(self) -> None:
        """Make what tells about the canvas: inspector and tables, and places for what is made when looked at."""
        from rooflinestudio.ui.comparison.view import ComparisonView
        from rooflinestudio.ui.inspector.view import InspectorView
        from rooflinestudio.ui.later_page import LaterPage
        from rooflinestudio.ui.measured.view import MeasuredView

        self.inspector, self.comparison, self.measured = InspectorView(), ComparisonView(), MeasuredView()
        self._made += [self.inspector, self.comparison, self.measured]
        self.fusion, self.budget = LaterPage(_fusion), LaterPage(_budget)
        self.sweep, self.serving = LaterPage(_sweep), LaterPage(_serving)
        self.diagnosis, self.figures = LaterPage(_diagnosis), LaterPage(_figures)

    def take(self, view: Any) -> None:
        """Take in a view that was made later."""
        self._made.append(view)

    @property
    def has_tabs(self) -> bool:
        """Whether inspector and tabs are there."""
        return hasattr(self, "figures")

    @property
    def later(self) -> dict[str, LaterPage]:
        """The pages that are made when they are looked at, by the names that studies give them."""
        return {
            "fusion": self.fusion,
            "budget": self.budget,
            "sweep": self.sweep,
            "serving": self.serving,
            "diagnosis": self.diagnosis,
            "machines": self.figures,
        }

    @property
    def tabs(self) -> dict[str, QWidget]:
        """The pages of the tabs by the names that studies give them, in their order."""
        return {
            "compare": self.comparison,
            **{name: page for name, page in self.later.items() if name not in _LAST},
            "measured": self.measured,
            **{name: self.later[name] for name in _LAST},
        }


_LAST = ("diagnosis", "machines")


def _fusion() -> QWidget:
    from rooflinestudio.ui.fusion.view import FusionView

    return FusionView()


def _budget() -> QWidget:
    from rooflinestudio.ui.budget.view import BudgetView

    return BudgetView()


def _sweep() -> QWidget:
    from rooflinestudio.ui.sweep.view import SweepView

    return SweepView()


def _serving() -> QWidget:
    from rooflinestudio.ui.serving.view import ServingView

    return ServingView()


def _diagnosis() -> QWidget:
    from rooflinestudio.ui.diagnosis.view import DiagnosisView

    return DiagnosisView()


def _figures() -> QWidget:
    from rooflinestudio.ui.machines.view import MachinesView

    return MachinesView()

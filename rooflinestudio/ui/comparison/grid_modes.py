"""The two modes of the compare tab that show one entry in many circumstances; each is made when it is first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.grid.spec import grid_spec

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStackedLayout, QWidget

    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.ui.comparison.view import ComparisonView
    from rooflinestudio.ui.grid.boundaries import BoundariesPanel
    from rooflinestudio.ui.grid.panel import GridPanel
    from rooflinestudio.ui.session import Selection

__all__ = ["GridModes"]


class GridModes:
    """Holds the grid and the boundaries of a compare view; their pictures need modules that the start does not.

    Attributes
    ----------
    grid, boundaries
        The panels, or None before they were shown.
    """

    def __init__(self, view: ComparisonView, body: QStackedLayout) -> None:
        self._view, self._body = view, body
        self.grid: GridPanel | None = None
        self.boundaries: BoundariesPanel | None = None

    def show(
        self, mode: str, placed: PlacedStudy, source: EstimateSource | None, at: tuple[Selection, str]
    ) -> QWidget | None:
        """Show a study in ``multiples`` or ``boundaries``; return the panel, or None where there is nothing to show.

        Parameters
        ----------
        at
            What is selected, and the machine that is preferred.
        """
        spec = grid_spec(placed, source, at[0])
        if spec is None:
            return None
        if mode == "multiples":
            self._made_grid().show_study(placed, source, spec)
            return self.grid
        rows = placed.rows_of(spec.kernel)
        row = next((one for one in rows if one.machine == at[1]), rows[0] if rows else None)
        self._made_boundaries().set_row(row)
        return self.boundaries

    def front(self, mode: str) -> GridPanel | BoundariesPanel | None:
        """Return the panel of a mode, or None."""
        return self.grid if mode == "multiples" else self.boundaries if mode == "boundaries" else None

    def _made_grid(self) -> GridPanel:
        if self.grid is None:
            from rooflinestudio.ui.grid.panel import GridPanel

            view, grid = self._view, GridPanel()
            grid.panelRequested.connect(view.panelRequested)
            grid.selectRequested.connect(view.selectRequested)
            grid.machineRequested.connect(view.machineRequested)
            grid.variantRequested.connect(view.variantRequested)
            grid.chainVariantRequested.connect(view.chainVariantRequested)
            grid.copyRequested.connect(view.copy_tsv)
            self._body.addWidget(grid)
            self.grid = grid
        return self.grid

    def _made_boundaries(self) -> BoundariesPanel:
        if self.boundaries is None:
            from rooflinestudio.ui.grid.boundaries import BoundariesPanel

            self.boundaries = BoundariesPanel()
            self.boundaries.copyRequested.connect(self._view.copy_tsv)
            self._body.addWidget(self.boundaries)
        return self.boundaries

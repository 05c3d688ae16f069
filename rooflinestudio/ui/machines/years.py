"""Peak, bandwidth, link and ridge of all known machines by year, as small plots side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from rooflinestudio.core.machines.trend import trend_of
from rooflinestudio.ui.machines.trend_plot import TrendPlot
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["YearsPage"]

_PLOT_PX = 300


class YearsPage(QWidget):
    """Four plots, as many beside each other as there is room for.

    Signals
    -------
    machineRequested
        Id of a machine whose point was clicked.
    """

    machineRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = ElidingLabel("", role="label", token="text2")
        self.plots = [TrendPlot(self) for _ in range(4)]
        for plot in self.plots:
            plot.machineChosen.connect(self.machineRequested)
        content = QWidget()
        set_role(content, "surface")
        self._grid = QGridLayout(content)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 4, 4, 4)
        layout.addWidget(self.words)
        layout.addWidget(QuietScroll(content, "Machines by year"), 1)
        self._columns = 0
        self._arrange()

    def show_machines(self, machines: Sequence[HardwareProfile], shown: frozenset[str], waiting: int) -> None:
        """Draw machines, those of ``shown`` filled; processors are no accelerators, and left out."""
        accelerators = [one for one in machines if one.kind != "cpu"]
        trend = trend_of(accelerators)
        for plot in self.plots:
            plot.setVisible(trend is not None)
        if trend is None:
            self.words.set_text("No accelerator is known.")
            return
        left = f", {waiting} to be read" if waiting else ""
        self.words.set_text(
            f"{len(accelerators)} accelerators by the year they came out{left}; the peak is that of each one's "
            "reference pipe, so part of its growth is a smaller format."
        )
        for plot, series in zip(self.plots, trend.series, strict=False):
            plot.show_series(series, (trend.first_year, trend.last_year), shown)
        for plot in self.plots[len(trend.series) :]:
            plot.hide()

    def _arrange(self) -> None:
        columns = 4 if self.width() >= 4 * _PLOT_PX else 2
        if columns == self._columns:
            return
        self._columns = columns
        for at, plot in enumerate(self.plots):
            self._grid.addWidget(plot, at // columns, at % columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

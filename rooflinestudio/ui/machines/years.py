"""Peak, bandwidth, link and ridge of all known machines by year, as small plots side by side."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.machines.trend import trend_of
from rooflinestudio.ui.machines.trend_plot import TrendPlot
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["YearsPage"]

_PLOT_PX = 300


class YearsPage(QWidget):
    """Reads the profiles one by one while it is looked at: a window must not wait for sixty files.

    Signals
    -------
    machineRequested
        Id of a machine whose point was clicked.
    """

    machineRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source: Any = None
        self._waiting: list[str] = []
        self._known: dict[str, HardwareProfile] = {}
        self._machines: tuple[HardwareProfile, ...] = ()
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._read_next)
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

    def show_machines(self, source: Any, machines: Sequence[HardwareProfile]) -> None:
        """Take the source of all machines, and those in view."""
        if source is not self._source:
            self._source, self._known = source, {}
            self._waiting = [one.id for one in source.profiles] if source is not None else []
        if tuple(machines) != self._machines:
            self._machines = tuple(machines)
            self._draw()
        if self.isVisible() and self._waiting:
            self._timer.start()

    def read_all(self) -> None:
        """Read what is left at once."""
        while self._waiting:
            self._read_next()

    def _read_next(self) -> None:
        if not self._waiting:
            self._timer.stop()
            return
        id_ = self._waiting.pop(0)
        with contextlib.suppress(
            StudioError
        ):  # the plugin page says what is wrong with one that cannot be read
            self._known[id_] = self._source.load_profile(id_)
        if not self._waiting or len(self._waiting) % 8 == 0:
            self._draw()

    def _draw(self) -> None:
        known = {**self._known, **{one.id: one for one in self._machines}}
        machines = [one for one in known.values() if one.kind != "cpu"]
        trend = trend_of(machines)
        for plot in self.plots:
            plot.setVisible(trend is not None)
        if trend is None:
            self.words.set_text("No accelerator is known.")
            return
        left = f", {len(self._waiting)} to be read" if self._waiting else ""
        self.words.set_text(
            f"{len(machines)} accelerators by the year they came out{left}; the peak is that of each one's reference "
            "pipe, so part of its growth is a smaller format."
        )
        shown = frozenset(one.id for one in self._machines)
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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._waiting:
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

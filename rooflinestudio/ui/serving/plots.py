"""The plots of the serving view: one where there is little room, else traffic over rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rooflinestudio.ui.serving.pictures import rate_picture, traffic_picture
from rooflinestudio.ui.serving.plot import ServingPlot
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.serving.view import ServingPicture

__all__ = ["ServingPlots"]


class ServingPlots(QWidget):
    """Which curve is drawn, and the plots below.

    Signals
    -------
    overRequested
        What shall be drawn: ``rate``, ``batch`` or ``context``.
    """

    overRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._shown: ServingPicture | None = None
        self._both = False
        self.over = SegmentedControl(
            (("rate", "Tokens/s"), ("batch", "Traffic by batch"), ("context", "by context")),
            "Plot",
            compact=True,
        )
        self.over.chosen.connect(self.overRequested)
        self.traffic, self.rates = ServingPlot("Traffic of a step"), ServingPlot("Tokens per second")
        self.traffic.setObjectName("serving.traffic")
        self.rates.setObjectName("serving.rates")
        head = QHBoxLayout()
        head.setContentsMargins(4, 6, 12, 2)
        head.addWidget(self.over)
        head.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 0, 8, 6)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.traffic, 1)
        layout.addWidget(self.rates, 1)
        self.set_both(False)

    def set_both(self, both: bool) -> None:
        """Draw both plots, or the chosen one."""
        self._both = both
        self.over.button("rate").setVisible(not both)
        self._renew()

    def set_picture(self, shown: ServingPicture) -> None:
        """Draw a decode step."""
        self._shown = shown
        self._renew()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.fillRect(0, 0, 1, self.height(), ink("border"))
        painter.end()

    def _renew(self) -> None:
        over = self._shown.panel.over if self._shown is not None else "rate"
        self.over.set_value("batch" if self._both and over == "rate" else over)
        self.traffic.setVisible(self._both or over != "rate")
        self.rates.setVisible(self._both or over == "rate")
        if self._shown is None or self.isHidden():
            return
        if not self.traffic.isHidden():
            self.traffic.set_picture(traffic_picture(self._shown))
        if not self.rates.isHidden():
            self.rates.set_picture(rate_picture(self._shown))

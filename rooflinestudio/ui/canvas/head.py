"""The line above the plot: what is shown, how it was counted, what the markers mean, and the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from rooflinestudio.ui.canvas.stamps import Shape, Stamps
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.theme import LIGHT, Theme, set_role

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QAbstractButton

    from rooflinestudio.ui.canvas.scene import Scene

__all__ = ["LEGEND_FROM", "CanvasHead"]

HEIGHT: Final = 38
LEGEND_FROM: Final = 1400
"""Width of the window below which the legend folds away."""


class CanvasHead(QWidget):
    """Title, model line, legend and the tools: the explorer, and the buttons that the shell gives.

    Signals
    -------
    probeToggled
        Whether the user wants the probe.
    """

    probeToggled = Signal(bool)

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("canvas.head")
        set_role(self, "canvas-head")
        self.setFixedHeight(HEIGHT)
        self._title = self._label("canvas-title")
        self._policy = self._label("label")
        self._model = self._label("label")
        self._legend = Legend(theme, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 10, 0)
        row.setSpacing(14)
        row.addWidget(self._title)
        row.addWidget(self._policy)
        row.addWidget(self._model)
        row.addStretch(1)
        row.addWidget(self._legend)
        self._tools = QHBoxLayout()
        self._tools.setSpacing(2)
        row.addLayout(self._tools)
        self.explore = self._explore_button()
        self._tools.addWidget(self.explore)

    def _explore_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("canvas.explore")
        button.setText("Explore")
        button.setFont(font("label"))
        button.setCheckable(True)
        button.setToolTip("Slide a probe along the intensity axis and read the roof")
        button.setAccessibleName("Explore the roofline with a probe")
        button.clicked.connect(self.probeToggled)
        return button

    def _label(self, role: str) -> QLabel:
        label = QLabel(self)
        set_role(label, role)
        # A long line gives way to the tools instead of making the window wider.
        label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        label.setMinimumWidth(0)
        return label

    def set_scene(self, scene: Scene) -> None:
        """Say what the canvas shows."""
        self._title.setText(scene.title)
        policy, model = (*scene.model_line, "", "")[:2]
        self._policy.setText(policy)
        self._model.setText(model)
        self.setAccessibleName(f"{scene.title}: {policy}, {model}")
        self._fold()

    def set_theme(self, theme: Theme) -> None:
        self._legend.set_theme(theme)

    def set_probe(self, on: bool) -> None:
        """Show whether the probe is on."""
        self.explore.setChecked(on)

    def add_tool(self, button: QAbstractButton) -> None:
        """Take a tool button in, to the right of the others."""
        self._tools.addWidget(button)

    @property
    def legend(self) -> QWidget:
        """The legend; hidden in a narrow window."""
        return self._legend

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        """Hide the legend in a narrow window, and whatever has no room, the least important first."""
        wide = self.window().width() >= LEGEND_FROM
        tools = self._tools.sizeHint().width()
        room = self.width() - tools - self._title.sizeHint().width() - 60
        for part in (self._policy, self._model, self._legend):
            needed = part.sizeHint().width() + 14
            shown = room >= needed and (wide or part is not self._legend)
            part.setVisible(shown)
            room -= needed if shown else 0


class Legend(QWidget):
    """What the three kinds of markers mean."""

    KINDS: Final = (("circle", "predicted"), ("diamond", "measured"), ("ring", "not crossed"))

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("canvas.legend")
        self.setAccessibleName("Circle: predicted. Diamond: measured. Hollow circle: not crossed.")
        self.setFont(font("caption"))
        self._theme = theme
        self._stamps = Stamps()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(sum(metrics.horizontalAdvance(word) + 30 for _, word in self.KINDS), HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, middle, x = self.fontMetrics(), self.height() / 2, 8.0
        canvas, colour = self._theme.qcolor("canvas"), self._theme.qcolor("text2")
        for kind, word in self.KINDS:
            if kind == "ring":
                shape = Shape("circle", 4.2, canvas, colour, 1.8)
            else:
                shape = Shape(
                    "diamond" if kind == "diamond" else "circle",
                    5.4 if kind == "diamond" else 4.8,
                    colour,
                    canvas,
                    0.8,
                )
            self._stamps.draw(painter, (x, middle), shape, vector=False)
            painter.setPen(colour)
            baseline = middle + (metrics.ascent() - metrics.descent()) / 2
            painter.drawText(QPointF(x + 10, baseline), word)
            x += metrics.horizontalAdvance(word) + 30

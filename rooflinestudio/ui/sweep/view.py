"""The sweep tab: figures of one or several entries along a parameter, and the thresholds that they cross."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QLayout, QVBoxLayout, QWidget

from rooflinestudio.core.selection import selected_entry
from rooflinestudio.core.sweep.axes import declared
from rooflinestudio.core.sweep.maker import SweepMaker
from rooflinestudio.core.sweep.panel import PANEL, entries_with, sweep_spec, sweepable
from rooflinestudio.core.sweep.texts import curves_csv, sweep_markdown
from rooflinestudio.ui.panel_view import PanelView
from rooflinestudio.ui.sweep.controls import SweepControls
from rooflinestudio.ui.sweep.corner import SweepCorner
from rooflinestudio.ui.sweep.plot import SweepPlot
from rooflinestudio.ui.sweep.side import SweepSide
from rooflinestudio.ui.widgets.empty import EmptyState

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.sweep.picture import SweepPicture, ThresholdRow
    from rooflinestudio.ui.theme import Theme

__all__ = ["SweepView"]

_SETTLE_MS: Final = 40
_SLOW_S: Final = 0.012
"""Curves that take longer than this follow a slider when it rests."""

_TALL_PX: Final = 330
_SIDE_LEAST_PX, _SIDE_MOST_PX = 228, 460
_BELOW_TALL_PX, _BELOW_WIDE_PX, _BELOW_PX = 520, 1150, 216
"""Higher and narrower than this, the list stands below the plot, this high."""

_LEAST_PX: Final = (400, 130)
_ANY_PX: Final = 16_777_215
_NOTHING: Final = (
    "Nothing to sweep",
    "Place a kernel: its time, rate or intensity is drawn here along any of its parameters.",
)


class SweepView(PanelView):
    """Plot, controls, and the list of thresholds.

    Attributes
    ----------
    picture
        What is shown, or None.

    Signals
    -------
    parameterRequested
        Entry, parameter (tied ones with equals signs), value, and whether a drag goes on.
    gestureEnded
        A point was let go.
    """

    parameterRequested = Signal(str, str, object, bool)
    gestureEnded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("sweep", SweepCorner(), parent)
        self._cost_s = 0.0
        self._maker = SweepMaker()
        self.picture: SweepPicture | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.refresh)
        self.controls, self.plot, self.side = SweepControls(), SweepPlot(), SweepSide()
        self.empty = EmptyState(*_NOTHING)
        self._lay_out()
        self._connect()
        self._show_nothing()

    def _lay_out(self) -> None:
        self._body = QWidget()
        self._left = QVBoxLayout()
        self._left.setContentsMargins(12, 4, 4, 4)
        self._left.setSpacing(4)
        self._left.addWidget(self.controls)
        self._left.addWidget(self.plot, 1)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._body)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._columns.setSpacing(0)
        self._columns.addLayout(self._left, 1)
        self._columns.addWidget(self.side)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._body)
        outer = self.layout()
        if outer is not None:  # what is too large is rearranged
            outer.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)

    def _connect(self) -> None:
        self.corner.figureChosen.connect(self._on_corner_figure_chosen)
        self.corner.parameterChosen.connect(self._on_corner_parameter_chosen)
        self.corner.copyRequested.connect(self._on_corner_copy_requested)
        self.controls.changed.connect(self._request)
        self.controls.entryTicked.connect(self._on_controls_entry_ticked)
        self.plot.valueMoved.connect(self._on_plot_value_moved)
        self.plot.moveEnded.connect(self.gestureEnded)
        self.plot.entryChosen.connect(self._on_plot_entry_chosen)
        self.side.chosen.connect(self.plot.set_chosen)
        self.side.valueRequested.connect(self._on_side_value_requested)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study: at once, or, where curves take long while a slider moves, as soon as it rests."""
        before, self._placed = self._placed, placed
        same = before is not None and before.study.panels.get(PANEL) == placed.study.panels.get(PANEL)
        is_slow = self._cost_s >= _SLOW_S and self.picture is not None and not self.plot.is_moving
        if same and is_slow and self.isVisible():
            self._stale = True
            self._settle.start()
        else:
            self._renew_soon()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        for part in (self.corner, self.side.reason, self.side.notes, *self.controls.menus):
            part.refresh_theme()
        super().set_theme(theme)

    def refresh(self) -> None:
        """Bring it up to date, also while it is hidden: for export."""
        if self._stale:
            self._settle.stop()
            started = perf_counter()
            super().refresh()
            self._cost_s = perf_counter() - started

    def _show_study(self, placed: PlacedStudy) -> None:
        source = self._chain_source(placed)
        before = self.picture.spec if self.picture is not None else None
        spec = sweep_spec(placed, source, selected_entry(self._selection), before=before)
        picture = None
        if spec is not None and source is not None:
            picture = self._maker.picture(placed, source, spec, self._machine)
        self.picture = picture
        if picture is None or source is None:
            self._show_nothing()
            return
        self._stack.setCurrentWidget(self._body)
        self.corner.set_ready(True)
        self.corner.figure.set_value(picture.spec.figure)
        self.corner.set_parameters(_parameters(picture.operator), picture.spec.parameter)
        self.controls.set_picture(picture, entries_with(placed, source, picture.spec.names))
        self.side.set_picture(picture)
        self.plot.set_picture(picture)

    def _show_nothing(self) -> None:
        self.picture = None
        self._stack.setCurrentWidget(self.empty)
        self.corner.set_ready(False)

    def minimumSizeHint(self) -> QSize:
        return QSize(*_LEAST_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        below = self.height() >= _BELOW_TALL_PX and self.width() < _BELOW_WIDE_PX
        ways = QBoxLayout.Direction
        self._columns.setDirection(ways.TopToBottom if below else ways.LeftToRight)
        width = min(max(round(0.32 * self.width()), _SIDE_LEAST_PX), _SIDE_MOST_PX)
        self.side.setMinimumSize(0 if below else width, _BELOW_PX if below else 0)
        self.side.setMaximumSize(_ANY_PX if below else width, _BELOW_PX if below else _ANY_PX)
        self._place_controls(tall=self.height() >= _TALL_PX)
        self.side.set_place(tall=self.height() >= _TALL_PX, below=below)

    def _place_controls(self, *, tall: bool) -> None:
        """Let the controls stand over the plot, or, where every line of it counts, over the list."""
        if self.controls.is_brief == (not tall):
            return
        self.controls.set_brief(not tall)
        if tall:
            self._left.insertWidget(0, self.controls)
        else:
            self.side.take_controls(self.controls)

    # What the user does -------------------------------------------------------------------------------------------

    def _request(self, text: str, changes: dict[str, Any]) -> None:
        self.panelRequested.emit(text, PANEL, changes, False)

    def _on_corner_figure_chosen(self, figure: str) -> None:
        self._request("Figure of the sweep", {"figure": figure})

    def _on_corner_parameter_chosen(self, parameter: str) -> None:
        """Let another parameter run; the range is that of the old one, and a second one of the same name goes."""
        changes: dict[str, Any] = {"parameter": parameter, "low": None, "high": None}
        second = self.picture.spec.second if self.picture is not None else None
        if second is not None and second[0] in parameter.split("="):
            changes["second"] = None
        self._request(f"Sweep over {parameter}", changes)

    def _on_controls_entry_ticked(self, id_: str, on: bool) -> None:
        before = self.picture.spec.entries if self.picture is not None else ()
        wanted = [one for one in before if one != id_] + ([id_] if on else [])
        if not wanted:
            self._stale = True
            self.refresh()  # one entry stays: the menu takes its tick back
            return
        self._request("Compare entries in the sweep", {"entries": wanted})

    def _on_plot_entry_chosen(self, id_: str) -> None:
        if selected_entry(self._selection) != id_:
            self.selectRequested.emit(id_)

    def _on_plot_value_moved(self, id_: str, value: object) -> None:
        if self.picture is not None:
            self.parameterRequested.emit(id_, self.picture.spec.parameter, value, True)

    def _on_side_value_requested(self, row: ThresholdRow) -> None:
        if self.picture is not None:
            value = int(row.value) if self.picture.whole else row.value
            self.parameterRequested.emit(row.curve.key.entry, self.picture.spec.parameter, value, False)

    def _on_corner_copy_requested(self, kind: str) -> None:
        if kind == "csv":
            self.copy_csv()
        else:
            self.copy_markdown()

    def copy_markdown(self) -> None:
        """Put thresholds and some values on the clipboard in Markdown."""
        self._copy(
            lambda: "" if self.picture is None else sweep_markdown(self.picture), "Sweep copied as Markdown"
        )

    def copy_csv(self) -> None:
        """Put every point of the curves on the clipboard as CSV."""
        self._copy(lambda: "" if self.picture is None else curves_csv(self.picture), "Sweep copied as CSV")


def _parameters(operator: Operator) -> list[tuple[str, str]]:
    """Return what can run, with its words."""
    return [(one, one if "=" in one else declared(operator, one).label) for one in sweepable(operator)]

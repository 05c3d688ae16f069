"""The sweep tab: one parameter of the study's entries against a figure, with the exact thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from rooflinestudio.core.chains import source_for
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.sweep_curves_words import curves_csv, thresholds_markdown
from rooflinestudio.core.sweep_panel import PANEL
from rooflinestudio.core.sweep_panel_picture import sweep_picture
from rooflinestudio.ui.sweep.controls import SweepControls
from rooflinestudio.ui.sweep.plot import SweepPlot
from rooflinestudio.ui.sweep.thresholds import ThresholdPanel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.core.sweep_curves_words import ThresholdLine
    from rooflinestudio.core.sweep_panel_picture import SweepPicture
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["SweepView"]

_NOTHING = ("Nothing to sweep", "Place an operator to see its figures along one of its parameters.")


class SweepView(QWidget):
    """Controls over a plot, the thresholds beside it.

    Signals
    -------
    selectRequested
        An entry id.
    parameterRequested
        Entry id, parameter (``m=n=k`` where several are tied), value, and whether it is being dragged.
    gestureEnded
        The dot on the curve was let go.
    panelRequested
        A text for the undo list, the panel's name, its changed settings, and whether they change while dragging.
    copied
        What was copied, in words.
    """

    selectRequested = Signal(object)
    parameterRequested = Signal(str, str, object, bool)
    gestureEnded = Signal()
    panelRequested = Signal(str, str, object, bool)
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweep")
        set_role(self, "surface")
        self._source: EstimateSource | None = None
        self._placed: PlacedStudy | None = None
        self._selected: str | None = None
        self._machine = ""
        self._stale = False
        self.picture: SweepPicture | None = None
        self.controls, self.plot, self.thresholds = SweepControls(), SweepPlot(), ThresholdPanel()
        self.empty = EmptyState(*_NOTHING)
        self._lay_out()
        self.controls.changed.connect(
            lambda text, changes: self.panelRequested.emit(text, PANEL, changes, False)
        )
        self.controls.copyRequested.connect(self.copy)
        self.thresholds.copyRequested.connect(lambda: self.copy("markdown"))
        self.thresholds.chosen.connect(self.plot.set_chosen)
        self.thresholds.setRequested.connect(self._on_thresholds_set_requested)
        self.plot.valueRequested.connect(self._on_plot_value_requested)
        self.plot.gestureEnded.connect(self.gestureEnded)

    def _lay_out(self) -> None:
        self._body = QWidget()
        row = QHBoxLayout(self._body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.plot, 1)
        row.addWidget(self.thresholds)
        below = QWidget()
        self._stack = QStackedLayout(below)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.controls)
        column.addWidget(below, 1)
        self.controls.setVisible(False)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_source(self, source: EstimateSource) -> None:
        """Ask another source for operators."""
        self._source = source
        self._renew_if_visible()

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study; while the tab is hidden it only remembers it."""
        self._placed = placed
        self._renew_if_visible()

    def set_selection(self, selection: Selection) -> None:
        """Tell about the selected entry, which leads where the study names none; a part stands for its entry."""
        chosen = selection[1] if isinstance(selection, tuple) and selection[0] == "part" else selection
        self._selected = chosen if isinstance(chosen, str) else self._selected
        self._renew_if_visible()

    def set_machine(self, machine: str) -> None:
        """Tell which machine to sweep on where an entry is on several."""
        self._machine = machine
        self._renew_if_visible()

    def set_theme(self, _theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        repaint_all(self)

    def refresh(self) -> None:
        """Bring everything up to date at once, also while hidden."""
        if self._stale:
            self._renew()

    def _renew_if_visible(self) -> None:
        self._stale = True
        if self.isVisible():
            self._renew()

    def _renew(self) -> None:
        self._stale = False
        if self._placed is None or self._source is None:
            return
        found = sweep_picture(self._placed, self._source, self._selected, self._machine, self.picture)
        self.picture = found
        self.controls.setVisible(found is not None)
        if found is not None:
            self._show_controls(found)
        shown = found is not None and any(len(one.x) for one in found.curves)
        if found is not None and not shown:
            self.empty.set_texts("No curve", found.lead.reason)
        elif found is None:
            self.empty.set_texts(*_NOTHING)
        self._stack.setCurrentWidget(self._body if shown else self.empty)
        self.plot.set_picture(found if shown else None)
        self.thresholds.set_picture(found if shown else None)

    def _show_controls(self, picture: SweepPicture) -> None:
        assert self._placed is not None and self._source is not None
        source, entry = source_for(self._source, self._placed.study), picture.lead.row.entry
        entries = []
        for one in self._placed.study.entries:
            try:
                known = {parameter.name for parameter in source.operator(one.operator).parameters}
            except StudioError:
                continue
            if {*picture.spec.names} <= known:
                entries.append((one.id, one.label or one.id))
        self.controls.set_values(dict(entry.parameters))
        self.controls.set_spec(picture.spec, source.operator(entry.operator), entries)

    # What the user does -------------------------------------------------------------------------------------------

    def copy(self, kind: str) -> None:
        """Put the curves (``csv``) or the thresholds (``markdown``) on the clipboard."""
        self.refresh()
        if self.picture is None:
            return
        if kind == "csv":
            text, words = curves_csv(self.picture.curves, self.picture.spec), "Curves copied as CSV"
        else:
            text = thresholds_markdown(self.picture.lines, self.picture.verdict)
            words = "Thresholds copied as Markdown"
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(words)

    def _on_thresholds_set_requested(self, line: ThresholdLine) -> None:
        if self.picture is not None:
            value: Any = int(line.value) if float(line.value).is_integer() else line.value
            self.parameterRequested.emit(line.curve.entry, self.picture.spec.parameter, value, False)

    def _on_plot_value_requested(self, entry: str, value: object, dragging: bool) -> None:
        if self.picture is not None:
            self.parameterRequested.emit(entry, self.picture.spec.parameter, value, dragging)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.thresholds.setFixedWidth(min(420, max(200, round(self.width() * 0.32))))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._renew()

"""The machines tab: what sets machines apart, what another machine would do, and what to improve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from rooflinestudio.core.machines.difference import differences
from rooflinestudio.core.machines.gains import gains_of
from rooflinestudio.core.machines.panel import PANEL, machines_panel
from rooflinestudio.core.machines.what_if import SUFFIX, changed_machine, factors_of, flips, what_if_id
from rooflinestudio.ui.machines.corner import MachinesCorner
from rooflinestudio.ui.machines.factors import FactorRows
from rooflinestudio.ui.machines.figures import FiguresPage
from rooflinestudio.ui.machines.flips import FlipsModel, GainsModel
from rooflinestudio.ui.machines.reading import AllMachines
from rooflinestudio.ui.machines.ridges import RidgesPage
from rooflinestudio.ui.machines.years import YearsPage
from rooflinestudio.ui.panel_view import PanelView
from rooflinestudio.ui.widgets.empty_page import EmptyPage
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedStudy

__all__ = ["MachinesView"]

_NO_MACHINE: Final = ("No machine", "Add a machine to see its figures.")
_NO_ENTRY: Final = ("Nothing is placed", "Place an operator to see what another machine would make of it.")
_FLIP_WIDTHS: Final = (130, 172, 172, 80, 80, 100)
_HIDDEN_BELOW_PX: Final = {FlipsModel.TIME_NOW: 1180, FlipsModel.NOW: 1080, FlipsModel.TIME_THEN: 820}
_GAIN_WIDTHS: Final = (190, 130, 190, 90)


class MachinesView(PanelView):
    """Five pages over the machines of a study.

    Signals
    -------
    machineAddRequested
        Id of a machine to show; empty: the list shall open.
    machineRequested
        Id of the machine whose roof shall be the strong one.
    whatIfRequested
        Id of the machine, factors by resource, and whether a drag goes on.
    whatIfShownRequested
        Id of the machine, and whether the changed one shall stand on the canvas.
    gestureEnded
        A drag is over.
    """

    machineAddRequested = Signal(str)
    machineRequested = Signal(str)
    whatIfRequested = Signal(str, dict, bool)
    whatIfShownRequested = Signal(str, bool)
    gestureEnded = Signal()
    corner: MachinesCorner

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(PANEL, MachinesCorner(), parent)
        self.add_button = QPushButton("Add a machine")
        self.add_button.setObjectName("machines_tab.add")
        self._nothing = EmptyPage(*_NO_MACHINE, self.add_button)
        self.empty = self._nothing.state
        self.figures, self.ridges, self.years = FiguresPage(), RidgesPage(), YearsPage()
        self.all = AllMachines(self)
        self.factors = FactorRows()
        self.flip_model, self.gain_model = FlipsModel(self), GainsModel(self)
        self.flip_table = _table("What if", self.flip_model, _FLIP_WIDTHS, (0,))
        self.gain_table = _table("A tenth better", self.gain_model, _GAIN_WIDTHS, (0, 2))
        self.what_if = _side_by_side(self.factors, self.flip_table)
        for page in (self._nothing, self.figures, self.what_if, self.gain_table, self.ridges, self.years):
            self._stack.addWidget(page)
        self._connect()

    def _connect(self) -> None:
        self.corner.pageChosen.connect(lambda page: self._request("Show machines", {"page": page}))
        self.corner.differentChosen.connect(
            lambda on: self._request("List figures", {"different": on or None})
        )
        self.corner.copyRequested.connect(self.copy_markdown)
        self.add_button.clicked.connect(lambda: self.machineAddRequested.emit(""))
        self.figures.copyRequested.connect(self.copy_markdown)
        for table in (self.flip_table, self.gain_table):
            table.copyRequested.connect(self.copy_markdown)
        self.flip_table.rowChosen.connect(self._on_flip_table_row_chosen)
        self.factors.factorsRequested.connect(self._on_factors_factors_requested)
        self.factors.shownRequested.connect(self._on_factors_shown_requested)
        self.factors.gestureEnded.connect(self.gestureEnded)
        self.all.grown.connect(self._show_all)
        for page in (self.ridges, self.years):
            page.machineRequested.connect(self._on_page_machine_requested)
        self.ridges.copyRequested.connect(self.copy_markdown)

    # What it shows ------------------------------------------------------------------------------------------------

    def _show_study(self, placed: PlacedStudy) -> None:
        panel = machines_panel(placed.study)
        self.corner.show_settings(panel.page, different=panel.different)
        profile = self._base_machine(placed)
        self.all.set_source(self._source)
        if panel.page in ("all", "years"):
            self._stack.setCurrentWidget(self.years if panel.page == "years" else self.ridges)
            self._show_all()
        elif profile is None:
            self._show_nothing(_NO_MACHINE, add=True)
        elif panel.page == "figures":
            rows = differences(placed.machines)
            shown = [row for row in rows if row.differs] if panel.different else rows
            self.figures.show_machines(placed.machines, shown)
            self._stack.setCurrentWidget(self.figures)
        elif self._source is not None:
            self._show_study_on(placed, profile, panel.page)

    def _show_all(self) -> None:
        """Show every machine that is read, those of the study as it has them."""
        placed, page = self._placed, self._stack.currentWidget()
        if placed is None or page not in (self.ridges, self.years):
            self.all.set_running(False)
            return
        known = {**self.all.known, **{one.id: one for one in placed.machines}}
        machines, shown = tuple(known.values()), frozenset(one.id for one in placed.machines)
        if page is self.years:
            self.years.show_machines(machines, shown, self.all.waiting)
        else:
            self.ridges.show_machines(machines, shown)
        self.all.set_running(self.isVisible())

    def _show_study_on(self, placed: PlacedStudy, profile: HardwareProfile, page: str) -> None:
        """Show what another machine, or a better one, makes of the study."""
        source = self._chain_source(placed)
        assert source is not None
        if page == "gains":
            gains = gains_of(placed, profile, source)
            if not gains:
                self._show_nothing(_NO_ENTRY, add=False)
                return
            names = {one.id: one.label or one.id for one in placed.study.entries}
            self.gain_model.set_gains(gains, names)
            self._stack.setCurrentWidget(self.gain_table)
            return
        factors = factors_of(profile, machines_panel(placed.study).what_if.get(profile.id))
        shown = what_if_id(profile) in placed.study.view.machines
        self.factors.show_machine(profile, factors, shown=shown)
        self.flip_model.set_rows(flips(placed, profile, changed_machine(profile, factors), source))
        self._stack.setCurrentWidget(self.what_if)

    def _show_nothing(self, words: tuple[str, str], *, add: bool) -> None:
        self.empty.set_texts(*words)
        self.add_button.setVisible(add)
        self._stack.setCurrentWidget(self._nothing)

    def _base_machine(self, placed: PlacedStudy) -> HardwareProfile | None:
        """Return the strong machine; of a changed one, the machine that it was made from."""
        profile = placed.profiles.get(self._machine)
        if profile is not None and profile.id.endswith(SUFFIX) and profile.based_on in placed.profiles:
            return placed.profiles[profile.based_on]
        return profile or next(iter(placed.machines), None)

    # What the user does -------------------------------------------------------------------------------------------

    def copy_markdown(self) -> None:
        """Put the table of the page on the clipboard in Markdown."""
        self._copy(self._markdown, "Table copied as Markdown")

    def _markdown(self) -> str:
        shown = self._stack.currentWidget()
        models: dict[QWidget, Any] = {
            self.figures: self.figures.model,
            self.what_if: self.flip_model,
            self.gain_table: self.gain_model,
            self.ridges: self.ridges.model,
        }
        model = models.get(shown) if shown is not None else None
        return model.markdown() if model is not None else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, least in _HIDDEN_BELOW_PX.items():
            self.flip_table.setColumnHidden(column, self.width() < least)
        self.flip_table.share_width(_FLIP_WIDTHS, grows=(0,))

    def _request(self, text: str, changes: dict[str, Any]) -> None:
        self.panelRequested.emit(text, PANEL, changes, False)

    def _on_flip_table_row_chosen(self, row: int) -> None:
        self.selectRequested.emit(self.flip_model.rows[row].entry)

    def _on_factors_factors_requested(self, factors: dict[str, float], dragging: bool) -> None:
        profile = self._base_machine(self._placed) if self._placed is not None else None
        if profile is not None:
            self.whatIfRequested.emit(profile.id, factors, dragging)

    def _on_factors_shown_requested(self, shown: bool) -> None:
        profile = self._base_machine(self._placed) if self._placed is not None else None
        if profile is not None:
            self.whatIfShownRequested.emit(profile.id, shown)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.all.set_running(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_all()

    def _on_page_machine_requested(self, id_: str) -> None:
        shown = self._placed is not None and id_ in self._placed.study.view.machines
        (self.machineRequested if shown else self.machineAddRequested).emit(id_)


def _table(name: str, model: Any, widths: tuple[int, ...], grows: tuple[int, ...]) -> RowTable:
    made = RowTable(name, edge_px=16)
    made.setModel(model)
    made.share_width(widths, grows=grows)
    return made


def _side_by_side(left: QWidget, right: QWidget) -> QWidget:
    page = QWidget()
    row = QHBoxLayout(page)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addWidget(left, 2)
    row.addWidget(right, 3)
    return page

"""The inspector: the selected entry, the selected measured kernel, or else the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.selection import selected_entry
from rooflinestudio.ui.inspector.machine import MachinePanel
from rooflinestudio.ui.inspector.surroundings import Surroundings
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.ui.inspector.entry_page import EntryPage
    from rooflinestudio.ui.inspector.kernel import KernelPanel
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["InspectorView"]


class InspectorView(QScrollArea):
    """Shows what is selected, and asks for changes of it.

    Signals
    -------
    parameterRequested
        Entry id, name of the parameter, value, and whether a drag is going on.
    parametersResetRequested
        Entry id: all parameters back to the operator's defaults.
    dtypesRequested
        Entry id and the formats that it is to hold, by role, ``all`` being the shorthand.
    settingRequested
        Entry id, field (policy, boundary, absorption, overlap, ceiling), value (None: follow the view again), dragging.
    gestureEnded
        A drag is over.
    machineRequested
        Id of the machine to be the strong one.
    pairRequested
        Overlay digest, index of the kernel, and the entry to hold it against (empty for none).
    pairChoiceRequested
        Kernels, each as digest and index: what they can be held against is to be shown.
    commandCopied
        The command line that was copied.
    variantRequested
        A new entry that varies the selected one, and the words of what it tries.
    """

    parameterRequested = Signal(str, str, object, bool)
    parametersResetRequested = Signal(str)
    dtypesRequested = Signal(str, object)
    settingRequested = Signal(str, str, object, bool)
    gestureEnded = Signal()
    machineRequested = Signal(str)
    pairRequested = Signal(str, int, str)
    pairChoiceRequested = Signal(object)
    commandCopied = Signal(str)
    variantRequested = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source: EstimateSource | None = None
        self._placed: PlacedStudy | None = None
        self._selection: Selection = None
        self._machine = ""
        self._shown: tuple[Any, ...] = ()
        self.setObjectName("inspector")
        self.setAccessibleName("Inspector")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._entry_page: EntryPage | None = None
        self._kernel_page: KernelPanel | None = None
        self.machine_page = MachinePanel()
        content = QWidget()
        set_role(content, "surface")
        self._layout = QVBoxLayout(content)
        self._layout.setContentsMargins(14, 10, 14, 14)
        self._layout.addWidget(self.machine_page)
        self._layout.addStretch(1)
        self.setWidget(content)
        self._renew()

    # Pages are made when they are first needed: at the start only the machine is shown.

    @property
    def entry_page(self) -> EntryPage:
        """The page of an entry."""
        if self._entry_page is None:
            from rooflinestudio.ui.inspector.entry_page import EntryPage

            self._entry_page = EntryPage()
            self._take_page(self._entry_page)
            self._connect_entry_page(self._entry_page)
        return self._entry_page

    @property
    def kernel_page(self) -> KernelPanel:
        """The page of a measured kernel."""
        if self._kernel_page is None:
            from rooflinestudio.ui.inspector.kernel import KernelPanel

            self._kernel_page = KernelPanel()
            self._take_page(self._kernel_page)
            self._kernel_page.pairRequested.connect(self.pairRequested)
            self._kernel_page.pairChoiceRequested.connect(self.pairChoiceRequested)
        return self._kernel_page

    def prepare(self) -> None:
        """Make the page of entries ahead of the first selection: for a moment in which nobody waits."""
        self.entry_page.hide()
        self._renew()

    def _take_page(self, page: QWidget) -> None:
        page.hide()
        self._layout.insertWidget(0, page)

    @property
    def _pages(self) -> tuple[EntryPage | KernelPanel | MachinePanel, ...]:
        """What has been made so far."""
        made = (self._entry_page, self._kernel_page, self.machine_page)
        return tuple(page for page in made if page is not None)

    def _connect_entry_page(self, page: EntryPage) -> None:
        page.parameterRequested.connect(self.parameterRequested)
        page.parametersResetRequested.connect(self.parametersResetRequested)
        page.dtypesRequested.connect(self.dtypesRequested)
        page.settingRequested.connect(self.settingRequested)
        page.gestureEnded.connect(self.gestureEnded)
        page.machineRequested.connect(self.machineRequested)
        page.commandCopied.connect(self.commandCopied)
        page.variantRequested.connect(self.variantRequested)

    def sizeHint(self) -> QSize:
        return QSize(332, 700)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 160)

    # What it shows ------------------------------------------------------------------------------------------------

    def set_source(self, source: EstimateSource) -> None:
        """Take declarations of operators from a source."""
        self._source = source
        self._shown = ()
        self._renew()

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study."""
        self._placed = placed
        self._renew()

    def set_selection(self, selection: Selection) -> None:
        """Show an entry, a measured kernel, or the machine."""
        if selection != self._selection:
            self._selection = selection
            self.verticalScrollBar().setValue(0)
            self._renew()

    def set_machine(self, machine: str) -> None:
        """Show results on a machine."""
        if machine != self._machine:
            self._machine = machine
            self._renew()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for page in self._pages:
            page.refresh_theme()
        repaint_all(self)

    def copy_command(self) -> None:
        """Copy the selected entry as a command line."""
        self.entry_page.result.copy_command()

    def _renew(self) -> None:
        placed, selection = self._placed, self._selection
        entry = selected_entry(selection)
        if placed is not None and entry is not None and placed.study.has_entry(entry):
            self._show_entry(placed, entry)
            return
        if placed is not None and isinstance(selection, tuple) and selection[0] == "measured":
            overlay = next((one for one in placed.study.overlays if one.digest == selection[1]), None)
            if overlay is not None and 0 <= selection[2] < len(overlay):
                self.kernel_page.show_kernel(placed, overlay, selection[2], self._machine)
                self._raise(self.kernel_page)
                return
        self._show_machine()

    def _show_entry(self, placed: PlacedStudy, entry_id: str) -> None:
        rows = placed.rows_of(entry_id)
        row = next((one for one in rows if one.machine == self._machine), rows[0] if rows else None)
        shown = (row, placed.study.view, *rows)
        around = Surroundings(placed, self._source) if self._source is not None else None
        self.entry_page.set_surroundings(around)
        if row is not None and (
            len(shown) != len(self._shown) or any(a is not b for a, b in zip(shown, self._shown, strict=True))
        ):
            self._shown = shown
            others = tuple(one for one in rows if one is not row)
            self.entry_page.show_row(self._operator(row), row, others, placed.study.view)
        if row is None:
            self._shown = ()
            self.entry_page.show_unplaced(placed.study.entry(entry_id))
        self._raise(self.entry_page)

    def _operator(self, row: PlacedRow) -> Operator | None:
        try:
            return self._source.operator(row.entry.operator) if self._source is not None else None
        except StudioError:
            return None

    def _show_machine(self) -> None:
        profile = None
        boundary = None
        if self._placed is not None:
            machines = self._placed.machines
            profile = next(
                (one for one in machines if one.id == self._machine), machines[0] if machines else None
            )
            boundary = self._placed.study.view.boundary
        self.machine_page.show_profile(profile, boundary)
        self._raise(self.machine_page)

    def _raise(self, wanted: QWidget) -> None:
        for page in self._pages:
            page.setVisible(page is wanted)

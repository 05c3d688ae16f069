"""The machines of the study as chips in the tool bar, and the list to add another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from rooflinestudio.core.profile_edit.changes import summary_of_changes
from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.hardware.machine_chip import MachineChip
from rooflinestudio.ui.hardware.machine_list import MachineList
from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.profile_edit.changes import ProfileChange
    from rooflinestudio.ui.hardware.machine_list import MachineEntry
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["MachineSelector"]

_CHIPS_WIDE: Final = 3
_CHIPS_COMPACT: Final = 2


class MachineSelector(QWidget):
    """Chips of the machines in view; the strong one has the strong roof.

    Signals
    -------
    machineRequested
        Id of the machine whose roof is to be the strong one.
    addRequested
        Id of a profile to be shown.
    removeRequested
        Id of a machine to be taken out of view.
    profileTakeRequested
        Id of a machine whose profile as it is now is to replace the study's copy.
    differencesRequested
        Id of a machine whose copy is to be held against the profile as it is now.
    editRequested
        Id of a machine to be opened in the editor.
    duplicateRequested
        Id of a machine of which a copy is to be edited.
    """

    machineRequested = Signal(str)
    addRequested = Signal(str)
    removeRequested = Signal(str)
    profileTakeRequested = Signal(str)
    differencesRequested = Signal(str)
    editRequested = Signal(str)
    duplicateRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("machines")
        self.setAccessibleName("Machines")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._placed: PlacedStudy | None = None
        self._machine = ""
        self._compact = False
        self._changes: Mapping[str, tuple[ProfileChange, ...]] = {}
        self.chips: list[MachineChip] = []
        self.add_button = _button("plus", "Add a machine", "machines.add")
        self.add_button.clicked.connect(self.open_list)
        self.more_button = _button("chevron-down", "More machines", "machines.more")
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more_menu = QMenu(self.more_button)
        self.more_button.setMenu(self._more_menu)
        self._more_menu.triggered.connect(self._on_more_menu_triggered)
        self.list = MachineList(self)
        self.list.chosen.connect(self._on_list_chosen)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self.more_button)
        self._row.addWidget(self.add_button)
        self.more_button.hide()

    # What it shows ------------------------------------------------------------------------------------------------

    def set_machines(self, machines: Iterable[MachineEntry]) -> None:
        """Offer these profiles in the list; none of them is read yet."""
        self.list.set_machines(machines)

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show the machines of a study."""
        self._placed = placed
        self._renew()

    def set_machine(self, machine: str) -> None:
        """Mark the strong one."""
        if machine != self._machine:
            self._machine = machine
            self._renew()

    def set_changes(self, changes: Mapping[str, tuple[ProfileChange, ...]]) -> None:
        """Mark the machines whose profiles have changed since the study took its copies; values say what differs."""
        if changes != self._changes:
            self._changes = changes
            self._renew()

    def set_selection(self, selection: Selection) -> None:
        """Show the same, whatever is selected."""

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window: fewer chips, and the word before the ridge only on the strong one."""
        if compact != self._compact:
            self._compact = compact
            self._renew()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        repaint_all(self)

    def _renew(self) -> None:
        if self._placed is None:
            return
        machines, shown = list(self._placed.study.view.machines), self._shown_ids()
        while len(self.chips) < len(shown):
            self._add_chip()
        for at, chip in enumerate(self.chips):
            chip.setVisible(at < len(shown))
            if at < len(shown):
                self._fill(chip, shown[at], machines.index(shown[at]))
        self._fill_more([id_ for id_ in machines if id_ not in shown])
        self.list.set_shown(frozenset(machines))

    def _shown_ids(self) -> list[str]:
        """Return the machines that get a chip: the first few, and the strong one in any case."""
        assert self._placed is not None
        machines = list(self._placed.study.view.machines)
        room = _CHIPS_COMPACT if self._compact else _CHIPS_WIDE
        shown = machines[:room]
        if self._machine in machines and self._machine not in shown:
            shown[-1] = self._machine
        return shown

    def _add_chip(self) -> None:
        chip = MachineChip()
        chip.chosen.connect(self.machineRequested)
        chip.removeRequested.connect(self.removeRequested)
        chip.menuRequested.connect(self._on_chip_menu_requested)
        self._row.insertWidget(len(self.chips), chip)
        if self.chips:
            QWidget.setTabOrder(self.chips[-1], chip)
        self.chips.append(chip)
        QWidget.setTabOrder(chip, self.more_button)
        QWidget.setTabOrder(self.more_button, self.add_button)

    def _fill(self, chip: MachineChip, id_: str, number: int) -> None:
        assert self._placed is not None
        profile = self._placed.profiles.get(id_)
        strong = id_ == self._machine
        name = profile.short_name if profile is not None else id_
        ridge, tip = _ridge(profile, self._placed.study.view.boundary)
        words = f"ridge {ridge}" if ridge and (strong or not self._compact) else ridge
        chip.show_machine(id_, name, words, number=number, strong=strong, missing=profile is None)
        changes = self._changes.get(id_, ())
        chip.show_changed(bool(changes))
        if profile is None:
            chip.setToolTip(f"{id_}: no profile of this id is there")
        else:
            changed = f"\nChanged since: {summary_of_changes(changes)}" if changes else ""
            chip.setToolTip(f"{profile.name}\n{tip}{changed}")

    def _fill_more(self, ids: list[str]) -> None:
        self._more_menu.clear()
        for id_ in ids:
            profile = self._placed.profiles.get(id_) if self._placed is not None else None
            action = self._more_menu.addAction(profile.short_name if profile is not None else id_)
            action.setData(id_)
        self.more_button.setVisible(bool(ids))
        self.more_button.setToolTip(f"{len(ids)} more machines")

    # What the user does -------------------------------------------------------------------------------------------

    def open_list(self) -> None:
        """Open the list of machines below the plus."""
        corner = self.add_button.mapToGlobal(QPoint(0, self.add_button.height() + 4))
        self.list.open_at(corner)

    def _on_list_chosen(self, id_: str) -> None:
        machines = self._placed.study.view.machines if self._placed is not None else ()
        (self.machineRequested if id_ in machines else self.addRequested).emit(id_)

    def chip_menu(self, id_: str) -> QMenu:
        """Return the menu of one machine."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if changes := self._changes.get(id_):
            menu.addAction(
                f"Take the new figures ({summary_of_changes(changes)})",
                lambda: self.profileTakeRequested.emit(id_),
            )
            menu.addAction("Show differences…", lambda: self.differencesRequested.emit(id_))
            menu.addSeparator()
        menu.addAction("Edit…", lambda: self.editRequested.emit(id_))
        menu.addAction("Duplicate to edit…", lambda: self.duplicateRequested.emit(id_))
        menu.addSeparator()
        menu.addAction("Take it out of view", lambda: self.removeRequested.emit(id_))
        return menu

    def _on_chip_menu_requested(self, id_: str, at: QPoint) -> None:
        self.chip_menu(id_).popup(at)

    def _on_more_menu_triggered(self, action: Any) -> None:
        self.machineRequested.emit(str(action.data()))


def _ridge(profile: HardwareProfile | None, boundary: str | None) -> tuple[str, str]:
    """Return the ridge at the boundary that is looked at, and the same in words; empty where there is none."""
    if profile is None or profile.reference_ceiling not in profile.ceilings:
        return "", ""
    at = boundary if boundary in profile.boundaries else "dram"
    if at not in profile.boundaries:
        return "", ""
    ridge = format_number(profile.ridge(boundary_id=str(at)))
    ceiling = profile.ceilings[profile.reference_ceiling].label
    return ridge, f"ridge {ridge} FLOP/byte: {ceiling} at {profile.boundaries[str(at)].label}"


def _button(name: str, words: str, object_name: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(object_name)
    button.setIcon(icon(name))
    button.setIconSize(QSize(TOOL_PX, TOOL_PX))
    button.setAccessibleName(words)
    button.setToolTip(words)
    return button

"""The table of all machines, sorted by any column; a double click shows one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from rooflinestudio.core.machines.ridges import ridge_lines
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.machines.markdown import table_markdown
from rooflinestudio.ui.widgets.cells import Cell, TextCell
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.machines.ridges import RidgeLine

__all__ = ["RidgesModel", "RidgesPage"]

NONE: Final = "–"
_WIDTHS: Final = (190, 84, 52, 100, 104, 92, 84, 76, 92, 72, 96)
_HIDDEN_BELOW_PX: Final = {10: 1060, 9: 980, 8: 900, 5: 800, 3: 700, 1: 620}


def _quantity(unit: str) -> Callable[[Any], str]:
    return lambda value: format_quantity(value, unit)


_COLUMNS: Final[tuple[tuple[str, str, str, Callable[[Any], str] | None], ...]] = (
    ("Machine", "name", "Name of the machine; those in view are bold", None),
    ("Vendor", "vendor", "Who makes it", None),
    ("Year", "year", "When it came out", str),
    ("Pipe", "pipe", "The reference pipe: what the peak and the ridge are of", None),
    ("Peak", "flop_per_s", "Rate of the reference pipe, dense", _quantity("FLOP/s")),
    ("Memory", "capacity_bytes", "Capacity of device memory", _quantity("B")),
    ("Bandwidth", "bytes_per_s", "Bandwidth of device memory", _quantity("B/s")),
    ("Ridge", "ridge", "Peak / bandwidth, FLOP/byte", format_number),
    ("Link", "link_bytes_per_s", "The fastest link, one direction", _quantity("B/s")),
    ("Power", "power_w", "Rated power", _quantity("W")),
    ("FLOP/J", "flop_per_j", "Peak per rated power", _quantity("FLOP/J")),
)
_NUMBERS: Final = tuple(at for at, one in enumerate(_COLUMNS) if one[3] is not None)


class RidgesModel(RowsModel):
    """One row for each machine, in the order of a column."""

    heads = tuple(one[0] for one in _COLUMNS)
    hints = tuple(one[2] for one in _COLUMNS)
    numbers = _NUMBERS

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._shown: frozenset[str] = frozenset()
        self._lines: tuple[RidgeLine, ...] = ()
        self._needle = ""
        self._sorted_by: tuple[int, bool] | None = None

    def set_lines(self, lines: Iterable[RidgeLine], shown: frozenset[str]) -> None:
        """Show these machines; those of ``shown`` are in view."""
        if shown != self._shown:
            self.rows, self._cells = (), []  # they look otherwise
        self._lines, self._shown = tuple(lines), shown
        self._renew()

    def set_needle(self, needle: str) -> None:
        """List only machines that have these words in name, vendor, id or pipe."""
        self._needle = needle
        self._renew()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 goes back to the newest first."""
        self._sorted_by = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self._renew()

    def _renew(self) -> None:
        words = self._needle.casefold().split()
        found = [
            one
            for one in self._lines
            if all(
                word in f"{one.name} {one.vendor} {one.id} {one.pipe} {one.year}".casefold() for word in words
            )
        ]
        if self._sorted_by is not None:
            column, falls = self._sorted_by
            known = [one for one in found if getattr(one, _COLUMNS[column][1]) is not None]
            known.sort(key=lambda one: _sort_key(one, column), reverse=falls)
            found = known + [one for one in found if getattr(one, _COLUMNS[column][1]) is None]
        self.set_rows(found)

    def key(self, row: RidgeLine) -> object:
        return row.id, row.id in self._shown

    def cell(self, row: RidgeLine, column: int) -> Cell | None:
        _, name, _, show = _COLUMNS[column]
        value = getattr(row, name)
        if show is None:
            return TextCell(str(value), strong=column == 0 and row.id in self._shown)
        doubted = {"flop_per_s": "peak", "bytes_per_s": "bandwidth"}.get(name)
        ridge_doubted = name in ("ridge", "flop_per_j") and row.assumed
        token = "warn" if doubted in row.assumed or ridge_doubted else "text" if value else "muted"
        return TextCell(NONE if value is None else show(value), token, number=True)

    def tip(self, row: RidgeLine, column: int) -> str | None:
        if row.assumed and _COLUMNS[column][1] in ("flop_per_s", "bytes_per_s", "ridge", "flop_per_j"):
            return f"The {' and the '.join(row.assumed)} of this profile {_are(row.assumed)} assumed."
        return row.name if column == 0 else None

    def markdown(self) -> str:
        """Return the table as Markdown."""
        return table_markdown(self)


def _are(words: tuple[str, ...]) -> str:
    return "is" if len(words) == 1 else "are"


def _sort_key(line: RidgeLine, column: int) -> Any:
    value = getattr(line, _COLUMNS[column][1])
    return value.casefold() if isinstance(value, str) else value


class _MachinesTable(RowTable):
    """Tells the row on which Enter was pressed."""

    confirmed = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.confirmed.emit(self.currentIndex().row())


class RidgesPage(QWidget):
    """A search field over the table.

    Signals
    -------
    machineRequested
        Id of a machine to show.
    copyRequested
        The copy key was pressed.
    """

    machineRequested = Signal(str)
    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit()
        self.search.setObjectName("machines_tab.search")
        self.search.setAccessibleName("Search machines in the table")
        self.search.setPlaceholderText(
            "Search by name, vendor, year or pipe; a double click or Enter shows a machine"
        )
        self.search.setClearButtonEnabled(True)
        self.search.setFont(font("body"))
        self.model = RidgesModel(self)
        self.table = _MachinesTable("All machines", edge_px=16)
        self.table.setObjectName("machines_tab.ridges")
        self.table.setModel(self.model)
        self.table.share_width(_WIDTHS, grows=(0,))
        head = self.table.horizontalHeader()
        head.setSectionsClickable(True)
        head.sectionClicked.connect(self._on_section_clicked)
        self.search.textChanged.connect(self.model.set_needle)
        self.table.doubleClicked.connect(lambda index: self._choose(index.row()))
        self.table.confirmed.connect(self._choose)
        self.search.returnPressed.connect(self._on_search_return_pressed)
        self.table.copyRequested.connect(self.copyRequested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        row = QVBoxLayout()
        row.setContentsMargins(16, 6, 12, 0)
        row.addWidget(self.search)
        layout.addLayout(row)
        layout.addWidget(self.table, 1)

    def show_machines(self, machines: Iterable[HardwareProfile], shown: frozenset[str]) -> None:
        """Show machines; those of ``shown`` are in view."""
        self.model.set_lines(ridge_lines(machines), shown)

    def _choose(self, row: int) -> None:
        self.machineRequested.emit(self.model.rows[row].id)

    def _on_search_return_pressed(self) -> None:
        if self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(0, 0))
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_section_clicked(self, column: int) -> None:
        down, up = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
        self.table.sort_next(column, down if column in _NUMBERS else up)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, least in _HIDDEN_BELOW_PX.items():
            self.table.setColumnHidden(column, self.width() < least)
        self.table.share_width(_WIDTHS, grows=(0,))

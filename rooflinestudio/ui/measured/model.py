"""Measured kernels as a table: rows stay where they are in the overlays' columns, and a map says in which order."""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.ui.widgets.cells import CELL, Cell, MarkerCell, TextCell
from rooflinestudio.ui.widgets.words import bytes_text, intensity_text, time_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.study import Study

__all__ = ["COLUMNS", "MeasuredModel"]

COLUMNS: Final = ("Kernel", "Time", "Q at dram", "Achieved", "I, FLOP/byte", "Pipe", "Device", "Note")
KERNEL, TIME, TRAFFIC, ACHIEVED, INTENSITY, PIPE, DEVICE, NOTE = range(len(COLUMNS))
_HINTS: Final = (
    "Name as the profiler wrote it",
    "Duration of one launch",
    "Bytes to and from device memory",
    "Rate on the main pipe",
    "Work per byte at device memory",
    "Pipe with the largest work",
    "Where it was measured",
    "What is missing, and why",
)
_NUMBERS: Final = {
    TIME: "time_s",
    TRAFFIC: "dram_bytes",
    ACHIEVED: "achieved_flop_per_s",
    INTENSITY: "intensity_dram",
}
_TEXTS: Final = {KERNEL: "kernel", DEVICE: "device", NOTE: "reason"}
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_DISPLAY, _TIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
_SPOKEN = Qt.ItemDataRole.AccessibleTextRole
_ANSWERED: Final = (CELL, _DISPLAY, _TIP, _SPOKEN)

_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()


class MeasuredModel(QAbstractTableModel):
    """All kernels of all overlays; nothing is copied, and only what is painted is put into words."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._overlays: tuple[Overlay, ...] = ()
        self._starts: list[int] = [0]
        self._order: Any = None
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None
        self._slots: Mapping[tuple[str, int], int | str] = {}

    def set_study(self, study: Study) -> None:
        """Show the overlays of a study; the same ones again reset nothing."""
        slots = {entry.id: entry.slot for entry in study.entries}
        self._slots = {
            (pair.overlay, pair.launch): slots[pair.entry] for pair in study.pairs if pair.entry in slots
        }
        if len(study.overlays) == len(self._overlays) and all(
            a == b for a, b in zip(study.overlays, self._overlays, strict=True)
        ):
            return
        self.beginResetModel()
        self._overlays = study.overlays
        self._starts = [0]
        for overlay in study.overlays:
            self._starts.append(self._starts[-1] + len(overlay))
        self._order = self._computed_order()
        self.endResetModel()

    # Where rows are -----------------------------------------------------------------------------------------------

    def place_of(self, row: int) -> tuple[Overlay, int]:
        """Return the overlay of a row, and its index in there."""
        at = int(self._order[row]) if self._order is not None else row
        number = bisect_right(self._starts, at) - 1
        return self._overlays[number], at - self._starts[number]

    def row_of(self, digest: str, index: int) -> int:
        """Return the row of a kernel, -1 where it is not here."""
        for start, overlay in zip(self._starts, self._overlays, strict=False):
            if overlay.digest == digest and 0 <= index < len(overlay):
                if self._order is None:
                    return start + index
                return int((self._order == start + index).nonzero()[0][0])
        return -1

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 goes back to the order of the files. What is absent stays last."""
        self._sorted_by = (column, order) if column >= 0 else None
        self.layoutAboutToBeChanged.emit()
        kept = [(index, self.place_of(index.row())) for index in self.persistentIndexList()]
        self._order = self._computed_order()
        for index, (overlay, at) in kept:
            self.changePersistentIndex(index, self.index(self.row_of(overlay.digest, at), index.column()))
        self.layoutChanged.emit()

    def _computed_order(self) -> Any:
        if self._sorted_by is None or not self._starts[-1]:
            return None
        import numpy as np

        column, order = self._sorted_by
        values = self._numbers(_NUMBERS[column]) if column in _NUMBERS else self._ranks(column)
        if order == Qt.SortOrder.DescendingOrder:
            values = -values
        return np.argsort(values, kind="stable")  # not-a-number sorts last, whichever way

    def _numbers(self, name: str) -> Any:
        import numpy as np

        columns = [
            overlay.columns[name] if name in overlay.columns else np.full(len(overlay), np.nan)
            for overlay in self._overlays
        ]
        return np.concatenate(columns)

    def _ranks(self, column: int) -> Any:
        """Return the place of each row's text in the order of all texts; not-a-number where there is none."""
        import numpy as np

        coded = [self._codes(overlay, column) for overlay in self._overlays]
        words = sorted({text for _, texts in coded for text in texts}, key=str.casefold)
        ranks = {text: float(rank) for rank, text in enumerate(words)}
        parts = []
        for codes, texts in coded:
            table = np.array([*(ranks[text] for text in texts), np.nan])  # code -1 finds the last
            parts.append(table[codes])
        return np.concatenate(parts)

    @staticmethod
    def _codes(overlay: Overlay, column: int) -> tuple[Any, tuple[str, ...]]:
        return (overlay.columns["pipe"], overlay.pipes) if column == PIPE else overlay.texts(_TEXTS[column])

    # Data ---------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else self._starts[-1]

    def columnCount(self, parent: _Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: _Index, role: int = _DISPLAY) -> Any:
        if role not in _ANSWERED or not index.isValid():
            return None
        overlay, at = self.place_of(index.row())
        column = index.column()
        if role == CELL:
            return self._cell(overlay, at, column)
        if role == _TIP:
            return self._full_text(overlay, at, column) if column in _TEXTS else None
        if role == _SPOKEN and column == KERNEL:
            return f"{self._text(overlay, at, column)}, measured"
        return self._text(overlay, at, column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == _DISPLAY:
            return COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in _NUMBERS:
            return _RIGHT
        return _HINTS[section] if role == _TIP else None

    def _cell(self, overlay: Overlay, at: int, column: int) -> Cell:
        text = self._text(overlay, at, column)
        if column == KERNEL:
            slot = self._slots.get((overlay.digest, int(overlay.columns["launch"][at])), "")
            return MarkerCell(text.removeprefix("void "), "diamond", slot, mode=Qt.TextElideMode.ElideMiddle)
        if column in _NUMBERS:
            return TextCell(text, "text" if text != "–" else "muted", number=True)
        return TextCell(text, "warn" if column == NOTE and not _is_drawn(overlay, at) else "text2")

    def _text(self, overlay: Overlay, at: int, column: int) -> str:
        if column not in _NUMBERS:
            return self._full_text(overlay, at, column)
        name = _NUMBERS[column]
        value = float(overlay.columns[name][at]) if name in overlay.columns else math.nan
        if math.isnan(value):
            return "–"
        if column == TIME:
            return time_text(value)
        if column == TRAFFIC:
            return bytes_text(value)
        return intensity_text(value) if column == INTENSITY else format_quantity(value, "FLOP/s")

    def _full_text(self, overlay: Overlay, at: int, column: int) -> str:
        codes, texts = self._codes(overlay, column)
        code = int(codes[at])
        return texts[code] if code >= 0 else ""

    def tsv(self, rows: Sequence[int]) -> str:
        """Return rows with their head as tab-separated text, names in full."""
        lines = ["\t".join(COLUMNS)]
        for row in rows:
            overlay, at = self.place_of(row)
            cells = [self._text(overlay, at, column) for column in range(len(COLUMNS))]
            lines.append("\t".join(" ".join(cell.split()) for cell in cells))
        return "\n".join(lines) + "\n"


def _is_drawn(overlay: Overlay, at: int) -> bool:
    """Whether a kernel has a place on the canvas at device memory."""
    columns = overlay.columns
    if "intensity_dram" not in columns:
        return False
    intensity, rate = float(columns["intensity_dram"][at]), float(columns["achieved_flop_per_s"][at])
    return 0 < intensity < math.inf and rate > 0

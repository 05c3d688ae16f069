"""The list of plugins: who is there, what each one brings, and what failed, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio.ui.theme import font, set_role
from rooflinestudio.ui.widgets.cells import CELL, TextCell
from rooflinestudio.ui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rooflinestudio.plugins.rows import PluginRow

__all__ = ["PluginDialog", "PluginTable", "brings_text", "reason_text"]

HEADS: Final = ("Plugin", "Version", "State", "Brings", "Import", "Reason")
STATES: Final = {"loaded": "loaded", "partly": "partly loaded", "failed": "failed", "disabled": "off"}
_TONES: Final = {"loaded": "text2", "partly": "warn", "failed": "error", "disabled": "muted"}
_WIDTHS: Final = (200, 66, 96, 176, 66, 140)

_Index = QModelIndex | QPersistentModelIndex


class PluginTable(QAbstractTableModel):
    """One row per plugin, failed ones first."""

    def __init__(self, rows: Sequence[PluginRow] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PluginRow, ...] = ()
        self.set_rows(rows)

    def set_rows(self, rows: Sequence[PluginRow]) -> None:
        """Show these plugins."""
        order = {"failed": 0, "partly": 1, "disabled": 2, "loaded": 3}
        self.beginResetModel()
        self._rows = tuple(sorted(rows, key=lambda one: (order[one.state], not one.foreign, one.name)))
        self.endResetModel()

    def row(self, number: int) -> PluginRow:
        """Return the plugin of a row."""
        return self._rows[number]

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return int(
                Qt.AlignmentFlag.AlignRight if HEADS[section] == "Import" else Qt.AlignmentFlag.AlignLeft
            )
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == CELL:
            return self._cell(row, index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._texts(row)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join((row.reason, *row.problems)) if row.reason else self._texts(row)[index.column()]
        return None

    def _cell(self, row: PluginRow, column: int) -> TextCell:
        head = HEADS[column]
        token = _TONES[row.state] if head in ("State", "Reason") else "text" if head == "Plugin" else "text2"
        return TextCell(self._texts(row)[column], token, strong=head == "Plugin", number=head == "Import")

    @staticmethod
    def _texts(row: PluginRow) -> tuple[str, ...]:
        name = row.name if row.distribution in ("", row.name) else f"{row.name} ({row.distribution})"
        time = f"{1000 * row.import_s:.0f} ms" if row.state in ("loaded", "partly") else ""
        return name, row.version, STATES[row.state], brings_text(row), time, row.reason


def brings_text(row: PluginRow) -> str:
    """Say in a few words what a plugin brought: ``14 operators, 1 reader``."""
    counts = ((len(row.operators), "operator"), (len(row.profiles), "machine"), (len(row.readers), "reader"))
    words = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return ", ".join(words) or "nothing"


def reason_text(row: PluginRow) -> str:
    """Return everything there is to say about a plugin, for the field under the table."""
    lines = [f"{row.distribution or row.name} {row.version}".rstrip() + f": {STATES[row.state]}"]
    lines += list(row.problems) or ([row.reason] if row.reason else [])
    for word, ids in (("Operators", row.operators), ("Machines", row.profiles), ("Readers", row.readers)):
        if ids:
            lines.append(f"{word}: {', '.join(ids)}")
    return "\n".join(lines)


class PluginDialog(QDialog):
    """Table of plugins, the words about the one that is selected, and the user's own files with their switches.

    Signals
    -------
    allowRequested
        File name of a plugin of the user's, and whether it may run.
    safeModeRequested
        Start anew without foreign plugins.
    """

    allowRequested = Signal(str, bool)
    safeModeRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Plugins")
        self.setObjectName("plugin_dialog")
        self.resize(860, 560)
        self._folder: Path | None = None
        self._boxes: dict[str, QCheckBox] = {}
        self.model = PluginTable(parent=self)
        self.table = self._made_table()
        self.details = QPlainTextEdit()
        self.details.setReadOnly(True)
        self.details.setFont(font("mono_small"))
        self.details.setAccessibleName("About the selected plugin")
        self.details.setFixedHeight(110)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.own = QVBoxLayout()
        self.own.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addWidget(self.summary)
        column.addWidget(self.table, 1)
        column.addWidget(self.details)
        column.addLayout(self.own)
        column.addLayout(self._buttons())

    def set_plugins(self, rows: Sequence[PluginRow], *, safe_mode: bool) -> None:
        """Show what became of every plugin; a failed one is selected first."""
        self.model.set_rows(rows)
        self.summary.setText(_summary(rows, safe_mode=safe_mode))
        self.safe.setVisible(not safe_mode)
        if self.model.rowCount():
            self.table.selectRow(0)

    def set_user_plugins(self, files: Sequence[tuple[str, bool, str]], folder: Path) -> None:
        """Show the user's own plugin files.

        Parameters
        ----------
        files
            File name, whether it may run, and what else there is to know (why it does not).
        folder
            Where they lie.
        """
        self._folder = folder
        _clear(self.own)
        self._boxes = {}
        head = QLabel("Your own plugin files")
        set_role(head, "section")
        self.own.addWidget(head)
        place = QLabel(
            f"Python files in {folder} are code: each one runs only when you allow it, and again when it changes."
        )
        place.setWordWrap(True)
        set_role(place, "muted")
        self.own.addWidget(place)
        if not files:
            none = QLabel("There are none.")
            set_role(none, "muted")
            self.own.addWidget(none)
        for name, allowed, hint in files:
            box = QCheckBox(f"{name}: {hint}" if hint else name)
            box.setChecked(allowed)
            box.setObjectName(f"allow.{name}")
            box.toggled.connect(_Allow(name, self).run)
            self._boxes[name] = box
            self.own.addWidget(box)

    def box(self, name: str) -> QCheckBox:
        """Return the switch of one of the user's files."""
        return self._boxes[name]

    def _made_table(self) -> RowTable:
        table = RowTable("Plugins", edge_px=12)
        table.setModel(self.model)
        table.share_width(_WIDTHS, grows=(5,))
        table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        return table

    def _buttons(self) -> QHBoxLayout:
        self.safe = QPushButton("Restart without foreign plugins")
        self.safe.setToolTip(
            "If a plugin makes the studio slow or unstable: --safe-mode does the same on the command line."
        )
        self.safe.clicked.connect(self.safeModeRequested)
        self.open_folder = QPushButton("Open plugin folder")
        self.open_folder.clicked.connect(self._on_open_folder_clicked)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.open_folder)
        row.addWidget(self.safe)
        row.addStretch(1)
        row.addWidget(box)
        return row

    def _on_current_row_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        self.details.setPlainText(reason_text(self.model.row(index.row())) if index.isValid() else "")

    def _on_open_folder_clicked(self) -> None:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))


class _Allow(QObject):
    """Names the file whose switch was moved."""

    def __init__(self, name: str, dialog: PluginDialog) -> None:
        super().__init__(dialog)
        self._name, self._dialog = name, dialog

    def run(self, allowed: bool) -> None:
        self._dialog.allowRequested.emit(self._name, allowed)


def _summary(rows: Sequence[PluginRow], *, safe_mode: bool) -> str:
    failed = sum(one.state in ("failed", "partly") for one in rows)
    foreign = sum(one.foreign for one in rows)
    text = f"{len(rows)} plugins, " + (
        f"{foreign} of them not the studio's own." if foreign else "all the studio's own."
    )
    if failed:
        text += f" {failed} failed: each costs only what it would have brought itself."
    if safe_mode:
        text += " This is a safe start: foreign plugins are off until the studio is started as usual."
    return text


def _clear(layout: QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.deleteLater()

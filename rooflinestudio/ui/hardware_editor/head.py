"""The head of the editor: tools of the window, and above the tables the machine's name and which figures it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent

__all__ = ["EditorBar", "MachineHead"]

_MODES: Final = (("stated", "Published"), ("measured", "Measured where known"), ("rows", "By row"))
_HINTS: Final = {
    "stated": "Judge by what documents and formulas say",
    "measured": "Judge by what was measured, where it is known and not doubtful",
    "rows": "Choose in each row: Space, or a double click on the figure in use",
}


class EditorBar(QWidget):
    """The line at the top of the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "toolbar")
        self.setFixedHeight(46)
        title = QLabel("Hardware profiles")
        set_role(title, "title")
        self.import_button = _tool(
            "Import…", "import", "Show a profile file here, as a machine of yours (Ctrl+O)"
        )
        self.duplicate_button = _tool(
            "Duplicate", "duplicate", "Make a machine of yours from this one (Ctrl+D)"
        )
        self.export_button = _tool("Export YAML…", "export", "Write this machine into a file (Ctrl+E)")
        self.delete_button = _tool("Delete", "trash", "Take the file of this machine out of your folder")
        self.use_button = _tool("Use in the study", "plus", "Hold the open study against this machine")
        self.buttons = (
            self.delete_button, self.use_button, self.import_button, self.duplicate_button, self.export_button
        )  # fmt: skip
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(6)
        row.addWidget(title)
        row.addStretch(1)
        for one in self.buttons:
            row.addWidget(one)

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        for button in self.buttons:
            button.setIcon(icon(str(button.property("icon_name"))))


def _tool(text: str, icon_name: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    set_role(button, "quiet", font_role="label")
    button.setIcon(icon(icon_name))
    button.setIconSize(QSize(TOOL_PX, TOOL_PX))
    button.setAccessibleName(text.rstrip("…"))
    button.setToolTip(tip)
    button.setProperty("icon_name", icon_name)
    return button


class _NameEdit(QLineEdit):
    """The name of the machine while it is written; Escape leaves it as it was."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setModified(False)
            self.left.emit()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class MachineHead(QWidget):
    """Name, badge, what it was made from, and the switch of figures.

    Signals
    -------
    renamed
        The new name.
    modeChosen
        ``stated``, ``measured`` or ``rows``.
    """

    renamed = Signal(str)
    modeChosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = ElidingLabel(role="title", token="text", mode=Qt.TextElideMode.ElideMiddle)
        self.name_edit = _NameEdit()
        self.rename_button = QToolButton()
        self.badge = Chip()
        self.base = ElidingLabel(role="label", token="text2")
        self.switch = SegmentedControl(_MODES, "Figures in use", compact=True)
        for id_, hint in _HINTS.items():
            self.switch.set_hint(id_, hint)
        self._set_up_name()
        label = QLabel("in use")
        set_role(label, "label", font_role="label")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for one in (self.name, self.name_edit, self.rename_button, self.badge):
            row.addWidget(one)
        row.addWidget(self.base, 1)
        row.addStretch(0)
        row.addWidget(label)
        row.addWidget(self.switch)
        self.setFixedHeight(34)
        self.switch.chosen.connect(self.modeChosen)

    def _set_up_name(self) -> None:
        self.name.setObjectName("hardware_editor.name")
        self.name_edit.setObjectName("hardware_editor.name_edit")
        self.name_edit.setAccessibleName("Name of the machine")
        self.name_edit.setFont(font("title"))
        self.name_edit.setMinimumWidth(240)
        self.name_edit.hide()
        self.name_edit.returnPressed.connect(self._end_renaming)
        self.name_edit.left.connect(self._end_renaming)
        self.rename_button.setIcon(icon("rename", "muted"))
        self.rename_button.setAccessibleName("Rename the machine")
        self.rename_button.setToolTip("Rename the machine")
        self.rename_button.clicked.connect(self.start_renaming)
        self.base.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_machine(self, name: str, badge: tuple[str, str], base: str, *, locked: bool) -> None:
        """Show who the machine is; ``badge`` is a word and its tone."""
        self.name.set_text(name)
        self.badge.set_content(*badge)
        self.base.set_text(base)
        self.rename_button.setVisible(not locked and not self.name_edit.isVisible())
        self.switch.setEnabled(not locked)

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.rename_button.setIcon(icon("rename", "muted"))

    def start_renaming(self) -> None:
        """Open the name for writing."""
        self.name_edit.setText(self.name.text())
        self.name_edit.setModified(False)
        self.name.hide()
        self.rename_button.hide()
        self.name_edit.show()
        self.name_edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name_edit.selectAll()

    def _end_renaming(self) -> None:
        if self.name_edit.isHidden():
            return
        typed, changed = self.name_edit.text().strip(), self.name_edit.isModified()
        self.name_edit.setModified(False)
        self.name_edit.hide()
        self.name.show()
        self.rename_button.show()
        if changed and typed and typed != self.name.text():
            self.renamed.emit(typed)

    def mouseDoubleClickEvent(self, event: object) -> None:
        if not self.rename_button.isHidden():
            self.start_renaming()

"""What is asked and told in windows of their own: files, unsaved edits, the keyboard page, about."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from rooflinestudio import __version__
from rooflinestudio.core.study_files import SUFFIX
from rooflinestudio.ui.action_table import ACTIONS, Menu
from rooflinestudio.ui.actions import key_text
from rooflinestudio.ui.theme import set_role

if TYPE_CHECKING:
    from rooflinestudio.ui.asking import Answer

__all__ = ["KeyboardPage", "QtAsker", "show_about"]

_STUDIES: Final = f"Studies (*{SUFFIX})"
_PROFILES: Final = "Hardware profiles (*.yaml *.yml)"
_KINDS: Final = "csv tsv txt log json gz ncu-rep ncu-repz nsight-cuprof-report"
_MEASURED: Final = f"Profiler files ({' '.join(f'*.{kind}' for kind in _KINDS.split())});;All files (*)"
_KIND_WORDS: Final = {
    ".png": "PNG picture", ".svg": "SVG drawing", ".pdf": "PDF page", ".csv": "CSV table", ".yaml": "YAML file",
    ".html": "HTML page", ".md": "Markdown text", ".json": "JSON data",
}  # fmt: skip


class QtAsker:
    """Asks the user with Qt's dialogs."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def study_to_open(self, folder: str) -> str:
        path, _ = QFileDialog.getOpenFileName(
            self._over(), "Open a study", folder, f"{_STUDIES};;All files (*)"
        )
        return path

    def place_to_save(self, suggestion: str) -> str:
        return self._place("Save the study", suggestion, _STUDIES)

    def files_to_import(self, folder: str) -> list[str]:
        paths, _ = QFileDialog.getOpenFileNames(self._over(), "Import measurements", folder, _MEASURED)
        return list(paths)

    def place_to_export(self, suggestion: str, kinds: tuple[str, ...]) -> str:
        return self._place(
            "Export", suggestion, ";;".join(f"{_KIND_WORDS[kind]} (*{kind})" for kind in kinds)
        )

    def table_to_place(self, folder: str) -> str:
        kinds = "Tables (*.csv *.tsv *.txt);;All files (*)"
        return QFileDialog.getOpenFileName(self._over(), "Place shapes from a table", folder, kinds)[0]

    def profile_to_import(self, folder: str) -> str:
        path, _ = QFileDialog.getOpenFileName(
            self._over(), "Import a profile", folder, f"{_PROFILES};;All files (*)"
        )
        return path

    def about_unsaved(self, name: str) -> Answer:
        box = QMessageBox(self._over())
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setWindowTitle("Unsaved edits")
        box.setText(f"Save the edits in {name}?")
        box.setInformativeText("What is not saved is lost.")
        save = box.addButton(QMessageBox.StandardButton.Save)
        discard = box.addButton(QMessageBox.StandardButton.Discard)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(save)
        box.exec()
        if box.clickedButton() is save:
            return "save"
        return "discard" if box.clickedButton() is discard else "cancel"

    def _place(self, title: str, suggestion: str, kinds: str) -> str:
        path, chosen = QFileDialog.getSaveFileName(self._over(), title, suggestion, kinds)
        ending = chosen[chosen.rfind("*") + 1 : -1] if "*." in chosen else ""
        return path if not path or path.lower().endswith(ending) else path + ending

    def _over(self) -> QWidget:
        """Return the window to ask over: the one that somebody works in, if it belongs to this one."""
        active = QApplication.activeWindow()
        lasts = active is not None and active.windowType() == Qt.WindowType.Window
        owner = active if lasts else None
        while owner is not None and owner is not self._window:
            owner = owner.parentWidget()
        return self._window if active is None or owner is None else active


class KeyboardPage(QDialog):
    """Every action with its keys, by menu; a field finds some of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard")
        self.setObjectName("keyboard_page")
        self.resize(620, 640)
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find an action or a key")
        self.field.setAccessibleName("Find an action or a key")
        self.field.textChanged.connect(self.show_matching)
        self._rows: list[tuple[str, tuple[QWidget, ...]]] = []
        self._heads: dict[Menu, QLabel] = {}
        body = QWidget()
        set_role(body, "surface")
        self._fill(QGridLayout(body))
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(body)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addWidget(self.field)
        column.addWidget(area, 1)
        column.addWidget(box)

    def show_matching(self, text: str) -> None:
        """Show only actions in whose name, menu or keys a text stands."""
        wanted = text.casefold().strip()
        for words, widgets in self._rows:
            for one in widgets:
                one.setVisible(wanted in words)
        for menu, head in self._heads.items():
            head.setVisible(
                any(wanted in words and words.startswith(menu.word.casefold()) for words, _ in self._rows)
            )

    def shown(self) -> list[str]:
        """Return the names of the actions that are listed now."""
        return [widgets[0].text() for _, widgets in self._rows if not widgets[0].isHidden()]  # type: ignore[attr-defined]

    def _fill(self, grid: QGridLayout) -> None:
        grid.setContentsMargins(16, 12, 16, 12)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for menu in Menu:
            head = QLabel(menu.word)
            set_role(head, "section")
            grid.addWidget(head, grid.rowCount(), 0, 1, 3)
            self._heads[menu] = head
            for info in ACTIONS:
                if info.menu is menu:
                    name, tip, keys = QLabel(info.title), QLabel(info.tip), QLabel(key_text(info) or "–")
                    set_role(tip, "muted")
                    tip.setWordWrap(True)
                    set_role(keys, "kbd" if info.shortcuts else "muted")
                    row = grid.rowCount()
                    grid.addWidget(name, row, 0)
                    grid.addWidget(tip, row, 1)
                    grid.addWidget(keys, row, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                    words = f"{menu.word} {info.title} {info.tip} {key_text(info)}".casefold()
                    self._rows.append((words, (name, tip, keys)))
        grid.setRowStretch(grid.rowCount(), 1)


def show_about(parent: QWidget) -> QMessageBox:
    """Show version and licence, without stopping anything."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setWindowTitle("About Roofline Studio")
    box.setText(f"Roofline Studio {__version__}")
    python = ".".join(str(one) for one in sys.version_info[:3])
    box.setInformativeText(
        "Which capacity runs out first, how far from the roof, and what would help?\n\n"
        f"MIT licence. Python {python}, Qt {qVersion()} under the LGPL."
    )
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box

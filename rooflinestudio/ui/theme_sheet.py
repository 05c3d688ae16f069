"""The style sheet of the application, generated from the colour tokens.

Widgets carry a dynamic property ``role`` (:func:`rooflinestudio.ui.theme.set_role`); no widget has a sheet of its own.
There is no font rule in here: one would win over fonts set in code.
"""
# ruff: noqa: E501 - one rule of the sheet a line

from __future__ import annotations

from functools import cache
from string import Template
from typing import Final

from rooflinestudio.ui.tokens import BOUND_KINDS, COLOURS

__all__ = ["sheet"]

_FRAME: Final = """
QMainWindow, QDialog { background: $window; }
QMainWindow::separator { background: $border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QDockWidget { background: $surface; border: none; }
QDockWidget > QWidget { background: $surface; }
QStatusBar { background: $window; border-top: 1px solid $border; color: $text2; }
QStatusBar::item { border: none; }
QToolBar { background: $window; border: none; border-bottom: 1px solid $border; spacing: 6px; padding: 4px 8px; }
QToolBar::separator { background: $border; width: 1px; margin: 6px 6px; }
QToolTip { background: $raised; color: $text; border: 1px solid $border; padding: 4px 6px; }
[role="page"], [role="surface"] { background: $surface; }
[role="window"] { background: $window; }
[role="toolbar"] { background: $window; border-bottom: 1px solid $border; }
[role="dock-head"], [role="tab-row"] { background: $window; border-bottom: 1px solid $border; }
[role="canvas-head"] { background: $canvas; }
[role="canvas"] { background: $canvas; border: none; }
[role="hairline"] { background: $border; border: none; max-height: 1px; min-height: 1px; }
[role="card"] { background: $surface; border: 1px solid $border; border-radius: 8px; }
[role="well"] { background: $raised; border: 1px solid $border; border-radius: 5px; }
"""

_TEXTS: Final = """
QLabel { background: transparent; }
[role="caption"], [role="muted"], [role="unit"] { color: $muted; }
[role="label"], [role="mono"] { color: $text2; }
[role="title"], [role="readout"], [role="value"], [role="section"], [role="dock-title"], [role="canvas-title"] { color: $text; }
[role="link"] { color: $accent_text; }
QLabel[role="ok"] { color: $ok; }
QLabel[role="warn"] { color: $warn; }
QLabel[role="error"] { color: $error; }
QLabel[role="chip"] { background: $sunken; color: $text2; border-radius: 4px; padding: 2px 6px; }
QLabel[role="badge"] { background: $accent_soft; color: $accent_text; border-radius: 4px; padding: 1px 6px; }
QLabel[role="kbd"] { background: $surface; color: $text2; border: 1px solid $border_strong; border-radius: 4px; padding: 1px 5px; }
[role="verdict"] { background: $accent_soft; color: $text; border: none; border-radius: 5px; padding: 7px 10px; }
[role="note"] { background: $sunken; color: $text; border: none; border-left: 2px solid $border_strong; border-radius: 3px; padding: 7px 10px; }
"""

_BUTTONS: Final = """
QPushButton { background: $surface; color: $text; border: 1px solid $border; border-radius: 5px; padding: 4px 12px; min-height: 18px; }
QPushButton:hover { background: $raised; border-color: $border_strong; }
QPushButton:pressed { background: $sunken; }
QPushButton:disabled { color: $disabled; }
QPushButton:focus { border-color: $accent; }
QPushButton:default { border-color: $border_strong; }
QPushButton[role="primary"] { background: $accent; color: $on_accent; border: 1px solid $accent; }
QPushButton[role="primary"]:hover, QPushButton[role="primary"]:focus { border-color: $accent_text; }
QPushButton[role="primary"]:disabled { background: $sunken; color: $disabled; border-color: $border; }
QPushButton[role="quiet"], QPushButton[role="link"] { background: transparent; border: 1px solid transparent; padding: 3px 6px; }
QPushButton[role="quiet"]:hover, QPushButton[role="link"]:hover { background: $sunken; }
QPushButton[role="quiet"]:focus, QPushButton[role="link"]:focus { border-color: $accent; }
QPushButton[role="link"] { color: $accent_text; }
QPushButton[role="pill"] { background: $surface; color: $text; border: 1px solid $border; border-radius: 12px; padding: 3px 10px; min-height: 18px; }
QPushButton[role="pill"]:hover { border-color: $border_strong; }
QPushButton[role="pill"]:checked { border-color: $border_strong; }
QPushButton[role="pill"]:focus { border-color: $accent; }
QToolButton { background: transparent; color: $text2; border: 1px solid transparent; border-radius: 5px; padding: 4px; }
QToolButton:hover { background: $sunken; }
QToolButton:pressed { background: $border; }
QToolButton:checked { background: $accent_soft; color: $accent_text; }
QToolButton:focus { border-color: $accent; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; }
[role="segmented"] { background: $sunken; border: none; border-radius: 6px; }
[role="segment"] { background: transparent; color: $text2; border: 1px solid transparent; border-radius: 5px; padding: 3px 10px; min-height: 16px; }
[role="segment"]:hover { color: $text; background: transparent; }
[role="segment"]:checked { background: $surface; color: $text; border: 1px solid $border; }
[role="segment"]:focus { border: 1px solid $accent; }
[role="segment"]:disabled { color: $disabled; }
"""

_ENTRIES: Final = """
QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextEdit {
    background: $surface; color: $text; border: 1px solid $border; border-radius: 5px; padding: 3px 7px;
    selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QAbstractSpinBox, QComboBox { min-height: 18px; }
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { border-color: $border_strong; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QTextEdit:focus { border-color: $accent; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { color: $disabled; background: $window; }
QLineEdit[state="error"], QAbstractSpinBox[state="error"], QComboBox[state="error"] { border-color: $error; }
QLineEdit[state="warn"], QAbstractSpinBox[state="warn"], QComboBox[state="warn"] { border-color: $warn; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0px; border: none; }
QAbstractSpinBox { padding: 3px 5px; }
QComboBox { padding: 3px 4px 3px 7px; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: url(rooflinestudio:$theme/chevron-down.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $surface; color: $text; border: 1px solid $border; outline: none;
    selection-background-color: $accent_soft; selection-color: $text; }
QCheckBox, QRadioButton { spacing: 6px; background: transparent; }
QCheckBox::indicator, QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $border_strong; background: $surface; }
QCheckBox::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:focus, QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url(rooflinestudio:$theme/check.svg); }
QRadioButton::indicator:checked { background: $accent; border-color: $accent; image: url(rooflinestudio:$theme/dot.svg); }
QSlider { background: transparent; min-height: 18px; }
QSlider::groove:horizontal { background: $border; height: 3px; border-radius: 1px; }
QSlider::sub-page:horizontal { background: $accent; height: 3px; border-radius: 1px; }
QSlider::handle:horizontal { background: $surface; border: 2px solid $accent; width: 10px; height: 10px; margin: -6px 0; border-radius: 7px; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { background: $accent_soft; }
QSlider::sub-page:horizontal:disabled { background: $border_strong; }
QSlider::handle:horizontal:disabled { border-color: $border_strong; }
QProgressBar { background: $sunken; border: none; border-radius: 3px; height: 6px; color: transparent; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
"""

_LISTS: Final = """
QMenuBar { background: $window; color: $text; border: none; }
QMenuBar::item { background: transparent; padding: 6px 10px; border-radius: 5px; }
QMenuBar::item:selected { background: $sunken; }
QMenu { background: $surface; color: $text; border: 1px solid $border; padding: 4px; }
QMenu::item { background: transparent; padding: 5px 24px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: $accent_soft; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { background: $border; height: 1px; margin: 4px 8px; }
QMenu::indicator { width: 12px; height: 12px; left: 6px; }
QMenu::indicator:checked { image: url(rooflinestudio:$theme/tick.svg); }
QMenu::right-arrow { image: url(rooflinestudio:$theme/chevron-right.svg); width: 12px; height: 12px; }
QAbstractItemView { background: $surface; color: $text; border: none; outline: none; alternate-background-color: $raised;
    selection-background-color: $accent_soft; selection-color: $text; }
QTreeView::item { height: 26px; border: none; }
QTreeView::item:hover, QListView::item:hover { background: $raised; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: $accent_soft; color: $text; }
QTreeView::branch { background: transparent; }
QTreeView::branch:selected { background: $accent_soft; }
QTreeView::branch:has-children:closed { image: url(rooflinestudio:$theme/chevron-right.svg); }
QTreeView::branch:has-children:open { image: url(rooflinestudio:$theme/chevron-down.svg); }
QTableView { gridline-color: $border; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section { background: $surface; color: $muted; border: none; border-bottom: 1px solid $border; padding: 4px 8px; }
QTableCornerButton::section { background: $surface; border: none; }
QTabWidget::pane { border: none; background: $surface; }
QTabBar { background: $window; }
QTabBar::tab { background: transparent; color: $text2; border: none; border-bottom: 2px solid transparent; padding: 8px 9px 7px 9px; }
QTabBar[role="narrow-tabs"]::tab { padding: 8px 7px 7px 7px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; background: $surface; }
QTabBar::tab:focus { color: $accent_text; }
QScrollArea { background: transparent; border: none; }
QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; margin: 0; }
QScrollBar:horizontal { height: 10px; margin: 0; }
QScrollBar::handle { background: $border; border-radius: 3px; margin: 2px; }
QScrollBar::handle:hover { background: $border_strong; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QGroupBox { border: 1px solid $border; border-radius: 8px; margin-top: 8px; padding-top: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 10px; padding: 0 4px; color: $text2; }
"""

_BOUND_CHIP: Final = (
    'QLabel[role="chip"][bound="%(kind)s"] { background: $%(kind)s_soft; color: $%(kind)s; }\n'
)
_TONED: Final = """
QLabel[role="chip"][tone="%(tone)s"] { background: $%(tone)s_soft; color: $%(tone)s; }
[role="note"][tone="%(tone)s"] { background: $%(tone)s_soft; border-left-color: $%(tone)s; }
"""


@cache
def sheet(theme: str) -> str:
    """Return the sheet for ``light`` or ``dark``."""
    chips = "".join(_BOUND_CHIP % {"kind": kind} for kind in BOUND_KINDS)
    tones = "".join(_TONED % {"tone": tone} for tone in ("ok", "warn", "error"))
    template = Template(_FRAME + _TEXTS + _BUTTONS + _ENTRIES + _LISTS + chips + tones)
    return template.substitute(COLOURS[theme], theme=theme)

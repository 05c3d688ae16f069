"""Pieces that the dialogs of imports share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QWidget

from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.note_box import wrapped_label

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["button", "button_bar", "caption", "findings_label", "make_default", "title_label"]


def title_label(text: str) -> QLabel:
    """Return the heading of a dialog; it wraps."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    set_role(label, "title", font_role="title")
    return label


def caption(text: str) -> QLabel:
    """Return a heading of a part."""
    label = QLabel(text)
    set_role(label, "section", font_role="section")
    return label


def findings_label() -> QLabel:
    """Return a label for sentences that may be long."""
    label = wrapped_label("muted")
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def button(text: str, tip: str = "", *, primary: bool = False) -> QPushButton:
    """Return a push button; the primary one is to be the answer to Enter, see :func:`make_default`."""
    made = QPushButton(text)
    made.setToolTip(tip)
    made.setAutoDefault(False)
    if primary:
        set_role(made, "primary")
    return made


def button_bar(left: Sequence[QWidget], right: Sequence[QWidget]) -> QWidget:
    """Return the row of buttons at the foot of a dialog."""
    bar = QWidget()
    set_role(bar, "window")
    row = QHBoxLayout(bar)
    row.setContentsMargins(20, 10, 20, 12)
    row.setSpacing(8)
    for one in left:
        row.addWidget(one)
    row.addStretch(1)
    for one in right:
        row.addWidget(one)
    return bar


def make_default(dialog: QDialog, primary: QPushButton) -> None:
    """Let Enter press one button of a dialog, wherever the focus is; to be called when everything is in its place."""
    for one in dialog.findChildren(QPushButton):  # the segments of a control are such buttons, too
        one.setAutoDefault(False)
    primary.setDefault(True)

"""A quiet list of the figures that an operator adds: rates, capacity, bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rooflinestudio.ui.inspector.detail_words import Detail, detail_rows
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.note_box import wrapped_label

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DetailList"]

_FIRST: Final = 6
_LONGEST: Final = 28
"""Texts longer than this stand below the figures, in lines of their own."""


class DetailList(QWidget):
    """Captions and values; lines are made once and filled again, hidden where there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Detail, ...] = ()
        self.lines: list[KeyValueRow] = []
        self._open = False
        self.heading = ElidingLabel("Further figures", role="section", token="text2")
        self.sentence = wrapped_label("muted")
        self.more = LinkButton()
        self.more.setObjectName("details.more")
        self.more.clicked.connect(self._on_more_clicked)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 4, 0, 0)
        self._layout.setSpacing(4)
        self._layout.addWidget(self.heading)
        self._column = QVBoxLayout()
        self._column.setSpacing(4)
        self._layout.addLayout(self._column)
        self._layout.addWidget(self.sentence)
        self._layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()

    def show_details(self, details: Mapping[str, Any]) -> None:
        """Show what an operator answered."""
        found = detail_rows(details)
        short = tuple(one for one in found if len(one.value) <= _LONGEST)
        told = "\n".join(_sentence(one) for one in found if len(one.value) > _LONGEST)
        if told != self.sentence.text():
            self.sentence.setText(told)
        self.sentence.setVisible(bool(told))
        self.setVisible(bool(found))
        if short != self.rows:
            self.rows = short
            self._show()

    def _show(self) -> None:
        shown = self.rows if self._open or len(self.rows) <= _FIRST + 1 else self.rows[:_FIRST]
        while len(self.lines) < len(shown):
            line = KeyValueRow("")
            self.lines.append(line)
            self._column.addWidget(line)
        for at, line in enumerate(self.lines):
            if at < len(shown):
                line.set_label(shown[at].label)
                line.set_value(shown[at].value, shown[at].token)
                line.setToolTip(shown[at].key)
            if line.isHidden() is (at < len(shown)):
                line.setVisible(at < len(shown))
        self.more.setVisible(len(self.rows) > _FIRST + 1)
        self.more.setText("fewer figures" if self._open else f"{len(self.rows) - len(shown)} more figures")

    def _on_more_clicked(self) -> None:
        self._open = not self._open
        self._show()


def _sentence(one: Detail) -> str:
    return one.value if one.key == "problem" else f"{one.label}: {one.value}"

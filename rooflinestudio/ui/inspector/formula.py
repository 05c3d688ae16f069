"""A well with formulas: the symbols, and below them the values; lines break behind operators, never scroll."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.note_box import wrapped_label

if TYPE_CHECKING:
    from rooflinestudio.ui.inspector.facts import FormulaLines

__all__ = ["FormulaBlock", "breakable"]

_NO_BREAK: Final = "\u00a0"
_MAY_BREAK: Final = "\u200b"
_HOLD: Final = "\u2060"
_OPERATORS: Final = re.compile(r" ([+\u2212×/=·]|in) ")


def breakable(text: str) -> str:
    """Return the text so that lines break behind operators only (and behind commas)."""
    held = _OPERATORS.sub(lambda match: f"{_NO_BREAK}{match.group(1)} ", text)
    pieces = re.split(r"(?<=[+\u2212×/=·]) |(?<=,) ", held)
    joined = " ".join(piece.replace(" ", _NO_BREAK) for piece in pieces)
    return re.sub(r"(?<=\S)·(?=\S)", f"·{_MAY_BREAK}", joined).replace("/byte", f"/{_HOLD}byte")


class FormulaBlock(QFrame):
    """Result formulas, and behind a link how the operator counts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "well")
        self._result: tuple[FormulaLines, ...] = ()
        self._counts: tuple[FormulaLines, ...] = ()
        self._open = False
        self._label = wrapped_label("plain", font_role="mono_small")
        self._label.setTextFormat(Qt.TextFormat.RichText)
        self.more = LinkButton()
        self.more.setObjectName("formulas.more")
        self.more.clicked.connect(self._on_more_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(9, 7, 9, 7)
        layout.setSpacing(2)
        layout.addWidget(self._label)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._show()

    @property
    def lines(self) -> tuple[FormulaLines, ...]:
        """The formulas that are shown now."""
        return (*self._counts, *self._result) if self._open else self._result

    def set_formulas(self, result: tuple[FormulaLines, ...], counts: tuple[FormulaLines, ...]) -> None:
        """Show how a result comes about, and how the operator counts what goes into it."""
        if (result, counts) != (self._result, self._counts):
            self._result, self._counts = result, counts
            self._show()

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self._show()

    def _on_more_clicked(self) -> None:
        self._open = not self._open
        self._show()

    def _show(self) -> None:
        text, quiet, muted = (ink(token).name() for token in ("text", "text2", "muted"))
        html = []
        for one in self.lines:
            behind = (
                f' <span style="color:{quiet}">{escape(breakable(one.values[0]))}</span>'
                if one.inline
                else ""
            )
            html.append(f'<div style="color:{text}">{escape(breakable(one.symbols))}{behind}</div>')
            for values in () if one.inline else one.values:
                html.append(f'<div style="color:{quiet}; margin-left:10px">{escape(breakable(values))}</div>')
            if one.source and self._open:
                html.append(f'<div style="color:{muted}; margin-left:10px">{escape(one.source)}</div>')
        self._label.setText("".join(html))
        spoken = "; ".join(" ".join((one.symbols, *one.values)) for one in self.lines)
        self._label.setAccessibleName(f"Formula: {spoken}")
        self.more.setVisible(bool(self._counts))
        self.more.setText("fewer formulas" if self._open else "how W and Q are counted")

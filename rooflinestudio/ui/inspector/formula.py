"""A well with formulas: the symbols, and below them the values; lines break behind operators, never scroll."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.ui.inspector.facts import FormulaLines

__all__ = ["FormulaBlock", "breakable"]

_NO_BREAK: Final = "\u00a0"
_MAY_BREAK: Final = "\u200b"
_HOLD: Final = "\u2060"
_INDENT_PX: Final = 12
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
        self._counts: Callable[[], tuple[FormulaLines, ...]] = tuple
        self._open = False
        self._text = TextBlock("mono_small")
        self.more = LinkButton()
        self.more.setObjectName("formulas.more")
        self.more.clicked.connect(self._on_more_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(9, 7, 9, 7)
        layout.setSpacing(2)
        layout.addWidget(self._text)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._show()

    @property
    def lines(self) -> tuple[FormulaLines, ...]:
        """The formulas that are shown now."""
        return (*self._counts(), *self._result) if self._open else self._result

    def set_formulas(
        self, result: tuple[FormulaLines, ...], counts: Callable[[], tuple[FormulaLines, ...]] | None
    ) -> None:
        """Show how a result comes about.

        Parameters
        ----------
        counts
            How the operator counts what goes into it; asked only while that is unfolded. None where it says nothing.
        """
        self._result, self._counts = result, counts or tuple
        self.more.setVisible(counts is not None)
        self._show()

    def _on_more_clicked(self) -> None:
        self._open = not self._open
        self._show()

    def text(self) -> str:
        """Return what is written, without the signs that tell where lines may break."""
        return re.sub(f"[{_MAY_BREAK}{_HOLD}]", "", self._text.text()).replace(_NO_BREAK, " ")

    def _show(self) -> None:
        paragraphs = []
        for one in self.lines:
            symbols = Span(breakable(one.symbols))
            if one.inline:
                paragraphs.append(Paragraph((symbols, Span(f" {breakable(one.values[0])}", "text2"))))
                continue
            paragraphs.append(Paragraph((symbols,)))
            paragraphs += [
                Paragraph((Span(breakable(values), "text2"),), _INDENT_PX) for values in one.values
            ]
            if one.source and self._open:
                paragraphs.append(Paragraph((Span(one.source, "muted"),), _INDENT_PX))
        self._text.set_paragraphs(*paragraphs)
        self._text.setAccessibleName(f"Formulas: {self.text()}")
        self.more.setText("fewer formulas" if self._open else "how W and Q are counted")

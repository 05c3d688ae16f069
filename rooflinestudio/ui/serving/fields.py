"""Entries of the machines' page: whole numbers, prices, a currency."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QWidget

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import format_exact, parse_quantity
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.hinted_edit import CountEdit, HintedEdit

__all__ = ["Captioned", "count_edit", "price_edit", "text_edit"]

_MOST: Final = 10**9
_CURRENCY_MOST: Final = 12


class Captioned(QWidget):
    """A caption before an entry."""

    def __init__(self, caption: str, entry: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.caption, self.entry = ElidingLabel(caption, role="label"), entry
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.caption, 1)
        row.addWidget(entry)


def count_edit(name: str, object_name: str) -> CountEdit:
    """Return an entry for a whole number of at least 1."""
    made = CountEdit(name, _MOST)
    _take_shape(made, object_name)
    return made


def price_edit(name: str, object_name: str) -> HintedEdit:
    """Return an entry for a price; empty stands for none."""
    made = HintedEdit(_read_price, lambda price: format_exact(price, ""), name=name)
    made.setPlaceholderText("none")
    _take_shape(made, object_name)
    return made


def text_edit(name: str, object_name: str) -> HintedEdit:
    """Return an entry for a short text."""
    made = HintedEdit(lambda text: text.strip()[:_CURRENCY_MOST], name=name)
    _take_shape(made, object_name)
    return made


def _take_shape(edit: HintedEdit, object_name: str) -> None:
    edit.setObjectName(object_name)
    edit.setFixedWidth(72)


def _read_price(text: str) -> float | None:
    if not text.strip():
        return None
    value = parse_quantity(text, "")
    if not 0 < value < math.inf:
        raise ParameterError(f"{text!r} is no price: write a number above 0, or leave it empty.")
    return value

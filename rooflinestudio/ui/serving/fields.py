"""Entries of the machines' page: whole numbers, prices, a currency."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QWidget

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import format_exact, parse_quantity
from rooflinestudio.ui.serving.words import count_text
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Captioned", "count_edit", "price_edit", "text_edit"]

_MOST = 10**9
_CURRENCY_MOST = 12


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


def count_edit(name: str, object_name: str) -> QuantityEdit:
    """Return an entry for a whole number of at least 1; an arrow key doubles or halves it."""
    return _edit(name, object_name, _read_count, count_text, step=_stepped)


def price_edit(name: str, object_name: str) -> QuantityEdit:
    """Return an entry for a price; empty stands for none."""
    made = _edit(name, object_name, _read_price, lambda price: format_exact(price, ""))
    made.setPlaceholderText("none")
    return made


def text_edit(name: str, object_name: str) -> QuantityEdit:
    """Return an entry for a short text."""
    return _edit(name, object_name, lambda text: text.strip()[:_CURRENCY_MOST], str)


def _edit(
    name: str, object_name: str, read: Callable[[str], Any], show: Callable[[Any], str], **more: Any
) -> QuantityEdit:
    made = QuantityEdit(read, show, **more)
    made.setAccessibleName(name)
    made.setObjectName(object_name)
    made.setFixedWidth(72)
    return made


def _read_count(text: str) -> int:
    value = parse_quantity(text, "")
    if value != int(value) or not 1 <= value <= _MOST:
        raise ParameterError(f"{text!r} must be a whole number of at least 1, and of at most {_MOST}.")
    return int(value)


def _stepped(value: Any, direction: int) -> int:
    return int(min(max(value * 2 if direction > 0 else value // 2, 1), _MOST))


def _read_price(text: str) -> float | None:
    if not text.strip():
        return None
    value = parse_quantity(text, "")
    if not 0 < value < math.inf:
        raise ParameterError(f"{text!r} is no price: write a number above 0, or leave it empty.")
    return value

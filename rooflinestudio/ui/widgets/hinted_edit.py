"""Typed entries that say in their tool tip what they are for, or why a text is refused; one of them for counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import parse_quantity
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CountEdit", "HintedEdit"]


class HintedEdit(QuantityEdit):
    """A line that reads quantities, with a name and a hint.

    Parameters
    ----------
    name
        What it is called by a screen reader; the hint too, where there is no other.
    """

    def __init__(
        self,
        read: Callable[[str], Any],
        show: Callable[[Any], str] = str,
        *,
        name: str,
        hint: str = "",
        step: Callable[[Any, int], Any] | None = None,
    ) -> None:
        super().__init__(read, show, step=step)
        self.setAccessibleName(name)
        self.set_hint(hint or name)
        self.messageChanged.connect(self._on_message_changed)

    def set_hint(self, hint: str) -> None:
        """Say what the value is; a refusal stands in place of it as long as it lasts."""
        self._hint = hint
        self._on_message_changed(self.message())

    def _on_message_changed(self, message: str) -> None:
        self.setToolTip(message or self._hint)


class CountEdit(HintedEdit):
    """An entry for a whole number of at least 1; an arrow key goes to the next power of two.

    Parameters
    ----------
    most
        The largest number that is taken.
    """

    def __init__(self, name: str, most: int) -> None:
        self._name, self._most = name, most
        super().__init__(self._read_count, _parted, name=name, step=self._next_power)

    def _read_count(self, text: str) -> int:
        value = parse_quantity(text, "")
        if not 1 <= value <= self._most or value != int(value):
            raise ParameterError(f"{self._name}: a whole number from 1 to {_parted(self._most)}.")
        return int(value)

    def _next_power(self, value: int, direction: int) -> int:
        below = 1 << (value.bit_length() - 1)
        if direction > 0:
            return min(self._most, 2 * below)
        return max(1, below if below < value else value // 2)


def _parted(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")

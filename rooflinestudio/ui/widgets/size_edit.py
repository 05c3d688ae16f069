"""An entry for one number parameter of an operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.ui.inspector.declared import number_of, reader_of, scale_of, text_of
from rooflinestudio.ui.widgets.hinted_edit import HintedEdit

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["SizeEdit"]


class SizeEdit(HintedEdit):
    """Reads, shows and steps as the operator declares it.

    Attributes
    ----------
    operator, profile
        Who checks what is typed; both may change while the parameter stays.
    """

    def __init__(self, operator: Operator, parameter: Parameter) -> None:
        self.operator, self.parameter = operator, parameter
        self.profile: HardwareProfile | None = None
        super().__init__(
            self._read_text,
            self._show_value,
            name=parameter.label,
            hint=parameter.help or parameter.label,
            step=self._next,
        )

    def _read_text(self, text: str) -> Any:
        return reader_of(self.operator, self.parameter, self.profile)(text)

    def _show_value(self, value: Any) -> str:
        return text_of(self.parameter, value)

    def _next(self, value: Any, direction: int) -> Any:
        number = number_of(self.parameter, value)
        return value if number is None else scale_of(self.parameter).next(number, direction)

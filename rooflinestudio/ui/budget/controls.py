"""What can be set on a composite right in its budget: the regime, its sizes, flash and causal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QCheckBox, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.widgets.size_fields import SizeFields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator, Parameter

__all__ = ["BudgetFields"]

_SIZES: Final = ("tokens", "width", "seq", "context", "batch", "kv_heads", "experts", "top_k")
_WIDTHS_PX: Final = {"width": 54, "seq": 58, "tokens": 62, "context": 62, "kv_heads": 38}
_FLASH, _CAUSAL = "implementation", "causal"


class BudgetFields(SizeFields):
    """Entries for the sizes that an operator has, and its two switches."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("budget", 50, widths=_WIDTHS_PX, words={"seq": "seq"}, parent=parent)
        self.flash, self.causal = _switch("flash", _FLASH), _switch("causal", _CAUSAL)
        self.flash.clicked.connect(self._on_flash_clicked)
        self.causal.clicked.connect(self._on_causal_clicked)
        self.add_behind(self.flash, self.causal)

    def set_compact(self, compact: bool) -> None:
        """Stand closer together."""
        self.set_gap(8 if compact else 12)

    def show_entry(
        self, operator: Operator | None, given: Mapping[str, Any], profile: HardwareProfile | None
    ) -> None:
        """Show what an entry has of the sizes and switches."""
        if operator is None:
            self.hide()
            return
        self.show_sizes(operator, _sizes(operator), given, profile)
        declared = {one.name: one for one in operator.parameters}
        decode = given.get("regime") == "decode"
        self._show_flash(declared.get(_FLASH), given, decode=decode)
        self._show_causal(declared.get(_CAUSAL), given, decode=decode)
        self.setVisible(bool(self.edits) or not self.flash.isHidden() or not self.causal.isHidden())

    def _show_flash(self, parameter: Parameter | None, given: Mapping[str, Any], *, decode: bool) -> None:
        fits = parameter is not None and "flash" in parameter.choices
        self.flash.setVisible(fits)
        if parameter is not None and fits:
            self.flash.setChecked(given.get(_FLASH, parameter.default) == "flash")
            self.flash.setEnabled(not decode)
            self.flash.setToolTip(_help(parameter, decode=decode))

    def _show_causal(self, parameter: Parameter | None, given: Mapping[str, Any], *, decode: bool) -> None:
        fits = parameter is not None and isinstance(parameter.default, bool)
        self.causal.setVisible(fits)
        if parameter is not None and fits:
            self.causal.setChecked(bool(given.get(_CAUSAL, parameter.default)))
            self.causal.setEnabled(not decode)
            self.causal.setToolTip(_help(parameter, decode=decode))

    def _on_flash_clicked(self, checked: bool) -> None:
        self.requested.emit(_FLASH, "flash" if checked else "naive")

    def _on_causal_clicked(self, checked: bool) -> None:
        self.requested.emit(_CAUSAL, checked)


def _switch(word: str, name: str) -> QCheckBox:
    box = QCheckBox(word)
    box.setFont(font("label"))
    box.setObjectName(f"budget.{name}")
    box.setMinimumHeight(26)
    return box


def _help(parameter: Parameter, *, decode: bool) -> str:
    return "A token that is decoded sees its cache, and nothing is written out." if decode else parameter.help


def _sizes(operator: Operator) -> list[Parameter]:
    declared = {one.name: one for one in operator.parameters}
    found = [declared[name] for name in _SIZES if name in declared and _is_number(declared[name])]
    return found or [one for one in operator.parameters if _is_number(one)][:4]


def _is_number(parameter: Parameter) -> bool:
    plain = isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool)
    return plain and not parameter.choices

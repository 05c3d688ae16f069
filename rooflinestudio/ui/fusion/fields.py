"""What can be set on a chain right on the bench: its sizes, its format, and the chain itself as a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rooflinestudio.core.bench_edit import checked_chain
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.shorthand import OWN, after_shorthand
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.inspector.formats import MIXED, shorthand_of
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.note_box import wrapped_label
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit
from rooflinestudio.ui.widgets.size_fields import SizeFields, labelled

if TYPE_CHECKING:
    from rooflinestudio.core.bench import Bench
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.placing import EstimateSource, PlacedRow

__all__ = ["BenchFields", "ChainText"]

_SIZES: Final = ("tokens", "width", "m", "n", "k", "batch", "vocabulary", "seq")
_EDIT_PX: Final = 68
_FORMATS: Final = ((OWN, "own"), *((id_, id_) for id_ in DTYPES))


class BenchFields(SizeFields):
    """Entries for the sizes that a chain has, and its format.

    Signals
    -------
    dtypesRequested
        What the entry is to hold: format ids by role.
    """

    dtypesRequested = Signal(dict)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("fusion", _EDIT_PX, parent=parent)
        self._shown: tuple[Operator, PlacedRow] | None = None
        self.dtype = Choice(_FORMATS)
        self.dtype.setObjectName("fusion.dtype")
        self.dtype.setAccessibleName("dtype of all tensors")
        self.dtype.setToolTip("Format of all tensors; single ones are set in the inspector")
        self.dtype.setFixedWidth(76)
        self.dtype.chosen.connect(self._on_dtype_chosen)
        self.add_behind(labelled("dtype", self.dtype))

    def show_row(self, operator: Operator, row: PlacedRow) -> None:
        """Show the sizes and the format of an entry."""
        self._shown = operator, row
        sizes = [one for name in _SIZES for one in operator.parameters if one.name == name]
        self.show_sizes(operator, sizes, row.entry.parameters, row.profile)
        shorthand = shorthand_of(operator, row)
        self.dtype.set_options((*_FORMATS, (MIXED, "mixed")) if shorthand == MIXED else _FORMATS)
        self.dtype.set_value(shorthand)

    def _on_dtype_chosen(self, id_: str) -> None:
        if self._shown is not None and id_ != MIXED:
            operator, row = self._shown
            self.dtypesRequested.emit(after_shorthand(operator, row.entry.dtypes, id_))


class ChainText(QWidget):
    """The chain in its notation; what cannot be read stays, with the reason below it.

    Signals
    -------
    entered
        The chain that was typed.
    """

    entered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source: EstimateSource | None = None
        self.edit = QuantityEdit(self._read, str)
        self.edit.setObjectName("fusion.chain_text")
        self.edit.setAccessibleName("Chain as a text")
        self.edit.setFont(font("mono"))
        self.edit.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.edit.setPlaceholderText("x -> layernorm + gelu + add(x)")
        self.edit.setToolTip("+ fuses, | is a kernel boundary, add(x) names an input, add! also writes")
        self.edit.setMinimumWidth(180)
        self.edit.setFixedHeight(26)
        self.edit.valueCommitted.connect(self.entered)
        self.edit.messageChanged.connect(self._on_edit_message_changed)
        self.message = wrapped_label("error")
        self.message.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.edit)
        column.addWidget(self.message)

    def set_source(self, source: EstimateSource | None) -> None:
        """Say who knows the operators that may stand in a chain."""
        self._source = source

    def show_bench(self, bench: Bench) -> None:
        """Show a chain, unless another one is being typed."""
        self.edit.set_value(bench.spec)

    def _read(self, text: str) -> Any:
        return checked_chain(text, self._source)

    def _on_edit_message_changed(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))

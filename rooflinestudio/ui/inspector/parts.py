"""A composite opened: its parts with count, time, share and bound, and the one that is chosen in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.inspector.part_rows import (
    FIRST_PARTS,
    TOTAL,
    PartRow,
    part_figures,
    part_rows,
    part_words,
)
from rooflinestudio.ui.widgets.cells import BarCell, Cell, TextCell
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.note_box import wrapped_label
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel
from rooflinestudio.ui.widgets.words import percent_text

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Parameter
    from rooflinestudio.core.placement import PlacedPart, Placement
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["PartModel", "PartsPanel"]

_ROW_PX: Final = 22
_INDENT_PX: Final = 10
_LEAST_SHARE: Final = 0.001


class PartModel(RowsModel):
    """One line for each kernel, the total strong."""

    heads = ("part", "count", "time", "share of time")
    hints = (
        "The kernel",
        "How often it runs",
        "Time of all its runs",
        "Its share of the whole, in the hue of what binds it",
    )
    numbers = (1, 2)

    def key(self, row: PartRow) -> object:
        return row.at, row.label

    def cell(self, row: PartRow, column: int) -> Cell | None:
        total = row.label == TOTAL and row.at < 0
        token = "text" if row.at >= 0 or total else "muted"
        if column == 0:
            return TextCell("ΣT  total" if total else row.label, token, total)
        if column == 1:
            return TextCell(row.count, "muted", number=True)
        if column == 2:
            return TextCell(row.time, token, total, number=True)
        if total:
            return None
        return BarCell(row.share, row.bound, _share_text(row.share), glyph=True)

    def spoken(self, row: PartRow, column: int) -> str:
        text = super().spoken(row, column)
        return f"{text}, {row.words}" if column == 3 and row.words else text

    def tip(self, row: PartRow, _column: int) -> str | None:
        if row.at < 0:
            return f"{row.label}: most of it {row.words}" if row.words else None
        return f"{row.label}: {row.words}. Click for its figures."


def _share_text(share: float) -> str:
    return percent_text(share) if share >= _LEAST_SHARE or share == 0 else "<0.1%"


class PartsPanel(QWidget):
    """Filled in place while the parts are the same ones."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._placement: Placement | None = None
        self._source: EstimateSource | None = None
        self._all = False
        self._chosen = -1
        self.heading = ElidingLabel("Parts", role="section", token="text2")
        self.mixed = ElidingLabel(role="label", token="muted", align=Qt.AlignmentFlag.AlignRight)
        self.table = RowTable("Parts of the composite", row_px=_ROW_PX, padding_px=3, edge_px=0, shrunk=True)
        self.model = PartModel(self.table)
        self.table.setModel(self.model)
        self.table.share_width((70, 42, 58, 86), grows=(0, 3))
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.one = _OnePart()
        self.more = LinkButton()
        self.more.setObjectName("parts.more")
        self.more.clicked.connect(self._on_more_clicked)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(8)
        head.addWidget(self.heading)
        head.addWidget(self.mixed, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 2)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self.table)
        layout.addWidget(self.one)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)

    def show_placement(self, placement: Placement, source: EstimateSource | None) -> None:
        """Show the parts of a placement; hidden for a single kernel."""
        before = self._placement
        if before is None or [one.label for one in before.parts] != [one.label for one in placement.parts]:
            self._chosen = -1
        self._placement, self._source = placement, source
        if self.isHidden() is bool(placement.parts):
            self.setVisible(bool(placement.parts))
        if placement.parts:
            self._show()

    def _show(self) -> None:
        placement = self._placement
        if placement is None:
            return
        parts = placement.parts
        rows = part_rows(placement, all_shown=self._all)
        if [self.model.key(one) for one in rows] != [self.model.key(one) for one in self.model.rows]:
            self.model.set_rows(rows)
            at = next((at for at, one in enumerate(rows) if one.at == self._chosen >= 0), -1)
            self.table.choose_row(at)
        else:
            self.model.set_rows(rows)
        self.mixed.set_text("mixed bounds" if placement.extra.get("mixed") else "")
        foldable = len(parts) > FIRST_PARTS + 1
        if self.more.isHidden() is foldable:
            self.more.setVisible(foldable)
        self.more.setText("show fewer" if self._all else f"show all {len(parts)}")
        shown = 0 <= self._chosen < len(parts)
        if self.one.isHidden() is shown:
            self.one.setVisible(shown)
        if shown:
            part = parts[self._chosen]
            self.one.show_part(part, self._declared(part))

    def _declared(self, part: PlacedPart) -> tuple[Parameter, ...]:
        try:
            return self._source.operator(part.placement.operator).parameters if self._source else ()
        except StudioError:
            return ()

    def _on_more_clicked(self) -> None:
        self._all = not self._all
        self._show()

    def _on_table_row_chosen(self, row: int) -> None:
        at = self.model.rows[row].at
        self._chosen = -1 if at == self._chosen else at
        if self._chosen < 0:
            self.table.choose_row(-1)
        self._show()


class _OnePart(QWidget):
    """One run of the part that was chosen, set in a little."""

    def __init__(self) -> None:
        super().__init__()
        self.words = wrapped_label("muted")
        self.lines = [KeyValueRow("") for _ in range(5)]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_INDENT_PX, 2, 0, 4)
        layout.setSpacing(2)
        layout.addWidget(self.words)
        for line in self.lines:
            layout.addWidget(line)
        self.hide()

    def show_part(self, part: PlacedPart, declared: tuple[Parameter, ...]) -> None:
        words = part_words(part, declared)
        if words != self.words.text():
            self.words.setText(words)
        for line, (label, value) in zip(self.lines, part_figures(part), strict=True):
            line.set_label(label)
            line.set_value(value)

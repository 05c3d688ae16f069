"""One kernel at every boundary of its machine: a picture of all, and a sentence for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.grid.tables import markdown, tsv
from rooflinestudio.core.grid.verdicts import boundary_verdicts, verdict_of_all
from rooflinestudio.core.grid.words import bound_text, percent
from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.grid.verdict_picture import VerdictPicture
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.cells import BarCell, Cell, ChipCell, TextCell
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.grid.verdicts import BoundaryVerdict
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["BoundariesPanel", "VerdictsModel"]

BOUNDARY, INTENSITY, RIDGE, BOUND, FRACTION, VERDICT = range(6)
_WIDTHS: Final = (118, 90, 60, 190, 116, 200)
_GROWS: Final = (VERDICT,)
_HIDDEN_BELOW_PX: Final = {RIDGE: 590, BOUND: 780, FRACTION: 530}
_SENTENCE_FROM_PX: Final = 330
"""From this height on, the chosen verdict stands in full over the table."""


class VerdictsModel(RowsModel):
    """A row for each boundary, from the innermost outward."""

    heads = ("Boundary", "I, FLOP/byte", "Ridge", "Bound there", "Of its peak", "Verdict")
    hints = (
        "Filled on the picture where the data crosses",
        "Intensity at this boundary",
        "Intensity at which the slope meets the ceiling",
        "Which limit binds when this boundary alone is looked at",
        "Share of the peak that this boundary leaves; what it would leave where the data does not cross",
        "In a sentence",
    )
    numbers = (INTENSITY, RIDGE)

    def key(self, row: BoundaryVerdict) -> object:
        return row.boundary

    def cell(self, row: BoundaryVerdict, column: int) -> Cell | None:
        token = "text" if row.crosses else "muted"
        if column == BOUNDARY:
            return TextCell(row.label, token, strong=row.is_binding)
        if column == BOUND:
            if not row.crosses or row.placement is None:
                return TextCell("not crossed" if not row.crosses else "not placed", "muted")
            return ChipCell(row.placement.bound, bound_text(row.placement))
        if column == FRACTION:
            kind = row.placement.bound if row.placement is not None and row.crosses else ""
            return BarCell(row.fraction, kind, percent(row.fraction), strong=row.is_binding)
        if column == VERDICT:
            return TextCell(row.verdict, "text2" if row.crosses else "muted")
        value = row.intensity if column == INTENSITY else row.ridge
        return TextCell(format_number(value), token, number=True)

    def tip(self, row: BoundaryVerdict, _column: int) -> str | None:
        return row.verdict

    def table(self) -> list[list[str]]:
        """Return heads and rows as texts."""
        lines = []
        for row in self.rows:
            bound = bound_text(row.placement) if row.crosses and row.placement is not None else "not crossed"
            numbers = format_number(row.intensity), format_number(row.ridge)
            lines.append([row.label, *numbers, bound, percent(row.fraction), row.verdict])
        return [list(self.heads), *lines]

    def markdown(self) -> str:
        """Return the table in Markdown."""
        return markdown(self.table(), (INTENSITY, RIDGE, FRACTION))

    def tsv(self) -> str:
        """Return the table with tabs between its cells."""
        return tsv(self.table())


class BoundariesPanel(QWidget):
    """Picture and table of one placed row.

    Signals
    -------
    copyRequested
        The copy key was pressed.
    """

    copyRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self._row: PlacedRow | None = None
        self._chosen = self._said = self._whole = ""
        self.picture = VerdictPicture()
        self.model = VerdictsModel(self)
        self.table = RowTable("One kernel at every boundary", edge_px=10)
        self.table.setObjectName("grid.verdicts")
        self.table.setModel(self.model)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.title = ElidingLabel(role="section", token="text")
        self.verdict = ElidingLabel(role="label", token="text2")
        self.sentence = QLabel()
        set_role(self.sentence, "verdict")
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        right = QVBoxLayout()
        right.setContentsMargins(10, 6, 8, 0)
        right.setSpacing(2)
        right.addWidget(self.title)
        right.addWidget(self.verdict)
        right.addWidget(self.sentence)
        right.addWidget(self.table, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.picture, 2)
        layout.addLayout(right, 3)
        self.table.rowChosen.connect(self._on_table_row_chosen)
        self.table.copyRequested.connect(self.copyRequested)
        self.picture.boundaryChosen.connect(self.choose)

    def set_row(self, row: PlacedRow | None) -> None:
        """Show an entry on one machine; nothing is done for the row that is shown already."""
        if row is self._row:
            return
        self._row = row
        verdicts = boundary_verdicts(row) if row is not None else ()
        self.picture.set_verdicts(row, verdicts)
        self.model.set_rows(verdicts)
        if row is not None:
            machine = row.profile.short_name if row.profile is not None else row.machine
            self.title.set_text(f"{row.entry.label or row.entry.operator} on {machine}, at every boundary")
            self._whole = f"All crossed ones at once: {verdict_of_all(row)}" if verdicts else row.reason
        there = [one.boundary for one in verdicts]
        first = [one.boundary for one in verdicts if one.is_binding] or there or [""]
        self.choose(self._chosen if self._chosen in there else first[0])
        self._share()

    def choose(self, boundary: str) -> None:
        """Mark a boundary in table and picture, and say its verdict in full."""
        at = next((n for n, one in enumerate(self.model.rows) if one.boundary == boundary), -1)
        self.table.choose_row(at)
        if at >= 0:
            self.table.scrollTo(self.model.index(at, 0))
        self._mark(boundary)

    def _mark(self, boundary: str) -> None:
        self._chosen = boundary
        self.picture.set_chosen(boundary)
        self._said = next((one.verdict for one in self.model.rows if one.boundary == boundary), "")
        self._say()

    def _say(self) -> None:
        """Say the chosen verdict: in a box of its own where there is room, else in place of that of all together."""
        roomy = self.height() >= _SENTENCE_FROM_PX and bool(self._said)
        self.sentence.setVisible(roomy)
        self.sentence.setText(self._said)
        self.verdict.set_text(self._whole if roomy or not self._said else self._said)

    def markdown(self) -> str:
        """Return the table in Markdown."""
        return self.model.markdown()

    def tsv(self) -> str:
        """Return the table with tabs between its cells."""
        return self.model.tsv()

    def _on_table_row_chosen(self, row: int) -> None:
        self._mark(self.model.rows[row].boundary)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        self._say()
        width = self.table.width()
        for column, least in _HIDDEN_BELOW_PX.items():
            self.table.setColumnHidden(column, width < least)
        self.table.share_width(_WIDTHS, grows=_GROWS)

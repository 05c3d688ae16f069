"""The two small tables of a result: all policies side by side, and all boundaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.widgets.cells import BarCell, Cell, TextCell
from rooflinestudio.ui.widgets.row_table import RowTable
from rooflinestudio.ui.widgets.rows_model import RowsModel
from rooflinestudio.ui.widgets.words import POLICY_WORDS, percent_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from rooflinestudio.ui.inspector.facts import BoundaryRow, PolicyRow

__all__ = ["BoundaryModel", "PolicyModel", "boundary_table", "policy_table"]

_ROW_PX: Final = 22


class PolicyModel(RowsModel):
    """Traffic, intensity, time and fraction under each policy; the chosen one strong."""

    heads = ("policy", "Q", "I", "time", "peak")
    hints = (
        "How the traffic at device memory is counted",
        "Traffic",
        "Intensity, FLOP/byte",
        "Time",
        "Fraction of the main pipe's peak",
    )
    numbers = (1, 2, 3, 4)

    def key(self, row: PolicyRow) -> str:
        return row.policy

    def cell(self, row: PolicyRow, column: int) -> Cell | None:
        token = "text" if row.chosen else "text2"
        if column == 0:
            return TextCell(POLICY_WORDS[row.policy].lower(), token, row.chosen)
        text = (row.traffic, row.intensity, row.time, row.fraction)[column - 1]
        return TextCell(text, token, row.chosen, number=True)

    def spoken(self, row: PolicyRow, column: int) -> str:
        text = super().spoken(row, column)
        return f"{text}, chosen" if column == 0 and row.chosen else text

    def tip(self, row: PolicyRow, _column: int) -> str:
        return f"{POLICY_WORDS[row.policy]}: {row.bound}-bound. Click to choose this policy for the entry."


class BoundaryModel(RowsModel):
    """Intensity, ridge and fraction of peak at each boundary; the selected one strong, those not crossed quiet."""

    heads = ("boundary", "I", "ridge", "fraction of peak")
    hints = (
        "Where bytes cross",
        "Intensity there, FLOP/byte",
        "Intensity at which roof and slope meet",
        "Fraction of peak as if this boundary alone were selected",
    )
    numbers = (1, 2)

    def key(self, row: BoundaryRow) -> str:
        return row.id

    def cell(self, row: BoundaryRow, column: int) -> Cell | None:
        crossed = row.fraction is not None
        token = "text" if crossed else "muted"
        if column == 0:
            return TextCell(row.label, token, row.chosen)
        if column == 1:
            return TextCell(row.intensity, token, row.chosen, number=True)
        if column == 2:
            return TextCell(row.ridge, "muted", number=True)
        if row.fraction is None:
            return TextCell("not crossed", "muted")
        return BarCell(row.fraction, row.bound, percent_text(row.fraction), row.chosen, glyph=True)

    def spoken(self, row: BoundaryRow, column: int) -> str:
        text = super().spoken(row, column)
        if column == 0 and row.chosen:
            return f"{text}, selected"
        return f"{text}, {row.bound}" if column == 3 and row.fraction is not None else text

    def tip(self, row: BoundaryRow, _column: int) -> str:
        words = "its data does not cross here" if row.fraction is None else f"{row.bound}-bound"
        about = " The bandwidth is approximate." if row.approximate else ""
        return f"{row.label}: {words}.{about} Click to select this boundary for the entry."


def policy_table(parent: QWidget | None = None) -> tuple[RowTable, PolicyModel]:
    """Return the table of policies with its model."""
    table = RowTable(
        "Result under all policies", row_px=_ROW_PX, padding_px=1, edge_px=0, shrunk=True, parent=parent
    )
    model = PolicyModel(table)
    table.setModel(model)
    table.share_width((68, 51, 37, 50, 40), grows=(1, 2, 3))
    return table, model


def boundary_table(parent: QWidget | None = None) -> tuple[RowTable, BoundaryModel]:
    """Return the table of boundaries with its model."""
    table = RowTable(
        "Result at all boundaries", row_px=_ROW_PX, padding_px=3, edge_px=0, shrunk=True, parent=parent
    )
    model = BoundaryModel(table)
    table.setModel(model)
    table.share_width((70, 42, 42, 92), grows=(0, 3))
    return table, model

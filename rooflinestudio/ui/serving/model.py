"""The table of what could be changed, as a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from rooflinestudio.ui.widgets.cells import Cell, TextCell
from rooflinestudio.ui.widgets.rows_model import RowsModel

if TYPE_CHECKING:
    from rooflinestudio.ui.serving.lines import Line

__all__ = ["COLUMNS", "WhatIfModel"]

COLUMNS: Final = (
    "What if", "tok/s", "vs now", "Largest batch", "tok/s there", "vs now", "Crossover", "Why",
)  # fmt: skip
LABEL, RATE, GAIN, MOST, MAX_RATE, MAX_GAIN, CROSSOVER, WHY = range(len(COLUMNS))


class WhatIfModel(RowsModel):
    """The step as it is, and its changes."""

    heads = COLUMNS
    hints = (
        "What is changed, and nothing else",
        "Tokens per second of all sequences, at the batch of the decode step",
        "Against the step as it is, at the same batch",
        "Sequences that fit into memory together with the weights",
        "Tokens per second at the largest batch",
        "Against the step as it is, each at its largest batch",
        "Batch from which on the caches are more bytes than the weights",
        "What the change does",
    )
    numbers = (RATE, GAIN, MOST, MAX_RATE, MAX_GAIN, CROSSOVER)

    def set_batch(self, words: str) -> None:
        """Say in the head at which batch the rates are."""
        heads = (COLUMNS[0], f"tok/s at {words}", *COLUMNS[2:])
        if heads != self.heads:
            self.heads = heads
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, RATE, RATE)

    def key(self, row: Line) -> object:
        return row.id

    def cell(self, row: Line, column: int) -> Cell | None:
        token = "muted" if row.refused else "text"
        if column == LABEL:
            return TextCell(row.label, token, strong=True)
        if column == WHY:
            return TextCell(row.why, "warn" if row.refused else "text2")
        if column == RATE:
            return TextCell(row.rate, "text" if row.fits else "muted", number=True)
        if column in (GAIN, MAX_GAIN):
            text, token = (row.gain, row.gain_token) if column == GAIN else (row.max_gain, row.max_gain_token)
            return TextCell(text, token, strong=token in ("ok", "error"), number=True)
        text = {MOST: row.most, MAX_RATE: row.max_rate, CROSSOVER: row.crossover}[column]
        return TextCell(text, token, number=True)

    def tip(self, row: Line, column: int) -> str | None:
        return row.why if column in (LABEL, WHY) else None

    def row_of(self, id_: str) -> int:
        """Return the row of a change, or -1."""
        return next((at for at, line in enumerate(self.rows) if line.id == id_), -1)

    def markdown(self) -> str:
        """Return the table in Markdown."""
        rule = ["---:" if column in self.numbers else "---" for column in range(len(COLUMNS))]
        rows = [
            [one.label, one.rate, one.gain, one.most, one.max_rate, one.max_gain, one.crossover, one.why]
            for one in self.rows
        ]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in (self.heads, rule, *rows)) + "\n"

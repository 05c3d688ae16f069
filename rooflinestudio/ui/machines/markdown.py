"""A table of rows as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rooflinestudio.ui.widgets.rows_model import RowsModel

__all__ = ["table_markdown"]


def table_markdown(model: RowsModel) -> str:
    """Return heads and cells of a model; columns of numbers stand at the right."""
    columns = range(len(model.heads))
    ruler = "|".join("---:" if column in model.numbers else "---" for column in columns)
    lines = [f"| {' | '.join(model.heads)} |", f"|{ruler}|"]
    for row in model.rows:
        texts = [_text(getattr(model.cell(row, column), "text", "")) for column in columns]
        lines.append(f"| {' | '.join(texts)} |")
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return text.replace("|", "\\|")

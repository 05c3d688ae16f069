"""What dialogs of imports get from the plugins of a session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from rooflinestudio.core.importing.answer import ImportWish
    from rooflinestudio.core.importing.preview import ColumnsPreview
    from rooflinestudio.core.importing.proposal import StatedColumn, TableProposal
    from rooflinestudio.core.operators import Operator
    from rooflinestudio.ui.importing.columns_dialog import ColumnsDialog
    from rooflinestudio.ui.session import Session

__all__ = ["column_preview", "columns_dialog_for", "operators_of", "shapes_in"]

_HEAD_BYTES: Final = 65_536


def column_preview(
    session: Session, proposal: TableProposal
) -> Callable[[Sequence[StatedColumn], str | None], ColumnsPreview]:
    """Return what tells the first rows of a table under a statement of its columns and a decimal mark."""
    from rooflinestudio.plugins.reading import preview_columns

    def preview(columns: Sequence[StatedColumn], mark: str | None) -> ColumnsPreview:
        # Plugins may come while the dialog is open.
        return preview_columns(proposal, getattr(session.source, "readers", ()), columns, mark)

    return preview


def columns_dialog_for(
    session: Session, path: str, proposal: TableProposal, said: ImportWish, parent: QWidget
) -> ColumnsDialog:
    """Return the dialog for the columns of a file, beginning with what was said about it before."""
    from rooflinestudio.ui.importing.columns_dialog import ColumnsDialog

    return ColumnsDialog(
        Path(path).name,
        proposal,
        column_preview(session, proposal),
        columns=said.columns or None,
        mark=said.decimal_mark,
        shapes="" if said.replaces else shapes_in(session.source, path),
        anew=not said.replaces,
        parent=parent,
    )


def shapes_in(source: Any, path: str) -> str:
    """Return the label of the operator whose shapes a table seems to hold, or an empty text."""
    from rooflinestudio.core.errors import StudioError
    from rooflinestudio.core.shapes.operators import propose_operators
    from rooflinestudio.core.shapes.sheet import open_sheet

    try:
        with Path(path).open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
        whole = head if len(head) < _HEAD_BYTES else head[: head.rfind(b"\n") + 1]
        found = propose_operators(open_sheet(whole), operators_of(source))
    except (StudioError, OSError):
        return ""
    return found[0].operator.label if found else ""


def operators_of(source: Any) -> tuple[Operator, ...]:
    """Return the operators of a session's source: those of plugins, and the user's own kernels."""
    return tuple(getattr(source, "operators", ()))

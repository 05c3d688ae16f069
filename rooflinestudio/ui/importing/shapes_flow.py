"""Placing the shapes of a table: from the file through the dialog into the study, as one undoable edit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.shapes.entries import place_shapes
from rooflinestudio.core.shapes.judgement import judged
from rooflinestudio.core.shapes.operators import propose_operators
from rooflinestudio.core.shapes.overlay import with_shapes
from rooflinestudio.core.shapes.sheet import Sheet, open_sheet
from rooflinestudio.core.study import Entry, PluginRef
from rooflinestudio.ui.importing.shapes_dialog import ShapesDialog
from rooflinestudio.ui.importing.sources import operators_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.shapes.plan import ShapesFound
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.importing.shapes_wish import ShapesWish
    from rooflinestudio.ui.notices import NoticeArea
    from rooflinestudio.ui.session import Session

__all__ = ["ShapesImport", "open_shapes"]


class ShapesImport(QObject):
    """Places shapes of files.

    Parameters
    ----------
    choose
        Asks the user for a file, given the folder to begin in.

    Signals
    -------
    placed
        Ids of the entries that are in the study now.
    """

    placed = Signal(tuple)

    def __init__(
        self,
        session: Session,
        notices: NoticeArea,
        parent: QObject | None = None,
        *,
        choose: Callable[[str], str],
    ) -> None:
        super().__init__(parent)
        self._session, self._notices = session, notices
        self._choose = choose
        self._path = ""
        self.dialog: ShapesDialog | None = None

    def start(self, path: str = "", *, folder: str = "") -> None:
        """Open the dialog for a file; without one the user is asked for it first."""
        path = path or self._choose(folder)
        if not path:
            return
        try:
            sheet = open_sheet(path)
        except StudioError as error:
            self._notices.tell(
                "error", f"{Path(path).name} holds no shapes", str(error), "The study is as it was."
            )
            return
        self._path = path
        self._open(sheet)

    def _open(self, sheet: Sheet) -> None:
        operators = operators_of(self._session.source)
        likely = propose_operators(sheet, operators)
        first = [one.operator for one in likely]
        ordered = (*first, *(one for one in operators if one not in first))
        self._close()
        dialog = ShapesDialog(
            sheet, ordered, likely=len(first), judge=self._judge, parent=self._notices.window()
        )
        dialog.placeRequested.connect(self._on_dialog_place_requested)
        dialog.fileRequested.connect(self._on_dialog_file_requested)
        dialog.finished.connect(self._on_dialog_finished)
        self.dialog = dialog
        dialog.open()

    def _close(self) -> None:
        if self.dialog is not None:
            dialog, self.dialog = self.dialog, None
            dialog.finished.disconnect(self._on_dialog_finished)
            dialog.close()
            dialog.deleteLater()

    def _judge(self, found: ShapesFound) -> str:
        profile = self._session.placed.profiles.get(self._session.machine)
        if profile is None or found.table is None:
            return ""
        return judged(found.table, self._session.source, profile, found.parameters, found.dtypes)

    def _on_dialog_file_requested(self) -> None:
        self.start(folder=str(Path(self._path).parent))

    def _on_dialog_finished(self, _result: int) -> None:
        self._close()

    def _on_dialog_place_requested(self, wish: ShapesWish) -> None:
        session = self._session
        try:
            placed = place_shapes(
                wish.table, wish.operator, session.study, template=self._template(wish), rows=wish.rows
            )
            profile = session.placed.profiles.get(session.machine)
            on = (session.source, profile) if wish.with_times and profile is not None else None
            made = with_shapes(session.study, placed, wish.table, path=self._path, on=on)
        except StudioError as error:
            self._notices.tell("error", "The shapes were not placed", str(error), "The study is as it was.")
            return
        session.edit(f"Place shapes of {wish.table.name}", self._with_kernel(made.study, wish.operator))
        session.select(made.ids[0])
        self._say(wish, len(made.ids), made.measured)
        self.placed.emit(made.ids)

    def _template(self, wish: ShapesWish) -> Entry:
        origin: Any = self._session.source.origin(wish.operator.id)
        return Entry(
            "",
            wish.operator.id,
            PluginRef(origin.plugin, origin.version),
            dict(wish.parameters),
            dict(wish.dtypes),
            group=Path(wish.table.name).stem,
        )

    def _with_kernel(self, study: Any, operator: Operator) -> Any:
        """Copy a kernel of the user's into the study that uses it: a study opens elsewhere, too."""
        source = self._session.source
        kernel = source.kernel(operator.id) if hasattr(source, "kernel") else None
        if kernel is None or operator.id in study.kernels:
            return study
        from rooflinestudio.core.custom.kernels import with_kernel

        return with_kernel(study, kernel)

    def _say(self, wish: ShapesWish, count: int, measured: int) -> None:
        what = f"{count} shape{'' if count == 1 else 's'} of {wish.operator.label} placed"
        texts = []
        if measured:
            times = f"{measured} measured time{'' if measured == 1 else 's'}"
            texts.append(
                f"{times} stand{'s' if measured == 1 else ''} beside them, with the operator's work and traffic."
            )
        if wish.table.fault_count:
            texts.append(
                f"{wish.table.fault_count} cells could not be used; the first: {wish.table.faults[0]}"
            )
        self._notices.tell("warn" if wish.table.fault_count else "info", what, "\n".join(texts))


def open_shapes(inside: Furnishing, path: str = "") -> ShapesImport:
    """Open the dialog in a window, for a file or for one that the user is asked for."""
    known = inside.findChild(ShapesImport)
    shapes = (
        known
        if isinstance(known, ShapesImport)
        else ShapesImport(inside.session, inside.notices, inside, choose=inside.asker.table_to_place)
    )
    shapes.start(path, folder=inside.files.folder())
    return shapes

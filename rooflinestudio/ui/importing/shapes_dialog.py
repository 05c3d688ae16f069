"""The dialog that makes placements of a table of shapes: whose shapes, which columns, which rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QFrame, QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.shapes.entries import PlacedShapes, place_shapes
from rooflinestudio.core.shapes.pick import picked_rows, picks_for
from rooflinestudio.core.shapes.plan import ShapesFound, find_shapes, plan_shapes
from rooflinestudio.core.study import Entry
from rooflinestudio.ui.importing.parts import (
    button,
    button_bar,
    caption,
    findings_label,
    make_default,
    title_label,
)
from rooflinestudio.ui.importing.shapes_form import ShapesForm
from rooflinestudio.ui.importing.shapes_tables import FaultsModel, ShapesModel, faults_table, shapes_table
from rooflinestudio.ui.importing.shapes_wish import LISTED, ShapesWish, counted, refused_words, shape_lines
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.note_box import ReasonBox
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.shapes.sheet import Sheet
    from rooflinestudio.core.shapes.table import ShapeTable

__all__ = ["ShapesDialog"]

CHECK_AFTER_MS: Final = 120


class ShapesDialog(QDialog):
    """A form at the left, what it comes to at the right.

    Parameters
    ----------
    operators
        All that may be chosen, the likeliest first.
    likely
        How many of them the heads speak for.
    judge
        Says how measured times stand to the bound.

    Signals
    -------
    placeRequested
        A :class:`~rooflinestudio.ui.importing.shapes_wish.ShapesWish`.
    fileRequested
        Another file is wanted.
    """

    placeRequested = Signal(object)
    fileRequested = Signal()

    def __init__(
        self,
        sheet: Sheet,
        operators: Sequence[Operator],
        *,
        likely: int = 0,
        judge: Callable[[ShapesFound], str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("shapes_dialog")
        self.setWindowTitle("Place shapes from a table")
        self.resize(1060, 680)
        self._sheet, self._judge = sheet, judge
        self._operators = {one.id: one for one in operators}
        self._found = ShapesFound()
        self._make_parts(operators, likely)
        self._lay_out()
        make_default(self, self.place_button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(CHECK_AFTER_MS)
        self._timer.timeout.connect(self.check)
        if operators:
            self._show_operator(operators[0].id)

    def _make_parts(self, operators: Sequence[Operator], likely: int) -> None:
        labels = [
            one.label + (" (fits the heads)" if at < likely else "") for at, one in enumerate(operators)
        ]
        self.operator = Choice([(one.id, label) for one, label in zip(operators, labels, strict=True)])
        self.operator.setAccessibleName("Operator")
        self.form = ShapesForm(self._sheet)
        self.pick = Choice()
        self.pick.setAccessibleName("Rows to place")
        self.problem, self.summary, self.judgement = ReasonBox(), QLabel(), findings_label()
        self.with_times = QCheckBox("Times become measurements, each paired with its placement")
        self.with_times.setChecked(True)
        self.shapes, self.faults = ShapesModel(self), FaultsModel(self)
        self.faults_head = caption("Rows that cannot be used")
        self.file_button = button("Another file…", "Choose another table")
        self.cancel_button = button("Cancel", "Place nothing")
        self.place_button = button("Place", "Put the shapes on the canvas, as one step", primary=True)
        self.operator.chosen.connect(self._show_operator)
        self.form.planChanged.connect(self._on_changed)
        self.pick.chosen.connect(self._on_pick_chosen)
        self.file_button.clicked.connect(self._on_file_button_clicked)
        self.cancel_button.clicked.connect(self.reject)
        self.place_button.clicked.connect(self._on_place_button_clicked)

    def _lay_out(self) -> None:
        panes = QSplitter()
        panes.setChildrenCollapsible(False)
        panes.addWidget(self._left())
        panes.addWidget(self._right())
        panes.setStretchFactor(1, 1)
        panes.setSizes([440, 620])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(panes, 1)
        whole.addWidget(button_bar((self.file_button,), (self.cancel_button, self.place_button)))

    def _left(self) -> QWidget:
        page = QFrame()
        set_role(page, "surface")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 16, 0, 0)
        column.setSpacing(8)
        head = QVBoxLayout()
        head.setContentsMargins(20, 0, 16, 0)
        head.setSpacing(8)
        head.addWidget(title_label(f"Whose shapes are in {self._sheet.name}?"))
        head.addWidget(self.operator)
        column.addLayout(head)
        column.addWidget(QuietScroll(self.form, "What the columns are"), 1)
        page.setMinimumWidth(380)
        return page

    def _right(self) -> QWidget:
        page = QFrame()
        set_role(page, "surface")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 16, 0, 10)
        column.setSpacing(8)
        head = QVBoxLayout()
        head.setContentsMargins(16, 0, 20, 0)
        head.setSpacing(8)
        set_role(self.summary, "value", font_role="name")
        row = QHBoxLayout()
        row.addWidget(self.summary, 1)
        row.addWidget(self.pick)
        head.addLayout(row)
        head.addWidget(self.problem)
        head.addWidget(self.with_times)
        head.addWidget(self.judgement)
        column.addLayout(head)
        column.addWidget(shapes_table(self.shapes), 3)
        foot = QVBoxLayout()
        foot.setContentsMargins(16, 4, 20, 0)
        foot.addWidget(self.faults_head)
        column.addLayout(foot)
        self._faults_table = faults_table(self.faults)
        column.addWidget(self._faults_table, 1)
        page.setMinimumWidth(420)
        return page

    # What it shows ------------------------------------------------------------------------------------------------

    @property
    def chosen_operator(self) -> Operator:
        """The operator whose shapes these are."""
        return self._operators[self.operator.value()]

    def _show_operator(self, id_: str) -> None:
        self.operator.set_value(id_)
        self.form.set_operator(self.chosen_operator, plan_shapes(self._sheet, self.chosen_operator))
        self.check()

    def check(self) -> None:
        """Read the table as it is chosen now."""
        self._timer.stop()
        self._found = find_shapes(self._sheet, self.chosen_operator, self.form.plan)
        table = self._found.table
        if table is not None:
            picks = picks_for(table)
            known = self.pick.value() in {one.id for one in picks}
            self.pick.set_options(picks)
            if not known:
                self.pick.set_value(picks[0].id)
        has_times = table is not None and table.time_s is not None
        self.pick.setVisible(table is not None)
        self.with_times.setVisible(has_times)
        self._show_judgement(has_times=has_times)
        self._show_faults(table)
        self._show_rows()

    def _show_judgement(self, *, has_times: bool) -> None:
        text = self._judge(self._found) if has_times and self._judge is not None else ""
        self.judgement.setText(text)
        self.judgement.setVisible(bool(text))

    def _show_faults(self, table: ShapeTable | None) -> None:
        faults = table.faults if table is not None else ()
        self.faults.set_rows(faults[:LISTED])
        self._faults_table.setVisible(bool(faults))
        self.faults_head.setVisible(bool(faults))
        if table is not None and table.fault_count > LISTED:
            self.faults_head.setText(f"Cells that cannot be used: the first {LISTED} of {table.fault_count}")
        else:
            self.faults_head.setText("Rows that cannot be used")

    def _show_rows(self) -> None:
        placed, problem = self._placed()
        table = self._found.table
        doubt = self.form.plan.doubt if not problem else ""
        self.problem.set_reason(
            "Not yet" if problem else "Look twice", problem or doubt, tone="error" if problem else "warn"
        )
        self.problem.setVisible(bool(problem or doubt))
        self.place_button.setEnabled(placed is not None)
        if placed is None or table is None:
            self.shapes.set_rows(())
            self.summary.setText("")
            return
        count, rows = len(placed.entries), len(placed.entry_of)
        self.summary.setText(f"{counted(count, 'placement')} of {counted(rows, 'row')}{refused_words(table)}")
        self.shapes.set_rows(shape_lines(placed, table))

    def _placed(self) -> tuple[PlacedShapes | None, str]:
        wish = self.wish()
        if wish is None:
            return None, self._found.problem
        template = Entry("", wish.operator.id, parameters=wish.parameters, dtypes=wish.dtypes)
        try:
            return place_shapes(wish.table, wish.operator, template=template, rows=wish.rows), ""
        except StudioError as error:
            return None, str(error)

    def wish(self) -> ShapesWish | None:
        """Return what would be placed now."""
        table = self._found.table
        if table is None:
            return None
        timed = self.with_times.isChecked() and table.time_s is not None
        return ShapesWish(
            self.chosen_operator,
            table,
            tuple(picked_rows(table, self.pick.value())),
            self._found.parameters,
            self._found.dtypes,
            timed,
        )

    # What the user does -------------------------------------------------------------------------------------------

    def _on_changed(self, _plan: Any) -> None:
        self._timer.start()

    def _on_pick_chosen(self, _id: str) -> None:
        self._show_rows()

    def _on_file_button_clicked(self) -> None:
        self.fileRequested.emit()

    def _on_place_button_clicked(self) -> None:
        self.check()  # what was typed a moment ago counts
        wish = self.wish()
        if self.place_button.isEnabled() and wish is not None:
            self.placeRequested.emit(wish)
            self.accept()

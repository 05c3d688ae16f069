"""The dialog for the columns of a table of points: what each holds, and what becomes of the first rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.importing.choice import ColumnsChoice
from rooflinestudio.ui.importing.columns_table import MOST_COLUMNS, ColumnsTable
from rooflinestudio.ui.importing.parts import (
    button,
    button_bar,
    caption,
    findings_label,
    make_default,
    title_label,
)
from rooflinestudio.ui.importing.preview_table import PreviewModel, preview_table
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.note_box import ReasonBox
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rooflinestudio.core.importing.preview import ColumnsPreview
    from rooflinestudio.core.importing.proposal import StatedColumn, TableProposal

    Preview = Callable[[Sequence[StatedColumn], str | None], ColumnsPreview]

__all__ = ["ColumnsDialog"]

PREVIEW_AFTER_MS: Final = 60
_MARKS: Final = (("", "As the file shows"), (".", "1.5"), (",", "1,5"))


class ColumnsDialog(QDialog):
    """Choices over the first rows of a file, with a preview that follows them.

    Parameters
    ----------
    name
        The file's.
    preview
        Reads the first rows under a statement of the columns and a decimal mark (None: by the file's evidence).
    columns
        What to begin with instead of what was recognised.
    shapes
        Label of the operator whose shapes the table seems to hold: then these can be placed instead.
    anew
        Whether the file is imported, and not an import changed.

    Signals
    -------
    columnsAccepted
        The columns, the decimal mark (or empty), and whether to remember them for tables with these heads.
    shapesRequested
        The table is to be placed as shapes.
    """

    columnsAccepted = Signal(tuple, str, bool)
    shapesRequested = Signal()

    def __init__(  # noqa: PLR0913 - all but the first three by keyword
        self,
        name: str,
        proposal: TableProposal,
        preview: Preview,
        *,
        columns: Sequence[StatedColumn] | None = None,
        mark: str | None = None,
        shapes: str = "",
        anew: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._anew = anew
        self.setObjectName("columns_dialog")
        self.setWindowTitle("Columns of a table")
        self.resize(1000, 640)
        self._preview = preview
        self.proposal = proposal
        self.table = ColumnsTable(ColumnsChoice.of(proposal, columns))
        self.model = PreviewModel(self)
        self.rows = preview_table(self.model)
        self.doubts, self.problem = ReasonBox(), ReasonBox()
        self.summary, self.findings = QLabel(), findings_label()
        self.mark = SegmentedControl(_MARKS, "Decimal mark", compact=True)
        self.mark.set_value(mark or "")
        self.pipe_label, self.pipe = QLabel("Computed in"), self._pipe_choice()
        set_role(self.pipe_label, "label", font_role="label")
        self.remember = QCheckBox("Remember for tables with these heads")
        self.remember.setChecked(True)
        self.remember.setVisible(proposal.has_heads)
        self._make_buttons(shapes)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PREVIEW_AFTER_MS)
        self._timer.timeout.connect(self.check)
        self.table.choiceChanged.connect(self._on_changed)
        self.mark.chosen.connect(self._on_changed)
        self._lay_out(name, shapes)
        make_default(self, self.import_button)
        self.check()
        self._focus_first_doubt()

    def _pipe_choice(self) -> Choice:
        kind = self.proposal.kind("pipe")
        values = kind.constants if kind is not None else ()
        made = Choice([(one, one) for one in values])
        made.setAccessibleName("Pipe on which all rows were computed")
        made.setToolTip("Which roof the work belongs to, where no column says it")
        made.set_value(self.table.choice.constant("pipe") or (values[0] if values else ""))
        made.chosen.connect(self._on_pipe_chosen)
        return made

    def _make_buttons(self, shapes: str) -> None:
        self.import_button = button("Import", "Lay the kernels of the table over the study", primary=True)
        self.cancel_button = button("Cancel", "Import nothing of this file")
        hint = (
            f"The table looks like shapes of {shapes}" if shapes else "The rows may be shapes of an operator"
        )
        self.shapes_button = button("Place as shapes…", f"{hint}: place them instead")
        # Without a line of heads nothing says what the columns are, and shapes are the more likely.
        self.shapes_button.setVisible(bool(shapes) or (self._anew and not self.proposal.has_heads))
        self.import_button.clicked.connect(self._on_import_button_clicked)
        self.cancel_button.clicked.connect(self.reject)
        self.shapes_button.clicked.connect(self._on_shapes_button_clicked)

    def _lay_out(self, name: str, shapes: str) -> None:
        set_role(self.summary, "value", font_role="name")
        self.summary.setWordWrap(True)
        scroll = QuietScroll(self.table, "Columns of the table", across=True)
        scroll.setFixedHeight(self.table.sizeHint().height() + 12)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._head(name, shapes))
        whole.addWidget(scroll)
        whole.addWidget(self._how())
        whole.addWidget(self.rows, 1)
        whole.addWidget(self._foot())
        whole.addWidget(button_bar((self.shapes_button,), (self.cancel_button, self.import_button)))

    def _head(self, name: str, shapes: str) -> QWidget:
        head = _page()
        column = QVBoxLayout(head)
        column.setContentsMargins(20, 16, 20, 8)
        column.setSpacing(8)
        column.addWidget(title_label(f"What do the columns of {name} hold?"))
        hidden = len(self.proposal.heads) - len(self.table.shown)
        texts = [*self.proposal.doubts]
        if hidden:
            texts.append(f"Of its columns {MOST_COLUMNS} are shown, {hidden} are not.")
        if shapes:
            texts.append(f"The table looks like shapes of {shapes}: these can be placed instead.")
        self.doubts.set_reason("To be settled", " ".join(texts), tone="warn")
        self.doubts.setVisible(bool(texts))
        column.addWidget(self.doubts)
        return head

    def _how(self) -> QWidget:
        page = _page()
        column = QVBoxLayout(page)
        column.setContentsMargins(20, 4, 20, 6)
        column.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(10)
        words = QLabel("Decimal mark")
        set_role(words, "label", font_role="label")
        row.addWidget(words)
        row.addWidget(self.mark)
        row.addSpacing(10)
        row.addWidget(self.pipe_label)
        row.addWidget(self.pipe)
        row.addStretch(1)
        row.addWidget(self.remember)
        column.addLayout(row)
        line = QFrame()
        set_role(line, "hairline")
        column.addWidget(line)
        column.addWidget(caption("What becomes of the first rows"))
        column.addWidget(self.summary)
        column.addWidget(self.problem)
        return page

    def _foot(self) -> QWidget:
        page = _page()
        column = QVBoxLayout(page)
        column.setContentsMargins(20, 6, 20, 10)
        column.addWidget(self.findings)
        return page

    # What it shows ------------------------------------------------------------------------------------------------

    @property
    def columns(self) -> tuple[StatedColumn, ...]:
        """What is chosen now."""
        return self.table.choice.columns

    def check(self) -> None:
        """Read the first rows as it is chosen now."""
        self._timer.stop()
        has_pipe = "pipe" in self.table.choice.figures or not self.pipe.options
        self.pipe.setVisible(not has_pipe)
        self.pipe_label.setVisible(not has_pipe)
        found = self._preview(self.columns, self.mark.value() or None)
        self.model.set_rows(found.rows)
        self.summary.setText(found.summary)
        self.summary.setVisible(bool(found.summary))
        self.problem.set_reason("Cannot be imported so", found.problem)
        self.problem.setVisible(bool(found.problem))
        self.findings.setText("\n".join((*_open(found), *found.findings)))
        self.import_button.setEnabled(not found.problem)

    def _focus_first_doubt(self) -> None:
        """Begin at the first column that the proposal leaves open."""
        open_ = [at for at in self.table.shown if not self.table.choice.figures[at]]
        at = next(iter(open_ or self.table.shown), None)
        if at is not None:
            self.table.kinds[at].setFocus()

    # What the user does -------------------------------------------------------------------------------------------

    def _on_changed(self, _what: Any) -> None:
        self._timer.start()

    def _on_pipe_chosen(self, value: str) -> None:
        first = self.pipe.options[0][0]
        self.table.set_choice(self.table.choice.with_constant("pipe", "" if value == first else value))

    def _on_import_button_clicked(self) -> None:
        self.check()  # what was chosen a moment ago counts
        if self.import_button.isEnabled():
            remember = self.remember.isChecked() and self.proposal.has_heads
            self.columnsAccepted.emit(self.columns, self.mark.value(), remember)
            self.accept()

    def _on_shapes_button_clicked(self) -> None:
        self.shapesRequested.emit()
        self.accept()


def _open(found: ColumnsPreview) -> tuple[str, ...]:
    question = found.question
    if question is None:
        return ()
    return (
        f"{question.sample} may be {question.reading('.')} or {question.reading(',')}: shown with a decimal point. "
        "Choose the decimal mark, or be asked if the rest of the file does not settle it.",
    )


def _page() -> QFrame:
    page = QFrame()
    set_role(page, "surface")
    return page

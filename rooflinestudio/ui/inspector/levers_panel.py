"""What would help: changes that were tried, the largest gain first, each to be placed as a variant.

Nothing is worked out before the section is opened, nor while something is dragged: trying out takes tens of
milliseconds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.inspector.disclosure import Disclosure
from rooflinestudio.ui.inspector.lever_row import LeverRow
from rooflinestudio.ui.widgets.note_box import wrapped_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.levers import Lever
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.ui.inspector.surroundings import Surroundings

__all__ = ["LeversPanel"]

_WAIT_MS: Final = 120
"""Changes that follow each other faster than this are waited out."""


class LeversPanel(QWidget):
    """Folded at first; once opened it stays open for every entry.

    Signals
    -------
    variantRequested
        A new entry for the study, with a free id, and the words of what is tried.
    rebuilt
        There are more lines than before.
    """

    variantRequested = Signal(object, str)
    rebuilt = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: PlacedRow | None = None
        self._around: Surroundings | None = None
        self._answered: PlacedRow | None = None
        self._held = False
        self.lines: list[LeverRow] = []
        self.head = Disclosure("What would help")
        self.head.setObjectName("levers.head")
        self.head.toggled.connect(self._on_head_toggled)
        self.sentence = wrapped_label("muted")
        self.body = QWidget()
        self._column = QVBoxLayout(self.body)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.sentence)
        self.body.hide()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._work_out)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 2)
        layout.setSpacing(2)
        layout.addWidget(self.head)
        layout.addWidget(self.body)

    def set_surroundings(self, around: Surroundings | None) -> None:
        """Take the study that variants go to, and where operators and machines come from."""
        self._around = around

    def show_row(self, row: PlacedRow) -> None:
        """Follow a placed row; what it needs is worked out a little later, if the section is open."""
        other = self._row is None or self._row.key != row.key
        self._row = row
        if not self.head.isChecked():
            return
        if other:
            self._say("Trying out …")
        self._expire()

    def set_held(self, held: bool) -> None:
        """Hold while something is dragged."""
        if held != self._held:
            self._held = held
            self._expire()

    def focus_order(self) -> list[QWidget]:
        """Return what can be focused, in the order of the eye."""
        return [self.head, *(line.button for line in self.lines)]

    def _expire(self) -> None:
        """Put the answer off: it is stale, and what is shown cannot be tried until it is renewed."""
        stale = self._row is not self._answered
        for line in self.lines:
            line.set_ready(not stale)
        if stale and not self._held and self.head.isChecked():
            self._timer.start(_WAIT_MS)
        else:
            self._timer.stop()

    def _on_head_toggled(self, opened: bool) -> None:
        self.body.setVisible(opened)
        if opened and self._row is not self._answered:
            self._say("Trying out …")
            self._timer.start(0)

    def _work_out(self) -> None:
        row, around = self._row, self._around
        if row is None or row.placement is None or around is None or self._held:
            return
        self._answered = row
        try:
            found = _levers(row, around)
        except StudioError as error:
            self._say(str(error))
            return
        self._say("" if found else "Nothing that was tried would help.")
        before = len(self.lines)
        while len(self.lines) < len(found):
            line = LeverRow()
            line.tried.connect(self._on_line_tried)
            self.lines.append(line)
            self._column.addWidget(line)
        if len(self.lines) > before:
            self.rebuilt.emit()
        for at, line in enumerate(self.lines):
            line.setVisible(at < len(found))
            if at < len(found):
                line.show_lever(found[at], row.placement)

    def _say(self, sentence: str) -> None:
        """Say something in place of the lines, or nothing."""
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        if sentence:
            for line in self.lines:
                line.hide()

    def _on_line_tried(self, lever: Lever) -> None:
        row, around = self._row, self._around
        if row is None or around is None or row is not self._answered:
            return
        entry = row.entry
        made = lever.entry(entry, around.placed.study.next_id(entry.operator))
        words = f"{lever.words[:1].lower()}{lever.words[1:]}"
        made = replace(made, label=f"{entry.label or entry.operator}: {words}")
        self.variantRequested.emit(made, lever.words)


def _levers(row: PlacedRow, around: Surroundings) -> tuple[Lever, ...]:
    from rooflinestudio.core.levers import LeverContext, levers

    return levers(LeverContext.of_row(row), around.source, tuple(_machines(around).values()))


def _machines(around: Surroundings) -> Mapping[str, HardwareProfile]:
    """Return the machines that can be tried by id: those that the source brings, before them those of the study."""
    known: dict[str, HardwareProfile] = {}
    for one in getattr(around.source, "profiles", ()):
        try:
            known[one.id] = one.load()
        except StudioError:
            continue  # a machine that cannot be read is told of elsewhere, and is no lever
    known.update(around.placed.profiles)
    return known

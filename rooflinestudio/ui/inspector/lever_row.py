"""One thing that would help: what is done, by how much it is faster, and a button to try it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.core.quantities import format_ratio
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.words import boundary_word, time_text

if TYPE_CHECKING:
    from rooflinestudio.core.levers import Lever
    from rooflinestudio.core.placement import Placement

__all__ = ["LeverRow"]

_BUTTON_PX: Final = 44


class LeverRow(QWidget):
    """Two short lines at the left, a button at the right; a fusion has none, since it is no entry of its own.

    Signals
    -------
    tried
        The lever that is to become a variant.
    """

    tried = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lever: Lever | None = None
        self.words = ElidingLabel(role="name", token="text")
        self.ratio = ElidingLabel(role="label", token="ok")
        self.then = ElidingLabel(role="label", token="muted")
        self.button = QPushButton("Try")
        self.button.setObjectName("levers.try")
        self.button.setFont(font("label"))
        self.button.setFixedWidth(_BUTTON_PX)
        self.button.clicked.connect(self._on_button_clicked)
        below = QHBoxLayout()
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(6)
        below.addWidget(self.ratio)
        below.addWidget(self.then, 1)
        column = QVBoxLayout()
        column.setSpacing(1)
        column.addWidget(self.words)
        column.addLayout(below)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 2)
        layout.setSpacing(8)
        layout.addLayout(column, 1)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)

    @property
    def lever(self) -> Lever | None:
        """What is shown."""
        return self._lever

    def show_lever(self, lever: Lever, now: Placement) -> None:
        """Show a lever for the kernel as it is now."""
        self._lever = lever
        self.words.set_text(lever.words)
        self.ratio.set_text(format_ratio(lever.ratio))
        self.then.set_text("for the same work" if lever.change.per_work else "")
        bound, _, binding = lever.bound.partition(" at ")
        profile = lever.change.profile or now.profile
        where = boundary_word(profile, binding) if bound == "memory" else binding
        chain = f"\nAs the chain {lever.change.chain}" if lever.change.chain else ""
        tip = f"{lever.words}: {time_text(lever.time_s)}, then {bound} at {where} binds.{chain}"
        self.setToolTip(tip)
        self.button.setVisible(not lever.change.chain)
        self.button.setToolTip(f"Place it as a variant beside this entry\n{tip}")
        self.button.setAccessibleName(f"Try: {lever.words}, {format_ratio(lever.ratio)}")
        self.set_ready(True)

    def set_ready(self, ready: bool) -> None:
        """Dim what belongs to a state that has passed."""
        if ready is not self.isEnabled():
            self.setEnabled(ready)

    def _on_button_clicked(self) -> None:
        if self._lever is not None:
            self.tried.emit(self._lever)

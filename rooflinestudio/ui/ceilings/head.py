"""The head of the dialog of measured ceilings: what the file says of its device, and which machine that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.ceilings.matching import match_words
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.text_block import Paragraph, Span, TextBlock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.ceilings.matching import ProfileMatch
    from rooflinestudio.core.measured.ceilings import MeasuredMachine

__all__ = ["ALONE", "CeilingsHead", "centred"]

ALONE = "@alone"
"""Stands for a machine that no profile has."""

_CHOICE_PX = 300
_MIDDLE = Qt.TextElideMode.ElideMiddle


def centred(widget: QWidget) -> QVBoxLayout:
    """Return a layout that keeps a text of any height in the middle of its row."""
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.addStretch(1)
    column.addWidget(widget)
    column.addStretch(1)
    return column


class CeilingsHead(QWidget):
    """Title, tool, device and machine.

    Signals
    -------
    deviceChosen
        Number of a device of the file.
    machineChosen
        Id of a profile.
    """

    deviceChosen = Signal(int)
    machineChosen = Signal(str)

    def __init__(self, name: str, machines: Sequence[MeasuredMachine], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidingLabel(f"Ceilings from {name}", role="title", token="text", mode=_MIDDLE)
        self.tool = ElidingLabel(role="label", token="muted")
        self.device = Choice([(str(at), _device_words(at, one)) for at, one in enumerate(machines)])
        self.device.setObjectName("ceilings.device")
        self.device.setAccessibleName("Device in the file")
        self.machine = Choice()
        self.machine.setObjectName("ceilings.machine")
        self.machine.setAccessibleName("Machine that the ceilings belong to")
        self.words = TextBlock("label")
        for choice in (self.device, self.machine):
            choice.setMinimumWidth(_CHOICE_PX)
            choice.setMaximumWidth(_CHOICE_PX)
        several = len(machines) > 1
        self.device.setVisible(several)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.addWidget(self.title, 0, 0, 1, 3)
        grid.addWidget(self.tool, 1, 0, 1, 3)
        if several:
            grid.addWidget(_label("Device"), 2, 0)
            grid.addWidget(self.device, 2, 1)
        grid.addWidget(_label("Machine"), 3, 0)
        grid.addWidget(self.machine, 3, 1)
        grid.addLayout(centred(self.words), 3, 2)
        grid.setColumnStretch(2, 1)
        self.device.chosen.connect(self._on_device_chosen)
        self.machine.chosen.connect(self.machineChosen)

    def set_options(self, options: Sequence[tuple[str, str]], *, alone: bool) -> None:
        """Offer these machines; ``alone``, also one that is made of the file and nothing else."""
        new = ((ALONE, "None of these: a machine from this file alone"),) if alone else ()
        self.machine.set_options((("", "Choose the machine…"), *new, *options))

    def show_match(self, machine: MeasuredMachine, match: ProfileMatch | None, chosen: str) -> None:
        """Say what the file names, and how sure the chosen machine is; ``match`` is what speaks for that one."""
        self.machine.set_value(chosen)
        if chosen == ALONE:
            text, token = "Nothing but what the file says is known of it.", "muted"
        elif chosen and match is None:
            text, token = (
                f"The file names {machine.device or 'no device'}; this machine is your choice.",
                "muted",
            )
        else:
            text = match_words(machine.device, match, compute_capability=machine.compute_capability)
            token = "muted" if match is not None and match.certain else "warn"
        self.words.set_paragraphs(Paragraph((Span(text, token),)))

    def _on_device_chosen(self, number: str) -> None:
        self.deviceChosen.emit(int(number))


def _label(text: str) -> QLabel:
    label = QLabel(text)
    set_role(label, "label")
    return label


def _device_words(at: int, machine: MeasuredMachine) -> str:
    return f"{machine.device or f'device {at}'} · {machine.tool}"

"""All that tells about one decode step; what there is no room for is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from rooflinestudio.core.serving.words import decode_verdict
from rooflinestudio.ui.serving.machines import MachinesPage
from rooflinestudio.ui.serving.plots import ServingPlots
from rooflinestudio.ui.serving.what_if_page import WhatIfPage
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.note_box import VerdictBox
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll
from rooflinestudio.ui.widgets.readouts import Readouts

if TYPE_CHECKING:
    from rooflinestudio.core.serving.view import ServingPicture

__all__ = ["ServingBody"]

_PLOTS_FROM_PX, _TALL_FROM_PX, _ANY_PX = 900, 560, 16_777_215


class ServingBody(QWidget):
    """Readouts over the table of changes over the machines; the plots at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.readouts, self.verdict = Readouts(), VerdictBox()
        self.what_if, self.machines, self.plots = WhatIfPage(), MachinesPage(), ServingPlots()
        head = QVBoxLayout()
        head.setContentsMargins(16, 6, 16, 2)
        head.setSpacing(6)
        head.addWidget(self.readouts)
        head.addWidget(self.verdict)
        self._line = QFrame()
        set_role(self._line, "hairline")
        self._scroll = QuietScroll(self.machines, "Prefill and decoding")
        self._scroll.setObjectName("serving.machines")
        self._scroll.setFocusPolicy(
            Qt.FocusPolicy.StrongFocus
        )  # figures that hold no control are scrolled to
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        left.addLayout(head)
        left.addWidget(self.what_if, 1)
        left.addWidget(self._line)
        left.addWidget(self._scroll, 1)
        columns = QHBoxLayout(self)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(0)
        columns.addLayout(left, 3)
        columns.addWidget(self.plots, 2)

    def set_picture(self, shown: ServingPicture) -> None:
        """Show a decode step that is placed."""
        if shown.decoding is not None:
            self.verdict.set_text(decode_verdict(shown.decoding))
            self.what_if.set_picture(shown)
            self.machines.set_picture(shown)
            self.plots.set_picture(shown)

    def arrange(self, width: int, height: int, page: str) -> bool:
        """Show what there is room for; returns whether that is everything, and no page need be chosen.

        Parameters
        ----------
        page
            ``what_if`` or ``machines``: which of them is shown where there is room for one.
        """
        wide, tall = width >= _PLOTS_FROM_PX, height >= _TALL_FROM_PX
        self.plots.setVisible(wide)
        self.plots.set_both(wide and tall)
        self.verdict.setVisible(tall)
        self.what_if.setVisible(tall or page == "what_if")
        self._line.setVisible(tall)
        self._scroll.setVisible(tall or page == "machines")
        self._scroll.setMaximumHeight(self.machines.sizeHint().height() if tall else _ANY_PX)
        self._scroll.setMinimumHeight(self._scroll.maximumHeight() if tall else 0)
        return tall

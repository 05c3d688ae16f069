"""Controls of the diagnosis for the end of the tab row: which file, which kernel, copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from rooflinestudio.ui.diagnosis.picker import KernelPicker
from rooflinestudio.ui.widgets.corner import CornerRow, corner_choice, tool_button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.measurement_overlay import Overlay

__all__ = ["DiagnosisCorner"]


class DiagnosisCorner(CornerRow):
    """Which kernel is diagnosed, and what is copied.

    Signals
    -------
    overlayChosen
        Digest of a file.
    kernelChosen
        Index of a kernel of the file that is shown.
    copyMarkdownRequested, copyTextRequested, copyCommandRequested
        The diagnosis, or the command that collects all that is missing, is to be copied.
    """

    overlayChosen = Signal(str)
    kernelChosen = Signal(int)
    copyMarkdownRequested = Signal()
    copyTextRequested = Signal()
    copyCommandRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.overlays = corner_choice(
            "diagnosis.overlay", "Measured file", "Which file the kernel is of", least_px=84
        )
        self.overlays.chosen.connect(self.overlayChosen)
        self.kernel = KernelPicker()
        self.kernel.chosen.connect(self.kernelChosen)
        menu = QMenu()
        menu.addAction("Copy as Markdown", self.copyMarkdownRequested.emit)
        menu.addAction("Copy as text", self.copyTextRequested.emit)
        self.command = menu.addAction(
            "Copy the command for all that is missing", self.copyCommandRequested.emit
        )
        self.copy_button = tool_button(
            "diagnosis.copy", "copy", "Copy the diagnosis", "Copy the diagnosis, or the command", menu=menu
        )
        self.line_up(self.kernel, self.overlays, self.copy_button)

    def show_kernel(self, overlays: Sequence[Overlay], overlay: Overlay | None, index: int) -> None:
        """Offer the files of a study, and the kernels of one of them; one is shown."""
        self.overlays.set_options([(one.digest, one.name) for one in overlays if len(one)])
        self.overlays.setVisible(len(self.overlays.options) > 1)
        if overlay is None:
            self.kernel.set_kernel(None, -1, 0, 0)
            return
        self.overlays.set_value(overlay.digest)
        self.kernel.set_kernel(overlay, index, int(overlay.columns["launch"][index]), len(overlay))

    def set_ready(self, ready: bool, *, command: bool) -> None:
        """Enable what needs a diagnosis, and what needs something missing in it."""
        self.copy_button.setEnabled(ready)
        self.command.setEnabled(command)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window."""
        self.overlays.setMaximumWidth(110 if compact else 190)

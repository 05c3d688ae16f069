"""The right pane: what the kernel comes to on a machine, or how much is still to be mended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from rooflinestudio.core.custom.kernels import kernel_to_document
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.plugins.layered import LayeredSource
from rooflinestudio.plugins.registry import Registry
from rooflinestudio.ui.inspector.result import ResultPanel
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import repaint_all
from rooflinestudio.ui.widgets.note_box import ReasonBox

if TYPE_CHECKING:
    from rooflinestudio.core.custom.kernels import CustomKernel
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["KernelPreview"]


class KernelPreview(QScrollArea):
    """The result of a kernel with its defaults, in the words and tables of the inspector."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Preview")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._profile: HardwareProfile | None = None
        self._view = View()
        self._kernel: CustomKernel | None = None
        self.row: PlacedRow | None = None
        self.reason = ReasonBox()
        self.result = ResultPanel()
        self.result.copy.hide()  # nobody else knows the kernel yet
        self.result.policyChosen.connect(self._on_result_policy_chosen)
        self.result.boundaryChosen.connect(self._on_result_boundary_chosen)
        content = QWidget()
        set_role(content, "surface")
        layout = QVBoxLayout(content)
        layout.setContentsMargins(16, 14, 16, 16)
        layout.addWidget(self.reason)
        layout.addWidget(self.result)
        layout.addStretch(1)
        self.setWidget(content)
        self._renew()

    def set_machine(self, profile: HardwareProfile | None, view: View) -> None:
        """Hold the kernel against a machine, with the policy and boundary of a view."""
        self._profile, self._view = profile, view
        self._renew()

    def show_kernel(self, kernel: CustomKernel) -> None:
        """Show what a kernel comes to."""
        self._kernel = kernel
        self._renew()

    def show_faults(self, count: int, first: str) -> None:
        """Say that there is nothing to show yet."""
        self._kernel = None
        heading = "One thing to mend" if count == 1 else f"{count} things to mend"
        self._say(heading, first, tone="error")

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.result.refresh_theme()
        self.reason.refresh_theme()
        repaint_all(self)

    def _renew(self) -> None:
        kernel, profile = self._kernel, self._profile
        if kernel is None:
            return
        if profile is None:
            self._say("No machine", "Choose a machine in the window: the result is held against it.", tone="")
            return
        document = kernel_to_document(kernel)
        study = Study(
            entries=(Entry("preview", kernel.id, label=kernel.label),),
            profiles={profile.id: profile},
            kernels={kernel.id: document},
            view=replace(self._view, machines=(profile.id,)),
        )
        (row,) = place(study, {}, LayeredSource(Registry(), study=study.kernels)).rows
        self.row = row
        if row.placement is None:
            self._say(f"Cannot be placed on {profile.short_name}", row.reason, tone="error")
            return
        self.reason.hide()
        self.result.show()
        self.result.show_row(kernel, row, ())

    def _say(self, heading: str, reason: str, *, tone: str) -> None:
        self.row = None
        self.result.hide()
        self.reason.set_reason(heading, reason, tone=tone)
        self.reason.show()

    def _on_result_policy_chosen(self, policy: Any) -> None:
        self._view = replace(self._view, policy=policy)
        self._renew()

    def _on_result_boundary_chosen(self, boundary: str) -> None:
        self._view = replace(self._view, boundary=boundary)
        self._renew()

"""Measured kernels with figures that can be worked out by hand, and a view on a session that shows them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt

from rooflinestudio.core.measurement import MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.study import Pair
from rooflinestudio.core.study_edits import with_variant
from rooflinestudio.ui.diagnosis.view import DiagnosisView
from rooflinestudio.ui.session import Session
from tests.core.diagnosing import measured
from tests.ui.shell_helpers import gemm, registry, study

__all__ = [
    "DEVICE", "GEMM_NAME", "LARGE", "ONE", "SMALL", "TAB", "TWO", "Desk", "made", "overlay", "plain", "product",
    "waiting",
]  # fmt: skip

LARGE, TAB, SMALL = (1600, 860), (1004, 256), (560, 170)

GEMM_NAME = "void sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n(int)"
ONE, TWO = "a" * 64, "b" * 64
DEVICE = "NVIDIA H100 80GB HBM3"


def overlay(*kernels, name="layer.csv", digest=ONE):
    return Overlay.from_file(MeasurementFile(f"/data/{name}", "ncu-csv-long", (), kernels, digest))


def product(launch=0, **more):
    """The worked kernel: the tensor pipe was seen at work, its operations were not counted."""
    given = {"time": 196e-6, "dram": 588e6, "grid": (1024, 1, 1), "extra": {"tensor_active_share": 0.712}}
    return measured(launch=launch, kernel=GEMM_NAME, device=DEVICE, **{**given, **more})


def waiting(launch=1):
    """30% of fp32, 10% of the bandwidth, and 70% of the waiting is for memory."""
    extra = {"active_warps": 8.0, "memory_stall_share": 0.7, "sms": 132.0}
    return measured(launch=launch, time=100e-6, work={"fp32": 2e9}, dram=33e6, extra=extra, device=DEVICE)


def made(*overlays, paired=True, **view):
    overlays = overlays or (overlay(product(), waiting(), measured(launch=2, kernel="blind", time=5e-6)),)
    pairs = (Pair(ONE, GEMM_NAME, 0, "gemm-1"),) if paired else ()
    return replace(study(gemm(), **{"policy": "modelled", **view}), overlays=overlays, pairs=pairs)


class Desk:
    """A view on a session: every wish is done as the window does it."""

    def __init__(self, qtbot, study_, size=LARGE):
        self.qtbot, self.session = qtbot, Session(registry(), study_)
        self.view = view = DiagnosisView()
        qtbot.addWidget(view)
        self.copied = []
        view.panelRequested.connect(
            lambda text, panel, changes, dragging: self.session.change_panel(
                text, panel, changes, dragging=dragging
            )
        )
        view.selectRequested.connect(self.session.select)
        view.absorptionRequested.connect(
            lambda id_, value: self.session.change_entry(id_, "Absorb", policy="modelled", absorption=value)
        )
        view.variantRequested.connect(
            lambda entry, words: self.session.edit_and_select(
                f"Try: {words}", with_variant(self.session.study, entry)
            )
        )
        view.copied.connect(self.copied.append)
        self.session.studyChanged.connect(view.set_placed)
        self.session.selectionChanged.connect(view.set_selection)
        view.set_source(self.session.source)
        view.set_machine(self.session.machine)
        view.set_placed(self.session.placed)
        view.resize(*size)
        view.show()
        qtbot.waitExposed(view)

    @property
    def rows(self):
        return self.view.body.questions.rows

    @property
    def panel(self):
        return dict(self.session.study.panels.get("diagnosis", {}))

    def click(self, button):
        self.view.body.ensureWidgetVisible(button)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def select(self, index, digest=ONE):
        self.session.select(("measured", digest, index))

    def sees(self, widget):
        """Whether the whole of a widget stands in what is scrolled to."""
        top = widget.mapTo(self.view.body.viewport(), QPoint(0, 0)).y()
        return top >= 0 and top + widget.height() <= self.view.body.viewport().height()

    def name(self):
        return self.view.body.name.text()


def plain(text):
    return text.replace("\u202f", " ").replace("\u00a0", " ")

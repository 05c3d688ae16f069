"""A file of a machine that is not in view says so, and its machine is a click away."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton

from rooflinestudio.core.importing.answer import ImportAnswer, ImportWish
from rooflinestudio.core.importing.edits import with_overlay
from rooflinestudio.ui.importing.telling import other_machine, tell_taken
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.overlay_import import OverlayImport
from rooflinestudio.ui.session import Session
from tests.core.measured_files import file_of
from tests.ui.shell_helpers import gemm, registry, study

pytestmark = pytest.mark.usefixtures("qapp")


def overlay_of(device):
    return file_of({"kernel": "k()", "time_s": 1e-3, "work.fp32": 1e9, "bytes.dram": 1e8, "device": device})


@pytest.fixture
def session():
    return Session(registry(), study(gemm()))


@pytest.mark.parametrize(
    ("device", "wanted"), [("NVIDIA A100-PCIE-40GB", True), ("NVIDIA H100 80GB HBM3", False)]
)
def test_the_notice_offers_the_machine_that_was_measured(session, qtbot, device, wanted):
    notices = NoticeArea()
    qtbot.addWidget(notices)
    imports = OverlayImport(session, notices)
    asked = []
    imports.machineRequested.connect(asked.append)
    overlay = overlay_of(device)
    session.edit("Import", with_overlay(session.study, overlay))
    match, words = other_machine(session, overlay)
    assert bool(words) is wanted and (match is not None) is wanted

    imports._say_taken(imports._task._replace(path="run.ncu-rep"), overlay, ImportAnswer(overlay=overlay))
    texts = [one.text() for one in notices.findChildren(QPushButton)]
    assert texts == (["Show A100 PCIe 40 GB"] if wanted else [])
    if wanted:
        notices.findChild(QPushButton).click()
        assert asked == ["nvidia-a100-pcie-40gb"]


def test_without_another_machine_the_notice_says_only_what_came(qtbot):
    notices = NoticeArea()
    qtbot.addWidget(notices)
    banner = tell_taken(notices, "run.ncu-rep", 2, ImportWish(), ImportAnswer())
    assert banner.notice.title == "2 measured kernels from run.ncu-rep" and banner.notice.text == ""

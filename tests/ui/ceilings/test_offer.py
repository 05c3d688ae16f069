"""What the window does with ceilings that a file carries."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from rooflinestudio.core.measurement import Measurement, MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.study import Study
from rooflinestudio.ui.ceilings.offer import CeilingsOffer
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.session import Session
from tests.core.ceilings.measured import PART, STREAM, profiled
from tests.ui.shell_helpers import NCU_LONG, registry

LEFT = Qt.MouseButton.LeftButton
ROOFS = "device,HBMBw,FP32Flops\n0,1000,20000\n"


@pytest.fixture
def window(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    return made


@pytest.fixture
def notices(window):
    return NoticeArea(window)


@pytest.fixture
def session(qtbot):
    kernel = Measurement(launch=0, kernel="k", time_s=1e-3, clock_hz=1.4e9)
    file = MeasurementFile("/x/run.ncu-rep", "ncu-report", (), (kernel,), "0" * 64)
    study = Study(overlays=(Overlay.from_file(file),)).with_profile(PART)
    return Session(registry(), study)


@pytest.fixture
def offer(session, notices):
    made = CeilingsOffer(session, notices, lambda ids, then: then(tuple(map(registry().load_profile, ids))))
    made.profileRequested.connect(
        lambda profile, shown: session.edit("Take", session.study.with_profile(profile, shown=shown))
    )
    yield made
    made.cancel()
    if made.dialog is not None:
        made.dialog.reject()


def buttons(banner):
    return {one.text(): one for one in banner.findChildren(QPushButton)}


def test_a_file_with_kernels_offers_its_machine_in_a_notice(offer, notices, session, qtbot):
    offer.found("/x/run.ncu-rep", (profiled(1e9),))
    (banner,) = notices.banners

    assert offer.dialog is None
    assert banner.notice.title == "run.ncu-rep says what its machine can do"
    assert banner.notice.text.startswith("Vendor A7-SXM-40GB at")
    assert "at 1\u202f000 MHz: fp32 18.00 TFLOP/s, HBM2 1.440 TB/s" in banner.notice.text
    qtbot.mouseClick(buttons(banner)["Show machine as profiled"], LEFT)

    assert session.study.view.machines == (PART.id, "test-part-40gb-as-profiled-1000mhz")
    made = session.study.profiles["test-part-40gb-as-profiled-1000mhz"]
    assert made.ceilings["fp64"].flop_per_s == 5e12  # scaled to the clock
    assert made.ceilings["fp32"].flop_per_s == 18e12
    assert not notices.banners
    session.undo_stack.undo()
    assert session.study.view.machines == (PART.id,)


def test_the_notice_leads_to_the_dialog(offer, notices, qtbot):
    offer.found("/x/run.ncu-rep", (profiled(1e9),))

    qtbot.mouseClick(buttons(notices.banners[0])["Look at it…"], LEFT)

    assert offer.dialog.isVisible()
    assert offer.dialog.profile is PART


def test_a_machine_that_is_not_certain_is_not_shown_unasked(offer, notices):
    offer.found("/x/run.ncu-rep", (profiled(device="Vendor A7-PCIE-40GB"),))

    assert set(buttons(notices.banners[0])) == {"Look at it…"}


def test_a_file_of_ceilings_alone_opens_the_dialog(offer, notices, session, qtbot):
    offer.found("/x/stream.txt", (STREAM,))

    assert not notices.banners
    assert offer.dialog.windowTitle() == "Ceilings from stream.txt"
    qtbot.mouseClick(offer.dialog.foot.show_button, LEFT)
    assert session.study.profiles["test-part-40gb-streamtest"].boundaries["dram"].bytes_per_s == 1.41e12
    assert offer.dialog is None


def test_a_second_such_file_waits_in_a_notice(offer, notices):
    offer.found("/x/stream.txt", (STREAM,))
    offer.found("/x/other.txt", (STREAM,))

    assert offer.dialog.windowTitle() == "Ceilings from stream.txt"
    (notice,) = notices.notices
    assert notice.title == "other.txt says what its machine can do"


@pytest.mark.parametrize(("clock", "offered"), [(1.2e9, True), (2.01e9, False)])
def test_a_clock_alone_is_spoken_of_only_where_it_is_another_one(offer, notices, session, clock, offered):
    same = replace(PART, ceilings={"fp64": PART.ceilings["fp64"]}, boundaries={"dram": PART.boundaries["dram"]},
                   reference_ceiling="fp64")  # fmt: skip
    session.edit("Change", session.study.with_profile(same))

    offer.found("/x/run.ncu-rep", (profiled(clock, ceilings=(), boundaries=()),))

    assert bool(notices.banners) == offered


def test_the_same_file_again_does_not_double_the_buttons(offer, notices):
    for _ in range(2):
        offer.found("/x/run.ncu-rep", (profiled(1e9),))

    assert len(notices.banners) == 1
    assert sorted(buttons(notices.banners[0])) == ["Look at it…", "Show machine as profiled"]
    assert len(notices.banners[0].findChildren(QPushButton)) == 2


def test_a_file_is_opened_for_its_ceilings_alone(offer, session, tmp_path, qtbot):
    path = tmp_path / "roofline.csv"
    path.write_text(ROOFS)
    before = session.study

    offer.open_file(str(path))
    qtbot.waitUntil(lambda: offer.dialog is not None, timeout=20_000)

    assert [one.reading.id for one in offer.dialog.proposal.rows] == ["fp32", "dram"]
    assert offer.dialog.head.machine.value() == ""  # "device 0" is no machine
    assert session.study is before


@pytest.mark.parametrize(
    ("content", "title"), [(NCU_LONG, "x.csv holds no ceilings"), ("nothing", "x.csv was not read")]
)
def test_a_file_without_ceilings_is_answered(offer, notices, tmp_path, qtbot, content, title):
    path = tmp_path / "x.csv"
    path.write_text(content)

    offer.open_file(str(path))
    qtbot.waitUntil(lambda: bool(notices.notices), timeout=20_000)

    assert notices.notices[0].title == title
    assert offer.dialog is None
    assert not offer.is_busy


def test_the_machine_of_the_strong_roof_is_scaled_to_a_clock(offer, session, qtbot):
    dialog = offer.open_clock()

    assert dialog.profile is PART
    assert ("1.4 GHz", "median of run.ncu-rep") in dialog.clock.suggestions
    assert dialog.clock.value() == 1.4e9
    qtbot.mouseClick(dialog.foot.show_button, LEFT)

    assert session.study.view.machines == (PART.id, "test-part-40gb-at-1400mhz")


def test_without_a_machine_there_is_nothing_to_scale(qtbot, notices):
    offer = CeilingsOffer(Session(registry(), Study()), notices, lambda _ids, _then: None)

    assert offer.open_clock() is None

from __future__ import annotations

import pytest

from rooflinestudio.core.measurement import MeasuredTraffic, Measurement
from rooflinestudio.core.pairing.edits import with_pair
from rooflinestudio.core.pairing.figures import KernelFigures, kernel_figures
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry
from rooflinestudio.plugins.rows import PluginRow
from rooflinestudio.ui.status_row import StatusRow, age_text, kernel_text, plugin_text, row_text
from tests.core.pairing.desk import ONE, held, product, study_with
from tests.ui.shell_helpers import H100, gemm, registry, study


@pytest.fixture
def status(qtbot):
    status = StatusRow()
    qtbot.addWidget(status)
    return status


def row(entry, **view):
    return place(study(entry, **view), {}, registry()).rows[0]


def test_nothing_selected_is_ready():
    assert row_text(None) == "Ready"


def test_a_memory_bound_kernel_shows_intensity_rate_and_distance():
    # 2·8192² FLOP over 2·(8192² + 2·8192) bytes: I = 1 - 2/8194 = 0.9998, times 3.35 TB/s = 3.349 TFLOP/s.
    text = row_text(row(gemm(m=1, n=8192, k=8192), policy="compulsory"))

    assert text == "I 1.00 FLOP/byte   P 3.35 TFLOP/s   1.00× to the roof"


def test_a_kernel_without_work_shows_its_bandwidth():
    entry = Entry("cast-1", "cast", parameters={"tokens": 1024, "width": 1024}, label="Cast")

    assert row_text(row(entry)) == "I 0   no FLOP   3.35 TB/s"


def test_a_refused_row_shows_the_reason():
    assert "m" in row_text(row(gemm(m=-1)))


@pytest.mark.parametrize(
    ("age", "in_file", "text"),
    [
        (None, False, "not saved yet"),
        (None, True, "saved"),
        (0.3, True, "saved just now"),
        (12.4, True, "saved 12 s ago"),
        (125, True, "saved 2 min ago"),
        (7300, True, "saved 2 h ago"),
    ],
)
def test_the_age_of_the_file_in_words(age, in_file, text):
    assert age_text(age, is_in_file=in_file) == text


def test_edits_show_until_they_are_saved(status):
    status.show_file(path="/a/b.study", modified=True)
    assert status.saved.text() == "edited"

    status.note_saved()
    status.show_file(path="/a/b.study", modified=False)
    assert status.saved.text() == "saved just now"


def plugin(state, name="acme", reason="ImportError"):
    return PluginRow(name, f"{name}-kernels", "0.3", state, reason if state != "loaded" else "")


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ((), ""),
        ((plugin("loaded"), plugin("disabled", "b")), ""),
        ((plugin("loaded"), plugin("failed", "b")), "1 plugin failed: b-kernels 0.3"),
        ((plugin("partly"),), "1 plugin partly failed: acme-kernels 0.3"),
        ((plugin("failed"), plugin("failed", "b")), "2 plugins failed"),
    ],
)
def test_failed_plugins_are_named(rows, text):
    assert plugin_text(rows) == text


def test_the_badge_opens_the_list(status, qtbot):
    status.show_plugins((plugin("failed"),))
    assert not status.plugins.isHidden()

    with qtbot.waitSignal(status.pluginsRequested):
        status.plugins.click()

    status.show_plugins(())
    assert status.plugins.isHidden()


def test_a_measured_kernel_shows_its_name_and_rate_or_why_it_has_none():
    traffic = {"dram": MeasuredTraffic(0.5e6, 0.5e6, 1e6)}
    kernel = Measurement(
        launch=0, kernel="void saxpy<float>(int)", time_s=2e-6, work={"fp32": 2e6}, traffic=traffic
    )

    # 2 MFLOP over 1 MB in 2 µs
    assert kernel_text(KernelFigures(kernel)) == "saxpy   I 2.00 FLOP/byte   achieved 1.00 TFLOP/s"
    bare = Measurement(launch=1, kernel="copy", time_s=1e-6, reason="no FLOP counters collected")
    assert kernel_text(KernelFigures(bare)) == "copy: no FLOP counters collected"


def test_a_paired_kernel_whose_work_no_counter_saw_has_that_of_its_operator():
    kernels = product(0, reason="no FLOP counters collected"), product(1, dram=None)
    made = study_with(*kernels)
    alone = held(made)
    assert kernel_text(kernel_figures(alone, made.overlays[0], 0, H100)).endswith(
        ": no FLOP counters collected"
    )
    for at in (0, 1):
        made = with_pair(made, ONE, at, "gemm-1")
    placed = held(made)

    # 137.4 GFLOP over 588 MB in 196 µs
    text = kernel_text(kernel_figures(placed, made.overlays[0], 0, H100))
    assert text.endswith("I 234 FLOP/byte   achieved 701 TFLOP/s   W from GEMM")
    text = kernel_text(kernel_figures(placed, made.overlays[0], 1, H100))
    assert text.endswith(": no traffic was measured; W from GEMM")

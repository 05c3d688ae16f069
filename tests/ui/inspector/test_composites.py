import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QSlider, QWidget

from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.ui.inspector.part_rows import part_words
from rooflinestudio.ui.inspector.view import InspectorView
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.widgets.cells import CELL, BarCell
from tests.ui.inspector.test_inspector_view import part, wire
from tests.ui.widgets.studies import H100, machine, registry

DECODE = Entry("decode-1", "decode_step", parameters={"model": "llama-3-70b"}, label="Decode")
LAYER = Entry("layer-1", "transformer_layer", label="Layer")
PLAIN = Entry("gemm-1", "gemm", label="GEMM 4096³")
BACK = Entry("gemm-2", "gemm", parameters={"direction": "backward"}, label="GEMM, backward")


@pytest.fixture
def session(qapp):
    study = Study(
        entries=(DECODE, LAYER, PLAIN, BACK), profiles={H100: machine()}, view=View(machines=(H100,))
    )
    return Session(registry(), study)


@pytest.fixture
def view(qtbot, session):
    made = InspectorView()
    qtbot.addWidget(made)
    wire(session, made)
    session.select("decode-1")
    made.resize(332, 900)
    made.show()
    qtbot.waitExposed(made)
    return made


def panel(view):
    return view.entry_page.result.parts


def lines(view):
    return {one.label: one for one in panel(view).model.rows}


def labels(view):
    return [one.label for one in panel(view).model.rows]


# Parts


def test_a_step_opens_into_its_kernels_with_time_share_and_bound(view):
    # One row of W (57 344 × 8 192, bf16) per layer: 940 MB at 3.35 TB/s, 80 times; all weights and caches 141.7 GB.
    gate_up = lines(view)["gate_up"]
    assert (gate_up.count, gate_up.time, gate_up.bound) == ("80 ×", "22.4 ms", "memory")
    assert gate_up.share == pytest.approx(80 * 57344 * 8192 * 2 / 141.7e9, rel=1e-3)
    model = panel(view).model
    cell = model.index(labels(view).index("gate_up"), 3).data(CELL)
    assert isinstance(cell, BarCell) and (cell.kind, cell.text, cell.glyph) == ("memory", "53%", True)


def test_the_heaviest_six_stand_alone_until_all_are_asked_for(view, qtbot):
    assert labels(view) == ["qkv", "attention", "out", "gate_up", "down", "head", "5 others", "total"]
    assert panel(view).more.text() == "show all 11"
    qtbot.mouseClick(panel(view).more, Qt.MouseButton.LeftButton)
    assert labels(view) == [
        "norm", "qkv", "rope", "attention", "out", "add", "gate_up", "swiglu", "down", "final norm", "head",
        "total",
    ]  # fmt: skip
    qtbot.mouseClick(panel(view).more, Qt.MouseButton.LeftButton)
    assert len(labels(view)) == 8


def test_shares_of_all_lines_make_the_whole(view, session):
    rows = panel(view).model.rows
    assert sum(one.share for one in rows[:-1]) == pytest.approx(1)
    assert rows[-1].time == "42.3 ms"
    assert rows[-1].count == "882 ×"  # 11 kernels in each of 80 layers, then a norm and the head


def test_a_composite_of_two_is_not_folded(view, session):
    session.select("gemm-2")
    assert labels(view) == ["dA = dC·Bᵀ", "dB = Aᵀ·dC", "total"]
    assert not panel(view).more.isVisible()
    # Each is a product of 4096³: 2·4096³ / 989.4 TFLOP/s.
    assert lines(view)["dA = dC·Bᵀ"].time == "139 µs"


def test_a_single_kernel_has_no_parts(view, session):
    session.select("gemm-1")
    assert not panel(view).isVisible()
    session.select("decode-1")
    assert panel(view).isVisible()


def test_mixed_bounds_are_said(view, session):
    assert panel(view).mixed.text() == ""
    session.select("layer-1")
    assert panel(view).mixed.text() == "mixed bounds"
    result = view.entry_page.result
    assert result.chip.text() == "mixed, 95% compute" and result.chip.kind() == "compute"
    assert "Mixed bounds" in result.verdict.text()


def test_a_part_that_is_chosen_shows_what_it_is(view, qtbot):
    table, one = panel(view).table, panel(view).one
    assert not one.isVisible()
    at = table.model().index(labels(view).index("gate_up"), 0)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(at).center())
    assert one.isVisible()
    assert one.words.text() == "gemm m=1 n=57344 k=8192"
    assert {line.label(): line.value() for line in one.lines}["traffic  Q, each"] == "940 MB"
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(at).center())
    assert not one.isVisible() and table.chosen_row() == -1


def test_a_step_of_a_slider_changes_figures_in_place(view, session, qtbot):
    resets = []
    panel(view).model.modelAboutToBeReset.connect(lambda: resets.append(1))
    QAbstractItemModelTester(panel(view).model, QAbstractItemModelTester.FailureReportingMode.Warning)
    before = set(map(id, view.findChildren(QWidget)))
    time = lines(view)["attention"].time
    for context in (9216, 10240, 12288):
        session.set_parameter("decode-1", "context", context, dragging=True)
        QApplication.processEvents()
    assert lines(view)["attention"].time != time
    assert resets == []
    assert set(map(id, view.findChildren(QWidget))) == before


def test_tables_of_a_composite_catch_up_after_a_step(view, session, qtbot):
    model = view.entry_page.result.policy_model
    before = model.rows
    session.set_parameter("decode-1", "batch", 64, dragging=True)
    qtbot.waitUntil(lambda: model.rows != before, timeout=20_000)
    placement = session.placed.rows_of("decode-1")[0].placement
    chosen = next(one for one in model.rows if one.chosen)
    assert chosen.time == f"{placement.time_s * 1e3:.1f} ms"


def test_formats_of_a_composite_can_be_set(view, session):
    cells = view.entry_page.dtypes.cells
    assert {"weight", "activation", "kv"} <= set(cells)
    cells["weight"].choice.chosen.emit("fp8")
    assert session.study.entry("decode-1").dtypes == {"weight": "fp8"}
    assert cells["weight"].choice.value() == "fp8"


def test_a_part_without_declaration_is_told_in_full(session):
    placement = session.placed.rows_of("decode-1")[0].placement
    words = part_words(placement.parts[1])
    assert words.startswith("gemm m=1 n=10240 k=8192") and "tile_m=16" in words


# Figures of the operator


def figures(view):
    return {line.label(): line.value() for line in view.entry_page.result.details.lines if line.isVisible()}


def test_figures_of_the_operator_are_listed_and_unfold(view, qtbot):
    # 80 layers × 8 heads × 128 × K and V × 2 B, context 8192.
    assert figures(view)["KV cache read"] == "2.684 GB"
    assert figures(view)["fits into memory"] == "no"
    assert "KV cache per token" not in figures(view)
    qtbot.mouseClick(view.entry_page.result.details.more, Qt.MouseButton.LeftButton)
    assert figures(view)["KV cache per token"] == "327.7 kB"
    assert figures(view)["model parameters"] == "70.6 billion"


def test_they_follow_the_entry_and_go_where_there_are_none(view, session, qtbot):
    session.set_parameter("decode-1", "model", "llama-3-8b")
    qtbot.waitUntil(lambda: figures(view)["fits into memory"] == "yes", timeout=20_000)
    session.select("gemm-1")
    assert not view.entry_page.result.details.isVisible()


def test_a_long_sentence_has_lines_of_its_own(view):
    details = view.entry_page.result.details
    problem = "acme-kernels 0.3 could not give its details: ZeroDivisionError, division by zero."
    details.show_details({"problem": problem, "steps": 3})
    assert details.sentence.isVisible() and details.sentence.text() == problem
    assert figures(view) == {"steps": "3"}


def test_tables_of_a_kernel_follow_a_drag_too(view, session, qtbot):
    session.select("gemm-1")
    slider = part(view, QSlider, "slider.m")
    model = view.entry_page.result.policy_model
    start = slider._handle_rect().center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for dx in (8, 16):
        before = model.rows
        qtbot.mouseMove(slider, start + QPoint(dx, 0))
        qtbot.waitUntil(lambda before=before: model.rows != before, timeout=20_000)
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(16, 0))
    placement = session.placed.rows_of("gemm-1")[0].placement
    chosen = next(one for one in model.rows if one.chosen)
    assert float(chosen.time.removesuffix(" µs")) == pytest.approx(placement.time_s * 1e6, rel=0.006)

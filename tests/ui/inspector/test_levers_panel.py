import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QSlider

from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.inspector import levers_panel
from rooflinestudio.ui.inspector.view import InspectorView
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from tests.ui.inspector.test_inspector_view import part, wire
from tests.ui.shell_helpers import Answers
from tests.ui.widgets.studies import A100, H100, machine, registry

B200 = "nvidia-b200"


def study(*entries):
    return Study(entries=entries, profiles={H100: machine()}, view=View(machines=(H100,)))


DECODE = Entry("decode-1", "decode_step", parameters={"model": "llama-3-70b"}, label="Decode")
PLAIN = Entry("gemm-1", "gemm", label="GEMM 4096³", slot=3)


@pytest.fixture
def session(qapp):
    return Session(registry(), study(DECODE, PLAIN))


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


@pytest.fixture
def asked(monkeypatch):
    """Which rows levers were worked out for."""
    rows, real = [], levers_panel._levers

    def counted(row, around):
        rows.append(row)
        return real(row, around)

    monkeypatch.setattr(levers_panel, "_levers", counted)
    return rows


def panel(view):
    return view.entry_page.result.levers


def shown(view):
    return [line for line in panel(view).lines if line.isVisible()]


def opened(view, qtbot):
    qtbot.mouseClick(panel(view).head, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(shown(view)), timeout=20_000)
    return {line.words.text(): line for line in shown(view)}


def test_nothing_is_worked_out_before_it_is_opened(view, session, qtbot, asked):
    session.set_parameter("decode-1", "batch", 8)
    qtbot.wait(200)
    assert asked == [] and not shown(view)
    opened(view, qtbot)
    assert len(asked) == 1


def test_what_helps_most_stands_first_with_its_ratio(view, qtbot):
    found = opened(view, qtbot)
    ratios = [line.lever.ratio for line in shown(view)]
    assert ratios == sorted(ratios)
    # Weights are 139.0 of 141.7 GB: half of them gone leaves 72.2.
    assert found["Store weights in fp8"].ratio.text() == "1.96× faster"
    # 8.0 against 3.35 TB/s.
    assert found["Run it on B200"].ratio.text() == "2.39× faster"


def test_more_at_once_is_said_to_be_for_the_same_work(view, qtbot):
    found = opened(view, qtbot)
    (raised,) = (line for words, line in found.items() if words.startswith("Raise batch"))
    assert raised.then.text() == "for the same work"
    assert found["Store weights in fp8"].then.text() == ""


def test_try_asks_for_a_variant_with_a_free_id(view, session, qtbot):
    line = opened(view, qtbot)["Store weights in fp8"]
    with qtbot.waitSignal(view.variantRequested) as caught:
        qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    entry, words = caught.args
    assert words == "Store weights in fp8"
    assert (entry.id, entry.variant_of, entry.operator) == ("decode-step-1", "decode-1", "decode_step")
    assert entry.dtypes["weight"] == "fp8" and entry.parameters == {"model": "llama-3-70b"}
    assert entry.label == "Decode: store weights in fp8"
    assert not session.study.has_entry("decode-step-1")  # a view only asks


def test_a_drag_is_waited_out(view, session, qtbot, asked):
    opened(view, qtbot)
    slider = part(view, QSlider, "slider.context")
    view.ensureWidgetVisible(slider)
    start = slider._handle_rect().center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for dx in (8, 16):
        qtbot.mouseMove(slider, start + QPoint(dx, 0))
        qtbot.wait(200)
    assert len(asked) == 1
    assert not any(line.isEnabled() for line in shown(view))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(16, 0))
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=20_000)
    assert asked[-1] is session.placed.rows_of("decode-1")[0]
    assert all(line.isEnabled() for line in shown(view))


def test_it_follows_the_selection_and_stays_open(view, session, qtbot, asked):
    opened(view, qtbot)
    session.select("gemm-1")
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=20_000)
    found = {line.words.text() for line in shown(view)}
    assert "Run it in fp8" in found and not any(one.startswith("Raise batch") for one in found)
    assert panel(view).head.isChecked()


def test_it_is_worked_out_again_for_what_the_study_holds_now(view, session, qtbot, asked):
    opened(view, qtbot)
    session.change_entry("decode-1", "Formats", dtypes={"weight": "fp8"})
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=20_000)
    assert "Store weights in fp8" not in {line.words.text() for line in shown(view)}


def test_a_closed_section_is_left_alone(view, session, qtbot, asked):
    opened(view, qtbot)
    qtbot.mouseClick(panel(view).head, Qt.MouseButton.LeftButton)
    session.set_parameter("decode-1", "batch", 8)
    qtbot.wait(200)
    assert len(asked) == 1 and not panel(view).body.isVisible()


def test_it_can_be_opened_by_key(view, qtbot):
    panel(view).head.setFocus()
    qtbot.keyClick(panel(view).head, Qt.Key.Key_Return)
    assert panel(view).head.isChecked()
    qtbot.keyClick(panel(view).head, Qt.Key.Key_Space)
    assert not panel(view).head.isChecked()


# In the window


@pytest.fixture
def inside(qapp, tmp_path):
    window = MainWindow(SettingsStore(tmp_path / "settings.json"), "light")
    frame = Frame(window, ThemeSwitch(LIGHT, window))
    session = Session(NoPlugins())
    made = Furnishing(frame, session, asker=Answers())
    made.wiring.take_registry(registry())
    made.add_canvas()
    made.add_rest()
    window.show()
    session.open(study(PLAIN, Entry("gemm-2", "gemm")))
    session.select("gemm-1")
    yield made
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_variant_that_is_tried_stands_behind_its_entry_and_is_one_step_to_take_back(inside, qtbot):
    session, view = inside.session, inside.panels.inspector
    view.ensureWidgetVisible(panel(view).head)
    button = opened(view, qtbot)["Run it in fp8"].button
    view.ensureWidgetVisible(button)
    QApplication.processEvents()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [one.id for one in session.study.entries] == ["gemm-1", "gemm-3", "gemm-2"]
    variant = session.study.entry("gemm-3")
    assert (variant.variant_of, variant.dtypes, variant.slot) == ("gemm-1", {"all": "fp8"}, 3)
    assert session.selection == "gemm-3"
    assert part(view, QAbstractButton, "levers.head").isChecked()
    # 2·4096³ at the fp8 rate of the tensor cores, 1979 TFLOP/s.
    assert session.placed.rows_of("gemm-3")[0].placement.time_s == pytest.approx(
        2 * 4096**3 / 1978.9e12, rel=1e-3
    )
    session.undo_stack.undo()
    assert [one.id for one in session.study.entries] == ["gemm-1", "gemm-2"]
    assert session.undo_stack.count() == 1


def test_another_machine_that_is_tried_comes_into_view(inside, qtbot):
    session, view = inside.session, inside.panels.inspector
    button = opened(view, qtbot)["Run it on B200"].button
    view.ensureWidgetVisible(button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.study.view.machines == (H100, B200)
    assert session.placed.rows_of("gemm-3")[0].state == "placed"
    assert session.study.entry("gemm-3").machines == (B200,)
    assert A100 not in session.study.profiles


def test_tab_goes_from_the_heading_through_the_buttons(view, qtbot):
    opened(view, qtbot)
    panel(view).head.setFocus()
    qtbot.keyClick(panel(view).head, Qt.Key.Key_Tab)
    assert shown(view)[0].button.hasFocus()
    qtbot.keyClick(shown(view)[0].button, Qt.Key.Key_Tab)
    assert shown(view)[1].button.hasFocus()

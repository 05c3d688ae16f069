"""Placements side by side in the whole window: tabs, panels, undo, files and themes, with mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from rooflinestudio.core.study import Entry
from rooflinestudio.core.study_files import load_study
from rooflinestudio.ui.action_table import Key
from tests.ui.shell_helpers import gemm

LEFT = Qt.MouseButton.LeftButton
TABS = ("compare", "fusion", "budget", "sweep", "serving", "measured")


def show(studio, name: str):
    """Click a tab and return its view."""
    page = studio.inside.panels.tabs[name]
    bar = studio.frame.tabs.tabBar()
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(studio.frame.tabs.indexOf(page)).center())
    assert studio.frame.tabs.currentWidget() is page
    return getattr(page, "view", page)


def open_example(studio, qtbot, id_: str, first: str) -> None:
    studio.opening.open_named(id_)
    qtbot.waitUntil(lambda: any(one.label == first for one in studio.session.study.entries), timeout=30_000)


def put(studio, *entries: Entry) -> None:
    """Open a study of entries on the machine that is there."""
    studio.session.open(replace(studio.session.study, entries=entries))


def drag(widget, start: QPoint, by: QPoint) -> None:
    QTest.mouseMove(widget, start)
    QTest.mousePress(widget, LEFT, pos=start)
    for share in (0.25, 0.5, 0.75, 1.0):
        QTest.mouseMove(widget, start + by * share)
    QTest.mouseRelease(widget, LEFT, pos=start + by)


def type_into(edit: QLineEdit, text: str) -> None:
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def steps(studio) -> list[str]:
    stack = studio.session.undo_stack
    return [stack.text(at) for at in range(stack.index())]


def test_each_drag_of_a_point_along_its_curve_is_one_step_of_undo(studio, qtbot) -> None:
    put(studio, gemm())
    studio.session.select("gemm-1")
    sweep = show(studio, "sweep")
    plot = sweep.plot
    qtbot.waitUntil(lambda: plot.frame() is not None and plot.width() > 300, timeout=5_000)
    before = studio.session.study
    for by in (-60, 40):
        drag(plot, plot.spot(sweep.picture.lead).toPoint(), QPoint(by, 0))

    assert steps(studio) == ["Change m=n=k", "Change m=n=k"]
    now = studio.session.study.entries[0].parameters
    assert now["m"] == now["n"] == now["k"] < 4096
    studio.session.undo_stack.undo(), studio.session.undo_stack.undo()
    assert studio.session.study == before
    qtbot.waitUntil(lambda: sweep.picture.lead.here[0] == 4096, timeout=5_000)


def test_a_price_is_typed_and_undone(studio, qtbot) -> None:
    put(studio, Entry("step", "decode_step", label="Step"))
    view = show(studio, "serving")
    bar = studio.frame.tabs.tabBar()
    QTest.mouseDClick(bar, LEFT, pos=bar.tabRect(bar.currentIndex()).center())
    edit = next(one for one in view.findChildren(QLineEdit) if one.objectName() == "serving.prefill_price")
    qtbot.waitUntil(edit.isVisible, timeout=5_000)
    type_into(edit, "3.5")
    (price,) = studio.session.study.panels["serving"]["price_per_hour"].values()
    assert price == 3.5 and len(steps(studio)) == 1
    qtbot.waitUntil(lambda: edit.value() == 3.5, timeout=5_000)

    studio.session.undo_stack.undo()
    assert "serving" not in studio.session.study.panels
    qtbot.waitUntil(lambda: edit.text() == "", timeout=5_000)
    studio.session.undo_stack.redo()
    qtbot.waitUntil(lambda: edit.text() == "3.5", timeout=5_000)


def test_the_regime_of_a_layer_and_the_mode_of_the_grid_are_one_step_each(studio, qtbot) -> None:
    put(studio, Entry("layer", "transformer_layer", label="Layer"))
    budget = show(studio, "budget")
    qtbot.waitUntil(lambda: len(budget.body.regime.buttons) == 3, timeout=5_000)
    QTest.mouseClick(budget.body.regime.button("train"), LEFT)
    assert studio.session.study.entry("layer").parameters["regime"] == "train"

    corner = show(studio, "compare").corner
    button = next(one for one in corner.findChildren(object) if one.objectName() == "compare_as.boundaries")
    QTest.mouseClick(button, LEFT)
    assert studio.session.study.panels["grid"]["shown"] == "boundaries"
    assert len(steps(studio)) == 2

    studio.session.undo_stack.undo()
    assert "grid" not in studio.session.study.panels
    studio.session.undo_stack.undo()
    assert "regime" not in studio.session.study.entry("layer").parameters


def test_panels_chains_and_variants_are_back_when_the_study_is_opened_again(start, qtbot, tmp_path) -> None:
    studio = start(example="figure-10")
    qtbot.waitUntil(lambda: bool(studio.session.study.chains), timeout=30_000)
    bench = show(studio, "fusion")
    qtbot.waitUntil(lambda: bench.bench is not None, timeout=5_000)
    row = bench.body.row
    QTest.mouseClick(row, LEFT, pos=row.places.joints[0].center().toPoint())
    studio.inside.commands.run(f"action:{Key.EXPLORE}")
    studio.session.change_panel("Figure of the sweep", "sweep", {"figure": "time"})
    path = tmp_path / "mine.study"
    studio.inside.asker.save_path = path
    studio.inside.files.save()
    studio.inside.files.wait(20_000)
    kept = studio.session.study
    assert path.exists() and not studio.session.is_modified

    again = start(files=(str(path),))
    study = again.session.study
    assert (study.panels, study.chains, study.entries) == (kept.panels, kept.chains, kept.entries)
    assert study.panels["probe"]["on"] and study.panels["sweep"]["figure"] == "time"
    assert study.chains[0].cuts == (1, 2, 3, 4)
    assert load_study(path).panels == kept.panels
    assert again.frame.tabs.currentWidget() is again.inside.panels.fusion
    times = [float(one.placement.time_s) for one in again.session.placed.rows]
    assert times == [float(one.placement.time_s) for one in studio.session.placed.rows]


def test_every_tab_changes_its_theme_while_it_is_open_and_while_it_is_not(start, qtbot) -> None:
    studio = start(theme="light")
    put(studio, gemm(), Entry("layer", "transformer_layer"), Entry("step", "decode_step"))
    for theme in ("light", "dark", "light"):
        if studio.frame.themes.theme.name != theme:
            studio.inside.commands.run(f"action:{Key.TOGGLE_THEME}")
        for name in TABS:
            view = show(studio, name)
            qtbot.wait(1)
            picture = view.grab().toImage()
            # The corner of a view holds no words: it shows the ground of the theme.
            ground = picture.pixelColor(picture.width() - 2, picture.height() - 2).lightness()
            assert (ground < 128) == (theme == "dark"), (name, theme)


def test_fifty_placements_stand_in_every_tab_with_the_same_figures(studio, qtbot) -> None:
    layers = [Entry(f"layer-{at}", "transformer_layer", label=f"Layer {at}") for at in range(8)]
    steps_ = [Entry(f"step-{at}", "decode_step", parameters={"batch": at + 1}) for at in range(8)]
    products = [gemm(f"gemm-{at}", m=64 * (at + 1), label=f"Product {at}") for at in range(34)]
    put(studio, *layers, *steps_, *products)
    placed = {one.entry.id: one.placement for one in studio.session.placed.rows}
    assert len(placed) == 50

    table = show(studio, "compare").table.model()
    assert table.rowCount() == 50
    studio.session.select("layer-5")
    budget = show(studio, "budget")
    parts = placed["layer-5"].parts
    qtbot.waitUntil(lambda: budget.body.table.model().rowCount() >= len(parts), timeout=5_000)
    assert float(placed["layer-5"].time_s) == pytest.approx(
        sum(float(one.count * one.placement.time_s) for one in parts)
    )
    studio.session.select("gemm-20")
    sweep = show(studio, "sweep")
    qtbot.waitUntil(lambda: sweep.picture is not None, timeout=5_000)
    lead = sweep.picture.lead
    assert lead.key.entry == "gemm-20"
    assert lead.here == (64 * 21, pytest.approx(float(placed["gemm-20"].attainable_flop_per_s)))
    studio.session.select("step-3")
    serving = show(studio, "serving")
    qtbot.waitUntil(lambda: serving.picture is not None, timeout=5_000)
    assert serving.picture.row.entry.id == "step-3"
    assert serving.picture.row.placement.time_s == placed["step-3"].time_s


def test_what_cannot_be_placed_is_told_in_every_tab(studio, qtbot) -> None:
    bad = {"all": "fp4"}  # the H100 has no pipe for it
    put(
        studio,
        gemm(dtypes=bad),
        Entry("layer", "transformer_layer", dtypes=bad, label="Layer"),
        Entry("step", "decode_step", dtypes=bad, label="Step"),
        Entry("gone", "nobody_knows_this", label="Gone"),
    )
    assert {one.state for one in studio.session.placed.rows} == {"refused", "unavailable"}
    for name in TABS:
        for id_ in ("gemm-1", "layer", "step", "gone"):
            studio.session.select(id_)
            show(studio, name)
    studio.session.select("step")
    serving = show(studio, "serving")
    assert not serving.body.isVisible()
    studio.session.change_entry("step", "Formats", dtypes={})
    qtbot.waitUntil(serving.body.isVisible, timeout=5_000)


def test_of_examples_opened_in_a_hurry_the_last_one_stays(studio, qtbot) -> None:
    for id_ in ("figure-07", "lab-4", "intensity-step-5"):
        studio.opening.open_named(id_)
    open_example(studio, qtbot, "table-2", "Training, 32768 tokens")
    qtbot.wait(50)
    assert {one.operator for one in studio.session.study.entries} == {"gemm"}
    assert studio.frame.tabs.currentWidget() is studio.inside.panels.comparison
    assert not studio.session.undo_stack.canUndo() and not studio.session.is_modified


def test_a_baseline_is_removed_and_its_variants_stand_alone_until_undo(studio) -> None:
    put(studio, gemm())
    first = studio.session.duplicate("gemm-1")
    second = studio.session.duplicate(first)
    assert [one.variant_of for one in studio.session.study.entries] == [None, "gemm-1", "gemm-1"]

    studio.session.select("gemm-1")
    studio.inside.commands.run(f"action:{Key.DELETE}")
    assert [(one.id, one.variant_of) for one in studio.session.study.entries] == [
        (first, None),
        (second, None),
    ]
    table = show(studio, "compare").table.model()
    assert table.rowCount() == 2
    studio.session.undo_stack.undo()
    assert table.rowCount() == 3

"""The four labs of the article in the whole window, with the mouse alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from rooflinestudio.ui.action_table import Key
from rooflinestudio.ui.gallery.dialog import GalleryDialog

LEFT = Qt.MouseButton.LeftButton


def click_tab(studio, title: str):
    """Click a tab and return its view."""
    bar = studio.frame.tabs.tabBar()
    at = next(one for one in range(bar.count()) if bar.tabText(one) == title)
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(at).center())
    page = studio.frame.tabs.currentWidget()
    return getattr(page, "view", page)


def fill_centre(studio) -> None:
    bar = studio.frame.tabs.tabBar()
    QTest.mouseDClick(bar, LEFT, pos=bar.tabRect(bar.currentIndex()).center())


def drag(widget, start: QPoint, end: QPoint) -> None:
    QTest.mouseMove(widget, start)
    QTest.mousePress(widget, LEFT, pos=start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(widget, start + (end - start) * share)
    QTest.mouseRelease(widget, LEFT, pos=end)


def test_lab_1_the_probe_reads_the_roof(studio, qtbot) -> None:
    canvas = studio.inside.panels.canvas
    button = next(one for one in canvas.head.findChildren(QAbstractButton) if one.text() == "Explore")
    QTest.mouseClick(button, LEFT)
    assert studio.session.study.panels["probe"]["on"]

    frame, port = canvas.view.frame_of_data, canvas.view.viewport()
    middle = round((frame.plot.top + frame.plot.bottom) / 2)
    start = QPoint(round(frame.x(canvas.view.probe.drawing.log_x)), middle)
    drag(port, start, QPoint(round(frame.x(2.0)), middle))  # to 100 FLOP/byte

    # One pixel is about a hundredth: at 100 FLOP/byte the H100 allows 335 TFLOP/s, a third of its peak.
    assert studio.session.study.panels["probe"]["intensity"] == pytest.approx(100, rel=0.03)
    reading = canvas.view.probe.reading
    assert reading.main.attainable_flop_per_s == pytest.approx(335e12, rel=0.03)
    assert reading.main.fraction_of_peak == pytest.approx(0.339, rel=0.03)
    studio.session.undo_stack.undo()
    assert studio.session.study.panels["probe"]["intensity"] == 10


def test_lab_2_a_product_is_placed_and_its_sizes_are_dragged(studio, qtbot) -> None:
    palette = studio.inside.panels.palette
    tree = palette.tree
    index = next(
        one
        for row in range(tree.model().rowCount())
        for at in range(tree.model().rowCount(tree.model().index(row, 0)))
        if (one := tree.model().index(at, 0, tree.model().index(row, 0))).data() == "GEMM"
    )
    tree.scrollTo(index)
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(index).center())
    QTest.mouseDClick(tree.viewport(), LEFT, pos=tree.visualRect(index).center())
    (entry,) = studio.session.study.entries
    assert entry.operator == "gemm" and studio.session.selection == entry.id

    slider = studio.inside.panels.inspector.findChild(object, "slider.m")
    drag(slider, slider.rect().center(), slider.rect().center() - QPoint(40, 0))
    m = studio.session.study.entry(entry.id).parameters["m"]
    placement = studio.session.placed.rows[0].placement
    assert m < 4096 and placement.work_flop == 2.0 * m * 4096 * 4096


def test_lab_3_clicks_on_boundaries_fuse_the_tail_of_a_block(studio, qtbot) -> None:
    bench = click_tab(studio, "Fusion bench")
    fill_centre(studio)
    menu = bench.empty.menu
    wanted = next(one for one in menu.actions() if one.text() == "Residual block tail, all split")
    wanted.trigger()
    id_ = studio.session.selection
    qtbot.waitUntil(lambda: bench.bench is not None, timeout=5_000)
    row = bench.body.row
    split_s = float(studio.session.placed.rows_of(id_)[0].placement.time_s)

    for joint in range(5):
        bench.body._cards.ensureVisible(round(row.places.joints[joint].center().x()), 50)
        QTest.mouseClick(row, LEFT, pos=row.places.joints[joint].center().toPoint())
    (chain,) = studio.session.study.chains
    assert chain.cuts == ()
    # Fourteen tensors cross split, four fused; the weights of the norm are a row.
    fused_s = float(studio.session.placed.rows_of(id_)[0].placement.time_s)
    assert split_s / fused_s == pytest.approx(3.5, rel=1e-3)
    studio.session.undo_stack.undo()
    assert len(studio.session.study.chains[0].cuts) == 1


def test_lab_4_a_layer_is_placed_switched_and_read_part_by_part(studio, qtbot) -> None:
    budget = click_tab(studio, "Budget")
    fill_centre(studio)
    QTest.mouseClick(budget.place_button, LEFT)
    (entry,) = studio.session.study.entries
    assert entry.operator == "transformer_layer"
    prefill_s = float(studio.session.placed.rows[0].placement.time_s)

    qtbot.waitUntil(lambda: len(budget.body.regime.buttons) == 3, timeout=5_000)
    QTest.mouseClick(budget.body.regime.button("decode"), LEFT)
    row = studio.session.placed.rows[0]
    assert row.placement.parameters["regime"] == "decode"
    assert float(row.placement.time_s) < prefill_s / 20

    table = budget.body.table
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(1, 0)).center())
    assert studio.session.selection == ("part", entry.id, 1)
    assert studio.inside.panels.canvas.view.shown_scene.selected == ("part", entry.id, 1)


def test_the_gallery_opens_a_study_as_its_figure_shows_it(studio, qtbot) -> None:
    studio.inside.commands.run(f"action:{Key.EXAMPLES}")
    gallery = studio.window.findChild(GalleryDialog)
    gallery.select("lab-4")
    gallery.open_selected()
    qtbot.waitUntil(lambda: bool(studio.session.study.entries), timeout=30_000)

    assert studio.frame.tabs.tabText(studio.frame.tabs.currentIndex()) == "Budget"
    assert all(row.state == "placed" for row in studio.session.placed.rows)


def test_an_example_of_the_gallery_can_be_named_on_the_command_line(start, qtbot) -> None:
    studio = start(example="table-2")
    qtbot.waitUntil(lambda: bool(studio.session.study.entries), timeout=30_000)
    assert {one.operator for one in studio.session.study.entries} == {"gemm"}


def test_a_wrong_name_is_told_and_the_studio_goes_on(start) -> None:
    studio = start(example="figure-99")
    assert [
        one
        for one in studio.inside.notices.findChildren(object)
        if "figure-99" in getattr(one, "text", str)()
    ]


def test_an_example_without_a_tab_of_its_own_leaves_none_of_the_last_one(studio, qtbot) -> None:
    studio.opening.open_named("lab-4")
    qtbot.waitUntil(lambda: bool(studio.session.study.panels), timeout=30_000)
    studio.frame.tabs.fill_centre(True)
    studio.opening.open_named("figure-01")
    qtbot.waitUntil(
        lambda: not studio.profiles.is_busy and "probe" in studio.session.study.panels, timeout=30_000
    )

    assert not studio.frame.tabs.fills_centre and studio.inside.panels.canvas.isVisible()
    assert studio.frame.tabs.tabText(studio.frame.tabs.currentIndex()) == "Compare"

"""Figures in large print and in one line: what has room, what gives way, what is read out and told."""

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication

from rooflinestudio.core.readout import Readout
from rooflinestudio.ui.theme import LIGHT, apply_theme
from rooflinestudio.ui.widgets.painting import metrics
from rooflinestudio.ui.widgets.readouts import INSPECTOR, ReadoutLine, Readouts

FIGURES = (
    Readout("work", "64.9", "TFLOP", short="64.9 TFLOP", hint="ΣW over all kernels"),
    Readout("traffic", "24.1", "GB", short="24.1 GB at HBM"),
    Readout("time", "69.2", "ms", short="69.2 ms"),
)


def made(qtbot, widget, width, figures=FIGURES):
    qtbot.addWidget(widget)
    widget.set_readouts(figures)
    widget.resize(width, widget.sizeHint().height())
    return widget


def captions(widget):
    return [one.caption for one in widget.shown()]


def inked(widget):
    """Return in which of the columns of 200 px something is painted."""
    picture = widget.grab().toImage()
    ground = picture.pixel(widget.width() - 1, 0)
    return [
        any(
            picture.pixel(x, y) != ground
            for x in range(left, min(left + 200, picture.width()))
            for y in range(0, picture.height(), 2)
        )
        for left in range(0, picture.width(), 200)
    ]


def test_figures_are_read_out_with_what_stands_below_them(qtbot):
    was = Readout("kernels launched", "2", "", below="was 6")
    widget = made(qtbot, Readouts(noted=True), 600, (was, FIGURES[2]))
    assert widget.accessibleName() == "kernels launched 2 (was 6), time 69.2 ms"
    widget.set_readouts(FIGURES[:1])
    assert widget.accessibleName() == "work 64.9 TFLOP"


def test_columns_that_have_no_room_are_left_out_from_the_right(qtbot):
    widget = made(qtbot, Readouts(), 3 * 96)
    assert captions(widget) == ["work", "traffic", "time"]
    widget.resize(3 * 96 - 1, 46)
    assert captions(widget) == ["work", "traffic"]
    widget.resize(40, 46)
    assert captions(widget) == ["work"]  # one always stays


def test_wide_columns_keep_together_at_the_left(qtbot, qapp):
    apply_theme(qapp, LIGHT)
    assert inked(made(qtbot, Readouts(), 1000)) == [True, True, True, False, False]


def test_the_inspector_keeps_its_columns_whatever_the_figures_are(qtbot):
    widget = made(qtbot, Readouts(INSPECTOR, shares=(0.5, 0.3, 0.2)), 300)
    assert captions(widget) == ["work", "traffic", "time"]
    long = (Readout("work", "1 234 567", "TFLOP", hint="first"), Readout("traffic", "1", "B", hint="second"))
    for figures in (long, tuple(reversed(long))):
        widget.set_readouts(figures)
        assert widget.hint_at(149).endswith(figures[0].hint)
        assert widget.hint_at(151).endswith(figures[1].hint)


def test_columns_with_notes_are_as_wide_as_they_need_and_notes_end_early_where_they_do_not_fit(qtbot):
    notes = ("was 15.0 GB, 8.59 GB no longer cross", "was 6")
    figures = tuple(
        Readout(caption, "1", "", below=below, hint=caption)
        for caption, below in zip(("traffic", "kernels"), notes, strict=True)
    )
    widget = made(qtbot, Readouts(noted=True), 300, figures)
    needed = metrics("label").horizontalAdvance(notes[0])
    assert widget.hint_at(needed).endswith("\ntraffic")
    widget.resize(160, 66)
    assert widget.hint_at(needed) == "" or widget.hint_at(needed).endswith("\nkernels")


def test_notes_make_it_higher(qtbot):
    assert Readouts(noted=True).sizeHint().height() - Readouts().sizeHint().height() == 20


def test_in_a_line_figures_give_way_in_the_order_that_is_said(qtbot):
    widget = made(qtbot, ReadoutLine((1, 0)), 400)
    assert captions(widget) == ["work", "traffic", "time"]
    advance = metrics("name").horizontalAdvance
    all_three = sum(advance(one.short) + 1 for one in FIGURES) + 2 * 14
    widget.resize(int(all_three) - 1, 24)
    assert captions(widget) == ["work", "time"]
    widget.resize(int(advance("69.2 ms")) + 4, 24)
    assert captions(widget) == ["time"]
    widget.resize(5, 24)
    assert captions(widget) == ["time"]  # what never gives way stays


@pytest.mark.parametrize("make", [lambda: ReadoutLine((1,)), Readouts])
def test_under_the_pointer_stands_what_a_figure_is(qtbot, monkeypatch, make):
    told = []

    class Told:
        showText = staticmethod(lambda _where, text, _widget: told.append(text))
        hideText = staticmethod(lambda: told.append(""))

    monkeypatch.setattr("rooflinestudio.ui.widgets.readouts.QToolTip", Told)
    widget = made(qtbot, make(), 400)
    for x in (10, 395):
        at = QPoint(x, 10)
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    assert told == ["work 64.9 TFLOP\nΣW over all kernels", ""]


def test_nothing_to_show_takes_no_harm(qtbot):
    for widget in (Readouts(), Readouts(noted=True), ReadoutLine((0,))):
        made(qtbot, widget, 200, ())
        widget.grab()
        assert widget.shown() == () and widget.accessibleName() == "" and widget.hint_at(5) == ""

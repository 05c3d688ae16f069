"""Paints a sweep: words, grid, the part that does not fit, curves, marks, labels, legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from rooflinestudio.core.sweep.words import figure_text
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.serving.plot_labels import SHADE, paint_labels
from rooflinestudio.ui.serving.plot_model import Curve, Mark, PlotPicture, Shade
from rooflinestudio.ui.sweep.frame import LEFT_PX
from rooflinestudio.ui.sweep.paint_curves import (
    curve_pen,
    is_broken,
    paint_curves,
    paint_here,
    paint_measured,
    paint_strips,
    paint_threshold,
    stair_pen,
)
from rooflinestudio.ui.sweep.ticks import figure_ticks, value_ticks
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import elided, metrics, paint_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from rooflinestudio.core.sweep.picture import DrawnCurve, SweepPicture, ThresholdRow
    from rooflinestudio.ui.sweep.frame import SweepFrame

__all__ = ["paint_sweep"]

_RIGHT, _CENTRE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
_BOUNDS: Final = ("compute", "memory", "latency", "launch")
_MOST_LABELS, _SAMPLES, _SAMPLES_LOW = 8, 60, 14
_NAME_LEAST_PX: Final = 90.0


def paint_sweep(
    painter: QPainter, frame: SweepFrame, picture: SweepPicture, chosen: Hashable = None
) -> list[QRectF]:
    """Paint all of a picture; returns where its labels lie.

    Parameters
    ----------
    chosen
        Key of the threshold that is emphasised.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_words(painter, frame, picture)
    _paint_grid(painter, frame, picture)
    painter.save()
    painter.setClipRect(frame.inner.adjusted(-1, -1, 1, 1))
    _paint_gap(painter, frame, picture)
    paint_curves(painter, frame, picture)
    painter.restore()
    paint_strips(painter, frame, picture)
    for row in _visible(frame, picture):
        paint_threshold(painter, frame, row, chosen=row.key == chosen)
    for curve in picture.curves:
        paint_measured(painter, frame, curve)
        if curve.here is not None and _is_inside(frame, *curve.here):
            paint_here(painter, frame, curve, curve.here)
    _paint_legend(painter, frame, picture)
    return paint_labels(painter, frame, _labelled(frame, picture, chosen))


def _is_inside(frame: SweepFrame, x: float, y: float) -> bool:
    if y != y or (frame.is_log and (y <= 0 or x <= 0)):
        return False
    return frame.inner.adjusted(-2, -2, 2, 2).contains(frame.point(x, y))


def _visible(frame: SweepFrame, picture: SweepPicture) -> Iterator[ThresholdRow]:
    for row in picture.thresholds:
        if _is_inside(frame, row.value, row.mark.y):
            yield row


# Words and grid -------------------------------------------------------------------------------------------------------


def _paint_words(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    outer, inner = frame.outer, frame.inner
    line = QRectF(outer.left() + 6, outer.top() + 2, outer.width() - 14, 18)
    legend = _bound_legend(painter, frame, picture)
    paint_text(painter, line.adjusted(0, 0, -legend, 0), _head(frame, picture), "section", ink("text"))
    if not frame.low:
        second = QRectF(outer.left() + 6, outer.top() + 20, outer.width() - 14, 16)
        words = f"{picture.y_title}; {picture.subtitle}" if picture.subtitle else picture.y_title
        paint_text(painter, second, words, "caption", ink("muted"))
    below = QRectF(inner.left(), frame.foot + 17, inner.width(), 15)
    paint_text(painter, below, picture.x_title, "axis", ink("muted"), _RIGHT if frame.low else _CENTRE)


def _head(frame: SweepFrame, picture: SweepPicture) -> str:
    unit = picture.y_title.partition(", ")[2]
    return f"{picture.title}, {unit}" if frame.low and unit else picture.title


def _bound_legend(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> float:
    """Write glyph and word of each bound that occurs, from the right; returns the width that it took."""
    there = [one for one in picture.curves if not one.curve.reason]
    kinds = {span.bound for one in there[: len(frame.strips)] for span in one.curve.spans}
    right = frame.outer.right() - 8
    start = right
    for kind in reversed([one for one in _BOUNDS if one in kinds]):
        width = metrics("caption").horizontalAdvance(kind) + 2
        paint_text(
            painter, QRectF(right - width, frame.outer.top() + 2, width, 18), kind, "caption", ink(kind)
        )
        paint_icon(painter, QRectF(right - width - 18, frame.outer.top() + 4, 14, 14), f"bound-{kind}", kind)
        right -= width + 30
    return start - right + 6


def _paint_grid(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    inner = frame.inner
    for tick in value_ticks(frame, picture.x_unit):
        x = inner.left() + (tick.at - frame.x0) / (frame.x1 - frame.x0) * inner.width()
        painter.setPen(QPen(ink("border", 0.85 if tick.major else 0.28), 1.0))
        painter.drawLine(QPointF(x, inner.top()), QPointF(x, inner.bottom()))
        if tick.major:
            paint_text(
                painter, QRectF(x - 41, frame.foot + 2, 82, 15), tick.label, "axis", ink("text2"), _CENTRE
            )
    for tick in figure_ticks(frame, picture.unit):
        y = inner.bottom() - (tick.at - frame.y0) / (frame.y1 - frame.y0) * inner.height()
        painter.setPen(QPen(ink("border", 0.85 if tick.major else 0.28), 1.0))
        painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
        if tick.major:
            label = QRectF(frame.outer.left(), y - 8, LEFT_PX - 6, 16)
            paint_text(painter, label, tick.label, "axis", ink("text2"), _RIGHT)
    painter.setPen(QPen(ink("border_strong"), 1.0))
    painter.drawLine(inner.bottomLeft(), inner.bottomRight())


def _paint_gap(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    if picture.gap is None:
        return
    low, high = picture.x_range
    left = frame.inner.left() if picture.gap.first <= low else frame.x(picture.gap.first)
    right = frame.inner.right() if picture.gap.last >= high else frame.x(picture.gap.last)
    area = QRectF(QPointF(left, frame.inner.top()), QPointF(right, frame.inner.bottom()))
    painter.fillRect(area, ink("sunken", SHADE))
    painter.setPen(QPen(ink("text2"), 1.2))
    for x in (left, right):
        if frame.inner.left() < x < frame.inner.right():
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))


# Labels and legend ----------------------------------------------------------------------------------------------------


def _labelled(frame: SweepFrame, picture: SweepPicture, chosen: Hashable) -> PlotPicture:
    """Return what is labelled, as the placing of labels takes it: the present values first, then thresholds."""
    marks = [
        _here_mark(frame, picture, one)
        for one in picture.curves
        if one.here is not None and _is_inside(frame, *one.here)
    ]
    rows = sorted(_visible(frame, picture), key=lambda row: row.key != chosen)
    gap = picture.gap
    at_left = gap is not None and gap.first <= picture.x_range[0]
    for at, row in enumerate(rows):
        lines: tuple[str, ...] = (row.label,) if at < _MOST_LABELS else ()
        if (
            gap is not None and at_left and row.mark.kind == "capacity"
        ):  # no room for words in the part itself
            lines = (row.label, ": ".join(reversed(gap.lines)))
        marks.append(Mark(row.value, row.mark.y, "ring", lines))
    marks += [Mark(point.x, point.y, "diamond", ()) for one in picture.curves for point in one.measured]
    curves = [_samples(one, _sample_count(frame, len(picture.curves))) for one in picture.curves]
    if gap is not None:
        curves.append(_edge(frame, gap.last if at_left else gap.first, picture))
    shade = Shade(gap.first, gap.lines) if gap is not None and not at_left else None
    return PlotPicture("", "", "", "", picture.x_range, picture.y_range, tuple(curves), tuple(marks), shade)


def _edge(frame: SweepFrame, x: float, picture: SweepPicture) -> Curve:
    """Return the line before the part that does not fit, as something that labels keep off."""
    low, high = picture.y_range
    count = _SAMPLES_LOW if frame.low else _SAMPLES // 2
    shares = [at / count for at in range(count + 1)]
    ends = (max(low, 1e-300), high)
    y = [ends[0] * (ends[1] / ends[0]) ** one if frame.is_log else low + one * (high - low) for one in shares]
    return Curve("", (x,) * len(y), tuple(y), "text")


def _here_mark(frame: SweepFrame, picture: SweepPicture, one: DrawnCurve) -> Mark:
    assert one.here is not None
    x, y = one.here
    words = f"{picture.label} {picture.value_text(x)}: {figure_text(y, one.curve.unit)}"
    if frame.low and len(picture.curves) > 1:  # one line, and it has to say whose it is
        return Mark(x, y, "dot", (f"{one.name}: {figure_text(y, one.curve.unit)}",))
    below = (one.name,) if len(picture.curves) > 1 else ()
    return Mark(x, y, "dot", (words, *below))


def _sample_count(frame: SweepFrame, curves: int) -> int:
    """Return how many points of each curve labels keep off: every place for a label is held against all of them."""
    return _SAMPLES_LOW if frame.low else max(10, 2 * _SAMPLES // (curves + 1))


def _samples(one: DrawnCurve, count: int) -> Curve:
    """Return a few points of a curve that labels keep off."""
    import numpy as np

    curve = one.curve
    at = np.flatnonzero(np.isfinite(curve.y) & (curve.y > 0) & (curve.x > 0))
    at = at[:: max(1, len(at) // count)]
    return Curve(one.name, tuple(curve.x[at].tolist()), tuple(curve.y[at].tolist()), "text")


def _paint_legend(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    """Write which line is which curve; a single curve needs no legend."""
    left, y = frame.outer.left() + 12.0, frame.outer.bottom() - (9.0 if frame.low else 12.0)
    end = frame.outer.right() - 8
    if frame.low:
        end -= metrics("axis").horizontalAdvance(picture.x_title) + 24.0
    there = [one for one in picture.curves if not one.curve.reason]
    entries = [(curve_pen(one), one.name) for one in there] if len(there) > 1 else []
    unfit = next((one for one in there if is_broken(one)), None)
    entries += [(curve_pen(unfit, fits=False), "does not fit")] if unfit is not None else []
    stairs = next((one for one in there if len(one.curve.stairs_x)), None)
    entries += [(stair_pen(stairs), "tiles and waves counted")] if stairs is not None else []
    share = (
        (end - left) / len(entries) - 48.0 if entries else 0.0
    )  # long names give way, so that each has one
    for pen, name in entries:
        words = elided(name, "caption", max(share, _NAME_LEAST_PX))
        width = metrics("caption").horizontalAdvance(words)
        if left + 30 + width > end:
            paint_text(painter, QRectF(left, y - 8, 16, 16), "…", "caption", ink("muted"))
            return
        painter.setPen(pen)
        painter.drawLine(QPointF(left, y), QPointF(left + 24, y))
        paint_text(painter, QRectF(left + 30, y - 8, width + 2, 16), words, "caption", ink("text2"))
        left += 30 + width + 18

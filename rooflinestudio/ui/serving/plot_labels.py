"""The labels of a plot: each at the place around its mark that costs least, none over another."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.ui.serving.plot_frame import Frame
    from rooflinestudio.ui.serving.plot_model import Curve, Mark, PlotPicture

__all__ = ["SHADE", "paint_labels"]

SHADE: Final = 0.75
"""Opacity of the part that does not fit."""

_LINE: Final = 15.0
_GAPS: Final = (9.0, 18.0, 30.0)


def paint_labels(painter: QPainter, frame: Frame, picture: PlotPicture) -> list[QRectF]:
    """Write the words of the shaded part and of the marks, so that none lies over another; returns where they lie."""
    marks = [QRectF(frame.x(one.x) - 7, frame.y(one.y) - 7, 14, 14) for one in picture.marks]
    samples = [(frame.x(x), frame.y(y)) for curve in picture.curves for x, y in _dense(curve) if y > 0]
    samples += 3 * _edge(
        frame, picture
    )  # a straight line through words is worse than a curve behind a few letters
    placed: list[QRectF] = []
    for words in _narrow(picture.shade.lines) if picture.shade is not None else ():
        if (spot := _shade_spot(frame, picture, words, (marks, samples))) is not None:
            _write(painter, spot, words, _halo(frame, picture, spot))
            placed.append(spot)
            break
    for mark in picture.marks:
        lines = mark.lines[:1] if frame.low else mark.lines
        spot = _best_spot(frame, mark, lines, (placed, marks), samples) if lines else None
        if spot is not None:
            _write(painter, spot, lines, _halo(frame, picture, spot))
            placed.append(spot)
    return placed


def _edge(frame: Frame, picture: PlotPicture) -> list[tuple[float, float]]:
    """Return points of the line before the shaded part: labels keep off it too."""
    if picture.shade is None:
        return []
    x, height = frame.x(picture.shade.beyond), frame.inner.height()
    return [(x, frame.inner.top() + at / 60 * height) for at in range(61)]


def _dense(curve: Curve) -> list[tuple[float, float]]:
    found = list(zip(curve.x, curve.y, strict=True))
    for (x, y), (next_x, next_y) in pairwise(list(found)):
        found.append((math.sqrt(x * next_x), math.sqrt(max(y, 0.0) * max(next_y, 0.0))))
    return found


def _size(lines: tuple[str, ...]) -> tuple[float, float]:
    widths = [
        metrics("placement" if at == 0 else "placement_detail").horizontalAdvance(line)
        for at, line in enumerate(lines)
    ]
    return max(widths) + 2, _LINE * len(lines)


def _shade_spot(
    frame: Frame,
    picture: PlotPicture,
    lines: tuple[str, ...],
    taken: tuple[list[QRectF], list[tuple[float, float]]],
) -> QRectF | None:
    """Return the place in the shaded part (before it, it would say the contrary) that covers least."""
    marks, samples = taken
    assert picture.shade is not None
    width, height = _size(lines)
    inner = frame.inner
    left = max(frame.x(picture.shade.beyond), inner.left()) + 8
    if left + width > inner.right() - 2:
        return None
    best, least = None, 40.0
    for top, above in ((inner.bottom() - height - 8, 0.0), (inner.top() + 6, 2.0)):
        spot = QRectF(left, top, width, height)
        apart = spot.adjusted(-4, -2, 4, 2)
        cost = 9.0 * _covered(apart, samples) + 120.0 * sum(apart.intersects(one) for one in marks) + above
        if cost < least:
            best, least = spot, cost
    return best


def _narrow(lines: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the words of the shaded part, then the same in more and shorter lines, then the first words alone."""
    yield lines
    first, _, size = lines[0].partition(" in ")
    if size:
        yield (first, f"in {size}")
    yield (first,)


def _best_spot(
    frame: Frame,
    mark: Mark,
    lines: tuple[str, ...],
    taken: tuple[list[QRectF], list[QRectF]],
    samples: list[tuple[float, float]],
) -> QRectF | None:
    """Return the place around a mark that costs least; None where all lie over another label or outside."""
    at = frame.point(mark.x, mark.y)
    labels, marks = taken
    width, height = _size(lines)
    room = frame.inner.adjusted(2, 2, -2, -2)
    best, least = None, 240.0
    for distance in _GAPS:
        for rank, spot in enumerate(_around(at, width, height, distance)):
            apart = spot.adjusted(-4, -2, 4, 2)
            if not room.contains(spot) or any(apart.intersects(one) for one in labels):
                continue
            cost = 120.0 * sum(apart.intersects(one) for one in marks)
            cost += 110.0 * any(_far(spot, one.center()) + 1.0 < _far(spot, at) for one in marks)
            cost += 9.0 * _covered(apart, samples) + 2.0 * rank + 0.7 * distance
            if cost < least:
                best, least = spot, cost
    return best


def _covered(spot: QRectF, samples: list[tuple[float, float]]) -> int:
    left, right, top, bottom = spot.left(), spot.right(), spot.top(), spot.bottom()
    return sum(left <= x <= right and top <= y <= bottom for x, y in samples)


def _far(spot: QRectF, point: QPointF) -> float:
    """Return the distance from a point to a rectangle."""
    across = max(spot.left() - point.x(), 0.0, point.x() - spot.right())
    return math.hypot(across, max(spot.top() - point.y(), 0.0, point.y() - spot.bottom()))


def _around(at: QPointF, width: float, height: float, gap: float) -> list[QRectF]:
    right, left = at.x() + gap, at.x() - gap - width
    above, below = at.y() - gap - height, at.y() + gap
    middle, centre = at.y() - height / 2, at.x() - width / 2
    corners = (
        (right, middle), (right, below), (left, middle), (left, above), (right, above), (left, below),
        (centre, below), (centre, above),
    )  # fmt: skip
    return [QRectF(x, y, width, height) for x, y in corners]


def _halo(frame: Frame, picture: PlotPicture, spot: QRectF) -> QColor:
    """Return the colour behind a label: that of the canvas, or of the shaded part."""
    canvas = ink("canvas")
    if picture.shade is None or spot.center().x() < frame.x(picture.shade.beyond):
        return canvas
    over = ink("sunken")
    pairs = (
        (over.red(), canvas.red()),
        (over.green(), canvas.green()),
        (over.blue(), canvas.blue()),
    )
    return QColor(*(round(SHADE * above + (1 - SHADE) * below) for above, below in pairs))


def _write(painter: QPainter, spot: QRectF, lines: tuple[str, ...], halo: QColor) -> None:
    """Write lines with a halo: boxes would tear holes into the curves."""
    for at, line in enumerate(lines):
        role = "placement" if at == 0 else "placement_detail"
        base = spot.top() + at * _LINE + (_LINE + metrics(role).ascent() - metrics(role).descent()) / 2
        path = QPainterPath()
        path.addText(QPointF(spot.left(), base), font(role), line)
        pen = QPen(halo, 4.0)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
        painter.fillPath(path, ink("text" if at == 0 else "text2"))

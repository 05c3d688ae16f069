"""Paints the curves of a sweep, what lies on them, and the bounds along them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from rooflinestudio.ui.widgets.ink import bound_ink, ink, slot_ink
from rooflinestudio.ui.widgets.painting import marker_shape, paint_marker

if TYPE_CHECKING:
    from rooflinestudio.core.sweep.picture import DrawnCurve, SweepPicture, ThresholdRow
    from rooflinestudio.ui.sweep.frame import SweepFrame

__all__ = [
    "curve_pen",
    "is_broken",
    "paint_curves",
    "paint_here",
    "paint_measured",
    "paint_strips",
    "paint_threshold",
    "stair_pen",
]

DASHES: Final = ((), (7.0, 4.0), (8.0, 3.0, 2.0, 3.0), (13.0, 4.0), (9.0, 2.0, 2.0, 2.0, 2.0, 2.0))
_MISSING: Final = (2.0, 2.4)


def curve_pen(curve: DrawnCurve, *, fits: bool = True) -> QPen:
    """Return the pen of a curve: colour of its entry, dash of policy or second value; dotted where it does not fit."""
    width = 2.2 if fits else 1.4
    return _pen(curve, width, DASHES[curve.dash % len(DASHES)] if fits else _MISSING)


def stair_pen(curve: DrawnCurve) -> QPen:
    """Return the pen of the staircase of a curve."""
    return _pen(curve, 1.0, (), alpha=0.75)


def _pen(curve: DrawnCurve, width: float, dash: tuple[float, ...], alpha: float = 1.0) -> QPen:
    made = QPen(slot_ink(curve.slot, alpha), width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        made.setDashPattern([one / width for one in dash])
    return made


def paint_curves(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    """Paint all curves and staircases; the leading ones last, so that they lie on top."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for one in reversed(picture.curves):
        curve = one.curve
        if len(curve.stairs_x):
            painter.strokePath(_path(frame, curve.stairs_x, curve.stairs_y, None), stair_pen(one))
        shown = curve.fits if is_broken(one) else None
        painter.strokePath(_path(frame, curve.x, curve.y, shown), curve_pen(one))
        if shown is not None:
            missing = ~curve.fits
            missing[:-1] |= missing[1:].copy()  # joined to the last point before it
            missing[1:] |= ~curve.fits[:-1]
            painter.strokePath(_path(frame, curve.x, curve.y, missing), curve_pen(one, fits=False))


def is_broken(one: DrawnCurve) -> bool:
    """Whether a part of a curve does not fit; where nothing of it does, a sentence says more than a dotted line."""
    return bool(one.curve.fits.any()) and not bool(one.curve.fits.all())


def _path(frame: SweepFrame, x: Any, y: Any, shown: Any) -> QPainterPath:
    """Return the line through points; it breaks where a figure is missing, infinite, or not to be shown."""
    import numpy as np

    there = np.isfinite(y) & ((y > 0) if frame.is_log else True)
    if shown is not None:
        there = there & shown
    path = QPainterPath()
    run: list[QPointF] = []
    for at, ok in enumerate(there.tolist()):
        if ok:
            run.append(frame.point(float(x[at]), float(y[at])))
        if run and (not ok or at == len(there) - 1):
            path.addPolygon(QPolygonF(run))
            run = []
    return path


def paint_strips(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    """Paint the bound along each curve as a strip in the hues of bounds, its curve's line before it."""
    there = [one for one in picture.curves if not one.curve.reason]
    for one, strip in zip(there, frame.strips, strict=False):
        painter.fillRect(strip, ink("sunken"))
        for span, left, right in _pieces(one, frame):
            painter.fillRect(QRectF(left, strip.top(), right - left, strip.height()), bound_ink(span)[0])
        painter.setPen(curve_pen(one))
        y = strip.center().y()
        if len(there) > 1:
            painter.drawLine(QPointF(strip.left() - 24, y), QPointF(strip.left() - 5, y))


def _pieces(one: DrawnCurve, frame: SweepFrame) -> list[tuple[str, float, float]]:
    """Return kind, left and right of each stretch; neighbours touch, and a single value is still seen."""
    spans = one.curve.spans
    pieces: list[tuple[str, float, float]] = []
    for at, span in enumerate(spans):
        left = frame.x(span.first)
        last = frame.x(span.last)
        if at + 1 < len(spans):
            following = frame.x(spans[at + 1].first)
            last = following if following - last < 6.0 else last
        pieces.append((span.bound, left, max(last, left + 1.0)))
    return pieces


def paint_threshold(painter: QPainter, frame: SweepFrame, row: ThresholdRow, *, chosen: bool) -> None:
    """Paint the mark of a threshold: a triangle where compute begins to bind, a ring at the others."""
    at = frame.point(row.value, row.mark.y)
    colour = slot_ink(row.curve.slot)
    if chosen:
        line = QPen(ink("accent"), 1.2)
        painter.setPen(line)
        painter.drawLine(QPointF(at.x(), frame.inner.top()), QPointF(at.x(), frame.inner.bottom()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink("accent"), 1.6))
        painter.drawEllipse(at, 10.0, 10.0)
    painter.setPen(QPen(ink("canvas"), 1.2))
    painter.setBrush(colour)
    if row.mark.is_ridge:
        painter.drawPolygon(QPolygonF([at + QPointF(0, -6), at + QPointF(6, 5), at + QPointF(-6, 5)]))
        return
    painter.setBrush(ink("canvas"))
    painter.setPen(QPen(colour, 1.8))
    painter.drawEllipse(at, 4.2, 4.2)


def paint_measured(painter: QPainter, frame: SweepFrame, curve: DrawnCurve) -> None:
    """Paint the measured kernels of an entry as diamonds."""
    for point in curve.measured:
        paint_marker(painter, frame.point(point.x, point.y), "diamond", slot_ink(curve.slot), 5.4)


def paint_here(painter: QPainter, frame: SweepFrame, curve: DrawnCurve, at: tuple[float, float]) -> None:
    """Paint the present value of an entry as it stands on the canvas, with a handle under the plot."""
    spot = frame.point(*at)
    paint_marker(painter, spot, marker_shape(curve.slot), ink("canvas"), 8.0)
    paint_marker(painter, spot, marker_shape(curve.slot), slot_ink(curve.slot), 6.0)

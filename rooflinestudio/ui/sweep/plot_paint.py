"""Paints a sweep: axes, the part that does not fit, curves, strips of bounds, marks, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.sweep_curves_words import curve_name
from rooflinestudio.ui.canvas.axis import intensity_ticks
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.serving.plot_labels import SHADE, paint_labels
from rooflinestudio.ui.sweep.label_model import labelled
from rooflinestudio.ui.sweep.plot_frame import LEFT_PX
from rooflinestudio.ui.widgets.ink import bound_ink, ink, slot_ink
from rooflinestudio.ui.widgets.painting import metrics, paint_marker, paint_text

if TYPE_CHECKING:
    from rooflinestudio.core.sweep_curves_drawn import DrawnCurve as Curve
    from rooflinestudio.core.sweep_curves_words import ThresholdLine
    from rooflinestudio.core.sweep_panel_picture import SweepPicture
    from rooflinestudio.ui.sweep.plot_frame import SweepFrame

__all__ = ["curve_dash", "paint_sweep"]

_RIGHT, _CENTRE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
_DASHES: Final = ((), (7.0, 4.0), (2.0, 3.0), (9.0, 3.0, 2.0, 3.0), (12.0, 5.0), (4.0, 4.0))
_BEYOND: Final = (2.0, 2.4)


def paint_sweep(
    painter: QPainter, frame: SweepFrame, picture: SweepPicture, chosen: ThresholdLine | None
) -> list[QRectF]:
    """Paint all of a picture; returns where its labels lie."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    title = QRectF(frame.outer.left() + 8, frame.outer.top() + 3, frame.outer.width() - 20, 18)
    paint_text(painter, title, picture.title, "section", ink("text"))
    used = metrics("section").horizontalAdvance(picture.title) + 16
    paint_text(
        painter, title.adjusted(used, 0, 0, 0), f"on {picture.machine}", "caption", ink("muted"), _RIGHT
    )
    _paint_grid(painter, frame, picture)
    painter.save()
    painter.setClipRect(frame.inner.adjusted(-1, -1, 1, 1))
    _paint_shade(painter, frame, picture)
    for curve in reversed(picture.curves):
        _paint_curve(painter, frame, picture, curve)
    painter.restore()
    _paint_strips(painter, frame, picture)
    _paint_marks(painter, frame, picture, chosen)
    _paint_legend(painter, frame, picture)
    return paint_labels(painter, frame, labelled(picture))  # type: ignore[arg-type]


def _paint_grid(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    inner = frame.inner
    for tick in frame.x_ticks():
        x = inner.left() + (tick.at - frame.x0) / (frame.x1 - frame.x0) * inner.width()
        painter.setPen(QPen(ink("border", 0.85 if tick.major else 0.28), 1.0))
        painter.drawLine(QPointF(x, inner.top()), QPointF(x, inner.bottom()))
        if tick.major:
            left = min(x - 40, inner.right() - 66)
            paint_text(
                painter, QRectF(left, inner.bottom() + 3, 80, 15), tick.label, "axis", ink("text2"), _CENTRE
            )
    for tick in intensity_ticks(frame.y0, frame.y1, length=inner.height(), spacing=36.0):
        y = inner.bottom() - (tick.at - frame.y0) / (frame.y1 - frame.y0) * inner.height()
        painter.setPen(QPen(ink("border", 0.85 if tick.major else 0.28), 1.0))
        painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
        if tick.major:
            label = QRectF(frame.outer.left(), y - 8, LEFT_PX - 6, 16)
            paint_text(painter, label, _tick_text(10.0**tick.at, picture.unit), "axis", ink("text2"), _RIGHT)
    painter.setPen(QPen(ink("border_strong"), 1.0))
    painter.drawLine(inner.bottomLeft(), inner.bottomRight())


def _tick_text(value: float, unit: str) -> str:
    if not unit:
        return f"{format_number(100 * value)} %"
    return format_quantity(value, unit) if unit in ("s", "B", "FLOP/s") else format_number(value)


def _paint_shade(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    if picture.shade is None:
        return
    left = max(frame.x(picture.shade.beyond), frame.inner.left())
    if left < frame.inner.right():
        area = QRectF(QPointF(left, frame.inner.top()), frame.inner.bottomRight())
        painter.fillRect(area, ink("sunken", SHADE))
        painter.setPen(QPen(ink("text2"), 1.2))
        painter.drawLine(area.topLeft(), area.bottomLeft())


def curve_dash(picture: SweepPicture, curve: Curve) -> tuple[float, ...]:
    """Return the dash of a curve: its policy, or its value of the second parameter; the first is solid."""
    policies, values = picture.spec.policies, picture.spec.second[1] if picture.spec.second else ()
    number = policies.index(curve.key.policy) if curve.key.policy in policies else 0
    if curve.key.second in values:
        number = number * len(values) + values.index(curve.key.second)
    return _DASHES[number % len(_DASHES)]


def _pen(curve: Curve, dash: tuple[float, ...], width: float) -> QPen:
    made = QPen(slot_ink(curve.row.entry.slot), width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        made.setDashPattern([one / width for one in dash])
    return made


def _paint_curve(painter: QPainter, frame: SweepFrame, picture: SweepPicture, curve: Curve) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    fitting, beyond = QPainterPath(), QPainterPath()
    last: tuple[QPointF, bool] | None = None
    for x, y, fits in zip(curve.x.tolist(), curve.y.tolist(), curve.fits.tolist(), strict=True):
        if not y > 0 or y == float("inf"):
            last = None
            continue
        at = frame.point(x, y)
        if last is not None:
            path = fitting if fits and last[1] else beyond
            if path.isEmpty() or path.currentPosition() != last[0]:
                path.moveTo(last[0])
            path.lineTo(at)
        last = at, fits
    painter.strokePath(fitting, _pen(curve, curve_dash(picture, curve), 2.0))
    painter.strokePath(beyond, _pen(curve, _BEYOND, 1.5))
    if len(curve.stairs_x):
        steps = [frame.point(x, y) for x, y in zip(curve.stairs_x.tolist(), curve.stairs_y.tolist(), strict=True)
                 if y > 0]  # fmt: skip
        painter.setPen(_pen(curve, (), 1.0))
        painter.drawPolyline(QPolygonF(steps))


def _paint_strips(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    """Paint what binds along each curve in the hue of the bound, with glyph and word where there is room."""
    drawn = [one for one in picture.curves if len(one.x)]
    for number, curve in enumerate(drawn[: frame.strips]):
        strip = frame.strip(number)
        y = strip.center().y()
        painter.setPen(_pen(curve, curve_dash(picture, curve), 2.0))
        painter.drawLine(QPointF(strip.left() - 30, y), QPointF(strip.left() - 6, y))
        for at, span in enumerate(curve.spans):
            left = frame.x(span.first)
            last = at + 1 == len(curve.spans)
            right = frame.x(span.last) if last else frame.x(curve.spans[at + 1].first)
            box = QRectF(left, strip.top(), max(right - left, 2.0), strip.height())
            words, soft = bound_ink(span.bound)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(soft)
            painter.drawRect(box)
            painter.fillRect(QRectF(box.left(), box.top(), 2.0, box.height()), words)
            if box.width() >= 22:
                paint_icon(painter, QRectF(box.left() + 5, y - 6, 12, 12), f"bound-{span.bound}", span.bound)
            if box.width() >= 60:
                text = f"{span.bound} at {span.binding}"
                if metrics("caption").horizontalAdvance(text) > box.width() - 24:
                    text = span.bound
                paint_text(painter, box.adjusted(20, 0, -3, 0), text, "caption", words)


def _paint_marks(
    painter: QPainter, frame: SweepFrame, picture: SweepPicture, chosen: ThresholdLine | None
) -> None:
    for curve in picture.curves:
        colour = slot_ink(curve.row.entry.slot)
        for mark in curve.marks:
            if not mark.y > 0 or mark.y == float("inf"):
                continue
            at = frame.point(mark.x, mark.y)
            strong = chosen is not None and (chosen.curve, chosen.kind, chosen.x) == (
                curve.key,
                mark.kind,
                mark.x,
            )
            if strong:
                painter.setPen(QPen(ink("accent"), 1.4))
                painter.drawLine(QPointF(at.x(), frame.inner.top()), QPointF(at.x(), frame.inner.bottom()))
            painter.setBrush(colour if strong else ink("canvas"))
            painter.setPen(QPen(ink("accent") if strong else colour, 2.0 if strong else 1.6))
            radius = 6.0 if strong else 4.6
            painter.drawEllipse(at, radius, radius)
        if curve.here is not None and 0 < curve.here[1] < float("inf"):
            at = frame.point(*curve.here)
            painter.setBrush(colour)
            painter.setPen(QPen(ink("canvas"), 2.0))
            painter.drawEllipse(at, 6.5, 6.5)
    slots = {one.key.entry: one.row.entry.slot for one in picture.curves}
    for spot in picture.measured:
        if spot.y > 0:
            paint_marker(painter, frame.point(spot.x, spot.y), "diamond", slot_ink(slots[spot.entry]), 6.0)


def _paint_legend(painter: QPainter, frame: SweepFrame, picture: SweepPicture) -> None:
    drawn = [one for one in picture.curves if len(one.x)]
    if len(drawn) < 2 or frame.low:
        return
    left, y = frame.inner.left(), frame.outer.bottom() - 10.0
    for curve in drawn:
        name = curve_name(curve, picture.spec)
        width = metrics("caption").horizontalAdvance(name) + 2
        if left + 30 + width > frame.outer.right():
            return
        painter.setPen(_pen(curve, curve_dash(picture, curve), 2.0))
        painter.drawLine(QPointF(left, y), QPointF(left + 24, y))
        paint_text(painter, QRectF(left + 30, y - 8, width, 16), name, "caption", ink("text2"))
        left += 30 + width + 18

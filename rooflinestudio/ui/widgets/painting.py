"""Markers, chips and bars, painted: delegates and widgets share these, so that they look the same everywhere.

Every function leaves the painter as it found it, but for pen and brush.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import bound_ink, ink

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QFont

__all__ = [
    "CHIP_PX", "chip_width", "elided", "fitting_name", "marker_shape", "metrics", "paint_bar", "paint_bound_chip",
    "paint_chip", "paint_focus_ring", "paint_marker", "paint_name", "paint_text",
]  # fmt: skip

CHIP_PX: Final = 18
"""Height of a chip."""

_TEMPLATE_PX: Final = 64.0
_CHIP_PADDING, _GLYPH, _GLYPH_GAP = 6.0, 14.0, 4.0
_METRICS: dict[str, QFontMetricsF] = {}


def metrics(role: str) -> QFontMetricsF:
    """Return the metrics of the font of a role; made once."""
    found = _METRICS.get(role)
    if found is None:
        found = _METRICS[role] = QFontMetricsF(font(role))
    return found


@lru_cache(maxsize=4096)
def elided(text: str, role: str, width: float, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> str:
    """Return the text, shortened to a width in pixels in the font of a role."""
    return metrics(role).elidedText(text, mode, max(0.0, width))


def paint_text(  # noqa: PLR0913 - what a line of text consists of
    painter: QPainter, rect: QRectF, text: str, role: str, colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft, *, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:  # fmt: skip
    """Write one line, vertically centred, shortened to the rectangle."""
    made: QFont = font(role)
    painter.setFont(made)
    painter.setPen(colour)
    painter.drawText(
        rect, align | Qt.AlignmentFlag.AlignVCenter, elided(text, role, rect.width() + 0.5, mode)
    )


@lru_cache(maxsize=4096)
def fitting_name(name: str, role: str, width: float) -> str:
    """Return a kernel's name, shorter where it does not fit, and then shortened in its middle."""
    from rooflinestudio.core.measured.display import shorter_names
    from rooflinestudio.core.measurement_names import short_kernel_name

    advance = metrics(role).horizontalAdvance
    if advance(name) <= width:
        return name
    forms = shorter_names(name)
    shown = next((one for one in forms if advance(one) <= width), "")
    if not shown:
        # Template arguments are worth showing where some of them can be read beside the function's own name.
        own, function = (forms or (name,))[-1], short_kernel_name(name)
        shown = own if advance(function) + _TEMPLATE_PX <= width else function
    return elided(shown, role, width, Qt.TextElideMode.ElideMiddle)


def paint_name(painter: QPainter, rect: QRectF, name: str, role: str, colour: QColor) -> None:
    """Write the name of a kernel, see :func:`fitting_name`."""
    shown = fitting_name(name, role, rect.width() + 0.5)
    paint_text(painter, rect, shown, role, colour, mode=Qt.TextElideMode.ElideMiddle)


def marker_shape(slot: int | str) -> str:
    """Return the shape of a predicted marker: a circle, from the ninth placement on a square."""
    return "square" if isinstance(slot, int) and slot >= 8 else "circle"


def paint_marker(painter: QPainter, centre: QPointF, shape: str, colour: QColor, radius: float = 4.5) -> None:
    """Draw a marker: ``circle`` or ``square`` for predicted, ``diamond`` (or ``open-diamond``) for measured."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if shape.endswith("diamond"):
        r = radius * 1.2
        if shape == "open-diamond":
            painter.setPen(QPen(colour, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            r -= 0.75
        x, y = centre.x(), centre.y()
        painter.drawPolygon(
            QPolygonF([QPointF(x, y - r), QPointF(x + r, y), QPointF(x, y + r), QPointF(x - r, y)])
        )
    elif shape == "square":
        r = radius * 0.9
        painter.drawRect(QRectF(centre.x() - r, centre.y() - r, 2 * r, 2 * r))
    else:
        painter.drawEllipse(centre, radius, radius)
    painter.restore()


def paint_bar(painter: QPainter, rect: QRectF, fraction: float, kind: str) -> None:
    """Draw a bar 6 px high with its track, filled to a fraction in [0, 1] (above, it is full) in the hue of a bound."""
    track = QRectF(rect.left(), rect.center().y() - 3.0, rect.width(), 6.0)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink("sunken"))
    painter.drawRoundedRect(track, 3.0, 3.0)
    share = min(max(fraction, 0.0), 1.0)
    if share > 0:
        track.setWidth(max(share * track.width(), min(6.0, track.width())))
        painter.setBrush(bound_ink(kind)[0])
        painter.drawRoundedRect(track, 3.0, 3.0)
    painter.restore()


def chip_width(text: str, *, glyph: bool = False) -> float:
    """Return how wide a chip is with this text."""
    return (
        2 * _CHIP_PADDING + metrics("chip").horizontalAdvance(text) + (_GLYPH + _GLYPH_GAP if glyph else 0.0)
    )


def paint_chip(
    painter: QPainter,
    rect: QRectF,
    text: str,
    colours: tuple[QColor, QColor],
    *,
    glyph: tuple[str, str] | None = None,
) -> None:
    """Draw a chip with (text, background) colours; ``glyph`` is an icon's name and colour token."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours[1])
    painter.drawRoundedRect(rect, 4.0, 4.0)
    left = rect.left() + _CHIP_PADDING
    if glyph is not None:
        paint_icon(painter, QRectF(left, rect.center().y() - _GLYPH / 2, _GLYPH, _GLYPH), *glyph)
        left += _GLYPH + _GLYPH_GAP
    inner = QRectF(left, rect.top(), rect.right() - _CHIP_PADDING - left, rect.height())
    paint_text(painter, inner, text, "chip", colours[0])
    painter.restore()


def paint_bound_chip(painter: QPainter, rect: QRectF, kind: str, text: str) -> None:
    """Draw the chip of a bound, with its glyph, its word and its hue."""
    glyph = (f"bound-{kind}", kind) if kind in ("compute", "memory", "latency", "launch") else None
    paint_chip(painter, rect, text, bound_ink(kind), glyph=glyph)


def paint_focus_ring(painter: QPainter, rect: QRectF, radius: float = 5.0) -> None:
    """Draw the ring of the keyboard focus inside a rectangle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink("accent"), 1.2))
    painter.drawRoundedRect(rect.adjusted(0.6, 0.6, -0.6, -0.6), radius, radius)
    painter.restore()

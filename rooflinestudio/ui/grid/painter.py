"""Paints all pictures of a grid into one viewport, with the pens, stamps and cached words of the canvas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from rooflinestudio.ui.canvas.axis import Tick, intensity_ticks, rate_ticks
from rooflinestudio.ui.canvas.context import Canvas, rect_of
from rooflinestudio.ui.canvas.coordinates import Box, Frame, Range
from rooflinestudio.ui.canvas.geometry import along_roof, roof_line
from rooflinestudio.ui.canvas.stamps import Shape
from rooflinestudio.ui.grid.layout import FOOT_PX, LINE_PX, PAD_PX
from rooflinestudio.ui.widgets.painting import CHIP_PX, chip_width, paint_bound_chip

if TYPE_CHECKING:
    from rooflinestudio.core.grid.cells import CellKey
    from rooflinestudio.ui.canvas.scene import Corridor
    from rooflinestudio.ui.canvas.text import Text
    from rooflinestudio.ui.grid.layout import GridLayout
    from rooflinestudio.ui.grid.scene import GridScene, MiniRoof, Multiple
    from rooflinestudio.ui.theme import Theme

__all__ = ["GridPicture", "paint_grid"]

MARKER, SQUARE, RIM = 5.0, 4.5, 1.6
BAND: Final = 7.0
QUIET: Final = 0.5
X_TICK_PX, Y_TICK_PX = 62.0, 26.0


@dataclass(frozen=True, slots=True)
class GridPicture:
    """What is painted: a scene, laid out and scrolled, with the axes of all pictures and what is marked."""

    scene: GridScene
    layout: GridLayout
    range: Range
    scroll: tuple[float, float] = (0.0, 0.0)
    chosen: CellKey | None = None
    focused: CellKey | None = None


def paint_grid(painter: QPainter, picture: GridPicture, theme: Theme, text: Text) -> None:
    """Paint everything: pictures first, then heads and axes, which stay while pictures scroll under them."""
    layout, scene = picture.layout, picture.scene
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    whole = Box(0.0, 0.0, *layout.view)
    edge = _tools(painter, whole, picture.range, theme, text)
    edge.fill(whole, edge.colour("canvas"))
    painter.save()
    painter.setClipRect(rect_of(layout.body))
    for row, line in enumerate(scene.multiples):
        for column, multiple in enumerate(line):
            box = layout.cell_box(row, column, picture.scroll)
            if box.overlaps(layout.body):
                plot = layout.plot_box(box)
                _paint_multiple(_tools(painter, plot, picture.range, theme, text), picture, multiple, box)
    painter.restore()
    _paint_edges(edge, picture)


def _tools(painter: QPainter, plot: Box, range_: Range, theme: Theme, text: Text) -> Canvas:
    # Scene, layout and words of the canvas are not needed for the tools used here.
    return Canvas(painter, None, None, Frame(plot, range_), theme, text, None)  # type: ignore[arg-type]


# One picture --------------------------------------------------------------------------------------------------------


def _paint_multiple(c: Canvas, picture: GridPicture, multiple: Multiple, box: Box) -> None:
    plot, cell = c.frame.plot, multiple.cell
    chosen, focused = cell.key == picture.chosen, cell.key == picture.focused
    if chosen:
        c.fill(box, c.colour("accent_soft"), 5.0)
        c.fill(plot, c.colour("canvas"))
    _paint_words(c, multiple, box, picture.layout.lines)
    if multiple.refusal:
        _paint_refusal(c, multiple.refusal)
    elif multiple.roof is not None:
        _paint_axes(c)
        for roof in multiple.quiet:
            _paint_roof(c, roof, quiet=True)
        if multiple.drawing.corridor is not None:
            _paint_corridor(c, multiple.drawing.corridor)
        _paint_roof(c, multiple.roof, quiet=False)
        if picture.scene.baseline is not None and not cell.is_baseline:
            at = c.frame.point(*picture.scene.baseline)
            if plot.holds(*at):
                c.circle(at, 3.2, pen=c.pen(c.colour("border_strong"), 1.0))
        _paint_marker(c, multiple)
    if chosen or focused:
        pen = c.pen(c.colour("accent"), 1.6, () if chosen and not focused else (2.5, 2.0))
        c.painter.setPen(pen)
        c.painter.setBrush(Qt.BrushStyle.NoBrush)
        c.painter.drawRoundedRect(rect_of(box.grown(-0.8)), 5.0, 5.0)


def _paint_words(c: Canvas, multiple: Multiple, box: Box, lines: int) -> None:
    left, right, top = box.left + PAD_PX, box.right - PAD_PX, box.top + 2
    rise = (LINE_PX - c.text.height("caption")) / 2
    if multiple.refusal:
        c.words((left, top + rise), "not placed", "canvas_strong", "warn", halo=False)
        return
    width = c.text.width(multiple.ratio, "caption")
    room = right - left - (width + 6 if lines == 1 else 0.0)
    words = next((one for one in multiple.bound_words if chip_width(one, glyph=True) <= room), "")
    chip = QRectF(left, top, min(room, chip_width(words, glyph=True)), CHIP_PX - 1)
    paint_bound_chip(c.painter, chip, multiple.bound, words)
    if lines > 1:
        top += LINE_PX
        c.words((left, top + rise), multiple.time, "canvas_strong", "text", halo=False)
    c.words((right - width, top + rise), multiple.ratio, "caption", multiple.tone, halo=False)


def _paint_axes(c: Canvas) -> None:
    plot, range_ = c.frame.plot, c.frame.range
    columns, rows = _ticks(plot, range_)
    lines = [(_sharp(c.frame.x(one.at)), plot.top, _sharp(c.frame.x(one.at)), plot.bottom) for one in columns]
    lines += [(plot.left, _sharp(c.frame.y(one.at)), plot.right, _sharp(c.frame.y(one.at))) for one in rows]
    c.hairlines(lines, c.mixed("border", 0.6))
    c.hairlines(
        [
            (plot.left, _sharp(plot.bottom), plot.right, _sharp(plot.bottom)),
            (_sharp(plot.left), plot.top, _sharp(plot.left), plot.bottom),
        ],
        c.colour("border_strong"),
    )


def _ticks(plot: Box, range_: Range) -> tuple[list[Tick], list[Tick]]:
    columns = intensity_ticks(range_.x0, range_.x1, length=plot.width, spacing=X_TICK_PX / 2)
    rows = rate_ticks(range_.y0, range_.y1, length=plot.height, spacing=Y_TICK_PX)
    return [one for one in columns if one.major], [one for one in rows if one.major]


def _sharp(pixel: float) -> float:
    """Return the middle of a pixel, where a line of one pixel is sharp."""
    return round(pixel - 0.5) + 0.5


def _paint_roof(c: Canvas, roof: MiniRoof, *, quiet: bool) -> None:
    points = roof_line(
        c.frame.range, log_bytes_per_s=roof.log_bytes_per_s, log_flop_per_s=roof.log_flop_per_s
    )
    pen = c.pen(c.mixed("muted", QUIET), 1.0) if quiet else c.pen(c.colour("text"), 1.7)
    c.polyline([c.frame.point(*point) for point in points], pen)


def _paint_corridor(c: Canvas, corridor: Corridor) -> None:
    run = along_roof(
        corridor.log_tiled,
        corridor.log_compulsory,
        log_bytes_per_s=corridor.log_bytes_per_s,
        log_flop_per_s=corridor.log_flop_per_s,
    )
    points = [c.frame.point(*point) for point in run]
    if math.dist(points[0], points[-1]) >= 4.0:
        c.polyline(points, c.pen(c.slot(corridor.slot, 0.36), BAND))


def _paint_marker(c: Canvas, multiple: Multiple) -> None:
    drawing, plot = multiple.drawing, c.frame.plot
    slot = multiple.cell.row.entry.slot
    marker = drawing.marker
    if marker is not None:
        x, y = c.frame.point(marker.log_x, marker.log_y)
        at = min(max(x, plot.left), plot.right), min(max(y, plot.top), plot.bottom)
        if marker.log_roof is not None and plot.holds(x, y):
            top = c.frame.point(marker.log_x, marker.log_roof)
            c.polyline([at, top], c.pen(c.colour("text2"), 1.0, (1.0, 2.0)))
        outside = at != (x, y)
    else:
        at = (plot.left - 8.0 if drawing.strip else plot.right - 8.0), plot.centre[1]
        outside = False
    square = isinstance(slot, int) and slot >= 8
    colour, canvas = c.slot(slot, 0.4 if outside else 1.0), c.colour("canvas")
    radius = SQUARE if square else MARKER
    if multiple.crossed:
        shape = Shape("square" if square else "circle", radius + RIM / 2, colour, canvas, RIM)
    else:
        shape = Shape("square" if square else "circle", radius - 0.6, canvas, colour, RIM)
    c.stamp(at, shape)
    # The lower right corner lies under every roof.
    words = multiple.reached if multiple.crossed else "not crossed"
    y = plot.bottom - c.text.height("caption") - 3
    role, token = ("canvas_strong", "text") if multiple.crossed else ("caption", "muted")
    c.words((plot.right - c.text.width(words, role) - 3, y), words, role, token)


def _paint_refusal(c: Canvas, reason: str) -> None:
    from rooflinestudio.ui.fonts import font

    plot = c.frame.plot
    c.fill(plot, c.colour("raised"), 4.0)
    c.painter.setFont(font("caption"))
    c.painter.setPen(c.colour("text2"))
    flags = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
    c.painter.drawText(rect_of(plot.grown(-5, -3)), int(flags), reason)


# What stays -----------------------------------------------------------------------------------------------------------


def _paint_edges(c: Canvas, picture: GridPicture) -> None:
    layout, scene, body = picture.layout, picture.scene, picture.layout.body
    width, height = layout.view
    for box in (
        Box(0.0, 0.0, width, body.top),
        Box(0.0, 0.0, body.left, height),
        Box(0.0, body.bottom, width, height),
    ):
        c.fill(box, c.colour("canvas"))
    rows, columns = layout.shape
    c.painter.save()
    c.painter.setClipRect(QRectF(body.left, 0, body.width, height))
    for column in range(columns):
        box = layout.cell_box(0, column, picture.scroll)
        if box.right > body.left and box.left < body.right:
            _paint_head(c, scene.heads[column], box, _head_y(layout))
            if layout.foot_px:
                _paint_x_ticks(c, picture, layout.plot_box(box))
    c.painter.restore()
    c.painter.save()
    c.painter.setClipRect(QRectF(0, body.top, body.left, body.height))
    for row in range(rows):
        box = layout.cell_box(row, 0, picture.scroll)
        if box.bottom > body.top and box.top < body.bottom:
            _paint_stub(c, scene.stubs[row], box, layout.stub)
            _paint_y_ticks(c, picture, layout.plot_box(box))
    c.painter.restore()
    right = body.left - 2
    if layout.foot_px:
        y = layout.foot + (FOOT_PX - c.text.height("axis")) / 2
        c.words(
            (max(2.0, right - c.text.width("FLOP/byte", "axis")), y), "FLOP/byte", "axis", "muted", halo=False
        )
    if any(scene.heads):
        c.words(
            (right - c.text.width("FLOP/s", "axis"), _head_y(layout)), "FLOP/s", "axis", "muted", halo=False
        )


def _head_y(layout: GridLayout) -> float:
    return (layout.head - 14) / 2


def _paint_head(c: Canvas, words: str, box: Box, y: float) -> None:
    shown = c.text.elided(words, "name", box.width - 2 * PAD_PX)
    if shown:
        c.words((box.left + PAD_PX, y), shown, "name", "text", halo=False)


def _paint_stub(c: Canvas, words: tuple[str, ...], box: Box, width: float) -> None:
    y = box.top + 3
    for at, one in enumerate(words):
        role, token = ("name", "text") if at == 0 else ("label", "text2")
        c.words((10.0, y), c.text.elided(one, role, width - 14), role, token, halo=False)
        y += c.text.height(role) + 2


def _paint_x_ticks(c: Canvas, picture: GridPicture, plot: Box) -> None:
    frame = Frame(plot, picture.range)
    y, last = picture.layout.foot + (FOOT_PX - c.text.height("axis")) / 2, -math.inf
    for tick in _ticks(plot, picture.range)[0]:
        half = c.text.width(tick.label, "axis") / 2
        x = frame.x(tick.at)
        if x - half < max(last + 8, plot.left - PAD_PX) or x + half > plot.right + PAD_PX:
            continue
        c.words((x - half, y), tick.label, "axis", "muted", halo=False)
        last = x + half


def _paint_y_ticks(c: Canvas, picture: GridPicture, plot: Box) -> None:
    frame, right = Frame(plot, picture.range), picture.layout.left - 2
    half = c.text.height("axis") / 2
    for tick in _ticks(plot, picture.range)[1]:
        words = tick.label.removesuffix("FLOP/s").strip()
        y = frame.y(tick.at)
        c.words((right - c.text.width(words, "axis"), y - half), words, "axis", "muted", halo=False)

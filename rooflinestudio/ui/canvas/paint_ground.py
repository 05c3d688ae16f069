"""The ground of the picture: strips, grid, axes, roofs, quiet lines and the words that belong to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.canvas.axis import Tick, intensity_ticks, rate_ticks
from rooflinestudio.ui.canvas.context import MACHINE_DASHES
from rooflinestudio.ui.canvas.geometry import clip_line, roof_line

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Box
    from rooflinestudio.ui.canvas.scene import Ceiling, Roof, Slope

__all__ = ["paint_ground", "paint_head", "paint_words"]

QUIET: Final = 0.58
GRID_MAJOR, GRID_MINOR = 0.85, 0.28
MODEL_DASH: Final = (6.0, 3.0)
OTHER_FIGURES_DASH: Final = (5.0, 4.0)


def paint_ground(c: Canvas) -> None:
    """Paint all that lies under the markers."""
    c.painter.fillRect(
        0, 0, round(c.layout.whole.right) + 1, round(c.layout.whole.bottom) + 1, c.colour("canvas")
    )
    strips = [c.layout.strip, *([c.layout.right_strip] if c.layout.right_strip is not None else [])]
    for strip in strips:
        c.fill(strip, c.colour("raised"), 4.0)
    range_, plot = c.frame.range, c.frame.plot
    columns = intensity_ticks(range_.x0, range_.x1, length=plot.width)
    rows = rate_ticks(range_.y0, range_.y1, length=plot.height)
    _grid(c, columns, rows)
    for slope in c.scene.slopes:
        _slope(c, slope)
    for ceiling in c.scene.ceilings:
        _ceiling(c, ceiling)
    for roof in c.scene.roofs:
        _roof(c, roof)
    _axes(c, columns, rows)


def paint_words(c: Canvas) -> None:
    """Paint the words of lines."""
    for label in c.fixed.labels:
        c.words((label.x, label.y), label.text, label.role, label.token, angle=label.angle)


def _grid(c: Canvas, columns: list[Tick], rows: list[Tick]) -> None:
    plot = c.frame.plot
    for major, alpha in ((False, GRID_MINOR), (True, GRID_MAJOR)):
        lines = [
            (_sharp(c.frame.x(t.at)), plot.top, _sharp(c.frame.x(t.at)), plot.bottom)
            for t in columns
            if t.major is major
        ]
        lines += [
            (plot.left, _sharp(c.frame.y(t.at)), plot.right, _sharp(c.frame.y(t.at)))
            for t in rows
            if t.major is major
        ]
        c.hairlines(lines, c.mixed("border", alpha))


def _sharp(pixel: float) -> float:
    """Return the middle of a pixel, where a line of one pixel is sharp."""
    return round(pixel - 0.5) + 0.5


def _axes(c: Canvas, columns: list[Tick], rows: list[Tick]) -> None:
    plot, whole = c.frame.plot, c.layout.whole
    right = c.layout.right_strip.right if c.layout.right_strip is not None else plot.right
    bottom = _sharp(plot.bottom)
    c.hairlines([(c.layout.strip.left - 4, bottom, right, bottom)], c.colour("border_strong"))
    height = c.text.height("axis")
    for tick in rows:
        y = c.frame.y(tick.at) - height / 2
        if tick.label and y + height < whole.bottom - 24:
            x = c.layout.strip.left - 8 - c.text.width(tick.label, "axis")
            c.words((x, y), tick.label, "axis", "muted", halo=False)
    for tick in columns:
        width = c.text.width(tick.label, "axis")
        x = c.frame.x(tick.at) - width / 2
        if tick.label and x + width < whole.right - 2:
            c.words((x, plot.bottom + 5), tick.label, "axis", "muted", halo=False)
    title_x = (plot.left + plot.right - c.text.width(c.scene.x_title, "axis")) / 2
    c.words((title_x, plot.bottom + 23), c.scene.x_title, "axis", "text2", halo=False)


def _slope(c: Canvas, slope: Slope) -> None:
    frame = c.frame
    points = roof_line(
        frame.range, log_bytes_per_s=slope.log_bytes_per_s, log_flop_per_s=slope.log_flop_per_s
    )
    dash = MODEL_DASH if slope.modelled else ()
    pen = c.pen(c.colour("text"), 1.6, dash) if slope.own else c.pen(c.mixed("muted", QUIET), 1.0, dash)
    c.polyline([frame.point(*point) for point in points[:2]], pen)
    corner = frame.point(slope.log_ridge, slope.log_flop_per_s)
    if frame.plot.holds(*corner):
        c.circle(corner, 2.6, fill=c.colour("canvas"), pen=c.pen(c.colour("muted"), 1.0))


def _ceiling(c: Canvas, ceiling: Ceiling) -> None:
    frame = c.frame
    y = frame.y(ceiling.log_flop_per_s)
    line = clip_line((frame.x(ceiling.log_from), y), (frame.plot.right, y), frame.plot)
    if line is None or ceiling.log_from >= frame.range.x1:
        return
    strong = c.scene.strong_roof
    if strong is not None and ceiling.log_flop_per_s > strong.log_flop_per_s:
        # The slope goes on above the strong roof, as far as this pipe can use it.
        start, end = (
            frame.point(strong.log_ridge, strong.log_flop_per_s),
            frame.point(ceiling.log_from, ceiling.log_flop_per_s),
        )
        c.polyline([start, end], _ceiling_pen(c, ceiling))
    c.polyline(line, _ceiling_pen(c, ceiling))


def _ceiling_pen(c: Canvas, ceiling: Ceiling):
    if ceiling.own:
        return c.pen(c.colour("text"), 1.6)
    return c.pen(c.mixed("muted", QUIET), 1.0)


def _roof(c: Canvas, roof: Roof) -> None:
    frame = c.frame
    if roof.strong:
        pen = c.pen(c.colour("text"), 2.4)
    elif roof.other_figures:
        pen = c.pen(c.colour("text"), 1.2, OTHER_FIGURES_DASH)
    else:
        pen = c.pen(c.colour("text2"), 1.6, MACHINE_DASHES[(roof.order - 1) % len(MACHINE_DASHES)])
    points = roof_line(frame.range, log_bytes_per_s=roof.log_bytes_per_s, log_flop_per_s=roof.log_flop_per_s)
    c.polyline([frame.point(*point) for point in points], pen)
    _ridge(c, roof)


def _ridge(c: Canvas, roof: Roof) -> None:
    frame = c.frame
    x, y = frame.point(roof.log_ridge, roof.log_flop_per_s)
    if not frame.plot.left <= x <= frame.plot.right:
        return
    token, alpha = ("text", 0.9) if roof.strong else ("muted", 0.8)
    c.dotted_column(
        x, min(max(y, frame.plot.top), frame.plot.bottom), frame.plot.bottom, c.mixed(token, alpha)
    )
    if not frame.plot.holds(x, y):
        return
    if roof.strong:
        c.polygon([(x - 4.5, y + 4.0), (x + 4.5, y + 4.0), (x, y - 4.0)], fill=c.colour("text"))
    else:
        c.circle((x, y), 2.6, fill=c.colour("canvas"), pen=c.pen(c.colour("text2"), 1.0))


def paint_head(c: Canvas, title: str) -> None:
    """Paint title and model line above the plot; files have them in the picture."""
    if c.layout.head is None:
        return
    head: Box = c.layout.head
    middle = head.top + head.height / 2 + 2
    x = c.layout.strip.left - 72
    c.words((x, middle - c.text.height("canvas_title") / 2), title, "canvas_title", "text", halo=False)
    x += c.text.width(title, "canvas_title") + 16
    for words in c.scene.model_line:
        c.words((x, middle - c.text.height("label") / 2), words, "label", "text2", halo=False)
        x += c.text.width(words, "label") + 14

"""The probe as it is drawn, and the one function that draws it: on the screen and in files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.probe import Probe, distance_words
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.canvas.coordinates import Box, log10
from rooflinestudio.ui.canvas.geometry import roof_line

if TYPE_CHECKING:
    from rooflinestudio.core.probe import ProbeReading
    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.scene import Roof

__all__ = ["ProbeDrawing", "drawing_of", "grip_box", "paint_probe", "percent"]

DOT, OTHER_DOT = 6.0, 4.0
GRIP_HEIGHT, GRIP_PADDING = 19.0, 8.0
_SAME: Final = 1e-9
_LINE_GAP: Final = 2.0


@dataclass(frozen=True, slots=True)
class ProbeDrawing:
    """Where the probe stands, in log10 data coordinates, and its words.

    Attributes
    ----------
    lines
        What a file tells beside the dot; the screen has the card for it.
    own_roof
        Log10 of slope and ceiling that the dot runs along where the scene does not draw them as one roof; else None.
    others
        Heights of the dots on the other machines' roofs.
    """

    log_x: float
    log_y: float
    words: str
    lines: tuple[str, ...]
    own_roof: tuple[float, float] | None
    others: tuple[float, ...]


def percent(share: float) -> str:
    """Return a share in percent, three digits: ``33.9%``."""
    return f"{format_number(100.0 * share)}%"


def drawing_of(reading: ProbeReading, strong: Roof | None) -> ProbeDrawing:
    """Return what is drawn of a reading in a scene with a strong roof."""
    main = reading.main
    roof = (log10(main.bytes_per_s), log10(main.ceiling_flop_per_s))
    drawn = (strong.log_bytes_per_s, strong.log_flop_per_s) if strong is not None else None
    same = drawn is not None and all(abs(a - b) < _SAME for a, b in zip(roof, drawn, strict=True))
    rate = format_quantity(main.attainable_flop_per_s, "FLOP/s")
    return ProbeDrawing(
        log10(main.intensity),
        log10(main.attainable_flop_per_s),
        format_quantity(main.intensity, "FLOP/B"),
        (
            f"{rate}, {percent(main.fraction_of_peak)} of {main.ceiling}",
            f"{main.bound} at {main.binding}, {distance_words(main.ridge_ratio)}",
            f"1 TFLOP in {format_quantity(main.tera_time_s, 's')}",
        ),
        None if same else roof,
        tuple(log10(one.attainable_flop_per_s) for one in reading.others if isinstance(one, Probe)),
    )


def grip_box(frame: Frame, drawing: ProbeDrawing, width: float) -> Box:
    """Return the handle at the top of the line, for words of a width; it stays inside the plot."""
    plot, half = frame.plot, width / 2 + GRIP_PADDING
    x = min(max(frame.x(drawing.log_x), plot.left + half), plot.right - half)
    return Box(x - half, plot.top + 2.0, x + half, plot.top + 2.0 + GRIP_HEIGHT)


def paint_probe(c: Canvas, drawing: ProbeDrawing, *, held: bool = False) -> None:
    """Draw line, dots and handle; ``held`` marks that the keyboard moves it."""
    frame = c.frame
    if drawing.own_roof is not None:
        line = roof_line(frame.range, log_bytes_per_s=drawing.own_roof[0], log_flop_per_s=drawing.own_roof[1])
        c.polyline([frame.point(*point) for point in line], c.pen(c.colour("accent"), 1.6))
    x, y = frame.point(drawing.log_x, drawing.log_y)
    if frame.plot.left <= x <= frame.plot.right:
        pen = c.pen(c.colour("accent"), 1.6 if held else 1.0)
        c.polyline([(x, frame.plot.top), (x, frame.plot.bottom)], pen)
        for log_y in drawing.others:
            _dot(c, (x, frame.y(log_y)), OTHER_DOT)
        _dot(c, (x, y), DOT)
        if c.vector:
            _lines(c, drawing.lines, (x, y))
    _grip(c, drawing, held=held)


def _dot(c: Canvas, at: tuple[float, float], radius: float) -> None:
    if c.frame.plot.grown(1.0).holds(*at):
        c.circle(at, radius, fill=c.colour("canvas"), pen=c.pen(c.colour("accent"), 2.2))


def _grip(c: Canvas, drawing: ProbeDrawing, *, held: bool) -> None:
    box = grip_box(c.frame, drawing, c.text.width(drawing.words, "caption"))
    # A frame around the soft ground: on the dark canvas the ground alone is hardly seen.
    c.fill(box.grown(1.6 if held else 1.0), c.colour("accent"), 5.0)
    c.fill(box, c.colour("accent_soft"), 4.0)
    at = (box.left + GRIP_PADDING, (box.top + box.bottom - c.text.height("caption")) / 2)
    c.words(at, drawing.words, "caption", "accent_text", halo=False)


def _lines(c: Canvas, lines: tuple[str, ...], at: tuple[float, float]) -> None:
    """Write the figures below the dot, to its right if there is room."""
    plot, height = c.frame.plot, c.text.height("label") + _LINE_GAP
    width = max(c.text.width(line, "label") for line in lines)
    left = at[0] + 12.0 if at[0] + 12.0 + width <= plot.right else at[0] - 12.0 - width
    top = max(plot.top + GRIP_HEIGHT + 6.0, min(at[1] + 8.0, plot.bottom - height * len(lines) - 4.0))
    for number, line in enumerate(lines):
        c.words((left, top + number * height), line, "label", "text")

"""One kernel at every boundary in one picture: a slope for each, filled markers where its data crosses, hollow else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.canvas.axis import intensity_ticks, rate_ticks
from rooflinestudio.ui.canvas.context import Canvas
from rooflinestudio.ui.canvas.coordinates import Box, Frame, Range, has_log10, log10
from rooflinestudio.ui.canvas.geometry import roof_line
from rooflinestudio.ui.canvas.pointing import tip_html
from rooflinestudio.ui.canvas.scene_roofs import extended, home_range
from rooflinestudio.ui.canvas.stamps import Shape
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.icons import worn_theme

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from rooflinestudio.core.grid.verdicts import BoundaryVerdict
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["VerdictPicture"]

_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 14.0, 18.0, 20.0
_RADIUS, _RIM = 5.6, 1.8
_NO_PLACE: Final = "no FLOPs: no place on these axes"
_NEAR_PX: Final = 12.0
_ROOMY_PX: Final = 180.0
_ON_CEILING: Final = 0.95
_ABOVE: Final = ((0, -22, -0.5), (0, 9, -0.2))
"""Where the label of a marker on the ceiling stands first, so that the line does not run through it."""
_PLACES: Final = (
    (10, -7, 0), (-10, -7, -1), (0, -22, -0.5), (0, 8, -0.5), (9, 6, 0), (-9, -22, -1), (-9, 6, -1), (9, -22, 0),
)  # fmt: skip
"""Where a label may stand: offset from the marker in pixels, and how much of its width lies left of that."""


class VerdictPicture(QWidget):
    """Paints the verdicts of one row.

    Signals
    -------
    boundaryChosen
        The boundary whose marker the user clicked.
    """

    boundaryChosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("grid.verdict_picture")
        self.setMinimumSize(200, 100)
        self.setMouseTracking(True)
        self.setAccessibleName("One kernel at every boundary")
        self._text = Text()
        self._row: PlacedRow | None = None
        self._verdicts: tuple[BoundaryVerdict, ...] = ()
        self._range = Range(-1.0, 4.0, 11.0, 15.4)
        self._chosen = ""

    def set_verdicts(self, row: PlacedRow | None, verdicts: tuple[BoundaryVerdict, ...]) -> None:
        """Show the verdicts of a row."""
        self._row, self._verdicts = row, verdicts
        points = [point for one in verdicts if (point := _point(one)) is not None]
        if row is not None and row.profile is not None:
            ranges = [home_range([row.profile], one.boundary) for one in verdicts if one.crosses]
            home = ranges[0] if ranges else home_range([row.profile], "dram")
            low = min([home.y0, *(one.y0 for one in ranges)])
            self._range = extended(Range(home.x0, home.x1, low, home.y1), points)
        said = [f"{one.label}: {one.verdict}" for one in verdicts]
        self.setAccessibleDescription(" ".join(said))
        self.update()

    def set_chosen(self, boundary: str) -> None:
        """Mark a boundary."""
        if boundary != self._chosen:
            self._chosen = boundary
            self.update()

    @property
    def frame_of_data(self) -> Frame:
        """Where the data lies in pixels."""
        right, bottom = self.width() - _RIGHT, self.height() - _BOTTOM
        return Frame(Box(_LEFT, _TOP, max(_LEFT + 40, right), max(_TOP + 40, bottom)), self._range)

    def place_of(self, boundary: str) -> tuple[float, float]:
        """Return the pixel of a boundary's marker."""
        one = next(one for one in self._verdicts if one.boundary == boundary)
        point = _point(one)
        assert point is not None, f"{boundary} has no place on the axes"
        return self.frame_of_data.point(*point)

    # Events

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        c = Canvas(painter, None, None, self.frame_of_data, worn_theme(), self._text, None)  # type: ignore[arg-type]
        c.fill(Box(0.0, 0.0, self.width(), self.height()), c.colour("canvas"))
        _paint_ground(c)
        if self._row is not None and self._row.placement is not None:
            ceiling = log10(self._row.placement.ceiling_flop_per_s)
            for one in sorted(self._verdicts, key=lambda one: (one.is_binding, one.crosses)):
                _paint_slope(c, one, ceiling, self._row)
            self._paint_markers(c, self._row.entry.slot)
            if not any(_point(one) is not None for one in self._verdicts):
                at = c.frame.plot.right - c.text.width(_NO_PLACE, "caption") - 6, c.frame.plot.centre[1]
                c.words(at, _NO_PLACE, "caption", "muted")
        painter.end()

    def _paint_markers(self, c: Canvas, slot: int | str) -> None:
        canvas, colour = c.colour("canvas"), c.slot(slot)
        places = []
        for one in self._verdicts:
            point = _point(one)
            if point is None:
                continue
            at = c.frame.point(*point)
            places.append((one, at))
            if one.boundary == self._chosen:
                c.circle(at, 10.0, pen=c.pen(c.colour("accent"), 1.6))
            shape = (
                Shape("circle", _RADIUS + _RIM / 2, colour, canvas, _RIM)
                if one.crosses
                else Shape("circle", _RADIUS - 0.6, canvas, colour, _RIM)
            )
            c.stamp(at, shape)
        _paint_labels(c, places)

    def _near(self, x: float, y: float) -> BoundaryVerdict | None:
        best, least = None, _NEAR_PX
        for one in self._verdicts:
            point = _point(one)
            if point is None:
                continue
            px, py = self.frame_of_data.point(*point)
            distance = max(abs(px - x), abs(py - y))
            if distance <= least:
                best, least = one, distance
        return best

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = self._near(event.position().x(), event.position().y())
        self.setCursor(Qt.CursorShape.PointingHandCursor if near is not None else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        near = self._near(event.position().x(), event.position().y())
        if near is not None and event.button() == Qt.MouseButton.LeftButton:
            self.boundaryChosen.emit(near.boundary)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            near = self._near(event.pos().x(), event.pos().y())
            if near is None:
                QToolTip.hideText()
            else:
                area = QRect(event.pos().x() - 8, event.pos().y() - 8, 17, 17)
                QToolTip.showText(event.globalPos(), tip_html(_tip(near)), self, area)
            return True
        return super().event(event)


def _tip(one: BoundaryVerdict) -> tuple[str, ...]:
    return (
        f"at {one.label}",
        f"I {format_number(one.intensity)} FLOP/byte, ridge {format_number(one.ridge)}",
        f"the roof there: {format_quantity(one.allowed_flop_per_s, 'FLOP/s')}",
        one.verdict,
    )


def _point(one: BoundaryVerdict) -> tuple[float, float] | None:
    if not (has_log10(one.intensity) and has_log10(one.allowed_flop_per_s)):
        return None
    return log10(one.intensity), log10(one.allowed_flop_per_s)


def _paint_ground(c: Canvas) -> None:
    plot, range_ = c.frame.plot, c.frame.range
    columns = [
        one for one in intensity_ticks(range_.x0, range_.x1, length=plot.width, spacing=46.0) if one.major
    ]
    rows = [one for one in rate_ticks(range_.y0, range_.y1, length=plot.height, spacing=30.0) if one.major]
    lines = [
        (round(c.frame.x(t.at)) + 0.5, plot.top, round(c.frame.x(t.at)) + 0.5, plot.bottom) for t in columns
    ]
    lines += [
        (plot.left, round(c.frame.y(t.at)) + 0.5, plot.right, round(c.frame.y(t.at)) + 0.5) for t in rows
    ]
    c.hairlines(lines, c.mixed("border", 0.6))
    c.hairlines([(plot.left, plot.bottom, plot.right, plot.bottom)], c.colour("border_strong"))
    height = c.text.height("axis")
    for tick in rows:
        words = tick.label.removesuffix("FLOP/s").strip()
        x = plot.left - 5 - c.text.width(words, "axis")
        if c.frame.y(tick.at) > plot.top + height / 2:  # the unit stands at the top
            c.words((x, c.frame.y(tick.at) - height / 2), words, "axis", "muted", halo=False)
    c.words((plot.left - 5 - c.text.width("FLOP/s", "axis"), 2.0), "FLOP/s", "axis", "muted", halo=False)
    if plot.height > _ROOMY_PX:
        title = "intensity, FLOP/byte"
        at = plot.right - c.text.width(title, "axis") - 4, plot.bottom - height - 4
        c.words(at, title, "axis", "muted")
    for tick in columns:
        width = c.text.width(tick.label, "axis")
        if c.frame.x(tick.at) + width / 2 > plot.right + _RIGHT:
            continue
        c.words((c.frame.x(tick.at) - width / 2, plot.bottom + 4), tick.label, "axis", "muted", halo=False)


def _paint_slope(c: Canvas, one: BoundaryVerdict, ceiling: float, row: PlacedRow) -> None:
    assert row.profile is not None
    slope = log10(row.profile.boundaries[one.boundary].bytes_per_s)
    points = [
        c.frame.point(*point)
        for point in roof_line(c.frame.range, log_bytes_per_s=slope, log_flop_per_s=ceiling)
    ]
    if one.is_binding:
        pen = c.pen(c.colour("text"), 2.0)
    elif one.crosses:
        pen = c.pen(c.colour("text2"), 1.2)
    else:
        pen = c.pen(c.mixed("muted", 0.55), 1.0, (4.0, 3.0))
    c.polyline(points, pen)


def _paint_labels(c: Canvas, places: list[tuple[BoundaryVerdict, tuple[float, float]]]) -> None:
    """Write the boundary beside each marker, where there is room; what finds none keeps its tool tip."""
    taken = [Box(x - 8, y - 8, x + 8, y + 8) for _, (x, y) in places]
    height = c.text.height("placement_detail")
    for one, (x, y) in sorted(places, key=lambda pair: (not pair[0].is_binding, not pair[0].crosses)):
        role = "canvas_strong" if one.is_binding else "placement_detail"
        width = c.text.width(one.label, role)
        for dx, dy, share in _ABOVE + _PLACES if one.fraction > _ON_CEILING else _PLACES:
            left, top = x + dx + share * width, y + dy
            box = Box(left, top, left + width, top + height)
            if box.inside(c.frame.plot.grown(4)) and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                c.words((left, top), one.label, role, "text" if one.crosses else "muted")
                break

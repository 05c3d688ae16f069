"""The labels of markers, with their leaders, and the preview of an operator that is being dragged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rooflinestudio.ui.canvas.paint_marks import CIRCLE, RIM
from rooflinestudio.ui.canvas.wanted import LINE_GAP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.labels import PlacedLabel
    from rooflinestudio.ui.canvas.scene import PreviewMarker
    from rooflinestudio.ui.canvas.wanted import LabelText

__all__ = ["paint_labels", "paint_leaders", "paint_preview"]


def paint_leaders(c: Canvas, texts: Sequence[LabelText]) -> None:
    """Paint the lines from markers to labels that stand off; they go under the markers."""
    for text in texts:
        placed = c.labels.get(text.key)
        if placed is None or not placed.leader or _is_waiting(c, text):
            continue
        x, y = c.frame.point(*text.anchor)
        if c.frame.plot.grown(2).holds(x, y):
            c.polyline(
                [(x, y), placed.leader_end(x, y)], c.pen(c.slot(text.slot, 0.75), 1.0), clip=c.layout.whole
            )


def paint_labels(c: Canvas, texts: Sequence[LabelText]) -> None:
    """Paint the words of all labels that have a place and whose marker is in the plot."""
    for text in texts:
        placed = c.labels.get(text.key)
        if placed is not None and not _is_waiting(c, text):
            x, y = c.frame.point(*text.anchor)
            if c.frame.plot.grown(2).holds(x, y):
                _label(c, text, placed, (x, y))


def _is_waiting(c: Canvas, text: LabelText) -> bool:
    """Tell whether a label is seen only while something is hovered that is not."""
    return text.shown_for is not None and text.shown_for != c.highlight.hovered


def _label(c: Canvas, text: LabelText, placed: PlacedLabel, at: tuple[float, float]) -> None:
    box = placed.box(*at)
    y = box.top
    for words, role, token in text.lines[:1] if placed.is_short else text.lines:
        width = c.text.width(words, role)
        spare = box.width - width
        x = box.left + {"left": 0.0, "centre": spare / 2, "right": spare}[placed.align]
        c.words((x, y), words, role, token)
        y += c.text.height(role) + LINE_GAP


def paint_preview(c: Canvas, preview: PreviewMarker) -> None:
    """Paint an operator that is being dragged where it would land: a dashed marker with its words."""
    plot = c.frame.plot
    name, detail = preview.name, preview.detail
    width = max(c.text.width(name, "placement"), c.text.width(detail, "placement_detail"))
    height = c.text.height("placement") + c.text.height("placement_detail") + LINE_GAP
    if preview.log_x is None or preview.log_y is None:
        x, y = c.layout.strip.right + 16.0, c.layout.strip.top + 12.0
    else:
        at = c.frame.point(preview.log_x, preview.log_y)
        at = min(max(at[0], plot.left), plot.right), min(max(at[1], plot.top), plot.bottom)
        ring = c.pen(c.slot(preview.slot), 1.8, (2.0, 1.5))
        c.circle(at, CIRCLE + RIM, fill=c.slot(preview.slot, 0.35), pen=ring)
        c.polyline([(at[0], at[1]), (at[0], plot.bottom)], c.pen(c.slot(preview.slot, 0.75), 1.0, (1.0, 3.0)))
        x = at[0] + 16 if at[0] + 16 + width < plot.right else at[0] - 16 - width
        y = max(
            plot.top, math.floor(at[1] + 12 if at[1] + 12 + height < plot.bottom else at[1] - 12 - height)
        )
    c.words((x, y), name, "placement", "text")
    c.words((x, y + c.text.height("placement") + LINE_GAP), detail, "placement_detail", "text2")

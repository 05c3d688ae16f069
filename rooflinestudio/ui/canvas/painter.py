"""The one function that draws the roofline: the screen, PNG, SVG and PDF all call it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

from rooflinestudio.ui.canvas.context import Canvas, Highlight
from rooflinestudio.ui.canvas.corner_key import corner_key_boxes, paint_corner_key
from rooflinestudio.ui.canvas.fixed_labels import FixedLabels, fixed_labels, floor_label
from rooflinestudio.ui.canvas.labels import Field, PlacedLabel, Wanted, place_labels
from rooflinestudio.ui.canvas.layout import Layout, layout_of
from rooflinestudio.ui.canvas.paint_ground import paint_ground, paint_head, paint_words
from rooflinestudio.ui.canvas.paint_labels import paint_labels, paint_leaders, paint_preview
from rooflinestudio.ui.canvas.paint_marks import paint_floor, paint_marks
from rooflinestudio.ui.canvas.paint_overlay import paint_overlays
from rooflinestudio.ui.canvas.paint_strip import paint_strips
from rooflinestudio.ui.canvas.probe_drawing import paint_probe
from rooflinestudio.ui.canvas.wanted import (
    LabelText,
    end_bars,
    label_texts,
    marker_boxes,
    obstacles,
    wanted_labels,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from rooflinestudio.ui.canvas.coordinates import Frame, Range
    from rooflinestudio.ui.canvas.scene import Scene
    from rooflinestudio.ui.canvas.text import Text
    from rooflinestudio.ui.theme import Theme

__all__ = [
    "Picture",
    "canvas_of",
    "label_task",
    "laid_out",
    "paint",
    "paint_ground_layer",
    "paint_marks_layer",
    "prepare",
    "with_scene",
]


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene laid out for one size and range: everything that the painter needs besides a painter and a theme.

    ``fixed`` are the words of roofs and slopes, ``floor`` those of the launch floor, ``texts`` the labels that markers
    want, ``labels`` the places that they have.
    """

    scene: Scene
    layout: Layout
    range: Range
    fixed: FixedLabels
    floor: FixedLabels
    texts: tuple[LabelText, ...]
    labels: Mapping[Hashable, PlacedLabel]

    @property
    def frame(self) -> Frame:
        return self.layout.frame(self.range)


def prepare(
    scene: Scene, size: tuple[float, float], range_: Range, text: Text, *, with_head: bool = False
) -> Picture:
    """Lay a scene out, with all labels placed, for a canvas of ``size`` pixels."""
    layout = layout_of(*size, scene, text, with_head=with_head)
    picture = laid_out(scene, layout, range_, text, avoid_markers=True)
    return replace(picture, labels=place_labels(*label_task(picture, text)))


def laid_out(
    scene: Scene, layout: Layout, range_: Range, text: Text, *, avoid_markers: bool = False
) -> Picture:
    """Lay a scene out without places for labels.

    Parameters
    ----------
    avoid_markers
        Whether words of lines keep clear of markers. Not while these move: the words would hop.
    """
    frame = layout.frame(range_)
    avoided = corner_key_boxes(scene, frame, text)
    if avoid_markers:
        avoided += [*marker_boxes(scene, frame), *end_bars(scene, frame)]
    fixed = fixed_labels(scene, frame, text, avoided=avoided)
    floor = floor_label(scene, frame, text, fixed)
    return Picture(scene, layout, range_, fixed, floor, _texts(scene, layout, frame, text), {})


def with_scene(picture: Picture, scene: Scene, text: Text) -> Picture:
    """Return a picture with another scene whose lines are the same: words stay, labels keep their places."""
    floor = picture.floor
    if scene.floor != picture.scene.floor:
        floor = floor_label(scene, picture.frame, text, picture.fixed)
    return replace(
        picture, scene=scene, floor=floor, texts=_texts(scene, picture.layout, picture.frame, text)
    )


def _texts(scene: Scene, layout: Layout, frame: Frame, text: Text) -> tuple[LabelText, ...]:
    return tuple(label_texts(scene, text, frame, compact=layout.is_compact))


def label_task(picture: Picture, text: Text) -> tuple[list[Wanted], Field]:
    """Return what :func:`place_labels` needs: the wanted labels and what is in their way."""
    frame = picture.frame
    taken = [*picture.fixed.boxes, *picture.floor.boxes, *corner_key_boxes(picture.scene, frame, text)]
    return wanted_labels(list(picture.texts), frame, text), obstacles(picture.scene, frame, taken)


def paint(
    painter: QPainter,
    picture: Picture,
    theme: Theme,
    text: Text,
    *,
    highlight: Highlight | None = None,
    vector: bool = False,
) -> None:
    """Draw a picture in logical pixels of 1/96 inch, from (0, 0); the caller scales the painter.

    Parameters
    ----------
    highlight
        Hover, focus and drag preview; screens only.
    vector
        For files: text stays text, every line is smooth.
    """
    canvas = canvas_of(painter, picture, theme, text, highlight=highlight, vector=vector)
    paint_ground_layer(canvas)
    paint_marks_layer(canvas, picture)


def canvas_of(
    painter: QPainter,
    picture: Picture,
    theme: Theme,
    text: Text,
    *,
    highlight: Highlight | None = None,
    vector: bool = False,
) -> Canvas:
    """Return the tools for drawing one picture."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    return Canvas(
        painter,
        picture.scene,
        picture.layout,
        picture.frame,
        theme,
        text,
        picture.fixed,
        picture.labels,
        highlight or Highlight(),
        vector,
    )


def paint_ground_layer(canvas: Canvas) -> None:
    """Draw what only changes with machines, view and theme; the screen keeps it as one picture."""
    paint_ground(canvas)
    paint_overlays(canvas)
    paint_words(canvas)
    paint_head(canvas, canvas.scene.title)


def paint_marks_layer(canvas: Canvas, picture: Picture) -> None:
    """Draw what changes with the study: floor, corridors, markers, labels, strips."""
    if canvas.scene.floor is not None:
        paint_floor(canvas, canvas.scene.floor, picture.floor)
    paint_strips(canvas)
    paint_corner_key(canvas)
    paint_leaders(canvas, picture.texts)
    paint_marks(canvas)
    paint_labels(canvas, picture.texts)
    if canvas.highlight.preview is not None:
        paint_preview(canvas, canvas.highlight.preview)
    if canvas.scene.probe is not None:
        paint_probe(canvas, canvas.scene.probe)

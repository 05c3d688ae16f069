"""Which labels a scene wants, in the order in which they get their places, and what stands in their way."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.variant_ratios import short_name
from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.geometry import along_roof, clip_line, clip_polyline, roof_line
from rooflinestudio.ui.canvas.label_text import LONGEST_COMPACT, ON_ARROW, LabelText
from rooflinestudio.ui.canvas.labels import Field, Line, Wanted
from rooflinestudio.ui.canvas.paint_arrows import arrow_middle, arrow_run, is_crowded, labelled_arrows
from rooflinestudio.ui.canvas.paint_radii import (
    CIRCLE,
    DIAMOND,
    ELSEWHERE,
    RIM,
    RING,
    SATELLITE,
    box_radius,
    ring_radius,
)
from rooflinestudio.ui.canvas.paint_series import series_run, shown_series
from rooflinestudio.ui.canvas.series_labels import series_labels

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.scene import Corridor, Key, Marker, Scene
    from rooflinestudio.ui.canvas.text import Text

__all__ = ["LabelText", "end_bars", "label_texts", "marker_boxes", "obstacles", "wanted_labels"]

LONGEST: Final = 230.0
SELECTED_ROOF, OTHER_ROOF, QUIET_LINE = 24.0, 4.0, 2.2
LINE_GAP: Final = 1.0
CORRIDOR: Final = 6.0
END_BAR: Final = 9.0
PARTS_NAMED, NAMES_TOLD, PAIRS_TOLD = 5, 3, 3


def label_texts(scene: Scene, text: Text, frame: Frame, *, compact: bool) -> list[LabelText]:
    """Return all labels that a scene wants, the most important ones first.

    Parameters
    ----------
    frame
        Arrows are bowed in pixels; their labels stand at the middle of that way.
    compact
        Second lines only for the selected one, ratios alone, nothing on other machines, corridor ends only while it
        is hovered.
    """
    markers = [one for one in scene.markers if one.machine in ("", scene.machine)]
    selected = [one for one in scene.markers if scene.is_selected(one)]
    paired = {segment.key for segment in scene.segments}
    paired |= {
        arrow.base for arrow in shown_series(scene)
    }  # the arrow's other end is called by the same name
    rest = [one for one in markers if not scene.is_selected(one) and one.key not in paired]
    elsewhere = [
        one
        for one in scene.markers
        if one.key == scene.selected and one not in selected and one not in markers
    ]
    names = _names_below_baselines(scene)
    labels = [
        _marker_label(one, text, names, compact=compact, selected=True)
        for one in (*selected, *(one for one in scene.parts if scene.is_selected(one)))
        if one.key not in paired
    ]
    labels += [_marker_label(one, text, names, compact=compact) for one in rest]
    labels += _ratio_labels(scene, compact=compact)
    labels += _arrow_labels(scene, frame, compact=compact)
    labels += series_labels(scene, text, frame, compact=compact)
    labels += [_satellite_label(one, compact=compact) for one in scene.satellites]
    machines = {roof.machine: roof.name for roof in scene.roofs}
    if compact:
        elsewhere = []
    labels += [_elsewhere_label(one, machines.get(one.machine, one.machine)) for one in elsewhere]
    for corridor in scene.corridors:
        if scene.is_selected(corridor):
            labels += _end_labels(corridor, compact=compact)
    if not compact:
        labels += _part_labels(scene)
    return labels


def _names_below_baselines(scene: Scene) -> dict[Key, str]:
    """Return short names of variants that an arrow joins to their baseline: its name is not said again."""
    if not scene.arrows:
        return {}
    names = {one.key: one.name for one in scene.markers}
    return {arrow.key: short_name(names[arrow.key], names[arrow.base]) for arrow in scene.arrows}


def _marker_label(
    marker: Marker, text: Text, names: Mapping[Key, str], *, compact: bool, selected: bool = False
) -> LabelText:
    longest = LONGEST_COMPACT if compact else LONGEST
    role, token = ("placement", "text") if not marker.kernel else ("label", "text")
    name = text.elided(names.get(marker.key, marker.name), role, longest, middle=marker.kernel)
    lines: tuple[tuple[str, str, str], ...] = ((name, role, token),)
    if marker.detail and (selected or not compact):
        lines += ((marker.detail, "placement_detail", "text2"),)
    radius = ring_radius(marker) + 1 if selected else _radius(marker)
    return LabelText(
        ("marker", marker.key, marker.machine),
        (marker.log_x, marker.log_y),
        lines,
        radius,
        marker.slot,
        selected,
    )


def _radius(marker: Marker) -> float:
    if marker.style == "measured":
        return (DIAMOND if marker.radius is None else marker.radius) + RIM
    return CIRCLE + RIM


def _ratio_labels(scene: Scene, *, compact: bool) -> Iterator[LabelText]:
    """Yield the ratio of times of each pair; of the selected one also those of traffic and headroom.

    Of an entry with many kernels only the selected one says so much.
    """
    chosen = [one for one in scene.segments if scene.is_selected_pair(one)]
    told = {one.key for one in chosen if len(chosen) <= PAIRS_TOLD or one.key == scene.selected}
    for segment in sorted(scene.segments, key=lambda one: one.key != scene.selected):
        is_chosen = segment.key == scene.selected
        radius = RING + 1 if is_chosen else DIAMOND + RIM
        if segment.key in told and segment.lines and not compact:
            first, *others = segment.lines
            lines = ((first, "label", "text2"), *((one, "placement_detail", "text2") for one in others))
        else:
            lines = ((segment.short_label if compact else segment.label, "label", "text2"),)
        yield LabelText(("ratio", segment.key), segment.end, lines, radius, segment.slot, is_chosen)


def _arrow_labels(scene: Scene, frame: Frame, *, compact: bool) -> Iterator[LabelText]:
    for arrow in labelled_arrows(scene):
        if arrow_run(scene, frame, arrow) is None:
            continue
        words = ((arrow.short_label if compact else arrow.label, "label", "text2"),)
        yield LabelText(
            ("variant", arrow.key, arrow.machine), arrow_middle(frame, arrow), words, ON_ARROW, arrow.slot,
            arrow.touches(scene.selected),
        )  # fmt: skip


def _part_labels(scene: Scene) -> Iterator[LabelText]:
    """Yield the names of the slowest parts, one label for a place; the others say theirs when pointed at."""
    if isinstance(scene.selected, tuple):
        return  # one part is told of in full
    places: dict[tuple[float, float], list[Marker]] = {}
    for part in scene.parts:
        places.setdefault((round(part.log_x, 2), round(part.log_y, 2)), []).append(part)
    for parts in list(places.values())[:PARTS_NAMED]:
        first, names = parts[0], list(dict.fromkeys(one.name for one in parts))
        words = " · ".join(names[:NAMES_TOLD]) + (" …" if len(names) > NAMES_TOLD else "")
        yield LabelText(
            ("part", first.key, first.machine), (first.log_x, first.log_y), ((words, "placement_detail", "text2"),),
            SATELLITE + RIM, first.slot,
        )  # fmt: skip


def _satellite_label(marker: Marker, *, compact: bool) -> LabelText:
    name = marker.name
    if compact and ", " in name:
        name = f"{name.split(':')[0]}: {name.split(', ')[-1]}"
    return LabelText(
        ("at", marker.key, marker.detail), (marker.log_x, marker.log_y), ((name, "placement_detail", "text2"),),
        SATELLITE + RIM, marker.slot,
    )  # fmt: skip


def _elsewhere_label(marker: Marker, machine: str) -> LabelText:
    lines = ((f"on {machine}: {marker.detail}", "placement_detail", "text2"),)
    return LabelText(
        ("marker", marker.key, marker.machine),
        (marker.log_x, marker.log_y),
        lines,
        ELSEWHERE + RIM,
        marker.slot,
    )


def _end_labels(corridor: Corridor, *, compact: bool) -> list[LabelText]:
    ends = (
        ("tiled", corridor.log_tiled, corridor.tiled_label),
        ("compulsory", corridor.log_compulsory, corridor.compulsory_label),
    )
    return [
        LabelText(
            ("end", corridor.key, name), _on_roof(corridor, at), ((words, "placement_detail", "text2"),), END_BAR,
            corridor.slot, shown_for=corridor.key if compact else None,
        )
        for name, at, words in ends
    ]  # fmt: skip


def _on_roof(corridor: Corridor, log_x: float) -> tuple[float, float]:
    return log_x, min(corridor.log_flop_per_s, log_x + corridor.log_bytes_per_s)


def wanted_labels(labels: list[LabelText], frame: Frame, text: Text) -> list[Wanted]:
    """Return extents and anchors in pixels of the labels whose anchor is in the plot."""
    wanted = []
    for label in labels:
        x, y = frame.point(*label.anchor)
        if frame.plot.holds(x, y):
            width = max(text.width(words, role) for words, role, _ in label.lines)
            height = sum(text.height(role) for _, role, _ in label.lines) + LINE_GAP * (len(label.lines) - 1)
            short = None
            if len(label.lines) > 1:
                words, role, _ = label.lines[0]
                short = (text.width(words, role), text.height(role))
            wanted.append(Wanted(label.key, x, y, width, height, label.radius, label.needed, short))
    return wanted


# Obstacles


def obstacles(scene: Scene, frame: Frame, words: Sequence[Box]) -> Field:
    """Return what labels keep off: the words of lines, markers, end bars, lines."""
    plot = frame.plot
    bounds = Box(plot.left, plot.top - 4, plot.right - 2, plot.bottom - 2)
    return Field(
        bounds,
        [*words, *end_bars(scene, frame)],
        list(marker_boxes(scene, frame)),
        list(_lines(scene, frame)),
    )


def marker_boxes(scene: Scene, frame: Frame) -> Iterator[Box]:
    for marker in (*scene.markers, *scene.satellites, *scene.parts):
        x, y = frame.point(marker.log_x, marker.log_y)
        radius = box_radius(scene, marker)
        if frame.plot.grown(radius).holds(x, y):
            yield Box(x - radius, y - radius, x + radius, y + radius)


def end_bars(scene: Scene, frame: Frame) -> Iterator[Box]:
    for corridor in scene.corridors:
        if scene.is_selected(corridor):
            for at in (corridor.log_tiled, corridor.log_compulsory):
                x, y = frame.point(*_on_roof(corridor, at))
                yield Box(x - 6, y - 8, x + 6, y + 8)


def _lines(scene: Scene, frame: Frame) -> Iterator[Line]:
    plot = frame.plot
    for roof in scene.roofs:
        weight = SELECTED_ROOF if roof.strong else OTHER_ROOF
        points = roof_line(
            frame.range, log_bytes_per_s=roof.log_bytes_per_s, log_flop_per_s=roof.log_flop_per_s
        )
        for run in clip_polyline([frame.point(*point) for point in points], plot):
            yield from (Line(*a, *b, weight) for a, b in pairwise(run))
    for slope in scene.slopes:
        points = roof_line(
            frame.range, log_bytes_per_s=slope.log_bytes_per_s, log_flop_per_s=slope.log_flop_per_s
        )[:2]
        if (part := clip_line(frame.point(*points[0]), frame.point(*points[1]), plot)) is not None:
            yield Line(*part[0], *part[1], QUIET_LINE)
    for ceiling in scene.ceilings:
        y = frame.y(ceiling.log_flop_per_s)
        if (part := clip_line((frame.x(ceiling.log_from), y), (plot.right, y), plot)) is not None:
            yield Line(*part[0], *part[1], OTHER_ROOF if ceiling.own else QUIET_LINE)
    for corridor in scene.corridors:
        if scene.is_selected(corridor):
            run = along_roof(
                corridor.log_tiled, corridor.log_compulsory,
                log_bytes_per_s=corridor.log_bytes_per_s, log_flop_per_s=corridor.log_flop_per_s,
            )  # fmt: skip
            for piece in clip_polyline([frame.point(*point) for point in run], plot):
                yield from (Line(*a, *b, CORRIDOR) for a, b in pairwise(piece) if math.dist(a, b) > 1)
    for segment in scene.segments:
        if (part := clip_line(frame.point(*segment.start), frame.point(*segment.end), plot)) is not None:
            yield Line(*part[0], *part[1], OTHER_ROOF)
    yield from _arrow_lines(scene, frame)


def _arrow_lines(scene: Scene, frame: Frame) -> Iterator[Line]:
    ways = [series_run(scene, frame, one) for one in shown_series(scene)]
    if not is_crowded(scene):  # else they step back, and a label on one of them is better than none
        ways += [arrow_run(scene, frame, arrow) for arrow in scene.arrows]
    for way in ways:
        for run in clip_polyline(way[::4], frame.plot) if way is not None else ():
            yield from (Line(*a, *b, OTHER_ROOF) for a, b in pairwise(run))

"""Where a diagnosed kernel stands: measured and predicted on a small roofline, with the way to the roof that binds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.diagnosis.words import times
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.canvas.coordinates import Range, has_log10, log10
from rooflinestudio.ui.canvas.labels import Line
from rooflinestudio.ui.canvas.paint_arrows import GAP, paint_run
from rooflinestudio.ui.canvas.paint_radii import rim_radius
from rooflinestudio.ui.canvas.scene import Marker, Scene
from rooflinestudio.ui.canvas.scene_roofs import ceilings_of, roofs_of, slopes_of
from rooflinestudio.ui.canvas.small_roof import SmallRoof

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from rooflinestudio.core.diagnosis import Diagnosis
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.coordinates import Frame

__all__ = ["DiagnosisRoof", "diagnosis_scene"]

_LEFT, _RIGHT, _BELOW, _ABOVE = 0.9, 1.2, 1.3, 0.7
"""Decades shown around the points and the ridge."""
_MEASURED: Final = ("measured", "diagnosis", 0)
_PREDICTED: Final = "predicted"
_SHORTEST_PX: Final = 10.0
_LINE_COST: Final = 60.0


def diagnosis_scene(diagnosis: Diagnosis, slot: int | str) -> Scene | None:
    """Return roofs and points at device memory, or None where the kernel has no place on log axes.

    The measured marker carries the way to its roof: up, to what the binding roof allows at its intensity.
    """
    profile = diagnosis.profile
    if "dram" not in profile.boundaries or profile.reference_ceiling not in profile.ceilings:
        return None
    measured = _measured(diagnosis, slot)
    if measured is None:
        return None
    predicted = _predicted(diagnosis, slot)
    markers = tuple(one for one in (predicted, measured) if one is not None)
    range_ = _range(diagnosis, markers)
    standing = diagnosis.standing
    own = standing.binding.id if standing is not None and standing.binding.kind == "compute" else None
    return Scene(
        title="Where it stands",
        machine=profile.id,
        home_range=range_,
        fit_range=range_,
        roofs=roofs_of([profile], profile, "dram"),
        ceilings=ceilings_of(_with_held(profile, diagnosis), "dram", own),
        slopes=tuple(one for one in slopes_of(profile, "dram", None) if one.boundary in ("l2", "l3")),
        markers=markers,
        selected=_MEASURED,
        selected_machine=profile.id,
    )


def _with_held(profile: HardwareProfile, diagnosis: Diagnosis) -> HardwareProfile:
    """Return the profile with those ceilings alone that the kernel was held against: a small picture has no more room.

    The reference ceiling stays, as the roof stands on it.
    """
    sides = diagnosis.standing.sides if diagnosis.standing is not None else ()
    held = {one.id for one in sides if one.kind == "compute"} | {profile.reference_ceiling}
    return replace(profile, ceilings={id_: one for id_, one in profile.ceilings.items() if id_ in held})


def _measured(diagnosis: Diagnosis, slot: int | str) -> Marker | None:
    work, traffic, time = (one.value for one in diagnosis.numbers)
    if not work or not traffic or not time or not has_log10(work / traffic) or not has_log10(work / time):
        return None
    standing = diagnosis.standing
    headroom = standing.headroom if standing is not None else 1.0
    detail = format_quantity(time, "s")
    if standing is not None and headroom > 1:
        won = f", {format_quantity(standing.won_s, 's')} to win" if standing.won_s else ""
        detail = f"{detail}, {times(headroom)} to {standing.binding.label}{won}"
    return Marker(
        _MEASURED,
        "",
        log10(work / traffic),
        log10(work / time),
        "measured",
        slot if slot != "" else None,
        "measured",
        detail,
        tip=("measured", f"{format_number(work / traffic)} FLOP/byte", detail),
        log_roof=log10(headroom * work / time) if headroom > 1 else None,
        kernel=True,
    )


def _predicted(diagnosis: Diagnosis, slot: int | str) -> Marker | None:
    placement = diagnosis.placement
    if placement is None:
        return None
    at = placement.at("dram")
    rate = float(placement.work_flop) / float(placement.time_s) if placement.time_s else 0.0
    if not has_log10(float(at.intensity)) or not has_log10(rate):
        return None
    time = format_quantity(float(placement.time_s), "s")
    return Marker(
        _PREDICTED,
        diagnosis.profile.id,
        log10(float(at.intensity)),
        log10(rate),
        "predicted",
        slot if slot != "" else 0,
        "predicted",
        time,
        tip=("predicted", f"{format_number(float(at.intensity))} FLOP/byte", time),
    )


def _range(diagnosis: Diagnosis, markers: tuple[Marker, ...]) -> Range:
    """Return axes around the points and the ridge, so that both arms of the roof are seen."""
    profile = diagnosis.profile
    rate = profile.ceiling(profile.reference_ceiling).flop_per_s
    ridge = log10(profile.ridge())
    xs = [*(one.log_x for one in markers), ridge]
    ys = [*_heights(markers), log10(rate)]
    return Range(min(xs) - _LEFT, max(xs) + _RIGHT, min(ys) - _BELOW, max(ys) + _ABOVE)


def _heights(markers: tuple[Marker, ...]) -> Iterator[float]:
    for one in markers:
        yield one.log_y
        if one.log_roof is not None:
            yield one.log_roof


class DiagnosisRoof(SmallRoof):
    """The picture; from the predicted to the measured point runs a line."""

    title = "Where it stands"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("diagnosis.roof")
        self.setMinimumHeight(250)

    def paint_under(self, c: Canvas, scene: Scene) -> None:
        if len(scene.markers) > 1:
            ends = [c.frame.point(one.log_x, one.log_y) for one in scene.markers]
            c.polyline(ends, c.pen(c.slot(scene.markers[0].slot), 2.0))
        for run in _ways_up(scene, c.frame):
            paint_run(c, run, c.colour("text2"))

    def lines_under(self, scene: Scene, frame: Frame) -> list[Line]:
        return [Line(*foot, *head, _LINE_COST) for foot, head in _ways_up(scene, frame)]


def _ways_up(scene: Scene, frame: Frame) -> list[list[tuple[float, float]]]:
    """Return the way of each kernel to the roof that binds, in pixels, where it is long enough to be seen."""
    found = []
    for one in scene.markers:
        if one.log_roof is None:
            continue
        foot, head = frame.point(one.log_x, one.log_y), frame.point(one.log_x, one.log_roof)
        start = (foot[0], foot[1] - rim_radius(scene, one.key, one.machine) - GAP)
        if start[1] - head[1] > _SHORTEST_PX:
            found.append([start, head])
    return found

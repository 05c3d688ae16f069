"""The step of a chain along the slope, as a scene of the canvas: all split, as drawn, all fused."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.canvas.coordinates import Range, has_log10, log10
from rooflinestudio.ui.canvas.scene import Marker, Scene
from rooflinestudio.ui.canvas.scene_roofs import ceilings_of, roofs_of, slopes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.bench import Bench, Stage

__all__ = ["bench_scene", "with_short_names"]

_NAMES: Final = {"split": "all split", "drawn": "as drawn", "fused": "all fused"}
_LEFT, _RIGHT = 0.7, 1.1
"""Decades of intensity shown before the leftmost and behind the rightmost point."""

_BELOW, _ABOVE = 0.75, 1.25
_NEAR: Final = ("l2", "l3")
"""The other boundaries that are drawn: what is kept on chip is seen by these; links are not crossed."""


def bench_scene(bench: Bench) -> Scene | None:
    """Return roofs and the three points, or None where they have no place on log axes."""
    profile = bench.row.profile
    if bench.chain is None or profile is None or "dram" not in profile.boundaries:
        return None
    markers = tuple(_markers(bench))
    if not markers:
        return None
    own = bench.chain.kernels[0].placement.ceiling_id
    range_ = _range(bench)
    return Scene(
        title="On the roof",
        machine=profile.id,
        home_range=range_,
        fit_range=range_,
        roofs=roofs_of([profile], profile, "dram"),
        ceilings=ceilings_of(profile, "dram", own),
        slopes=tuple(one for one in slopes_of(profile, "dram", None) if one.boundary in _NEAR),
        markers=markers,
        selected=_key("drawn"),
        selected_machine=profile.id,
    )


def _key(stage: str) -> tuple[str, str, int]:
    return ("stage", stage, 0)


def _markers(bench: Bench) -> Iterator[Marker]:
    """Yield the points, the drawn one last, so that it lies on top; what stands in its place is named with it."""
    stages = [one for one in bench.stages if _is_on_axes(one)]
    drawn = next((one for one in stages if one.id == "drawn"), None)
    if drawn is None:
        return
    names = [_NAMES["drawn"]]
    for one in stages:
        if one is drawn:
            continue
        if _same(one, drawn):
            names.append(_NAMES[one.id])
        else:
            yield _marker(bench, one, _NAMES[one.id], "hollow")
    yield _marker(bench, drawn, ", ".join(names), "predicted")


def _is_on_axes(stage: Stage) -> bool:
    return has_log10(stage.chain.intensity) and has_log10(stage.rate_flop_per_s)


def _same(first: Stage, second: Stage) -> bool:
    return math.isclose(first.chain.intensity, second.chain.intensity, rel_tol=1e-3)


def _marker(bench: Bench, stage: Stage, name: str, style: Literal["predicted", "hollow"]) -> Marker:
    intensity, time = format_number(stage.chain.intensity), format_quantity(stage.chain.time_s, "s")
    detail = f"{intensity}, {time}"
    return Marker(
        _key(stage.id),
        bench.row.machine,
        log10(stage.chain.intensity),
        log10(stage.rate_flop_per_s),
        style,
        bench.row.entry.slot,
        name,
        detail,
        tip=(name, f"{intensity} FLOP/byte", time),
    )


def _range(bench: Bench) -> Range:
    """Return axes around the split and the fused chain: the same, however it is cut between them."""
    ends = [one for one in bench.stages if one.id != "drawn" and _is_on_axes(one)]
    xs = [log10(one.chain.intensity) for one in ends]
    ys = [log10(one.rate_flop_per_s) for one in ends]
    return Range(min(xs) - _LEFT, max(xs) + _RIGHT, min(ys) - _BELOW, max(ys) + _ABOVE)


def with_short_names(scene: Scene) -> Scene:
    """Return a scene for small pictures: only the drawn point has a second line, the others say their intensity."""
    return replace(
        scene,
        markers=tuple(
            replace(one, name=f"{one.name} {one.tip[1].partition(' ')[0]}") if one.style == "hollow" else one
            for one in scene.markers
        ),
    )

"""The rows of a measured kernel: everything that was counted, how, and how good each figure is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rooflinestudio.core.hardware import BOUNDARY_ORDER
from rooflinestudio.core.measured.main import held_on, other_pipes
from rooflinestudio.core.pairing.words import work_words
from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.ui.widgets.words import boundary_word, bytes_text, intensity_text, time_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.pairing.readout import PairReadout

__all__ = ["kernel_rows"]


def kernel_rows(
    measurement: Measurement,
    overlay: Overlay,
    profile: HardwareProfile | None = None,
    pair: PairReadout | None = None,
) -> Iterator[tuple[str, str, str]]:
    """Yield caption, value and tool tip of everything that was measured; what was not is left out.

    Parameters
    ----------
    profile
        The machine whose main pipe and whose words for the boundaries are used.
    pair
        What the kernel says beside its entry: work that the counters are blind to, and what follows, is taken there.
    """
    measurement = held_on(measurement, profile)
    lent = pair if pair is not None and pair.is_lent else None
    yield from _figure("time", measurement, "time_s", time_text(measurement.time_s))
    if measurement.count > 1:
        yield "launches, mean of", f"{measurement.count}", "Figures are the mean of these launches"
    yield from _work(measurement) if lent is None else _lent_work(measurement, lent)
    for boundary in _boundaries(measurement):
        at = f"at {boundary_word(profile, boundary)}"
        amount = measurement.traffic_bytes(boundary)
        if amount is not None:
            yield from _figure(f"traffic Q {at}", measurement, f"{boundary}_bytes", bytes_text(amount))
        flow = measurement.bytes_per_s(boundary)
        if flow is not None:
            yield from _figure(
                f"rate {at}", measurement, f"{boundary}_bytes_per_s", format_quantity(flow, "B/s")
            )
        yield from _intensity(f"intensity I {at}", measurement, boundary, lent)
    yield from _circumstances(measurement, overlay)


def _work(measurement: Measurement) -> Iterator[tuple[str, str, str]]:
    if measurement.work_flop is not None:
        work = format_quantity(measurement.work_flop, "FLOP", digits=4)
        yield from _figure(f"work W, {measurement.pipe or ''}", measurement, "work_flop", work)
    yield from _beside(measurement, measurement.pipe)
    rate = measurement.achieved_flop_per_s
    if rate is not None:
        yield from _figure("achieved", measurement, "achieved_flop_per_s", format_quantity(rate, "FLOP/s"))


def _beside(measurement: Measurement, main: str | None) -> Iterator[tuple[str, str, str]]:
    """Yield what was counted on the pipes that the point is not of."""
    for pipe, amount, unit in other_pipes(measurement, main):
        name = f"work.{pipe}" if unit == "FLOP" else f"work_rate.{pipe}"
        yield from _figure(f"also on {pipe}", measurement, name, format_quantity(amount, unit, digits=4))


def _lent_work(measurement: Measurement, pair: PairReadout) -> Iterator[tuple[str, str, str]]:
    tip = f"{work_words(pair)}: {pair.work_why}"
    yield f"work W, {pair.pipe or ''}", format_quantity(pair.work_flop or 0.0, "FLOP", digits=4), tip
    yield from _beside(measurement, pair.pipe)
    if pair.achieved_flop_per_s is not None:
        yield "achieved", format_quantity(pair.achieved_flop_per_s, "FLOP/s"), tip


def _intensity(
    caption: str, measurement: Measurement, boundary: str, lent: PairReadout | None
) -> Iterator[tuple[str, str, str]]:
    intensity = measurement.intensity(boundary)
    if lent is not None:
        traffic = measurement.traffic_bytes(boundary)
        intensity = lent.work_flop / traffic if traffic and lent.work_flop is not None else None
    if intensity is None or not math.isfinite(intensity):
        return
    text = f"{intensity_text(intensity)} FLOP/byte"
    if lent is not None:
        yield caption, text, f"{work_words(lent)}: {lent.work_why}"
    else:
        yield from _figure(caption, measurement, f"intensity_{boundary}", text)


def _boundaries(measurement: Measurement) -> list[str]:
    found = {*measurement.traffic, *measurement.traffic_rates}
    return [one for one in BOUNDARY_ORDER if one in found] + sorted(found - set(BOUNDARY_ORDER))


def _figure(caption: str, measurement: Measurement, name: str, text: str) -> Iterator[tuple[str, str, str]]:
    if text == "–":
        return
    figure = measurement.figure(name)
    if figure is None:
        yield caption, text, ""
        return
    sign = {"rounded": "≈ ", "estimated": "≈ ", "lower": "≥ ", "upper": "≤ "}.get(figure.quality, "")
    yield caption, f"{sign}{text}", f"{figure.quality}: {figure.recipe}"


def _circumstances(measurement: Measurement, overlay: Overlay) -> Iterator[tuple[str, str, str]]:
    yield "launch", str(measurement.launch), "Position in the file"
    if measurement.grid is not None:
        yield "grid", " × ".join(map(str, measurement.grid)), "Blocks"
    if measurement.block is not None:
        yield "block", " × ".join(map(str, measurement.block)), "Threads"
    if measurement.clock_hz is not None:
        yield "clock", format_quantity(measurement.clock_hz, "Hz", digits=4), "While this launch was measured"
    if measurement.device:
        capability = f", {measurement.compute_capability}" if measurement.compute_capability else ""
        yield "device", f"{measurement.device}{capability}", measurement.device
    if measurement.source_line is not None:
        yield "line of the file", str(measurement.source_line), overlay.path
    yield "file", overlay.name, overlay.path

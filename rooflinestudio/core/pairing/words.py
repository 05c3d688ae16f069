"""A pair in words: for the tool tip, the label on the canvas, the table, and before a kernel is let go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.pairing.edits import paired_entry_id
from rooflinestudio.core.pairing.readout import entry_name, read_pair, row_for_pair
from rooflinestudio.core.quantities import format_number, format_quantity, format_ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.pairing.edits import Kernel
    from rooflinestudio.core.pairing.readout import PairReadout
    from rooflinestudio.core.placing import PlacedStudy

__all__ = ["PairRow", "drop_words", "full_label", "pair_lines", "pair_rows", "quiet_label", "work_words"]

_BELOW_BOUND: Final = 0.98


class PairRow(NamedTuple):
    """One ratio: its id (``forecast``, ``bound``, ``traffic``, ``headroom``), caption, value and explanation."""

    id: str
    caption: str
    text: str
    tip: str


def work_words(pair: PairReadout) -> str:
    """Say where the work comes from where it is not from counters: ``W from gemm m = …``; else empty."""
    return f"W from {pair.work_from}" if pair.is_lent else ""


def quiet_label(pair: PairReadout) -> str:
    """Return the label of a pair that is not selected: ``measured 1.41× slower``."""
    ratio = pair.time_ratio
    return "" if ratio is None else f"measured {format_ratio(ratio)}"


def full_label(pair: PairReadout) -> tuple[str, ...]:
    """Return the lines of the label of the selected pair: time, then traffic and headroom."""
    parts = []
    if pair.traffic_ratio is not None:
        parts.append(f"Q {_times(pair.traffic_ratio)}")
    if pair.headroom_ratio is not None:
        parts.append(f"headroom {_times(pair.headroom_ratio)}")
    return tuple(line for line in (quiet_label(pair), " · ".join(parts), work_words(pair)) if line)


def pair_lines(pair: PairReadout) -> Iterator[str]:
    """Yield the lines of the tool tip of a paired kernel."""
    yield f"against {pair.name} on {pair.placement.profile.short_name}:"
    yield from (f"{one.caption} {one.text}" for one in pair_rows(pair))
    if pair.is_lent:
        yield f"{work_words(pair)}: {pair.work_why}"


def pair_rows(pair: PairReadout) -> Iterator[PairRow]:
    """Yield the ratios of a pair, those that are known.

    The order is that of the argument: how much slower, how much of that is traffic, how much is lost beneath the roof.
    """
    if pair.forecast_ratio is not None:
        tip = f"{_time(pair.time_s)} measured, {_time(pair.forecast_s)} forecast"
        yield PairRow("forecast", "time to forecast", format_ratio(pair.forecast_ratio), tip)
    if pair.bound_ratio is not None:
        tip = f"{_time(pair.time_s)} measured, {_time(pair.bound_s)} by the bound"
        if pair.bound_ratio < _BELOW_BOUND:
            tip += "; nothing is faster than that: it is not this operator, or the device is another one"
        yield PairRow("bound", "time to bound", format_ratio(pair.bound_ratio), tip)
    if pair.traffic_ratio is not None:
        amounts = (
            format_quantity(one or 0.0, "B", digits=4) for one in (pair.traffic_bytes, pair.predicted_bytes)
        )
        tip = f"{next(amounts)} measured, {next(amounts)} {pair.placement.settings.policy}"
        yield PairRow("traffic", f"Q at {pair.boundary_label} to predicted", _times(pair.traffic_ratio), tip)
    if pair.headroom is not None and pair.headroom_ratio is not None:
        tip = f"attainable over achieved: {_times(pair.headroom)} measured, {_times(pair.predicted_headroom)} predicted"
        yield PairRow("headroom", "headroom to predicted", _times(pair.headroom_ratio), tip)


def drop_words(placed: PlacedStudy, kernels: Sequence[Kernel], entry_id: str, machine: str = "") -> str:
    """Say what letting kernels go over an entry will do: ``Pair with gemm-1: W from gemm m = …``; empty for nothing."""
    study = placed.study
    overlays = {one.digest: one for one in study.overlays}
    here = [one for one in kernels if one[0] in overlays and 0 <= one[1] < len(overlays[one[0]])]
    if not here or not study.has_entry(entry_id):
        return ""
    name = entry_name(study.entry(entry_id))
    before = [paired_entry_id(study, *one) for one in here]
    if all(one == entry_id for one in before):
        return f"Paired with {name} already"
    if len(here) > 1:
        return f"Pair {len(here)} kernels with {name}"
    instead = f", instead of {entry_name(study.entry(before[0]))}" if before[0] else ""
    return f"Pair with {name}{instead}{_outcome(placed, overlays[here[0][0]], here[0][1], entry_id, machine)}"


def _outcome(placed: PlacedStudy, overlay: Overlay, index: int, entry_id: str, machine: str) -> str:
    """Return what the pair would say first: where W comes from, and how much slower it is."""
    row = row_for_pair(placed, entry_id, machine)
    profile = placed.profiles.get(machine) or (row.profile if row is not None else None)
    if row is None or profile is None or row.placement is None:
        return ": it is not placed, so nothing can be held against it yet"
    boundary = row.placement.boundary_id
    pair = read_pair(
        overlay.measurement(index), row, profile,
        boundary if boundary in profile.boundaries else next(iter(profile.boundaries)), overlay,
    )  # fmt: skip
    if pair is None:
        return ""
    parts = [work_words(pair) if pair.is_lent else "W was counted" if pair.work_flop is not None else "no W"]
    if pair.time_ratio is not None:
        parts.append(format_ratio(pair.time_ratio))
    return f": {', '.join(parts)}"


def _times(ratio: float) -> str:
    return f"{format_number(ratio)}×"


def _time(seconds: float | None) -> str:
    return "–" if seconds is None else format_quantity(seconds, "s", digits=4)

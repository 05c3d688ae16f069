"""The laws of the roofline, as pure functions over numbers or arrays that broadcast.

Sources: the roofline model of Williams, Waterman and Patterson (2009); Little's law for latency. All times in
seconds, rates in FLOP/s and byte/s, intensities in FLOP/byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.arithmetic import Num, ceil_div, is_number, larger, smaller

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "attainable_flop_per_s", "effective_bytes_per_s", "intensity", "overlapped", "quantisation_efficiency",
    "ridge_intensity", "slowest", "wave_efficiency",
]  # fmt: skip


def attainable_flop_per_s(intensity: Num, *, ceiling_flop_per_s: Num, bytes_per_s: Num) -> Num:
    """Return what the roof allows at an intensity: the smaller of ceiling and slope."""
    return smaller(ceiling_flop_per_s, intensity * bytes_per_s)


def ridge_intensity(*, ceiling_flop_per_s: Num, bytes_per_s: Num) -> Num:
    """Return the intensity at which ceiling and slope meet."""
    return ceiling_flop_per_s / bytes_per_s


def intensity(work_flop: Num, traffic_bytes: Num) -> Num:
    """Return work over traffic: 0 without work, infinity without traffic, NaN without either."""
    if is_number(work_flop) and is_number(traffic_bytes):
        if traffic_bytes > 0:
            return work_flop / traffic_bytes
        return float("inf") if work_flop > 0 else float("nan")
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(work_flop, dtype=float) / traffic_bytes


def overlapped(compute_s: Num, memory_s: Num, overlap: Num) -> Num:
    """Return the time when a share ``overlap`` in [0, 1] of the shorter limit hides behind the longer one.

    1 is the roofline (the longer alone), 0 the serial model (the sum), which doubles the time at the ridge.
    """
    longer = larger(compute_s, memory_s)
    if is_number(overlap) and overlap == 1:
        return longer
    return longer + (1.0 - overlap) * (compute_s + memory_s - longer)


def effective_bytes_per_s(bytes_per_s: Num, *, bytes_in_flight: Num, latency_s: Num) -> Num:
    """Return the bandwidth that the bytes in flight can sustain (Little's law), at most the bandwidth itself."""
    return smaller(bytes_per_s, bytes_in_flight / latency_s)


def wave_efficiency(tiles: Num, sms: Num) -> Num:
    """Return the share of the machine that is busy when ``tiles`` equal blocks run in whole waves over ``sms``.

    More blocks per SM hide latency and add no rate, so a wave is one block per SM.
    """
    return tiles / (ceil_div(tiles, sms) * sms)


def quantisation_efficiency(size: Num, tile: Num) -> Num:
    """Return the useful share of a dimension that is padded up to whole tiles."""
    return size / (ceil_div(size, tile) * tile)


def slowest(times: Sequence[Num]) -> tuple[Num, Any]:
    """Return the largest of several times, and the index of it (the first on a tie); arrays broadcast.

    An empty sequence gives ``(0.0, 0)``.
    """
    if len(times) == 1:
        return times[0], 0
    best, at = 0.0, 0
    for index, time in enumerate(times):
        if not is_number(time):
            break
        if time > best:
            best, at = time, index
    else:
        return best, at
    import numpy as np

    stacked = np.stack(np.broadcast_arrays(*times))
    at = stacked.argmax(axis=0)
    return stacked.max(axis=0), at

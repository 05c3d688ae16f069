"""The forecast: what launch, latency and whole tiles and waves add to the pure bound (MODEL 1.7).

A limit whose inputs are absent is not judged, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number, where
from rooflinestudio.core.binding import LATENCY, LAUNCH, MEMORY
from rooflinestudio.core.pipes import pipe_times
from rooflinestudio.core.roofline import effective_bytes_per_s, wave_efficiency

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Estimate
    from rooflinestudio.core.pipes import PipeTimes
    from rooflinestudio.core.settings import Settings

__all__ = ["Limits", "apply_forecast"]

LAUNCH_ID: Final = "launch"
"""What binds where the bound is ``launch``: neither a ceiling nor a boundary."""

_NO_LAUNCH_SHAPE: Final = "the operator does not say what its launch looks like"


@dataclass(frozen=True, slots=True)
class Limits:
    """What the forecast judged.

    Attributes
    ----------
    compute_s, memory_s
        Times with quantisation and latency in; memory per selected boundary.
    launch_s
        Seconds of launch overhead, 0 where not judged.
    judged
        ``latency``, ``launch``, ``waves``, ``tiles``: figures by name for each limit that was judged.
    not_judged
        Why the others were not.
    slowed
        Per selected boundary, whether latency holds the bandwidth down.
    """

    compute_s: Num
    memory_s: list[Num]
    launch_s: Num
    judged: Mapping[str, Mapping[str, Any]]
    not_judged: tuple[str, ...]
    slowed: list[Any]

    def scalar_bound(self, bound: int, binding: str, *, index: int, rest_s: Num) -> tuple[int, str]:
        """Sharpen bound and binding: ``latency`` under Little's law, ``launch`` when it exceeds the rest."""
        if self.launch_s > rest_s:
            return LAUNCH, LAUNCH_ID
        if bound == MEMORY and self.slowed[index]:
            return LATENCY, binding
        return bound, binding

    def array_bound(
        self, codes: Any, bindings: Any, *, index: Any, rest_s: Num, launch: int
    ) -> tuple[Any, Any]:
        """Sharpen arrays of codes in the same way; ``launch`` is the binding's code for the launch overhead."""
        import numpy as np

        slowed = np.choose(index, np.broadcast_arrays(*self.slowed))
        codes = np.where((codes == MEMORY) & slowed, LATENCY, codes)
        launches = self.launch_s > rest_s
        return np.where(launches, LAUNCH, codes), np.where(launches, launch, bindings)


def apply_forecast(
    estimate: Estimate,
    profile: HardwareProfile,
    settings: Settings,
    sides: tuple[tuple[str, ...], PipeTimes, list[Num]],
) -> Limits:
    """Add to compute and memory times what can be judged.

    Compute takes the padded dimensions and whole waves; bandwidth falls to bytes in flight over latency before the
    overlap law; launches are added after it.
    """
    selected, pipes, times = sides
    judged: dict[str, Mapping[str, Any]] = {}
    missing: list[str] = []
    compute_s = _quantised(estimate, profile, settings, pipes, judged, missing)
    memory_s, slowed = _delayed(estimate, profile, selected, times, judged, missing)
    launch_s: Num = 0.0
    if estimate.launch is None:
        missing.append(f"launch: {_NO_LAUNCH_SHAPE}")
    elif profile.launch_overhead is None:
        missing.append(f"launch: the profile of {profile.name} has no launch overhead")
    else:
        launch_s = estimate.launch.kernels * profile.launch_overhead.value
        judged["launch"] = {
            "launches": estimate.launch.kernels,
            "overhead_s": profile.launch_overhead.value,
            "time_s": launch_s,
        }
    return Limits(compute_s, memory_s, launch_s, judged, tuple(missing), slowed)


def _quantised(
    estimate: Estimate,
    profile: HardwareProfile,
    settings: Settings,
    pipes: PipeTimes,
    judged: dict[str, Any],
    missing: list[str],
) -> Num:
    compute_s = pipes.compute_s
    if estimate.padded_work is not None:
        padded = pipe_times(estimate.padded_work, estimate.main_pipe, profile, settings.ceiling)
        compute_s = padded.compute_s
        none = padded.work_flop == 0  # nothing to do fills nothing badly
        judged["tiles"] = {
            "padded_work_flop": padded.work_flop,
            "efficiency": where(none, 1.0, pipes.work_flop / where(none, 1.0, padded.work_flop)),
        }
    else:
        missing.append("tiles: the operator does not say how it pads")
    blocks = estimate.launch.blocks if estimate.launch is not None else None
    if blocks is None:
        missing.append(f"waves: {_NO_LAUNCH_SHAPE}")
    elif profile.sms is None:
        missing.append(f"waves: the profile of {profile.name} does not say how many SMs it has")
    else:
        efficiency = wave_efficiency(blocks, profile.sms.value)
        compute_s = compute_s / efficiency
        judged["waves"] = {
            "tiles": blocks,
            "sms": profile.sms.value,
            "waves": blocks / profile.sms.value / efficiency,
            "efficiency": efficiency,
        }
    return compute_s


def _delayed(
    estimate: Estimate,
    profile: HardwareProfile,
    selected: tuple[str, ...],
    times: list[Num],
    judged: dict[str, Any],
    missing: list[str],
) -> tuple[list[Num], list[Any]]:
    in_flight = estimate.launch.bytes_in_flight if estimate.launch is not None else None
    slowed: list[Any] = [False] * len(times)
    if in_flight is None:
        missing.append("latency: the operator does not say how many bytes it keeps in flight")
        return times, slowed
    result = list(times)
    longest: Num | None = None
    for at, id_ in enumerate(selected):
        boundary = profile.boundaries[id_]
        if boundary.latency is None:
            missing.append(f"latency: the profile of {profile.name} has no latency at {boundary.label}")
            continue
        rate = effective_bytes_per_s(
            boundary.bytes_per_s, bytes_in_flight=in_flight, latency_s=boundary.latency.value
        )
        result[at] = times[at] * (boundary.bytes_per_s / rate)
        slowed[at] = rate < boundary.bytes_per_s
        if longest is not None and is_number(result[at]) and is_number(longest) and result[at] <= longest:
            continue  # of several boundaries the slowest is told
        longest = result[at]
        judged["latency"] = {
            "boundary": id_,
            "bytes_in_flight": in_flight,
            "latency_s": boundary.latency.value,
            "effective_bytes_per_s": rate,
        }
    return result, slowed

"""How busy the units were: the further figures that a diagnosis asks for, under their names there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from plugins_builtin._ncu.counters import Counters
    from plugins_builtin._ncu.values import Value

__all__ = ["ACTIVITY_LABELS", "ACTIVITY_METRICS", "SHARES", "activity"]

_STALL: Final = "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"
_LATENCY: Final = "smsp__average_warp_latency_per_inst_issued.ratio"

# First metric that is there; shares are printed in percent.
_PERCENT: Final = {
    "tensor_active_share": (
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
    ),
    "dram_busy_share": (
        "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    ),
    "occupancy_share": ("sm__warps_active.avg.pct_of_peak_sustained_active",),
    "sector_use_share": ("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",),
    "l2_hit_share": ("lts__t_sector_hit_rate.pct",),
}
_PLAIN: Final = {
    "active_warps": ("sm__warps_active.avg.per_cycle_active",),
    "sms": ("device__attribute_multiprocessor_count", "launch__sm_count"),
}
SHARES: Final = frozenset(name for names in _PERCENT.values() for name in names)
"""Metrics in percent."""
ACTIVITY_METRICS: Final = SHARES | {name for names in _PLAIN.values() for name in names} | {_STALL, _LATENCY}
"""All that is wanted here."""
ACTIVITY_LABELS: Final = {
    "Achieved Occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "Achieved Active Warps Per SM": "sm__warps_active.avg.per_cycle_active",
    "L2 Hit Rate": "lts__t_sector_hit_rate.pct",
    "# SMs": "launch__sm_count",
}
"""Labels of the details page."""


def activity(counters: Counters) -> dict[str, Value]:
    """Figures of one launch by name, shares from 0 to 1."""
    found: dict[str, Value] = {}
    for name, metrics in {**_PERCENT, **_PLAIN}.items():
        value = next((one for metric in metrics if (one := counters.get(metric)) is not None), None)
        if value is not None:
            found[name] = value.scaled(0.01, f"{value.text} / 100") if name in _PERCENT else value
    stalled, latency = counters.get(_STALL), counters.get(_LATENCY)
    if stalled is not None and latency is not None and latency.value > 0:
        found["memory_stall_share"] = stalled.over(latency)
    return found

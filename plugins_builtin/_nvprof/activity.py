"""How busy the units were, by nvprof: the further figures that a diagnosis asks for, under their names there.

Shares are printed in percent, or as a level from 0 to 10 with a word (``Low (3)``), which is good to half a level.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ACTIVITY", "activity_of", "read_activity"]

_FIGURES: Final = {
    "stall_memory_dependency": "memory_stall_share",
    "gld_efficiency": "sector_use_share",
    "l2_tex_read_hit_rate": "l2_hit_share",
    "dram_utilization": "dram_busy_share",
    "tensor_precision_fu_utilization": "tensor_active_share",
    "achieved_occupancy": "occupancy_share",
}
ACTIVITY: Final = frozenset(_FIGURES)
"""Metrics that are read here."""

_PERCENT: Final = re.compile(r"(\d{1,4})(?:\.(\d{1,9}))?%\Z", re.ASCII)
_LEVEL: Final = re.compile(r"[A-Za-z]{1,10} \((\d{1,2})\)\Z", re.ASCII)
_PLAIN: Final = re.compile(r"\d{1,3}(?:\.\d{1,9})?\Z", re.ASCII)


def read_activity(text: str, metric: str) -> Value | None:
    """Share of 1 in a cell of one of these metrics; None where it is none."""
    text = text.strip()[:40]
    percent, level = _PERCENT.match(text), _LEVEL.match(text)
    if percent is not None:
        whole, decimals = percent.groups(default="")
        error = 0.5 * 10.0 ** -(len(decimals) + 2) if decimals else 0.0
        return Value(float(f"{whole}.{decimals or '0'}") / 100, error, f"{metric} / 100")
    if level is not None:
        return Value(int(level[1]) / 10, 0.05, f"{metric}, a level from 0 to 10", "estimated")
    return Value(float(text), 0.0, metric) if metric == "achieved_occupancy" and _PLAIN.match(text) else None


def activity_of(counters: Mapping[str, Value]) -> dict[str, Value]:
    """Figures of one kernel by name."""
    return {name: counters[metric] for metric, name in _FIGURES.items() if metric in counters}

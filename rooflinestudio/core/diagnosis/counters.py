"""What a diagnosis asks a file for: work, traffic and time, and what explains them.

Which tool counts what, and how it is called, is in :mod:`rooflinestudio.core.diagnosis.tools`. A reader gives these
figures as further entries of :attr:`Measurement.figures`, under the names of :data:`COUNTERS`; shares are numbers from
0 to 1 (a profiler may print slightly more), the others are counts. What a file does not hold is absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["COUNTERS", "Counter"]


@dataclass(frozen=True, slots=True)
class Counter:
    """A figure that a profiler can be asked for.

    Attributes
    ----------
    name
        Key in ``Measurement.figures``.
    label, unit
        In words; the unit is ``""`` for a count and ``%`` for a share.
    """

    name: str
    label: str
    unit: str


_ALL: Final = (
    Counter("time_s", "time", "s"),
    Counter("dram_bytes", "traffic at device memory", "B"),
    Counter("work", "arithmetic", "FLOP"),
    Counter("tensor_work", "operations of the tensor pipe", "FLOP"),
    Counter("tensor_active_share", "cycles with the tensor pipe active", "%"),
    Counter("dram_busy_share", "device memory busy", "%"),
    Counter("sector_use_share", "bytes used of each sector loaded", "%"),
    Counter("active_warps", "warps active per SM", ""),
    Counter("occupancy_share", "occupancy", "%"),
    Counter("memory_stall_share", "waiting that is for memory", "%"),
    Counter("sms", "SMs", ""),
    Counter("grid", "blocks of the grid", ""),
    Counter("l2_hit_share", "hits in L2", "%"),
)

COUNTERS: Final[Mapping[str, Counter]] = MappingProxyType({one.name: one for one in _ALL})
"""By the name of the figure."""

"""What the rules of the profiler say in prose and no counter of the page does."""

from __future__ import annotations

import re
from typing import Final

from plugins_builtin._ncu.counters import Cell, Source

__all__ = ["peak_share_cells"]

_SHARES: Final = re.compile(
    r"achieved (?:close to )?(\d{1,3})% of this device's fp32 peak performance "
    r"and (?:close to )?(\d{1,3})% of its fp64 peak performance",
    re.ASCII,
)
_LONGEST: Final = 4_000  # characters


def peak_share_cells(text: str) -> list[Cell]:
    """Shares of the fp32 and fp64 peak that the roofline rule names, in whole percent, as cells of counters.

    Only a share of 0 says something by itself, since the peak is not in the file; it tells a kernel that does integer
    work from one whose counters were not collected.
    """
    if "fp32 peak performance" not in text[:_LONGEST]:
        return []
    match = _SHARES.search(" ".join(text[:_LONGEST].split()))
    if match is None:
        return []
    return [
        Cell(
            share,
            Source(f"rule__{pipe}.pct_of_peak", "%", f"the roofline rule's “{share}% of the {pipe} peak”"),
        )
        for pipe, share in (("fp32", match[1]), ("fp64", match[2]))
    ]

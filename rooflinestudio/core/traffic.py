"""How many bytes cross a boundary, by policy (MODEL 1.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.hardware import INSIDE

if TYPE_CHECKING:
    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.operators import Estimate

__all__ = ["POLICIES", "Policy", "compulsory_bytes", "crossing_bytes", "tiled_bytes"]

Policy = Literal["compulsory", "tiled", "modelled"]
POLICIES: Final = ("compulsory", "tiled", "modelled")
DEFAULT_ABSORPTION: Final = 0.85

# From the inside outward: an inside boundary without a count of its own takes the next one outward that has one.
_OUTWARD: Final = {"register": ("register", "shared", "l1", "l2", "dram"), "shared": ("shared", "l1", "l2", "dram"),
                   "l1": ("l1", "l2", "dram"), "l2": ("l2", "dram")}  # fmt: skip


def compulsory_bytes(estimate: Estimate) -> tuple[Num, Num]:
    """Return the (read, write) bytes of every tensor crossing as often as it must."""
    read: Num = 0.0
    write: Num = 0.0
    for tensor in estimate.tensors:
        size = tensor.elements * (tensor.dtype.storage_bits / 8.0)
        if not (is_number(tensor.reads) and tensor.reads == 0):
            read = read + size * tensor.reads
        if not (is_number(tensor.writes) and tensor.writes == 0):
            write = write + size * tensor.writes
    return read, write


def tiled_bytes(estimate: Estimate) -> tuple[Num, Num]:
    """Return the (read, write) bytes at dram with every re-read of the blocking, before a cache absorbs any."""
    blocked = estimate.blocked.get("dram")
    return blocked if blocked is not None else compulsory_bytes(estimate)


def crossing_bytes(
    estimate: Estimate, boundary: str, *, policy: Policy = "compulsory", absorption: Num = DEFAULT_ABSORPTION
) -> tuple[Num, Num]:
    """Return the (read, write) bytes that cross a boundary under a policy.

    The policy chooses the count at dram and l3; inside them the blocked count holds under every policy; links have
    the count that the operator gives, else every tensor once.
    """
    if boundary in INSIDE:
        for outward in _OUTWARD[boundary]:
            blocked = estimate.blocked.get(outward)
            if blocked is not None:
                return blocked
        return compulsory_bytes(estimate)
    if boundary not in ("dram", "l3"):
        return estimate.blocked.get(boundary) or compulsory_bytes(estimate)
    if policy == "compulsory" or "dram" not in estimate.blocked:
        return compulsory_bytes(estimate)
    tiled_read, tiled_write = estimate.blocked["dram"]
    if policy == "tiled":
        return tiled_read, tiled_write
    read, write = compulsory_bytes(estimate)
    kept = 1.0 - absorption
    return read + kept * (tiled_read - read), write + kept * (tiled_write - write)

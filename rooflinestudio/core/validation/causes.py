"""Why a kernel may be measured faster than its bound, the likeliest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["usual_causes"]

TIMER: Final = 0.97
"""From here on, a timer or the digits of the file may account for it."""

UNIT: Final = 0.05
"""Below this, the time is hardly one of this kernel in this unit."""


def usual_causes(
    profile: HardwareProfile, binding: str, *, ratio: float, traffic_bytes: float
) -> tuple[str, ...]:
    """Return sentences without a full stop.

    Parameters
    ----------
    binding
        The ceiling or the boundary that the bound rests on.
    ratio
        Measured / bound, below 1.
    traffic_bytes
        What is counted to cross.
    """
    return tuple(_causes(profile, binding, ratio, traffic_bytes))


def _causes(profile: HardwareProfile, binding: str, ratio: float, traffic_bytes: float) -> Iterator[str]:
    if ratio < UNIT:
        yield "the unit of the time, or the columns of the shape, are not what they were taken for"
    ceiling = profile.ceilings.get(binding)
    if ceiling is None:
        yield from _memory(profile, binding, ratio, traffic_bytes)
    else:
        condition = f" ({ceiling.figure.condition})" if ceiling.figure.condition else ""
        needed = format_quantity(ceiling.flop_per_s / ratio, "FLOP/s", digits=4)
        yield (
            f"another part, or a clock above that of the ceiling: it takes {needed} where {profile.name} has "
            f"{format_quantity(ceiling.flop_per_s, 'FLOP/s', digits=4)}{condition}"
        )
        yield "a narrower format, or 2:4 sparsity, on the pipe than the table says"
    yield "less was computed than is counted: masked, skipped or cached work, or columns exchanged"
    if ratio >= TIMER:
        short = format_number(100 * (1 - ratio), digits=2)
        yield f"the timer's resolution, or rounding in the file: it is {short}% short"
    elif ratio >= UNIT:
        yield "the time covers a part of the kernel, or does not wait for its end"


def _memory(profile: HardwareProfile, binding: str, ratio: float, traffic_bytes: float) -> Iterator[str]:
    boundary = profile.boundaries[binding]
    missing = (1.0 - ratio) * traffic_bytes
    cache = profile.boundaries.get("l3") or profile.boundaries.get("l2") if binding == "dram" else None
    size = cache.capacity.value if cache is not None and cache.capacity is not None else 0.0
    kept = f"the {cache.label} of {format_quantity(size, 'B')}" if cache is not None else ""
    traffic = format_quantity(traffic_bytes, "B")
    if traffic_bytes <= size:
        yield f"warm caches: its {traffic} fit into {kept}, and a run repeated finds them there"
    needed, given = (
        format_quantity(one, "B/s", digits=4) for one in (boundary.bytes_per_s / ratio, boundary.bytes_per_s)
    )
    yield (
        f"another part, or another memory version of it: it takes {needed} "
        f"where {profile.name} has {given} at {boundary.label}"
    )
    if missing <= size < traffic_bytes:
        yield (
            f"warm caches: a run repeated need not read again what {kept} kept, "
            f"and {format_quantity(missing, 'B')} of {traffic} would account for it"
        )
    yield "narrower formats in memory than the table says"

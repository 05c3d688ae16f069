"""What binds: the kinds of bound, their codes, and which ceiling, boundary or launch it is.

Single evaluations say it in words; vectorised ones in codes, for which the words come on demand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number, where

if TYPE_CHECKING:
    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.forecast import Limits
    from rooflinestudio.core.pipes import PipeTimes

__all__ = ["BOUND_KINDS", "COMPUTE", "LATENCY", "LAUNCH", "MEMORY", "what_binds"]

BOUND_KINDS: Final = ("compute", "memory", "latency", "launch")
COMPUTE, MEMORY, LATENCY, LAUNCH = range(len(BOUND_KINDS))


def what_binds(
    selected: tuple[str, ...], pipes: PipeTimes, sides: tuple[Num, Num, Any, Num], limits: Limits | None
) -> tuple[Any, Any, Any]:
    """Return bound, binding and the reported boundary, as words for numbers and as codes for arrays."""
    compute_s, memory_s, at, rest_s = sides
    count = len(pipes.ids)
    memory_binds: Any = memory_s > compute_s
    launches_vary = limits is not None and not is_number(limits.launch_s)
    if is_number(rest_s) and isinstance(at, int) and isinstance(pipes.at, int) and not launches_vary:
        bound, binding = (MEMORY, selected[at]) if memory_binds else (COMPUTE, pipes.ids[pipes.at])
        if limits is not None:
            bound, binding = limits.scalar_bound(bound, binding, index=at, rest_s=rest_s)
        return BOUND_KINDS[bound], binding, selected[at]
    codes = where(memory_binds, MEMORY, COMPUTE)
    binding_codes = where(memory_binds, at + count, pipes.at)
    if limits is not None:
        launch = count + len(selected)
        codes, binding_codes = limits.array_bound(
            codes, binding_codes, index=at, rest_s=rest_s, launch=launch
        )
    return codes, binding_codes, (selected[at] if isinstance(at, int) else at + count)

"""What is asked about a placement, of plain numbers or of arrays, when a threshold is looked for; and what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rooflinestudio.core.arithmetic import is_number, total
from rooflinestudio.core.binding import BOUND_KINDS
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.operators import Estimate
    from rooflinestudio.core.placement import Placement

    Watch: TypeAlias = tuple[str, Callable[[Placement], Any], Callable[[Placement], str]]
    """Kind of a threshold, what is asked, and what is said on either side."""

__all__ = [
    "CAPACITY", "bound_words", "crosses_over", "does_not_fit", "is_bound", "question_words", "role_bytes",
    "traffic_watch",
]  # fmt: skip


def is_bound(kind: str) -> Callable[[Placement], Any]:
    """Return the question whether a placement is bound so: ``compute``, ``memory``, ``latency`` or ``launch``.

    Raises
    ------
    ParameterError
        If there is no such bound.
    """
    if kind not in BOUND_KINDS:
        raise ParameterError(f"{kind!r} is no bound; choose {', '.join(BOUND_KINDS)}.")
    code = BOUND_KINDS.index(kind)
    return lambda placement: (
        placement.bound == kind if isinstance(placement.bound, str) else placement.bound == code
    )


def does_not_fit(placement: Placement) -> Any:
    """Tell whether what must be in dram at once is more than dram holds; False where either is not known."""
    footprint, dram = placement.estimate.footprint_bytes, placement.profile.boundaries.get("dram")
    if footprint is None or dram is None or dram.capacity is None:
        return False
    return footprint > dram.capacity.value


def role_bytes(estimate: Estimate, role: str) -> Num:
    """Return the bytes at dram of all tensors of a role (``cache``, ``weight``, …), those of parts counted in."""
    if estimate.parts:
        return total(part.count * role_bytes(part.estimate, role) for part in estimate.parts)
    return total(
        one.elements * one.dtype.bytes * (one.reads + one.writes)
        for one in estimate.tensors
        if one.role == role
    )


def crosses_over(over: str, under: str) -> Callable[[Placement], Any]:
    """Return the question whether the tensors of one role move more bytes than those of another."""
    return lambda placement: role_bytes(placement.estimate, over) > role_bytes(placement.estimate, under)


def bound_words(placement: Placement) -> str:
    """Return bound and binding of a single placement: ``memory at dram``."""
    return f"{placement.bound} at {placement.binding}"


def question_words(placement: Placement) -> str:
    """Return bound and time of a single placement."""
    return f"{bound_words(placement)}, {format_quantity(float(placement.time_s), 's')}"


def _fit_words(placement: Placement) -> str:
    footprint, capacity = placement.estimate.footprint_bytes, placement.profile.boundaries["dram"].capacity
    size = format_quantity(footprint, "B", digits=8) if is_number(footprint) else "unknown"
    held = f" of {format_quantity(capacity.value, 'B')}" if capacity is not None else ""
    return f"{'does not fit' if does_not_fit(placement) else 'fits'} ({size}{held})"


def traffic_watch(over: str = "cache", under: str = "weight") -> Watch:
    """Return what is asked and said where the tensors of one role overtake those of another."""
    asked = crosses_over(over, under)

    def words(placement: Placement) -> str:
        more = "more than" if asked(placement) else "at most as much as"
        return f"{over} moves {more} {under}"

    return "traffic", asked, words


CAPACITY: Final[Watch] = ("capacity", does_not_fit, _fit_words)
"""What is asked and said about what fits into dram."""

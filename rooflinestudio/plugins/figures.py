"""An estimate as a flat list of named figures, and back: for checking, stacking and comparing them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.on_demand import OnDemand
from rooflinestudio.core.operators import Estimate, Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.operators import Launch, Tensor

__all__ = ["LAUNCH_FIGURES", "figures_of", "realised", "skeleton_of", "with_figures"]

LAUNCH_FIGURES: Final = (
    "blocks",
    "threads",
    "registers_per_thread",
    "shared_bytes",
    "bytes_in_flight",
    "kernels",
)


def figures_of(estimate: Estimate, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (name, value) of every number in an estimate; what is None is left out.

    Names read as a user would say them: ``work on bf16-tensor``, ``elements of A``, ``bytes read at dram``.
    """
    for pipe, flop in estimate.work.items():
        yield f"{prefix}work on {pipe}", flop
    for tensor in estimate.tensors:
        yield f"{prefix}elements of {tensor.name}", tensor.elements
        yield f"{prefix}reads of {tensor.name}", tensor.reads
        yield f"{prefix}writes of {tensor.name}", tensor.writes
    for boundary, (read, write) in estimate.blocked.items():
        yield f"{prefix}bytes read at {boundary}", read
        yield f"{prefix}bytes written at {boundary}", write
    if estimate.footprint_bytes is not None:
        yield f"{prefix}footprint", estimate.footprint_bytes
    if estimate.launch is not None:
        for name in LAUNCH_FIGURES:
            value = getattr(estimate.launch, name)
            if value is not None:
                yield f"{prefix}{name.replace('_', ' ')} of the launch", value
    for pipe, flop in (estimate.padded_work or {}).items():
        yield f"{prefix}padded work on {pipe}", flop
    for part in estimate.parts:
        yield f"{prefix}count of {part.label}", part.count
        yield from figures_of(part.estimate, f"{prefix}{part.label}: ")


def realised(estimate: Estimate) -> Estimate:
    """Return an estimate whose figures on demand are all worked out."""
    changes: dict[str, Any] = {
        name: dict(figures)
        for name in ("blocked", "padded_work")
        if (figures := getattr(estimate, name)).__class__ is OnDemand
    }
    parts: Any = estimate.parts
    if isinstance(parts, tuple) and parts:
        changes["parts"] = tuple(
            replace(part, estimate=realised(part.estimate))
            if isinstance(part, Part) and isinstance(part.estimate, Estimate)
            else part  # the guard says what is wrong with it
            for part in parts
        )
    return replace(estimate, **changes) if changes else estimate


def with_figures(estimate: Estimate, values: Iterator[Any]) -> Estimate:
    """Return the estimate with other numbers, taken from ``values`` in the order of :func:`figures_of`."""
    work = _replaced(estimate.work, values)
    tensors = tuple(_tensor(tensor, values) for tensor in estimate.tensors)
    blocked = {boundary: (next(values), next(values)) for boundary in estimate.blocked}
    footprint = None if estimate.footprint_bytes is None else next(values)
    launch = None if estimate.launch is None else _launch(estimate.launch, values)
    padded = None if estimate.padded_work is None else _replaced(estimate.padded_work, values)
    parts = tuple(_part(part, values) for part in estimate.parts)
    return replace(
        estimate, work=work, tensors=tensors, blocked=blocked, footprint_bytes=footprint, launch=launch,
        padded_work=padded, parts=parts,
    )  # fmt: skip


def _replaced(table: Mapping[str, Any], values: Iterator[Any]) -> dict[str, Any]:
    return {key: next(values) for key in table}


def _tensor(tensor: Tensor, values: Iterator[Any]) -> Tensor:
    return replace(tensor, elements=next(values), reads=next(values), writes=next(values))


def _launch(launch: Launch, values: Iterator[Any]) -> Launch:
    changed: dict[str, Any] = {
        name: next(values) for name in LAUNCH_FIGURES if getattr(launch, name) is not None
    }
    return replace(launch, **changed)


def _part(part: Part, values: Iterator[Any]) -> Part:
    count = next(values)
    return replace(part, count=count, estimate=with_figures(part.estimate, values))


def skeleton_of(estimate: Estimate) -> tuple[Any, ...]:
    """Return what an estimate says besides its numbers; two of the same skeleton can be stacked."""
    return (
        estimate.main_pipe,
        estimate.crosses,
        estimate.home,
        tuple((tensor.name, tensor.dtype, tensor.role, tensor.slope) for tensor in estimate.tensors),
        tuple((part.label, part.operator, skeleton_of(part.estimate)) for part in estimate.parts),
    )

"""Estimates changed as a whole: activations that stay on chip, a training step in first order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.plugins import Estimate, Launch, OnDemand, Tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["TRAIN_TRAFFIC", "TRAIN_WORK", "activations_on_chip", "training_step"]

KEPT: Final = ("weight", "cache")
"""Roles of the tensors that must come from dram, however few tokens there are."""

TRAIN_WORK, TRAIN_TRAFFIC = 3.0, 2.0
"""Forward and backward pass together, in forward passes: the first-order stand-in of the layer budget."""

_KERNELS: Final = 3
"""Launches of a training step, in those of the forward pass: a product has two products in its backward pass."""


def activations_on_chip(estimate: Estimate) -> Estimate:
    """Return an estimate of which only weights and cache cross dram.

    The activations of a few tokens are small and pass from kernel to kernel in L2; at L2 and inside it the count is
    that of the kernel alone.
    """
    tensors = tuple(
        one if one.role in KEPT else Tensor(one.name, one.elements, one.dtype, 0, 0, one.role)
        for one in estimate.tensors
    )
    blocked, inside = estimate.blocked, {}
    for name in blocked:
        inside["l2" if name == "dram" else name] = _figure(blocked, name)
    if "l2" not in inside:
        inside["l2"] = lambda: _once(estimate.tensors)
    return Estimate(
        estimate.work, estimate.main_pipe, tensors, OnDemand(inside), estimate.crosses, None, estimate.launch,
        estimate.padded_work,
    )  # fmt: skip


def _figure(blocked: Mapping[str, tuple[Num, Num]], name: str) -> Callable[[], tuple[Num, Num]]:
    return lambda: blocked[name]


def _once(tensors: tuple[Tensor, ...]) -> tuple[Num, Num]:
    """Return the (read, write) bytes of every tensor as often as it crosses."""
    read: Num = 0.0
    write: Num = 0.0
    for one in tensors:
        size = one.elements * one.dtype.bytes
        read, write = read + size * one.reads, write + size * one.writes
    return read, write


def training_step(estimate: Estimate) -> Estimate:
    """Return three times the work and twice the traffic: forward and backward pass in first order."""
    tensors = tuple(
        Tensor(
            one.name, one.elements, one.dtype, TRAIN_TRAFFIC * one.reads, TRAIN_TRAFFIC * one.writes, one.role,
            one.slope,
        )
        for one in estimate.tensors
    )  # fmt: skip
    blocked, padded, launch = estimate.blocked, estimate.padded_work, estimate.launch
    return Estimate(
        {pipe: TRAIN_WORK * flop for pipe, flop in estimate.work.items()},
        estimate.main_pipe,
        tensors,
        OnDemand({name: _twice(blocked, name) for name in blocked}),
        estimate.crosses,
        estimate.footprint_bytes,
        None if launch is None else Launch(blocks=launch.blocks, kernels=_KERNELS * launch.kernels),
        None if padded is None else OnDemand({pipe: _thrice(padded, pipe) for pipe in padded}),
        home=estimate.home,
    )


def _twice(blocked: Mapping[str, tuple[Num, Num]], name: str) -> Callable[[], tuple[Num, Num]]:
    def made() -> tuple[Num, Num]:
        read, write = blocked[name]
        return TRAIN_TRAFFIC * read, TRAIN_TRAFFIC * write

    return made


def _thrice(padded: Mapping[str, Num], pipe: str) -> Callable[[], Num]:
    return lambda: TRAIN_WORK * padded[pipe]

"""Kernels for tests: an estimate from its work and its bytes, one byte per element."""

from __future__ import annotations

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.operators import Estimate, OperatorBase, Part, Tensor

__all__ = ["composite", "kernel", "operator"]


def kernel(work=0.0, read=0.0, write=0.0, *, pipe="bf16-tensor", more_work=None, **more):
    """Build an estimate: FLOP on the main pipe, bytes read and written at dram."""
    byte = DTYPES["fp8"]
    tensors = (Tensor("in", read, byte, 1, 0, "input"), Tensor("out", write, byte, 0, 1, "output"))
    return Estimate({pipe: work, **(more_work or {})}, pipe, more.pop("tensors", tensors), **more)


def composite(*parts, **more):
    """Build a composite from (label, count, estimate)."""
    built = tuple(Part(label, label, {}, {}, count, estimate) for label, count, estimate in parts)
    return Estimate({}, more.pop("main_pipe", built[0].estimate.main_pipe), (), parts=built, **more)


class Declared(OperatorBase):
    """An operator that only declares."""

    id = "op"

    def __init__(self, parameters, roles, pinned):
        self.parameters = parameters
        self.dtype_roles = roles
        self.pinned = frozenset(pinned)


def operator(*parameters, roles=None, pinned=()):
    """Build an operator that only declares."""
    return Declared(parameters, roles or {"activation": "bf16", "weight": "bf16", "output": "bf16"}, pinned)

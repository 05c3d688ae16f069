"""What a fused kernel holds on chip while it runs, and whether that fits.

A step's live state is each tensor alive across it, times the threads of a block, times 4 bytes. Where a kernel goes
through a row reduction, what is needed after it is held for a whole row besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.fusion_kernels import Kernel
    from rooflinestudio.core.fusion_links import Link
    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["DEFAULT_THREADS", "LiveState", "live_state", "reduces_rows"]

DEFAULT_THREADS: Final = 256
WORD_BYTES: Final = 4
"""One value in a register, whatever its format in memory."""

SPILL_BYTES_PER_THREAD: Final = 256
"""Where real fused kernels begin to spill: about 64 KiB per block of 256 threads, which is 64 registers a thread."""

_ROW_REDUCTIONS: Final = frozenset(("rmsnorm", "layernorm", "softmax", "cross_entropy", "reduce"))


def reduces_rows(link: Link) -> bool:
    """Tell whether an operator needs a whole row before it can give its first result.

    An operator says so itself with an attribute ``reduces_rows``; of the studio's own it is known.
    """
    return bool(getattr(link.operator, "reduces_rows", link.step.operator in _ROW_REDUCTIONS))


@dataclass(frozen=True, slots=True)
class LiveState:
    """What one block of a kernel holds.

    Attributes
    ----------
    label
        The operator across which most is alive.
    tensors
        How many tensors are alive there.
    threads
        Threads of a block.
    bytes
        ``tensors`` x ``threads`` x ``elements_per_thread`` x 4.
    row_bytes
        What is held for whole rows across a reduction, 0 without one.
    accumulator_bytes
        What a product keeps of its result meanwhile: one tile in fp32.
    registers_bytes, shared_bytes
        What one SM has, or None where the profile does not say.
    """

    label: str
    tensors: int
    threads: int
    bytes: float
    row_bytes: float
    accumulator_bytes: float
    registers_bytes: float | None
    shared_bytes: float | None

    @property
    def largest_bytes(self) -> float:
        """The larger of what the threads hold at one step and what is held for rows, without accumulators."""
        return max(self.bytes, self.row_bytes)

    @property
    def limit_bytes(self) -> float:
        """Where real fused kernels of that many threads begin to spill."""
        return float(SPILL_BYTES_PER_THREAD * self.threads)

    @property
    def exceeds_registers(self) -> bool:
        """Whether it is more than all registers of an SM, accumulators counted; False where they are not known."""
        return self.registers_bytes is not None and self._whole > self.registers_bytes

    @property
    def exceeds_chip(self) -> bool:
        """Whether it is more than registers and shared memory together; False where they are not known."""
        if self.registers_bytes is None or self.shared_bytes is None:
            return False
        return self._whole > self.registers_bytes + self.shared_bytes

    @property
    def _whole(self) -> float:
        return self.largest_bytes + self.accumulator_bytes

    @property
    def spills(self) -> bool:
        """Whether it is past the point where real kernels spill, or past the registers of an SM."""
        return self.largest_bytes > self.limit_bytes or self.exceeds_registers

    def warning(self, kernel: str) -> str:
        """Return the spill warning, or an empty text."""
        if not self.spills:
            return ""
        held = f"{kernel} holds {_kib(self.largest_bytes)} of live state per block of {self.threads} threads"
        if self.accumulator_bytes:
            held += f" beside {_kib(self.accumulator_bytes)} of accumulators"
        why = f"kernels begin to spill at about {_kib(self.limit_bytes)}"
        if self.exceeds_chip:
            whole = (self.registers_bytes or 0.0) + (self.shared_bytes or 0.0)
            why = f"an SM has {_kib(whole)} of registers and shared memory, so it cannot be held"
        elif self.exceeds_registers:
            shared = f" ({_kib(self.shared_bytes)} there)" if self.shared_bytes is not None else ""
            why = f"an SM has {_kib(self.registers_bytes or 0.0)} of registers: the rest needs shared memory{shared}"
        return f"Spill warning: {held}; {why}. What spills is traffic that is not counted here: put a boundary back."


def _kib(size_bytes: float) -> str:
    return f"{size_bytes / 1024:,.4g} KiB"


def live_state(
    kernel: Kernel, profile: HardwareProfile, *, threads: int = DEFAULT_THREADS, elements_per_thread: int = 1
) -> LiveState:
    """Return the live state of a kernel at its fullest step.

    Parameters
    ----------
    threads
        Threads of a block.
    elements_per_thread
        How many elements of each tensor a thread works on at a time; 8 elements of bf16 are one 16-byte load.
    """
    counts = [(len(_alive(kernel, at)), kernel.links[at].label) for at in range(len(kernel.links))]
    tensors, label = max(counts, key=lambda pair: pair[0])
    size = float(tensors * threads * elements_per_thread * WORD_BYTES)
    registers, shared = profile.registers_per_sm, profile.shared_bytes_per_sm
    return LiveState(
        label,
        tensors,
        threads,
        size,
        max(_row_bytes(kernel, at) for at in range(len(kernel.links))),
        _accumulator_bytes(kernel),
        registers.value * WORD_BYTES if registers is not None else None,
        shared.value if shared is not None else None,
    )


def _uses(kernel: Kernel, at: int) -> Iterator[str]:
    """Yield the tensors that an operator touches: what it takes, its own inputs, what it makes."""
    link = kernel.links[at]
    if link.estimate.tensors:
        yield _chained(kernel, at)
        yield from (name for _, name in link.foreign)
        yield _chained(kernel, at + 1)


def _chained(kernel: Kernel, at: int) -> str:
    """Name the tensor that enters the operator at an index: the kernel's input, or a result inside it."""
    if at == 0:
        return kernel.reads[0].name if kernel.reads else "input"
    return f"{kernel.links[at - 1].label}.{kernel.links[at - 1].chained_out.name}"


def _alive(kernel: Kernel, at: int) -> set[str]:
    """Return the tensors alive across a step: those it touches, and those read before and needed later."""
    return set(_uses(kernel, at)) | _waiting(kernel, at)


def _waiting(kernel: Kernel, at: int) -> set[str]:
    before = {name for step in range(at) for name in _uses(kernel, step)}
    after = {name for step in range(at + 1, len(kernel.links)) for name in _uses(kernel, step)}
    return before & after


def _row_bytes(kernel: Kernel, at: int) -> float:
    """Return what is held while a row is reduced: the row itself, and what was read before and is needed later."""
    link = kernel.links[at]
    width = link.parameters.get("width")
    if len(kernel.links) == 1 or width is None or not reduces_rows(link):
        return 0.0
    held = {_chained(kernel, at)} | _waiting(kernel, at)
    return float(len(held) * width * WORD_BYTES)


def _accumulator_bytes(kernel: Kernel) -> float:
    """Return what products keep of their results: one tile of accumulators each."""
    tiles = [link.parameters for link in kernel.links if link.is_product]
    return float(sum(one.get("tile_m", 0) * one.get("tile_n", 0) * WORD_BYTES for one in tiles))

"""What one kernel of a chain moves and computes: Q_fused = Σ s·n over what comes from outside and goes outside.

W is the sum over its operators, whatever is fused. A tensor between two fused operators stays on chip; a named tensor
is read once per kernel; an operator marked ``!`` writes its output besides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.arithmetic import Num, is_number, larger
from rooflinestudio.core.on_demand import OnDemand
from rooflinestudio.core.operators import Estimate
from rooflinestudio.core.pipes import SPECIAL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rooflinestudio.core.fusion_links import Link
    from rooflinestudio.core.fusion_notation import ChainSpec
    from rooflinestudio.core.operators import Tensor

__all__ = ["CrossingTensor", "KeptTensor", "Kernel", "cut_kernel"]


@dataclass(frozen=True, slots=True)
class CrossingTensor:
    """A tensor that a kernel reads from dram or writes to it.

    Attributes
    ----------
    name
        Its name in the chain: as written, or after the operator that has it (``add.residual``).
    tensor
        With the reads and writes of this kernel.
    """

    name: str
    tensor: Tensor

    @property
    def bytes(self) -> Num:
        """Bytes that cross, read and written."""
        return self.tensor.elements * self.tensor.dtype.bytes * (self.tensor.reads + self.tensor.writes)


@dataclass(frozen=True, slots=True)
class KeptTensor:
    """A tensor between two fused operators.

    Attributes
    ----------
    step
        Index of the operator in the chain that makes it.
    saved_bytes
        What no longer crosses: a write and the reads after it, or the reads alone where it is also written.
    also_written
        Whether ``!`` has it written all the same; it then does not count as kept on chip.
    """

    name: str
    step: int
    tensor: Tensor
    saved_bytes: Num
    also_written: bool


@dataclass(frozen=True)
class Kernel:
    """One kernel of a chain before it is held against a machine.

    Attributes
    ----------
    steps
        Indices of its operators in the chain.
    reads, writes
        What crosses dram.
    between
        The tensors between its operators.
    estimate
        The whole as one estimate.
    """

    steps: range
    links: tuple[Link, ...]
    reads: tuple[CrossingTensor, ...]
    writes: tuple[CrossingTensor, ...]
    between: tuple[KeptTensor, ...]
    estimate: Estimate

    @property
    def label(self) -> str:
        """The operators in words: ``add + rmsnorm``."""
        return " + ".join(link.label for link in self.links)

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of all its operators; where two differ, the first one's."""
        return {name: value for link in reversed(self.links) for name, value in link.parameters.items()}

    @property
    def kept_on_chip(self) -> tuple[KeptTensor, ...]:
        """The tensors that never cross dram."""
        return tuple(one for one in self.between if not one.also_written)


def cut_kernel(spec: ChainSpec, links: Sequence[Link], steps: range) -> Kernel:
    """Cut one kernel out of a resolved chain."""
    crossing = _Crossing(spec, links, steps)
    for at in steps:
        crossing.step(at)
    own = tuple(links[at] for at in steps)
    reads = tuple(CrossingTensor(name, one) for name, one in crossing.reads.items())
    estimate = _merged(own, reads, tuple(crossing.writes))
    return Kernel(steps, own, reads, tuple(crossing.writes), tuple(crossing.between), estimate)


class _Crossing:
    """Collects what crosses, operator by operator."""

    def __init__(self, spec: ChainSpec, links: Sequence[Link], steps: range) -> None:
        self.spec, self.links, self.steps = spec, links, steps
        self.reads: dict[str, Tensor] = {}
        self.writes: list[CrossingTensor] = []
        self.between: list[KeptTensor] = []

    def step(self, at: int) -> None:
        link = self.links[at]
        tensors = link.estimate.tensors
        if not tensors:
            return
        self._chained_in(at, link)
        foreign = dict(link.foreign)
        for index, tensor in enumerate(tensors):
            if index in foreign:
                self._read(foreign[index], tensor)
            elif index > 0 and not _is_zero(
                tensor.reads
            ):  # its own intermediates, such as naive attention's scores
                self._read(f"{link.label}.{tensor.name}", tensor)
            if index < len(tensors) - 1 and not _is_zero(tensor.writes):
                self._write(f"{link.label}.{tensor.name}", tensor)
        self._chained_out(at, link)

    def _chained_in(self, at: int, link: Link) -> None:
        tensor = link.chained_in
        if at != self.steps.start or _is_zero(tensor.reads):
            return
        if at == 0:
            self._read(self.spec.input_name or f"{link.label}.{tensor.name}", tensor)
            return
        self._read(_output_name(self.links[at - 1]), tensor)

    def _chained_out(self, at: int, link: Link) -> None:
        tensor, step = link.chained_out, link.step
        inside = at + 1 < self.steps.stop
        if not _is_zero(tensor.writes) and (not inside or step.written):
            self._write(_output_name(link), tensor)
        if inside:
            size = tensor.elements * tensor.dtype.bytes
            reads = self.links[at + 1].chained_in.reads
            saved = size * (reads if step.written else tensor.writes + reads)
            self.between.append(KeptTensor(_output_name(link), at, tensor, saved, step.written))

    def _read(self, name: str, tensor: Tensor) -> None:
        """Count a tensor as read: once, however many operators of the kernel use it."""
        known = self.reads.get(name)
        reads = tensor.reads if known is None else larger(known.reads, tensor.reads)
        self.reads[name] = replace(known or tensor, reads=reads, writes=0)

    def _write(self, name: str, tensor: Tensor) -> None:
        self.writes.append(CrossingTensor(name, replace(tensor, reads=0)))


def _output_name(link: Link) -> str:
    return f"{link.label}.{link.chained_out.name}"


def _is_zero(value: Any) -> bool:
    return is_number(value) and value == 0


# ------------------------------------------------------------------------------------ one estimate


def _merged(
    links: tuple[Link, ...], reads: tuple[CrossingTensor, ...], writes: tuple[CrossingTensor, ...]
) -> Estimate:
    """Return the kernel as one estimate; a product among the operators brings its tiles and its launch."""
    work: dict[str, Num] = {}
    for link in links:
        for pipe, flop in link.estimate.work.items():
            work[pipe] = work.get(pipe, 0.0) + flop
    product = next((link for link in links if "dram" in link.estimate.blocked), None)
    tensors = tuple(replace(one.tensor, name=one.name) for one in (*reads, *writes))
    return Estimate(
        work,
        _main_pipe(links, work),
        tensors,
        _blocked(links, product, tensors) if product is not None else {},
        frozenset[str]().union(*(link.estimate.crosses for link in links)),
        footprint_bytes=_footprint(tensors),
        launch=(product or links[0]).estimate.launch,
        padded_work=_padded(links, work),
        notes=_notes(links),
    )


def _main_pipe(links: tuple[Link, ...], work: Mapping[str, Num]) -> str:
    """Return the pipe with most of the work; where there is none, that of the first operator."""
    pipes = [pipe for pipe in work if pipe != SPECIAL]
    return max(pipes, key=lambda pipe: work[pipe]) if pipes else links[0].estimate.main_pipe


def _footprint(tensors: tuple[Tensor, ...]) -> Num:
    size: dict[str, Num] = {one.name: one.elements * one.dtype.bytes for one in tensors}
    return sum(size.values(), start=0.0)


def _blocked(
    links: tuple[Link, ...], product: Link, tensors: tuple[Tensor, ...]
) -> Mapping[str, tuple[Num, Num]]:
    """Return the product's blocked counts, with what its fused neighbours add and what they make superfluous.

    The tile counts stay the product's: each block still reads its rows and columns as often; the epilogue's inputs are
    read once, since each element of the result belongs to one block, and its output replaces C.
    """
    own = product.estimate
    if len(links) == 1:
        return own.blocked
    own_read = sum((_size(one) * one.reads for one in own.tensors), start=0.0)
    own_write = sum((_size(one) * one.writes for one in own.tensors), start=0.0)
    more_read = sum((_size(one) * one.reads for one in tensors), start=0.0) - own_read
    more_write = sum((_size(one) * one.writes for one in tensors), start=0.0) - own_write

    def counted(boundary: str) -> Callable[[], tuple[Num, Num]]:
        def count() -> tuple[Num, Num]:
            read, write = own.blocked[boundary]
            return larger(read + more_read, 0.0), larger(write + more_write, 0.0)

        return count

    return OnDemand({boundary: counted(boundary) for boundary in own.blocked})


def _size(tensor: Tensor) -> Num:
    return tensor.elements * tensor.dtype.bytes


def _padded(links: tuple[Link, ...], work: Mapping[str, Num]) -> Mapping[str, Num] | None:
    """Return the work with the padding that single operators told; the others do no more than they must."""
    padded = dict(work)
    told = False
    for link in links:
        for pipe, flop in (link.estimate.padded_work or {}).items():
            told = True
            padded[pipe] = padded.get(pipe, 0.0) + flop - link.estimate.work.get(pipe, 0.0)
    return padded if told else None


def _notes(links: tuple[Link, ...]) -> Callable[[], tuple[str, ...]] | None:
    makers = [(link.label, link.estimate.notes) for link in links if link.estimate.notes is not None]
    if not makers:
        return None
    return lambda: tuple(f"{label}: {note}" for label, make in makers for note in make())

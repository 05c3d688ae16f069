"""The fusion bench: a chain as cards with joints between them, and what its cuts cost, as frozen values for the view.

Everything is worked out by ``fuse`` and ``recut`` with the settings of the placed row, so that the sums here are the
figures of the row on the canvas. Counts are at dram, compulsory (MODEL 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.fusion import fuse, recut
from rooflinestudio.core.fusion_links import place_words
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters

if TYPE_CHECKING:
    from rooflinestudio.core.chains import ChainOperator
    from rooflinestudio.core.fusion import ChainSpec, FusedChain, FusedKernel
    from rooflinestudio.core.fusion_links import Link
    from rooflinestudio.core.placing import EstimateSource, PlacedRow

__all__ = ["Bench", "BenchCard", "BenchJoint", "BenchKernel", "Stage", "bench_of"]


@dataclass(frozen=True, slots=True)
class BenchCard:
    """One operator of the chain.

    Attributes
    ----------
    index
        Its number in the chain, from 0.
    title, notation
        The operator's label; the step as it is written (``add(x)``).
    flop_per_element, reads, writes
        FLOP per element of its result, and how many whole tensors it takes and makes as a kernel of its own; None
        where the chain cannot be worked out.
    foreign
        How many further inputs it has, which can be named.
    is_written
        Whether its result is also written where the next operator takes it from registers.
    fault
        Why the chain stops here, or empty.
    """

    index: int
    operator: str
    title: str
    notation: str
    flop_per_element: float | None = None
    reads: float | None = None
    writes: float | None = None
    foreign: int = 0
    names: tuple[str, ...] = ()
    is_written: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class BenchJoint:
    """What stands between two operators.

    Attributes
    ----------
    index
        Number of the joint, from 0.
    is_cut
        Whether a kernel boundary stands there.
    tensor
        Name of what is handed over (``scale.y``).
    size_bytes
        One crossing of it, or None where it is not known.
    crossings
        How often it crosses dram as drawn: written and read 2, kept on chip 0, also written (``!``) 1.
    """

    index: int
    is_cut: bool
    tensor: str
    size_bytes: float | None
    crossings: int


@dataclass(frozen=True, slots=True)
class BenchKernel:
    """One kernel as drawn: its cards, what it reads and writes, and its figures (None where there are none)."""

    number: int
    steps: range
    label: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    kernel: FusedKernel | None = None


@dataclass(frozen=True)
class Stage:
    """The chain cut in one way: ``split``, ``drawn`` or ``fused``."""

    id: str
    chain: FusedChain

    @property
    def rate_flop_per_s(self) -> float:
        """ΣW / ΣT: where it stands on the roof."""
        return self.chain.work_flop / self.chain.time_s if self.chain.time_s else 0.0


@dataclass(frozen=True)
class Bench:
    """A chain on the bench.

    Attributes
    ----------
    row
        The entry on its machine.
    spec
        Operators and cuts.
    chain
        What it comes to, or None where it is refused (``reason`` says why).
    reason
        With the place in the chain and the mend.
    """

    row: PlacedRow
    spec: ChainSpec
    operator: ChainOperator
    cards: tuple[BenchCard, ...]
    joints: tuple[BenchJoint, ...]
    kernels: tuple[BenchKernel, ...]
    chain: FusedChain | None = None
    reason: str = ""

    @property
    def is_forecast(self) -> bool:
        """Whether launches, latency and uneven tiles are counted in."""
        return bool(self.row.settings.forecast)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """All split, as drawn, all fused; nothing where the chain is refused."""
        if self.chain is None:
            return ()
        spec = self.spec
        return (
            Stage("split", recut(self.chain, spec.split())),
            Stage("drawn", self.chain),
            Stage("fused", recut(self.chain, spec.fused())),
        )

    def stage(self, id_: str) -> FusedChain:
        """Return the chain cut in one of the three ways; ``KeyError`` where it is refused."""
        for one in self.stages:
            if one.id == id_:
                return one.chain
        raise KeyError(f"no stage {id_!r}: {self.reason}")

    @property
    def fused_speedup(self) -> float:
        """How many times as long the split takes as the chain in a single kernel."""
        return self.stage("fused").speedup_vs_split

    @property
    def saved_bytes(self) -> float:
        """Traffic that no longer crosses."""
        drawn = self.stage("drawn")
        return drawn.split_traffic_bytes - drawn.traffic_bytes

    @property
    def launch_saved_s(self) -> float | None:
        """Launch overhead of the kernels that are not launched any more, or None where the profile has none."""
        profile = self.row.profile
        if profile is None or profile.launch_overhead is None:
            return None
        return (len(self.cards) - len(self.kernels)) * float(profile.launch_overhead.value)


def bench_of(
    row: PlacedRow,
    operator: ChainOperator,
    source: EstimateSource,
    *,
    threads: int = 256,
    elements_per_thread: int = 1,
) -> Bench:
    """Put a chain on the bench.

    Parameters
    ----------
    operator, source
        The chain as an operator of the study, and who answers for its operators.
    threads, elements_per_thread
        The block that the live state is worked out for.
    """
    spec = operator.spec
    chain, reason = None, ""
    try:
        chain = _fused(row, operator, source).with_block(
            threads=threads, elements_per_thread=elements_per_thread
        )
    except StudioError as error:
        reason = str(error)
    links = chain.links if chain is not None else ()
    faulty = _faulty(spec, reason)
    cards = tuple(
        _card(spec, at, source, links[at] if links else None, reason if at == faulty else "")
        for at in range(len(spec.steps))
    )
    joints = tuple(_joint(spec, at, links) for at in range(len(spec.cuts)))
    return Bench(row, spec, operator, cards, joints, _kernels(spec, chain), chain, reason)


def _fused(row: PlacedRow, operator: ChainOperator, source: EstimateSource) -> FusedChain:
    """Work the chain out with the parameters and formats with which it was placed."""
    if row.profile is None:
        raise StudioError(row.reason or f"There is no profile of {row.machine}.")
    resolved = resolve_parameters(operator, row.entry.parameters, row.profile)
    formats = resolve_dtypes(operator, parse_dtypes(row.entry.dtypes))
    return fuse(operator.spec, resolved, formats.given, row.profile, source, row.settings)


def _faulty(spec: ChainSpec, reason: str) -> int | None:
    """Return the operator that a reason is about: the one that it names first."""
    if not reason:
        return None
    places = [(reason.find(place_words(spec, at)), at) for at in range(len(spec.steps))]
    return min(((place, at) for place, at in places if place >= 0), default=(0, None))[1]


def _card(spec: ChainSpec, at: int, source: EstimateSource, link: Link | None, fault: str) -> BenchCard:
    step = spec.steps[at]
    try:
        title = source.operator(step.operator).label
    except StudioError:
        title = step.operator
    if link is None:
        return BenchCard(
            at, step.operator, title, str(step),
            names=step.names, foreign=len(step.names), is_written=step.written, fault=fault,
        )  # fmt: skip
    reads, writes = _passes(link)
    elements = float(link.chained_out.elements)
    work = float(sum(flop for pipe, flop in link.estimate.work.items() if pipe != "special"))
    return BenchCard(
        at, step.operator, title, str(step),
        work / elements if elements else 0.0, reads, writes, len(link.foreign), step.names, step.written, fault,
    )  # fmt: skip


def _passes(link: Link) -> tuple[float, float]:
    """Return how many tensors it reads and writes; row weights and other small ones are not counted as one."""
    largest = max(float(one.elements) for one in link.estimate.tensors)
    # A row weight is one element in thousands: what is smaller than a hundredth is no pass over the data.
    whole = [one for one in link.estimate.tensors if float(one.elements) * 100 >= largest]
    return sum(float(one.reads) for one in whole), sum(float(one.writes) for one in whole)


def _joint(spec: ChainSpec, at: int, links: tuple[Link, ...]) -> BenchJoint:
    step, is_cut = spec.steps[at], spec.cuts[at]
    if not links:
        return BenchJoint(at, is_cut, spec.labels[at], None, _crossings(is_cut, step.written))
    out = links[at].chained_out
    size = float(out.elements * out.dtype.bytes)
    return BenchJoint(at, is_cut, f"{links[at].label}.{out.name}", size, _crossings(is_cut, step.written))


def _crossings(is_cut: bool, is_written: bool) -> int:
    return 2 if is_cut else int(is_written)


def _kernels(spec: ChainSpec, chain: FusedChain | None) -> tuple[BenchKernel, ...]:
    made = []
    for number, steps in enumerate(spec.kernels(), start=1):
        if chain is None:
            label = " + ".join(spec.labels[at] for at in steps)
            made.append(BenchKernel(number, steps, label))
            continue
        one = chain.kernels[number - 1]
        reads = tuple(tensor.name for tensor in one.kernel.reads if _is_whole(one, tensor.bytes))
        writes = tuple(tensor.name for tensor in one.kernel.writes)
        made.append(BenchKernel(number, steps, one.label, reads, writes, one))
    return tuple(made)


def _is_whole(kernel: FusedKernel, size_bytes: object) -> bool:
    """Whether a tensor is worth its name in the head of a kernel: row weights are not."""
    return float(size_bytes) * 1000 >= kernel.traffic_bytes  # type: ignore[arg-type]

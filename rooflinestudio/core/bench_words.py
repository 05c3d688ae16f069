"""The fusion bench in words: heads of kernels, joints, bars, notes. The view draws these and adds nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.bench_readouts import boundary_word, counted
from rooflinestudio.core.fusion_words import training_words
from rooflinestudio.core.grid.words import bound_text
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.bench import Bench, BenchJoint, BenchKernel, Stage

__all__ = [
    "BarSegment", "BenchBar", "BenchNote", "KernelHead", "bars", "joint_lines", "kernel_head", "notes", "subtitle",
    "toggle_words", "training_note", "variant_words",
]  # fmt: skip

_STAGES: Final = {"split": "All split", "drawn": "As drawn", "fused": "All fused"}


@dataclass(frozen=True, slots=True)
class KernelHead:
    """What stands over the cards of a kernel: its name, its tensors, its figures, and what binds it."""

    name: str
    tensors: str = ""
    traffic: str = ""
    time: str = ""
    bound: str = ""
    bound_words: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class BarSegment:
    """One kernel of a bar."""

    label: str
    time_s: float
    bound: str
    tip: str


@dataclass(frozen=True, slots=True)
class BenchBar:
    """One way to cut the chain as a bar: its length is time, a segment is a kernel."""

    id: str
    title: str
    segments: tuple[BarSegment, ...]
    time_s: float
    time: str
    traffic: str


@dataclass(frozen=True, slots=True)
class BenchNote:
    """A note with its first word."""

    word: str
    text: str


def subtitle(bench: Bench) -> str:
    """Return how much there is of it: ``6 operators, 2 kernels``."""
    return f"{counted(len(bench.cards), 'operator')}, {counted(len(bench.kernels), 'kernel')}"


def variant_words(bench: Bench) -> str:
    """Return what the chain as drawn is called as a variant: ``2 kernels: add + rmsnorm | silu``."""
    return f"{counted(len(bench.kernels), 'kernel')}: " + " | ".join(one.label for one in bench.kernels)


# ------------------------------------------------------------------------------------ kernels and joints


def kernel_head(kernel: BenchKernel) -> KernelHead:
    """Return the head of a kernel."""
    name, one = f"Kernel {kernel.number}", kernel.kernel
    if one is None:
        return KernelHead(name)
    own = {link.label for link in one.kernel.links}
    reads = ", ".join(_plain_names(kernel.reads, own))
    writes = ", ".join(kernel.writes)
    traffic, time = format_quantity(one.traffic_bytes, "B"), format_quantity(one.time_s, "s")
    tip = [
        f"{name}: {kernel.label}",
        *(f"reads {t.name}  {format_quantity(float(t.bytes), 'B')}" for t in one.kernel.reads),
        *(f"writes {t.name}  {format_quantity(float(t.bytes), 'B')}" for t in one.kernel.writes),
        f"{format_quantity(one.work_flop, 'FLOP')}, {format_number(one.intensity)} FLOP/byte, {time}",
    ]
    if one.saved_bytes > 0:
        tip.append(f"fusion saves {format_quantity(one.saved_bytes, 'B')}")
    return KernelHead(
        name,
        f"reads {reads}  writes {writes}",
        traffic,
        time,
        one.bound,
        bound_text(one.placement),
        "\n".join(tip),
    )


def _plain_names(names: tuple[str, ...], own: set[str]) -> Iterator[str]:
    """Yield the names without the operator of the kernel that they belong to, where they stay distinct."""
    plain = [name.partition(".")[2] if name.partition(".")[0] in own else name for name in names]
    for whole, short in zip(names, plain, strict=True):
        yield short if short and plain.count(short) == 1 else whole


def joint_lines(joint: BenchJoint) -> tuple[str, str, str]:
    """Return the tensor of a joint, what crosses (``2 × 1.07 GB``), and how."""
    size = "" if joint.size_bytes is None else format_quantity(joint.size_bytes, "B")
    name = joint.tensor
    if joint.is_cut:
        return name, f"2 × {size}" if size else "", "write + read"
    if joint.crossings:
        return name, f"1 × {size}" if size else "", "also written"
    return name, f"2 × {size}" if size else "", "in registers"


def toggle_words(bench: Bench, joint: int) -> str:
    """Return what a click on a joint does: ``Fuse scale and silu``."""
    labels = bench.spec.labels
    if bench.spec.cuts[joint]:
        return f"Fuse {labels[joint]} and {labels[joint + 1]}"
    return f"Split {labels[joint]} from {labels[joint + 1]}"


# ------------------------------------------------------------------------------------ bars


def bars(bench: Bench) -> tuple[BenchBar, ...]:
    """Return the three ways to cut the chain as bars."""
    return tuple(_bar(one) for one in bench.stages)


def _bar(stage: Stage) -> BenchBar:
    chain = stage.chain
    segments = tuple(
        BarSegment(
            f"all {len(chain.spec.steps)}"
            if stage.id == "fused" and len(chain.spec.steps) > 3
            else one.label,
            one.time_s,
            one.bound,
            f"{one.label}\n{format_quantity(one.time_s, 's')}, {format_quantity(one.traffic_bytes, 'B')}\n"
            f"{bound_text(one.placement)}",
        )
        for one in chain.kernels
    )
    return BenchBar(
        stage.id,
        f"{_STAGES[stage.id]}, {counted(len(segments), 'kernel')}",
        segments,
        chain.time_s,
        format_quantity(chain.time_s, "s"),
        format_quantity(chain.traffic_bytes, "B"),
    )


# ------------------------------------------------------------------------------------ notes


def notes(bench: Bench) -> tuple[BenchNote, ...]:
    """Return what to know beside the figures: spills first, then what a block holds, then the rest."""
    return tuple(_notes(bench))


def _notes(bench: Bench) -> Iterator[BenchNote]:
    chain = bench.chain
    if chain is None:
        return
    told = set()
    for one in chain.kernels:
        warning = one.live_state.warning(one.label) if len(one.operators) > 1 else ""
        if warning:
            told.add(warning)
            yield BenchNote("Trap", warning)
    fused = [one for one in bench.kernels if len(one.steps) > 1]
    if fused and not told:
        yield BenchNote("Trap", _occupancy(bench, fused))
    yield from _counted_otherwise(bench)
    yield from (BenchNote("Nuance", one) for one in chain.notes if one not in told)


def _counted_otherwise(bench: Bench) -> Iterator[BenchNote]:
    """Say where the entry's own boundary or policy puts its point elsewhere than the bench's figures do."""
    placement, drawn = bench.row.placement, bench.stage("drawn")
    if placement is None:
        return
    same = math.isclose(float(placement.traffic_bytes), drawn.traffic_bytes, rel_tol=1e-9)
    if same and placement.boundary_id == "dram":
        return
    profile = bench.row.profile
    boundary = profile.boundaries.get(placement.boundary_id) if profile is not None else None
    where = boundary.label if boundary is not None else placement.boundary_id
    yield BenchNote(
        "Nuance",
        f"On the canvas this entry is counted at {where}, {bench.row.settings.policy}; the bench counts fusion at "
        f"{boundary_word(bench)}, compulsory.",
    )


def _occupancy(bench: Bench, fused: list[BenchKernel]) -> str:
    """Say what the fullest kernel holds, and that more of it costs occupancy."""
    fullest = max(fused, key=lambda one: one.kernel.live_state.largest_bytes if one.kernel else 0.0)
    assert fullest.kernel is not None
    state = fullest.kernel.live_state
    held = f"{state.largest_bytes / 1024:,.4g} KiB"
    return (
        f"Fewer bytes are not yet less time: kernel {fullest.number} holds {held} of live state per block of "
        f"{state.threads} threads, and kernels begin to spill at about {state.limit_bytes / 1024:,.4g} KiB. "
        "Before that, fewer blocks fit beside each other. Measure both."
    )


def training_note(bench: Bench) -> str:
    """Return stash or recompute in one sentence; empty where the chain is refused or nothing is fused."""
    chain = bench.chain
    if chain is None or all(bench.spec.cuts):
        return ""
    return training_words(chain.training)

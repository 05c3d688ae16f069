"""What the backward pass needs of a fused chain: written in the forward pass, or worked out again in the backward.

Stashing costs traffic (a write, and a read in the backward pass), recomputing costs work (the operators that lead to
the tensor run again) and the reading of their inputs. What the backward pass reads anyway stands on neither side. Both
are held against the machine, each as a kernel of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.fusion_kernels import cut_kernel
from rooflinestudio.core.operators import Estimate
from rooflinestudio.core.placement import place_estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.fusion_kernels import KeptTensor, Kernel
    from rooflinestudio.core.fusion_links import Link
    from rooflinestudio.core.fusion_notation import ChainSpec
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.settings import Settings

__all__ = ["Side", "TrainingChoice", "training_choice"]

Needs = Literal["input", "output", "nothing"]

_NEEDS_NOTHING: Final = frozenset(
    ("add", "scale", "cast", "rope", "dropout", "transpose", "reduce", "quantize")
)
"""Linear in their input, with a gradient that no forward value enters; dropout makes its mask from the seed again."""

_NEEDS_OUTPUT: Final = frozenset(("softmax", "relu"))
"""Their gradient follows from their result."""


def backward_needs(link: Link) -> Needs:
    """Return what an operator's backward pass needs of the chain: its input unless something else is known.

    An operator says so itself with an attribute ``backward_needs``.
    """
    told = getattr(link.operator, "backward_needs", None)
    if told in ("input", "output", "nothing"):
        return told  # type: ignore[no-any-return]
    if link.step.operator in _NEEDS_NOTHING:
        return "nothing"
    return "output" if link.step.operator in _NEEDS_OUTPUT else "input"


@dataclass(frozen=True, slots=True)
class Side:
    """What one of both choices adds to a training step: FLOP, bytes at dram, seconds by the roofline."""

    work_flop: float
    traffic_bytes: float
    time_s: float


@dataclass(frozen=True, slots=True)
class TrainingChoice:
    """Stash or recompute, for what a chain keeps on chip and its backward pass needs.

    Attributes
    ----------
    needed
        Names of these tensors.
    stash
        Each written once in the forward pass and read once in the backward.
    recompute
        Per kernel, its operators up to the last tensor needed run again, from the kernel's inputs.
    """

    needed: tuple[str, ...]
    stash: Side
    recompute: Side

    @property
    def cheaper(self) -> Literal["stash", "recompute"]:
        """The side that takes less time; on a tie the one that needs no memory."""
        return "stash" if self.stash.time_s < self.recompute.time_s else "recompute"


def training_choice(
    spec: ChainSpec,
    links: Sequence[Link],
    kernels: Sequence[Kernel],
    profile: HardwareProfile,
    settings: Settings,
) -> TrainingChoice | None:
    """Return both sides, or None where the backward pass needs nothing that is kept on chip."""
    needed: list[str] = []
    stashes: list[Side] = []
    recomputed: list[Side] = []
    plain = replace(settings, ceiling=None, forecast=False)
    for kernel in kernels:
        kept = _needed(links, kernel)
        if not kept:
            continue
        needed += [one.name for one in kept]
        stashes.append(_stash(kept, profile, plain))
        last = max(one.step for one in kept)
        again = cut_kernel(spec, links, range(kernel.steps.start, last + 1))
        recomputed.append(_recompute(again, profile, plain))
    if not needed:
        return None
    return TrainingChoice(tuple(needed), _sum(stashes), _sum(recomputed))


def _needed(links: Sequence[Link], kernel: Kernel) -> list[KeptTensor]:
    """Return the tensors kept on chip that a backward pass needs: as an input of the next, or as a result."""
    return [
        kept
        for kept in kernel.kept_on_chip
        if backward_needs(links[kept.step]) == "output" or backward_needs(links[kept.step + 1]) == "input"
    ]


def _stash(kept: list[KeptTensor], profile: HardwareProfile, settings: Settings) -> Side:
    tensors = tuple(replace(one.tensor, name=one.name, reads=1, writes=1) for one in kept)
    return _side(Estimate({}, profile.reference_ceiling, tensors), profile, settings)


def _recompute(again: Kernel, profile: HardwareProfile, settings: Settings) -> Side:
    anyway = _read_anyway(again)
    # What is worked out again feeds the backward kernel from registers: it is not written.
    tensors = tuple(replace(one.tensor, name=one.name) for one in again.reads if one.name not in anyway)
    return _side(replace(again.estimate, tensors=tensors, blocked={}), profile, settings)


def _read_anyway(kernel: Kernel) -> set[str]:
    """Name what the backward pass reads in any case: all inputs of operators whose gradient needs their input."""
    names: set[str] = set()
    for at, link in enumerate(kernel.links):
        if backward_needs(link) == "input":
            names.update(name for _, name in link.foreign)
            if at == 0 and kernel.reads:
                names.add(kernel.reads[0].name)
    return names


def _side(estimate: Estimate, profile: HardwareProfile, settings: Settings) -> Side:
    if not estimate.tensors and not any(flop > 0 for flop in estimate.work.values()):
        return Side(0.0, 0.0, 0.0)
    placed = place_estimate(estimate, profile, settings)
    return Side(float(placed.work_flop), float(placed.traffic_bytes), float(placed.time_s))


def _sum(sides: list[Side]) -> Side:
    return Side(
        sum((one.work_flop for one in sides), start=0.0),
        sum((one.traffic_bytes for one in sides), start=0.0),
        sum((one.time_s for one in sides), start=0.0),
    )

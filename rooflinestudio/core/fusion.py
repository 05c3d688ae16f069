"""Fusion: what a chain of operators costs when kernel boundaries between them are taken away (MODEL 5).

A kernel boundary is a memory boundary. Fused, W stays as it is and Q shrinks to what comes from outside and goes
outside: Q_fused = s·n·(r_external + w_external). Counts are at dram, compulsory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.fusion_kernels import cut_kernel
from rooflinestudio.core.fusion_links import resolve_chain
from rooflinestudio.core.fusion_notation import ChainSpec, ChainStep, parse_chain
from rooflinestudio.core.fusion_state import DEFAULT_THREADS, live_state
from rooflinestudio.core.fusion_training import training_choice
from rooflinestudio.core.operators import Estimate, Part
from rooflinestudio.core.placement import place_estimate
from rooflinestudio.core.roofline import intensity
from rooflinestudio.core.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.fusion_kernels import KeptTensor, Kernel
    from rooflinestudio.core.fusion_links import Link
    from rooflinestudio.core.fusion_state import LiveState
    from rooflinestudio.core.fusion_training import TrainingChoice
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import EstimateSource

__all__ = ["ChainSpec", "ChainStep", "FusedChain", "FusedKernel", "fuse", "parse_chain", "recut"]


@dataclass(frozen=True)
class FusedKernel:
    """One kernel of a chain on a machine.

    Attributes
    ----------
    kernel
        Its operators, and what crosses: ``kernel.reads`` and ``kernel.writes``.
    placement
        The whole kernel held against the machine at dram.
    live_state
        What a block holds on chip.
    split_traffic_bytes
        What its operators move as kernels of their own.
    """

    kernel: Kernel
    placement: Placement
    live_state: LiveState
    split_traffic_bytes: float

    @property
    def operators(self) -> tuple[str, ...]:
        """Operator ids, in order."""
        return tuple(link.step.operator for link in self.kernel.links)

    @property
    def label(self) -> str:
        """The operators in words: ``add + rmsnorm``."""
        return self.kernel.label

    @property
    def work_flop(self) -> float:
        """FLOP of its operators together."""
        return float(self.placement.work_flop)

    @property
    def traffic_bytes(self) -> float:
        """Bytes that cross dram."""
        return float(self.placement.traffic_bytes)

    @property
    def intensity(self) -> float:
        """FLOP per byte at dram."""
        return float(self.placement.intensity)

    @property
    def time_s(self) -> float:
        """Seconds."""
        return float(self.placement.time_s)

    @property
    def bound(self) -> str:
        """``compute``, ``memory``, ``latency`` or ``launch``."""
        return str(self.placement.bound)

    @property
    def binding(self) -> str:
        """Id of the ceiling or boundary that binds."""
        return str(self.placement.binding)

    @property
    def kept_on_chip(self) -> tuple[KeptTensor, ...]:
        """The tensors between its operators that never cross."""
        return self.kernel.kept_on_chip

    @property
    def saved_bytes(self) -> float:
        """Traffic that its fusion does away with: round trips, and second readings of a named tensor."""
        return self.split_traffic_bytes - self.traffic_bytes


@dataclass(frozen=True)
class FusedChain:
    """A chain on a machine, as cut.

    Attributes
    ----------
    spec
        Operators and cuts.
    links
        The operators, resolved; they are the same however the chain is cut.
    kernels
        In the order in which they run.
    split_time_s, split_traffic_bytes
        The same chain with every ``+`` as ``|``.
    threads, elements_per_thread
        What the live state was worked out for.
    """

    spec: ChainSpec
    links: tuple[Link, ...]
    profile: HardwareProfile
    settings: Settings
    kernels: tuple[FusedKernel, ...]
    split_time_s: float
    split_traffic_bytes: float
    threads: int = DEFAULT_THREADS
    elements_per_thread: int = 1

    @property
    def work_flop(self) -> float:
        """FLOP of all kernels; no cut changes it."""
        return sum((one.work_flop for one in self.kernels), start=0.0)

    @property
    def traffic_bytes(self) -> float:
        """Bytes at dram of all kernels."""
        return sum((one.traffic_bytes for one in self.kernels), start=0.0)

    @property
    def time_s(self) -> float:
        """Seconds, one kernel after the other."""
        return sum((one.time_s for one in self.kernels), start=0.0)

    @property
    def intensity(self) -> float:
        """FLOP per byte over all kernels."""
        return float(intensity(self.work_flop, self.traffic_bytes))

    @property
    def speedup_vs_split(self) -> float:
        """How many times as long the split takes."""
        return self.split_time_s / self.time_s

    @cached_property
    def training(self) -> TrainingChoice | None:
        """Stash or recompute, or None where the backward pass needs nothing that is kept on chip."""
        kernels = [one.kernel for one in self.kernels]
        return training_choice(self.spec, self.links, kernels, self.profile, self.settings)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know beside the figures."""
        from rooflinestudio.core.fusion_words import notes

        return tuple(notes(self))

    @cached_property
    def estimate(self) -> Estimate:
        """The chain as one estimate, a part per kernel: it can be placed like any composite."""
        parts = tuple(
            Part(
                one.label,
                one.label,
                one.placement.parameters,
                one.placement.dtypes,
                1,
                one.placement.estimate,
            )
            for one in self.kernels
        )
        return Estimate({}, parts[0].estimate.main_pipe, (), parts=parts, notes=lambda: self.notes)

    def toggled(self, joint: int) -> FusedChain:
        """Return the chain with the boundary at one joint taken away, or put there; nothing is asked anew."""
        return recut(self, self.spec.toggled(joint))

    def with_block(self, *, threads: int = DEFAULT_THREADS, elements_per_thread: int = 1) -> FusedChain:
        """Return the same chain with the live state of another block.

        Raises
        ------
        ParameterError
            If one of them is below 1.
        """
        for name, value in (("threads", threads), ("elements per thread", elements_per_thread)):
            if value < 1:
                raise ParameterError(f"{name} = {value} must be at least 1.")
        return _cut(self.spec, self.links, self.profile, self.settings, (threads, elements_per_thread))


def fuse(
    chain: ChainSpec | str,
    parameters: Mapping[str, Any],
    dtypes: Mapping[str, DType],
    profile: HardwareProfile,
    source: EstimateSource,
    settings: Settings = DEFAULT_SETTINGS,
) -> FusedChain:
    """Work out a chain on a machine.

    Parameters
    ----------
    parameters
        Single numbers, texts or switches, given once and handed to every operator that has them; after a product
        tokens is m and width is n.
    dtypes
        Formats by role, as for a single operator.
    settings
        Ceiling, overlap and forecast count; boundary and policy do not: a chain is counted at dram, compulsory.

    Raises
    ------
    ParameterError, RefusedError, UnavailableError
        With the place in the chain and the mend.
    """
    spec = parse_chain(chain) if isinstance(chain, str) else chain
    arrays = [name for name, value in parameters.items() if getattr(value, "ndim", 0)]
    if arrays:
        raise ParameterError(f"{arrays[0]} is an array; a chain takes single numbers. Fuse it once for each.")
    links = resolve_chain(spec, parameters, dtypes, profile, source)
    counted = replace(settings, boundary="dram", policy="compulsory")
    return _cut(spec, links, profile, counted, (DEFAULT_THREADS, 1))


def recut(chain: FusedChain, spec: ChainSpec) -> FusedChain:
    """Return the same operators, cut otherwise, without asking any of them again.

    Raises
    ------
    ValueError
        If the spec has other operators.
    """
    if spec.steps != chain.spec.steps or spec.input_name != chain.spec.input_name:
        raise ValueError("another chain: fuse it anew")
    shape = chain.threads, chain.elements_per_thread
    return _cut(spec, chain.links, chain.profile, chain.settings, shape)


def _cut(
    spec: ChainSpec,
    links: tuple[Link, ...],
    profile: HardwareProfile,
    settings: Settings,
    block: tuple[int, int],
) -> FusedChain:
    split = [_place(cut_kernel(spec, links, steps), profile, settings) for steps in spec.split().kernels()]
    kernels = []
    for steps in spec.kernels():
        kernel = cut_kernel(spec, links, steps)
        placement = split[steps.start] if len(steps) == 1 else _place(kernel, profile, settings)
        state = live_state(kernel, profile, threads=block[0], elements_per_thread=block[1])
        apart = sum((float(split[at].traffic_bytes) for at in steps), start=0.0)
        kernels.append(FusedKernel(kernel, placement, state, apart))
    return FusedChain(
        spec,
        links,
        profile,
        settings,
        tuple(kernels),
        sum((float(one.time_s) for one in split), start=0.0),
        sum((float(one.traffic_bytes) for one in split), start=0.0),
        *block,
    )


def _place(kernel: Kernel, profile: HardwareProfile, settings: Settings) -> Placement:
    dtypes, parameters = kernel.links[0].dtypes, kernel.parameters
    try:
        return place_estimate(
            kernel.estimate, profile, settings, operator=kernel.label, parameters=parameters, dtypes=dtypes
        )
    except RefusedError as error:
        raise RefusedError(
            f"{kernel.links[0].where}: the kernel {kernel.label} cannot be placed. {error}"
        ) from None

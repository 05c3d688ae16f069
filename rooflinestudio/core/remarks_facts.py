"""What the rules of the remarks ask about a placement, worked out once and only if a rule asks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.settings import ALL
from rooflinestudio.core.traffic import POLICIES, compulsory_bytes, tiled_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rooflinestudio.core.boundary_figures import BoundaryFigures
    from rooflinestudio.core.hardware import Boundary, ComputeCeiling
    from rooflinestudio.core.placement import Placement

__all__ = ["Facts", "Kind", "Remark", "Rule", "amount_text", "percent_text", "ratio_text", "time_text"]

Kind = Literal["Trap", "Nuance", "Approximation", "Aside"]


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader of a verdict should know, attached by a rule.

    Attributes
    ----------
    kind
        ``Trap``: the arithmetic invites a conclusion that it does not support. ``Nuance``: what changes how the figure
        is read. ``Approximation``: a figure that is estimated. ``Aside``: a check or a hint.
    text
        One or two sentences.
    rule
        Id of the rule that attached it.
    """

    kind: Kind
    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it answers is the remark's text, empty where it does not apply."""

    id: str
    kind: Kind
    applies: Callable[[Facts], str]


class Facts:
    """A placement of single numbers, and what follows from it."""

    def __init__(self, placement: Placement) -> None:
        self.placement = placement
        self.profile = placement.profile
        self.settings = placement.settings
        self.parameters: Mapping[str, Any] = placement.parameters

    @cached_property
    def at(self) -> BoundaryFigures:
        """The figures at the boundary that stands at the top level."""
        return self.placement.at(self.placement.boundary_id)

    @property
    def boundary(self) -> Boundary:
        """That boundary."""
        return self.profile.boundaries[self.placement.boundary_id]

    @property
    def ceiling(self) -> ComputeCeiling:
        """The ceiling that the fraction of peak is held against."""
        return self.profile.ceilings[self.placement.ceiling_id]

    @property
    def reference(self) -> ComputeCeiling | None:
        """The machine's reference ceiling."""
        return self.profile.ceilings.get(self.profile.reference_ceiling)

    @property
    def compute_s(self) -> float:
        """Seconds of compute."""
        return float(self.placement.compute_s)

    @property
    def memory_s(self) -> float:
        """Seconds of traffic."""
        return float(self.placement.memory_s)

    @property
    def composite(self) -> bool:
        """Whether it is made of several kernels."""
        return bool(self.placement.parts)

    @property
    def single_boundary(self) -> bool:
        """Whether one boundary alone was selected."""
        return self.settings.boundary != ALL

    @property
    def on_tensor(self) -> bool:
        """Whether the main pipe is a matrix pipe."""
        return self.placement.estimate.main_pipe.endswith("-tensor")

    @cached_property
    def everywhere(self) -> Placement | None:
        """The same with every crossed boundary in view, or None where that cannot be placed."""
        return self.varied(boundary=ALL)

    @cached_property
    def policies(self) -> Mapping[str, Placement]:
        """The same under each policy."""
        found = {policy: self.varied(policy=policy) for policy in POLICIES}
        return {policy: one for policy, one in found.items() if one is not None}

    def varied(self, **changes: Any) -> Placement | None:
        """Place the same estimate under changed settings."""
        from rooflinestudio.core.placement import place_estimate

        one = self.placement
        settings = replace(one.settings, **changes)
        if settings == one.settings:
            return one
        try:
            return place_estimate(
                one.estimate, one.profile, settings,
                operator=one.operator, parameters=one.parameters, dtypes=one.dtypes,
            )  # fmt: skip
        except StudioError:
            return None

    @cached_property
    def kernels(self) -> tuple[tuple[float, Placement], ...]:
        """Each kernel with how often it runs."""
        return tuple(_kernels(self.placement, 1.0))

    @cached_property
    def bytes_by_role(self) -> Mapping[str, float]:
        """Compulsory bytes by role of tensor, over all kernels."""
        found: dict[str, float] = {}
        for times, kernel in self.kernels:
            for tensor in kernel.estimate.tensors:
                size = float(tensor.elements) * tensor.dtype.bytes * float(tensor.reads + tensor.writes)
                found[tensor.role] = found.get(tensor.role, 0.0) + times * size
        return found

    def share_of(self, role: str) -> float:
        """Return what part of the compulsory bytes belongs to tensors of a role."""
        total = sum(self.bytes_by_role.values())
        return self.bytes_by_role.get(role, 0.0) / total if total else 0.0

    @cached_property
    def compulsory(self) -> float:
        """Compulsory bytes at dram of a single kernel."""
        return float(sum(compulsory_bytes(self.placement.estimate)))

    @cached_property
    def tiled(self) -> float:
        """Bytes at dram of a single kernel with every re-read."""
        return float(sum(tiled_bytes(self.placement.estimate)))

    @property
    def re_reads(self) -> bool:
        """Whether blocking adds traffic at the boundary in view."""
        here = self.placement.boundary_id in ("dram", "l3")
        return here and not self.composite and self.tiled > 1.05 * self.compulsory > 0

    @cached_property
    def launches_s(self) -> float:
        """What its launches take, in seconds; 0 where the machine's overhead is not known."""
        overhead = self.profile.launch_overhead
        if overhead is None:
            return 0.0
        kernels = (
            times * float(one.estimate.launch.kernels if one.estimate.launch is not None else 1)
            for times, one in self.kernels
        )
        return sum(kernels) * overhead.value

    @property
    def running_s(self) -> float:
        """What it takes without launches."""
        counted = sum(
            times * float(one.limits.launch_s) for times, one in self.kernels if one.limits is not None
        )
        return max(float(self.placement.time_s) - counted, 0.0)

    def limit(self, name: str) -> Mapping[str, Any]:
        """Return what the forecast judged under a name, empty where it did not."""
        limits = self.placement.limits
        return limits.judged.get(name, {}) if limits is not None else {}


def _kernels(placement: Placement, times: float) -> Iterator[tuple[float, Placement]]:
    if not placement.parts:
        yield times, placement
    for part in placement.parts:
        yield from _kernels(part.placement, times * float(part.count))


def numbers_only(placement: Placement) -> bool:
    """Tell whether a placement is of single numbers throughout."""
    return (
        isinstance(placement.bound, str)
        and is_number(placement.time_s)
        and is_number(placement.work_flop)
        and is_number(placement.traffic_bytes)
    )


def time_text(seconds: float) -> str:
    """Write a time: ``138 µs``."""
    return format_quantity(seconds, "s")


def amount_text(value: float, unit: str) -> str:
    """Write a quantity with three digits."""
    return format_quantity(value, unit)


def ratio_text(value: float) -> str:
    """Write a ratio: ``4.62``."""
    return format_number(value)


def percent_text(share: float) -> str:
    """Write a share as a percentage: ``57.1%``."""
    return f"{format_number(100 * share)}%"

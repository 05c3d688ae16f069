"""Where the time of a composite goes: its kernels one by one, and what they come to together.

A budget is made of a placement and computes nothing that the placement does not say: the shares of its parts add up
to one, and its sums are the figures of the row on the canvas (MODEL 1.10).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.budget_words import part_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.placement import Placement

__all__ = ["Budget", "BudgetPart", "budget_of"]

_KINDS: Final = ("compute", "memory", "latency", "launch")


@dataclass(frozen=True, slots=True)
class BudgetPart:
    """One kernel of a composite with all its runs.

    Attributes
    ----------
    index
        Its number among the parts of the placement: what ``("part", entry, index)`` selects.
    name
        What it is called; kernels of one name are numbered.
    count
        How often it runs.
    placement
        A single run; the figures here are those of all runs together.
    share
        Its part of the time of the whole, from 0 to 1.
    """

    index: int
    name: str
    count: float
    placement: Placement
    share: float

    @property
    def work_flop(self) -> float:
        """Work of all its runs, in FLOP."""
        return float(self.count * self.placement.work_flop)

    @property
    def traffic_bytes(self) -> float:
        """Traffic of all its runs at the boundary that counts for it, in bytes."""
        return float(self.count * self.placement.traffic_bytes)

    @property
    def intensity(self) -> float:
        """FLOP/byte; the same for one run and for all."""
        return float(self.placement.intensity)

    @property
    def time_s(self) -> float:
        """Time of all its runs, in seconds."""
        return float(self.count * self.placement.time_s)

    @property
    def bound(self) -> str:
        """What kind of limit binds it."""
        return str(self.placement.bound)


@dataclass(frozen=True)
class Budget:
    """A composite opened: parts in the order in which they run, and the sums.

    Attributes
    ----------
    placement
        The composite on its machine.
    parts
        All its kernels.
    """

    placement: Placement
    parts: tuple[BudgetPart, ...]

    @property
    def work_flop(self) -> float:
        """Work of the whole, in FLOP."""
        return float(self.placement.work_flop)

    @property
    def traffic_bytes(self) -> float:
        """Traffic of the whole at its boundary, in bytes."""
        return float(self.placement.traffic_bytes)

    @property
    def time_s(self) -> float:
        """Time of the whole, kernel after kernel, in seconds."""
        return float(self.placement.time_s)

    @property
    def peak_flop_per_s(self) -> float:
        """Rate of the main pipe, in FLOP/s."""
        return float(self.placement.ceiling_flop_per_s)

    @property
    def mfu(self) -> float:
        """Share of the main pipe's rate that all work together reaches: ΣW / (ΣT · ceiling)."""
        return self.work_flop / (self.time_s * self.peak_flop_per_s)

    @cached_property
    def shares(self) -> Mapping[str, float]:
        """Share of the time under each kind of bound, the kinds in their usual order; only those that occur."""
        spent = {kind: sum(one.share for one in self.parts if one.bound == kind) for kind in _KINDS}
        return {kind: share for kind, share in spent.items() if share > 0}

    @property
    def memory_share(self) -> float:
        """Share of the time in which memory binds, from 0 to 1."""
        return self.shares.get("memory", 0.0)

    @property
    def boundary_label(self) -> str:
        """The machine's word for the boundary whose traffic stands here."""
        id_ = self.placement.boundary_id
        boundary = self.placement.profile.boundaries.get(id_)
        return id_ if boundary is None else boundary.label

    @property
    def is_forecast(self) -> bool:
        """Whether launches, latency and uneven tiles are counted in."""
        return bool(self.placement.settings.forecast)


def budget_of(placement: Placement) -> Budget:
    """Open a composite.

    Raises
    ------
    ValueError
        For a single kernel.
    """
    if not placement.parts:
        raise ValueError(f"{placement.operator or 'the placement'} has no parts")
    whole_s = float(placement.time_s)
    names = part_names(placement)
    return Budget(
        placement,
        tuple(
            BudgetPart(
                at, name, float(one.count), one.placement, float(one.count * one.placement.time_s) / whole_s
            )
            for at, (name, one) in enumerate(zip(names, placement.parts, strict=True))
        ),
    )

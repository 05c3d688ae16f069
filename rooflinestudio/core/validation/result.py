"""An operator held against a table of measured times: what was asked, and the figures row by row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.binding import BOUND_KINDS
from rooflinestudio.core.validation.limits import TIMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import EstimateSource
    from rooflinestudio.core.shapes.table import ShapeTable

__all__ = ["TOLERANCE", "Against", "Refusal", "Validation"]

TOLERANCE: Final = 1e-9
"""A time may fall below its bound by this part before that counts: rounding of the arithmetic, nothing else."""


@dataclass(frozen=True)
class Against:
    """What a table is held against.

    Attributes
    ----------
    source
        Where the operator and its answers come from.
    operator_id, profile
        The operator, and the machine.
    fixed
        Parameters that the table has no column for.
    dtypes
        Formats by role, for tables that have none.
    boundary
        ``dram``, a link, or None for the operator's home.
    """

    source: EstimateSource
    operator_id: str
    profile: HardwareProfile
    fixed: Mapping[str, Any] = field(default_factory=dict)
    dtypes: Mapping[str, DType] = field(default_factory=dict)
    boundary: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row for which the operator, or the machine, has no answer."""

    line: int
    reason: str


@dataclass(frozen=True, eq=False)
class Validation:
    """Measured and predicted times, row by row.

    Attributes
    ----------
    against
        What was held against.
    table
        The rows that were compared, in the order of the file; those without a time and those refused are not in it.
    measured_s, bound_s, ratio
        Seconds, and measured / bound.
    bound, binding
        Codes: indices into ``BOUND_KINDS`` and ``binding_ids``.
    boundary
        Where the traffic of the bound crosses; several, joined by a comma, where it differs.
    traffic_bytes
        What the kernel moves there, compulsorily.
    steps
        Seconds after each limit is added to the bound, by the ids of ``STEPS`` save ``rest``.
    untimed
        Rows without a time.
    refusals, refusal_count
        The first thousand, and how many there are.
    notes
        What a reader should know beside the figures.
    """

    against: Against
    table: ShapeTable
    measured_s: NDArray[Any]
    bound_s: NDArray[Any]
    ratio: NDArray[Any]
    bound: NDArray[Any]
    binding: NDArray[Any]
    binding_ids: tuple[str, ...]
    boundary: str
    traffic_bytes: NDArray[Any]
    steps: Mapping[str, NDArray[Any]]
    untimed: int = 0
    refusals: tuple[Refusal, ...] = ()
    refusal_count: int = 0
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ratio)

    @property
    def violated(self) -> NDArray[Any]:
        """Mask of the rows that are faster than their bound."""
        broken: NDArray[Any] = self.ratio < 1.0 - TOLERANCE
        return broken

    def parts_s(self) -> dict[str, NDArray[Any]]:
        """Return the distance of each row in seconds by step; they add up to measured - bound.

        ``rest`` is negative where the forecast lies above the measurement.
        """
        before, parts = self.bound_s, {}
        for id_ in TIMES:
            parts[id_] = self.steps[id_] - before
            before = self.steps[id_]
        return {**parts, "rest": self.measured_s - before}

    def bound_words(self, at: int) -> tuple[str, str]:
        """Return the bound and what binds of one row."""
        return BOUND_KINDS[int(self.bound[at])], self.binding_ids[int(self.binding[at])]

"""One kernel at every boundary of its machine: where it crosses, which limit would bind there, in a sentence each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow

__all__ = ["BoundaryVerdict", "boundary_verdicts", "verdict_of_all"]


@dataclass(frozen=True, eq=False)
class BoundaryVerdict:
    """What holds for a kernel at one boundary, as if that one alone were selected.

    Attributes
    ----------
    placement
        The kernel placed at the boundary, or None where it cannot be placed; ``reason`` says why.
    allowed_flop_per_s
        The height of the roof of this boundary at the intensity there: what it would allow, crossed or not.
    crosses
        Whether the data goes over it: filled on the picture, else hollow, and it cannot bind.
    is_binding
        Whether this is the boundary that binds when all may: the slowest crossed one, if it is slower than compute.
    verdict
        A sentence.
    """

    boundary: str
    label: str
    placement: Placement | None
    intensity: float
    ridge: float
    allowed_flop_per_s: float
    fraction: float
    crosses: bool
    is_binding: bool
    verdict: str


def boundary_verdicts(row: PlacedRow) -> tuple[BoundaryVerdict, ...]:
    """Return the verdicts at every boundary of the row's machine, from the innermost outward.

    Empty for a row that was not placed.
    """
    if row.placement is None or row.profile is None:
        return ()
    binding = _binding(row)
    return tuple(_verdict(row, id_, is_binding=id_ == binding) for id_ in row.profile.boundaries)


def _binding(row: PlacedRow) -> str | None:
    try:
        whole = row.varied(boundary="all")
    except StudioError:
        return None
    return whole.binding if whole.bound == "memory" else None


def verdict_of_all(row: PlacedRow) -> str:
    """Return the sentence that holds when every crossed boundary may bind; else why there is none."""
    if row.placement is None:
        return row.reason
    try:
        return row.varied(boundary="all").verdict
    except StudioError as error:
        return str(error)


def _verdict(row: PlacedRow, boundary: str, *, is_binding: bool) -> BoundaryVerdict:
    placement = row.placement
    assert placement is not None and row.profile is not None
    at = placement.at(boundary)
    ceiling = placement.ceiling_flop_per_s
    allowed = min(ceiling, float(at.intensity) * at.bytes_per_s)
    try:
        alone = row.varied(boundary=boundary)
    except StudioError as error:
        return BoundaryVerdict(
            boundary,
            at.label,
            None,
            float(at.intensity),
            at.ridge,
            allowed,
            0.0,
            at.crosses,
            False,
            str(error),
        )
    fraction = float(alone.fraction_of_peak) if at.crosses else allowed / ceiling
    return BoundaryVerdict(
        boundary,
        at.label,
        alone,
        float(alone.intensity),
        at.ridge,
        allowed,
        fraction,
        at.crosses,
        is_binding,
        alone.verdict if at.crosses else _hollow(at.label, float(at.intensity), at.ridge),
    )


def _hollow(label: str, intensity: float, ridge: float) -> str:
    """Say what would be if the data did cross; the placement itself is bound elsewhere."""
    if intensity == 0:
        return f"Not crossed, so {label} cannot bind."
    if intensity >= ridge:
        would = f"it would still be compute-bound there, {format_number(intensity / ridge)}× past the ridge"
    else:
        would = f"with all of its traffic there it would stay {format_number(ridge / intensity)}× short of the ridge"
    return f"Not crossed, so {label} cannot bind; {would}."

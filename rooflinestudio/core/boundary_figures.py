"""What a placement says at one boundary of its machine: traffic, intensity, ridge and time, selected or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.crossing import crosses, crossing_time_s, traffic_at
from rooflinestudio.core.roofline import intensity

if TYPE_CHECKING:
    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.placement import Placement

__all__ = ["BoundaryFigures", "boundary_figures"]


@dataclass(frozen=True, slots=True)
class BoundaryFigures:
    """What a placement says at one boundary, selected or not; traffic is hypothetical where ``crosses`` is False."""

    id: str
    label: str
    bytes_per_s: float
    read_bytes: Num
    write_bytes: Num
    intensity: Num
    ridge: float
    time_s: Num | None
    crosses: bool

    @property
    def traffic_bytes(self) -> Num:
        """Read and written bytes together."""
        return self.read_bytes + self.write_bytes


def boundary_figures(placement: Placement, boundary_id: str) -> BoundaryFigures:
    """Return what a placement says at one boundary (MODEL 1.4: hypothetical where the data does not cross)."""
    profile, estimate = placement.profile, placement.estimate
    boundary = profile.boundary(boundary_id)
    if placement.parts:
        from rooflinestudio.core.composite import composite_traffic

        (read, write), time_s, crossing = composite_traffic(placement, boundary_id)
    else:
        read, write = traffic_at(estimate, profile, boundary_id, placement.settings)
        crossing = crosses(estimate, profile, boundary_id)
        time_s = crossing_time_s(estimate, profile, boundary_id, read + write) if crossing else None
    return BoundaryFigures(
        boundary_id,
        boundary.label,
        boundary.bytes_per_s,
        read,
        write,
        intensity(placement.work_flop, read + write),
        placement.ceiling_flop_per_s / boundary.bytes_per_s,
        time_s,
        crossing,
    )

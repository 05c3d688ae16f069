"""Which boundaries of a machine a kernel crosses, with how many bytes, and how long that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.settings import ALL, LINK
from rooflinestudio.core.traffic import crossing_bytes

if TYPE_CHECKING:
    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Estimate
    from rooflinestudio.core.settings import Settings

__all__ = ["crosses", "crossing_time_s", "may_bind", "selected_boundaries", "traffic_at"]


def crosses(estimate: Estimate, profile: HardwareProfile, boundary_id: str) -> bool:
    """Tell whether an operator's data crosses a boundary of a machine."""
    return boundary_id in estimate.crosses or (
        LINK in estimate.crosses and boundary_id == profile.collective_home
    )


def selected_boundaries(estimate: Estimate, profile: HardwareProfile, settings: Settings) -> tuple[str, ...]:
    """Return the boundaries that are asked for: the crossed ones for ``all``, else the one (crossed or not).

    Raises
    ------
    RefusedError
        If the machine has no such boundary, or none that the data crosses.
    """
    wanted = settings.boundary
    known = profile.boundaries
    if LINK in estimate.crosses and profile.collective_home is None:
        raise RefusedError(
            f"{profile.name} has no link between devices; its profile knows {', '.join(known)}. What several devices "
            "exchange needs one of nvlink, xgmi, ici, pcie or network: add its bandwidth to the profile, or choose "
            "another machine."
        )
    if wanted == ALL:
        crossed = tuple(
            id_ for id_ in known if crosses(estimate, profile, id_) and may_bind(estimate, profile, id_)
        )
        if crossed:
            return crossed
        raise RefusedError(
            f"The data crosses no boundary of {profile.name}. Choose one of them alone: {', '.join(known)}."
        )
    if wanted is None:
        wanted = estimate.home
        if wanted == LINK:
            wanted = profile.collective_home or LINK
    if wanted not in known:
        what = "link between devices" if wanted == LINK else f"boundary {wanted!r}"
        raise RefusedError(
            f"{profile.name} has no {what}; its profile knows {', '.join(known)}. Choose one of these."
        )
    return (wanted,)


def may_bind(estimate: Estimate, profile: HardwareProfile, boundary_id: str) -> bool:
    """Tell whether a boundary can bind for this kernel: not where it does not feed the matrix pipe."""
    return profile.boundaries[boundary_id].feeds_matrix or not estimate.main_pipe.endswith("-tensor")


def traffic_at(
    estimate: Estimate, profile: HardwareProfile, boundary_id: str, settings: Settings
) -> tuple[Num, Num]:
    """Return (read, write) bytes at a boundary of a machine under the settings."""
    key = LINK if LINK in estimate.crosses and boundary_id == profile.collective_home else boundary_id
    return crossing_bytes(estimate, key, policy=settings.policy, absorption=settings.absorption)


def crossing_time_s(
    estimate: Estimate, profile: HardwareProfile, boundary_id: str, traffic_bytes: Num
) -> Num:
    """Return how long the traffic takes at a boundary, tensors on slower slopes at their own."""
    boundary = profile.boundaries[boundary_id]
    time = traffic_bytes / boundary.bandwidth.value
    if boundary.slopes:
        for tensor in estimate.tensors:
            slope = boundary.slopes.get(tensor.slope) if tensor.slope else None
            if slope is not None:
                size = tensor.elements * tensor.dtype.bytes * (tensor.reads + tensor.writes)
                time = time + size / slope.value - size / boundary.bandwidth.value
    return time

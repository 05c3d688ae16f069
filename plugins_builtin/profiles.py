"""The machines that come with the studio; each is read when somebody uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.plugins import hookimpl, shipped_profiles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.plugins import ProfileSource

__all__ = ["rooflinestudio_hardware_profiles"]


@hookimpl
def rooflinestudio_hardware_profiles() -> Iterable[ProfileSource]:
    """Bring the shipped profiles, without reading more than their first lines."""
    return shipped_profiles()

"""Whether a measured file is of a machine that is in view, and which profile is that of its device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from rooflinestudio.core.diagnosis.device import matching_profile, relation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.diagnosis.device import DeviceMatch
    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["machine_to_show", "other_machine_words"]


class _Machine(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


Machine = TypeVar("Machine", bound=_Machine)


def machine_to_show(
    devices: Iterable[str], shown: Iterable[HardwareProfile], known: Iterable[Machine]
) -> DeviceMatch[Machine] | None:
    """Return the profile of a file's device where its machine is not in view; None where it is, or none is known.

    Parameters
    ----------
    devices
        What the file names. One machine of them in view is enough.
    shown
        Profiles in view; one that is based on another, such as the same machine at another clock, counts for it.
    known
        Profiles that can be shown.
    """
    devices, shown, known = list(devices), list(shown), list(known)
    if any(relation(device, one.name) == "" for device in devices for one in shown):
        return None
    in_view = {id_ for one in shown for id_ in (one.id, one.based_on)}
    for device in devices:
        match = matching_profile(known, device)
        if match is not None and not match.differs:
            return None if match.entry.id in in_view else match
    return None


def other_machine_words(match: DeviceMatch[Machine], shown: Iterable[HardwareProfile]) -> str:
    """Say that kernels are held against roofs of another machine than theirs."""
    roofs = ", ".join(one.name for one in shown)
    return f"Measured on {match.device}; the roofs in view are those of {roofs or 'no machine'}."

"""How an estimate is held against a machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.traffic import DEFAULT_ABSORPTION, POLICIES, Policy

__all__ = ["ALL", "DEFAULT_SETTINGS", "LINK", "Settings"]

ALL: Final = "all"
"""The boundary setting under which every crossed boundary may bind."""

LINK: Final = "link"
"""What a collective calls its home: the machine's first link."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How an estimate is held against a machine.

    Attributes
    ----------
    boundary
        A boundary id, ``all``, or None for the operator's home.
    policy, absorption
        How traffic at dram is counted; the absorption in [0, 1] acts under ``modelled`` alone.
    ceiling
        Replaces the ceiling of the main pipe, or None.
    overlap
        In [0, 1]; 1 is the roofline, 0 the serial model.
    forecast
        Whether latency, launch and quantisation are added to the pure bound.
    """

    boundary: str | None = None
    policy: Policy = "compulsory"
    absorption: float = DEFAULT_ABSORPTION
    ceiling: str | None = None
    overlap: float = 1.0
    forecast: bool = False

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise ParameterError(f"policy {self.policy!r} must be one of {', '.join(POLICIES)}.")
        for name, value in (("absorption", self.absorption), ("overlap", self.overlap)):
            if not 0.0 <= value <= 1.0:
                raise ParameterError(f"{name} = {value!r} must lie between 0 and 1.")


DEFAULT_SETTINGS: Final = Settings()

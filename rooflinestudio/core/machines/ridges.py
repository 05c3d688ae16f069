"""All machines in one table: peak, bandwidth, link, power and the ridge between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.hardware import LINKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["RidgeLine", "ridge_lines"]


@dataclass(frozen=True, slots=True)
class RidgeLine:
    """One machine; figures that its profile does not know are None.

    Attributes
    ----------
    pipe
        The reference pipe, in words.
    flop_per_s, bytes_per_s, link_bytes_per_s, capacity_bytes, power_w
        Its rate, bandwidth and capacity of device memory, fastest link, rated power.
    ridge
        Rate / bandwidth, FLOP/byte.
    flop_per_j
        Rate per rated power, FLOP/J.
    assumed
        Which of ``peak`` and ``bandwidth`` are assumed.
    """

    id: str
    name: str
    vendor: str
    year: int
    kind: str
    pipe: str
    flop_per_s: float | None
    bytes_per_s: float | None
    capacity_bytes: float | None
    link_bytes_per_s: float | None
    power_w: float | None
    assumed: tuple[str, ...] = ()

    @property
    def ridge(self) -> float | None:
        """The intensity at which arithmetic and memory take equally long."""
        return self.flop_per_s / self.bytes_per_s if self.flop_per_s and self.bytes_per_s else None

    @property
    def flop_per_j(self) -> float | None:
        """FLOP per joule at the peak and the rated power."""
        return self.flop_per_s / self.power_w if self.flop_per_s and self.power_w else None


def ridge_lines(profiles: Iterable[HardwareProfile]) -> tuple[RidgeLine, ...]:
    """Return a line for each machine, the newest first, of one year by name."""
    return tuple(sorted(map(_line, profiles), key=lambda one: (-one.year, one.name.casefold())))


def _line(profile: HardwareProfile) -> RidgeLine:
    ceiling, dram = profile.ceilings.get(profile.reference_ceiling), profile.boundaries.get("dram")
    links = [profile.boundaries[id_].bytes_per_s for id_ in LINKS if id_ in profile.boundaries]
    assumed = [
        word
        for word, figure in (
            ("peak", ceiling.figure if ceiling is not None else None),
            ("bandwidth", dram.bandwidth if dram is not None else None),
        )
        if figure is not None and figure.provenance == "assumed"
    ]
    return RidgeLine(
        profile.id,
        profile.name,
        profile.vendor,
        profile.year,
        profile.kind,
        "" if ceiling is None else ceiling.label,
        None if ceiling is None else ceiling.flop_per_s,
        None if dram is None else dram.bytes_per_s,
        None if dram is None or dram.capacity is None else dram.capacity.value,
        max(links, default=None),
        None if profile.tdp is None else profile.tdp.value,
        tuple(assumed),
    )

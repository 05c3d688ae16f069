"""What a machine allows at one intensity: the figures of a probe that is slid along the intensity axis.

No operator is needed: a boundary, a ceiling and an intensity say everything that the roofline can say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from rooflinestudio.core.hardware import INSIDE
from rooflinestudio.core.quantities import format_number
from rooflinestudio.core.roofline import attainable_flop_per_s, ridge_intensity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = [
    "FIRST_INTENSITY",
    "HIGHEST_INTENSITY",
    "LOWEST_INTENSITY",
    "Absent",
    "Probe",
    "ProbeChoice",
    "ProbeReading",
    "distance_words",
    "probe",
    "probe_choice",
    "probe_reading",
]

FIRST_INTENSITY: Final = 10.0
"""Where a probe stands that has not been moved, FLOP/byte."""
LOWEST_INTENSITY, HIGHEST_INTENSITY = 1e-6, 1e9
_TERA: Final = 1e12
_AT_RIDGE: Final = 0.005
"""Share of the ridge within which a probe counts as standing on it, in words only."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One machine read at one intensity, boundary and ceiling.

    Attributes
    ----------
    machine, name
        Id and short name of the machine.
    boundary_id, boundary, ceiling_id, ceiling
        What it was read at, and the machine's words for it.
    is_model
        Whether the bandwidth is on-chip or approximate: then the slope is a model and no bound.
    bound, binding
        Which limit binds, ``memory`` or ``compute`` (on the ridge itself compute), and the name of it.
    """

    machine: str
    name: str
    boundary_id: str
    boundary: str
    ceiling_id: str
    ceiling: str
    is_model: bool
    bytes_per_s: float
    ceiling_flop_per_s: float
    intensity: float
    ridge_intensity: float
    attainable_flop_per_s: float
    bound: Literal["memory", "compute"]
    binding: str

    @property
    def fraction_of_peak(self) -> float:
        """Attainable rate over the ceiling, from 0 to 1."""
        return self.attainable_flop_per_s / self.ceiling_flop_per_s

    @property
    def tera_time_s(self) -> float:
        """Seconds that 1 TFLOP takes."""
        return _TERA / self.attainable_flop_per_s

    @property
    def ridge_ratio(self) -> float:
        """Intensity over that of the ridge: below 1 left of it, above 1 past it."""
        return self.intensity / self.ridge_intensity

    @property
    def bytes_per_flop(self) -> float:
        """Bytes that have to cross the boundary for each FLOP."""
        return 1.0 / self.intensity


@dataclass(frozen=True, slots=True)
class Absent:
    """Another machine in view that cannot be read: it lacks the boundary or the ceiling."""

    machine: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProbeChoice:
    """What a study says of its probe; empty texts follow the view and the machine."""

    on: bool = False
    intensity: float = FIRST_INTENSITY
    ceiling: str = ""
    boundary: str = ""


@dataclass(frozen=True, slots=True)
class ProbeReading:
    """Everything that is shown of a probe.

    Attributes
    ----------
    main
        The strong machine.
    others
        The other machines in view at the same boundary and ceiling, in their order.
    ceilings, boundaries
        Ids and words of what the strong machine can be read at.
    """

    main: Probe
    others: tuple[Probe | Absent, ...]
    ceilings: tuple[tuple[str, str], ...]
    boundaries: tuple[tuple[str, str], ...]


def probe(profile: HardwareProfile, boundary_id: str, ceiling_id: str, intensity: float) -> Probe:
    """Read a machine at an intensity in FLOP/byte.

    Raises
    ------
    KeyError
        If the machine has no such boundary or ceiling.
    ValueError
        If the intensity is not positive and finite.
    """
    if not 0.0 < intensity < math.inf:
        raise ValueError(f"an intensity of {intensity!r} FLOP/byte has no place on the axis")
    boundary, ceiling = profile.boundary(boundary_id), profile.ceiling(ceiling_id)
    rates = {"ceiling_flop_per_s": ceiling.flop_per_s, "bytes_per_s": boundary.bytes_per_s}
    ridge = float(ridge_intensity(**rates))
    memory = intensity < ridge
    return Probe(
        machine=profile.id,
        name=profile.short_name,
        boundary_id=boundary_id,
        boundary=boundary.label,
        ceiling_id=ceiling_id,
        ceiling=ceiling.label,
        is_model=boundary_id in INSIDE or boundary.approximate,
        intensity=intensity,
        ridge_intensity=ridge,
        attainable_flop_per_s=float(attainable_flop_per_s(intensity, **rates)),
        bound="memory" if memory else "compute",
        binding=boundary.label if memory else ceiling.label,
        **rates,
    )


def probe_choice(panel: Mapping[str, Any]) -> ProbeChoice:
    """Read what a study says of its probe; a value that makes no sense falls back to its default."""
    intensity = panel.get("intensity")
    if isinstance(intensity, bool) or not isinstance(intensity, (int, float)) or not intensity > 0:
        intensity = FIRST_INTENSITY
    texts = {name: panel.get(name) for name in ("ceiling", "boundary")}
    return ProbeChoice(
        on=panel.get("on") is True,
        intensity=min(max(float(intensity), LOWEST_INTENSITY), HIGHEST_INTENSITY),
        **{name: text if isinstance(text, str) else "" for name, text in texts.items()},
    )


def probe_reading(
    machines: Sequence[HardwareProfile], strong: HardwareProfile, boundary_in_view: str, choice: ProbeChoice
) -> ProbeReading:
    """Read the strong machine, and beside it the others in view.

    Parameters
    ----------
    boundary_in_view
        Taken where the choice names none, or one that the strong machine lacks.
    """
    wanted = [choice.boundary, boundary_in_view, *strong.boundaries]
    boundary = next(one for one in wanted if one in strong.boundaries)
    ceiling = choice.ceiling if choice.ceiling in strong.ceilings else strong.reference_ceiling
    others = tuple(
        _other(one, boundary, ceiling, choice.intensity) for one in machines if one.id != strong.id
    )
    return ProbeReading(
        probe(strong, boundary, ceiling, choice.intensity),
        others,
        tuple((one.id, one.label) for one in strong.ceilings.values()),
        tuple((one.id, one.label) for one in strong.boundaries.values()),
    )


def _other(profile: HardwareProfile, boundary: str, ceiling: str, intensity: float) -> Probe | Absent:
    if boundary not in profile.boundaries:
        return Absent(profile.id, profile.short_name, f"no {boundary}")
    if ceiling not in profile.ceilings:
        return Absent(profile.id, profile.short_name, f"no {ceiling.replace('-', ' ')}")
    return probe(profile, boundary, ceiling, intensity)


def distance_words(ridge_ratio: float) -> str:
    """Write how far from the ridge: ``4.7× left of the ridge``, ``2.0× past the ridge``, ``at the ridge``."""
    if abs(ridge_ratio - 1.0) < _AT_RIDGE:
        return "at the ridge"
    times, side = (1.0 / ridge_ratio, "left of") if ridge_ratio < 1.0 else (ridge_ratio, "past")
    # Near the ridge two digits would say "1.0×".
    shown = format_number(times, digits=3 if times < 1.1 or times >= 100 else 2)
    return f"{shown}× {side} the ridge"

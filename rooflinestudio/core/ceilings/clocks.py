"""A machine at another clock: what is made of cycles scales with it, memory and links do not.

Compute ceilings and the bandwidths of registers, shared memory, L1 and L2 are so many operations or bytes per cycle;
each scales from the clock that its condition names, else from the tensor clock of the profile (tensor pipes) or its
boost clock. A measured figure that names no clock is left as it is: nobody knows what to scale it from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.ceilings.words import clock_in, clock_slug, clock_text, rate_text, with_clock
from rooflinestudio.core.hardware import INSIDE, Figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Boundary, ComputeCeiling, HardwareProfile

__all__ = ["ScaledFigure", "reference_clock", "scaled_figures", "scaled_to_clock", "scaled_to_sustained"]

_SAME: Final = 1e-4
"""Clocks that differ by less are one clock: tools print a few digits."""


@dataclass(frozen=True, slots=True)
class ScaledFigure:
    """A rate in use before and after, with the two clocks in hertz."""

    kind: str
    id: str
    before: float
    after: float
    from_hz: float
    to_hz: float


def reference_clock(
    profile: HardwareProfile, figure: Figure, id_: str, *, reference: str = ""
) -> float | None:
    """Return the clock under which a figure holds, in hertz; None where nobody knows.

    Parameters
    ----------
    id_
        Of the ceiling or boundary that it is of.
    reference
        Name of the profile's clock (``boost``) for figures that name none; left out, the one that their pipe runs at.
    """
    named = clock_in(figure.condition)
    if named is not None:
        return named
    if figure.provenance == "measured":
        return None
    names = (reference,) if reference else ("tensor", "boost") if id_.endswith("-tensor") else ("boost",)
    return next((profile.clocks[name].value for name in names if name in profile.clocks), None)


def scaled_to_clock(
    profile: HardwareProfile, clock_hz: float, *, reference: str = "", word: str = "at"
) -> HardwareProfile:
    """Return the machine as it is at another clock, as a profile of its own.

    Every figure that changes is ``derived``, and its source is the formula.

    Parameters
    ----------
    clock_hz
        Clock of the multiprocessors, in hertz.
    reference
        Name of the profile's clock that figures without one of their own hold at; see :func:`reference_clock`.
    word
        How the name joins the clock to the machine: "A100 SXM4 40 GB, at 1 407 MHz".

    Raises
    ------
    ValueError
        The clock is not above zero.
    """
    if not 0 < clock_hz < float("inf"):
        raise ValueError(f"{clock_hz} is no clock")
    scale = _Scale(profile, clock_hz, reference)
    ceilings = {id_: scale.ceiling(one) for id_, one in profile.ceilings.items()}
    boundaries = {
        id_: scale.boundary(one) if id_ in INSIDE else one for id_, one in profile.boundaries.items()
    }
    named = clock_text(clock_hz)
    return replace(
        profile,
        id=f"{profile.id}-{word.replace(' ', '-')}-{clock_slug(clock_hz)}",
        name=f"{profile.name}, {word} {named}",
        short_name=f"{profile.short_name} {named}",
        ceilings=MappingProxyType(ceilings),
        boundaries=MappingProxyType(boundaries),
        based_on=profile.id,
    )


def scaled_to_sustained(profile: HardwareProfile) -> HardwareProfile | None:
    """Return the machine at the clock that it holds under load; None where no profile says which that is."""
    clock = profile.clocks.get("sustained")
    if clock is None:
        return None
    return scaled_to_clock(profile, clock.value, word="sustained at")


def scaled_figures(
    profile: HardwareProfile, clock_hz: float, *, reference: str = ""
) -> tuple[ScaledFigure, ...]:
    """Return the rates in use that :func:`scaled_to_clock` changes."""
    return tuple(_scaled_figures(profile, clock_hz, reference))


def _scaled_figures(profile: HardwareProfile, clock_hz: float, reference: str) -> Iterator[ScaledFigure]:
    rates = [("ceiling", id_, one.figure) for id_, one in profile.ceilings.items()]
    rates += [("boundary", id_, one.bandwidth) for id_, one in profile.boundaries.items() if id_ in INSIDE]
    for kind, id_, figure in rates:
        held = reference_clock(profile, figure, id_, reference=reference)
        if held is not None and not _is_same(held, clock_hz):
            yield ScaledFigure(kind, id_, figure.value, figure.value * clock_hz / held, held, clock_hz)


def _is_same(one: float, other: float) -> bool:
    return abs(one / other - 1) < _SAME


@dataclass(frozen=True, slots=True)
class _Scale:
    profile: HardwareProfile
    clock_hz: float
    reference: str

    def ceiling(self, one: ComputeCeiling) -> ComputeCeiling:
        return replace(
            one,
            figure=self._figure(one.figure, "ceiling", one.id),
            published=self._other(one.published, "ceiling", one.id),
            measured=self._other(one.measured, "ceiling", one.id),
        )

    def boundary(self, one: Boundary) -> Boundary:
        slopes = {name: self._figure(slope, "boundary", one.id) for name, slope in one.slopes.items()}
        return replace(
            one,
            bandwidth=self._figure(one.bandwidth, "boundary", one.id),
            published=self._other(one.published, "boundary", one.id),
            measured=self._other(one.measured, "boundary", one.id),
            slopes=MappingProxyType(slopes),
        )

    def _other(self, figure: Figure | None, kind: str, id_: str) -> Figure | None:
        """Scale the figure that is not in use; a measured one was at its own clock and cannot become a stated one."""
        if figure is None or figure.provenance == "measured":
            return figure
        return self._figure(figure, kind, id_)

    def _figure(self, figure: Figure, kind: str, id_: str) -> Figure:
        held = reference_clock(self.profile, figure, id_, reference=self.reference)
        if held is None or _is_same(held, self.clock_hz):
            return figure
        before = rate_text(kind, id_, figure.value, digits=5)
        return Figure(
            figure.value * self.clock_hz / held,
            "derived",
            condition=with_clock(figure.condition, self.clock_hz),
            source=f"{before} × {clock_text(self.clock_hz)} / {clock_text(held)}",
            date=figure.date,
            note=figure.note,
            confidence=figure.confidence,
        )

"""Links: both directions counted, bits for bytes, a slip of 1000."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import LINKS
from rooflinestudio.core.profile_check.memory import unit_finding
from rooflinestudio.core.profile_check.subject import near, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Boundary
    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.places import Place
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = ["is_known_link", "link_findings"]

# Per GPU, one direction, all links: P100, V100, A100, H100 and B200 data sheets, halved; then what else parts have.
_NVLINK: Final = {
    1: (80e9,), 2: (150e9, 50e9, 25e9), 3: (300e9, 200e9, 100e9, 56.25e9), 4: (450e9, 300e9, 200e9), 5: (900e9,),
    6: (1800e9,),
}  # fmt: skip
_PCIE_LANE: Final = {1: 0.25e9, 2: 0.5e9, 3: 1e9, 4: 2e9, 5: 4e9, 6: 8e9, 7: 16e9}
"""Bytes per second and lane, one direction, nominal."""
_NETWORK: Final = tuple(bit * 1e9 / 8 for bit in (10, 25, 40, 50, 56, 100, 200, 400, 800, 1600, 3200))
_PORT: Final = ((2016, 12.5e9), (2019, 25e9), (2023, 50e9), (2025, 100e9), (2028, 200e9))
"""The fastest network port that could be bought up to a year, in bytes per second."""
_SLOT: Final = ((2018, 16e9), (2021, 32e9), (2024, 64e9), (2028, 128e9))
_GENERATION: Final = re.compile(
    r"(?:gen(?:eration)?\s*|nvlink\s*|pcie\s*(?:express\s*)?)(\d)(?:\.0)?\b", re.IGNORECASE
)
_LANES: Final = re.compile(r"x\s?(\d{1,2})\b", re.IGNORECASE)
_TOLERANCE: Final = 0.035
_ENOUGH: Final = 3
_SLIPS: Final = (2.0, 8.0, 16.0, 1000.0, 1 / 8.0, 1 / 1000.0)
_NETWORK_SLIPS: Final = (8.0, 2.0, 16.0, 1000.0, 1 / 8.0, 1 / 1000.0)
"""The likelier first: networks are sold by the bit, links between devices in both directions."""


def link_findings(subject: Subject) -> Iterator[Finding]:
    """Look at every link: against its generation, else against what related parts have."""
    for id_ in LINKS:
        known = subject.stated_bandwidth(id_)
        if known is None:
            continue
        place, figure = known
        rates = _rates(subject, subject.profile.boundaries[id_])
        slip = _slip(
            figure.value, rates, _NETWORK_SLIPS if id_ == "network" else _SLIPS, _others(subject, id_)
        )
        if slip is not None:
            yield _link_finding(subject, place, slip, rates)


def _others(subject: Subject, id_: str) -> list[float]:
    """Return what the twin and the relatives have, which tells two likely slips apart."""
    twin = subject.twin
    return subject.values(
        ("boundaries", id_, "bandwidth"), among=(*subject.relatives, *((twin,) if twin else ()))
    )


def is_known_link(subject: Subject, id_: str) -> bool:
    """Whether a link has one of the rates that its generation or its relatives have."""
    link = subject.profile.boundaries[id_]
    return any(near(link.bytes_per_s, one, _TOLERANCE) for one in _rates(subject, link))


def _rates(subject: Subject, link: Boundary) -> tuple[float, ...]:
    """Return the rates that a link of this kind has, one direction, the fastest first; empty if none is known."""
    generation = _GENERATION.search(link.label)
    number = int(generation[1]) if generation else 0
    if link.id == "pcie":
        lanes = _LANES.search(link.label)
        lane = _PCIE_LANE.get(number)
        slot = (
            lane * 16 if lane else next((rate for year, rate in _SLOT if subject.profile.year <= year), 128e9)
        )
        return (slot * int(lanes[1]) / 16,) if lanes else (slot, slot / 2, slot / 4)
    usual = subject.values(("boundaries", link.id, "bandwidth"))
    if link.id == "network":
        fastest = next((rate for year, rate in _PORT if subject.profile.year <= year), 200e9)
        usual += [one for one in _NETWORK if one <= fastest]
    elif link.id == "nvlink" and number in _NVLINK:
        usual = [*_NVLINK[number]]
    elif subject.family is not None and link.id in subject.family.links:
        usual += subject.family.links[link.id]
    elif len(usual) < _ENOUGH:  # one relative may have twice the links of this part
        usual = []
    return tuple(sorted(set(usual), reverse=True))


def _slip(
    value: float, rates: tuple[float, ...], known: tuple[float, ...], others: list[float]
) -> float | None:
    """Return the slip of a rate that is above the fastest one (or far below all) and is one of them without it."""
    if not rates or any(near(value, one, _TOLERANCE) for one in rates):
        return None
    fastest, slowest = rates[0], rates[-1]
    slips = [one for one in known if (one > 1) == (value > fastest)]
    if not (value > fastest * 1.5 or value < slowest / 5):
        return None
    fitting = [slip for slip in slips for rate in rates if near(value / slip, rate, _TOLERANCE)]
    fitting.sort(
        key=lambda slip: (slip == 16, not any(near(value / slip, one, _TOLERANCE) for one in others))
    )
    return fitting[0] if fitting else _far_slip(value, fastest, slowest)


def _far_slip(value: float, fastest: float, slowest: float) -> float | None:
    if value > fastest * 100 and value / 1000 >= slowest / 5:
        return 1000.0
    return 1 / 1000.0 if value < slowest / 100 and value * 1000 <= fastest * 1.5 else None


def _link_finding(subject: Subject, place: Place, slip: float, rates: tuple[float, ...]) -> Finding:
    why = f"; such a link has {shown(rates[0], place)} in one direction, at most."
    value = subject.finding("bits", place, "", "").value
    if slip in (2.0, 16.0):
        bits = " and bits for bytes" if slip == 16.0 else ""
        mend = (
            f"Both directions{bits} were probably counted: enter one direction per device, "
            f"{shown(value / slip, place)}."
        )
        return subject.finding("both-directions", place, why, mend, likely=value / slip, severity="wrong")
    return unit_finding(subject, place, slip, why)

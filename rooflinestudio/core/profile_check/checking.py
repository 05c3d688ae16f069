"""The self-check itself: one group of questions after the other, each asked of the profile as mended so far."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.profile_check import (
    links,
    magnitudes,
    measured,
    memory,
    order,
    prefixes,
    rates,
    texts,
    twins,
)
from rooflinestudio.core.profile_check.finding import finding_id
from rooflinestudio.core.profile_check.places import known_place, with_value
from rooflinestudio.core.profile_check.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.places import Place

__all__ = ["apply_correction", "check_profile", "shipped_neighbours"]

_OF_A_RATE: Final[tuple[list[str], ...]] = ([], ["bandwidth"], ["measured"], ["published"])
"""How the address of a rate goes on after its id."""

_GROUPS: Final[tuple[Callable[[Subject], Iterator[Finding]], ...]] = (
    magnitudes.magnitude_findings,
    texts.text_findings,
    prefixes.size_findings,
    rates.vector_findings,
    rates.matrix_findings,
    memory.dram_findings,
    memory.slope_findings,
    memory.capacity_findings,
    memory.cache_findings,
    links.link_findings,
    prefixes.prefix_findings,
    twins.twin_findings,
    order.order_findings,
    order.capacity_order_findings,
    order.ridge_findings,
    measured.measured_findings,
    measured.share_findings,
)


def check_profile(
    profile: HardwareProfile, neighbours: Iterable[HardwareProfile] = ()
) -> tuple[Finding, ...]:
    """Ask a profile for the usual mistakes.

    Parameters
    ----------
    profile
        Any machine, complete or not: what is not there is not judged.
    neighbours
        Machines to hold it against, normally :func:`shipped_neighbours`; the same profile among them is left out.

    Returns
    -------
    tuple of Finding
        At most one for each figure, in the order of the profile. Those with a reason in ``profile.explained`` carry
        it and are not open.
    """
    others = tuple(one for one in neighbours if not _is_same(one, profile))
    subject = Subject(profile, others)
    found: dict[Place, Finding] = {}
    for group in _GROUPS:
        fresh = [
            replace(one, explained=_reason(profile, one)) for one in group(subject) if one.place not in found
        ]
        for finding in fresh:
            found.setdefault(finding.place, finding)
        mended = _mended(subject.profile, fresh)
        subject = subject if mended is subject.profile else Subject(mended, others)
    return tuple(sorted(found.values(), key=lambda one: _order(profile, one)))


def _is_same(one: HardwareProfile, profile: HardwareProfile) -> bool:
    return one is profile or (one.id == profile.id and one.content_hash == profile.content_hash)


def _reason(profile: HardwareProfile, finding: Finding) -> str:
    """Return what is written for a finding, now or while the other figure of the rate was in use; else nothing."""
    written = profile.explained.get(finding.id, "")
    group, *rest = finding.place
    if written or group not in ("ceilings", "boundaries") or rest[1:] not in _OF_A_RATE:
        return written
    whole = profile.ceilings[rest[0]] if group == "ceilings" else profile.boundaries[rest[0]]
    if whole.stated is None or whole.observed is None:
        return ""
    observed = known_place(whole, observed=True) == finding.place
    other = whole.using("stated" if whole.in_use == "measured" else "measured")
    return profile.explained.get(finding_id(finding.kind, known_place(other, observed=observed)), "")


def _mended(profile: HardwareProfile, findings: list[Finding]) -> HardwareProfile:
    for finding in findings:
        if finding.likely is not None and finding.open:
            profile = with_value(profile, finding.place, finding.likely)
    return profile


def _order(profile: HardwareProfile, finding: Finding) -> tuple[int, int, tuple[str, ...]]:
    groups = ("sms", "clocks", "tdp", "launch_overhead", "ceilings", "boundaries")
    group = finding.place[0]
    inner: Iterable[str] = getattr(profile, group) if group in ("clocks", "ceilings", "boundaries") else ()
    rank = list(inner).index(finding.place[1]) if len(finding.place) > 1 else 0
    return groups.index(group) if group in groups else len(groups), rank, finding.place


def apply_correction(
    profile: HardwareProfile, finding: Finding, value: float | None = None
) -> HardwareProfile:
    """Return the profile with the figure of a finding set to its likely value, or to another one.

    Only the value changes: provenance, condition and source stay, since they say where the figure was read.

    Raises
    ------
    ValueError
        If no value is given and the finding knows none.
    KeyError
        If the profile has no such figure any more.
    """
    chosen = finding.likely if value is None else value
    if chosen is None:
        raise ValueError(f"no likely value is known for {finding.id}")
    return with_value(profile, finding.place, chosen)


def shipped_neighbours() -> tuple[HardwareProfile, ...]:
    """Return the profiles that come with the studio, read once; one that cannot be read is left out."""
    from rooflinestudio.core.errors import ProfileError
    from rooflinestudio.core.profile_index import shipped_profiles

    found = []
    for entry in shipped_profiles():
        try:
            found.append(entry.load())
        except ProfileError:
            continue
    return tuple(found)

"""What the editor says of one figure, of the roof and of the machine as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.profile_edit.draft import doubt
from rooflinestudio.core.profile_edit.imported import split_note
from rooflinestudio.core.profile_edit.places import FigurePlace, Side, figure_at, name_of, rate_at, unit_at
from rooflinestudio.core.profile_edit.wording import exact_text, rate_text
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Figure, HardwareProfile

__all__ = ["FigureFacts", "facts_of", "ridge_words", "stated_profile", "summary_words"]

_WHY: Final = {
    "ceilings": "a burst peak is not a clock the part can hold",
    "boundaries": "no stream of reads and writes reaches the rate of the pins",
}


@dataclass(frozen=True, slots=True)
class FigureFacts:
    """One figure in full.

    Attributes
    ----------
    title
        ``bf16 tensor, measured``.
    rows
        Captions and values.
    remark
        What follows from a measured figure beside a stated one; first word and sentence, or None.
    note
        What its file says beside it.
    """

    title: str
    rows: tuple[tuple[str, str], ...]
    remark: tuple[str, str] | None = None
    note: str = ""


def facts_of(profile: HardwareProfile, place: FigurePlace, side: Side) -> FigureFacts | None:
    """Return the facts of a figure; None where nothing is known."""
    figure = figure_at(profile, place, side)
    if figure is None:
        return None
    imported, note = split_note(figure.note)
    id_ = place.id if place.group == "ceilings" else ""
    rows = [("value", exact_text(figure.value, unit_at(place), id_))]
    share = _share(profile, place, side)
    rows += [(f"of {share[0]}", share[1])] if share is not None else []
    known = (
        ("condition", figure.condition), ("source", figure.source), ("date", figure.date),
        ("confidence", figure.confidence), ("imported from", imported),
    )  # fmt: skip
    rows += [(caption, text) for caption, text in known if text]
    title = f"{name_of(profile, place)}, {figure.provenance}"
    return FigureFacts(title, tuple(rows), _remark(profile, place, side), note)


def _share(profile: HardwareProfile, place: FigurePlace, side: Side) -> tuple[str, str] | None:
    one = rate_at(profile, place) if place.is_rate else None
    if one is None or side != "measured" or one.stated is None or one.observed is None:
        return None
    return one.stated.provenance, f"{100 * one.observed.value / one.stated.value:.0f}%"


def _remark(profile: HardwareProfile, place: FigurePlace, side: Side) -> tuple[str, str] | None:
    one = rate_at(profile, place) if place.is_rate else None
    if one is None or side != "measured" or one.stated is None or one.observed is None:
        return None
    ratio = one.stated.value / one.observed.value
    if doubt(one) is not None:
        return "Trap", "A rate above the published one is more often a slip of the count than a fast part."
    if ratio < 1.01:
        return None
    why = (
        "a burst peak is not a clock the part can hold"
        if place.group == "ceilings"
        else "no access pattern reaches the pin rate"
    )
    return (
        "Approximation",
        f"Against {one.stated.provenance} roofs your headroom is overstated by {ratio:.2f}×: {why}.",
    )


# The roof ----------------------------------------------------------------------------------------------------------


def stated_profile(profile: HardwareProfile) -> HardwareProfile:
    """Return the profile with the stated figures in use wherever they are known; itself where they are already."""
    from dataclasses import replace
    from types import MappingProxyType

    ceilings = {id_: one.using("stated") for id_, one in profile.ceilings.items()}
    boundaries = {id_: one.using("stated") for id_, one in profile.boundaries.items()}
    if all(ceilings[id_] is one for id_, one in profile.ceilings.items()) and all(
        boundaries[id_] is one for id_, one in profile.boundaries.items()
    ):
        return profile
    return replace(profile, ceilings=MappingProxyType(ceilings), boundaries=MappingProxyType(boundaries))


def ridge_words(profile: HardwareProfile, boundary: str) -> str:
    """Say where the roof bends, and where it would by the stated figures: ``ridge 237, was 295``."""
    now = format_number(profile.ridge(boundary_id=boundary))
    was = format_number(stated_profile(profile).ridge(boundary_id=boundary))
    return f"ridge {now}" if now == was else f"ridge {now}, was {was}"


# The machine -------------------------------------------------------------------------------------------------------


def summary_words(profile: HardwareProfile) -> tuple[str, ...]:
    """Return capacities, multiprocessors and launch overhead in a few words each; what is assumed says so."""
    return tuple(_summary(profile))


def _summary(profile: HardwareProfile) -> Iterator[str]:
    for id_ in ("dram", "l3", "l2"):
        boundary = profile.boundaries.get(id_)
        if boundary is not None and boundary.capacity is not None:
            yield f"{boundary.label} {_said(boundary.capacity, 'B')}"
    if profile.shared_bytes_per_sm is not None:
        yield f"shared {_said(profile.shared_bytes_per_sm, 'B')} per SM"
    if profile.sms is not None:
        yield f"{_said(profile.sms, '')} SMs"
    if profile.launch_overhead is not None:
        yield f"launch {_said(profile.launch_overhead, 's')}"
    if profile.tdp is not None:
        yield _said(profile.tdp, "W")


def _said(figure: Figure, unit: str) -> str:
    text = rate_text(figure.value, unit)
    return f"{text} (assumed)" if figure.provenance == "assumed" else text

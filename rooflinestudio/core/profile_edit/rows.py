"""The tables of the editor as frozen rows: every cell in words, so that the view only draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.profile_edit.draft import doubt
from rooflinestudio.core.profile_edit.places import (
    FigurePlace,
    Side,
    figure_at,
    name_of,
    places_of,
    rate_at,
    unit_at,
)
from rooflinestudio.core.profile_edit.typed import typed_text
from rooflinestudio.core.profile_edit.wording import exact_text, rate_text

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import Figure, HardwareProfile
    from rooflinestudio.core.profile_edit.draft import Draft

__all__ = ["NOTHING", "FigureRow", "boundary_rows", "ceiling_rows", "entry_text", "machine_rows"]

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One row.

    Attributes
    ----------
    name
        On screen; ``label`` where it can be written over.
    stated, measured, in_use
        Figures in words; a dash where nothing is known. Rows of single figures have ``in_use`` alone.
    uses
        Which of the two is in use.
    has_both
        Whether there is a choice.
    provenance, source, condition, date
        Of the figure in use.
    exact
        The figures without rounding, for tool tips: stated, measured, in use.
    doubtful
        Whether the measured figure lies above the stated one and is not used therefore.
    refused
        Typed texts that were not taken, by column: ``stated``, ``measured``, ``date``.
    is_reference
        Whether it is the ceiling shown beside every operator's own.
    """

    place: FigurePlace
    name: str
    stated: str
    measured: str
    in_use: str
    uses: Side
    has_both: bool
    provenance: str
    source: str
    condition: str
    date: str
    exact: tuple[str, str, str]
    doubtful: bool = False
    refused: tuple[tuple[str, str], ...] = ()
    is_reference: bool = False

    def refused_in(self, column: str) -> str | None:
        """Return the refused text of a column; None where nothing was refused."""
        return next((text for name, text in self.refused if name == column), None)


def ceiling_rows(draft: Draft) -> tuple[FigureRow, ...]:
    """Return a row for each compute ceiling, in the order of the profile."""
    return tuple(_rate_row(draft, FigurePlace("ceilings", id_)) for id_ in draft.profile.ceilings)


def boundary_rows(draft: Draft) -> tuple[FigureRow, ...]:
    """Return a row for the bandwidth of each boundary, from the innermost outward."""
    return tuple(_rate_row(draft, FigurePlace("boundaries", id_)) for id_ in draft.profile.boundaries)


def machine_rows(draft: Draft) -> tuple[FigureRow, ...]:
    """Return a row for each other figure that is known."""
    return tuple(_single_row(draft, place) for place in places_of(draft.profile) if not place.is_rate)


def entry_text(profile: HardwareProfile, place: FigurePlace, side: Side) -> str:
    """Return what an entry starts with when a figure is edited; empty where nothing is known."""
    figure = figure_at(profile, place, side)
    if figure is None:
        return ""
    text = typed_text(figure.value, unit_at(place))
    return (
        text.replace("FLOP/s", "OP/s") if place.group == "ceilings" and place.id.startswith("int") else text
    )


def _rate_row(draft: Draft, place: FigurePlace) -> FigureRow:
    profile = draft.profile
    one = rate_at(profile, place)
    assert one is not None
    used = one.observed if one.in_use == "measured" else one.stated
    assert used is not None
    figures = (one.stated, one.observed, used)
    stated, measured, in_use = (_text(figure, place) for figure in figures)
    exact = tuple(_exact(figure, place) for figure in figures)
    return FigureRow(
        place,
        name_of(profile, place),
        stated,
        measured,
        in_use,
        uses=one.in_use,
        has_both=one.stated is not None and one.observed is not None,
        provenance=used.provenance,
        source=used.source,
        condition=used.condition,
        date=used.date[:7],
        exact=(exact[0], exact[1], exact[2]),
        doubtful=doubt(one) is not None and one.in_use == "stated",
        refused=_refused(draft, place),
        is_reference=place.group == "ceilings" and place.id == profile.reference_ceiling,
    )


def _single_row(draft: Draft, place: FigurePlace) -> FigureRow:
    figure = figure_at(draft.profile, place)
    assert figure is not None
    exact = _exact(figure, place)
    return FigureRow(
        place,
        name_of(draft.profile, place),
        "",
        "",
        _text(figure, place),
        uses="stated",
        has_both=False,
        provenance=figure.provenance,
        source=figure.source,
        condition=figure.condition,
        date=figure.date[:7],
        exact=("", "", exact),
        refused=_refused(draft, place),
    )


def _refused(draft: Draft, place: FigurePlace) -> tuple[tuple[str, str], ...]:
    return tuple(
        ("date" if one.field == "date" else one.side, one.refusal.text)
        for one in draft.refused
        if one.place == place
    )


def _text(figure: Figure | None, place: FigurePlace) -> str:
    id_ = place.id if place.group == "ceilings" else ""
    return NOTHING if figure is None else rate_text(figure.value, unit_at(place), id_)


def _exact(figure: Figure | None, place: FigurePlace) -> str:
    id_ = place.id if place.group == "ceilings" else ""
    return "" if figure is None else exact_text(figure.value, unit_at(place), id_)

"""From a placed study to a report on it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rooflinestudio import __version__
from rooflinestudio.core.report.composites import chains_section, parts_section
from rooflinestudio.core.report.document import Facts, Prose, Report, Section
from rooflinestudio.core.report.machines import machines_section, used_machines
from rooflinestudio.core.report.measured import measured_section
from rooflinestudio.core.report.placements import (
    placements_section,
    refused_section,
    remarks_section,
    unseen_section,
    variants_section,
)
from rooflinestudio.core.report.sources import Sources
from rooflinestudio.core.report.words import policy_words, several, some_of
from rooflinestudio.core.settings import ALL, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placing import EstimateSource, PlacedStudy

__all__ = ["report_of"]


def report_of(
    placed: PlacedStudy, source: EstimateSource, *, title: str = "Study", made: datetime | None = None
) -> Report:
    """Return the report on a study.

    Parameters
    ----------
    source
        Who answers for the operators of its chains.
    title
        Name of the study.
    made
        When it is made; left out, now.
    """
    when = (made or datetime.now()).astimezone()
    return Report(
        title,
        when.strftime("%Y-%m-%d %H:%M %z"),
        f"Roofline Studio {__version__}",
        _picture(placed),
        tuple(one for one in _sections(placed, source) if one is not None),
    )


def _sections(placed: PlacedStudy, source: EstimateSource) -> Iterator[Section | None]:
    sources = Sources()
    yield Section("study", "The study", (Facts(tuple(_facts(placed))),))
    if placed.study.notes.strip():
        yield Section("notes", "Notes of the study", (Prose(placed.study.notes.strip(), "own"),))
    yield placements_section(placed)
    yield refused_section(placed)
    yield variants_section(placed)
    yield parts_section(placed)
    yield chains_section(placed, source)
    yield measured_section(placed)
    yield remarks_section(placed)
    yield unseen_section()
    yield machines_section(placed, sources)
    if sources.items:
        yield Section("sources", "Sources", (Facts(sources.items),))


def _facts(placed: PlacedStudy) -> Iterator[tuple[str, str]]:
    study, view = placed.study, placed.study.view
    yield "Machines", ", ".join(one.name for one in used_machines(placed)) or "none"
    yield "Traffic counted at", f"{_boundary(placed)}, {_policy(placed)}"
    yield "Model", "forecast" if view.forecast else "pure bound"
    if view.overlap != 1:
        yield "Overlap of compute and memory", f"{view.overlap:g}"
    without = sum(row.placement is None for row in placed.rows)
    told = several(len(study.entries), "entry")
    yield "Placed", told + (f", {several(without, 'row')} without figures" if without else "")
    if study.overlays:
        yield "Measured", some_of(one.name for one in study.overlays)
    if study.made_with:
        yield "Study written with", study.made_with


def _boundary(placed: PlacedStudy) -> str:
    """Return the boundary of the view in the machines' own words."""
    wanted = placed.study.view.boundary
    if wanted is None:
        return "the home boundary of each operator"
    if wanted == ALL:
        return "every crossed boundary"
    labels = (one.boundaries[wanted].label for one in used_machines(placed) if wanted in one.boundaries)
    return ", ".join(dict.fromkeys(labels)) or wanted


def _policy(placed: PlacedStudy) -> str:
    view = placed.study.view
    return policy_words(Settings(policy=view.policy, absorption=view.absorption))


def _picture(placed: PlacedStudy) -> str:
    machines = placed.machines
    if not machines:
        return "An empty canvas: no machine is in view."
    rows = sum(row.placement is not None and row.entry.visible for row in placed.rows)
    others = f" beside {some_of(one.short_name for one in machines[1:])}" if len(machines) > 1 else ""
    kernels = " and the measured kernels that have a place" if placed.study.overlays else ""
    return (
        f"Roofline of {machines[0].short_name}{others}, log-log: attainable FLOP/s over intensity in FLOP/byte, with "
        f"{several(rows, 'placement')}{kernels}. Every figure stands in the tables."
    )

"""What a compare grid shows: one entry at several boundaries, in several formats, fused and split, on several machines.

The study keeps it under ``panels["grid"]`` as plain data. It is read leniently: what is missing or makes no sense is
filled in with what the study suggests, so that a grid is there as soon as an operator is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.chains import chain_of, source_for
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.grid.formats import present_dtype
from rooflinestudio.core.hardware import BOUNDARY_ORDER, LINKS
from rooflinestudio.core.selection import selected_entry
from rooflinestudio.core.settings import ALL
from rooflinestudio.core.shorthand import OWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy
    from rooflinestudio.core.selection import Selection
    from rooflinestudio.core.study import Chain, Entry, Study

__all__ = [
    "ALL_BOUNDARIES", "DIMENSIONS", "FIGURES", "FUSIONS", "HOME", "PANEL", "GridSpec", "boundaries_offered", "cuts_of",
    "dtypes_offered", "fusions_offered", "grid_spec", "present_boundary", "shown_mode",
]  # fmt: skip

PANEL: Final = "grid"
DIMENSIONS: Final = ("boundary", "dtype", "fusion", "machine")
"""What a grid can vary, in the order in which rows are nested."""

FUSIONS: Final = ("drawn", "split", "fused")
"""A chain as it is drawn, with a kernel for each operator, or as one kernel."""

ALL_BOUNDARIES: Final = ALL
"""Every crossed boundary may bind."""

HOME: Final = "home"
"""Stands for the home boundary of each kernel: the setting None of a study."""

SHOWN: Final = ("table", "multiples", "boundaries")
FIGURES: Final = ("time", "time_ratio", "traffic", "traffic_ratio", "intensity", "rate", "fraction", "bound")
"""What a pivot table can show."""

FORMS: Final = ("pictures", "cells", "pivot")
_HELD: Final = 12
"""More values of one dimension than this are not read from a file: the picture would be of no use."""


@dataclass(frozen=True, slots=True)
class GridSpec:
    """One grid, complete: every dimension has at least one value.

    Attributes
    ----------
    entry
        Id of the entry that is varied.
    boundaries, dtypes, fusions, machines
        Values along each dimension; a boundary may be ``all`` or :data:`HOME`, a format ``own``.
    columns
        Dimensions that run from left to right, the outer first; the others run down.
    figure
        Which figure the pivot table shows.
    form
        ``pictures``, ``cells`` (a table with a line for each cell) or ``pivot``.
    shown
        ``table`` (the compare table), ``multiples`` (the grid) or ``boundaries`` (one kernel at every boundary).
    follows
        Whether the entry is the selected one rather than one that the study names. A variant that differs only along
        the dimensions is a cell of its baseline's grid, which is shown then.
    kernel
        Id of the entry whose boundaries are shown: the selected or named one itself.
    """

    entry: str
    boundaries: tuple[str, ...]
    dtypes: tuple[str, ...]
    fusions: tuple[str, ...]
    machines: tuple[str, ...]
    columns: tuple[str, ...] = ("boundary",)
    figure: str = "time"
    form: str = "pictures"
    shown: str = "multiples"
    follows: bool = True
    kernel: str = ""

    @property
    def rows(self) -> tuple[str, ...]:
        """Dimensions that run from top to bottom, the outer first: machines, then formats and fusion."""
        return tuple(one for one in ("machine", "fusion", "dtype", "boundary") if one not in self.columns)

    def values(self, dimension: str) -> tuple[str, ...]:
        """Return the values along one of :data:`DIMENSIONS`."""
        return {
            "boundary": self.boundaries,
            "dtype": self.dtypes,
            "fusion": self.fusions,
            "machine": self.machines,
        }[dimension]


def shown_mode(study: Study) -> str:
    """Return what the compare tab of a study shows: ``table``, ``multiples`` or ``boundaries``."""
    return _one_of(study.panels.get(PANEL, {}).get("shown"), SHOWN)


def grid_spec(
    placed: PlacedStudy, source: EstimateSource | None, selected: Selection = None
) -> GridSpec | None:
    """Return what the grid of a study shows, or None while there is no entry.

    Parameters
    ----------
    source
        Where operators come from; None while it is not there yet.
    selected
        The selection: an entry id, or ``("part", entry id, index)``.
    """
    panel = placed.study.panels.get(PANEL, {})
    kernel, follows = _entry(placed, panel, selected)
    if kernel is None:
        return None
    entry = _baseline(placed, kernel) if follows else kernel
    if source is not None:
        source = source_for(source, placed.study)
    machines = _known(panel.get("machines"), placed.profiles) or placed.study.machines_of(entry)
    offered = fusions_offered(placed, entry)
    fusions = _known(panel.get("fusions"), offered) or offered
    columns = _known(panel.get("columns"), DIMENSIONS)
    boundaries = _known(panel.get("boundaries"), (*BOUNDARY_ORDER, ALL, HOME, *_own_boundaries(placed)))
    return GridSpec(
        entry.id,
        boundaries or _suggested_boundaries(placed, entry),
        _known(panel.get("dtypes"), (*DTYPES, OWN)) or _suggested_dtypes(placed, entry, source),
        fusions,
        machines,
        columns if panel.get("columns") is not None else ("boundary",),
        _one_of(panel.get("figure"), FIGURES),
        _one_of(panel.get("as"), FORMS),
        shown_mode(placed.study),
        follows,
        kernel.id,
    )


def _one_of(value: Any, known: tuple[str, ...]) -> str:
    return value if isinstance(value, str) and value in known else known[0]


def _known(values: Any, known: Iterable[str]) -> tuple[str, ...]:
    """Return the texts of a list that mean something, each once."""
    if isinstance(values, str) or not isinstance(values, list | tuple):
        return ()
    there = set(known)
    found = dict.fromkeys(one for one in values if isinstance(one, str) and one in there)
    return tuple(found)[:_HELD]


def _entry(placed: PlacedStudy, panel: Mapping[str, Any], selected: Selection) -> tuple[Entry | None, bool]:
    study, named = placed.study, panel.get("entry")
    if isinstance(named, str) and study.has_entry(named):
        return study.entry(named), False
    chosen = selected_entry(selected)
    if chosen is not None and study.has_entry(chosen):
        return study.entry(chosen), True
    usable = next((row.entry for row in placed.rows if row.placement is not None), None)
    return usable or next(iter(study.entries), None), True


def _baseline(placed: PlacedStudy, entry: Entry) -> Entry:
    """Return the baseline of a variant that is nothing but a cell of its grid; any other entry itself."""
    base = entry.variant_of
    if base is None or not placed.study.has_entry(base):
        return entry
    found = placed.study.entry(base)
    alike = (
        (entry.operator, entry.policy, entry.absorption, entry.ceiling, entry.overlap)
        == (found.operator, found.policy, found.absorption, found.ceiling, found.overlap)
    ) and entry.parameters == found.parameters
    return found if alike else entry


def _own_boundaries(placed: PlacedStudy) -> Iterable[str]:
    return (id_ for profile in placed.profiles.values() for id_ in profile.boundaries)


# What there is to choose from ---------------------------------------------------------------------------------------


def boundaries_offered(placed: PlacedStudy, machines: Iterable[str]) -> tuple[str, ...]:
    """Return the boundaries that any of these machines has, from the innermost outward."""
    there = {id_ for one in machines if one in placed.profiles for id_ in placed.profiles[one].boundaries}
    return tuple(sorted(there, key=_order))


def _order(boundary: str) -> int:
    return BOUNDARY_ORDER.index(boundary) if boundary in BOUNDARY_ORDER else len(BOUNDARY_ORDER)


def dtypes_offered(entry: Entry, source: EstimateSource | None) -> tuple[str, ...]:
    """Return the formats that an entry can be varied in, its present one first."""
    present = present_dtype(entry, source)
    return (present, *(one for one in DTYPES if one != present))


def fusions_offered(placed: PlacedStudy, entry: Entry) -> tuple[str, ...]:
    """Return the ways that an entry's kernels can be cut: for a chain those that differ, else only as it is."""
    chain = chain_of(placed.study, entry)
    if chain is None:
        return FUSIONS[:1]
    drawn = tuple(sorted(chain.cuts))
    return (FUSIONS[0], *(one for one in FUSIONS[1:] if cuts_of(chain, one) != drawn))


def cuts_of(chain: Chain, fusion: str) -> tuple[int, ...]:
    """Return the joints at which a way of fusing cuts a chain."""
    if fusion == "split":
        return tuple(range(len(chain.parts) - 1))
    return () if fusion == "fused" else tuple(sorted(chain.cuts))


# What the study suggests --------------------------------------------------------------------------------------------


def present_boundary(row: PlacedRow) -> str:
    """Return the boundary that an entry is set to as a value of the dimension: an id, ``all``, or :data:`HOME`."""
    if row.settings.boundary is not None:
        return row.settings.boundary
    placement = row.placement
    # A single kernel has one home, which can be named; those of several kernels may differ.
    return HOME if placement is None or placement.parts else placement.boundary_id


def _suggested_boundaries(placed: PlacedStudy, entry: Entry) -> tuple[str, ...]:
    """Suggest the boundaries that the data crosses, the present one, and the first link as the one it does not."""
    rows = placed.rows_of(entry.id)
    found: set[str] = {present_boundary(rows[0])} if rows else {"dram"}
    links: list[str] = []
    for placement in (row.placement for row in rows if row.placement is not None):
        found.update(id_ for id_, at in placement.boundaries.items() if at.crosses)
        if placement.work_flop > 0:  # without work there is nothing to place where nothing crosses
            links += [id_ for id_, at in placement.boundaries.items() if id_ in LINKS and not at.crosses]
    if not any(one in LINKS for one in found):
        found.update(sorted(links, key=_order)[:1])
    return tuple(sorted(found, key=_order))


def _suggested_dtypes(placed: PlacedStudy, entry: Entry, source: EstimateSource | None) -> tuple[str, ...]:
    """Suggest the present format and the next narrower one that a machine of the study multiplies in."""
    present = present_dtype(entry, source)
    if source is None:
        return (present,)
    return (present, "bf16" if present == "fp8" else "fp8")

"""One entry in every combination of boundary, format, fusion and machine, each cell placed and held against a baseline.

Every cell rests on :func:`~rooflinestudio.core.placing.place`: an operator is asked once for each format, fusion and
machine, and boundaries are variations of that row, so that a cell says what canvas, table and command line would say.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.chains import chain_of, source_for
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.grid.cells import Cell, CellKey, Grid
from rooflinestudio.core.grid.formats import formats_for, present_dtype
from rooflinestudio.core.grid.spec import (
    HOME,
    GridSpec,
    cuts_of,
    present_boundary,
)
from rooflinestudio.core.placing import PendingError, PlacedRow, place
from rooflinestudio.core.settings import ALL
from rooflinestudio.core.shorthand import OWN
from rooflinestudio.core.study import CHAIN_PREFIX, Chain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = ["Cell", "CellKey", "Grid", "GridMaker", "grid_of"]


def grid_of(placed: PlacedStudy, source: EstimateSource | None, spec: GridSpec) -> Grid:
    """Place every cell of a grid; cells that cannot be placed say why."""
    entry = placed.study.entry(spec.entry)
    return _Builder(placed, source, spec, entry).grid()


class GridMaker:
    """Keeps the last grid, and gives it again while nothing changed that it rests on."""

    def __init__(self) -> None:
        self._basis: tuple[Any, ...] = ()
        self._grid: Grid | None = None

    def grid(self, placed: PlacedStudy, source: EstimateSource | None, spec: GridSpec) -> Grid:
        """Return :func:`grid_of`; the same object for what is the same study as far as the grid sees it."""
        study = placed.study
        entry = study.entry(spec.entry)
        basis = (
            entry, chain_of(study, entry), source, *_family(placed, entry),
            *(placed.profiles.get(one) for one in spec.machines),
        )  # fmt: skip
        view = (
            replace(study.view, machines=()),
            replace(spec, form="", shown="", figure="", columns=(), follows=True, kernel=""),
        )
        known = self._grid
        if (
            known is not None
            and len(basis) + 1 == len(self._basis)
            and all(a is b for a, b in zip(basis, self._basis, strict=False))
            and view == self._basis[-1]
        ):
            if known.spec != spec:  # only looked at in another way
                known = self._grid = replace(known, spec=spec)
            return known
        self._grid = grid_of(placed, source, spec)
        self._basis = (*basis, view)
        return self._grid


class _NoSource:
    """Stands in while plugins are being loaded."""

    def operator(self, id_: str, plugin: str = "") -> Any:
        raise PendingError("The operators are still being loaded.")


_FUSION_WORDS: Final = {"drawn": "as drawn", "split": "all split", "fused": "all fused"}
_BOUNDARY_WORDS: Final = {ALL: "all boundaries", HOME: "home boundary"}


@dataclass
class _Builder:
    placed: PlacedStudy
    source: EstimateSource | None
    spec: GridSpec
    entry: Entry
    rows: dict[tuple[str, str, str], PlacedRow] = field(default_factory=dict)

    def grid(self) -> Grid:
        study = self.placed.study
        if self.source is not None:
            self.source = source_for(self.source, study)
        self.chain = chain_of(study, self.entry)
        self.machines = study.machines_of(self.entry)
        own = {row.machine: row for row in self.placed.rows_of(self.entry.id)}
        first = next((one for one in self.spec.machines if one in own), next(iter(own), None))
        self.own, self.baseline = own, own[first] if first is not None else None
        self.present = (
            present_boundary(self.baseline) if self.baseline is not None else self.spec.boundaries[0],
            present_dtype(self.entry, self.source),
        )
        self.there = {_identity(row): row.entry.id for row in _family(self.placed, self.entry)}
        self.labels = dict(_labels(self.placed, self.spec, chain=self.chain is not None))
        self.rows = self._bases()
        keys = [
            CellKey(*one)
            for one in product(self.spec.boundaries, self.spec.dtypes, self.spec.fusions, self.spec.machines)
        ]
        return Grid(self.spec, self.entry, self.baseline, {key: self._cell(key) for key in keys}, self.labels)

    def _bases(self) -> dict[tuple[str, str, str], PlacedRow]:
        """Place the entry in every format and fusion on every machine, at the boundary that it is set to."""
        wanted: dict[str, tuple[str, str]] = {}
        variants: list[Entry] = []
        for dtype, fusion in product(self.spec.dtypes, self.spec.fusions):
            id_ = f"{len(variants)}"
            wanted[id_] = dtype, fusion
            variants.append(self._varied(id_, dtype, fusion))
        rows = self._placed(tuple(variants))
        return {(*wanted[row.entry.id], row.machine): row for row in rows}

    def _varied(self, id_: str, dtype: str, fusion: str) -> Entry:
        operator = self.entry.operator
        if fusion != "drawn" and self.chain is not None:
            operator = f"{CHAIN_PREFIX}{_cut_id(self.chain, fusion)}"
        formats = formats_for(self.entry, dtype, self.source)
        return replace(self.entry, id=id_, operator=operator, dtypes=formats, machines=self.spec.machines)

    def _placed(self, entries: tuple[Entry, ...]) -> tuple[PlacedRow, ...]:
        study = self.placed.study
        chains = study.chains
        if self.chain is not None:
            chains = (*chains, *(_cut_anew(self.chain, one) for one in self.spec.fusions if one != "drawn"))
        part = replace(study, entries=entries, chains=chains, overlays=(), pairs=())
        return place(part, self.placed.profiles, self.source or _NoSource()).rows  # type: ignore[arg-type]

    def _cell(self, key: CellKey) -> Cell:
        boundary, dtype, fusion, machine = key
        own = self.own.get(machine)
        is_present = own is not None and (boundary, dtype, fusion) == (*self.present, "drawn")
        row = own if is_present and own is not None else self._row(key)
        is_baseline = row is self.baseline
        there = self.entry.id if is_present else self.there.get(_identity(row)) if fusion == "drawn" else None
        cell = Cell(key, row, is_present, is_baseline, self._words(key), placed_as=there)
        if fusion != "drawn" and self.chain is not None:
            only = (boundary, dtype) == self.present and machine in self.machines
            cell = replace(cell, cuts=cuts_of(self.chain, fusion), only_cut=only)
        return cell if self.baseline is None else _held_against(cell, self.baseline)

    def _row(self, key: CellKey) -> PlacedRow:
        base = self.rows[key.dtype, key.fusion, key.machine]
        boundary = None if key.boundary == HOME else key.boundary
        entry = self._variant(key)
        settings = replace(base.settings, boundary=boundary)
        if base.placement is None and base.state == "refused" and base.profile is not None:
            # Perhaps it was only the boundary: ask again at this one.
            placed = replace(
                self._varied("0", key.dtype, key.fusion), boundary=boundary, machines=(key.machine,)
            )
            base = self._placed((placed,))[0] if boundary is not None else base
        if base.placement is None:
            return PlacedRow(entry, key.machine, base.profile, settings, base.state, None, base.reason)
        try:
            placement = base.varied(boundary=boundary)
        except StudioError as error:
            return PlacedRow(entry, key.machine, base.profile, settings, "refused", None, str(error))
        return PlacedRow(entry, key.machine, base.profile, settings, "placed", placement)

    def _variant(self, key: CellKey) -> Entry:
        """Return the entry that this cell would be; what it has in common with the baseline still follows the view."""
        entry = self.entry
        changed = key.boundary != self.present[0]
        boundary = entry.boundary if not changed else None if key.boundary == HOME else key.boundary
        machines = entry.machines if key.machine in self.machines else (key.machine,)
        formats = formats_for(entry, key.dtype, self.source)
        base = (
            entry.variant_of
            if entry.variant_of and self.placed.study.has_entry(entry.variant_of)
            else entry.id
        )
        return replace(
            entry,
            id="",
            dtypes=formats,
            boundary=boundary,
            machines=machines,
            variant_of=base,
            label=self._words(key, with_machine=key.machine not in self.machines),
        )

    def _words(self, key: CellKey, *, with_machine: bool = True) -> str:
        words: list[str] = []
        if key.boundary != self.present[0]:
            profile = self.placed.profiles.get(key.machine)
            own = profile.boundaries.get(key.boundary) if profile is not None else None
            words.append(f"at {own.label if own is not None else self.labels['boundary', key.boundary]}")
        if key.dtype not in (OWN, self.present[1]):
            words.append(key.dtype)
        if key.fusion != "drawn":
            words.append(self.labels["fusion", key.fusion])
        if with_machine and (self.baseline is None or key.machine != self.baseline.machine):
            words.append(f"on {self.labels['machine', key.machine]}")
        return ", ".join(words) or "baseline"


def _labels(placed: PlacedStudy, spec: GridSpec, *, chain: bool) -> Iterator[tuple[tuple[str, str], str]]:
    profiles = [placed.profiles[one] for one in spec.machines if one in placed.profiles]
    for id_ in spec.boundaries:
        names = dict.fromkeys(one.boundaries[id_].label for one in profiles if id_ in one.boundaries)
        yield ("boundary", id_), _BOUNDARY_WORDS.get(id_) or " / ".join(names) or id_
    for id_ in spec.dtypes:
        yield ("dtype", id_), "formats as set" if id_ == OWN else id_
    for id_ in spec.fusions:
        yield ("fusion", id_), _FUSION_WORDS[id_] if chain else "as is"
    for id_ in spec.machines:
        yield ("machine", id_), placed.profiles[id_].short_name if id_ in placed.profiles else id_


def _family(placed: PlacedStudy, entry: Entry) -> tuple[PlacedRow, ...]:
    """Return the rows of an entry, of its baseline and of all variants of that."""
    base = entry.variant_of or entry.id
    return tuple(
        row for row in placed.rows if base in (row.entry.id, row.entry.variant_of) or row.entry is entry
    )


def _identity(row: PlacedRow) -> tuple[object, ...]:
    """Return what two rows have in common that show the same: kernel, parameters, formats, settings and machine."""
    entry = row.entry
    parameters = repr(sorted(entry.parameters.items()))
    return entry.operator, parameters, tuple(sorted(entry.dtypes.items())), row.settings, row.machine


def _cut_id(chain: Chain, fusion: str) -> str:
    return f"{chain.id}~{fusion}"


def _cut_anew(chain: Chain, fusion: str) -> Chain:
    return Chain(_cut_id(chain, fusion), chain.parts, cuts_of(chain, fusion))


def _held_against(cell: Cell, base: PlacedRow) -> Cell:
    ours, theirs = cell.row.placement, base.placement
    if ours is None or theirs is None:
        return cell
    return replace(
        cell,
        delta_time_s=float(ours.time_s - theirs.time_s),
        time_ratio=_ratio(ours.time_s, theirs.time_s),
        traffic_ratio=_ratio(ours.traffic_bytes, theirs.traffic_bytes),
        intensity_ratio=_ratio(ours.intensity, theirs.intensity),
    )


def _ratio(ours: Any, theirs: Any) -> float | None:
    """Return ours over theirs; None where either is not a positive finite number."""
    if not (is_number(ours) and is_number(theirs)) or not (
        0 < theirs < float("inf") and 0 < ours < float("inf")
    ):
        return None
    return float(ours / theirs)

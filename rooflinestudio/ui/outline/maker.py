"""From a placed study to the branches of the outline: variants below their baseline, entries below their group."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.panel import measured_panel
from rooflinestudio.core.series.settings import series_looks
from rooflinestudio.core.study import CHAIN_PREFIX
from rooflinestudio.core.variant_ratios import base_row, ratios, short_name
from rooflinestudio.ui.outline.kernel_branches import file_branch, paired_kernels
from rooflinestudio.ui.outline.nodes import Branch, EntryNode, GroupNode, KernelNode
from rooflinestudio.ui.widgets.words import short_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry, Study

__all__ = ["OutlineMaker"]


class OutlineMaker:
    """Makes outlines one after the other and keeps the branches of rows that did not change."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[tuple[Any, ...], Branch]] = {}
        self._files: tuple[tuple[Any, ...], tuple[dict[str, list[KernelNode]], list[Branch]]] | None = None

    def branches(self, placed: PlacedStudy, machine: str = "") -> list[Branch]:
        """Return the top level: entries without a group, then groups, both in the order of the study, then the files.

        Parameters
        ----------
        machine
            Whose time is shown; an entry that is not placed on it shows the time on its first machine.
        """
        study = placed.study
        rows = _rows_by_entry(placed)
        paired, files = self._measured(study)
        known, self._entries = self._entries, {}
        nested = _nested(study)
        variants: dict[str, list[Branch]] = {}
        for entry in study.entries:
            base = nested.get(entry.id)
            if base is not None:
                row, bases = _shown(rows[entry.id], machine), rows[base]
                held = base_row(row, bases) if row is not None and bases else None
                made_from = (entry, row, paired.get(entry.id, _NO_KERNELS), held)
                variants.setdefault(base, []).append(self._branch(made_from, known, _variant_branch))
        groups: dict[str, list[Branch]] = {}
        for entry in study.entries:
            if entry.id not in nested:
                made = (entry, _shown(rows[entry.id], machine), paired.get(entry.id, _NO_KERNELS))
                branch = self._branch((*made, *variants.get(entry.id, ())), known, _entry_branch)
                groups.setdefault(entry.group, []).append(branch)
        # What has no group stands first: below a group it would seem to belong to it.
        result = groups.pop("", [])
        for name, members in groups.items():
            result.append(Branch(GroupNode(name, tuple(_entry_ids(members))), tuple(members)))
        return result + files

    def _branch(
        self,
        made_from: tuple[Any, ...],
        known: Mapping[str, tuple[tuple[Any, ...], Branch]],
        make: Callable[..., Branch],
    ) -> Branch:
        id_ = made_from[0].id
        found = known.get(id_)
        if found is None or not _same(found[0], made_from):
            found = (made_from, make(*made_from))
        self._entries[id_] = found
        return found[1]

    def _measured(self, study: Study) -> tuple[dict[str, list[KernelNode]], list[Branch]]:
        """Return the kernels held against each entry, and the files."""
        looks = series_looks(study, measured_panel(study))
        worn = tuple(looks[one.digest].slot for one in study.overlays)
        made_from = (study.overlays, study.pairs, tuple(entry.slot for entry in study.entries), worn)
        if self._files is None or self._files[0] != made_from:
            paired = paired_kernels(study)
            slots = {entry.id: entry.slot for entry in study.entries}
            self._files = (
                made_from,
                (
                    paired,
                    [
                        file_branch(one, paired, slots, slot)
                        for one, slot in zip(study.overlays, worn, strict=True)
                    ],
                ),
            )
        return self._files[1]


_NO_KERNELS: Final[list[KernelNode]] = []


def _rows_by_entry(placed: PlacedStudy) -> dict[str, list[PlacedRow]]:
    rows: dict[str, list[PlacedRow]] = {entry.id: [] for entry in placed.study.entries}
    for row in placed.rows:
        rows[row.entry.id].append(row)
    return rows


def _shown(rows: Sequence[PlacedRow], machine: str) -> PlacedRow | None:
    """Return the row on a machine, else the first one."""
    return next((row for row in rows if row.machine == machine), rows[0] if rows else None)


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _nested(study: Study) -> dict[str, str]:
    """Return which entries stand below which: variants below a baseline that is in the same group, one level."""
    bases = {one.id: one for one in study.entries if one.variant_of is None}
    nested = {}
    for entry in study.entries:
        base = bases.get(entry.variant_of or "")
        if base is not None and base.group == entry.group:
            nested[entry.id] = base.id
    return nested


def _entry_ids(branches: Iterable[Branch]) -> Iterator[str]:
    """Yield the ids of entries and of the variants below them."""
    for branch in branches:
        if isinstance(branch.node, EntryNode):
            yield branch.node.id
            yield from _entry_ids(branch.below)


def _entry_branch(
    entry: Entry, row: PlacedRow | None, kernels: list[KernelNode], *variants: Branch
) -> Branch:
    node = replace(_entry_node(entry, row), has_variants=bool(variants))
    return Branch(node, (*(Branch(kernel) for kernel in kernels), *variants))


def _variant_branch(
    entry: Entry, row: PlacedRow | None, kernels: list[KernelNode], base: PlacedRow | None
) -> Branch:
    found = ratios(row, base) if row is not None and base is not None else None
    time = found.time if found is not None else None
    node = _entry_node(entry, row)
    short = short_name(node.label, _name(base.entry)) if base is not None else node.label
    node = replace(node, base=entry.variant_of or "", ratio=time, short=short)
    return Branch(node, tuple(Branch(replace(kernel, depth=kernel.depth + 1)) for kernel in kernels))


def _entry_node(entry: Entry, row: PlacedRow | None) -> EntryNode:
    state = row.state if row is not None else "refused"
    reason = row.reason if row is not None else "No machine is shown. Add one to place this."
    time = short_time(row.placement.time_s) if row is not None and row.placement is not None else ""
    label = _name(entry)
    return EntryNode(
        entry.id, label, entry.slot, time, state, reason, entry.visible, entry.group, short=label
    )


def _name(entry: Entry) -> str:
    return entry.label or entry.operator.removeprefix(CHAIN_PREFIX)

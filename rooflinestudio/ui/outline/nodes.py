"""What the outline shows, worked out from a placed study: groups, entries, measured kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.ui.widgets.words import short_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry, Study

__all__ = [
    "KERNELS_SHOWN", "Branch", "EntryNode", "FileNode", "GroupNode", "KernelNode", "MoreNode", "Node", "OutlineMaker",
]  # fmt: skip

KERNELS_SHOWN: Final = 50
"""Kernels of one file that stand in the outline; the others are in the table of measured kernels."""


@dataclass(frozen=True, slots=True)
class GroupNode:
    """A heading over the entries of one group."""

    name: str
    entries: tuple[str, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """What stays the same while the group is the same."""
        return ("group", self.name)


@dataclass(frozen=True, slots=True)
class EntryNode:
    """A placed operator, or one that could not be placed and why."""

    id: str
    label: str
    slot: int | str
    time: str
    state: str
    reason: str
    visible: bool
    group: str

    @property
    def key(self) -> tuple[str, ...]:
        """What stays the same while the entry is the same."""
        return ("entry", self.id)


@dataclass(frozen=True, slots=True)
class FileNode:
    """A file of measured kernels."""

    digest: str
    name: str
    count: int

    @property
    def key(self) -> tuple[str, ...]:
        """What stays the same while the overlay is the same."""
        return ("file", self.digest)


@dataclass(frozen=True, slots=True)
class KernelNode:
    """One measured kernel; ``slot`` is that of the entry it is held against, or None.

    ``entry`` is the entry that it stands below, empty in its file.
    """

    digest: str
    index: int
    name: str
    time: str
    slot: int | str | None
    reason: str
    entry: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What stays the same while the kernel is the same."""
        return ("kernel", self.digest, str(self.index), self.entry)


@dataclass(frozen=True, slots=True)
class MoreNode:
    """How many kernels of a file are only in the table."""

    digest: str
    count: int

    @property
    def key(self) -> tuple[str, ...]:
        """One per file."""
        return ("more", self.digest)


Node = GroupNode | EntryNode | FileNode | KernelNode | MoreNode


class Branch(NamedTuple):
    """A node with what stands below it."""

    node: Node
    below: tuple[Branch, ...] = ()


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
        rows = _rows_by_entry(placed, machine)
        paired, files = self._measured(study)
        known, self._entries = self._entries, {}
        groups: dict[str, list[Branch]] = {}
        for entry in study.entries:
            branch = self._entry(entry, rows.get(entry.id), paired.get(entry.id, _NO_KERNELS), known)
            groups.setdefault(entry.group, []).append(branch)
        # What has no group stands first: below a group it would seem to belong to it.
        result = groups.pop("", [])
        for name, members in groups.items():
            ids = tuple(branch.node.id for branch in members if isinstance(branch.node, EntryNode))
            result.append(Branch(GroupNode(name, ids), tuple(members)))
        return result + files

    def _entry(
        self,
        entry: Entry,
        row: PlacedRow | None,
        kernels: list[KernelNode],
        known: Mapping[str, tuple[tuple[Any, ...], Branch]],
    ) -> Branch:
        made_from = (entry, row, kernels)
        found = known.get(entry.id)
        if found is None or any(a is not b for a, b in zip(found[0], made_from, strict=True)):
            found = (made_from, _entry_branch(entry, row, kernels))
        self._entries[entry.id] = found
        return found[1]

    def _measured(self, study: Study) -> tuple[dict[str, list[KernelNode]], list[Branch]]:
        """Return the kernels held against each entry, and the files."""
        made_from = (study.overlays, study.pairs, tuple(entry.slot for entry in study.entries))
        if self._files is None or self._files[0] != made_from:
            paired = _paired_kernels(study)
            slots = {entry.id: entry.slot for entry in study.entries}
            self._files = (made_from, (paired, [_file_branch(one, paired, slots) for one in study.overlays]))
        return self._files[1]


_NO_KERNELS: Final[list[KernelNode]] = []


def _rows_by_entry(placed: PlacedStudy, machine: str) -> dict[str, PlacedRow]:
    rows: dict[str, PlacedRow] = {}
    for row in placed.rows:
        if row.machine == machine or row.entry.id not in rows:
            rows[row.entry.id] = row
    return rows


def _entry_branch(entry: Entry, row: PlacedRow | None, kernels: list[KernelNode]) -> Branch:
    state = row.state if row is not None else "refused"
    reason = row.reason if row is not None else "No machine is shown. Add one to place this."
    time = short_time(row.placement.time_s) if row is not None and row.placement is not None else ""
    label = entry.label or entry.operator
    node = EntryNode(entry.id, label, entry.slot, time, state, reason, entry.visible, entry.group)
    return Branch(node, tuple(Branch(kernel) for kernel in kernels))


def _paired_kernels(study: Study) -> dict[str, list[KernelNode]]:
    overlays = {overlay.digest: overlay for overlay in study.overlays}
    slots = {entry.id: entry.slot for entry in study.entries}
    found: dict[str, list[KernelNode]] = {}
    for pair in study.pairs:
        overlay = overlays.get(pair.overlay)
        index = _launch_index(overlay, pair.launch) if overlay is not None else None
        if overlay is not None and index is not None and pair.entry in slots:
            words = _kernel_words(overlay, index)
            node = _kernel_node(overlay, index, words, slots[pair.entry], pair.entry)
            found.setdefault(pair.entry, []).append(node)
    return found


def _launch_index(overlay: Overlay, launch: int) -> int | None:
    """Return which row of an overlay holds a launch, or None."""
    found = (overlay.columns["launch"] == launch).nonzero()[0]
    return int(found[0]) if len(found) else None


def _file_branch(
    overlay: Overlay, paired: Mapping[str, list[KernelNode]], slots: Mapping[str, int | str]
) -> Branch:
    colours = {
        node.index: slots.get(entry)
        for entry, nodes in paired.items()
        for node in nodes
        if node.digest == overlay.digest
    }
    shown = min(len(overlay), KERNELS_SHOWN)
    below = [
        Branch(_kernel_node(overlay, index, _kernel_words(overlay, index), colours.get(index)))
        for index in range(shown)
    ]
    if shown < len(overlay):
        below.append(Branch(MoreNode(overlay.digest, len(overlay) - shown)))
    return Branch(FileNode(overlay.digest, PurePath(overlay.name).name, len(overlay)), tuple(below))


def _kernel_node(
    overlay: Overlay, index: int, words: tuple[str, str, str], slot: int | str | None, entry: str = ""
) -> KernelNode:
    name, time, reason = words
    return KernelNode(overlay.digest, index, name, time, slot, reason, entry)


@lru_cache(maxsize=1024)
def _kernel_words(overlay: Overlay, index: int) -> tuple[str, str, str]:
    record = overlay.record(index)
    time = record.get("time_s")
    return (
        str(record.get("kernel", "")).removeprefix("void "),
        short_time(float(time)) if time is not None else "",
        str(record.get("reason", "")),
    )

"""What the outline shows, worked out from a placed study: groups, entries, measured kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from rooflinestudio.ui.widgets.words import short_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Entry, Pair

__all__ = [
    "KERNELS_SHOWN",
    "EntryNode",
    "FileNode",
    "GroupNode",
    "KernelNode",
    "MoreNode",
    "Node",
    "outline_nodes",
]

KERNELS_SHOWN: Final = 50
"""Kernels of one file that stand in the outline; the others are in the table of measured kernels."""


@dataclass(frozen=True, slots=True)
class GroupNode:
    """A heading over the entries of one group."""

    name: str
    entries: tuple[str, ...]
    children: tuple[Node, ...]

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
    children: tuple[Node, ...]

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
    children: tuple[Node, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """What stays the same while the overlay is the same."""
        return ("file", self.digest)


@dataclass(frozen=True, slots=True)
class KernelNode:
    """One measured kernel; ``slot`` is that of the entry it is held against, or None."""

    digest: str
    index: int
    name: str
    time: str
    slot: int | str | None
    reason: str
    entry: str = ""
    children: tuple[Node, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """What stays the same while the kernel is the same."""
        return ("kernel", self.digest, str(self.index), self.entry)


@dataclass(frozen=True, slots=True)
class MoreNode:
    """How many kernels of a file are only in the table."""

    digest: str
    count: int
    children: tuple[Node, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """One per file."""
        return ("more", self.digest)


Node = GroupNode | EntryNode | FileNode | KernelNode | MoreNode


def outline_nodes(placed: PlacedStudy, machine: str = "") -> tuple[Node, ...]:
    """Return the top level: entries without a group, then groups, both in the order of the study, then the files.

    Parameters
    ----------
    machine
        Whose time is shown; an entry that is not placed on it shows the time on its first machine.
    """
    study = placed.study
    rows = _rows_by_entry(placed, machine)
    kernels = _paired_kernels(study.pairs, {overlay.digest: overlay for overlay in study.overlays})
    groups: dict[str, list[Entry]] = {}
    for entry in study.entries:
        groups.setdefault(entry.group, []).append(entry)
    # What has no group stands first: below a group it would seem to belong to it.
    nodes: list[Node] = [_entry_node(one, rows.get(one.id), kernels) for one in groups.pop("", [])]
    for name, members in groups.items():
        children = tuple(_entry_node(one, rows.get(one.id), kernels) for one in members)
        nodes.append(GroupNode(name, tuple(one.id for one in members), children))
    slots = {entry.id: entry.slot for entry in study.entries}
    nodes.extend(_file_node(overlay, kernels, slots) for overlay in study.overlays)
    return tuple(nodes)


def _rows_by_entry(placed: PlacedStudy, machine: str) -> dict[str, PlacedRow]:
    rows: dict[str, PlacedRow] = {}
    for row in placed.rows:
        if row.machine == machine or row.entry.id not in rows:
            rows[row.entry.id] = row
    return rows


def _entry_node(entry: Entry, row: PlacedRow | None, kernels: Mapping[str, list[KernelNode]]) -> EntryNode:
    state = row.state if row is not None else "refused"
    reason = row.reason if row is not None else "No machine is shown. Add one to place this."
    time = short_time(row.placement.time_s) if row is not None and row.placement is not None else ""
    paired = tuple(
        KernelNode(node.digest, node.index, node.name, node.time, entry.slot, node.reason, entry.id)
        for node in kernels.get(entry.id, ())
    )
    label = entry.label or entry.operator
    return EntryNode(entry.id, label, entry.slot, time, state, reason, entry.visible, entry.group, paired)


def _paired_kernels(pairs: tuple[Pair, ...], overlays: Mapping[str, Overlay]) -> dict[str, list[KernelNode]]:
    found: dict[str, list[KernelNode]] = {}
    for pair in pairs:
        overlay = overlays.get(pair.overlay)
        index = _launch_index(overlay, pair.launch) if overlay is not None else None
        if overlay is not None and index is not None:
            found.setdefault(pair.entry, []).append(_kernel_node(overlay, index, None))
    return found


def _launch_index(overlay: Overlay, launch: int) -> int | None:
    """Return which row of an overlay holds a launch, or None."""
    found = (overlay.columns["launch"] == launch).nonzero()[0]
    return int(found[0]) if len(found) else None


def _file_node(
    overlay: Overlay, kernels: Mapping[str, list[KernelNode]], slots: Mapping[str, int | str]
) -> FileNode:
    paired = {
        node.index: slots.get(entry)
        for entry, nodes in kernels.items()
        for node in nodes
        if node.digest == overlay.digest
    }
    shown = min(len(overlay), KERNELS_SHOWN)
    children: list[Node] = [_kernel_node(overlay, index, paired.get(index)) for index in range(shown)]
    if shown < len(overlay):
        children.append(MoreNode(overlay.digest, len(overlay) - shown))
    return FileNode(overlay.digest, PurePath(overlay.name).name, len(overlay), tuple(children))


def _kernel_node(overlay: Overlay, index: int, slot: int | str | None) -> KernelNode:
    name, time, reason = _kernel_words(overlay, index)
    return KernelNode(overlay.digest, index, name, time, slot, reason)


@lru_cache(maxsize=1024)
def _kernel_words(overlay: Overlay, index: int) -> tuple[str, str, str]:
    record = overlay.record(index)
    time = record.get("time_s")
    return (
        str(record.get("kernel", "")).removeprefix("void "),
        short_time(float(time)) if time is not None else "",
        str(record.get("reason", "")),
    )

"""Measured kernels in the outline: those held against an entry, and those of each file."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.ui.outline.nodes import KERNELS_SHOWN, Branch, FileNode, KernelNode, MoreNode
from rooflinestudio.ui.widgets.words import short_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.study import Study

__all__ = ["file_branch", "paired_kernels"]

_TABLES: Final = ("points-csv",)
"""Formats whose columns are what the user says they are."""
_Words = tuple[str, str, str]
"""Name, time and reason of a kernel."""


def paired_kernels(study: Study) -> dict[str, list[KernelNode]]:
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


def file_branch(
    overlay: Overlay,
    paired: Mapping[str, list[KernelNode]],
    slots: Mapping[str, int | str],
    own: int | None = None,
) -> Branch:
    """Return a file with its first kernels: in the colour of their entry, else in that of the file on the canvas."""
    colours = {
        node.index: slots.get(entry)
        for entry, nodes in paired.items()
        for node in nodes
        if node.digest == overlay.digest
    }
    shown = min(len(overlay), KERNELS_SHOWN)
    below = [
        Branch(_kernel_node(overlay, index, _kernel_words(overlay, index), colours.get(index, own)))
        for index in range(shown)
    ]
    if shown < len(overlay):
        below.append(Branch(MoreNode(overlay.digest, len(overlay) - shown)))
    return Branch(
        FileNode(overlay.digest, PurePath(overlay.name).name, len(overlay), overlay.format in _TABLES),
        tuple(below),
    )


def _kernel_node(
    overlay: Overlay, index: int, words: _Words, slot: int | str | None, entry: str = ""
) -> KernelNode:
    name, time, reason = words
    return KernelNode(overlay.digest, index, name, time, slot, reason, entry, 1 if entry else 0)


def _kernel_words(overlay: Overlay, index: int) -> _Words:
    kept: dict[int, _Words] = overlay.made_once("outline words", dict)
    if index not in kept:
        kept[index] = _words_of(overlay.record(index))
    return kept[index]


def _words_of(record: Mapping[str, Any]) -> _Words:
    time = record.get("time_s")
    return (
        str(record.get("kernel", "")).removeprefix("void "),
        short_time(float(time)) if time is not None else "",
        str(record.get("reason", "")),
    )

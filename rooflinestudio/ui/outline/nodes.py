"""What the rows of the outline say: groups, entries, measured kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from rooflinestudio.core.variant_ratios import time_words

__all__ = [
    "KERNELS_SHOWN", "Branch", "EntryNode", "FileNode", "GroupNode", "KernelNode", "MoreNode", "Node",
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
    """A placed operator, or one that could not be placed and why.

    Attributes
    ----------
    base, ratio
        For a variant: the baseline that it stands below, and its time over that of the baseline, or None.
    short
        What is written in the row: a variant's name without that of the baseline over it.
    has_variants
        Whether variants stand below it, which open and close.
    """

    id: str
    label: str
    slot: int | str
    time: str
    state: str
    reason: str
    visible: bool
    group: str
    base: str = ""
    ratio: float | None = None
    has_variants: bool = False
    short: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What stays the same while the entry is the same."""
        return ("entry", self.id)

    @property
    def ratio_words(self) -> str:
        """The ratio with its direction: ``2.00× faster``; empty for a baseline."""
        return time_words(self.ratio) if self.ratio is not None else ""


@dataclass(frozen=True, slots=True)
class FileNode:
    """A file of measured kernels; ``has_columns`` where the user can say what the columns of its table hold."""

    digest: str
    name: str
    count: int
    has_columns: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        """What stays the same while the overlay is the same."""
        return ("file", self.digest)


@dataclass(frozen=True, slots=True)
class KernelNode:
    """One measured kernel; ``slot`` is that of the entry it is held against, else of its file on the canvas, or None.

    ``entry`` is the entry that it stands below, empty in its file; ``depth`` counts the entries above it.
    """

    digest: str
    index: int
    name: str
    time: str
    slot: int | str | None
    reason: str
    entry: str = ""
    depth: int = 0

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

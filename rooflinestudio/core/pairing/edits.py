"""Edits of pairs: which kernel of a file is held against which entry. A kernel has at most one, an entry may have many.

Every function returns another study; the pairs of entries that are removed go with them (:meth:`Study.without`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.study import Entry, Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.study import Study

__all__ = [
    "FoundPair", "Kernel", "PairingError", "found_pairs", "kernel_position", "pair_of", "paired_entry_id", "with_new",
    "with_pair", "with_pairs", "without_overlay", "without_pair", "without_pairs",
]  # fmt: skip

Kernel = tuple[str, int]
"""A kernel: digest of its file, and its position in there."""


class PairingError(StudioError):
    """A kernel or an entry that is not there."""


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A pair whose kernel and entry are both there."""

    pair: Pair
    overlay: Overlay
    index: int
    entry: Entry


def kernel_position(overlay: Overlay, launch: int) -> int | None:
    """Return the position of a launch in an overlay, or None where the file has no such launch."""
    launches = overlay.columns["launch"]
    if 0 <= launch < len(launches) and launches[launch] == launch:
        return launch  # as most readers number them
    found = (launches == launch).nonzero()[0]
    return int(found[0]) if len(found) else None


def found_pairs(study: Study, digest: str | None = None) -> Iterator[FoundPair]:
    """Yield the pairs of a study (or of one file); those whose kernel or entry is missing are not told."""
    overlays = {one.digest: one for one in study.overlays if digest in (None, one.digest)}
    entries = {one.id: one for one in study.entries}
    for pair in study.pairs:
        overlay, entry = overlays.get(pair.overlay), entries.get(pair.entry)
        index = kernel_position(overlay, pair.launch) if overlay is not None else None
        if overlay is not None and entry is not None and index is not None:
            yield FoundPair(pair, overlay, index, entry)


def pair_of(study: Study, digest: str, index: int) -> Pair | None:
    """Return the pair of a kernel, or None."""
    if not any(pair.overlay == digest for pair in study.pairs):
        return None
    launch = _launch(_overlay(study, digest), index)
    return next((one for one in study.pairs if (one.overlay, one.launch) == (digest, launch)), None)


def paired_entry_id(study: Study, digest: str, index: int) -> str:
    """Return the id of the entry that a kernel is held against; empty where there is none."""
    pair = pair_of(study, digest, index)
    return pair.entry if pair is not None and study.has_entry(pair.entry) else ""


def with_pair(study: Study, digest: str, index: int, entry_id: str) -> Study:
    """Return the study with a kernel held against an entry, and against no other any more.

    Raises
    ------
    PairingError
        There is no such kernel or entry.
    """
    return with_pairs(study, [(digest, index)], entry_id)


def with_pairs(study: Study, kernels: Iterable[Kernel], entry_id: str) -> Study:
    """Return the study with several kernels held against one entry; see :func:`with_pair`."""
    if not study.has_entry(entry_id):
        raise PairingError(f"The study has no entry {entry_id!r} to hold a kernel against.")
    pairs = {(one.overlay, one.launch): one for one in study.pairs}
    for digest, index in kernels:
        overlay = _overlay(study, digest)
        launch = _launch(overlay, index)
        known = pairs.get((digest, launch))
        pairs[digest, launch] = (
            replace(known, entry=entry_id)
            if known is not None
            else Pair(digest, overlay.measurement(index).kernel_key, launch, entry_id)
        )
    made = tuple(pairs.values())
    return study if made == study.pairs else replace(study, pairs=made)


def without_pair(study: Study, digest: str, index: int) -> Study:
    """Return the study with a kernel held against nothing."""
    return without_pairs(study, [(digest, index)])


def without_pairs(study: Study, kernels: Iterable[Kernel]) -> Study:
    """Return the study with several kernels held against nothing."""
    gone = {(digest, _launch(_overlay(study, digest), index)) for digest, index in kernels}
    made = tuple(one for one in study.pairs if (one.overlay, one.launch) not in gone)
    return study if len(made) == len(study.pairs) else replace(study, pairs=made)


def with_new(
    study: Study, kernel: Kernel, operator_id: str, parameters: Mapping[str, Any], **fields: Any
) -> tuple[Study, str]:
    """Return the study with a new entry and a kernel held against it, and the id of the entry.

    Parameters
    ----------
    fields
        Further fields of :class:`Entry`, such as ``dtypes``, ``label`` and ``plugin``.
    """
    id_ = study.next_id(operator_id)
    entry = Entry(id_, operator_id, parameters=dict(parameters), slot=study.next_slot(), **fields)
    return with_pair(study.adding(entry), *kernel, id_), id_


def without_overlay(study: Study, digest: str) -> Study:
    """Return the study without a file of measurements; its pairs go with it, the entries stay."""
    overlays = tuple(one for one in study.overlays if one.digest != digest)
    pairs = tuple(one for one in study.pairs if one.overlay != digest)
    return replace(study, overlays=overlays, pairs=pairs)


def _overlay(study: Study, digest: str) -> Overlay:
    found = next((one for one in study.overlays if one.digest == digest), None)
    if found is None:
        raise PairingError("The measurements of this kernel are not in the study any more.")
    return found


def _launch(overlay: Overlay, index: int) -> int:
    if not 0 <= index < len(overlay):
        raise PairingError(f"{overlay.name} has {len(overlay)} kernels; there is none at position {index}.")
    return int(overlay.columns["launch"][index])

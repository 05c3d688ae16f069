"""Findings of the self-check as notes of the editor, and what their buttons do to a draft."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from rooflinestudio.core.profile_edit.draft import doubt, with_profile
from rooflinestudio.core.profile_edit.notes import EditorNote, NoteAction
from rooflinestudio.core.profile_edit.places import FigurePlace, rate_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_check import Finding
    from rooflinestudio.core.profile_edit.draft import Draft

__all__ = ["explained", "finding_notes", "mended"]


def finding_notes(draft: Draft, neighbours: Iterable[HardwareProfile]) -> Iterator[EditorNote]:
    """Yield a note for each finding that nobody has written a reason for, with its mend as a button.

    Whatever is figured above its published rate and not used has a note of its own, and is not told twice.
    """
    from rooflinestudio.core.profile_check import check_profile, finding_words

    for finding in check_profile(draft.profile, neighbours):
        if not finding.open or _is_told(draft, finding):
            continue
        title, text, corrections = finding_words(finding)
        actions = [NoteAction("apply", label) for label, _ in corrections]
        actions.append(NoteAction("explain", "It is right…"))
        yield EditorNote(f"finding.{finding.id}", "warn", title, text, tuple(actions), finding)


def _is_told(draft: Draft, finding: Finding) -> bool:
    if finding.kind != "above-published" or finding.place[0] not in ("ceilings", "boundaries"):
        return False
    group = "ceilings" if finding.place[0] == "ceilings" else "boundaries"
    one = rate_at(draft.profile, FigurePlace(group, finding.place[1]))  # type: ignore[arg-type]
    return one is not None and doubt(one) is not None and one.in_use == "stated"


def mended(draft: Draft, finding: Finding) -> Draft:
    """Set the figure of a finding to its likely value; what is said about it stays."""
    from rooflinestudio.core.profile_check import apply_correction

    return with_profile(draft, apply_correction(draft.profile, finding))


def explained(draft: Draft, finding_id: str, reason: str) -> Draft:
    """Write why a finding is right as it stands; an empty reason takes a written one back."""
    reason = " ".join(reason.split())[:2000]
    known = {key: text for key, text in draft.profile.explained.items() if key != finding_id}
    if reason:
        known[finding_id] = reason
    return with_profile(draft, replace(draft.profile, explained=MappingProxyType(known)))

"""Which file an imported figure came from: a phrase of its note, shown apart and kept when the note changes."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["joined_note", "split_note"]

_IMPORTED: Final = re.compile(r"\s*imported from (?P<file>[^;]+?)\.?\s*(?:;\s*|$)", re.IGNORECASE)


def split_note(note: str) -> tuple[str, str]:
    """Return the file that a note names (or an empty text), and the rest of it."""
    found = _IMPORTED.search(note)
    if found is None:
        return "", note
    return found["file"], (note[: found.start()] + note[found.end() :]).strip(" ;")


def joined_note(file: str, rest: str) -> str:
    """Return a note that names a file and says the rest; :func:`split_note` takes it apart again."""
    return "; ".join(part for part in (f"imported from {file}" if file else "", rest) if part)

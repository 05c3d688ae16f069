"""What can be selected in a study."""

from __future__ import annotations

__all__ = ["Selection", "selected_entry"]

Selection = str | tuple[str, str, int] | None
"""An entry id, ``("measured", overlay digest, index)``, ``("part", entry id, part index)``, or None: the machine."""


def selected_entry(selection: Selection) -> str | None:
    """Return the entry that is selected, whole or by one of its parts."""
    if isinstance(selection, tuple):
        return selection[1] if selection[0] == "part" else None
    return selection

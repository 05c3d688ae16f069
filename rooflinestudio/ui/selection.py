"""What can be selected: the words of the core, where views look for them."""

from __future__ import annotations

from rooflinestudio.core.selection import Selection, selected_entry

__all__ = ["Selection", "selected_entry"]

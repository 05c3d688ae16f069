"""Edits on hardware profiles as pure functions: what is typed, added, taken out, copied, and what it changed."""

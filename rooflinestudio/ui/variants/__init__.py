"""Making variants of what is placed."""

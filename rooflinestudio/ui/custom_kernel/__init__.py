"""The dialog in which a kernel is written without code."""

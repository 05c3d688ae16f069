"""The window in which machines are edited: figures as tables, their provenance, and the roof that they make."""

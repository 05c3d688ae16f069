"""The compare grid: one entry in many combinations, as small rooflines and as tables."""

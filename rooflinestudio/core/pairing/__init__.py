"""Measured kernels held against entries of a study: edits, suggestions by name and shape, and what a pair says."""

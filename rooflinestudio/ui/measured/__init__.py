"""The table of measured kernels."""

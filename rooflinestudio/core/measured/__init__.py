"""Measured kernels as the window lists, filters, groups and reads them."""

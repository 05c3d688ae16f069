"""Kernels without code: formulas of work and traffic in a YAML document."""

"""Ceilings that somebody measured: what of a file is taken, and machines at another clock."""

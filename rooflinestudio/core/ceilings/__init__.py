"""Ceilings that somebody measured: which machine they belong to, what is taken of them, and what profile that makes."""

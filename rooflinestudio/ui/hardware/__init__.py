"""Machines and how they are looked at."""

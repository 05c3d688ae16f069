"""Roofline Studio: which capacity runs out first, how far from the roof, and what would help."""

from __future__ import annotations

__version__ = "0.1.0"

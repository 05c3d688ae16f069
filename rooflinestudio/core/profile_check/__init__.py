"""Self-check of hardware profiles: which figure is suspect, why, and what it should probably be.

Wrong peaks mostly come from a handful of mistakes: a sparse rate taken for the dense one, bits for bytes, powers of
1024 for powers of 1000, both directions of a link, a unit off by a thousand. :func:`check_profile` holds each figure
against what the architecture does per clock, against what such memory or such a link can do, against the other figures
of the profile, and against neighbours; it speaks only where a usual mistake would explain the difference, or where
the figure cannot be.
"""

from __future__ import annotations

from rooflinestudio.core.profile_check.checking import apply_correction, check_profile, shipped_neighbours
from rooflinestudio.core.profile_check.finding import (
    KINDS,
    Finding,
    Kind,
    Severity,
    finding_id,
    finding_words,
    short,
)
from rooflinestudio.core.profile_check.places import Place, figure_at, with_value

__all__ = [
    "KINDS", "Finding", "Kind", "Place", "Severity", "apply_correction", "check_profile", "figure_at", "finding_id",
    "finding_words", "shipped_neighbours", "short", "with_value",
]  # fmt: skip

"""What an entry stands in while the inspector shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy

__all__ = ["Surroundings"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The study, and the source of operators and machines."""

    placed: PlacedStudy
    source: EstimateSource

"""A curve together with the entry that it stands for and where that entry is on it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from rooflinestudio.core.sweep_curves import Curve, here_of

if TYPE_CHECKING:
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.sweep_panel import SweepSpec

__all__ = ["DrawnCurve", "drawn"]


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnCurve(Curve):
    """A curve with the entry on its machine, and the entry's own value and figure where that lies in the range."""

    row: PlacedRow
    here: tuple[float, float] | None = None


def drawn(curve: Curve, row: PlacedRow, spec: SweepSpec) -> DrawnCurve:
    """Return a curve with the entry as it now stands; the arrays are the same objects."""
    same = {one.name: getattr(curve, one.name) for one in fields(Curve)}
    return DrawnCurve(**same, row=row, here=here_of(row, curve, spec))

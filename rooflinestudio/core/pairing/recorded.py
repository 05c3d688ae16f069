"""Shapes that a reader took from its file: the recipes of the work of a matrix product have them in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rooflinestudio.core.measurement import Measurement

__all__ = ["recorded_product"]

_PRODUCT: Final = re.compile(r"(?:([\d,]{1,12}) × )?2·(\d{1,12})·(\d{1,12})·(\d{1,12}) from the input shapes")


def recorded_product(measurement: Measurement) -> dict[str, int] | None:
    """Return m, n, k and batch of a product whose shapes were recorded; None where they were not."""
    for key, figure in measurement.figures.items():
        match = _PRODUCT.search(figure.recipe) if key.startswith("work.") else None
        if match is not None:
            batch, m, n, k = (int(one.replace(",", "")) if one else 1 for one in match.groups())
            return {"m": m, "n": n, "k": k, "batch": batch}
    return None

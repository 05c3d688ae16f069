"""Sets of kernels of one file as a short text: ``0-5 9 12-40``, so that a study can name a million of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Mask = npt.NDArray[np.bool_]

__all__ = ["ranges_mask", "ranges_text"]

_RANGE: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?\Z", re.ASCII)


def ranges_text(mask: Mask) -> str:
    """Return the positions at which a mask is true as ranges, both ends included; empty where there are none."""
    import numpy as np

    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0))
    pairs = zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True)
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in pairs)


def ranges_mask(text: str, length: int) -> Mask:
    """Return the mask of a text; what is no range, or lies beyond the length, counts for nothing."""
    import numpy as np

    steps = np.zeros(length + 1, dtype=np.int32)
    found = [match.groups() for token in text.split() if (match := _RANGE.match(token)) is not None]
    if not found:
        return np.zeros(length, dtype=bool)
    ends = np.array([(int(first), int(last or first)) for first, last in found], dtype=np.int64)
    ends = ends[(ends[:, 0] < length) & (ends[:, 0] <= ends[:, 1])]
    np.add.at(steps, ends[:, 0], 1)
    np.add.at(steps, np.minimum(ends[:, 1] + 1, length), -1)
    return np.cumsum(steps[:-1]) > 0

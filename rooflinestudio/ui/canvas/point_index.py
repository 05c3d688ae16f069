"""Many points in order of intensity: what is in view, or near the pointer, is a short run of them at every zoom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

__all__ = ["PointIndex"]


@dataclass(frozen=True, eq=False)
class PointIndex:
    """Points by x.

    Attributes
    ----------
    log_x, log_y
        In ascending order of x.
    order
        Position of each in the arrays that it was made from; None where these were in order.
    """

    log_x: Floats
    log_y: Floats
    order: Any

    @classmethod
    def of(cls, log_x: Floats, log_y: Floats) -> PointIndex:
        """Return the index of points in any order."""
        import numpy as np

        if bool((log_x[1:] >= log_x[:-1]).all()):
            return cls(log_x, log_y, None)
        order = np.argsort(log_x, kind="stable")
        return cls(log_x[order], log_y[order], order)

    def run(self, low: float, high: float) -> slice:
        """Return the run of the points from ``low`` to ``high``."""
        import numpy as np

        ends = np.array([low, high], np.float32)  # of another type the whole array would be converted
        return slice(
            int(self.log_x.searchsorted(ends[0], "left")), int(self.log_x.searchsorted(ends[1], "right"))
        )

    def position(self, at: int) -> int:
        """Return where a point is in the arrays that the index was made from."""
        return at if self.order is None else int(self.order[at])

    def positions(self, places: Any) -> Any:
        """Return the same for an array of them."""
        return places if self.order is None else self.order[places]

"""Measured kernels by the thousand as points: prepared once for each file and boundary, then only chosen from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.measured.main import main_columns
from rooflinestudio.ui.canvas.coordinates import log10_columns
from rooflinestudio.ui.canvas.paint_radii import LARGEST, OF_THE_WHOLE, SMALLEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement_overlay import Overlay

__all__ = ["PreparedKernels", "Preparing", "radii_of_kernels"]


@dataclass(frozen=True, eq=False)
class PreparedKernels:
    """The kernels of a file that have a place at a boundary, in order of intensity.

    Attributes
    ----------
    overlay
        The file.
    log_x, log_y, index
        log10 of FLOP/byte and FLOP/s as float32, and the number of each kernel.
    """

    overlay: Overlay
    log_x: Any
    log_y: Any
    index: Any


class Preparing:
    """Prepares files and keeps them as long as they are asked for again."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[Mapping[str, Any], PreparedKernels]] = {}
        self._radii: dict[str, NDArray[Any]] = {}

    def kernels(self, overlay: Overlay, boundary: str, profile: HardwareProfile) -> PreparedKernels:
        """Return the kernels of a file at a boundary, by their main pipes on a machine."""
        key, columns = (overlay.digest, boundary), main_columns(overlay, profile)
        kept = self._kept.get(key)
        if kept is None or kept[0] is not columns:
            kept = self._kept[key] = columns, _prepared(overlay, boundary, columns)
        return kept[1]

    def radii(self, overlay: Overlay) -> NDArray[Any]:
        """Return the radius of each kernel by its share of the time of its file, in pixels."""
        found = self._radii.get(overlay.digest)
        if found is None:
            found = self._radii[overlay.digest] = radii_of_kernels(overlay)
        return found

    def keep_only(self, digests: frozenset[str], boundary: str) -> None:
        """Forget files that are there no more, and other boundaries."""
        wanted = {key for key in self._kept if key[0] in digests and key[1] == boundary}
        self._kept = {key: one for key, one in self._kept.items() if key in wanted}
        self._radii = {digest: one for digest, one in self._radii.items() if digest in digests}


def _prepared(overlay: Overlay, boundary: str, columns: Mapping[str, Any]) -> PreparedKernels:
    import numpy as np

    rates = columns["achieved_flop_per_s"]
    intensities = columns.get(f"intensity_{boundary}")
    if intensities is None:  # nothing of the file was counted at this boundary
        intensities = np.full(len(overlay), np.nan)
    log_x, log_y, index = log10_columns(intensities, rates)
    order = np.argsort(log_x, kind="stable")
    return PreparedKernels(overlay, log_x[order], log_y[order], index[order])


def radii_of_kernels(overlay: Overlay) -> NDArray[Any]:
    """Return pixels for each kernel: area is the share of Σt of the file, between a least and a largest size."""
    import numpy as np

    times = overlay.columns["time_s"] * np.fmax(overlay.columns["count"], 1.0)
    total = float(np.nansum(times))
    shares = np.nan_to_num(times / total if total > 0 else np.zeros(len(overlay)))
    return np.clip(OF_THE_WHOLE * np.sqrt(shares), SMALLEST, LARGEST).astype(np.float32)

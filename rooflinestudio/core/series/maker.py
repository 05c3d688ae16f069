"""Makes the comparison of two measured files for one study after the other, and keeps what did not change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.measured.main import pipe_rates
from rooflinestudio.core.measured.panel import MeasuredPanel, hidden_kernels
from rooflinestudio.core.measured.series import DRAM
from rooflinestudio.core.series.figures import SeriesFigures, series_figures
from rooflinestudio.core.series.matching import match_series
from rooflinestudio.core.series.settings import before_and_after

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.study import Study

__all__ = ["SeriesMaker"]


class SeriesMaker:
    """Holds the two files of a study against each other; for one study this is all that has to be asked."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Any, Any]] = {}

    def figures(
        self,
        study: Study,
        panel: MeasuredPanel,
        profile: HardwareProfile | None = None,
        *,
        boundary: str = DRAM,
        with_hidden: bool = False,
    ) -> SeriesFigures | None:
        """Return the figures of the two files; the same object while nothing changes, None without two files.

        Parameters
        ----------
        profile
            The machine whose main pipes count.
        with_hidden
            Whether hidden kernels count nevertheless.
        """
        files = before_and_after(study, panel.series)
        if files is None:
            self._kept.clear()
            return None
        # By the files' names, too: a renamed file is equal, and is called by its new name.
        names = tuple((one.digest, one.name) for one in files)
        match = self._once("match", names, lambda: match_series(*files))
        hidden = () if with_hidden else tuple(panel.hidden.get(one.digest, "") for one in files)
        shown = MeasuredPanel() if with_hidden else panel
        found: SeriesFigures = self._once(
            "figures", (names, hidden, with_hidden, boundary, [pipe_rates(one.pipes, profile) for one in files]),
            lambda: series_figures(
                match, (hidden_kernels(shown, files[0]), hidden_kernels(shown, files[1])), profile, boundary=boundary
            ),
        )  # fmt: skip
        return found

    def _once(self, name: str, key: Any, make: Any) -> Any:
        kept = self._kept.get(name)
        if kept is None or kept[0] != key:
            kept = self._kept[name] = (key, make())
        return kept[1]

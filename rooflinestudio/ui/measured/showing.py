"""How the files of the measured tab are shown: put as changes of the study's settings."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from rooflinestudio.core.measured.panel import COMPARING, EVERY_BOUNDARY, hidden_changed, measured_panel
from rooflinestudio.core.measured.series import DRAM
from rooflinestudio.core.series.settings import series_changed, series_looks
from rooflinestudio.core.series.table import SeriesTableMaker

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.table import MeasuredTable
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.series.settings import SeriesLook
    from rooflinestudio.core.study import Study
    from rooflinestudio.ui.measured.corner import MeasuredCorner
    from rooflinestudio.ui.measured.view import MeasuredView

__all__ = ["Showing"]


class WornSlots:
    """Colours of kernels that have none of their own: from the entry that they are held against, else of their file."""

    def __init__(self, study: Study, table: MeasuredTable) -> None:
        looks = series_looks(study, table.panel)
        self._paired = {kernel: one.slot for kernel, one in table.paired.items()}
        self._looks = [looks[one.digest] for one in table.series.overlays]
        self._starts = table.series.starts

    def get(self, kernel: int, default: int | str = "") -> int | str:
        """Return the colour of a kernel, or the default."""
        paired = self._paired.get(kernel)
        if paired is not None:
            return paired
        look = self._look(kernel)
        return default if look is None or look.slot is None else look.slot

    def shape(self, kernel: int) -> str:
        """Return the marker of a kernel: an open diamond where its file stands for what was before."""
        look = self._look(kernel)
        return "open-diamond" if look is not None and look.form == 1 else "diamond"

    def _look(self, kernel: int) -> SeriesLook | None:
        number = bisect_right(self._starts, kernel) - 1
        return self._looks[number] if 0 <= number < len(self._looks) else None


class Showing(QObject):
    """Compares files, shows and hides them, and says how the canvas draws them, for one view."""

    def __init__(self, view: MeasuredView) -> None:
        super().__init__(view)
        self._view = view
        self._maker = SeriesTableMaker()

    def connect_corner(self, corner: MeasuredCorner) -> None:
        """Do what the controls of a corner ask for."""
        corner.modes.chosen.connect(self._on_modes_chosen)
        menu = corner.display
        menu.comparingRequested.connect(self.compare)
        menu.areaRequested.connect(self.show_area)
        menu.everyBoundaryRequested.connect(self.show_every_boundary)
        menu.arrowsRequested.connect(self.show_arrows)
        menu.swapRequested.connect(self._view.files.request_swap)
        menu.fileRequested.connect(self.show_file)

    def connect_files(self) -> None:
        """Do what the page of compared files asks for."""
        view, files = self._view, self._view.files
        files.panelRequested.connect(view.request_panel)
        files.kernelRequested.connect(self._on_files_kernel_requested)
        files.table.copyRequested.connect(view.copy_selected)
        files.table.menuWanted.connect(view.menu.popup)
        files.table.filterWanted.connect(view.focus_filter)
        files.table.filterCleared.connect(view.corner.filter.clear_filter)
        for action in (view.menu.hide_action, view.menu.others_action):
            files.table.addAction(action)

    def _on_files_kernel_requested(self, digest: str, index: int) -> None:
        self._view.selectRequested.emit(("measured", digest, index))

    def show_files(self, placed: PlacedStudy, profile: HardwareProfile | None) -> bool:
        """Show two files of a study against each other, if that is wanted and there are two."""
        panel = measured_panel(placed.study)
        table = self._maker.table(placed.study, panel, profile) if panel.compares else None
        if table is not None:
            known = profile.boundaries.get(DRAM) if profile is not None else None
            self._view.files.show_table(placed.study, table, known.label if known is not None else DRAM)
        return table is not None

    def slots(self, study: Study, table: MeasuredTable) -> WornSlots:
        """Return the colours that kernels have from their entries or from their files."""
        return WornSlots(study, table)

    def renew(self) -> None:
        """Bring the controls up to date with the table."""
        table = self._view.model.table
        if table is None:
            return
        hidden = table.series.split(table.hidden)
        files = [(one.digest, one.name, not bool(hidden[one.digest].all())) for one in table.series.overlays]
        self._view.corner.show_files(table.panel, files)

    def _on_modes_chosen(self, mode: str) -> None:
        self.compare(mode == COMPARING)

    def compare(self, on: bool) -> None:
        """Hold two files against each other, or list kernels."""
        text = "Compare files" if on else "List kernels"
        self._view.request_panel(text, {"mode": COMPARING if on else None})

    def show_area(self, on: bool) -> None:
        """Draw shares of the time as areas, or all kernels alike."""
        self._view.request_panel("Area by time" if on else "Markers of one size", {"area": on or None})

    def show_every_boundary(self, on: bool) -> None:
        """Show points at every boundary, or at the one in view."""
        text = "Points at every boundary" if on else "Points at the boundary in view"
        self._view.request_panel(text, {"points": EVERY_BOUNDARY if on else None})

    def show_arrows(self, on: bool) -> None:
        """Join kernels of the two files, or do not."""
        table = self._view.model.table
        if table is not None:
            text = "Show arrows between files" if on else "Hide arrows between files"
            self._view.request_panel(text, series_changed(table.panel.series, arrows=None if on else False))

    def show_file(self, digest: str, on: bool) -> None:
        """Show all kernels of a file, or none."""
        import numpy as np

        table = self._view.model.table
        if table is None:
            return
        file = next((one for one in table.series.overlays if one.digest == digest), None)
        if file is not None:
            hidden = {digest: np.full(len(file), not on)}
            self._view.request_panel(
                f"{'Show' if on else 'Hide'} {file.name}", hidden_changed(table.panel, hidden)
            )

"""The canvas in its place: head, view, and the presenter that makes scenes of what the session says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rooflinestudio.core.placement import ALL
from rooflinestudio.core.probe import probe_choice
from rooflinestudio.ui.canvas.export import export_picture
from rooflinestudio.ui.canvas.head import CanvasHead
from rooflinestudio.ui.canvas.pair_tool import kernel_of
from rooflinestudio.ui.canvas.probe_tool import ProbeGround
from rooflinestudio.ui.canvas.scene import PreviewMarker
from rooflinestudio.ui.canvas.scene_roofs import boundary_in_view
from rooflinestudio.ui.canvas.scene_rows import draw_row
from rooflinestudio.ui.canvas.view import CanvasView
from rooflinestudio.ui.presenter import ScenePresenter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QAbstractButton, QMenu

    from rooflinestudio.core.pairing.edits import Kernel
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.ui.session import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["CanvasPane"]

PROBE: Final = "probe"
"""Name of the panel in which a study keeps its probe."""


class CanvasPane(QWidget):
    """Shows a placed study as a scene; a view like the others.

    Signals
    -------
    selectRequested
        An entry id, a measured kernel, or None.
    markRequested
        Ids of the entries that are to be marked, and no others.
    placeRequested
        Id of an operator that was dropped.
    filesDropped
        Paths of files that were dropped.
    previewRequested
        Id of an operator that is being dragged over the canvas, or empty; answered by :meth:`preview`.
    statusTextChanged
        What the status bar says of what is pointed at or selected; empty for nothing.
    pairsRequested
        Measured kernels, each as digest and position, and the entry that they are to be held against.
    unpairsRequested
        Kernels that are to be held against nothing.
    pairChoiceRequested
        Kernels: what they can be held against is to be shown.
    panelRequested
        Words for the edit, ``"probe"``, what changes in that panel, and whether a gesture goes on (never: a drag is
        told when it ends).
    """

    selectRequested = Signal(object)
    markRequested = Signal(object)
    placeRequested = Signal(str)
    filesDropped = Signal(list)
    previewRequested = Signal(str)
    statusTextChanged = Signal(str)
    pairsRequested = Signal(object, str)
    unpairsRequested = Signal(object)
    pairChoiceRequested = Signal(object)
    panelRequested = Signal(str, str, dict, bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = ScenePresenter()
        self._placed: PlacedStudy | None = None
        self._selection: Selection = None
        self._machine = ""
        self._is_inviting = True
        self.head = CanvasHead(theme)
        self.view = CanvasView(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.view, 1)
        self.view.selectionRequested.connect(self.selectRequested)
        self.view.markRequested.connect(self.markRequested)
        self.view.operatorDropped.connect(self._on_view_operator_dropped)
        self.view.filesDropped.connect(self.filesDropped)
        self.view.previewRequested.connect(self.previewRequested)
        self.view.statusTextChanged.connect(self.statusTextChanged)
        self.view.kernelsDropped.connect(self.pairsRequested)
        self.view.menuRequested.connect(self._on_view_menu_requested)
        self.view.pairs.explain = self._pair_words
        self.view.probe.changed.connect(self._on_view_probe_changed)
        self.head.probeToggled.connect(self.set_probe)

    # What it shows ----------------------------------------------------------------------------------------------

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study; the invitation goes with its first entry and does not come back in it."""
        if placed is not self._placed:
            self._placed = placed
            if placed.study.entries or placed.study.overlays:
                self._is_inviting = False
            self._renew()

    def set_selection(self, selection: Selection) -> None:
        """Mark what is selected."""
        if selection != self._selection:
            self._selection = selection
            self._renew()

    def set_marked(self, ids: tuple[str, ...]) -> None:
        """Ring what is marked; no scene is made anew for that."""
        self.view.set_highlight(marked=frozenset(ids))

    def set_machine(self, machine: str) -> None:
        """Make a machine's roof the strong one."""
        if machine != self._machine:
            self._machine = machine
            self._renew()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.head.set_theme(theme)
        self.view.set_theme(theme)

    def invite(self) -> None:
        """Show the invitation again: another study is there, and it may be empty."""
        self._is_inviting = True
        if self._placed is not None:
            self.set_placed_again()
            self.view.fit()  # where the last study was looked at says nothing about this one

    def set_placed_again(self) -> None:
        """Make the scene anew."""
        placed, self._placed = self._placed, None
        if placed is not None:
            self.set_placed(placed)

    def preview(self, row: PlacedRow | None) -> None:
        """Show where an operator would land, or nothing."""
        self.view.set_preview(None if row is None else _preview_marker(row))

    @property
    def has_probe(self) -> bool:
        """Whether the probe is on."""
        return self.view.probe.reading is not None

    def set_probe(self, on: bool) -> None:
        """Ask for the probe, or ask to take it away; a probe that is asked for takes the arrow keys."""
        self.head.set_probe(self.has_probe)  # until the study says so
        if on == self.has_probe:
            return
        changes = dict(self.view.probe.changes_for(on=on))
        self.panelRequested.emit("Show the probe" if on else "Hide the probe", PROBE, changes, False)
        if on and self.has_probe:
            self.view.setFocus()
            self.view.probe.hold()

    def add_tool(self, button: QAbstractButton) -> None:
        """Put a tool into the head."""
        self.head.add_tool(button)

    def _renew(self) -> None:
        if self._placed is None:
            return
        scene = self._presenter.scene(
            self._placed, selected=self._selection, machine=self._machine or None, invited=self._is_inviting
        )
        self.head.set_scene(scene)
        self.view.set_scene(scene)
        self._renew_probe(scene.machine)

    def _renew_probe(self, strong: str) -> None:
        placed = self._placed
        assert placed is not None
        choice, ground = probe_choice(placed.study.panels.get(PROBE, {})), None
        if choice.on and strong:
            named = placed.study.view.boundary
            profile = placed.profiles[strong]
            boundary = boundary_in_view(profile, None if named == ALL else named)
            ground = ProbeGround(placed.machines, profile, boundary)
        self.view.probe.show(ground, choice)
        self.head.set_probe(self.has_probe)

    # What the user does -----------------------------------------------------------------------------------------

    def export(self, path: str | Path) -> None:
        """Write what is on screen to a PNG, SVG or PDF file; ``PictureError`` if that fails."""
        size = self.view.viewport().size()
        export_picture(
            path,
            replace(self.view.shown_scene, probe=self.view.probe.drawing),
            self.view.shown_range,
            theme=self.view.theme,
            size=(float(size.width()), float(size.height())),
        )

    def _on_view_probe_changed(self, text: str, changes: dict[str, Any]) -> None:
        self.panelRequested.emit(text, PROBE, changes, False)

    def _pair_words(self, kernels: Sequence[Kernel], entry_id: str) -> str:
        """Say what letting kernels go over an entry will do."""
        from rooflinestudio.core.pairing.words import drop_words

        if self._placed is None:
            return ""
        return drop_words(self._placed, kernels, entry_id, self._machine)

    def kernel_menu(self, kernel: Kernel) -> QMenu | None:
        """Return the menu of a measured kernel, None where it is gone."""
        from rooflinestudio.ui.pairing.menu import kernel_menu

        if self._placed is None or kernel[0] not in {one.digest for one in self._placed.study.overlays}:
            return None
        return kernel_menu(
            self, self._placed.study, kernel,
            pair=lambda: self.pairChoiceRequested.emit((kernel,)), unpair=lambda: self.unpairsRequested.emit((kernel,)),
        )  # fmt: skip

    def _on_view_menu_requested(self, key: object, at: object) -> None:
        kernel = kernel_of(key)
        menu = self.kernel_menu(kernel) if kernel is not None else None
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(at)  # type: ignore[arg-type]

    def _on_view_operator_dropped(self, operator: str, _log_x: float, _log_y: float) -> None:
        # Where it lands follows from its intensity, not from where it was let go.
        self.placeRequested.emit(operator)


def _preview_marker(row: PlacedRow) -> PreviewMarker:
    name = row.entry.label
    drawing = draw_row(row)
    if drawing.marker is not None:
        one = drawing.marker
        return PreviewMarker(name, one.detail, one.log_x, one.log_y, row.entry.slot)
    strip = drawing.strip or drawing.right_strip
    detail = f"{strip.rate}, {strip.time}" if strip is not None else row.reason or row.state
    return PreviewMarker(name, detail, None, None, row.entry.slot)

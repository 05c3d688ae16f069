"""The serving tab: a decode step of the study, what would change it, and what serving with it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from rooflinestudio.core.selection import selected_entry
from rooflinestudio.core.serving.decode import DECODE, decode_rows
from rooflinestudio.core.serving.panel import PANEL
from rooflinestudio.core.serving.view import serving_picture
from rooflinestudio.ui.panel_view import PanelView
from rooflinestudio.ui.serving.body import ServingBody
from rooflinestudio.ui.serving.corner import ServingCorner
from rooflinestudio.ui.serving.lines import readouts_of
from rooflinestudio.ui.widgets.empty_page import EmptyPage

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.serving.view import ServingPicture
    from rooflinestudio.core.serving.what_if import WhatIf

__all__ = ["ServingView"]

_SETTLE_MS: Final = 40
"""A slider step changes the readouts at once; the table and the curves follow when it rests this long."""

_NOTHING: Final = (
    "No decode step",
    "Place a decode step to see what its weights and its cache stream, what fits, and what would help.",
)


class ServingView(PanelView):
    """Readouts, table of changes, machines and plots; it shows what it has room for.

    Signals
    -------
    placeRequested
        The operator to place: there is no decode step yet.
    variantRequested
        An entry (without an id) to place as a variant, and what was changed in words.
    entriesRequested
        A text for the undo list, and entries to place.
    """

    placeRequested = Signal(str)
    variantRequested = Signal(object, str)
    entriesRequested = Signal(str, object)
    corner: ServingCorner

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(PANEL, ServingCorner(), parent)
        self._page = "what_if"
        self.picture: ServingPicture | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._fill)
        self.body = ServingBody()
        self.readouts, self.verdict = self.body.readouts, self.body.verdict
        self.what_if, self.machines, self.plots = self.body.what_if, self.body.machines, self.body.plots
        self.place_button = QPushButton("Place a decode step")
        self.place_button.setObjectName("serving.place")
        self._nothing = EmptyPage(*_NOTHING, self.place_button)
        self.empty = self._nothing.state
        self._stack.addWidget(self._nothing)
        self._stack.addWidget(self.body)
        self._connect()
        self._arrange()

    def _connect(self) -> None:
        self.place_button.clicked.connect(lambda: self.placeRequested.emit(DECODE))
        self.corner.entryChosen.connect(self._on_corner_entry_chosen)
        self.corner.pageChosen.connect(self._on_corner_page_chosen)
        self.corner.copyRequested.connect(self.copy_markdown)
        self.what_if.copyRequested.connect(self.copy_markdown)
        self.what_if.placeRequested.connect(self._on_what_if_place_requested)
        self.machines.changed.connect(self._request)
        self.machines.pairRequested.connect(self._on_machines_pair_requested)
        self.plots.overRequested.connect(lambda over: self._request("Draw something else", {"over": over}))

    # What it shows ------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring everything up to date at once, also while hidden."""
        super().refresh()
        if self._settle.isActive():
            self._settle.stop()
            self._fill()

    def _show_study(self, placed: PlacedStudy) -> None:
        if self._source is None:
            return
        before = self.picture
        found = serving_picture(self._source, placed, self._preferred(), self._machine)
        if _same(before, found):
            return
        self.picture = found
        self._show_head()
        if found is None or found.decoding is None:
            return
        if before is None or before.decoding is None or before.row.key != found.row.key:
            self._fill()
        else:
            self._settle.start()

    def _preferred(self) -> tuple[object, ...]:
        chosen = selected_entry(self._selection)
        return () if chosen is None else (chosen,)

    def _show_head(self) -> None:
        shown = self.picture
        entries = decode_rows(self._placed) if self._placed is not None else ()
        self.corner.set_entries(
            [(one.id, one.label or one.id) for one in entries],
            shown.row.entry.id if shown is not None else "",
        )
        self.corner.set_ready(shown is not None and shown.decoding is not None)
        if shown is None:
            self.empty.set_texts(*_NOTHING)
        elif shown.decoding is None:
            self.empty.set_texts(
                f"{shown.row.entry.label or shown.row.entry.id} is not placed", shown.row.reason
            )
        self.place_button.setVisible(shown is None)
        ready = shown is not None and shown.decoding is not None
        self._stack.setCurrentWidget(self.body if ready else self._nothing)
        if shown is not None and shown.decoding is not None:
            self.readouts.set_readouts(readouts_of(shown.decoding))

    def _fill(self) -> None:
        shown = self.picture
        if shown is None or shown.decoding is None:
            return
        self.body.set_picture(shown)

    def _arrange(self) -> None:
        """Show what there is room for."""
        tall = self.body.arrange(self.width(), self.height(), self._page)
        self.corner.set_pages(not tall)

    # What the user does -------------------------------------------------------------------------------------------

    def copy_markdown(self) -> None:
        """Put the table of changes on the clipboard in Markdown."""
        self._copy(self._markdown, "Table copied as Markdown")

    def _markdown(self) -> str:
        return self.what_if.model.markdown() if self.picture is not None else ""

    def _request(self, text: str, changes: dict[str, Any]) -> None:
        self.panelRequested.emit(text, PANEL, changes, False)

    def _on_corner_entry_chosen(self, id_: str) -> None:
        self._request("Choose a decode step", {"entry": id_})
        self.selectRequested.emit(id_)

    def _on_corner_page_chosen(self, page: str) -> None:
        self._page = page
        self._arrange()

    def _on_what_if_place_requested(self, found: WhatIf) -> None:
        self.variantRequested.emit(found.entry, found.change.label)

    def _on_machines_pair_requested(self) -> None:
        if self.picture is not None and self.picture.decoding is not None:
            self.entriesRequested.emit("Place prefill and decoding", self.picture.pair)

    def showEvent(self, event: QShowEvent) -> None:
        self._arrange()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def _same(before: ServingPicture | None, found: ServingPicture | None) -> bool:
    """Whether nothing that is shown has changed: the row, the settings, the machines, the other decode steps."""
    if before is None or found is None:
        return False
    return (
        before.row is found.row
        and before.panel == found.panel
        and before.placed.study.profiles == found.placed.study.profiles
        and before.placed.study.view.machines == found.placed.study.view.machines
        and decode_rows(before.placed) == decode_rows(found.placed)
    )

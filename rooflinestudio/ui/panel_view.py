"""The life of a view in the bottom tabs: it remembers while it is hidden, and is renewed when it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from rooflinestudio.core.chains import with_chains
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.ink import repaint_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.core.selection import Selection
    from rooflinestudio.ui.theme import Theme

__all__ = ["PanelView"]


class PanelView(QWidget):
    """Controls over pages, one of which is shown. A subclass adds the pages and shows a study in :meth:`_show_study`.

    Parameters
    ----------
    name
        Name of the view, as studies and style sheets call it.
    corner
        A row of controls with ``set_compact``.

    Attributes
    ----------
    corner
        The row of controls; it stands over the view until it is put elsewhere (``QTabWidget.setCornerWidget``).

    Signals
    -------
    selectRequested
        What is to be selected: id of an entry, a part, a measured kernel.
    panelRequested
        Words for undo, the panel of the study, changes of its settings, and whether a drag goes on.
    copied
        What was copied, in words.
    """

    selectRequested = Signal(object)
    panelRequested = Signal(str, str, dict, bool)
    copied = Signal(str)

    def __init__(self, name: str, corner: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        set_role(self, "surface")
        self._placed: PlacedStudy | None = None
        self._source: EstimateSource | None = None
        self._chained: EstimateSource | None = None
        self._selection: Selection = None
        self._machine = ""
        self._stale = False
        self.corner = corner
        pages = QWidget()
        self._stack = QStackedLayout(pages)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(corner)
        layout.addWidget(pages, 1)

    # What it is told ----------------------------------------------------------------------------------------------

    def set_placed(self, placed: PlacedStudy) -> None:
        """Show a study; while the view is hidden it only remembers it."""
        self._placed = placed
        self._renew_soon()

    def set_source(self, source: EstimateSource) -> None:
        """Say who answers for operators."""
        if source is not self._source:
            self._source, self._chained = source, None
            self._renew_soon()

    def set_selection(self, selection: Selection) -> None:
        """Say what is selected."""
        self._selection = selection
        self._renew_soon()

    def set_machine(self, machine: str) -> None:
        """Say which machine counts where an entry is placed on several."""
        if machine != self._machine:
            self._machine = machine
            self._renew_soon()

    def set_theme(self, _theme: Theme) -> None:
        """Repaint in the colours of a theme."""
        repaint_all(self)
        repaint_all(self.corner)

    def set_compact(self, compact: bool) -> None:
        """Give way in a narrow window."""
        self.corner.set_compact(compact)

    # What it makes of it ------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring it up to date, also while it is hidden: for export."""
        self._renew()

    def _show_study(self, placed: PlacedStudy) -> None:
        """Show a study, with what else the view was told."""
        raise NotImplementedError

    def _chain_source(self, placed: PlacedStudy) -> EstimateSource | None:
        """Return a source that also knows the chains of a study; the same object as long as those are the same."""
        if self._source is not None:
            self._chained = with_chains(self._chained or self._source, placed.study.chains)
        return self._chained

    def _renew_soon(self) -> None:
        """Show it now, or, while nobody looks, once somebody does."""
        self._stale = True
        if self.isVisible():
            self._renew()

    def _renew(self) -> None:
        if self._stale:
            self._stale = False
            if self._placed is not None:
                self._show_study(self._placed)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _copy(self, text_of: Callable[[], str], words: str) -> None:
        """Put a text of what is shown on the clipboard, and tell so; an empty text stands for nothing to copy."""
        self.refresh()
        text = text_of()
        if text:
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(words)

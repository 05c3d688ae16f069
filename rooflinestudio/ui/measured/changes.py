"""What is done with the chosen kernels of the measured table, put as changes of the study's settings, or copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from rooflinestudio.core.measured.panel import colours_changed, hidden_changed
from rooflinestudio.core.measured.words import MOST_COPIED, as_markdown, as_tsv, cell_text
from rooflinestudio.core.series.table import rows_as_markdown, rows_as_names, rows_as_tsv
from rooflinestudio.ui.pairing.mime import MOST_DRAGGED, start_kernel_drag

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measured.table import MeasuredTable
    from rooflinestudio.core.pairing.edits import Kernel
    from rooflinestudio.ui.measured.commands import KernelMenu
    from rooflinestudio.ui.measured.view import MeasuredView

    Lines = npt.NDArray[np.int64]

__all__ = ["KernelChanges"]


class KernelChanges(QObject):
    """Hides, colours and copies for one view."""

    def __init__(self, view: MeasuredView) -> None:
        super().__init__(view)
        self._view = view

    def connect_menu(self, menu: KernelMenu) -> None:
        """Do what a menu asks for."""
        menu.hideRequested.connect(self.hide_chosen)
        menu.othersHideRequested.connect(self.hide_others)
        menu.showRequested.connect(self.show_chosen)
        menu.showAllRequested.connect(self.show_all)
        menu.listHiddenRequested.connect(self.list_hidden)
        menu.pairRequested.connect(self.pair_chosen)
        menu.unpairRequested.connect(self.unpair_chosen)
        menu.colourRequested.connect(self.colour_chosen)
        menu.copyTsvRequested.connect(self.copy_tsv)
        menu.copyMarkdownRequested.connect(self.copy_markdown)
        menu.copyNamesRequested.connect(self.copy_names)

    # What is chosen -----------------------------------------------------------------------------------------------

    def chosen_lines(self) -> Lines:
        """Return the chosen lines, from top to bottom."""
        import numpy as np

        table, rows = self._view.model.table, self._view.table.chosen_rows()
        if table is None:
            return np.empty(0, dtype=np.int64)
        return table.lines[rows]

    def rows_of(self, lines: Lines) -> Lines:
        """Return the rows in which lines stand now."""
        import numpy as np

        table = self._view.model.table
        return np.flatnonzero(np.isin(table.lines, lines)) if table is not None else lines

    def chosen_is_group(self) -> bool:
        """Whether all that is chosen are groups."""
        lines = self.chosen_lines()
        return bool(len(lines)) and bool((lines < 0).all())

    def chosen_counts(self) -> tuple[int, int]:
        """Return how many kernels are chosen, and how many of them are hidden."""
        table = self._view.model.table
        if table is None:
            return 0, 0
        kernels = self._numbers(table)
        return len(kernels), int(table.hidden[kernels].sum())

    def _chosen(self) -> tuple[MeasuredTable, Lines] | None:
        table = self._view.model.table
        if table is None:
            return None
        kernels = self._numbers(table)
        return (table, kernels) if len(kernels) else None

    def _numbers(self, table: MeasuredTable) -> Lines:
        """Return the chosen kernels of a table; where files are compared, those of both that chosen lines stand for."""
        import numpy as np

        if not self._view.is_comparing:
            return table.kernels_of(self.chosen_lines())
        chosen = self._view.files.chosen_kernels()
        starts = zip(table.series.overlays, table.series.starts, strict=False)
        parts = [start + chosen[one.digest] for one, start in starts if one.digest in chosen]
        return np.sort(np.concatenate([np.empty(0, dtype=np.int64), *parts]))

    # What is paired -----------------------------------------------------------------------------------------------

    def chosen_kernels(self) -> tuple[Kernel, ...]:
        """Return the chosen kernels, each by its file and its position in there; of many only the first."""
        if (chosen := self._chosen()) is None:
            return ()
        table, kernels = chosen
        places = map(table.series.place_of, kernels[:MOST_DRAGGED].tolist())
        return tuple((overlay.digest, index) for overlay, index in places)

    def chosen_paired(self) -> int:
        """Return how many of the chosen kernels have a pair."""
        table = self._view.model.table
        if table is None or not table.paired:
            return 0
        return sum(kernel in table.paired for kernel in self._numbers(table).tolist())

    def pair_chosen(self) -> None:
        """Ask what the chosen kernels can be held against."""
        if kernels := self.chosen_kernels():
            self._view.pairChoiceRequested.emit(kernels)

    def unpair_chosen(self) -> None:
        """Ask that the chosen kernels are held against nothing."""
        if self.chosen_paired():
            self._view.unpairsRequested.emit(self.chosen_kernels())

    def drag_chosen(self) -> None:
        """Let the chosen kernels be dragged onto an entry."""
        table = self._view.model.table
        if table is not None and (kernels := self.chosen_kernels()):
            name = table.series.text("kernel_short", int(table.kernels_of(self.chosen_lines())[0]))
            start_kernel_drag(self._view.table, kernels, name)

    # What is hidden -----------------------------------------------------------------------------------------------

    def hide_chosen(self) -> None:
        """Hide the chosen kernels in table and canvas."""
        if (chosen := self._chosen()) is not None:
            table, kernels = chosen
            hidden = table.hidden.copy()
            hidden[kernels] = True
            self._hide(table, hidden, f"Hide {_counted(len(kernels))}")

    def hide_others(self) -> None:
        """Hide all but the chosen kernels."""
        if (chosen := self._chosen()) is not None:
            table, kernels = chosen
            hidden = table.hidden | True
            hidden[kernels] = False
            self._hide(table, hidden, f"Hide all but {_counted(len(kernels))}")

    def show_chosen(self) -> None:
        """Show the chosen kernels again."""
        if (chosen := self._chosen()) is not None:
            table, kernels = chosen
            hidden = table.hidden.copy()
            hidden[kernels] = False
            self._hide(table, hidden, f"Show {_counted(len(kernels))}")

    def _hide(self, table: MeasuredTable, hidden: Any, text: str) -> None:
        self._view.request_panel(text, hidden_changed(table.panel, table.series.split(hidden)))

    def show_all(self) -> None:
        """Show all kernels again."""
        self._view.request_panel("Show all kernels", {"hidden": None, "list_hidden": None})

    def list_hidden(self, listed: bool) -> None:
        """List hidden kernels, or do not."""
        text = "List hidden kernels" if listed else "List shown kernels"
        self._view.request_panel(text, {"list_hidden": listed or None})

    def list_all(self) -> None:
        """List every kernel: nothing is hidden, nothing is filtered."""
        self._view.request_panel("List all kernels", {"filter": None, "hidden": None, "list_hidden": None})

    def colour_chosen(self, slot: int) -> None:
        """Give the chosen kernels a colour by its slot; -1 takes it away."""
        if (chosen := self._chosen()) is not None:
            table, kernels = chosen
            slots = table.slots.copy()
            slots[kernels] = slot
            text = f"Colour {_counted(len(kernels))}"
            self._view.request_panel(text, colours_changed(table.panel, table.series.split(slots)))

    # What is copied -----------------------------------------------------------------------------------------------

    def copy_tsv(self) -> None:
        """Copy the chosen rows, else all, as tab-separated text."""
        if self._view.is_comparing:
            self._copy_compared(rows_as_tsv, "tab-separated text")
        else:
            self._copy(as_tsv, "tab-separated text")

    def copy_markdown(self) -> None:
        """Copy the chosen rows, else all, in Markdown."""
        if self._view.is_comparing:
            self._copy_compared(rows_as_markdown, "Markdown")
        else:
            self._copy(as_markdown, "Markdown")

    def copy_names(self) -> None:
        """Copy the full names of the chosen rows, each once."""
        if self._view.is_comparing:
            self._copy_compared(rows_as_names, "names")
        else:
            self._copy(_names, "names")

    def _copy_compared(self, text_of: Callable[[list[list[str]]], str], form: str) -> None:
        self._view.refresh()
        rows, of = self._view.files.rows_to_copy(MOST_COPIED)
        if of:
            self._view.put_on_clipboard(text_of(rows), f"{_rows_words(len(rows) - 1, of)} copied as {form}")

    def _copy(self, text_of: Callable[[MeasuredTable, Any], str], form: str) -> None:
        self._view.refresh()
        table = self._view.model.table
        if table is None or not len(table.lines):
            return
        chosen = self.chosen_lines()
        lines = chosen if len(chosen) else table.lines
        part = lines[:MOST_COPIED]
        words = _rows_words(len(part), len(lines))
        self._view.put_on_clipboard(text_of(table, part.tolist()), f"{words} copied as {form}")


def _rows_words(copied: int, of: int) -> str:
    count = f"{copied} of {of}" if copied < of else str(copied)
    return f"{count} {'row' if count == '1' else 'rows'}"


def _names(table: MeasuredTable, lines: Any) -> str:
    names = dict.fromkeys(cell_text(table, line, "kernel") for line in lines)
    return "\n".join(names) + "\n"


def _counted(count: int) -> str:
    return f"{count:,} kernel{'' if count == 1 else 's'}".replace(",", "\u202f")

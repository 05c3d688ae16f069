"""From what the user does on the bench to what the view asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from rooflinestudio.core.bench_edit import (
    cuts_of,
    step_of,
    with_names,
    with_step,
    with_step_moved,
    with_written,
    without_step,
)
from rooflinestudio.core.bench_words import toggle_words, variant_words
from rooflinestudio.core.chains import is_chain
from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from rooflinestudio.core.bench import Bench
    from rooflinestudio.core.fusion_notation import ChainSpec, ChainStep
    from rooflinestudio.core.study import Entry
    from rooflinestudio.ui.fusion.view import FusionView

__all__ = ["BenchEdits", "step_for"]


def step_for(bench: Bench, entry: Entry) -> ChainStep:
    """Return an entry's operator as a step of a chain: its sizes are the chain's, what else is set stays its own."""
    known = {one.name for one in bench.operator.parameters} | {"tokens", "width"}
    own = {name: value for name, value in entry.parameters.items() if name not in known}
    return step_of(entry.operator, own)


class BenchEdits(QObject):
    """Every edit of the chain on the bench, each as one wish of the view."""

    def __init__(self, view: FusionView) -> None:
        super().__init__(view)
        self._view = view
        body, row = view.body, view.body.row
        row.joined.connect(self.toggle)
        row.removed.connect(self.remove)
        row.moved.connect(self.move)
        row.writtenChanged.connect(self.write)
        row.named.connect(self.name)
        row.inserted.connect(self._on_row_inserted)
        row.entriesInserted.connect(self._on_row_entries_inserted)
        body.head.split.clicked.connect(self.split)
        body.head.fuse.clicked.connect(self.fuse)
        body.head.keep.clicked.connect(self.keep)
        body.head.place.clicked.connect(self.show_entry)
        body.text.entered.connect(self._on_text_entered)
        body.fields.requested.connect(self._on_fields_requested)
        body.fields.dtypesRequested.connect(self._on_fields_dtypes_requested)

    def _bench(self) -> Bench | None:
        return self._view.bench

    # Boundaries ---------------------------------------------------------------------------------------------------

    def toggle(self, joint: int) -> None:
        """Fuse or split at a joint."""
        bench = self._bench()
        if bench is not None:
            self._recut(toggle_words(bench, joint), bench.spec.toggled(joint))

    def split(self) -> None:
        """Put a boundary at every joint."""
        bench = self._bench()
        if bench is not None:
            self._recut("Split all", bench.spec.split())

    def fuse(self) -> None:
        """Take every boundary away."""
        bench = self._bench()
        if bench is not None:
            self._recut("Fuse all", bench.spec.fused())

    def keep(self, *_: object) -> None:
        """Keep the chain as it is cut now as a variant."""
        bench = self._bench()
        if bench is not None:
            self._view.chainVariantRequested.emit(
                bench.row.entry.id, cuts_of(bench.spec), variant_words(bench)
            )

    def _recut(self, words: str, spec: ChainSpec) -> None:
        bench = self._bench()
        if bench is not None and spec.cuts != bench.spec.cuts:
            self._view.chainCutsRequested.emit(words, bench.row.entry.id, cuts_of(spec))

    # Operators ----------------------------------------------------------------------------------------------------

    def insert(self, step: ChainStep, at: int) -> None:
        """Put an operator before a card."""
        bench = self._bench()
        if bench is not None:
            self._change(f"Add {step.operator} to the chain", with_step(bench.spec, at, step))

    def remove(self, at: int) -> None:
        """Take an operator out; the last one stays."""
        bench = self._bench()
        if bench is not None and len(bench.spec.steps) > 1:
            self._change(f"Remove {bench.spec.labels[at]} from the chain", without_step(bench.spec, at))

    def move(self, at: int, to: int) -> None:
        """Put an operator at another place."""
        bench = self._bench()
        if bench is not None:
            self._change(f"Move {bench.spec.labels[at]}", with_step_moved(bench.spec, at, to))

    def write(self, at: int, written: bool) -> None:
        """Let an operator's result be written besides, or not."""
        bench = self._bench()
        if bench is not None:
            words = "Also write" if written else "Keep on chip"
            self._change(f"{words} {bench.spec.labels[at]}", with_written(bench.spec, at, written))

    def name(self, at: int, text: str) -> None:
        """Name the further inputs of an operator; what is no name is refused where it was typed."""
        bench = self._bench()
        if bench is None:
            return
        edit = self._view.body.row.names
        try:
            spec = with_names(bench.spec, at, text)
        except StudioError as error:
            edit.refuse(str(error))
            return
        edit.close_edit()
        self._view.body.row.setFocus()
        self._change(f"Name inputs of {bench.spec.labels[at]}", spec)

    def _change(self, words: str, spec: ChainSpec) -> None:
        bench = self._bench()
        if bench is not None and spec != bench.spec:
            self._view.chainRequested.emit(words, bench.row.entry.id, spec)

    def _on_row_inserted(self, operator: str, at: int) -> None:
        self.insert(step_of(operator), at)

    def _on_row_entries_inserted(self, ids: tuple[str, ...], at: int) -> None:
        """Put the operators of entries that were dropped before a card, in their order."""
        bench = self._bench()
        if bench is None:
            return
        spec = bench.spec
        entries = [
            one for one in map(self._view.entry, ids) if one is not None and not is_chain(one.operator)
        ]
        for place, entry in enumerate(entries, at):
            spec = with_step(spec, place, step_for(bench, entry))
        words = (
            ", ".join(one.operator for one in entries) if len(entries) < 2 else f"{len(entries)} operators"
        )
        self._change(f"Add {words} to the chain", spec)

    def _on_text_entered(self, spec: Any) -> None:
        self._change("Change the chain", spec)

    # The entry ----------------------------------------------------------------------------------------------------

    def show_entry(self) -> None:
        """Show the entry of the chain on the canvas."""
        bench = self._bench()
        if bench is not None:
            self._view.visibleRequested.emit(bench.row.entry.id, True)

    def _on_fields_requested(self, name: str, value: Any) -> None:
        bench = self._bench()
        if bench is not None:
            self._view.parameterRequested.emit(bench.row.entry.id, name, value, False)

    def _on_fields_dtypes_requested(self, dtypes: dict[str, str]) -> None:
        bench = self._bench()
        if bench is not None:
            self._view.dtypesRequested.emit(bench.row.entry.id, dtypes)

"""One measured kernel: name in full, what was counted, how, and how good each figure is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rooflinestudio.core.measured.main import held_on
from rooflinestudio.core.pairing.readout import read_pair, row_for_pair
from rooflinestudio.core.pairing.words import pair_rows, work_words
from rooflinestudio.ui.inspector.kernel_rows import kernel_rows
from rooflinestudio.ui.inspector.title import MarkerDot
from rooflinestudio.ui.widgets.chip import Chip
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.link_button import LinkButton
from rooflinestudio.ui.widgets.note_box import ReasonBox, wrapped_label

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.pairing.readout import PairReadout
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = ["KernelPanel", "paired_entry"]

_NO_ENTRY: Final = "none"


def paired_entry(placed: PlacedStudy, overlay: Overlay, measurement: Measurement) -> Entry | None:
    """Return the entry that a kernel is held against, if any."""
    for pair in placed.study.pairs:
        if (
            pair.overlay == overlay.digest
            and pair.launch == measurement.launch
            and placed.study.has_entry(pair.entry)
        ):
            return placed.study.entry(pair.entry)
    return None


class KernelPanel(QWidget):
    """Shows a kernel of an overlay.

    Signals
    -------
    pairRequested
        Digest of the overlay, index of the kernel, and the entry to hold it against (empty for none).
    pairChoiceRequested
        Kernels, each as digest and index: what they can be held against is to be shown.
    """

    pairRequested = Signal(str, int, str)
    pairChoiceRequested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Any, ...] = ()
        self._lent: tuple[Any, ...] | None = None
        self._kernel = ""
        self.marker = MarkerDot()
        self.title = ElidingLabel(role="title", token="text")
        self.chip = Chip("measured", "ok")
        self.name = wrapped_label("mono", font_role="mono_small")
        self.copy = LinkButton("Copy the name", "copy")
        self.copy.setObjectName("kernel.copy")
        self.copy.clicked.connect(self._on_copy_clicked)
        self.reason = ReasonBox()
        self.pair = Choice()
        self.pair.setObjectName("kernel.pair")
        self.pair.setAccessibleName("Entry that this kernel is held against")
        self.pair.chosen.connect(self._on_pair_chosen)
        self.suggest = LinkButton("Suggest")
        self.suggest.setObjectName("kernel.suggest")
        self.suggest.setToolTip("Show which entries and operators fit by name and shape, and why")
        self.suggest.clicked.connect(self._on_suggest_clicked)
        self.ratio = KeyValueRow("time to bound")
        self.forecast_ratio = KeyValueRow("time to forecast")
        self.traffic_ratio = KeyValueRow("Q to predicted")
        self.headroom_ratio = KeyValueRow("headroom to predicted")
        self._ratio_rows = {
            "forecast": self.forecast_ratio, "bound": self.ratio, "traffic": self.traffic_ratio,
            "headroom": self.headroom_ratio,
        }  # fmt: skip
        self.lent = wrapped_label("muted")
        self.rows: list[KeyValueRow] = []
        self.notes = wrapped_label("muted")
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.marker)
        head.addWidget(self.title, 1)
        head.addWidget(self.chip)
        held = QHBoxLayout()
        held.addWidget(ElidingLabel("held against", role="label", token="text2"))
        held.addWidget(self.pair, 1)
        held.addWidget(self.suggest)
        self._figures, self._ratios = QVBoxLayout(), QVBoxLayout()
        self._figures.setSpacing(2)
        self._ratios.setSpacing(2)
        for row in self._ratio_rows.values():
            self._ratios.addWidget(row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self.name)
        layout.addWidget(self.reason)
        layout.addLayout(held)
        layout.addLayout(self._ratios)
        layout.addWidget(self.lent)
        layout.addLayout(self._figures)
        layout.addWidget(self.notes)
        layout.addWidget(self.copy)

    def show_kernel(self, placed: PlacedStudy, overlay: Overlay, index: int, machine: str) -> None:
        """Show one kernel, with the entry that it is held against on a machine."""
        shown = (overlay, index, placed.study.pairs, placed.study.entries, machine, placed.rows)
        if (
            len(shown) == len(self._shown)
            and all(a is b or a == b for a, b in zip(shown[:2], self._shown[:2], strict=True))
            and all(a is b for a, b in zip(shown[2:], self._shown[2:], strict=True))
        ):
            return
        fresh = shown[:2] != self._shown[:2] or machine != self._shown[4]
        self._shown = shown
        measurement = overlay.measurement(index)
        entry = paired_entry(placed, overlay, measurement)
        pair = _readout(placed, overlay, measurement, entry, machine)
        profile = placed.profiles.get(machine) or (pair.placement.profile if pair is not None else None)
        measurement = held_on(measurement, profile)
        lent = (
            (measurement.pipe,)
            if pair is None
            else (pair.work_flop, pair.pipe, pair.work_from, pair.work_why, pair.has_place)
        )
        if fresh or lent != self._lent:
            self._fill(measurement, overlay, profile, pair)
        self._lent = lent
        self.marker.set_marker("diamond", entry.slot if entry is not None else "")
        self._show_pair(placed, entry, pair)

    def _fill(
        self,
        measurement: Measurement,
        overlay: Overlay,
        profile: HardwareProfile | None,
        pair: PairReadout | None,
    ) -> None:
        self._kernel = measurement.kernel
        self.title.set_text(measurement.kernel_short)
        self.name.setText(_wrappable(measurement.kernel))
        self.name.setAccessibleName(measurement.kernel)
        rows = list(kernel_rows(measurement, overlay, profile, pair))
        while len(self.rows) < len(rows):
            self.rows.append(KeyValueRow(""))
            self._figures.addWidget(self.rows[-1])
        for at, row in enumerate(self.rows):
            row.setVisible(at < len(rows))
            if at < len(rows):
                row.set_label(rows[at][0])
                row.set_value(rows[at][1])
                row.setToolTip(rows[at][2])
        self.reason.setVisible(measurement.reason is not None)
        if measurement.reason is not None:
            is_drawn = measurement.plotted if pair is None else pair.has_place
            heading = "Partly measured" if is_drawn else "Not drawn"
            reason = measurement.reason[:1].upper() + measurement.reason[1:]
            self.reason.set_reason(heading, reason, tone="warn")
        self.notes.setText("\n".join(measurement.notes))
        self.notes.setVisible(bool(measurement.notes))

    def _show_pair(self, placed: PlacedStudy, entry: Entry | None, pair: PairReadout | None) -> None:
        options = [(_NO_ENTRY, "nothing"), *((one.id, one.label or one.id) for one in placed.study.entries)]
        self.pair.set_options(options)
        self.pair.set_value(entry.id if entry is not None else _NO_ENTRY)
        known = {one.id: one for one in pair_rows(pair)} if pair is not None else {}
        for id_, row in self._ratio_rows.items():
            row.setVisible(id_ in known)
            if id_ in known:
                text = known[id_].text
                row.set_label(known[id_].caption)
                row.set_value(text, "error" if "slower" in text else "ok" if "faster" in text else "text")
                row.setToolTip(known[id_].tip)
        words = f"{work_words(pair)}: {pair.work_why}." if pair is not None and pair.is_lent else ""
        self.lent.setText(words)
        self.lent.setVisible(bool(words))

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self.reason.refresh_theme()

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._kernel)

    def _on_suggest_clicked(self) -> None:
        overlay, index = self._shown[:2]
        self.pairChoiceRequested.emit(((overlay.digest, index),))

    def _on_pair_chosen(self, entry_id: str) -> None:
        overlay, index = self._shown[:2]
        self.pairRequested.emit(overlay.digest, index, "" if entry_id == _NO_ENTRY else entry_id)


def _readout(
    placed: PlacedStudy, overlay: Overlay, measurement: Measurement, entry: Entry | None, machine: str
) -> PairReadout | None:
    """Return what the pair says at device memory, or at the boundary that its entry is held at."""
    row = row_for_pair(placed, entry.id, machine) if entry is not None else None
    if row is None or row.placement is None:
        return None
    profile = placed.profiles.get(machine) or row.placement.profile
    boundary = "dram" if "dram" in profile.boundaries else row.placement.boundary_id
    if boundary not in profile.boundaries:
        return None
    return read_pair(measurement, row, profile, boundary, overlay)


def _wrappable(name: str) -> str:
    """Let a name of one long word break behind its punctuation."""
    return "".join(f"{letter}\u200b" if letter in ",:<>_(" else letter for letter in name)

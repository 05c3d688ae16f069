"""Sliders that scale the resources of a machine: clock, ceilings, bandwidths, launch overhead."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.machines.what_if import HIGHEST, LOWEST, levers_of
from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.hinted_edit import HintedEdit
from rooflinestudio.ui.widgets.log_slider import LogSlider
from rooflinestudio.ui.widgets.quiet_scroll import QuietScroll
from rooflinestudio.ui.widgets.snapping import Scale

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.hardware import HardwareProfile

__all__ = ["FactorRows"]

_SCALE: Final = Scale(LOWEST, HIGHEST, integer=False)
_NAME_PX: Final = 116
_ENTRY_PX: Final = 58
_VALUES_FROM_PX: Final = 400
"""Narrower, the figures give way to the names and sliders."""


class _FactorRow:
    """The widgets of one resource."""

    def __init__(self, id_: str, words: str) -> None:
        self.id = id_
        self.name = ElidingLabel(words, role="label", token="text2")
        self.name.setMinimumWidth(_NAME_PX)
        self.slider = LogSlider(_SCALE)
        self.slider.setObjectName(f"machines_tab.factor.{id_}")
        self.edit = HintedEdit(_read_factor, _factor_text, name=f"{words}, factor", step=_SCALE.next)
        self.edit.setFixedWidth(_ENTRY_PX)
        self.slider.setAccessibleName(f"{words}, factor")
        self.value = ElidingLabel("", role="label", token="muted")
        self.value.setMinimumWidth(84)

    def show(self, factor: float, now: str) -> None:
        """Show a factor, and what it makes of the figure."""
        self.slider.set_value(factor)
        self.edit.set_value(factor)
        self.value.set_text(now)


class FactorRows(QWidget):
    """One row for each resource of a machine: slider, entry, and the figure that comes of it.

    Signals
    -------
    factorsRequested
        All factors by resource, and whether a drag goes on.
    gestureEnded
        The drag is over.
    shownRequested
        Whether the changed machine shall stand on the canvas.
    """

    factorsRequested = Signal(dict, bool)
    gestureEnded = Signal()
    shownRequested = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile: HardwareProfile | None = None
        self._factors: dict[str, float] = {}
        self.rows: dict[str, _FactorRow] = {}
        self.shown = QCheckBox("show on the canvas")
        self.shown.setObjectName("machines_tab.shown")
        self.shown.setToolTip("Put the changed machine beside the others: its roof moves with the sliders")
        self.shown.clicked.connect(self.shownRequested)
        self.reset = QPushButton("Reset")
        self.reset.setObjectName("machines_tab.reset")
        self.reset.setToolTip("Take every figure of the machine as it is")
        self.reset.clicked.connect(lambda: self.factorsRequested.emit({}, False))
        self._content = QWidget()
        set_role(self._content, "surface")
        self._grid = QGridLayout(self._content)
        self._grid.setContentsMargins(16, 6, 8, 6)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 3, 12, 3)
        foot.addWidget(self.shown, 1)
        foot.addWidget(self.reset)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(QuietScroll(self._content, "Factors"), 1)
        layout.addLayout(foot)

    def show_machine(self, profile: HardwareProfile, factors: Mapping[str, float], *, shown: bool) -> None:
        """Show the resources of a machine with their factors."""
        levers = levers_of(profile)
        if list(self.rows) != [id_ for id_, _ in levers]:
            self._build(levers)
        self._profile, self._factors = profile, dict(factors)
        for id_, row in self.rows.items():
            factor = factors.get(id_, 1.0)
            row.show(factor, _now(profile, id_, factor * _clock(id_, factors)))
        self.shown.setChecked(shown)
        self.reset.setEnabled(bool(factors))

    def _build(self, levers: tuple[tuple[str, str], ...]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.rows = {}
        for at, (id_, words) in enumerate(levers):
            row = self.rows[id_] = _FactorRow(id_, words)
            for column, widget in enumerate((row.name, row.slider, row.edit, row.value)):
                self._grid.addWidget(widget, at, column)
            row.slider.valueMoved.connect(partial(self._on_moved, id_, True))
            row.slider.gestureEnded.connect(self.gestureEnded)
            row.edit.valueCommitted.connect(partial(self._on_moved, id_, False))
        self._grid.setColumnStretch(0, 3)
        self._grid.setColumnStretch(1, 4)
        self._grid.setRowStretch(len(levers), 1)
        self._show_values()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_values()

    def _show_values(self) -> None:
        shown = self.width() >= _VALUES_FROM_PX
        self._grid.setColumnStretch(3, 2 if shown else 0)
        for row in self.rows.values():
            row.value.setVisible(shown)

    def _on_moved(self, id_: str, dragging: bool, value: object) -> None:
        self.factorsRequested.emit({**self._factors, id_: float(value)}, dragging)  # type: ignore[arg-type]


def _clock(id_: str, factors: Mapping[str, float]) -> float:
    """Return what the clock adds to a resource's own factor."""
    from rooflinestudio.core.hardware import BOUNDARY_ORDER, INSIDE
    from rooflinestudio.core.machines.what_if import CLOCK, LAUNCH

    outside = id_ in BOUNDARY_ORDER and id_ not in INSIDE
    return 1.0 if outside or id_ in (CLOCK, LAUNCH) else factors.get(CLOCK, 1.0)


def _now(profile: HardwareProfile, id_: str, factor: float) -> str:
    """Return the figure that a factor makes."""
    if id_ in profile.ceilings:
        unit = "OP/s" if id_.startswith("int") else "FLOP/s"
        return format_quantity(factor * profile.ceilings[id_].flop_per_s, unit)
    if id_ in profile.boundaries:
        return format_quantity(factor * profile.boundaries[id_].bytes_per_s, "B/s")
    if id_ == "launch" and profile.launch_overhead is not None:
        return format_quantity(factor * profile.launch_overhead.value, "s")
    boost = profile.clocks.get("boost")
    return "" if boost is None else format_quantity(factor * boost.value, "Hz")


def _read_factor(text: str) -> float:
    """Read ``1.5``, ``1,5``, ``1.5×`` or ``+10%``."""
    cleaned = text.strip().replace(",", ".").rstrip("×x").strip()
    try:
        if cleaned.endswith("%"):
            number = float(cleaned[:-1]) / 100
            factor = 1 + number if cleaned[0] in "+-" else number
        else:
            factor = float(cleaned)
    except ValueError:
        raise ParameterError(f"{text.strip()!r} is no factor; type for example 1.5 or +10%.") from None
    if not LOWEST <= factor <= HIGHEST:
        raise ParameterError(f"{text.strip()} lies outside {LOWEST:g} to {HIGHEST:g}.")
    return factor


def _factor_text(factor: float) -> str:
    return f"{factor:.3g}×"

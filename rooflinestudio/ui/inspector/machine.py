"""The machine, while nothing is selected: ceilings, boundaries, capacity, ridge, each figure with its provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.empty import EmptyState
from rooflinestudio.ui.widgets.key_value import KeyValueRow
from rooflinestudio.ui.widgets.note_box import VerdictBox, wrapped_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Figure, HardwareProfile

__all__ = ["MachinePanel", "machine_rows", "provenance_text"]

_TOKENS: Final = {"published": "text", "derived": "text", "measured": "ok", "assumed": "warn"}
_ORDER: Final = ("published", "derived", "measured", "assumed")


def provenance_text(figure: Figure) -> str:
    """Return where a figure comes from, a line for each thing that is known."""
    first = f"{figure.provenance}: {figure.source}" if figure.source else figure.provenance
    return "\n".join(line for line in (first, figure.condition, figure.date, figure.note) if line)


def machine_rows(profile: HardwareProfile) -> Iterator[tuple[str, str, str, str]]:
    """Yield caption, value, colour token and provenance of every figure of a machine."""
    for ceiling in profile.ceilings.values():
        dense = ", dense" if ceiling.id.endswith("-tensor") else ""
        yield f"{ceiling.label}{dense}", _value(ceiling.figure, "FLOP/s"), *_origin(ceiling.figure)
    for boundary in profile.boundaries.values():
        about = ", approximate" if boundary.approximate else ""
        yield f"{boundary.label}{about}", _value(boundary.bandwidth, "B/s"), *_origin(boundary.bandwidth)
    for boundary in profile.boundaries.values():
        if boundary.capacity is not None:
            yield f"{boundary.label} capacity", _value(boundary.capacity, "B"), *_origin(boundary.capacity)
    for caption, figure, unit in (
        ("SMs", profile.sms, ""),
        ("launch overhead", profile.launch_overhead, "s"),
    ):
        if figure is not None:
            yield caption, _value(figure, unit), *_origin(figure)


def _value(figure: Figure, unit: str) -> str:
    number, gap, rest = format_quantity(figure.value, unit, digits=4).partition(" ")
    if "." in number:  # 3.350 reads as if the last digit were known
        number = number.rstrip("0").rstrip(".")
    return f"{number}{gap}{rest}".rstrip()


def _origin(figure: Figure) -> tuple[str, str]:
    return _TOKENS[figure.provenance], provenance_text(figure)


class MachinePanel(QWidget):
    """Built once for each profile."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile: HardwareProfile | None = None
        self.rows: list[KeyValueRow] = []
        self._ridge: KeyValueRow = KeyValueRow("ridge", parent=self)
        self._ridge.hide()
        self._sign = QLabel()
        self.title = ElidingLabel(role="title", token="text")
        self.subtitle = wrapped_label("label")
        self._figures = QVBoxLayout()
        self._figures.setSpacing(2)
        self.verdict = VerdictBox()
        self.notes = wrapped_label("muted")
        self._empty = EmptyState(
            "No machine",
            "Add one with the plus in the tool bar: its roof is what operators are held against.",
        )
        self._page = QWidget()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._sign)
        head.addWidget(self.title, 1)
        page = QVBoxLayout(self._page)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(6)
        page.addLayout(head)
        page.addWidget(self.subtitle)
        page.addLayout(self._figures)
        page.addWidget(self.verdict)
        page.addWidget(self.notes)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._page)
        layout.addWidget(self._empty)
        self._page.hide()
        self.refresh_theme()

    def show_profile(self, profile: HardwareProfile | None, boundary_id: str | None) -> None:
        """Show a machine, or that there is none."""
        self._page.setVisible(profile is not None)
        self._empty.setVisible(profile is None)
        if profile is None:
            return
        if profile is not self._profile:
            self._profile = profile
            self._fill(profile)
        wanted = (boundary_id or "dram", "dram", *profile.boundaries)
        self._show_ridge(profile, next((at for at in wanted if at in profile.boundaries), ""))

    def refresh_theme(self) -> None:
        """Take the colours of the theme now worn."""
        self._sign.setPixmap(icon("chip").pixmap(16, 16))

    def _fill(self, profile: HardwareProfile) -> None:
        self.title.set_text(profile.name)
        kinds = {figure.provenance for figure in _figures_of(profile)}
        words = [kind for kind in _ORDER if kind in kinds]
        listed = " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)
        self.subtitle.setText(f"Selected machine, {listed} figures")
        rows = list(machine_rows(profile))
        while len(self.rows) < len(rows) + 1:
            row = KeyValueRow("")
            self.rows.append(row)
            self._figures.addWidget(row)
        for at, row in enumerate(self.rows):
            row.setVisible(at <= len(rows))
        self._ridge = self.rows[len(rows)]
        for row, (caption, value, token, tip) in zip(self.rows, rows, strict=False):
            row.set_label(caption)
            row.set_value(value, token)
            row.setToolTip(tip)
        self.notes.setText("\n".join(profile.notes))
        self.notes.setVisible(bool(profile.notes))

    def _show_ridge(self, profile: HardwareProfile, boundary_id: str) -> None:
        if not boundary_id or profile.reference_ceiling not in profile.ceilings:
            self.verdict.hide()
            return
        ridge = format_number(profile.ridge(boundary_id=boundary_id))
        label = profile.boundaries[boundary_id].label
        ceiling = profile.ceilings[profile.reference_ceiling].label
        self._ridge.set_label(f"ridge, {ceiling} at {label}")
        self._ridge.set_value(f"{ridge} FLOP/byte")
        self._ridge.setToolTip(f"{ceiling} / {label}: the intensity at which roof and slope meet")
        self.verdict.show()
        self.verdict.set_text(
            f"Below {ridge} FLOP/byte at {label}, more arithmetic rate is worth nothing to you."
        )


def _figures_of(profile: HardwareProfile) -> Iterator[Figure]:
    yield from (one.figure for one in profile.ceilings.values())
    yield from (one.bandwidth for one in profile.boundaries.values())

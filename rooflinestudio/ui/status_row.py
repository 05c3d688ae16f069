"""The line at the bottom: what is selected in three numbers, failed plugins, and whether the work is saved."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QStatusBar, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import HEAD_PX, paint_icon
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.ink import ink

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.pairing.figures import KernelFigures
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.plugins.rows import PluginRow

__all__ = ["StatusRow", "age_text", "kernel_text", "plugin_text", "row_text"]

HEIGHT_PX: Final = 24
TICK_MS: Final = 5_000


class StatusRow(QStatusBar):
    """The status bar of the window.

    Signals
    -------
    pluginsRequested
        The badge of failed plugins was pressed.
    """

    pluginsRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT_PX)
        self.setSizeGripEnabled(False)
        self._saved_at: float | None = None
        self._modified = False
        self._path = ""
        self._resting = row_text(None)
        self.figures = ElidingLabel("Ready", role="caption", token="text2")
        self.figures.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.plugins = _Badge("plug", "warn")
        self.plugins.clicked.connect(self.pluginsRequested)
        self.plugins.hide()
        self.saved = ElidingLabel("not saved yet", role="caption", token="muted")
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(10, 0, 12, 0)
        row.setSpacing(16)
        row.addWidget(self.figures, 1)
        row.addWidget(self.plugins)
        row.addWidget(self.saved)
        self.addPermanentWidget(line, 1)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_saved)

    def show_row(self, row: PlacedRow | None) -> None:
        """Show the selected placement."""
        self._resting = row_text(row)
        self.figures.set_text(self._resting)

    def show_kernel(self, kernel: KernelFigures) -> None:
        """Show the selected measured kernel."""
        self._resting = kernel_text(kernel)
        self.figures.set_text(self._resting)

    def show_text(self, text: str) -> None:
        """Show what the canvas says of what is pointed at; empty goes back to the selected placement."""
        self.figures.set_text(text or self._resting)

    def show_plugins(self, rows: Sequence[PluginRow]) -> None:
        """Tell which plugins failed; nothing where none did."""
        text = plugin_text(rows)
        self.plugins.setText(text)
        self.plugins.setToolTip("Open the list of plugins" if text else "")
        self.plugins.setAccessibleName(text)
        self.plugins.setVisible(bool(text))

    def show_file(self, *, path: str, modified: bool) -> None:
        """Tell whether the study is in a file as it is."""
        self._modified, self._path = modified, path
        if not path:
            self._saved_at = None
        self._show_saved()

    def note_saved(self) -> None:
        """Start to count: the study has just been written."""
        self._saved_at = monotonic()
        self._tick.start()
        self._show_saved()

    def note_opened(self) -> None:
        """Another study is there; when it was written is not told."""
        self._saved_at = None
        self._tick.stop()
        self._show_saved()

    def _show_saved(self) -> None:
        age = None if self._saved_at is None else monotonic() - self._saved_at
        self.saved.set_text("edited" if self._modified else age_text(age, is_in_file=bool(self._path)))


class _Badge(QAbstractButton):
    """An icon and a few words in the colour of a token; a button without a box."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._drawing, self._token = name, token
        self.setFont(font("caption"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(HEAD_PX + 8 + QFontMetrics(self.font()).horizontalAdvance(self.text()), HEIGHT_PX - 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        middle = self.height() / 2
        paint_icon(painter, QRectF(1, middle - HEAD_PX / 2, HEAD_PX, HEAD_PX), self._drawing, self._token)
        painter.setPen(ink(self._token))
        painter.setFont(self.font())
        painter.drawText(
            self.rect().adjusted(HEAD_PX + 6, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text()
        )
        if self.hasFocus():
            painter.setPen(ink("accent"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


def age_text(age_s: float | None, *, is_in_file: bool) -> str:
    """Say how long ago the study was saved: ``saved 12 s ago``."""
    if age_s is None:
        return "saved" if is_in_file else "not saved yet"
    if age_s < 4:
        return "saved just now"
    if age_s < 60:
        return f"saved {age_s:.0f} s ago"
    if age_s < 3600:
        return f"saved {age_s // 60:.0f} min ago"
    return f"saved {age_s // 3600:.0f} h ago"


def plugin_text(rows: Sequence[PluginRow]) -> str:
    """Name the failed plugin, or say how many failed."""
    failed = [one for one in rows if one.state in ("failed", "partly")]
    if not failed:
        return ""
    if len(failed) > 1:
        return f"{len(failed)} plugins failed"
    one = failed[0]
    what = "failed" if one.state == "failed" else "partly failed"
    return f"1 plugin {what}: {one.distribution or one.name} {one.version}".rstrip()


def row_text(row: PlacedRow | None) -> str:
    """Return intensity, rate and distance to the roof of a row, or why there are none."""
    from rooflinestudio.core.quantities import format_number, format_quantity

    if row is None:
        return "Ready"
    placement = row.placement
    if placement is None:
        return row.reason or row.state
    intensity, rate = float(placement.intensity), float(placement.attainable_flop_per_s)
    if placement.work_flop == 0:
        flow = float(placement.traffic_bytes / placement.time_s) if placement.time_s else 0.0
        return f"I 0   no FLOP   {format_quantity(flow, 'B/s', digits=3)}"
    roof = min(placement.ceiling_flop_per_s, intensity * placement.at(placement.boundary_id).bytes_per_s)
    return "   ".join(
        (
            f"I {format_number(intensity)} FLOP/byte",
            f"P {format_quantity(rate, 'FLOP/s', digits=3)}",
            f"{format_number(roof / rate)}× to the roof",
        )
    )


def kernel_text(kernel: KernelFigures) -> str:
    """Return name, intensity and achieved rate of a measured kernel, or why it has no place on the canvas.

    Where the work is that of the paired operator, the line ends with ``W from GEMM``.
    """
    from rooflinestudio.core.quantities import format_number, format_quantity

    intensity, rate, measured = kernel.intensity, kernel.achieved_flop_per_s, kernel.measurement
    if not intensity or not rate:
        return f"{measured.kernel_short}: {_why_nowhere(kernel)}"
    parts = (
        measured.kernel_short,
        f"I {format_number(intensity)} FLOP/byte",
        f"achieved {format_quantity(rate, 'FLOP/s', digits=3)}",
        kernel.work_from,
    )
    return "   ".join(filter(None, parts))


def _why_nowhere(kernel: KernelFigures) -> str:
    measured = kernel.measurement
    if not kernel.work_from:
        return measured.reason or "no work was counted"
    missing = "time" if measured.time_s is None else "traffic"  # its work is known: that of the operator
    return f"no {missing} was measured; {kernel.work_from}"

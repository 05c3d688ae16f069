"""What every entry follows, in one row: boundary, policy, absorption, overlap, bound or forecast."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from rooflinestudio.ui.icons import TOOL_PX, icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.segmented import SegmentedControl
from rooflinestudio.ui.widgets.share_edit import ShareEdit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.study import View

__all__ = ["HOME", "Fold", "ViewBar"]

HOME: Final = "home"
"""Id in the drop-down for: each operator at its own boundary."""

POLICY_OPTIONS: Final = (("compulsory", "Compulsory"), ("tiled", "Tiled"), ("modelled", "Modelled"))
POLICY_HINTS: Final = {
    "compulsory": "Each tensor crosses once: the least that any kernel can move.",
    "tiled": "With every re-read of a blocked kernel.",
    "modelled": "Between the two: the next cache absorbs a share of the re-reads.",
}
MODEL_OPTIONS: Final = (("bound", "Bound"), ("forecast", "Forecast"))
MODEL_HINTS: Final = {
    "bound": "Compute and memory alone: no kernel can be faster.",
    "forecast": "With latency, launches and uneven tiles and waves: an expected time.",
}


class Fold(IntEnum):
    """How much of the row is folded away."""

    NOTHING = 0
    MODEL = 1
    MOST = 2


class _CaptionedShare(ShareEdit):
    """A share with its caption before it, short enough for a tool bar."""

    def __init__(self, name: str, hint: str) -> None:
        super().__init__(name, hint=hint)
        self.label = _caption(name)
        self.label.setAccessibleName(name)
        self.label.setToolTip(hint)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.slider.setMinimumWidth(56)
        self.slider.setMaximumWidth(90)
        self.row.insertWidget(0, self.label)


class ViewBar(QWidget):
    """The row of selectors; shows what it is told and asks for changes.

    Signals
    -------
    viewRequested
        Text for the undo menu, the changed field of the view and its value, and whether a drag is going on.
    gestureEnded
        A drag is over.
    """

    viewRequested = Signal(str, str, object, bool)
    gestureEnded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fold: Fold | None = None
        self.boundary = Choice()
        self.boundary.setAccessibleName("Boundary")
        self.boundary.setToolTip("Where bytes are counted.")
        self.policy = SegmentedControl(POLICY_OPTIONS, "Policy")
        self.policy_choice = Choice(POLICY_OPTIONS)
        self.policy_choice.setAccessibleName("Policy")
        self.absorption = _CaptionedShare(
            "Absorption", "Share of the tiled re-reads that the next cache absorbs, 0 to 1."
        )
        self.overlap = _CaptionedShare(
            "Overlap",
            "How far compute and memory run at the same time: 1 is the roofline, 0 one after the other.",
        )
        self.model = SegmentedControl(MODEL_OPTIONS, "Model")
        self.more = QToolButton()
        self.more.setIcon(icon("sliders"))
        self.more.setIconSize(QSize(TOOL_PX, TOOL_PX))
        self.more.setToolTip("More settings of the view")
        self.more.setAccessibleName("More settings of the view")
        self._popup = _Popup(self)
        self._boundary_label, self._policy_label = _caption("Boundary"), _caption("Policy")
        self._lay_out()
        self._connect()
        self.fold(Fold.NOTHING)

    def set_view(self, view: View, profile: HardwareProfile | None) -> None:
        """Show a view, with the boundary words of a machine."""
        self.boundary.set_options(boundary_options(profile, view.boundary))
        self.boundary.set_value(view.boundary or HOME)
        self.policy.set_value(view.policy)
        self.policy_choice.set_value(view.policy)
        self.absorption.set_share(view.absorption)
        self.absorption.setEnabled(view.policy == "modelled")
        self.overlap.set_share(view.overlap)
        self.model.set_value("forecast" if view.forecast else "bound")

    def minimumSizeHint(self) -> QSize:
        """Return the room of the folded row: with less than the whole row needs, it folds."""
        return QSize(self.needed_px(Fold.MOST), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = event.size().width()
        self.fold(next((one for one in (Fold.NOTHING, Fold.MODEL) if self.needed_px(one) <= room), Fold.MOST))

    def needed_px(self, fold: Fold) -> int:
        """Return the width of the row when so much of it is folded."""
        parts: list[QWidget] = [self._boundary_label, self.boundary, self._policy_label]
        if fold is Fold.NOTHING:
            parts += [self.policy, self.absorption, self.overlap, self.model]
        else:
            parts += [self.policy_choice, *([self.absorption] if fold is Fold.MODEL else []), self.more]
        return sum(part.sizeHint().width() for part in parts) + self._row.spacing() * len(parts)

    def fold(self, fold: Fold) -> None:
        """Make the policy a drop-down, and put what has no room behind one button."""
        if fold is self._fold:
            return
        self._fold = fold
        self.policy.setVisible(fold is Fold.NOTHING)
        self.policy_choice.setVisible(fold is not Fold.NOTHING)
        self.more.setVisible(fold is not Fold.NOTHING)
        self._popup.hide()
        folding = (self.absorption, self.overlap, self.model)
        for part in folding:
            part.setParent(None)
        in_row = {Fold.NOTHING: 3, Fold.MODEL: 1, Fold.MOST: 0}[fold]
        for part in folding[: min(in_row, 2)]:
            self._row.insertWidget(self._row.indexOf(self._stretch), part)
        if fold is Fold.NOTHING:
            self._row.addWidget(self.model)
        self._popup.hold(*folding[in_row:])
        for part in folding:
            part.show()

    def _lay_out(self) -> None:
        for choice, width in ((self.boundary, 84), (self.policy_choice, 104)):
            choice.setMinimumWidth(width)
            choice.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        for segments, hints in ((self.policy, POLICY_HINTS), (self.model, MODEL_HINTS)):
            for id_, hint in hints.items():
                segments.set_hint(id_, hint)
        self._stretch = QWidget()
        self._stretch.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(10)
        for part in (
            self._boundary_label, self.boundary, self._policy_label, self.policy, self.policy_choice,
            self._stretch, self.more,
        ):  # fmt: skip
            self._row.addWidget(part)

    def _connect(self) -> None:
        self.boundary.chosen.connect(self._on_boundary_chosen)
        self.policy.chosen.connect(self._on_policy_chosen)
        self.policy_choice.chosen.connect(self._on_policy_chosen)
        self.absorption.shareRequested.connect(self._on_absorption_share_requested)
        self.overlap.shareRequested.connect(self._on_overlap_share_requested)
        self.model.chosen.connect(self._on_model_chosen)
        self.absorption.gestureEnded.connect(self.gestureEnded)
        self.overlap.gestureEnded.connect(self.gestureEnded)
        self.more.clicked.connect(self._on_more_clicked)

    def _on_boundary_chosen(self, id_: str) -> None:
        self.viewRequested.emit("Change boundary", "boundary", None if id_ == HOME else id_, False)

    def _on_policy_chosen(self, id_: str) -> None:
        self.viewRequested.emit("Change policy", "policy", id_, False)

    def _on_absorption_share_requested(self, share: float, dragging: bool) -> None:
        self.viewRequested.emit("Change absorption", "absorption", share, dragging)

    def _on_overlap_share_requested(self, share: float, dragging: bool) -> None:
        self.viewRequested.emit("Change overlap", "overlap", share, dragging)

    def _on_model_chosen(self, id_: str) -> None:
        self.viewRequested.emit("Change model", "forecast", id_ == "forecast", False)

    def _on_more_clicked(self) -> None:
        self._popup.open_under(self.more)


class _Popup(QFrame):
    """What does not fit into a narrow row."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_role(self, "card")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(14, 12, 14, 12)
        self._grid.setVerticalSpacing(10)

    def hold(self, *parts: QWidget) -> None:
        """Take these parts in; what was in here before has been taken out."""
        for row, part in enumerate(parts):
            self._grid.addWidget(part, row, 0)

    def open_under(self, button: QWidget) -> None:
        self.adjustSize()
        corner = button.mapToGlobal(QPoint(button.width() - self.width(), button.height() + 4))
        self.move(corner)
        self.show()


def boundary_options(profile: HardwareProfile | None, chosen: str | None) -> Sequence[tuple[str, str]]:
    """Return the boundaries of a machine from the inside outward, then all of them together, then each operator's own.

    A boundary that the study asks for and the machine lacks is listed too, so that it does not seem to be another.
    """
    known = [(id_, one.label) for id_, one in profile.boundaries.items()] if profile is not None else []
    if chosen not in (None, "all") and chosen not in dict(known):
        known.append((str(chosen), f"{chosen} (not here)" if profile is not None else str(chosen)))
    return (*known, ("all", "All crossed"), (HOME, "Each its own"))


def _caption(text: str) -> QLabel:
    label = QLabel(text)
    set_role(label, "label")
    label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    return label

"""How this one entry is looked at: it follows the view until something is set here, and can go back to following."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from rooflinestudio.ui.icons import HEAD_PX, icon
from rooflinestudio.ui.inspector.fields import ROW_PX
from rooflinestudio.ui.widgets.choice import Choice
from rooflinestudio.ui.widgets.eliding import ElidingLabel
from rooflinestudio.ui.widgets.note_box import wrapped_label
from rooflinestudio.ui.widgets.segmented import SegmentedControl
from rooflinestudio.ui.widgets.share_edit import ShareEdit
from rooflinestudio.ui.widgets.words import POLICY_WORDS, boundary_word

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.study import View

__all__ = ["SettingsPanel"]

FOLLOW: Final = "follow"
_BACK_PX: Final = 20
_FIELDS: Final = ("policy", "boundary", "absorption", "overlap", "ceiling")
_HINTS: Final = {
    "policy": "How the traffic at device memory is counted.",
    "boundary": "Where the bytes are counted that the time is made of.",
    "absorption": "Share of the tiled re-reads that the next cache absorbs; acts when modelled.",
    "overlap": "1: compute and memory run side by side; 0: one after the other.",
    "ceiling": "The pipe that this is held against.",
}


def _share_row(field: str) -> ShareEdit:
    name = f"{field.capitalize()} of this entry"
    row = ShareEdit(name)
    row.slider.setObjectName(f"slider.{name}")
    row.edit.setObjectName(f"setting.{name}")
    row.edit.setFixedHeight(ROW_PX)
    return row


class SettingsPanel(QWidget):
    """A head that says what is set, and the rows below it, folded as long as the entry follows the view.

    Signals
    -------
    settingRequested
        Field of the entry, its value (None: follow the view again), and whether a drag is going on.
    gestureEnded
        A drag is over.
    """

    settingRequested = Signal(str, object, bool)
    gestureEnded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry_id = ""
        self._state: object = None
        self.toggle = QToolButton()
        self.toggle.setObjectName("settings.toggle")
        self.toggle.setAccessibleName("Settings of this entry")
        self.toggle.setIconSize(QSize(12, 12))
        self.toggle.clicked.connect(self._on_toggle_clicked)
        self.summary = ElidingLabel(role="label", token="muted", align=Qt.AlignmentFlag.AlignRight)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(4)
        head.addWidget(ElidingLabel("Settings", role="section", token="text2"))
        head.addWidget(self.summary, 1)
        head.addWidget(self.toggle)
        self._body = QWidget()
        self._make_rows()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self._body)
        self._body.hide()
        self._show_arrow()

    def _make_rows(self) -> None:
        self.policy = SegmentedControl(list(POLICY_WORDS.items()), "Policy of this entry", compact=True)
        self.boundary = self._choice("boundary", "Boundary of this entry")
        self.absorption = _share_row("absorption")
        self.overlap = _share_row("overlap")
        self.ceiling = self._choice("ceiling", "Ceiling of this entry")
        self.message = wrapped_label("error")
        self.message.hide()
        self.backs: dict[str, QToolButton] = {}
        grid = QGridLayout(self._body)
        grid.setContentsMargins(0, 0, 0, 2)
        grid.setHorizontalSpacing(2)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for at, name in enumerate(_FIELDS):
            self.backs[name] = self._back_button(name)
            grid.addWidget(self.backs[name], at, 2)
            if name == "policy":  # its segments need the width, and say themselves what they are
                grid.addWidget(self.policy, at, 0, 1, 2)
                continue
            caption = ElidingLabel(name, role="label", token="text2")
            caption.set_hint(_HINTS[name])
            caption.setFixedWidth(64)
            grid.addWidget(caption, at, 0)
            grid.addWidget(getattr(self, name), at, 1)
        grid.addWidget(self.message, len(_FIELDS), 0, 1, 3)
        self.policy.chosen.connect(self._on_policy_chosen)
        self.boundary.chosen.connect(self._on_boundary_chosen)
        self.ceiling.chosen.connect(self._on_ceiling_chosen)
        self.absorption.shareRequested.connect(self._on_absorption_requested)
        self.overlap.shareRequested.connect(self._on_overlap_requested)
        for row in (self.absorption, self.overlap):
            row.gestureEnded.connect(self.gestureEnded)
            row.messageChanged.connect(self._on_message_changed)

    def _choice(self, name: str, spoken: str) -> Choice:
        choice = Choice()
        choice.setObjectName(f"setting.{name}")
        choice.setAccessibleName(spoken)
        choice.setToolTip(_HINTS[name])
        choice.setFixedHeight(ROW_PX)
        return choice

    def _back_button(self, name: str) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon("reset"))
        button.setIconSize(QSize(HEAD_PX, HEAD_PX))
        button.setObjectName(f"follow.{name}")
        button.setFixedSize(_BACK_PX, _BACK_PX)
        button.setAccessibleName(f"{name}: follow the view")
        button.setProperty("setting", name)
        policy = button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        button.setSizePolicy(policy)
        button.clicked.connect(self._on_back_clicked)
        return button

    def show_row(self, row: PlacedRow, view: View) -> None:
        """Show what holds for a row, and what of it is its own."""
        entry, settings, profile = row.entry, row.settings, row.profile
        state = (entry.id, [getattr(entry, name) for name in _FIELDS], settings, view, id(profile))
        if state == self._state:
            return
        self._state = state
        self.policy.set_value(settings.policy)
        self.boundary.set_options(_boundary_options(profile, view))
        self.boundary.set_value(FOLLOW if entry.boundary is None else entry.boundary)
        self.absorption.set_share(settings.absorption)
        self.absorption.setEnabled(settings.policy == "modelled")
        self.overlap.set_share(settings.overlap)
        self.ceiling.set_options(_ceiling_options(profile))
        self.ceiling.set_value(entry.ceiling or FOLLOW)
        own = [name for name in _FIELDS if getattr(entry, name) is not None]
        for name, button in self.backs.items():
            button.setVisible(name in own)
            button.setToolTip(f"Follow {'the operator' if name == 'ceiling' else 'the view'} again")
        self.summary.set_text(f"own {', '.join(own)}" if own else "follows the view")
        self.summary.set_token("accent_text" if own else "muted")
        if entry.id != self._entry_id:
            self._entry_id = entry.id
            self.set_open(bool(own))

    def focus_order(self) -> list[QWidget]:
        """Return what can be focused, in the order of the eye."""
        order: list[QWidget] = [self.toggle]
        for name in _FIELDS:
            part = getattr(self, name)
            if isinstance(part, ShareEdit):
                order += [part.slider, part.edit]
            else:
                order += part.buttons if isinstance(part, SegmentedControl) else [part]
            order.append(self.backs[name])
        return order

    @property
    def is_open(self) -> bool:
        """Whether the rows are unfolded."""
        return not self._body.isHidden()

    def set_open(self, opened: bool) -> None:
        """Unfold or fold the rows."""
        self._body.setVisible(opened)
        self._show_arrow()

    def _on_toggle_clicked(self) -> None:
        self.set_open(not self.is_open)

    def _show_arrow(self) -> None:
        opened = self.is_open
        self.toggle.setIcon(icon("chevron-up" if opened else "chevron-down", "muted"))
        self.toggle.setToolTip(
            "Fold the settings"
            if opened
            else "Set policy, boundary, absorption, overlap for this entry alone"
        )

    def _on_policy_chosen(self, policy: str) -> None:
        self.settingRequested.emit("policy", policy, False)

    def _on_boundary_chosen(self, boundary: str) -> None:
        self.settingRequested.emit("boundary", None if boundary == FOLLOW else boundary, False)

    def _on_ceiling_chosen(self, ceiling: str) -> None:
        self.settingRequested.emit("ceiling", None if ceiling == FOLLOW else ceiling, False)

    def _on_absorption_requested(self, share: float, dragging: bool) -> None:
        self.settingRequested.emit("absorption", share, dragging)

    def _on_overlap_requested(self, share: float, dragging: bool) -> None:
        self.settingRequested.emit("overlap", share, dragging)

    def _on_back_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, QToolButton):
            self.settingRequested.emit(str(sender.property("setting")), None, False)

    def _on_message_changed(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))


def _boundary_options(profile: HardwareProfile | None, view: View) -> tuple[tuple[str, str], ...]:
    known = profile.boundaries if profile is not None else {}
    follow = f"view: {boundary_word(profile, view.boundary)}"
    return ((FOLLOW, follow), *((id_, one.label) for id_, one in known.items()), ("all", "all boundaries"))


def _ceiling_options(profile: HardwareProfile | None) -> tuple[tuple[str, str], ...]:
    known = profile.ceilings if profile is not None else {}
    return ((FOLLOW, "the operator's own"), *((id_, one.label) for id_, one in known.items()))

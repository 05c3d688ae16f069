"""What can be set on a sweep beside figure and parameter: range, scale, what is compared, stairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.sweep.axes import declared
from rooflinestudio.core.sweep.second import read_values, second_parameters, suggested_values, values_text
from rooflinestudio.core.traffic import POLICIES
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.inspector.declared import reader_of, text_of
from rooflinestudio.ui.sweep.menus import TickMenu
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.flow import FlowLayout
from rooflinestudio.ui.widgets.quantity_edit import QuantityEdit
from rooflinestudio.ui.widgets.segmented import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rooflinestudio.core.sweep.picture import SweepPicture

__all__ = ["SweepControls"]

_NONE: Final = ""


class SweepControls(QWidget):
    """A row that goes on in the next line where it is too long.

    Signals
    -------
    changed
        A text for the undo list, and changed settings of the panel.
    entryTicked
        An entry that shall be compared, or no longer.
    """

    changed = Signal(str, object)
    entryTicked = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: SweepPicture | None = None
        self.low, self.high = self._edit("low", "From"), self._edit("high", "To")
        self.scale = SegmentedControl((("log", "Log"), ("linear", "Linear")), "Scale", compact=True)
        self.scale.chosen.connect(self._on_scale_chosen)
        self.entries = TickMenu("sweep.entries", "Entries that are compared")
        self.entries.ticked.connect(self.entryTicked)
        self.policies = TickMenu("sweep.policies", "Policies, each with curves of its own")
        self.policies.ticked.connect(self._on_policies_ticked)
        self.second = TickMenu(
            "sweep.second", "Second parameter, each value with a curve of its own", single=True
        )
        self.second.ticked.connect(self._on_second_ticked)
        self.more = TickMenu("sweep.more", "What is drawn")
        self.more.setText("Draw")
        self.menus = (self.entries, self.policies, self.second, self.more)
        self.values = QuantityEdit(self._read_values, values_text)
        self.values.setObjectName("sweep.values")
        self.values.setAccessibleName("Values of the second parameter")
        self.values.setFixedWidth(124)
        self.values.valueCommitted.connect(self._on_values_value_committed)
        self.values.messageChanged.connect(self._on_message_changed)
        self.stairs = QCheckBox("stairs")
        self.stairs.setObjectName("sweep.stairs")
        self.stairs.setFont(font("label"))
        self.stairs.setMinimumHeight(26)
        self.stairs.setToolTip("Count whole tiles and waves, as the forecast does, in a thin line")
        self.stairs.clicked.connect(self._on_stairs_clicked)
        self._lay_out()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _lay_out(self) -> None:
        self._flow = FlowLayout(self, gap_px=8)
        parts = (
            self._range(),
            self.scale,
            self.entries,
            self.policies,
            self.second,
            self.values,
            self.stairs,
        )
        for part in (*parts, self.more):
            self._flow.addWidget(part)
        self.log_action = self.more.add_tick("Logarithmic", self._on_log_action_triggered)
        self.stairs_action = self.more.add_tick("Tiles and waves", self._on_stairs_clicked)
        self.more.menu().addSeparator()
        for menu, words in ((self.entries, "Compare"), (self.policies, "Policy"), (self.second, "Also over")):
            menu.menu().setTitle(words)
            self.more.menu().addMenu(menu.menu())
        self.set_brief(False)

    def _edit(self, end: str, name: str) -> QuantityEdit:
        made = QuantityEdit(lambda text: self._read_end(end, text), self._show_end)
        made.setObjectName(f"sweep.{end}")
        made.setAccessibleName(f"{name}, range of the parameter")
        made.valueCommitted.connect(self._on_end_value_committed)
        made.messageChanged.connect(self._on_message_changed)
        return made

    def _range(self) -> QWidget:
        cell, to = QWidget(), QLabel("to")
        set_role(to, "label")
        row = QHBoxLayout(cell)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for part in (self.low, to, self.high):
            row.addWidget(part)
        return cell

    # What it shows ------------------------------------------------------------------------------------------------

    def set_picture(self, picture: SweepPicture, entries: Sequence[tuple[str, str]]) -> None:
        """Show the settings of a sweep.

        Parameters
        ----------
        entries
            Id and name of every entry that has the parameter.
        """
        self._picture = picture
        spec = picture.spec
        self.low.set_value(_plain(spec.low))
        self.high.set_value(_plain(spec.high))
        self._share_width()
        self.scale.set_value("log" if spec.is_log else "linear")
        self.entries.set_options(entries, spec.entries)
        self.entries.setText("Compare" if len(spec.entries) < 2 else f"Compare {len(spec.entries)}")
        self.policies.set_options([(one, one) for one in POLICIES], spec.policies)
        self.policies.setText(_policies_text(spec.policies))
        offered = second_parameters(picture.operator, spec.names)
        name, values = spec.second if spec.second is not None else (_NONE, ())
        self.second.set_options([(_NONE, "none"), *offered], (name,))
        self.second.setText(f"Also over {dict(offered).get(name, name)}" if name else "Also over")
        self.values.set_value(values)
        self.stairs.setChecked(spec.shows_stairs)
        self.log_action.setChecked(spec.is_log)
        self.stairs_action.setChecked(spec.shows_stairs)
        self._show_parts()

    def set_brief(self, brief: bool) -> None:
        """Keep the range, and put everything else into one menu."""
        self.is_brief = brief
        self._flow.set_gap(4 if brief else 8)
        self._share_width()
        self._show_parts()

    def _share_width(self) -> None:
        """Make both ends wide enough for what they say: a million tokens too."""
        least, most = (56, 92) if self.is_brief else (78, 108)
        for edit in (self.low, self.high):
            wanted = edit.fontMetrics().horizontalAdvance(edit.text()) + 26
            edit.setFixedWidth(min(max(least, wanted), most))

    def _show_parts(self) -> None:
        spec = self._picture.spec if self._picture is not None else None
        self.more.setVisible(self.is_brief)
        for part in (self.scale, self.policies, self.second, self.stairs):
            part.setVisible(not self.is_brief)
        self.entries.setVisible(not self.is_brief and len(self.entries.ids) > 1)
        self.values.setVisible(not self.is_brief and spec is not None and spec.second is not None)
        self.entries.menu().menuAction().setVisible(len(self.entries.ids) > 1)
        self.updateGeometry()

    def _show_end(self, value: Any) -> str:
        assert self._picture is not None
        return text_of(declared(self._picture.operator, self._picture.spec.names[0]), value)

    # What the user does -------------------------------------------------------------------------------------------

    def _read_end(self, end: str, text: str) -> Any:
        assert self._picture is not None
        picture = self._picture
        parameter = declared(picture.operator, picture.spec.names[0])
        value = reader_of(picture.operator, parameter, picture.curves[0].row.profile)(text)
        if isinstance(value, str):
            raise ParameterError(f"{text!r} is no end of a range; write a number.")
        low, high = (value, picture.spec.high) if end == "low" else (picture.spec.low, value)
        if not low < high:
            raise ParameterError(f"The range must rise: {_plain(low):g} is not below {_plain(high):g}.")
        return value

    def _read_values(self, text: str) -> tuple[Any, ...]:
        assert self._picture is not None and self._picture.spec.second is not None
        return read_values(self._picture.operator, self._picture.spec.second[0], text)

    def _on_end_value_committed(self, value: object) -> None:
        end = "low" if self.sender() is self.low else "high"
        self.changed.emit("Range of the sweep", {end: value})

    def _on_message_changed(self, message: str) -> None:
        edit = self.sender()
        if isinstance(edit, QuantityEdit):
            edit.setToolTip(message)

    def _on_scale_chosen(self, scale: str) -> None:
        self.changed.emit("Scale of the sweep", {"scale": scale})

    def _on_log_action_triggered(self, checked: bool) -> None:
        self._on_scale_chosen("log" if checked else "linear")

    def _on_policies_ticked(self, policy: str, on: bool) -> None:
        before = self._picture.spec.policies if self._picture is not None else ()
        chosen = [one for one in POLICIES if (one == policy and on) or (one != policy and one in before)]
        self.changed.emit("Policies of the sweep", {"policies": chosen or None})

    def _on_second_ticked(self, name: str, _on: bool) -> None:
        picture = self._picture
        if picture is None:
            return
        if not name:
            self.changed.emit("One parameter", {"second": None})
            return
        placement = picture.lead.row.placement
        own = placement.parameters.get(name) if placement is not None else None
        values = suggested_values(picture.operator, name, own)
        self.changed.emit(f"Sweep over {name} too", {"second": {"parameter": name, "values": list(values)}})

    def _on_values_value_committed(self, values: tuple[Any, ...]) -> None:
        if self._picture is not None and self._picture.spec.second is not None:
            name = self._picture.spec.second[0]
            self.changed.emit(f"Values of {name}", {"second": {"parameter": name, "values": list(values)}})

    def _on_stairs_clicked(self, checked: bool) -> None:
        self.changed.emit("Stairs", {"stairs": checked or None})


def _plain(value: float) -> float:
    """Return a whole number as such, so that it is written without a point."""
    return int(value) if float(value).is_integer() else value


def _policies_text(policies: Sequence[str]) -> str:
    if not policies:
        return "Policy"
    return policies[0] if len(policies) == 1 else f"{len(policies)} policies"

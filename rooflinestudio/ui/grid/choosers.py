"""The row of controls over the grid: which entry, which values along each dimension, what runs across, and the form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from rooflinestudio.core.chains import source_for
from rooflinestudio.core.grid.spec import (
    ALL_BOUNDARIES,
    DIMENSIONS,
    boundaries_offered,
    dtypes_offered,
    fusions_offered,
)
from rooflinestudio.core.grid.words import FIGURE_WORDS
from rooflinestudio.core.shorthand import OWN
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import icon
from rooflinestudio.ui.theme import set_role
from rooflinestudio.ui.widgets.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QResizeEvent

    from rooflinestudio.core.grid.cells import Grid
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy

__all__ = ["CheckMenu", "Choosers"]

SELECTED: Final = "\x00selected"
_TITLES: Final = {"boundary": "Boundaries", "dtype": "Formats", "fusion": "Fusion", "machine": "Machines"}
_KEYS: Final = {"boundary": "boundaries", "dtype": "dtypes", "fusion": "fusions", "machine": "machines"}
_ACROSS: Final = {"boundary": "Boundary", "dtype": "Format", "fusion": "Fusion", "machine": "Machine"}
_FORMS: Final = (("pictures", "Pictures"), ("cells", "Cells"), ("pivot", "Pivot"))
_ARROW_PX, _ROOMY_PX = 10, 720
_FUSIONS: Final = {"drawn": "As drawn", "split": "All split", "fused": "All fused"}


class CheckMenu(QMenu):
    """Values with ticks; it stays open while they are ticked, and one always stays.

    Signals
    -------
    picked
        The values that are ticked now, in order; None for "As suggested".
    """

    picked = Signal(object)

    def __init__(self, name: str, *, may_be_empty: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTipsVisible(True)
        self._may_be_empty = may_be_empty
        self._values: tuple[tuple[str, str], ...] = ()
        self._there: tuple[str, ...] = ()
        self.triggered.connect(self._on_triggered)

    def offer(self, values: Sequence[tuple[str, str]], there: Sequence[str]) -> None:
        """Offer values with labels, some of them ticked."""
        self._there = tuple(there)
        if tuple(values) != self._values:
            self._values = tuple(values)
            self.clear()
            for id_, label in self._values:
                action = self.addAction(label)
                action.setCheckable(True)
                action.setData(id_)
            self.addSeparator()
            self.addAction("As suggested").setToolTip("Forget the choice and follow the study again")
        for action in self.actions():
            if action.isCheckable():
                action.setChecked(action.data() in self._there)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable():
            action.trigger()  # without closing
        else:
            super().mouseReleaseEvent(event)

    def _on_triggered(self, action: Any) -> None:
        if not action.isCheckable():
            self.picked.emit(None)
            return
        ticked = tuple(one.data() for one in self.actions() if one.isChecked())
        if not ticked and not self._may_be_empty:
            action.setChecked(True)  # a grid without values would be none
            return
        self.picked.emit(ticked)


class Choosers(QWidget):
    """All controls of the grid in a row.

    Signals
    -------
    changed
        Words for the undo list, and what changes in ``panels["grid"]``; None takes a key out.
    """

    changed = Signal(str, dict)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "surface")
        self.entry = Choice()
        self.entry.setObjectName("grid.entry")
        self.entry.setAccessibleName("Entry of the grid")
        self.entry.setToolTip("The entry that is varied: the selected one, or one that stays")
        self.entry.setMaximumWidth(210)
        self.entry.setMinimumWidth(88)
        self.entry.chosen.connect(self._on_entry_chosen)
        self.menus: dict[str, CheckMenu] = {}
        self._counts: dict[str, int] = {}
        self.buttons: dict[str, QToolButton] = {}
        for dimension in DIMENSIONS:
            self._add_menu(dimension, _TITLES[dimension])
            self.menus[dimension].picked.connect(lambda values, one=dimension: self._on_picked(one, values))
        self._add_menu("columns", "Across", may_be_empty=True)
        self.menus["columns"].picked.connect(self._on_columns_picked)
        self.buttons["columns"].setToolTip("Which dimensions run from left to right; the others run down")
        self.figure = Choice([(id_, words[0].upper() + words[1:]) for id_, words in FIGURE_WORDS.items()])
        self.figure.setObjectName("grid.figure")
        self.figure.setAccessibleName("Figure of the pivot table")
        self.figure.setMaximumWidth(190)
        self.figure.chosen.connect(self._on_figure_chosen)
        self.form = Choice(_FORMS)
        self.form.setObjectName("grid.form")
        self.form.setAccessibleName("Form of the grid")
        self.form.setToolTip("Small rooflines, a line for each cell, or one figure as rows against columns")
        self.form.chosen.connect(self._on_form_chosen)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 3, 10, 3)
        row.setSpacing(4)
        row.addWidget(self.entry, 1)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.figure)
        row.addWidget(self.form)

    def _add_menu(self, key: str, title: str, *, may_be_empty: bool = False) -> None:
        button = QToolButton()
        button.setObjectName(f"grid.{key}")
        button.setText(title)
        button.setIcon(icon("chevron-down", "muted"))
        button.setIconSize(QSize(_ARROW_PX, _ARROW_PX))
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the words
        button.setFont(font("label"))
        button.setAccessibleName(title)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.menus[key] = CheckMenu(title, may_be_empty=may_be_empty, parent=button)
        button.setMenu(self.menus[key])
        self.buttons[key] = button

    def show_grid(self, placed: PlacedStudy, source: EstimateSource | None, grid: Grid) -> None:
        """Show what a grid is set to, and what else there is to choose."""
        spec, entry = grid.spec, grid.entry
        if source is not None:
            source = source_for(source, placed.study)
        name = entry.label or entry.id
        options = [(one.id, one.label or one.id) for one in placed.study.entries]
        self.entry.set_options(
            [(SELECTED, f"selected: {name}" if spec.follows else "selected entry"), *options]
        )
        self.entry.set_value(SELECTED if spec.follows else spec.entry)
        values = {
            "boundary": _boundaries(placed, grid),
            "dtype": [(one, "as set" if one == OWN else one) for one in dtypes_offered(entry, source)],
            "fusion": [(one, _FUSIONS[one]) for one in fusions_offered(placed, entry)],
            "machine": [(id_, profile.short_name) for id_, profile in placed.profiles.items()],
        }
        for dimension, offered in values.items():
            there = spec.values(dimension)
            self.menus[dimension].offer(offered, there)
            button = self.buttons[dimension]
            self._counts[dimension] = len(there)
            button.setAccessibleName(f"{_TITLES[dimension]}: {', '.join(there)}")
            button.setVisible(len(offered) > 1)
        self.menus["columns"].offer([(one, _ACROSS[one]) for one in DIMENSIONS], spec.columns)
        self.figure.set_value(spec.figure)
        self.figure.setVisible(spec.form == "pivot")
        self.form.set_value(spec.form)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(320, super().minimumSizeHint().height())

    def _fit(self) -> None:
        """Say how many values are ticked, with an arrow, where there is room for that."""
        roomy = self.width() >= _ROOMY_PX
        style = (
            Qt.ToolButtonStyle.ToolButtonTextBesideIcon if roomy else Qt.ToolButtonStyle.ToolButtonTextOnly
        )
        for key, button in self.buttons.items():
            title = _TITLES.get(key, "Across")
            button.setText(f"{title}: {self._counts[key]}" if roomy and key in self._counts else title)
            button.setToolButtonStyle(style)

    # What the user does -------------------------------------------------------------------------------------------

    def _on_entry_chosen(self, id_: str) -> None:
        self.changed.emit("Entry of the compare grid", {"entry": None if id_ == SELECTED else id_})

    def _on_picked(self, dimension: str, values: tuple[str, ...] | None) -> None:
        words = f"{_TITLES[dimension]} of the compare grid"
        self.changed.emit(words, {_KEYS[dimension]: None if values is None else list(values)})

    def _on_columns_picked(self, values: tuple[str, ...] | None) -> None:
        self.changed.emit(
            "Columns of the compare grid", {"columns": None if values is None else list(values)}
        )

    def _on_figure_chosen(self, id_: str) -> None:
        self.changed.emit("Figure of the compare grid", {"figure": id_})

    def _on_form_chosen(self, id_: str) -> None:
        self.changed.emit("Form of the compare grid", {"as": id_})


def _boundaries(placed: PlacedStudy, grid: Grid) -> list[tuple[str, str]]:
    """Return the boundaries of the grid's machines by the machines' own words, and all of them together."""
    profiles = [placed.profiles[one] for one in grid.spec.machines if one in placed.profiles]
    found = []
    for id_ in boundaries_offered(placed, grid.spec.machines):
        names = dict.fromkeys(one.boundaries[id_].label for one in profiles if id_ in one.boundaries)
        found.append((id_, " / ".join(names)))
    return [*found, (ALL_BOUNDARIES, "all crossed at once")]

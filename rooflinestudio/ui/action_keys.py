"""The names of actions, of the menus that they stand in, and of what must hold for them to be enabled."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Key", "Menu", "When"]


class Menu(StrEnum):
    """Menus of the bar, in its order; the value is the word on screen."""

    FILE = "&File"
    EDIT = "&Edit"
    VIEW = "&View"
    STUDY = "&Study"
    HARDWARE = "Hard&ware"
    MEASURE = "&Measure"
    PLUGINS = "&Plugins"
    HELP = "&Help"

    @property
    def word(self) -> str:
        """The heading without its mnemonic."""
        return self.value.replace("&", "")


class When(StrEnum):
    """What must hold for an action to be enabled."""

    ALWAYS = "always"
    CAN_UNDO = "something can be undone"
    CAN_REDO = "something can be redone"
    ENTRY_SELECTED = "an entry is selected"
    HAS_ENTRIES = "something is placed"
    SEVERAL_MACHINES = "several machines are shown"
    KERNEL_SELECTED = "a measured kernel is selected"
    KERNEL_PAIRED = "the selected kernel has a pair"
    CANVAS_READY = "the canvas is there"
    BOTH_ROOFS_KNOWN = "the machine has measured figures beside the stated ones"
    TABS_READY = "the tabs are there"


class Key(StrEnum):
    """Stable keys of all actions."""

    NEW = "file.new"
    OPEN = "file.open"
    OPEN_EXAMPLE = "file.open_example"
    EXAMPLES = "file.examples"
    PLACE_SHAPES = "file.place_shapes"
    SAVE = "file.save"
    SAVE_AS = "file.save_as"
    EXPORT_PICTURE = "file.export_picture"
    EXPORT_TABLE = "file.export_table"
    WRITE_REPORT = "file.write_report"
    CLOSE = "file.close"
    UNDO = "edit.undo"
    REDO = "edit.redo"
    FIND_ACTION = "edit.find_action"
    FIND_OPERATOR = "edit.find_operator"
    FIT = "view.fit"
    ZOOM_IN = "view.zoom_in"
    ZOOM_OUT = "view.zoom_out"
    TOGGLE_THEME = "view.toggle_theme"
    SHOW_OPERATORS = "view.show_operators"
    SHOW_OUTLINE = "view.show_outline"
    SHOW_INSPECTOR = "view.show_inspector"
    SHOW_TABS = "view.show_tabs"
    TAB_COMPARE = "view.tab_compare"
    TAB_FUSION = "view.tab_fusion"
    TAB_BUDGET = "view.tab_budget"
    TAB_SWEEP = "view.tab_sweep"
    TAB_SERVING = "view.tab_serving"
    TAB_DIAGNOSIS = "view.tab_diagnosis"
    TAB_MACHINES = "view.tab_machines"
    FILL_CENTRE = "view.fill_centre"
    EXPLORE = "view.explore"
    BOTH_ROOFS = "view.both_roofs"
    RESET_LAYOUT = "view.reset_layout"
    NEW_KERNEL = "study.new_kernel"
    NEW_CHAIN = "study.new_chain"
    DUPLICATE = "study.duplicate"
    VARY = "study.vary"
    RENAME = "study.rename"
    GROUP = "study.group"
    DELETE = "study.delete"
    TOGGLE_VISIBLE = "study.toggle_visible"
    POLICY_COMPULSORY = "study.policy_compulsory"
    POLICY_TILED = "study.policy_tiled"
    POLICY_MODELLED = "study.policy_modelled"
    NEXT_BOUNDARY = "study.next_boundary"
    PREVIOUS_BOUNDARY = "study.previous_boundary"
    TOGGLE_FORECAST = "study.toggle_forecast"
    ADD_MACHINE = "hardware.add"
    HIDE_MACHINE = "hardware.hide"
    EDIT_MACHINES = "hardware.edit"
    IMPORT_PROFILE = "hardware.import"
    EXPORT_PROFILE = "hardware.export"
    CEILINGS_FILE = "hardware.ceilings"
    SCALE_CLOCK = "hardware.clock"
    MEASURE_MACHINE = "hardware.measure"
    NEXT_MACHINE = "hardware.next"
    PREVIOUS_MACHINE = "hardware.previous"
    IMPORT = "measure.import"
    SHOW_MEASURED = "measure.show"
    PAIR = "measure.pair"
    UNPAIR = "measure.unpair"
    PLUGINS = "plugins.dialog"
    SAFE_MODE = "plugins.safe_mode"
    KEYBOARD = "help.keyboard"
    ABOUT = "help.about"

"""Every action of the window as data: menus, command palette, keyboard page and tests iterate over this table.

An action is added by one line here and one method that does it (``window_commands``); nothing else has to know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rooflinestudio.ui.action_keys import Key, Menu, When

__all__ = ["ACTIONS", "ActionInfo", "Key", "Menu", "When", "action_info"]


@dataclass(frozen=True, slots=True)
class ActionInfo:
    """One thing the user can do.

    Attributes
    ----------
    text
        In the menu, in sentence case; an ellipsis where more is asked before anything happens.
    shortcuts
        Key sequences; the first is shown.
    icon
        Name of a drawing, or empty.
    tip
        One sentence for tool tip and status bar.
    starts_section
        Whether a line stands before it in the menu.
    """

    key: Key
    text: str
    menu: Menu
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""
    when: When = When.ALWAYS
    checkable: bool = False
    starts_section: bool = False

    @property
    def title(self) -> str:
        """The text without its ellipsis, as the command palette shows it."""
        return self.text.rstrip("…")


_FILE: Final = (
    ActionInfo(Key.NEW, "New study", Menu.FILE, ("Ctrl+N",), "new", "Start with an empty study on these machines."),
    ActionInfo(Key.OPEN, "Open study…", Menu.FILE, ("Ctrl+O",), "open", "Open a study file."),
    ActionInfo(Key.OPEN_EXAMPLE, "Open the example", Menu.FILE, (), "roof",
               "Open a layer of a 70 B model on two machines."),
    ActionInfo(Key.EXAMPLES, "Examples…", Menu.FILE, ("Ctrl+Shift+O",), "",
               "Choose a study from the gallery: each redoes a figure, a table or a lab of the theory."),
    ActionInfo(Key.PLACE_SHAPES, "Place shapes from a table…", Menu.FILE, ("Ctrl+Shift+I",), "table",
               "Make placements of a table with one line per shape, with its measured times."),
    ActionInfo(Key.SAVE, "Save", Menu.FILE, ("Ctrl+S",), "save", "Save the study to its file.", starts_section=True),
    ActionInfo(Key.SAVE_AS, "Save as…", Menu.FILE, ("Ctrl+Shift+S",), "", "Save the study to another file."),
    ActionInfo(Key.EXPORT_PICTURE, "Export picture…", Menu.FILE, ("Ctrl+E",), "picture",
               "Write the canvas as PNG, SVG or PDF.", When.CANVAS_READY, starts_section=True),
    ActionInfo(Key.EXPORT_TABLE, "Export table…", Menu.FILE, ("Ctrl+Shift+E",), "table",
               "Write every placement with its figures as CSV.", When.HAS_ENTRIES),
    ActionInfo(Key.WRITE_REPORT, "Write a report…", Menu.FILE, ("Ctrl+Alt+R",), "",
               "Write picture, tables, verdicts and sources as HTML, Markdown, PDF, or as data.", When.CANVAS_READY),
    ActionInfo(Key.CLOSE, "Close the window", Menu.FILE, ("Ctrl+Q",), "quit", "Close the studio.", starts_section=True),
)  # fmt: skip

_EDIT: Final = (
    ActionInfo(Key.UNDO, "Undo", Menu.EDIT, ("Ctrl+Z",), "undo", "Take the last edit back.", When.CAN_UNDO),
    ActionInfo(Key.REDO, "Redo", Menu.EDIT, ("Ctrl+Shift+Z", "Ctrl+Y"), "redo", "Do the edit again.", When.CAN_REDO),
    ActionInfo(Key.FIND_ACTION, "Find an action…", Menu.EDIT, ("Ctrl+K", "Ctrl+Shift+P"), "search",
               "Find an action or an operator by a few letters.", starts_section=True),
    ActionInfo(Key.FIND_OPERATOR, "Find an operator", Menu.EDIT, ("Ctrl+F",), "",
               "Go to the search field of the palette."),
)  # fmt: skip

_VIEW: Final = (
    ActionInfo(Key.FIT, "Fit", Menu.VIEW, ("F", "Ctrl+0"), "fit", "Show the whole roofline.", When.CANVAS_READY),
    ActionInfo(Key.ZOOM_IN, "Zoom in", Menu.VIEW, ("Ctrl++", "Ctrl+="), "zoom-in", "Look closer.", When.CANVAS_READY),
    ActionInfo(Key.ZOOM_OUT, "Zoom out", Menu.VIEW, ("Ctrl+-",), "zoom-out", "Step back.", When.CANVAS_READY),
    ActionInfo(Key.EXPLORE, "Explore the roofline", Menu.VIEW, ("X",), "ruler",
               "Drag a probe along the intensity axis and read what the machine allows there.", When.CANVAS_READY,
               checkable=True),
    ActionInfo(Key.BOTH_ROOFS, "Published and measured roofs", Menu.VIEW, ("Ctrl+Shift+R",), "roof",
               "Draw the roof in use solid, and the machine's other figures dashed beside it.", When.BOTH_ROOFS_KNOWN,
               checkable=True),
    ActionInfo(Key.TOGGLE_THEME, "Dark theme", Menu.VIEW, ("Ctrl+Shift+L",), "moon", "Change between light and dark.",
               checkable=True, starts_section=True),
    ActionInfo(Key.SHOW_OPERATORS, "Operators", Menu.VIEW, ("Ctrl+Alt+1",), "dock-left", "Show or hide the palette.",
               checkable=True, starts_section=True),
    ActionInfo(Key.SHOW_OUTLINE, "Study outline", Menu.VIEW, ("Ctrl+Alt+2",), "layers", "Show or hide the outline.",
               checkable=True),
    ActionInfo(Key.SHOW_INSPECTOR, "Inspector", Menu.VIEW, ("Ctrl+Alt+3",), "dock-right",
               "Show or hide the inspector.", checkable=True),
    ActionInfo(Key.SHOW_TABS, "Tables", Menu.VIEW, ("Ctrl+Alt+4",), "dock-bottom",
               "Show or hide the tabs under the canvas.", checkable=True),
    ActionInfo(Key.TAB_COMPARE, "Compare", Menu.VIEW, ("Alt+1",), "",
               "Variants against their baseline, as table or grid.", When.TABS_READY, starts_section=True),
    ActionInfo(Key.TAB_FUSION, "Fusion bench", Menu.VIEW, ("Alt+2",), "", "Fuse and split a chain of operators.",
               When.TABS_READY),
    ActionInfo(Key.TAB_BUDGET, "Budget", Menu.VIEW, ("Alt+3",), "", "Where the time of a layer or a step goes.",
               When.TABS_READY),
    ActionInfo(Key.TAB_SWEEP, "Sweep", Menu.VIEW, ("Alt+4",), "",
               "One parameter against any figure, with its thresholds.", When.TABS_READY),
    ActionInfo(Key.TAB_SERVING, "Serving", Menu.VIEW, ("Alt+5",), "",
               "Decoding: weights against cache, batch, and cost.", When.TABS_READY),
    ActionInfo(Key.TAB_DIAGNOSIS, "Diagnosis", Menu.VIEW, ("Alt+7",), "",
               "Six questions to a measured kernel, and what would help.", When.TABS_READY),
    ActionInfo(Key.TAB_MACHINES, "Machines", Menu.VIEW, ("Alt+8",), "",
               "What sets machines apart, what if, and which resource buys most.", When.TABS_READY),
    ActionInfo(Key.FILL_CENTRE, "Tables in the whole centre", Menu.VIEW, ("F11",), "",
               "Give the tabs the place of the canvas, or give it back.", When.TABS_READY, checkable=True),
    ActionInfo(Key.RESET_LAYOUT, "Reset the layout", Menu.VIEW, (), "reset",
               "Put every panel back to its place and size."),
)  # fmt: skip

_STUDY: Final = (
    ActionInfo(Key.NEW_KERNEL, "New kernel…", Menu.STUDY, ("Ctrl+Shift+K",), "new",
               "Describe a kernel of your own with formulas, without code."),
    ActionInfo(Key.NEW_CHAIN, "New chain…", Menu.STUDY, ("Ctrl+Shift+U",), "layers",
               "Put a chain on the fusion bench: of the entries that are marked, or beginning with the selected one.",
               When.TABS_READY),
    ActionInfo(Key.DUPLICATE, "Duplicate as variant", Menu.STUDY, ("Ctrl+D",), "duplicate",
               "Place a variant of the selected entry beside it.", When.ENTRY_SELECTED),
    ActionInfo(Key.VARY, "Vary…", Menu.STUDY, ("Ctrl+Shift+D",), "sliders",
               "Place a variant with another format, boundary, policy, tile, batch, machine or fusion.",
               When.ENTRY_SELECTED),
    ActionInfo(Key.RENAME, "Rename…", Menu.STUDY, ("F2",), "rename", "Rename the selected entry.", When.ENTRY_SELECTED),
    ActionInfo(Key.GROUP, "Group…", Menu.STUDY, ("Ctrl+G",), "folder",
               "Put the selected entry, or all that are marked, into a new group.", When.ENTRY_SELECTED),
    ActionInfo(Key.DELETE, "Remove", Menu.STUDY, ("Del",), "trash",
               "Take the selected entry out, or all that are marked.", When.ENTRY_SELECTED),
    ActionInfo(Key.TOGGLE_VISIBLE, "Show or hide", Menu.STUDY, ("Ctrl+H",), "eye",
               "Show or hide the selected entry, or all that are marked.", When.ENTRY_SELECTED),
    ActionInfo(Key.POLICY_COMPULSORY, "Count traffic as compulsory", Menu.STUDY, ("Ctrl+1",), "",
               "Each tensor crosses once: the least that any kernel can move.", checkable=True, starts_section=True),
    ActionInfo(Key.POLICY_TILED, "Count traffic as tiled", Menu.STUDY, ("Ctrl+2",), "",
               "With every re-read of a blocked kernel.", checkable=True),
    ActionInfo(Key.POLICY_MODELLED, "Count traffic as modelled", Menu.STUDY, ("Ctrl+3",), "",
               "Between the two: the next cache absorbs a share of the re-reads.", checkable=True),
    ActionInfo(Key.NEXT_BOUNDARY, "Next boundary", Menu.STUDY, ("Ctrl+B",), "boundary",
               "Count at the next boundary outward."),
    ActionInfo(Key.PREVIOUS_BOUNDARY, "Previous boundary", Menu.STUDY, ("Ctrl+Shift+B",), "",
               "Count at the next boundary inward."),
    ActionInfo(Key.TOGGLE_FORECAST, "Forecast", Menu.STUDY, ("Ctrl+Shift+F",), "forecast",
               "Add latency, launches and uneven tiles and waves to the pure bound.", checkable=True),
)  # fmt: skip

_HARDWARE: Final = (
    ActionInfo(Key.ADD_MACHINE, "Add a machine…", Menu.HARDWARE, ("Ctrl+M",), "chip",
               "Hold the study against one more machine."),
    ActionInfo(Key.HIDE_MACHINE, "Take this machine out", Menu.HARDWARE, (), "",
               "Take the machine of the strong roof out of view.", When.SEVERAL_MACHINES),
    ActionInfo(Key.EDIT_MACHINES, "Edit machines…", Menu.HARDWARE, ("Ctrl+Shift+M",), "sliders",
               "See and change the figures of every machine, each with where it comes from.", starts_section=True),
    ActionInfo(Key.IMPORT_PROFILE, "Profile from a file…", Menu.HARDWARE, (), "import",
               "Take a machine from a file of somebody else's."),
    ActionInfo(Key.EXPORT_PROFILE, "Export this profile…", Menu.HARDWARE, (), "export",
               "Write the machine of the strong roof, as the study has it, to a file."),
    ActionInfo(Key.CEILINGS_FILE, "Ceilings from a file…", Menu.HARDWARE, (), "measure",
               "Take what a benchmark or a profiler measured of a machine.", starts_section=True),
    ActionInfo(Key.SCALE_CLOCK, "Scale ceilings to a clock…", Menu.HARDWARE, (), "",
               "Show this machine as it is at another clock, such as the one it holds under load."),
    ActionInfo(Key.MEASURE_MACHINE, "Measure this machine", Menu.HARDWARE, (), "chip",
               "Measure bandwidths and products of the machine that the studio runs on; takes about a minute."),
    ActionInfo(Key.NEXT_MACHINE, "Next machine", Menu.HARDWARE, ("Ctrl+PgDown",), "",
               "Make the next machine's roof the strong one.", When.SEVERAL_MACHINES, starts_section=True),
    ActionInfo(Key.PREVIOUS_MACHINE, "Previous machine", Menu.HARDWARE, ("Ctrl+PgUp",), "",
               "Make the previous machine's roof the strong one.", When.SEVERAL_MACHINES),
)  # fmt: skip

_OTHERS: Final = (
    ActionInfo(Key.IMPORT, "Import measurements…", Menu.MEASURE, ("Ctrl+I",), "import",
               "Lay a profiler's file over the prediction."),
    ActionInfo(Key.SHOW_MEASURED, "Show measured kernels", Menu.MEASURE, ("Alt+6",), "measure",
               "List the kernels of all imported files."),
    ActionInfo(Key.PAIR, "Pair the kernel…", Menu.MEASURE, ("Ctrl+P",), "",
               "Hold the selected kernel against an entry; suggestions by name and shape.", When.KERNEL_SELECTED,
               starts_section=True),
    ActionInfo(Key.UNPAIR, "Unpair the kernel", Menu.MEASURE, (), "", "Hold the selected kernel against nothing.",
               When.KERNEL_PAIRED),
    ActionInfo(Key.PLUGINS, "Plugins…", Menu.PLUGINS, (), "plug", "What is installed, what it brings, what failed."),
    ActionInfo(Key.SAFE_MODE, "Restart without foreign plugins", Menu.PLUGINS, (), "shield",
               "Start anew with the built-in plugins only."),
    ActionInfo(Key.KEYBOARD, "Keyboard", Menu.HELP, ("F1",), "keyboard", "Every action with its keys."),
    ActionInfo(Key.ABOUT, "About Roofline Studio", Menu.HELP, (), "info", "Version and licence."),
)  # fmt: skip

ACTIONS: Final = (*_FILE, *_EDIT, *_VIEW, *_STUDY, *_HARDWARE, *_OTHERS)
"""All actions, in the order of the menus."""

_BY_KEY: Final = {one.key: one for one in ACTIONS}


def action_info(key: Key | str) -> ActionInfo:
    """Return the row of a key; ``KeyError`` with the nearest key if there is none."""
    try:
        return _BY_KEY[Key(key)]
    except ValueError:
        import difflib

        near = difflib.get_close_matches(str(key), list(Key), n=1)
        hint = f"did you mean {str(near[0])!r}?" if near else "see action_table.Key"
        raise KeyError(f"no action is called {key!r}; {hint}") from None

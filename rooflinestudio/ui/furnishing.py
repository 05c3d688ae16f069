"""What a window holds besides its frame: notices, files, views and commands, around one session."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit

from rooflinestudio.core.profile_edit.folder import profiles_in
from rooflinestudio.core.study_files import SUFFIX
from rooflinestudio.ui.actions import UndoKeysFilter
from rooflinestudio.ui.asking import LaterAsker
from rooflinestudio.ui.file_flow import FileFlow
from rooflinestudio.ui.later_page import LaterPage
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.overlay_import import OverlayImport
from rooflinestudio.ui.pairing.wishes import PairWishes
from rooflinestudio.ui.panel_wishes import PanelWishes
from rooflinestudio.ui.panels import Panels
from rooflinestudio.ui.settings import kernels_folder, profiles_folder
from rooflinestudio.ui.window_commands import Commands
from rooflinestudio.ui.wiring import Wiring
from rooflinestudio.ui.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.plugins.registry import Registry
    from rooflinestudio.plugins.user_plugins import UserPlugins
    from rooflinestudio.ui.asking import Asker
    from rooflinestudio.ui.command_palette import CommandPalette
    from rooflinestudio.ui.frame import Frame
    from rooflinestudio.ui.plugin_dialog import PluginDialog
    from rooflinestudio.ui.session import Session

__all__ = ["Furnishing"]

WAIT_AT_END_MS: Final = 10_000

TAB_TITLES: Final = {
    "fusion": "Fusion bench",
    "budget": "Budget",
    "sweep": "Sweep",
    "serving": "Serving",
    "measured": "Measured",
    "diagnosis": "Diagnosis",
    "machines": "Machines",
}
"""What stands on the tabs, by the names that studies give them."""


class Furnishing(QObject):
    """Puts everything into a window that has been painted, one part after the other.

    Attributes
    ----------
    is_safe
        Whether foreign plugins are off.

    Signals
    -------
    machineAddRequested
        Id of a profile that is to be read and shown.
    """

    machineAddRequested = Signal(str)

    def __init__(
        self, frame: Frame, session: Session, *, asker: Asker | None = None, safe_mode: bool = False
    ) -> None:
        window = frame.window
        super().__init__(window)
        self.window, self.frame, self.session, self.is_safe = window, frame, session, safe_mode
        self.asker: Asker = asker or LaterAsker(window)
        self.notices = NoticeArea()
        frame.centre_column.insertWidget(0, self.notices)
        self.files = FileFlow(session, self.notices, window.settings, self.asker, self)
        self.imports = OverlayImport(session, self.notices, self, safe_mode=safe_mode)
        self.panels = Panels()
        self.panels.make_first()
        frame.top.put_tools(self.panels.machines, self.panels.view_bar)
        frame.docks.palette.setWidget(self.panels.palette)
        frame.docks.outline.setWidget(self.panels.outline)
        self.pair_wishes = PairWishes(self)
        self.wiring = Wiring(self)
        self.wishes = Wishes(self)
        self.panel_wishes = PanelWishes(self)
        self.panel_wishes.connect_view(self.panels.outline)
        self.pair_wishes.connect_view(self.panels.outline)
        self.commands = Commands(self)
        self.imports.shapesFound.connect(self.commands.place_shapes)
        self._command_palette: CommandPalette | None = None
        self._undo_keys = UndoKeysFilter(self)
        window.furnishing = self
        frame.renew_compactness()

    @property
    def command_palette(self) -> CommandPalette:
        """The field that finds actions and operators; made when it is first asked for."""
        if self._command_palette is None:
            from rooflinestudio.ui.command_palette import CommandPalette

            self._command_palette = CommandPalette(self.window, self.commands.palette_items)
            self._command_palette.chosen.connect(self.commands.run)
        return self._command_palette

    def add_canvas(self) -> None:
        """Import the canvas, which takes a while, and put it in place of the blank."""
        self.panels.make_canvas(self.frame.themes.theme)
        canvas = self.panels.canvas
        self.frame.centre_column.replaceWidget(self.frame.blank, canvas)
        self.frame.blank.deleteLater()
        self.wiring.show_all_to(canvas)
        self.wishes.connect_canvas(canvas)
        self.panel_wishes.connect_view(canvas)
        self.pair_wishes.connect_view(canvas)
        if not isinstance(self.window.focusWidget(), QLineEdit):  # nobody has begun to type
            canvas.view.setFocus()

    def add_rest(self) -> None:
        """Add inspector and tables."""
        self.panels.make_rest()
        panels, tabs = self.panels, self.frame.tabs
        self.frame.docks.inspector.setWidget(panels.inspector)
        tabs.add(panels.comparison, "Compare", panels.comparison.corner)
        for name, page in panels.tabs.items():
            if isinstance(page, LaterPage):
                page.made.connect(partial(self._take_view, page))
            if page is not panels.comparison:
                tabs.add(page, TAB_TITLES[name], getattr(page, "corner", None))
        for view in (panels.inspector, panels.comparison, panels.measured):
            self.wiring.show_source_to(view)
            self.wiring.show_all_to(view)
        self.wishes.connect_rest(panels)
        for view in (panels.inspector, panels.comparison, panels.measured):
            self.panel_wishes.connect_view(view)
            self.pair_wishes.connect_view(view)
        self.frame.restore_layout()
        self.wiring.show_front()

    def _take_view(self, page: LaterPage, view: Any) -> None:
        """Take in a view that somebody looks at for the first time."""
        self.panels.take(view)
        if hasattr(view, "corner"):
            self.frame.tabs.set_corner(page, view.corner)
        view.set_theme(self.frame.themes.theme)
        self.wiring.show_source_to(view)
        self.wiring.show_all_to(view)
        self.panel_wishes.connect_view(view)
        self.pair_wishes.connect_view(view)

    def show_plugins(self, host: PluginHost, *, with_kernels: bool = True) -> None:
        """Take over what plugins brought: operators, machines, and what failed.

        Kernels without code, of the study and of the user's folder, are laid over it; the start leaves them for later.
        """
        registry = host.registry.with_user_profiles(profiles_in(profiles_folder()))
        self.wiring.take_registry(self._layered(registry) if with_kernels else registry)
        self.frame.status.show_plugins(host.rows)

    def _layered(self, registry: Registry) -> Any:
        from rooflinestudio.core.custom.kernels import kernels_in
        from rooflinestudio.plugins.layered import LayeredSource

        files = kernels_in(kernels_folder())
        for name, problem in (source := LayeredSource(registry, user=files)).problems.items():
            self.notices.tell("warn", f"The kernel file {name} is not used", problem)
        return source

    def open_plugin_dialog(self, host: PluginHost, files: UserPlugins) -> PluginDialog:
        """Show the list of plugins; it stays open beside the work."""
        from rooflinestudio.ui.plugin_page import show_plugin_page

        return show_plugin_page(self, host, files)

    # Files ------------------------------------------------------------------------------------------------------

    def open_files(self, paths: Iterable[str]) -> None:
        """Open the first study, then lay everything else over it."""
        paths = list(paths)
        studies = [one for one in paths if one.lower().endswith(SUFFIX)]
        others = [one for one in paths if one not in studies]
        if studies:
            self.files.load(studies[0], then=partial(self.imports.start, others))
        elif others:
            self.imports.start(others)

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read or written."""
        return self.files.is_busy or self.imports.is_busy

    def stop_jobs(self) -> None:
        """Stop reading, and let what is being written come to its end."""
        self.files.cancel_reading()
        self.imports.cancel()
        self.files.wait(WAIT_AT_END_MS)

"""One running studio: settings, theme, plugins, session and window, and the order in which they come to life.

The window paints first, with a blank canvas. Everything that costs time comes after that, one stage per turn of the
event loop: built-in plugins, the study with its machines, the canvas with pyqtgraph, foreign plugins, files.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QProcess, Qt, QTimer, Signal

from rooflinestudio.core.errors import PluginError, ProfileError, UnavailableError
from rooflinestudio.core.study import Study, View
from rooflinestudio.core.study_files import SUFFIX
from rooflinestudio.ui.autosave import Autosave, find_left_behind
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore, state_folder, user_plugins
from rooflinestudio.ui.theme import ThemeSwitch, apply_theme, system_theme, theme_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.ui.app import AppOptions
    from rooflinestudio.ui.autosave import LeftBehind
    from rooflinestudio.ui.file_flow import Asker

__all__ = ["NoPlugins", "Studio"]

PAINT_WAIT_MS: Final = 2_000
"""A window that is not painted for so long (minimised at the start) goes on without."""

BUSY_POLL_MS: Final = 20


class NoPlugins:
    """The source of estimates before any plugin is there."""

    def operator(self, id_: str, _plugin: str = "") -> Any:
        raise UnavailableError(f"Operator {id_!r} is not there yet: the plugins are being loaded.")

    origin = operator

    def estimate(self, operator: Any, parameters: Any, dtypes: Any) -> Any:
        raise UnavailableError("The plugins are being loaded.")


class Studio(QObject):
    """Owns everything of one window.

    Signals
    -------
    canvasReady
        The canvas is there, with the study on it.
    ready
        Every plugin is there too.
    """

    canvasReady = Signal()
    ready = Signal()

    def __init__(
        self,
        app: QApplication,
        options: AppOptions,
        *,
        asker: Asker | None = None,
        offers_left_behind: bool = True,
    ) -> None:
        super().__init__()
        self.app = app
        self.options = options
        self.is_ready = False
        self._offers_left_behind = offers_left_behind
        self._offered: tuple[LeftBehind, ...] = ()
        self.settings = SettingsStore()
        self.themes = ThemeSwitch(self._first_theme(), self)
        apply_theme(app, self.themes.theme)
        self.host: PluginHost | None = None
        self.session = Session(NoPlugins(), parent=self)
        self.window = MainWindow(
            self.session, self.settings, self.themes, asker=asker, safe_mode=options.safe_mode
        )
        self.autosave = Autosave(self.session, state_folder() / "autosave", self)
        self._stages: list[Callable[[], None]] = [
            self._load_builtins,
            self._load_study,
            self._open_files,
            self._load_canvas,
            self._load_foreign,
            self._offer_left_behind,
            self._end_start,
        ]
        self.window.painted.connect(self._on_window_painted)
        self.window.pluginsRequested.connect(self.show_plugins)
        self.window.exampleRequested.connect(self.open_example)
        self.window.safeModeRequested.connect(self.restart_safely)
        self.window.machineAddRequested.connect(self.add_machine)
        self.window.closed.connect(self._on_window_closed)

    # Start ------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the window; the rest follows when it is painted."""
        self.window.show()
        QTimer.singleShot(PAINT_WAIT_MS, self, self._on_window_painted)

    def _on_window_painted(self) -> None:
        if self._stages and not self.is_ready:
            self.window.painted.disconnect(self._on_window_painted)
            QTimer.singleShot(0, self, self._run_stage)

    def _run_stage(self) -> None:
        if not self._stages or self.window.is_closing:
            return
        stage = self._stages.pop(0)
        try:
            stage()
        finally:
            QTimer.singleShot(0, self, self._run_stage)

    def _load_builtins(self) -> None:
        from rooflinestudio.plugins.host import PluginHost

        self.host = PluginHost.discover(safe_mode=self.options.safe_mode, user_plugins=user_plugins())
        try:
            self.host.load_builtins()
        except PluginError as error:
            self.window.notices.tell("error", "A built-in plugin is wrong", str(error))
        self.window.show_plugins(self.host)

    def _load_study(self) -> None:
        if self.options.example:
            self.open_example()
        else:
            machine = self._machine(self.settings.settings.last_machine) or self._machine("nvidia-h100-sxm5")
            profiles = {machine.id: machine} if machine is not None else {}
            self.session.open(Study(profiles=profiles, view=View(machines=tuple(profiles))))

    def _load_canvas(self) -> None:
        self.window.load_canvas()
        self.canvasReady.emit()

    def _load_foreign(self) -> None:
        if self.host is not None:
            self.host.load_foreign()
            self.window.show_plugins(self.host)

    def _open_files(self) -> None:
        studies = [one for one in self.options.files if one.lower().endswith(SUFFIX)]
        others = [one for one in self.options.files if one not in studies]
        self.window.open_files((*studies[:1], *others))

    def _end_start(self) -> None:
        self.is_ready = True
        self.ready.emit()
        self._end_smoke_test()

    def _end_smoke_test(self) -> None:
        """Take the picture that was asked for, and close; not before the files are read."""
        if self.options.screenshot is None and not self.options.quit_after_paint:
            return
        if self.window.is_busy:
            QTimer.singleShot(BUSY_POLL_MS, self, self._end_smoke_test)
            return
        if self.options.screenshot is not None:
            self.window.grab().save(str(self.options.screenshot))
        self.window.close_at_once()

    # What outlives a study --------------------------------------------------------------------------------------

    def open_example(self) -> None:
        """Put the example in place of the open study."""
        from rooflinestudio.ui.example import EXAMPLE_MACHINES, example_study

        assert self.host is not None
        profiles = [one for one in map(self._machine, EXAMPLE_MACHINES) if one is not None]
        self.window.files.show(
            example_study(profiles, self.host.registry), then=partial(self.session.select, "gemm-1")
        )

    def add_machine(self, id_: str) -> None:
        """Hold the study against one more machine."""
        profile = self._machine(id_)
        if profile is not None and id_ not in self.session.study.view.machines:
            self.session.add_machine(self.session.study.profiles.get(id_, profile))
            self.session.select_machine(id_)

    def show_plugins(self) -> None:
        """Open the list of plugins."""
        if self.host is not None:
            self.window.open_plugin_dialog(self.host, user_plugins())

    def restart_safely(self) -> None:
        """Close, and start anew without foreign plugins."""
        self.window.files.leave(self._restart_safely)

    def _restart_safely(self) -> None:
        path = self.session.path
        if QProcess.startDetached(
            sys.executable, ["-m", "rooflinestudio", "--safe-mode", *([path] if path else [])]
        ):
            self.window.close_at_once()

    def tell_internal_error(self, short: str, trace: str) -> None:
        """Show an error of our own making; the study stays open."""
        from PySide6.QtGui import QGuiApplication

        banner = self.window.notices.tell(
            "error",
            "Something went wrong inside the studio",
            short,
            "Your study is still here. Saving it is a good idea.",
        )
        if banner.count == 1:
            banner.add_button(
                "Copy details", lambda: QGuiApplication.clipboard().setText(trace), dismisses=False
            )

    def shut_down(self) -> None:
        """Stop everything that still runs."""
        self.window.stop_jobs()

    def _machine(self, id_: str) -> HardwareProfile | None:
        if self.host is None:
            return None
        try:
            return self.host.registry.load_profile(id_)
        except ProfileError as error:
            self.window.notices.tell("error", f"The machine {id_} cannot be used", str(error))
            return None

    def _first_theme(self) -> Any:
        wanted = self.options.theme or self.settings.settings.theme
        return system_theme(self.app) if wanted == "system" else theme_named(wanted)

    # Work that a window left behind -----------------------------------------------------------------------------

    def _offer_left_behind(self) -> None:
        if not self._offers_left_behind:
            return
        self._offered = find_left_behind(self.autosave.path.parent)
        for left in self._offered:
            banner = self.window.notices.tell(
                "warn",
                f"Unsaved edits in {left.name}",
                f"The studio did not end in order. A copy of {left.saved_at:%d %B, %H:%M} is here.",
                stays=True,
            )
            banner.add_button("Restore", partial(self.restore, left))
            banner.add_button("Discard", left.discard)

    def restore(self, left: LeftBehind) -> None:
        """Open what a window left behind; it counts as edited."""
        self.window.files.load(
            str(left.study_path), original=left.original_path, then=partial(self._take_over, left)
        )

    def _take_over(self, left: LeftBehind) -> None:
        """Write a copy of our own before the one left behind goes."""
        self.autosave.written.connect(left.discard, Qt.ConnectionType.SingleShotConnection)
        self.autosave.write()

    def _on_window_closed(self) -> None:
        self.autosave.forget()
        machine = self.session.machine
        if machine:
            self.settings.update(last_machine=machine)
        for left in self._offered:
            left.lock.unlock()

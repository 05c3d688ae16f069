"""One running studio: settings, theme, plugins, session and window, and the order in which they come to life.

The window paints first, as its own plan. Everything that costs time comes after that, one stage per turn of the event
loop: all that stands around the canvas, with the built-in plugins; the canvas with pyqtgraph; inspector and tables;
foreign plugins. The machine of an empty study is read meanwhile in another process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.settings import SettingsStore, state_folder, user_plugins

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.plugins.host import PluginHost
    from rooflinestudio.ui.app import AppOptions
    from rooflinestudio.ui.asking import Asker
    from rooflinestudio.ui.autosave import Autosave
    from rooflinestudio.ui.frame import Frame
    from rooflinestudio.ui.furnishing import Furnishing
    from rooflinestudio.ui.hardware_work import HardwareWork
    from rooflinestudio.ui.opening import Opening
    from rooflinestudio.ui.profile_reader import ProfileReader
    from rooflinestudio.ui.recovery import Recovery
    from rooflinestudio.ui.session import Session
    from rooflinestudio.ui.theme import ThemeSwitch

__all__ = ["Studio"]

PAINT_WAIT_MS: Final = 2_000
"""A window that is not painted for so long (minimised at the start) goes on without."""

BUSY_POLL_MS: Final = 20
STUDY_WAIT_MS: Final = 250
DARK_BELOW: Final = 128


class Studio(QObject):
    """Owns everything of one window.

    Attributes
    ----------
    themes, frame, session, inside, opening, profiles, autosave
        There from the first stages after the first paint on.

    Signals
    -------
    canvasReady
        The canvas is there, and the study with its machines is on it.
    ready
        So is everything else, foreign plugins included.
    """

    canvasReady = Signal()
    ready = Signal()

    themes: ThemeSwitch
    frame: Frame
    session: Session
    inside: Furnishing
    opening: Opening
    profiles: ProfileReader
    autosave: Autosave
    hardware: HardwareWork

    def __init__(
        self,
        app: QApplication,
        options: AppOptions,
        *,
        asker: Asker | None = None,
        offers_left_behind: bool = True,
    ) -> None:
        super().__init__()
        self.app, self.options = app, options
        self.is_ready = False
        self.host: PluginHost | None = None
        self._asker = asker
        self._offers_left_behind = offers_left_behind
        self._recovery: Recovery | None = None
        self.settings = SettingsStore()
        self.window = MainWindow(self.settings, self._first_theme())
        self.window.painted.connect(self._on_window_painted)
        self.window.closed.connect(self._on_window_closed)
        self._stages: list[Callable[[], object]] = [
            self._build,
            self._unveil,
            self._add_canvas,
            self._add_rest,
            self._load_foreign,
            self._offer_left_behind,
            self._end_start,
        ]

    def _first_theme(self) -> str:
        wanted = self.options.theme or self.settings.settings.theme
        if wanted != "system":
            return wanted
        # The desktop says it by its palette; to ask for its colour scheme costs 20 ms of enumerations.
        return "dark" if self.app.palette().window().color().lightness() < DARK_BELOW else "light"

    # Start ------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the window; the rest follows when it is painted."""
        self.window.show()
        QTimer.singleShot(PAINT_WAIT_MS, self, self._begin)

    def _on_window_painted(self) -> None:
        self.window.painted.disconnect(self._on_window_painted)
        QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        if self.window.frame is None:
            self._run_stage()

    def _run_stage(self) -> None:
        if not self._stages or self.window.is_closing:
            return
        stage = self._stages.pop(0)
        try:
            stage()
        finally:  # one that fails is told of; the next ones are tried all the same, but nothing goes without the first
            if self.window.furnishing is not None:
                self._follow()

    def _follow(self) -> None:
        from PySide6.QtCore import Qt

        if self._stages and self._stages[0] == self._add_rest and self.opening.is_waiting:
            # What tells about the canvas comes when there is something on it, but not much later than it could.
            self.canvasReady.connect(self._run_stage, Qt.ConnectionType.SingleShotConnection)
            QTimer.singleShot(STUDY_WAIT_MS, self, self._give_up_waiting)
        else:
            QTimer.singleShot(0, self, self._run_stage)

    def _give_up_waiting(self) -> None:
        if self._stages and self._stages[0] == self._add_rest:
            self.canvasReady.disconnect(self._run_stage)
            self._run_stage()

    def _build(self) -> None:
        """Build everything that stands around the canvas, in one turn: each turn between would cost a paint.

        The plan stays on screen meanwhile: docks take the sizes they are given only when they have been laid out.
        """
        self.window.setUpdatesEnabled(False)
        self._build_frame()
        self._furnish()
        self._load_builtins()

    def _unveil(self) -> None:
        self.frame.restore_layout()
        self.window.setUpdatesEnabled(True)

    def _build_frame(self) -> None:
        from rooflinestudio.ui.frame import Frame
        from rooflinestudio.ui.opening import Opening
        from rooflinestudio.ui.theme import ThemeSwitch, apply_theme, theme_named

        self.opening = Opening(self)
        self.profiles = self.opening.profiles
        self.opening.settled.connect(self._on_opening_settled)
        self.opening.start()
        self.themes = ThemeSwitch(theme_named(self._first_theme()), self)
        apply_theme(self.app, self.themes.theme)
        self.frame = Frame(self.window, self.themes)

    def _furnish(self) -> None:
        from rooflinestudio.ui.furnishing import Furnishing
        from rooflinestudio.ui.no_plugins import NoPlugins
        from rooflinestudio.ui.session import Session

        self.session = Session(NoPlugins(), parent=self)
        self.inside = Furnishing(
            self.frame, self.session, asker=self._asker, safe_mode=self.options.safe_mode
        )
        self.window.pluginsRequested.connect(self.show_plugins)
        self.window.exampleRequested.connect(self.opening.open_example)
        self.window.examplesRequested.connect(self.opening.show_gallery)
        self.window.safeModeRequested.connect(self.restart_safely)
        self.inside.machineAddRequested.connect(self.add_machine)

    def _load_builtins(self) -> None:
        from rooflinestudio.core.errors import PluginError
        from rooflinestudio.plugins.host import PluginHost

        self.host = PluginHost.discover(safe_mode=self.options.safe_mode, user_plugins=user_plugins())
        try:
            self.host.load_builtins()
        except PluginError as error:
            self.inside.notices.tell("error", "A built-in plugin is wrong", str(error))
        self.inside.show_plugins(self.host, with_kernels=False)
        self.inside.open_files(self.options.files)

    def _add_canvas(self) -> None:
        self.inside.add_canvas()
        self._tell_canvas_ready()

    def _add_rest(self) -> None:
        from rooflinestudio.ui.autosave import Autosave

        self.inside.add_rest()
        self.autosave = Autosave(self.session, state_folder() / "autosave", self)

    def _load_foreign(self) -> None:
        if self.host is not None:
            self.host.load_foreign()
            self.inside.show_plugins(self.host)
            self._add_hardware_work()
            self.inside.wiring.mark_without_work()

    def _add_hardware_work(self) -> None:
        from rooflinestudio.ui.hardware_work import HardwareWork

        self.hardware = HardwareWork(self.inside, self.profiles, safe_mode=self.options.safe_mode)
        self.window.hardwareRequested.connect(self.hardware.run)

    def _offer_left_behind(self) -> None:
        from rooflinestudio.ui.recovery import Recovery

        if self._offers_left_behind:
            self._recovery = Recovery(self.inside, self.autosave)
            self._recovery.offer()

    def _end_start(self) -> None:
        self.is_ready = True
        self.ready.emit()
        if self.options.screenshot is not None or self.options.quit_after_paint:
            self._end_smoke_test()

    def _end_smoke_test(self) -> None:
        """Take the picture that was asked for, and close; not before the files are read."""
        if self.inside.is_busy or self.profiles.is_busy:
            QTimer.singleShot(BUSY_POLL_MS, self, self._end_smoke_test)
            return
        if self.options.screenshot is not None:
            self.inside.panels.canvas.view.settle()
            self.window.grab().save(str(self.options.screenshot))
        self.window.close_at_once()

    def _on_opening_settled(self) -> None:
        if self.window.furnishing is not None:
            self._tell_canvas_ready()

    def _tell_canvas_ready(self) -> None:
        if not self.opening.is_waiting and self.inside.panels.has_canvas:
            self.canvasReady.emit()

    # What outlives a study --------------------------------------------------------------------------------------

    def add_machine(self, id_: str) -> None:
        """Hold the study against one more machine."""
        self.profiles.read((id_,), self._add_machine)

    def _add_machine(self, profiles: tuple[HardwareProfile, ...]) -> None:
        (profile,) = profiles
        if profile.id not in self.session.study.view.machines:
            self.session.add_machine(self.session.study.profiles.get(profile.id, profile))

    def show_plugins(self) -> None:
        """Open the list of plugins."""
        if self.host is not None:
            self.inside.open_plugin_dialog(self.host, user_plugins())

    def restart_safely(self) -> None:
        """Close, and start anew without foreign plugins."""
        self.inside.files.leave(self._restart_safely)

    def _restart_safely(self) -> None:
        from rooflinestudio.ui.file_jobs import start_studio

        if start_studio("--safe-mode", *([self.session.path] if self.session.path else [])):
            self.window.close_at_once()

    def shut_down(self) -> None:
        """Stop everything that still runs."""
        if self.window.furnishing is not None:
            self.inside.stop_jobs()
            self.profiles.cancel()
        if hasattr(self, "hardware"):
            self.hardware.stop()

    # End --------------------------------------------------------------------------------------------------------

    def _on_window_closed(self) -> None:
        if self.window.furnishing is None:
            return
        self.profiles.cancel()
        if hasattr(self, "autosave"):
            self.autosave.forget()
        if self.session.machine:
            self.settings.update(last_machine=self.session.machine)
        if self._recovery is not None:
            self._recovery.let_go()

"""The window as a program: one call that starts it, shows it and returns an exit code."""

from __future__ import annotations

import gc
import os
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


__all__ = ["AppOptions", "run"]

EXIT_NO_WINDOW: Final = 2


@dataclass(frozen=True, slots=True)
class AppOptions:
    """What the command line asked for.

    Attributes
    ----------
    files
        A study to open; everything else is laid over it as measurements.
    example
        An example to open: its id in the gallery, or an empty text for the tour; None for none.
    safe_mode
        Leave all foreign plugins off.
    theme
        ``light``, ``dark``, or None for what was used last.
    screenshot
        Write a picture of the window to this file when everything is there, and close.
    quit_after_paint
        Close as soon as everything is there: a smoke test.
    """

    files: tuple[str, ...] = ()
    example: str | None = None
    safe_mode: bool = False
    theme: str | None = None
    screenshot: str | Path | None = None
    quit_after_paint: bool = False


def run(options: AppOptions) -> int:
    """Show the window until it is closed.

    Returns
    -------
    int
        0 when it was closed; 2 when it could not be opened, with one sentence on stderr that says why.
    """
    try:
        app = _application()
    except ImportError as error:
        print(
            f"The window cannot be opened: a part of Qt is missing ({error}). See the README.",
            file=sys.stderr,
        )
        return EXIT_NO_WINDOW
    from rooflinestudio.ui.internal_errors import install_excepthook
    from rooflinestudio.ui.studio import Studio

    studio = Studio(app, options)
    studio.ready.connect(_collect_garbage_again)
    install_excepthook(studio)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Qt's loop would not let Python see Ctrl+C in the terminal
    studio.show()
    code = app.exec()
    studio.shut_down()
    return code


def _collect_garbage_again() -> None:
    """Look for garbage from now on, but not among what start-up has made: that stays."""
    gc.freeze()
    gc.enable()


def _application() -> QApplication:
    """Return the application; where Qt finds no screen the process ends here, with a sentence."""
    # What start-up makes stays: looking through it for garbage again and again costs a tenth of the time.
    gc.disable()
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QApplication

    early: list[str] = []  # what Qt says before it has its screen; after a fatal message nobody needs it
    has_screen = False

    def on_message(kind: QtMsgType, _context: Any, text: str) -> None:
        # Without a screen Qt aborts the process after this message; it does not raise.
        if kind == QtMsgType.QtFatalMsg:
            print(f"The window cannot be opened: {no_screen_text(text)}", file=sys.stderr, flush=True)
            os._exit(EXIT_NO_WINDOW)
        if "propagateSizeHints" in text:  # the offscreen platform says this of every window
            return
        if has_screen:
            print(text, file=sys.stderr)
        else:
            early.append(text)

    qInstallMessageHandler(on_message)
    QGuiApplication.setApplicationName("rooflinestudio")
    QGuiApplication.setApplicationDisplayName("Roofline Studio")
    QGuiApplication.setDesktopFileName("rooflinestudio")
    app = QApplication(sys.argv[:1])
    has_screen = True
    for text in early:
        print(text, file=sys.stderr)
    return app


def no_screen_text(qt_text: str) -> str:
    """Say in one sentence why Qt found no screen, and what to do."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform:
        return (
            f"Qt cannot use the platform QT_QPA_PLATFORM={platform!r}; unset it, or name one that is there."
        )
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return (
            "there is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set); "
            "'rooflinestudio render --example --out out/' draws without one."
        )
    first = qt_text.strip().splitlines()[0] if qt_text.strip() else "no reason given"
    return (
        f"Qt cannot reach the screen DISPLAY={os.environ.get('DISPLAY', '')!r}, or a library of its window system is "
        f"missing (on Debian: libxcb-cursor0 and its kin, see the README). Qt says: {first}"
    )

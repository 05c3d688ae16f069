"""Errors of our own making: told in a notice, while the study stays open."""

from __future__ import annotations

import sys
import traceback
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from rooflinestudio.ui.studio import Studio

__all__ = ["install_excepthook", "tell_internal_error"]


def install_excepthook(studio: Studio) -> None:
    """Tell of unexpected errors in a notice and go on; the trace goes to stderr as usual."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.__excepthook__(kind, error, trace)
        if not issubclass(kind, KeyboardInterrupt):
            text = "".join(traceback.format_exception(kind, error, trace))
            tell_internal_error(studio, f"{kind.__name__}: {error}", text)

    sys.excepthook = hook


def tell_internal_error(studio: Studio, short: str, trace: str) -> None:
    """Show an error; its trace can be copied."""
    inside = studio.window.furnishing
    if inside is None:
        return
    banner = inside.notices.tell(
        "error",
        "Something went wrong inside the studio",
        short,
        "Your study is still here. Saving it is a good idea.",
    )
    if banner.count == 1:
        banner.add_button("Copy details", partial(_copy, trace), dismisses=False)


def _copy(text: str) -> None:
    from PySide6.QtGui import QGuiApplication

    QGuiApplication.clipboard().setText(text)

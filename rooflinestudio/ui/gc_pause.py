"""No garbage collection while Qt walks through all widgets."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["gc_paused"]


@contextmanager
def gc_paused() -> Iterator[None]:
    """Keep Python from deleting widgets by chance.

    To set an application's style sheet Qt makes a list of all widgets and polishes them one by one, which runs Python
    code. If the collector starts there and finds a widget that nobody needs any more, that list has a dead entry, and
    the process ends with a segmentation fault in ``QWidget::style()``.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

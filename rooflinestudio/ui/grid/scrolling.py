"""What a scroll bar must know of a picture that its widget paints itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtWidgets import QScrollBar

__all__ = ["reveal", "span"]

_STEP_PX: Final = 24


def span(bar: QScrollBar, whole_px: float, page_px: float) -> None:
    """Let a bar scroll over so many pixels, of which a page is seen."""
    bar.setPageStep(max(1, round(page_px)))
    bar.setSingleStep(_STEP_PX)
    bar.setRange(0, max(0, round(whole_px - page_px)))


def reveal(bar: QScrollBar, start_px: float, size_px: float) -> None:
    """Scroll until a stretch is seen, its beginning rather than its end."""
    page = bar.pageStep()
    if start_px < bar.value():
        bar.setValue(int(start_px))
    elif start_px + size_px > bar.value() + page:
        bar.setValue(int(min(start_px, start_px + size_px - page)) + 1)

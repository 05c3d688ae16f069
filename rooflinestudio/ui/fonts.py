"""The one place that makes fonts: families by fallback, size, weight, numerals that align, no hinting.

The style sheet holds no font rule: it would silently win over what is set here.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from PySide6.QtGui import QFont

__all__ = ["FONT_ROLES", "MONO_FAMILIES", "SANS_FAMILIES", "font"]

SANS_FAMILIES: Final = (
    "Inter",
    "SF Pro Text",
    "Segoe UI Variable Text",
    "Segoe UI",
    "Noto Sans",
    "DejaVu Sans",
)
MONO_FAMILIES: Final = ("JetBrains Mono", "SF Mono", "Cascadia Mono", "Consolas", "DejaVu Sans Mono")


class _Face(NamedTuple):
    pixels: int
    weight: QFont.Weight = QFont.Weight.Normal
    mono: bool = False


_NORMAL, _MEDIUM, _SEMIBOLD = QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.DemiBold

FONT_ROLES: Final = {
    "caption": _Face(11),
    "axis": _Face(11),
    "unit": _Face(11),
    "table_head": _Face(11),
    "chip": _Face(11, _MEDIUM),
    "table": _Face(12),
    "label": _Face(12),
    "entry": _Face(12),
    "tab": _Face(12),
    "name": _Face(12, _MEDIUM),
    "body": _Face(13),
    "body_strong": _Face(13, _MEDIUM),
    "tree": _Face(13),
    "button": _Face(13),
    "menu": _Face(13),
    "dock_head": _Face(12, _SEMIBOLD),
    "section": _Face(12, _SEMIBOLD),
    "verdict": _Face(12, _SEMIBOLD),
    "readout": _Face(19, _SEMIBOLD),
    "bench_readout": _Face(20, _SEMIBOLD),
    "placement": _Face(12, _SEMIBOLD),
    "placement_detail": _Face(11),
    "canvas_strong": _Face(11, _SEMIBOLD),
    "title": _Face(15, _SEMIBOLD),
    "canvas_title": _Face(14, _SEMIBOLD),
    "mono": _Face(12, _NORMAL, mono=True),
    "mono_small": _Face(11, _NORMAL, mono=True),
}
"""What text is for; sizes in pixels of a 96 dpi screen."""


@cache
def font(role: str) -> QFont:
    """Return the font for a role of :data:`FONT_ROLES`. Treat it as read-only: all callers share it.

    Digits have equal widths (``tnum``). Contextual alternates are off, else Inter turns ``4096x4096`` into signs.
    """
    try:
        face = FONT_ROLES[role]
    except KeyError:
        raise KeyError(f"no font role is called {role!r}; there are {', '.join(FONT_ROLES)}") from None
    made = QFont()
    made.setFamilies(list(MONO_FAMILIES if face.mono else SANS_FAMILIES))
    made.setPixelSize(face.pixels)
    made.setWeight(face.weight)
    made.setFeature(QFont.Tag("tnum"), 1)
    made.setFeature(QFont.Tag("calt"), 0)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made

"""Colours by meaning, in a light and a dark column. Views name tokens, never a colour."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BACKGROUNDS", "BOUND_KINDS", "COLOURS", "SLOT_COLOURS", "colours_of"]

# token: (light, dark)
_SEMANTIC: Final = {
    "window": ("#F3F4F6", "#15171C"),  # menu, toolbar, dock heads, status bar
    "surface": ("#FFFFFF", "#1B1E24"),  # docks, tables, entries
    "canvas": ("#FFFFFF", "#181B20"),  # plots
    "raised": ("#F9FAFB", "#22262E"),  # formula well, margin strip, tool tips
    "sunken": ("#E9EBEF", "#111317"),  # segmented control, bar track, neutral chip
    "border": ("#DADDE3", "#2E333D"),  # hairlines, grid
    "border_strong": ("#8A919D", "#6C7481"),  # outline that carries meaning, axis line
    "text": ("#1A1D23", "#E7E9ED"),
    "text2": ("#444B57", "#B9BFC9"),
    "muted": ("#5D6571", "#929AA7"),
    "disabled": ("#9AA1AC", "#5F6774"),
    "accent": ("#2B5BD7", "#3D6CE3"),  # primary button, focus ring, slider, tab line, selection ring
    "on_accent": ("#FFFFFF", "#FFFFFF"),
    "accent_text": ("#2450C4", "#8FB0FF"),  # links, plugin badge
    "accent_soft": ("#E4EBFB", "#1F2B4A"),  # selected row, verdict
    "ok": ("#1A7742", "#5CC98B"),
    "ok_soft": ("#E2F3E8", "#16321F"),
    "warn": ("#8A5A00", "#E5B454"),
    "warn_soft": ("#FCF1D6", "#352A12"),
    "error": ("#B3261E", "#F2857C"),
    "error_soft": ("#FBE6E4", "#3C1E1C"),
    # One hue per kind of bound: text, soft background, fill of large bars.
    "compute": ("#006C9A", "#45C0FF"),
    "compute_soft": ("#E1F0F6", "#16303C"),
    "compute_fill": ("#006C9A", "#21719A"),
    "memory": ("#9B4805", "#F5AC69"),
    "memory_soft": ("#FBEBDD", "#3A2815"),
    "memory_fill": ("#9B4805", "#A4602A"),
    "latency": ("#741A6E", "#C48FBF"),
    "latency_soft": ("#F6E6F4", "#38253A"),
    "latency_fill": ("#741A6E", "#8A4F86"),
    "launch": ("#5D646F", "#BFC3C9"),
    "launch_soft": ("#E9EBEF", "#2A2F38"),
    "launch_fill": ("#5D646F", "#646C79"),
}

BOUND_KINDS: Final = ("compute", "memory", "latency", "launch")

BACKGROUNDS: Final = ("window", "surface", "canvas", "raised", "sunken")
"""What text stands on."""

SLOT_COLOURS: Final = {
    "light": ("#2056D1", "#F16609", "#00817E", "#C43074", "#A88F5F", "#511B89", "#3E9ECA", "#295A2C"),
    "dark": ("#7AA4FE", "#F4762B", "#1DD1AB", "#EA83BF", "#F4CC64", "#966BD7", "#AAE2FF", "#73A46B"),
}
"""Placements take these in the order of placing. A study stores the number, so that a theme change keeps identity."""


def colours_of(name: str) -> Mapping[str, str]:
    """Return all colours of one theme by token; the slots are called ``c1`` to ``c8``."""
    column = {"light": 0, "dark": 1}[name]
    slots = {f"c{number}": colour for number, colour in enumerate(SLOT_COLOURS[name], start=1)}
    return MappingProxyType({token: pair[column] for token, pair in _SEMANTIC.items()} | slots)


COLOURS: Final = MappingProxyType({name: colours_of(name) for name in ("light", "dark")})

"""Edits that an import makes: an overlay more, or one exchanged for the same file read in another way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.study import Pair, Study

__all__ = ["with_overlay", "with_overlay_exchanged"]


def with_overlay(study: Study, overlay: Overlay) -> Study:
    """Return the study with an overlay more."""
    return replace(study, overlays=(*study.overlays, overlay))


def with_overlay_exchanged(study: Study, digest: str, overlay: Overlay) -> Study:
    """Return the study with the overlay of a digest exchanged; it is put at the end where that one is gone.

    Pairs go with it as far as their launch still has their kernel; what panels remember by digest goes with it too.
    """
    if not any(one.digest == digest for one in study.overlays):
        return with_overlay(study, overlay)
    overlays = tuple(overlay if one.digest == digest else one for one in study.overlays)
    pairs = tuple(
        replace(one, overlay=overlay.digest) if one.overlay == digest else one
        for one in study.pairs
        if one.overlay != digest or _still_there(one, overlay)
    )
    panels = {name: _renamed(panel, digest, overlay.digest) for name, panel in study.panels.items()}
    return replace(study, overlays=overlays, pairs=pairs, panels=panels)


def _still_there(pair: Pair, overlay: Overlay) -> bool:
    if not 0 <= pair.launch < len(overlay):
        return False
    kernel = overlay.measurement(pair.launch)
    return kernel.launch == pair.launch and kernel.kernel_key == pair.kernel


def _renamed(value: Any, digest: str, other: str) -> Any:
    """Return plain data of a panel with a digest exchanged where it stands as key or as text."""
    if isinstance(value, dict):
        return {(other if key == digest else key): _renamed(one, digest, other) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_renamed(one, digest, other) for one in value)
    return other if value == digest else value

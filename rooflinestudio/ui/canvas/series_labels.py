"""The words along arrows from one measured file to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.ui.canvas.label_text import LONGEST_COMPACT, ON_ARROW, LabelText
from rooflinestudio.ui.canvas.paint_arrows import arrow_middle
from rooflinestudio.ui.canvas.paint_series import has_marker, is_apart, shown_series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.ui.canvas.coordinates import Frame
    from rooflinestudio.ui.canvas.scene import Scene
    from rooflinestudio.ui.canvas.text import Text

__all__ = ["series_labels"]


def series_labels(scene: Scene, text: Text, frame: Frame, *, compact: bool) -> Iterator[LabelText]:
    """Yield the ratios along arrows from one file to the next; among many kernels with the name besides."""
    for arrow in shown_series(scene):
        if not arrow.label or not is_apart(frame, arrow):
            continue
        lines: tuple[tuple[str, str, str], ...] = (
            (arrow.short_label if compact else arrow.label, "label", "text2"),
        )
        if not has_marker(scene, arrow):
            name = text.elided(arrow.name, "placement_detail", LONGEST_COMPACT, middle=True)
            lines += ((name, "placement_detail", "muted"),)
        yield LabelText(
            ("series", arrow.key), arrow_middle(frame, arrow), lines, ON_ARROW, arrow.slots[1],
            arrow.touches(scene.selected),
        )  # fmt: skip

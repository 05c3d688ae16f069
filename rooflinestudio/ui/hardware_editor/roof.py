"""The live roof: the machine by the figures in use, solid, and by the published ones, dashed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from rooflinestudio.core.profile_edit.facts import ridge_words, stated_profile
from rooflinestudio.ui.canvas.coordinates import Box, log10
from rooflinestudio.ui.canvas.layout import Layout
from rooflinestudio.ui.canvas.paint_ground import paint_ground
from rooflinestudio.ui.canvas.painter import canvas_of, laid_out
from rooflinestudio.ui.canvas.scene import Roof, Scene
from rooflinestudio.ui.canvas.scene_roofs import boundary_in_view, ceilings_of, home_range, slopes_of
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.icons import worn_theme

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.ui.canvas.painter import Picture

__all__ = ["ProfileRoof", "RoofPreview", "preview_of"]

_TICKS_PX, _TOP_PX, _RIGHT_PX, _BOTTOM_PX = 80.0, 10.0, 10.0, 36.0
_NEAR: Final = ("l2", "l3", "dram")


@dataclass(frozen=True, slots=True)
class RoofPreview:
    """What the preview shows: a scene without words, and the ridge in words."""

    scene: Scene
    ridge: str


def preview_of(profile: HardwareProfile) -> RoofPreview:
    """Return roofs, quiet ceilings and slopes of a machine at its memory."""
    boundary = boundary_in_view(profile, None)
    stated = stated_profile(profile)
    roofs = [_roof(profile, boundary, strong=True)]
    if stated is not profile and _differ(stated, profile, boundary):
        roofs.insert(0, _roof(stated, boundary, strong=False))
    slopes = (one for one in slopes_of(profile, boundary, None) if one.boundary in _NEAR)
    near = tuple(replace(one, modelled=False) for one in slopes)  # dashes say "published" here
    range_ = home_range((profile, stated), boundary)
    scene = Scene(
        title="Live roof",
        x_title="",
        machine=profile.id,
        home_range=range_,
        fit_range=range_,
        roofs=tuple(roofs),
        ceilings=ceilings_of(profile, boundary, None),
        slopes=near,
    )
    return RoofPreview(scene, ridge_words(profile, boundary))


def _differ(first: HardwareProfile, second: HardwareProfile, boundary: str) -> bool:
    return (
        first.ceiling(first.reference_ceiling).flop_per_s
        != second.ceiling(second.reference_ceiling).flop_per_s
        or first.boundaries[boundary].bytes_per_s != second.boundaries[boundary].bytes_per_s
    )


def _roof(profile: HardwareProfile, boundary: str, *, strong: bool) -> Roof:
    return Roof(
        profile.id,
        profile.short_name,
        strong=strong,
        order=0 if strong else 1,
        log_bytes_per_s=log10(profile.boundaries[boundary].bytes_per_s),
        log_flop_per_s=log10(profile.ceiling(profile.reference_ceiling).flop_per_s),
        slope_label="",
        ceiling_label="",
        ridge_label="",
        other_figures=not strong,
    )


class ProfileRoof(QWidget):
    """Draws a preview with the canvas' own painter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview: RoofPreview | None = None
        self._picture: Picture | None = None
        self._text = Text()
        self.setObjectName("hardware_editor.roof")
        self.setMinimumSize(200, 180)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setSizePolicy(policy)

    @property
    def preview(self) -> RoofPreview | None:
        """What is shown."""
        return self._preview

    def set_profile(self, profile: HardwareProfile | None) -> None:
        """Show the roof of a machine."""
        preview = None if profile is None else preview_of(profile)
        if preview == self._preview:
            return
        self._preview, self._picture = preview, None
        self.setAccessibleName("No roof" if preview is None else f"Live roof, {preview.ridge}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(290, 288)

    def resizeEvent(self, event: object) -> None:
        self._picture = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._preview is None:
            return
        if self._picture is None:
            self._picture = self._laid_out(self._preview.scene)
        painter = QPainter(self)
        canvas = canvas_of(painter, self._picture, worn_theme(), self._text)
        paint_ground(canvas)
        self._paint_ridge(canvas)
        painter.end()

    def _laid_out(self, scene: Scene) -> Picture:
        width, height = float(self.width()), float(self.height())
        plot = Box(_TICKS_PX, _TOP_PX, max(_TICKS_PX + 40, width - _RIGHT_PX), max(60.0, height - _BOTTOM_PX))
        strip = Box(plot.left, plot.top, plot.left, plot.bottom)
        return laid_out(
            scene, Layout(Box(0.0, 0.0, width, height), None, plot, strip, None), scene.home_range, self._text
        )

    def _paint_ridge(self, canvas: object) -> None:
        assert self._picture is not None and self._preview is not None
        strong = self._preview.scene.strong_roof
        if strong is None:
            return
        words, frame = self._preview.ridge, self._picture.frame
        width, height = self._text.width(words, "canvas_strong"), self._text.height("canvas_strong")
        tops = [roof.log_flop_per_s for roof in self._preview.scene.roofs]
        x = min(frame.x(strong.log_ridge) - 6, frame.plot.right - width - 2)
        y = max(frame.plot.top + 1, frame.y(max(tops)) - height - 6)
        canvas.words((max(frame.plot.left + 2, x), y), words, "canvas_strong", "text")  # type: ignore[attr-defined]

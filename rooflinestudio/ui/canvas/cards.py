"""The cards that stand on the canvas: the invitation of an empty study, and what the probe reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.ui.canvas.card_places import width_under_roof
from rooflinestudio.ui.canvas.coordinates import Box
from rooflinestudio.ui.canvas.empty_card import MARGIN, SHARE, WIDEST, EmptyCard

if TYPE_CHECKING:
    from rooflinestudio.ui.canvas.scene import EmptyState
    from rooflinestudio.ui.canvas.view import CanvasView

__all__ = ["Cards"]

LEAST_WIDTH = 250
_ABOVE_AXIS = 30
"""Pixels that the invitation stands above the axis."""


class Cards:
    """Makes, places and removes the cards of a view."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._invitation: EmptyCard | None = None

    def show_invitation(self, state: EmptyState | None) -> None:
        """Show the invitation of a scene, or none."""
        if state is None:
            if self._invitation is not None:
                self._invitation.hide()
                self._invitation.deleteLater()
                self._invitation = None
        elif self._invitation is None:
            self._invitation = EmptyCard(state, self._view.viewport())
            self._invitation.show()
            self.place()

    def place(self) -> None:
        """Place all cards anew: size, range or machines have changed, or a card has come or gone.

        The probe needs no operator, so the invitation makes room for it.
        """
        self._view.probe.place_card()
        if self._invitation is not None and self._view.probe.card is not None:
            self._invitation.hide()
        elif self._invitation is not None:
            self._place_invitation(self._invitation)

    def _place_invitation(self, card: EmptyCard) -> None:
        picture = self._view.picture
        plot = picture.frame.plot
        liked = int(min(WIDEST, plot.width * SHARE))
        width = width_under_roof(
            picture.frame,
            picture.scene.strong_roof,
            (plot.right - MARGIN, plot.bottom - _ABOVE_AXIS),
            card.heightForWidth,
            (liked, min(liked, LEAST_WIDTH)),
        )
        # The card takes a share of the room that it is given.
        card.place(Box(plot.right - width / SHARE - 0.5, plot.top, plot.right, plot.bottom))

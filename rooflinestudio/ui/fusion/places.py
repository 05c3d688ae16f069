"""Where cards, joints and heads of kernels lie on the bench, without Qt's painting: pixels from a width and a chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from PySide6.QtCore import QRectF

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["COMPACT", "TALL", "Place", "Places", "Sizes", "places_of"]


class Place(NamedTuple):
    """One thing on the bench that has the focus or was hit: a card or a joint, by its number."""

    kind: Literal["card", "joint"]
    index: int  # type: ignore[assignment]  # a tuple has a method of this name, which nobody needs here


@dataclass(frozen=True, slots=True)
class Sizes:
    """Pixels of one density."""

    head: float
    card: float
    least: float
    most: float
    joint: float
    padding: float

    @property
    def height(self) -> float:
        """Height of the whole row."""
        return self.head + self.card + self.padding


TALL: Final = Sizes(head=34, card=132, least=124, most=184, joint=92, padding=14)
COMPACT: Final = Sizes(head=23, card=60, least=104, most=150, joint=84, padding=5)


@dataclass(frozen=True, slots=True)
class Places:
    """Rectangles of one chain: cards, joints, and the space over each kernel."""

    sizes: Sizes
    cards: tuple[QRectF, ...]
    joints: tuple[QRectF, ...]
    heads: tuple[QRectF, ...]
    width: float

    def at(self, x: float, y: float) -> Place | None:
        """Return what lies under a point; joints reach over the whole gap between two cards."""
        for kind, rects in (("card", self.cards), ("joint", self.joints)):
            for index, rect in enumerate(rects):
                if rect.contains(x, y):
                    return Place(kind, index)  # type: ignore[arg-type]
        return None

    def rect(self, place: Place) -> QRectF:
        """Return where a card or a joint lies."""
        return (self.cards if place.kind == "card" else self.joints)[place.index]

    def gap_at(self, x: float) -> int:
        """Return before which card something is put that is let go at a place; the number of cards: the end."""
        return next((at for at, card in enumerate(self.cards) if x < card.center().x()), len(self.cards))

    def gap_x(self, gap: int) -> float:
        """Return where the mark of a gap is drawn."""
        if gap == 0:
            return max(2.0, self.cards[0].left() - self.sizes.padding / 2)
        if gap >= len(self.cards):
            return min(self.width - 2.0, self.cards[-1].right() + self.sizes.padding / 2)
        return self.joints[gap - 1].center().x()


def _head(steps: range, lefts: list[float], card: float, sizes: Sizes) -> QRectF:
    """Return the space over a kernel; over a single card that of the boundary behind it, too."""
    right = lefts[steps.stop - 1] + card
    if len(steps) == 1 and steps.stop < len(lefts):
        right += sizes.joint - 12
    return QRectF(lefts[steps.start], 0.0, right - lefts[steps.start], sizes.head)


def places_of(kernels: Sequence[range], width: float, sizes: Sizes) -> Places:
    """Lay a chain out: cards as wide as there is room for, and no narrower than they can be read."""
    count = max((steps.stop for steps in kernels), default=0)
    side = sizes.padding
    room = width - 2 * side - (count - 1) * sizes.joint
    card = min(sizes.most, max(sizes.least, room / count)) if count else 0.0
    lefts = [side + at * (card + sizes.joint) for at in range(count)]
    cards = tuple(QRectF(left, sizes.head, card, sizes.card) for left in lefts)
    joints = tuple(QRectF(left + card, sizes.head, sizes.joint, sizes.card) for left in lefts[:-1])
    heads = tuple(_head(steps, lefts, card, sizes) for steps in kernels)
    return Places(sizes, cards, joints, heads, lefts[-1] + card + side if lefts else 2 * side)

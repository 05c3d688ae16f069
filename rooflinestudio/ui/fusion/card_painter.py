"""Paints the bench's row: cards, joints, heads of kernels, and the mark where something is put in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from rooflinestudio.core.bench_words import joint_lines, kernel_head
from rooflinestudio.core.quantities import format_number
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.fusion.places import COMPACT, Place
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import (
    CHIP_PX,
    chip_width,
    elided,
    metrics,
    paint_bound_chip,
    paint_focus_ring,
    paint_text,
)

if TYPE_CHECKING:
    from rooflinestudio.core.bench import Bench, BenchCard, BenchJoint
    from rooflinestudio.core.bench_words import KernelHead
    from rooflinestudio.ui.fusion.places import Places

__all__ = ["paint_row"]

_RADIUS: Final = 8.0
_PAD: Final = 12.0
_COMPACT_PAD: Final = 8.0
_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_CENTRE: Final = Qt.AlignmentFlag.AlignHCenter


def paint_row(
    painter: QPainter, bench: Bench, places: Places, *, focused: Place | None, hovered: Place | None
) -> None:
    """Paint everything but the mark of what is being put in."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for kernel, rect in zip(bench.kernels, places.heads, strict=True):
        _head(painter, kernel_head(kernel), rect)
    for card, rect in zip(bench.cards, places.cards, strict=True):
        _card(painter, card, rect, compact=places.sizes is COMPACT, hovered=hovered == ("card", card.index))
    for joint, rect in zip(bench.joints, places.joints, strict=True):
        _joint(painter, joint, rect, hovered=hovered == ("joint", joint.index))
    if focused is not None:
        rect = places.rect(focused)
        if focused.kind == "joint":
            rect = _box(rect).adjusted(-2, -2, 2, 2)
        paint_focus_ring(painter, rect.adjusted(-2, -2, 2, 2), _RADIUS + 1)


# Heads --------------------------------------------------------------------------------------------------------------


def _head(painter: QPainter, head: KernelHead, rect: QRectF) -> None:
    """Write name, figures and bound from the left; what has no room is left out, the tensors first."""
    line = rect.adjusted(2, 2, 0, -4)
    right = line.right()
    kept_px = metrics("name").horizontalAdvance(head.name) + metrics("label").horizontalAdvance(head.time)
    chip = _chip_words(head, line.width() - kept_px - 24)
    if chip:
        width = chip_width(chip, glyph=True)
        top = line.center().y() - CHIP_PX / 2
        paint_bound_chip(painter, QRectF(right - width, top, width, CHIP_PX), head.bound, chip)
        right -= width + 10
    left = line.left()
    pieces = [(head.name, "name", "text"), *((one, "label", "text2") for one in _figures(head))]
    room = right - left
    kept = _fitting(pieces, room)
    for text, role, token in kept:
        width = metrics(role).horizontalAdvance(text)
        paint_text(painter, QRectF(left, line.top(), width + 2, line.height()), text, role, ink(token))
        left += width + 12


def _figures(head: KernelHead) -> list[str]:
    return [one for one in (head.tensors, head.traffic, head.time) if one]


def _chip_words(head: KernelHead, room: float) -> str:
    """Return the longest words of the bound that fit, or nothing."""
    return next(
        (one for one in (head.bound_words, head.bound) if one and chip_width(one, glyph=True) <= room), ""
    )


def _fitting(pieces: list[tuple[str, str, str]], room: float) -> list[tuple[str, str, str]]:
    """Return the pieces that have room: the name always, then time, traffic, tensors."""
    kept = list(pieces)
    while len(kept) > 1:
        width = sum(metrics(role).horizontalAdvance(text) + 12 for text, role, _ in kept) - 12
        if width <= room:
            break
        kept.pop(1)
    return kept


# Cards --------------------------------------------------------------------------------------------------------------


def _card(painter: QPainter, card: BenchCard, rect: QRectF, *, compact: bool, hovered: bool) -> None:
    edge = "error" if card.fault else "border_strong" if hovered else "border"
    painter.setPen(QPen(ink(edge), 1.4 if card.fault else 1.0))
    painter.setBrush(ink("surface"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
    if compact:
        _compact_words(painter, card, rect.adjusted(_COMPACT_PAD, 5, -_COMPACT_PAD, -5))
    else:
        _words(painter, card, rect.adjusted(_PAD, 9, -_PAD, -6))


def _compact_words(painter: QPainter, card: BenchCard, rect: QRectF) -> None:
    """Write the operator, as it is written where that says more than its name, and its figures below."""
    plain = card.notation == card.operator
    first = QRectF(rect.left(), rect.top(), rect.width(), 17)
    text, role = (card.title, "name") if plain else (card.notation, "mono_small")
    paint_text(painter, first, text, role, ink("text"))
    below = QRectF(rect.left(), first.bottom() + 1, rect.width(), rect.bottom() - first.bottom() - 1)
    if card.fault:
        _fault(painter, card.fault, below)
        return
    passes = f"{_figure(card.reads)} in, {_figure(card.writes)} out"
    for at, text in enumerate((f"{_figure(card.flop_per_element)} FLOP/elt", passes)):
        line = QRectF(below.left(), below.top() + 16 * at, below.width(), 16)
        paint_text(painter, line, text, "caption", ink("text2"))


def _words(painter: QPainter, card: BenchCard, rect: QRectF) -> None:
    paint_text(
        painter, QRectF(rect.left(), rect.top(), rect.width(), 18), card.title, "body_strong", ink("text")
    )
    notation = QRectF(rect.left(), rect.top() + 20, rect.width(), 16)
    paint_text(painter, notation, card.notation, "mono_small", ink("text2"))
    if card.fault:
        top = notation.bottom() + 3
        _fault(painter, card.fault, QRectF(rect.left(), top, rect.width(), rect.bottom() - top))
    else:
        _rows(painter, card, QRectF(rect.left(), notation.bottom() + 6, rect.width(), 66))


def _fault(painter: QPainter, fault: str, rect: QRectF) -> None:
    painter.setFont(font("caption"))
    painter.setPen(ink("error"))
    height = metrics("caption").lineSpacing()
    lines = max(1, int(rect.height() // height))
    # Lines break at words, so that each holds a little less than its width; the tool tip has the rest.
    words = elided(fault, "caption", rect.width() * (0.85 * (lines - 1) + 0.5))
    area = QRectF(rect.left(), rect.top(), rect.width(), lines * height)
    painter.drawText(
        area, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, words
    )


def _figure(value: float | None) -> str:
    """Return a count as it is, and anything else with three digits."""
    if value is None:
        return "–"
    return f"{value:,.0f}".replace(",", "\u202f") if float(value).is_integer() else format_number(value)


def _rows(painter: QPainter, card: BenchCard, rect: QRectF) -> None:
    painter.setPen(QPen(ink("border"), 1.0))
    y = round(rect.top()) + 0.5
    painter.drawLine(QLineF(rect.left(), y, rect.right(), y))
    rows = (("FLOP / elt", card.flop_per_element), ("reads", card.reads), ("writes", card.writes))
    for at, (name, value) in enumerate(rows):
        line = QRectF(rect.left(), rect.top() + 5 + 20 * at, rect.width(), 19)
        paint_text(painter, line, name, "label", ink("text2"))
        paint_text(painter, line, _figure(value), "name", ink("text"), _RIGHT)


# Joints -------------------------------------------------------------------------------------------------------------


def _box(rect: QRectF) -> QRectF:
    """Return the box with the tensor in the middle of a joint."""
    height = min(60.0, rect.height() - 8)
    return QRectF(rect.left() + 4, rect.center().y() - height / 2, rect.width() - 8, height)


def _joint(painter: QPainter, joint: BenchJoint, rect: QRectF, *, hovered: bool) -> None:
    if joint.is_cut:
        _wall(painter, joint, rect, hovered=hovered)
    else:
        _fused(painter, joint, rect, hovered=hovered)


def _wall(painter: QPainter, joint: BenchJoint, rect: QRectF, *, hovered: bool) -> None:
    """Draw a standing kernel boundary: a wall in the colour of memory with the tensor in it."""
    box = _box(rect)
    x = rect.center().x()
    painter.setPen(QPen(ink("memory"), 2.4))
    painter.drawLine(QLineF(x, rect.top(), x, box.top()))
    painter.drawLine(QLineF(x, box.bottom(), x, rect.bottom()))
    painter.setPen(QPen(ink("memory"), 1.8 if hovered else 1.2))
    painter.setBrush(ink("memory_soft"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0)
    name, size, how = joint_lines(joint)
    line = box.height() / 3
    for at, (text, role) in enumerate(((name, "chip"), (how, "caption"), (size, "caption"))):
        area = QRectF(box.left() + 3, box.top() + 2 + at * (line - 1), box.width() - 6, line - 1)
        paint_text(painter, area, text, role, ink("memory"), _CENTRE, mode=Qt.TextElideMode.ElideMiddle)


def _fused(painter: QPainter, joint: BenchJoint, rect: QRectF, *, hovered: bool) -> None:
    """Draw a tensor that stays on chip: dashed and struck, with a line from card to card."""
    box = _box(rect)
    y = box.center().y()
    painter.setPen(QPen(ink("border_strong"), 1.2))
    painter.drawLine(QLineF(rect.left(), y, box.left(), y))
    painter.drawLine(QLineF(box.right(), y, rect.right(), y))
    line = box.height() / 3
    dashed = QPen(ink("text2" if hovered else "border_strong"), 1.2)
    dashed.setDashPattern([2.5, 2.0])
    painter.setPen(dashed)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(box.left(), box.top(), box.width(), 2 * line + 2), 6.0, 6.0)
    name, size, how = joint_lines(joint)
    struck = joint.crossings == 0
    for at, (text, role) in enumerate(((name, "chip"), (size, "caption"))):
        area = QRectF(box.left() + 3, box.top() + at * line + 1, box.width() - 6, line)
        _struck(painter, area, text, role, struck=struck)
    token = "ok" if struck else "memory"
    paint_text(
        painter, QRectF(rect.left() - 4, box.top() + 2 * line + 5, rect.width() + 8, line + 2), how, "caption",
        ink(token), _CENTRE,
    )  # fmt: skip


def _struck(painter: QPainter, rect: QRectF, text: str, role: str, *, struck: bool) -> None:
    shown = elided(text, role, rect.width(), Qt.TextElideMode.ElideMiddle)
    paint_text(painter, rect, shown, role, ink("muted" if struck else "memory"), _CENTRE)
    if struck and shown:
        half = metrics(role).horizontalAdvance(shown) / 2 + 2
        y = round(rect.center().y()) + 0.5
        painter.setPen(QPen(ink("text2"), 1.0))
        painter.drawLine(QLineF(rect.center().x() - half, y, rect.center().x() + half, y))

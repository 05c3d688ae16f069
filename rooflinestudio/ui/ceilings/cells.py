"""Cells of the table of measured ceilings: a tick, a figure to choose, a share with its bar; doubts are amber."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QStyle

from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.cells import CELL, CellDelegate
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

__all__ = ["DOUBTED", "CeilingsDelegate", "ShareCell", "TargetCell", "TickCell"]

DOUBTED: Final = CELL + 1
"""Role under which a row says that it is asked about."""

_BOX_PX: Final = 14
_TRACK_PX: Final = 4
_NUMBER_PX: Final = 58


@dataclass(frozen=True, slots=True)
class TickCell:
    """Whether a row is taken."""

    on: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class TargetCell:
    """What a reading becomes; opens a menu."""

    text: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ShareCell:
    """A share of the published figure: a quiet bar, and the number behind it."""

    share: float | None
    text: str
    doubted: bool = False


class CeilingsDelegate(CellDelegate):
    """Paints the cells of measured ceilings."""

    def __init__(self, *, row_px: int, padding_px: int, edge_px: int, parent: Any = None) -> None:
        super().__init__(row_px=row_px, padding_px=padding_px, edge_px=edge_px, parent=parent)
        self._painters[TickCell] = _paint_tick
        self._painters[TargetCell] = _paint_target
        self._painters[ShareCell] = _paint_share
        self._doubted = False

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self._doubted = bool(index.data(DOUBTED))
        super().paint(painter, option, index)

    def _paint_ground(self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag, *, first: bool) -> None:
        super()._paint_ground(painter, rect, state, first=first)
        if not self._doubted:
            return
        strip = rect.adjusted(0, 0, 0, -1)
        painter.fillRect(strip, ink("warn_soft"))
        if state & QStyle.StateFlag.State_Selected:
            for top in (strip.top(), strip.bottom() - 1):
                painter.fillRect(QRectF(strip.left(), top, strip.width(), 1), ink("accent"))
        if first:
            painter.fillRect(QRectF(strip.left(), strip.top(), 2, strip.height()), ink("warn"))


def _paint_tick(painter: QPainter, rect: QRectF, cell: TickCell) -> None:
    box = QRectF(rect.left() + 0.5, rect.center().y() - _BOX_PX / 2 + 0.5, _BOX_PX - 1, _BOX_PX - 1)
    painter.setRenderHint(painter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink("accent" if cell.on else "border_strong"), 1.0))
    painter.setBrush(ink("accent" if cell.on else "surface"))
    painter.drawRoundedRect(box, 3.5, 3.5)
    if cell.on:
        paint_icon(painter, box.adjusted(1, 1, -1, -1), "check", "on_accent")


def _paint_target(painter: QPainter, rect: QRectF, cell: TargetCell) -> None:
    arrow = QRectF(rect.right() - 10, rect.center().y() - 5, 10, 10)
    paint_icon(painter, arrow, "chevron-down", "muted")
    inner = rect.adjusted(0, 0, -14, 0)
    if cell.is_new:
        width = metrics("caption").horizontalAdvance("new") + 2
        paint_text(painter, inner, "new", "caption", ink("accent_text"), Qt.AlignmentFlag.AlignRight)
        inner = inner.adjusted(0, 0, -width - 6, 0)
    paint_text(painter, inner, cell.text, "table", ink("text"))


def _paint_share(painter: QPainter, rect: QRectF, cell: ShareCell) -> None:
    """Draw the bar up to the published figure, which is a line; what goes beyond it stands out on the other side."""
    number = QRectF(rect.right() - _NUMBER_PX, rect.top(), _NUMBER_PX, rect.height())
    token = "warn" if cell.doubted else "text" if cell.share is not None else "muted"
    role = "name" if cell.doubted else "table"
    paint_text(painter, number, cell.text, role, ink(token), Qt.AlignmentFlag.AlignRight)
    room = number.left() - rect.left() - 8
    if cell.share is None or room < 30:
        return
    full = room / 1.25
    top = rect.center().y() - _TRACK_PX / 2
    painter.fillRect(QRectF(rect.left(), top, full, _TRACK_PX), ink("sunken"))
    length = min(max(cell.share, 0.0), 1.25) * full
    painter.fillRect(
        QRectF(rect.left(), top, length, _TRACK_PX), ink("warn" if cell.doubted else "border_strong")
    )
    painter.fillRect(QRectF(rect.left() + full, top - 3, 1, _TRACK_PX + 6), ink("text2"))

"""Table cells that are more than text: bars, chips, markers.

Models answer one object per cell; one delegate paints it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import (
    CHIP_PX,
    chip_width,
    metrics,
    paint_bar,
    paint_bound_chip,
    paint_marker,
    paint_name,
    paint_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPainter

__all__ = ["CELL", "BarCell", "Cell", "CellDelegate", "ChipCell", "GlyphCell", "MarkerCell", "TextCell"]

CELL: Final = Qt.ItemDataRole.UserRole + 1
"""Role under which a model answers a :data:`Cell`."""

_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
_ELIDE_RIGHT = Qt.TextElideMode.ElideRight


@dataclass(frozen=True, slots=True)
class TextCell:
    """A text; numbers stand at the right; names of kernels are shortened as such."""

    text: str
    token: str = "text"
    strong: bool = False
    number: bool = False
    mode: Qt.TextElideMode = _ELIDE_RIGHT
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class BarCell:
    """A fraction as a bar in the hue of a bound, and in per cent behind it."""

    fraction: float
    kind: str
    text: str
    strong: bool = False
    glyph: bool = False


@dataclass(frozen=True, slots=True)
class ChipCell:
    """A bound: glyph, words and hue."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class MarkerCell:
    """A name behind its marker."""

    text: str
    shape: str
    slot: int | str
    strong: bool = True
    token: str = "text"
    mode: Qt.TextElideMode = _ELIDE_RIGHT


@dataclass(frozen=True, slots=True)
class GlyphCell:
    """The sign of a kind of bound alone, where its word stands in the row already."""

    kind: str


Cell = TextCell | BarCell | ChipCell | MarkerCell | GlyphCell

_PERCENT_PX: Final = 38
_BAR_MOST_PX: Final = 96


class CellDelegate(QStyledItemDelegate):
    """Paints the cells of a table: background, hairline below, content.

    Parameters
    ----------
    row_px
        Height of a row.
    padding_px
        Space at the left and right of each cell; the first and last cell of a row keep ``edge_px`` on the outer side.
    """

    def __init__(
        self, *, row_px: int = 27, padding_px: int = 8, edge_px: int = 8, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._row_px, self._padding_px, self._edge_px = row_px, padding_px, edge_px
        self._painters: dict[type, Callable[[QPainter, QRectF, Any], None]] = {
            TextCell: _paint_text_cell,
            BarCell: _paint_bar_cell,
            ChipCell: _paint_chip_cell,
            MarkerCell: _paint_marker_cell,
            GlyphCell: _paint_glyph_cell,
        }

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self.content_width(index.data(CELL)) + 2 * self._padding_px, self._row_px)

    @property
    def padding_px(self) -> int:
        """Space at each side of an inner cell."""
        return self._padding_px

    def content_width(self, cell: Cell | None) -> int:
        """Return the width in pixels that a cell needs to be shown in full."""
        if cell is None:
            return 0
        if isinstance(cell, ChipCell):
            return round(chip_width(cell.text, glyph=bool(cell.kind))) + 1
        if isinstance(cell, BarCell):
            return 64 + _PERCENT_PX
        if isinstance(cell, GlyphCell):
            return 14
        marker = 18 if isinstance(cell, MarkerCell) else 0
        return round(metrics("name" if cell.strong else "table").horizontalAdvance(cell.text)) + 1 + marker

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = QRectF(option.rect)
        state = option.state
        self._paint_ground(painter, rect, state, first=index.column() == 0)
        cell = index.data(CELL)
        if cell is None:
            return
        last = index.column() == index.model().columnCount() - 1
        left = self._edge_px if index.column() == 0 else self._padding_px
        right = self._edge_px if last else self._padding_px
        inner = rect.adjusted(left, 0, -right, -1)
        painter.save()
        self._painters[type(cell)](painter, inner, cell)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag, *, first: bool) -> None:
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, ink("accent_soft"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, ink("raised"))
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), ink("border"))
        if selected and first and state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRectF(rect.left(), rect.top(), 2, rect.height()), ink("accent"))


def _paint_text_cell(painter: QPainter, rect: QRectF, cell: TextCell) -> None:
    role = "name" if cell.strong else "table"
    if cell.is_name:
        paint_name(painter, rect, cell.text, role, ink(cell.token))
        return
    paint_text(
        painter, rect, cell.text, role, ink(cell.token), _RIGHT if cell.number else _LEFT, mode=cell.mode
    )


def _paint_marker_cell(painter: QPainter, rect: QRectF, cell: MarkerCell) -> None:
    paint_marker(painter, QPointF(rect.left() + 5, rect.center().y()), cell.shape, slot_ink(cell.slot))
    role = "name" if cell.strong else "table"
    paint_text(painter, rect.adjusted(18, 0, 0, 0), cell.text, role, ink(cell.token), mode=cell.mode)


def _paint_chip_cell(painter: QPainter, rect: QRectF, cell: ChipCell) -> None:
    width = min(rect.width(), chip_width(cell.text, glyph=bool(cell.kind)))
    chip = QRectF(rect.left(), rect.center().y() - CHIP_PX / 2, width, CHIP_PX)
    paint_bound_chip(painter, chip, cell.kind, cell.text)


def _paint_glyph_cell(painter: QPainter, rect: QRectF, cell: GlyphCell) -> None:
    paint_icon(
        painter, QRectF(rect.right() - 14, rect.center().y() - 7, 14, 14), f"bound-{cell.kind}", cell.kind
    )


def _paint_bar_cell(painter: QPainter, rect: QRectF, cell: BarCell) -> None:
    right = rect.right()
    if cell.glyph:
        paint_icon(
            painter, QRectF(right - 14, rect.center().y() - 7, 14, 14), f"bound-{cell.kind}", cell.kind
        )
        right -= 18
    role = "name" if cell.strong else "table"
    width = max(_PERCENT_PX, ceil(metrics(role).horizontalAdvance(cell.text)))  # numbers are never elided
    text = QRectF(right - width, rect.top(), width, rect.height())
    paint_text(painter, text, cell.text, role, ink("text"), _RIGHT)
    room = text.left() - rect.left() - 4
    if room >= 12:
        bar = QRectF(rect.left(), rect.top(), min(room, _BAR_MOST_PX), rect.height())
        paint_bar(painter, bar, cell.fraction, cell.kind)

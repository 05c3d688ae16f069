"""The head of a table: small quiet words over a hairline, aligned with the cells, and an arrow where it is sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_text

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QPainter

__all__ = ["PlainHeader"]

_ARROW_PX: Final = 10


class PlainHeader(QHeaderView):
    """Painted, since a style sheet gives every section the same padding."""

    def __init__(
        self, *, height_px: int, padding_px: int, edge_px: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._height_px, self._padding_px, self._edge_px = height_px, padding_px, edge_px
        self.setFont(font("table_head"))
        self.setHighlightSections(False)
        self.setSectionsClickable(False)
        self.setMinimumSectionSize(16)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height_px)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        area = QRectF(rect)
        painter.save()
        painter.fillRect(area, ink("surface"))
        painter.fillRect(QRectF(area.left(), area.bottom() - 1, area.width(), 1), ink("border"))
        left = self._edge_px if section == 0 else self._padding_px
        right = self._edge_px if section == self.count() - 1 else self._padding_px
        inner = area.adjusted(left, 0, -right, -1)
        number = self._is_number(section)
        text = str(self._asked(section, Qt.ItemDataRole.DisplayRole) or "")
        if self.isSortIndicatorShown() and self.sortIndicatorSection() == section:
            inner = self._paint_arrow(painter, inner, text, number=number)
        align = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
        paint_text(painter, inner, text, "table_head", ink("muted"), align)
        painter.restore()

    def _paint_arrow(self, painter: QPainter, inner: QRectF, text: str, *, number: bool) -> QRectF:
        """Draw the arrow of the sorted column; return the room left for its words."""
        up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        width = min(metrics("table_head").horizontalAdvance(text), inner.width() - _ARROW_PX - 3)
        left = inner.right() - _ARROW_PX if number else inner.left() + width + 3
        arrow = QRectF(left, inner.center().y() - _ARROW_PX / 2, _ARROW_PX, _ARROW_PX)
        paint_icon(painter, arrow, "chevron-up" if up else "chevron-down", "muted")
        return inner.adjusted(0, 0, -_ARROW_PX - 3, 0)

    def _is_number(self, section: int) -> bool:
        alignment = self._asked(section, Qt.ItemDataRole.TextAlignmentRole)
        return alignment is not None and bool(Qt.AlignmentFlag(alignment) & Qt.AlignmentFlag.AlignRight)

    def _asked(self, section: int, role: int) -> Any:
        return self.model().headerData(section, Qt.Orientation.Horizontal, role)

"""A machine as a chip: how its roof is drawn, its short name, its ridge, and a cross to take it out of view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.widgets.ink import ink
from rooflinestudio.ui.widgets.painting import metrics, paint_focus_ring, paint_text

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

__all__ = ["DASHES", "MachineChip"]

DASHES: Final = ((), (5.0, 3.5), (2.0, 2.0), (8.0, 3.0, 2.0, 3.0))
"""Dashes of the roofs of second, third and fourth machine, in pixels; the strong one is solid."""

_HEIGHT_PX, _RADIUS = 28, 14.0
_LEFT_PX, _GLYPH_PX, _GAP_PX, _CLOSE_PX = 11, 22, 7, 18
_BADGE_PX: Final = 14


class _CloseButton(QAbstractButton):
    """A cross, on a ground while the pointer is over it; the chip has the keys for it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(_CLOSE_PX, _CLOSE_PX)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink("sunken"))
            painter.drawEllipse(rect)
        paint_icon(painter, rect.adjusted(3, 3, -3, -3), "close", "text2")
        painter.end()


class MachineChip(QAbstractButton):
    """A click makes the machine the strong one; the cross, Delete or a middle click takes it out of view.

    A sign behind the ridge says that the profile has changed since the study took its copy.

    Signals
    -------
    menuRequested
        Id of the machine and a point on the screen: its menu was asked for, or its sign was clicked.
    """

    chosen = Signal(str)
    removeRequested = Signal(str)
    menuRequested = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._id, self._name, self._ridge = "", "", ""
        self._number, self._missing, self._changed = 0, False, False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.close_button = _CloseButton(self)
        self.close_button.clicked.connect(self._on_close_button_clicked)
        self.clicked.connect(self._on_clicked)

    @property
    def machine(self) -> str:
        """Id of the machine."""
        return self._id

    @property
    def words(self) -> str:
        """Name and ridge as they are shown."""
        return f"{self._name} {self._ridge}".strip()

    def show_machine(
        self, id_: str, name: str, ridge: str, *, number: int, strong: bool, missing: bool
    ) -> None:
        """Show a machine; ``number`` is its place in the view, from which its dash follows."""
        self._id, self._name, self._ridge = id_, name, ridge
        self._number, self._missing = number, missing
        self.setChecked(strong)
        self.setObjectName(f"machine.{id_}")
        self.setAccessibleName(f"{name}, {ridge}" + (", strong roof" if strong else ""))
        self.close_button.setAccessibleName(f"Hide {name}")
        self.close_button.setToolTip(f"Take {name} out of view")
        self.updateGeometry()
        self.update()

    @property
    def is_changed(self) -> bool:
        """Whether the profile has changed since the study took its copy."""
        return self._changed

    def show_changed(self, changed: bool) -> None:
        """Say whether the profile has changed since the study took its copy."""
        self.setAccessibleDescription(
            "The profile has changed since the study took its copy" if changed else ""
        )
        if changed != self._changed:
            self._changed = changed
            self.updateGeometry()
            self.update()

    def _badge_rect(self) -> QRectF:
        right = self.close_button.x() - 3
        return QRectF(right - _BADGE_PX, (self.height() - _BADGE_PX) / 2, _BADGE_PX, _BADGE_PX)

    def sizeHint(self) -> QSize:
        name, ridge = (
            metrics("body_strong").horizontalAdvance(self._name),
            metrics("label").horizontalAdvance(self._ridge),
        )
        gap = _GAP_PX if self._ridge else 0
        badge = _BADGE_PX + 5 if self._changed else 0
        return QSize(
            round(_LEFT_PX + _GLYPH_PX + _GAP_PX + name + gap + ridge + 4 + badge + _CLOSE_PX + 7), _HEIGHT_PX
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.close_button.move(self.width() - _CLOSE_PX - 6, (self.height() - _CLOSE_PX) // 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        strong = self.isChecked()
        painter.setPen(QPen(ink("border_strong" if strong or self.underMouse() else "border"), 1.0))
        painter.setBrush(ink("surface"))
        painter.drawRoundedRect(rect, _RADIUS - 0.5, _RADIUS - 0.5)
        self._paint_roof(painter, strong=strong)
        left = _LEFT_PX + _GLYPH_PX + _GAP_PX
        width = metrics("body_strong").horizontalAdvance(self._name) + 1
        line = QRectF(left, 0, width, self.height())
        paint_text(painter, line, self._name, "body_strong", ink("warn" if self._missing else "text"))
        rest = QRectF(
            line.right() + _GAP_PX, 1, self.close_button.x() - line.right() - _GAP_PX, self.height()
        )
        paint_text(painter, rest, self._ridge, "label", ink("muted"))
        if self._changed:
            paint_icon(painter, self._badge_rect(), "flag", "warn")
        if self.hasFocus():
            paint_focus_ring(painter, QRectF(self.rect()), _RADIUS)
        painter.end()

    def _paint_roof(self, painter: QPainter, *, strong: bool) -> None:
        width = 2.4 if strong else 1.6
        stroke = QPen(
            ink("text" if strong else "text2"), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap
        )
        stroke.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        dashes = () if strong else DASHES[min(max(self._number, 1), len(DASHES) - 1)]
        if dashes:
            stroke.setDashPattern([dash / width for dash in dashes])
        painter.setPen(stroke)
        top, bottom = self.height() / 2 - 4, self.height() / 2 + 5
        painter.drawPolyline(
            QPolygonF(
                [QPointF(_LEFT_PX, bottom), QPointF(_LEFT_PX + 10, top), QPointF(_LEFT_PX + _GLYPH_PX, top)]
            )
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removeRequested.emit(self._id)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        on_badge = self._badge_rect().adjusted(-3, -7, 3, 7).contains(event.position())
        if self._changed and is_left and on_badge:
            self._ask_for_menu()
            return
        super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._ask_for_menu()
        event.accept()

    def _ask_for_menu(self) -> None:
        self.menuRequested.emit(self._id, self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _on_clicked(self) -> None:
        self.setChecked(True)
        self.chosen.emit(self._id)

    def _on_close_button_clicked(self) -> None:
        self.removeRequested.emit(self._id)

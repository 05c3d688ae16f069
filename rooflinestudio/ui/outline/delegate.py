"""How the outline's rows look, where their eye is, and how a name is edited in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QTreeView

from rooflinestudio.core.variant_ratios import SAME
from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.icons import paint_icon
from rooflinestudio.ui.outline.model import NODE
from rooflinestudio.ui.outline.nodes import EntryNode, FileNode, GroupNode, KernelNode, MoreNode
from rooflinestudio.ui.widgets.ink import ink, slot_ink
from rooflinestudio.ui.widgets.painting import marker_shape, metrics, paint_marker, paint_name, paint_text
from rooflinestudio.ui.widgets.tree_rows import ROW_PX, paint_head, paint_row_ground

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

__all__ = ["OutlineDelegate", "chevron_rect", "eye_rect"]

_MARKER_X, _TEXT_X, _DEPTH_PX = 27.0, 40.0, 16.0
_RIGHT_PX: Final = 14.0
_EYE_PX: Final = 14.0
_CHEVRON_X, _CHEVRON_PX = 9.0, 11.0
_REASON_PX: Final = 15
_RIGHT: Final = Qt.AlignmentFlag.AlignRight


def eye_rect(row: QRectF) -> QRectF:
    """Return where the eye of an entry's row is."""
    return QRectF(row.right() - _RIGHT_PX - _EYE_PX, row.top() + (ROW_PX - _EYE_PX) / 2, _EYE_PX, _EYE_PX)


def chevron_rect(row: QRectF) -> QRectF:
    """Return where the sign is that opens and closes the variants of a row."""
    top = row.top() + (ROW_PX - _CHEVRON_PX) / 2
    return QRectF(row.left() + _CHEVRON_X, top, _CHEVRON_PX, _CHEVRON_PX)


def _is_told(node: EntryNode) -> bool:
    """Whether a second line says why the entry is not placed."""
    return node.state != "placed" and bool(node.reason)


class OutlineDelegate(QStyledItemDelegate):
    """Rows 26 px high; a row that could not be placed has a second line with the reason."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Any) -> QSize:
        node = index.data(NODE)
        told = isinstance(node, EntryNode) and _is_told(node)
        return QSize(120, ROW_PX + (_REASON_PX if told else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        node = index.data(NODE)
        rect = QRectF(option.rect)
        state = option.state
        tree = option.widget
        is_open = isinstance(tree, QTreeView) and tree.isExpanded(index)
        painter.save()
        paint_row_ground(painter, rect, state)
        if isinstance(node, GroupNode):
            paint_head(painter, rect, node.name, len(node.entries), is_open=is_open, token="text")
        elif isinstance(node, FileNode):
            paint_head(painter, rect, node.name, node.count, is_open=is_open)
        elif isinstance(node, EntryNode):
            active = bool(state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver))
            if node.has_variants:
                sign = "chevron-down" if is_open else "chevron-right"
                paint_icon(painter, chevron_rect(rect), sign, "muted")
            _paint_entry(painter, rect, node, active=active)
        elif isinstance(node, KernelNode):
            _paint_kernel(painter, rect, node)
        elif isinstance(node, MoreNode):
            paint_text(painter, rect.adjusted(_TEXT_X, 0, -_RIGHT_PX, 0), index.data(), "label", ink("muted"))
        painter.restore()

    # Editing ------------------------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Any) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("outline.rename")
        editor.setAccessibleName("New name")
        editor.setFont(font("tree"))
        return editor

    def setEditorData(self, editor: QWidget, index: Any) -> None:
        if isinstance(editor, QLineEdit):
            editor.setText(index.data(Qt.ItemDataRole.EditRole))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: Any, index: Any) -> None:
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Any) -> None:
        rect: QRect = option.rect
        node = index.data(NODE)
        left = rect.left() + (20 if isinstance(node, GroupNode) else 34)
        left += int(_DEPTH_PX) if isinstance(node, EntryNode) and node.base else 0
        editor.setGeometry(left, rect.top(), rect.right() - 8 - left, ROW_PX)


def _paint_entry(painter: QPainter, rect: QRectF, node: EntryNode, *, active: bool) -> None:
    shift = _DEPTH_PX if node.base else 0.0
    line = QRectF(rect.left() + shift, rect.top(), rect.width() - shift, ROW_PX)
    centre = QPointF(line.left() + _MARKER_X, line.center().y())
    if node.state in ("refused", "unavailable"):
        paint_icon(painter, QRectF(centre.x() - 7, centre.y() - 7, 14, 14), "warn", "warn")
    elif node.state == "pending":
        _paint_ring(painter, centre, node.slot)
    else:
        colour = slot_ink(node.slot) if node.visible else ink("disabled")
        paint_marker(painter, centre, marker_shape(node.slot), colour)
    right = line.right() - _RIGHT_PX + 1
    if active or not node.visible:
        paint_icon(
            painter,
            eye_rect(line),
            "eye" if node.visible else "eye-off",
            "text2" if node.visible else "muted",
        )
        right = eye_rect(line).left() - 6
    time = node.ratio_words or node.time or ("…" if node.state == "pending" else "")
    right = _paint_time(painter, line, right, time, _time_token(node))
    text = QRectF(line.left() + _TEXT_X, line.top(), right - line.left() - _TEXT_X, line.height())
    paint_text(painter, text, node.short, "tree", ink("text" if node.visible else "muted"))
    if _is_told(node):
        below = QRectF(text.left(), line.bottom() - 4, rect.right() - _RIGHT_PX - text.left(), _REASON_PX)
        paint_text(
            painter, below, node.reason, "caption", ink("muted" if node.state == "pending" else "warn")
        )


def _time_token(node: EntryNode) -> str:
    """Return the colour of what stands at the right: ratios that say faster or slower have theirs."""
    if node.ratio is None or not node.visible or abs(node.ratio - 1) < SAME:
        return "muted"
    return "ok" if node.ratio < 1 else "error"


def _paint_ring(painter: QPainter, centre: QPointF, slot: int | str) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(slot_ink(slot), 1.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(centre, 4.0, 4.0)


def _paint_time(painter: QPainter, rect: QRectF, right: float, time: str, token: str = "muted") -> float:
    """Write a time that ends at ``right``; return where the name has to end."""
    if not time:
        return right
    width = metrics("label").horizontalAdvance(time) + 1
    place = QRectF(right - width, rect.top(), width, rect.height())
    paint_text(painter, place, time, "label", ink(token), _RIGHT)
    return right - width - 8


def _paint_kernel(painter: QPainter, rect: QRectF, node: KernelNode) -> None:
    shift = _DEPTH_PX * node.depth
    colour = slot_ink(node.slot) if node.slot is not None else ink("text2")
    if node.reason and not node.time:
        colour = ink("disabled")
    paint_marker(painter, QPointF(rect.left() + _MARKER_X + shift, rect.center().y()), "diamond", colour, 4.2)
    right = _paint_time(painter, rect, rect.right() - _RIGHT_PX + 1, node.time)
    left = rect.left() + _TEXT_X + shift
    text = QRectF(left, rect.top(), right - left, rect.height())
    paint_name(painter, text, node.name, "tree", ink("text" if not node.reason else "text2"))

"""Things that are dragged onto the canvas: operators of the palette, measured kernels, and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QPointF, Qt

from rooflinestudio.ui.pairing.mime import kernels_of

if TYPE_CHECKING:
    from PySide6.QtGui import QDragMoveEvent, QDropEvent

    from rooflinestudio.ui.canvas.context import Canvas
    from rooflinestudio.ui.canvas.view import CanvasView

__all__ = ["OPERATOR_MIME", "Dropping", "files_of", "operator_of"]

OPERATOR_MIME: Final = "application/x-rooflinestudio-operator"
"""UTF-8 bytes of an operator id."""
_LONGEST_ID: Final = 200


def operator_of(data: QMimeData) -> str:
    """Return the operator id that is being dragged, or an empty text."""
    if not data.hasFormat(OPERATOR_MIME):
        return ""
    raw = bytes(data.data(OPERATOR_MIME).data())
    return raw[:_LONGEST_ID].decode("utf-8", errors="replace").strip()


def files_of(data: QMimeData) -> list[str]:
    """Return the local files that are being dragged."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


class Dropping:
    """Takes drags over the canvas and tells what was let go where."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._operator = ""
        self._is_over = False

    def entered(self, event: QDragMoveEvent) -> None:
        """Say whether this can be dropped here, and ask where an operator would land."""
        if kernels_of(event.mimeData()):
            self.moved(event)
            event.accept()  # else no move would follow
            return
        operator, files = operator_of(event.mimeData()), files_of(event.mimeData())
        if not operator and not files:
            event.ignore()
            return
        self._accept(event)
        self._is_over = True
        self._view.viewport().update()
        if operator and operator != self._operator:
            self._operator = operator
            self._view.previewRequested.emit(operator)

    def moved(self, event: QDragMoveEvent) -> None:
        if kernels := kernels_of(event.mimeData()):
            if self._view.pairs.over(QPointF(event.position()), kernels):
                self._accept(event)
            else:
                event.ignore()
        elif operator_of(event.mimeData()) or files_of(event.mimeData()):
            self._accept(event)
        else:
            event.ignore()

    def left(self) -> None:
        """Forget the drag: it is elsewhere, or over."""
        self._is_over = False
        self._view.pairs.stop()
        self._view.set_preview(None)
        self._view.viewport().update()
        if self._operator:
            self._operator = ""
            self._view.previewRequested.emit("")

    def dropped(self, event: QDropEvent) -> None:
        if kernels := kernels_of(event.mimeData()):
            if self._view.pairs.drop(QPointF(event.position()), kernels):
                self._accept(event)
            else:
                event.ignore()
            return
        operator, files = operator_of(event.mimeData()), files_of(event.mimeData())
        self.left()
        if not operator and not files:
            event.ignore()
            return
        self._accept(event)
        if operator:
            log_x, log_y = self._view.data_at(QPointF(event.position()))
            self._view.operatorDropped.emit(operator, log_x, log_y)
        else:
            self._view.filesDropped.emit(files)

    def paint(self, c: Canvas) -> None:
        """Frame the plot while something that it takes is over it."""
        if self._is_over:
            left, top, right, bottom = c.frame.plot.grown(-1.0)
            corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
            c.polygon(corners, pen=c.pen(c.colour("accent"), 1.6))

    @staticmethod
    def _accept(event: QDropEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

"""Measured kernels as what is dragged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDrag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from rooflinestudio.core.pairing.edits import Kernel

__all__ = ["KERNELS_MIME", "MOST_DRAGGED", "kernels_of", "mime_of_kernels", "start_kernel_drag"]

KERNELS_MIME: Final = "application/x-rooflinestudio-kernels"
"""Measured kernels, as a JSON list of digest and position."""
MOST_DRAGGED: Final = 1000
"""So many kernels are held against one entry at once: each pair stands in the study file."""


def mime_of_kernels(kernels: Sequence[Kernel]) -> QMimeData:
    """Return kernels as what is dragged."""
    data = QMimeData()
    data.setData(KERNELS_MIME, json.dumps([list(one) for one in kernels[:MOST_DRAGGED]]).encode())
    return data


def kernels_of(data: QMimeData) -> tuple[Kernel, ...]:
    """Return the kernels that are being dragged, or none."""
    if not data.hasFormat(KERNELS_MIME):
        return ()
    try:
        found = json.loads(bytes(data.data(KERNELS_MIME).data()))
    except ValueError:
        return ()
    return tuple((one[0], one[1]) for one in found if _is_kernel(one)) if isinstance(found, list) else ()


def _is_kernel(one: Any) -> bool:
    return isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and type(one[1]) is int


def start_kernel_drag(widget: QWidget, kernels: Sequence[Kernel], name: str) -> None:
    """Let kernels be dragged away from a widget; their name follows the pointer."""
    from rooflinestudio.ui.palette.view import drag_pixmap

    if not kernels:
        return
    drag = QDrag(widget)
    drag.setMimeData(mime_of_kernels(kernels))
    words = name if len(kernels) == 1 else f"{len(kernels)} kernels"
    drag.setPixmap(drag_pixmap(words, widget.devicePixelRatioF()))
    drag.setHotSpot(QPoint(10, 13))
    drag.exec(Qt.DropAction.LinkAction | Qt.DropAction.CopyAction, Qt.DropAction.CopyAction)

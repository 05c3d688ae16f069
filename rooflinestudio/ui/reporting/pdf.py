"""A report as PDF: A4 pages across, with a footer; the picture is drawn, not copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QAbstractTextDocumentLayout, QPageLayout, QPageSize, QPainter, QPdfWriter

from rooflinestudio.ui.fonts import font
from rooflinestudio.ui.reporting.paper import paper_of

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

    from rooflinestudio.core.report.document import Report
    from rooflinestudio.ui.canvas.scene import Scene
    from rooflinestudio.ui.theme import Theme

__all__ = ["CONTENT", "MARGIN", "PAGE", "paint_page", "pdf_bytes"]

_DPI, _PDF_DPI = 96, 1200
PAGE: Final = QSizeF(1122.5, 793.7)
"""A4 across, in pixels of 1/96 inch."""
MARGIN: Final = 44.0
CONTENT: Final = QSizeF(PAGE.width() - 2 * MARGIN, PAGE.height() - 2 * MARGIN)


def pdf_bytes(report: Report, scene: Scene | None, theme: Theme) -> bytes:
    """Return a report as a PDF file.

    Raises
    ------
    OSError
        If it cannot be drawn.
    """
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_PDF_DPI)
    writer.setTitle(report.title)
    writer.setCreator(report.made_with)
    size = QPageSize(QPageSize.PageSizeId.A4)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Landscape, QMarginsF(0, 0, 0, 0)))
    document = paper_of(report, scene, CONTENT, theme)
    painter = QPainter()
    if not painter.begin(writer):
        raise OSError("the pages could not be drawn")
    try:
        painter.scale(_PDF_DPI / _DPI, _PDF_DPI / _DPI)
        for number in range(document.pageCount()):
            if number:
                writer.newPage()
            paint_page(painter, document, number, report.title, theme)
    finally:
        painter.end()
        buffer.close()
    return bytes(data.data())


def paint_page(painter: QPainter, document: QTextDocument, number: int, title: str, theme: Theme) -> None:
    """Paint one page with its footer, in pixels of 1/96 inch."""
    painter.fillRect(QRectF(0, 0, PAGE.width() + 1, PAGE.height() + 1), theme.qcolor("canvas"))
    painter.save()
    painter.translate(MARGIN, MARGIN - number * CONTENT.height())
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = QRectF(0, number * CONTENT.height(), CONTENT.width(), CONTENT.height())
    painter.setClipRect(context.clip)
    document.documentLayout().draw(painter, context)
    painter.restore()
    painter.setFont(font("caption"))
    painter.setPen(theme.qcolor("muted"))
    footer = QRectF(MARGIN, PAGE.height() - MARGIN + 8, CONTENT.width(), 20)
    painter.drawText(footer, Qt.AlignmentFlag.AlignLeft, title)
    painter.drawText(footer, Qt.AlignmentFlag.AlignRight, f"{number + 1} of {document.pageCount()}")

"""A report as a text document that can be drawn on pages: titles, paragraphs and tables, with a picture at the head."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QObject, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QPyTextObject,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTableCellFormat,
    QTextTableFormat,
)

from rooflinestudio.core.report.document import Facts, Lines, Table
from rooflinestudio.ui.canvas.painter import paint, prepare
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.fonts import font

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QPainter, QTextBlock

    from rooflinestudio.core.report.document import Block, Report, Section
    from rooflinestudio.ui.canvas.scene import Scene
    from rooflinestudio.ui.theme import Theme

__all__ = ["paper_of"]

_PICTURE: Final = int(QTextFormat.ObjectTypes.UserObject) + 1
_LEADS: Final = int(QTextFormat.Property.UserProperty) + 1
"""Property of a block that must not be the last one of a page."""
_ROUNDING: Final = 2.0
_PICTURE_SHARE: Final = 0.8
"""Part of a page's height that the picture takes; title and date stand above it."""
_BREAKS: Final = "_,<>:/&()"
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


def paper_of(report: Report, scene: Scene | None, size: QSizeF, theme: Theme) -> QTextDocument:
    """Return a report laid out on pages of a size, in pixels of 1/96 inch, without their margins.

    Parameters
    ----------
    scene
        What the picture shows, or None for none.
    """
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setUseDesignMetrics(True)
    document.setDefaultFont(_font(12))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    writer = _Writer(document, theme)
    with writer.one_edit():  # else everything is laid out anew after each cell
        writer.head(report, scene, size)
        for section in report.sections:
            writer.section(section, 2)
    document.setPageSize(size)
    _keep_heads_with_text(document, size.height())
    return document


def _keep_heads_with_text(document: QTextDocument, page_height: float) -> None:
    """Begin a page before a head whose first text stands on the next one."""
    block = document.begin()
    while block.isValid():
        head = block
        while block.isValid() and block.blockFormat().boolProperty(_LEADS):
            block = block.next()
        if block != head and block.isValid():
            page = _page_of(document, head, page_height)
            if page < _page_of(document, _text_after(block), page_height):
                _break_before(document, head, QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
                if _page_of(document, head, page_height) > page + 1:  # it stood at the very end
                    _break_before(document, head, QTextFormat.PageBreakFlag.PageBreak_Auto)
        block = block.next()


def _page_of(document: QTextDocument, block: QTextBlock, page_height: float) -> int:
    """Return the page on which a paragraph ends: its top may stand on the page before, without a line."""
    return int((document.documentLayout().blockBoundingRect(block).bottom() - _ROUNDING) // page_height)


def _break_before(document: QTextDocument, block: QTextBlock, policy: QTextFormat.PageBreakFlag) -> None:
    look = block.blockFormat()
    look.setPageBreakPolicy(policy)
    QTextCursor(block).setBlockFormat(look)
    # Only a change of the page lays out everything anew; what follows would be drawn in its old place.
    size = document.pageSize()
    document.setPageSize(QSizeF(size.width(), size.height() + 1))
    document.setPageSize(size)


def _text_after(block: QTextBlock) -> QTextBlock:
    """Return the block itself; of a table its first row under the heads."""
    table: Any = QTextCursor(block).currentTable()
    if table is None:
        return block
    found: QTextBlock = table.cellAt(min(1, table.rows() - 1), 0).lastCursorPosition().block()
    return found


def _font(pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    made = QFont(font("body"))
    made.setPixelSize(pixels)
    made.setWeight(weight)
    return made


class _Picture(QPyTextObject):
    """The canvas as a sign of the text: drawn by the painter of the screen, so that it stays sharp at any size."""

    def __init__(self, scene: Scene, size: tuple[float, float], theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._size, self._theme, self._text = size, theme, Text()
        self._picture = prepare(scene, size, scene.fit_range, self._text, with_head=True)

    def intrinsicSize(self, _document: QTextDocument, _at: int, _format: QTextFormat) -> QSizeF:
        return QSizeF(*self._size)

    def drawObject(
        self,
        painter: QPainter,
        place: QRectF | QRect,
        _document: QTextDocument,
        _at: int,
        _format: QTextFormat,
    ) -> None:
        painter.save()
        painter.translate(place.x(), place.y())
        paint(painter, self._picture, self._theme, self._text, vector=True)
        painter.restore()


class _Look(NamedTuple):
    """How a line of text looks."""

    pixels: int
    weight: QFont.Weight = QFont.Weight.Normal
    token: str = "text"


_STRONG: Final = QFont.Weight.DemiBold
_TEXT, _TERM, _QUIET = _Look(12), _Look(12, _STRONG), _Look(10, token="muted")
_HEADS: Final = {2: _Look(16, _STRONG), 3: _Look(13, _STRONG), 4: _Look(12, _STRONG)}
_CELL, _CELL_HEAD = _Look(10), _Look(10, _STRONG)


class _Writer:
    """Writes a report into a text document, block after block."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        self._document, self._theme = document, theme
        self._cursor = QTextCursor(document)
        self._is_fresh = True
        self._picture: _Picture | None = None

    # Blocks ------------------------------------------------------------------------------------------------------

    @contextmanager
    def one_edit(self) -> Iterator[None]:
        """Lay out only when all is written."""
        self._cursor.beginEditBlock()
        yield
        self._cursor.endEditBlock()

    def head(self, report: Report, scene: Scene | None, size: QSizeF) -> None:
        """Write title, date and picture."""
        self._line(report.title, _Look(22, _STRONG), below=2)
        self._line(f"Made {report.made} with {report.made_with}.", _QUIET, below=8)
        if scene is None:
            return
        extent = (size.width(), round(size.height() * _PICTURE_SHARE))
        self._picture = _Picture(scene, extent, self._theme, self._document)
        self._document.documentLayout().registerHandler(_PICTURE, self._picture)
        look = QTextCharFormat()
        look.setObjectType(_PICTURE)
        self._block(below=4)
        self._cursor.insertText("\ufffc", look)
        self._line(report.picture, _QUIET, below=4)

    def section(self, section: Section, level: int) -> None:
        """Write a section and those below it."""
        self._line(section.title, _HEADS[min(level, 4)], above=16 if level == 2 else 10, below=4, leads=True)
        for block in section.blocks:
            self._write(block)
        for part in section.parts:
            self.section(part, level + 1)

    def _write(self, block: Block) -> None:
        if isinstance(block, Table):
            self._table(block)
        elif isinstance(block, Facts):
            for term, text in block.items:
                self._fact(term, text)
        elif isinstance(block, Lines):
            for text in block.items:
                self._line(f"– {text}", _TEXT, indent=12, below=2)
        else:
            for text in block.text.splitlines() if block.role == "own" else [block.text]:
                self._line(text, _TEXT, below=2)

    def _fact(self, term: str, text: str) -> None:
        self._line(f"{term}  ", _TERM, below=2)
        self._insert(text, _TEXT)

    # Tables ------------------------------------------------------------------------------------------------------

    def _table(self, table: Table) -> None:
        self._line(table.caption, _QUIET, above=4, below=3, leads=True)
        look = QTextTableFormat()
        look.setHeaderRowCount(1)
        look.setBorder(0)
        look.setBorderCollapse(True)
        look.setCellPadding(3)
        look.setBottomMargin(6)
        look.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        made = self._cursor.insertTable(len(table.rows) + 1, len(table.columns), look)
        figures = [one.is_figure for one in table.columns]
        self._row(made, 0, [one.head for one in table.columns], figures)
        for at, row in enumerate(table.rows, start=1):
            self._row(made, at, row, figures)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._is_fresh = True  # a table leaves an empty line behind it
        if table.note:
            self._line(table.note, _QUIET, above=3, below=2)

    def _row(self, made: Any, at: int, cells: Sequence[str], figures: Sequence[bool]) -> None:
        for column, (text, is_figure) in enumerate(zip(cells, figures, strict=True)):
            cell = made.cellAt(at, column)
            cell.setFormat(self._cell_look(is_head=at == 0))
            cursor = cell.firstCursorPosition()
            place = QTextBlockFormat()
            place.setAlignment(_RIGHT if is_figure else _LEFT)
            cursor.setBlockFormat(place)
            look = self._char_look(_CELL if at else _CELL_HEAD)
            cursor.insertText(text.replace(" ", "\u00a0") if is_figure and at else _breakable(text), look)

    def _cell_look(self, *, is_head: bool) -> QTextTableCellFormat:
        look = QTextTableCellFormat()
        look.setBottomBorder(0.5)
        look.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        look.setBottomBorderBrush(self._theme.qcolor("border"))
        if is_head:
            look.setBackground(self._theme.qcolor("window"))
        return look

    # Text --------------------------------------------------------------------------------------------------------

    def _line(self, text: str, look: _Look, *, leads: bool = False, **room: float) -> None:
        """Write a paragraph; ``above``, ``below`` and ``indent`` give it room; one that leads stays with the next."""
        self._block(leads=leads, **room)
        self._insert(text, look)

    def _block(self, *, above: float = 0, below: float = 0, indent: float = 0, leads: bool = False) -> None:
        look = QTextBlockFormat()
        look.setTopMargin(above)
        look.setBottomMargin(below)
        look.setLeftMargin(indent)
        look.setTextIndent(-indent)
        look.setProperty(_LEADS, leads)
        if self._is_fresh:
            self._cursor.setBlockFormat(look)
        else:
            self._cursor.insertBlock(look)
        self._is_fresh = False

    def _insert(self, text: str, look: _Look) -> None:
        self._cursor.insertText(_breakable(text), self._char_look(look))

    def _char_look(self, look: _Look) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(_font(look.pixels, look.weight))
        made.setForeground(self._theme.qcolor(look.token))
        return made


def _breakable(text: str) -> str:
    """Let long names break after their joints; words of prose stay as they are."""
    return " ".join(
        "".join(f"{sign}\u200b" if sign in _BREAKS else sign for sign in word) if len(word) > 24 else word
        for word in text.split(" ")
    )

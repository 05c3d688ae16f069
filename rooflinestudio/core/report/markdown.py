"""A report as Markdown: tables in the common extension, everything that could be taken for markup escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.report.document import Facts, Lines, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.report.document import Block, Report, Section

__all__ = ["markdown_text"]

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]|#~$]|(?<!\s)!(?=\[))")
_STARTS: Final = re.compile(r"^(\s*\d*)([-+>=.)])(?=\s|$|[-=])")
_ADDRESS: Final = re.compile(r"(https?://[\w/:.%?=#+-]+)")


def markdown_text(report: Report, picture: str = "") -> str:
    """Return a report as Markdown, ending with a line feed.

    Parameters
    ----------
    picture
        Address of the picture beside it (a file name), or empty.
    """
    lines = [f"# {_inline(report.title)}", "", f"Made {report.made} with {report.made_with}.", ""]
    if picture:
        lines += [f"![{_inline(report.picture)}](<{picture}>)", ""]
    for section in report.sections:
        lines += _section(section, 2)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * min(level, 6)} {_inline(section.title)}"
    yield ""
    for block in section.blocks:
        yield from _block(block)
        yield ""
    for part in section.parts:
        yield from _section(part, level + 1)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Facts):
        yield from (f"- **{_inline(term)}**: {_inline(text)}" for term, text in block.items)
    elif isinstance(block, Lines):
        yield from (f"- {_inline(one)}" for one in block.items)
    elif block.role == "own":
        yield from (f"> {_start(_inline(line))}".rstrip() for line in block.text.splitlines())
    else:
        yield _start(_inline(block.text))


def _table(table: Table) -> Iterator[str]:
    yield f"*{_inline(table.caption)}*"
    yield ""
    yield _row(_inline(one.head) for one in table.columns)
    yield _row("---:" if one.is_figure else "---" for one in table.columns)
    yield from (_row(map(_inline, row)) for row in table.rows)
    if table.note:
        yield ""
        yield _start(_inline(table.note))


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _inline(text: str) -> str:
    """Escape a text for one line; angles and ampersands become entities, so that no name is a tag."""
    plain = " ".join(text.split()) if any(mark in text for mark in "\n\r\t") else text
    parts = _ADDRESS.split(plain)  # every second one is an address, in which a backslash would count
    return "".join(one if at % 2 else _escaped(one) for at, one in enumerate(parts))


def _escaped(text: str) -> str:
    made = _MARKUP.sub(r"\\\1", text.replace("&", "&amp;"))
    return made.replace("<", "&lt;").replace(">", "&gt;")


def _start(line: str) -> str:
    """Keep a line from becoming a list or a heading by its first characters."""
    return _STARTS.sub(r"\1\\\2", line)

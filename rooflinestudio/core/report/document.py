"""A report as a document: sections of prose, facts, lines and tables, every figure in words already.

The writers (Markdown, HTML, PDF) put these blocks on paper and add nothing, so that they cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Block", "Column", "Facts", "Lines", "Prose", "Report", "Section", "Table"]


@dataclass(frozen=True, slots=True)
class Column:
    """Head of a column; figures stand to the right."""

    head: str
    is_figure: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their heads.

    Attributes
    ----------
    caption
        What it lists, in a few words.
    rows
        As many cells each as there are columns; the first cell is the head of its row.
    note
        What a reader should know below it, or empty.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Terms with what there is to say of each."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph; ``own`` text is the user's, whose line breaks count."""

    text: str
    role: Literal["", "quiet", "own"] = ""


Block = Table | Facts | Lines | Prose


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under a title.

    Attributes
    ----------
    id
        Stable and unique within the report: ``machines``, ``placements``, ``machine-acme-one``.
    parts
        Sections below it.
    """

    id: str
    title: str
    blocks: tuple[Block, ...] = ()
    parts: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What is written about a study.

    Attributes
    ----------
    title
        Name of the study.
    made, made_with
        When (local time with its offset), and with which version.
    picture
        What the picture shows, in a sentence.
    sections
        In the order in which they are read.
    """

    title: str
    made: str
    made_with: str
    picture: str
    sections: tuple[Section, ...]

    def section(self, id_: str) -> Section:
        """Return a section, or one below another; ``KeyError`` if there is none of this id."""
        for one in self.all_sections():
            if one.id == id_:
                return one
        raise KeyError(f"the report has no section {id_!r}; it has {', '.join(s.id for s in self.sections)}")

    def has(self, id_: str) -> bool:
        """Tell whether there is a section of this id."""
        return any(one.id == id_ for one in self.all_sections())

    def all_sections(self) -> Iterator[Section]:
        """Yield every section, those below another after it."""
        pending = list(reversed(self.sections))
        while pending:
            one = pending.pop()
            yield one
            pending.extend(reversed(one.parts))

"""Finding the reader of a measured file by its content, telling it what the user says, and reading.

A reader that is a dataclass can be told options: a field ``decimal_mark`` (``"."``, ``","`` or None) takes how the file
writes numbers, a field ``columns`` (a tuple of :class:`StatedColumn`) what its columns are. With ``columns`` goes a
method ``propose(path)``, which gives a :class:`TableProposal` for the user to look at. Readers without them are read
as they are, and the answer says that an option was not used.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.importing.questions import UndecidedMarkError
from rooflinestudio.core.measurement import MeasurementError
from rooflinestudio.plugins.sources import GuardedReader, reader_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rooflinestudio.core.importing.preview import ColumnsPreview
    from rooflinestudio.core.importing.proposal import StatedColumn, TableProposal
    from rooflinestudio.core.measurement import MeasurementFile, MeasurementReader

__all__ = [
    "FoundReader",
    "ReadOptions",
    "find_reader",
    "preview_columns",
    "propose_columns",
    "read_measurements",
]

HEAD_BYTES: Final = 65536
_WORDS: Final = {"decimal_mark": "decimal mark", "columns": "columns"}


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user says about a file; what is left out is up to the reader.

    Attributes
    ----------
    decimal_mark
        ``"."`` or ``","``.
    columns
        What the columns of a table are.
    """

    decimal_mark: str | None = None
    columns: tuple[StatedColumn, ...] = ()

    def given(self) -> dict[str, Any]:
        """Return the options that say something, by name."""
        values = {"decimal_mark": self.decimal_mark, "columns": self.columns}
        return {name: value for name, value in values.items() if value}


class FoundReader(NamedTuple):
    """A reader for a file; ``by_content`` tells whether it knows the content, or only the extension."""

    reader: MeasurementReader
    by_content: bool


def read_measurements(
    path: Path,
    readers: Iterable[MeasurementReader],
    progress: Callable[[float], bool] | None = None,
    *,
    decimal_mark: str | None = None,
    columns: Sequence[StatedColumn] = (),
) -> MeasurementFile:
    """Read a file with the first reader that recognises its beginning, else with one that knows its extension.

    Parameters
    ----------
    progress
        Called with the share read so far; returning False cancels.
    decimal_mark
        ``"."`` or ``","`` where the user states how the file writes numbers; None leaves it to the file's evidence.
    columns
        What the columns are, where the user states it: then a reader that can be told so is preferred.

    Raises
    ------
    UndecidedMarkError
        If numbers can be read in two ways: ask, and read again with ``decimal_mark``.
    MeasurementError
        If the file cannot be opened, no reader knows it, or the reader fails; the message names the file.
    """
    path = Path(path)
    options = ReadOptions(decimal_mark, tuple(columns))
    found = find_reader(path, readers, options)
    file = _read(found.reader, path, progress, options)
    unused = [_WORDS[one] for one in options.given() if one not in _options_of(found.reader)]
    if not unused:
        return file
    words = f"{found.reader.label} takes no {' and no '.join(unused)}: the file was read without."
    return replace(file, warnings=(*file.warnings, words))


def find_reader(
    path: Path, readers: Iterable[MeasurementReader], options: ReadOptions | None = None
) -> FoundReader:
    """Return who reads a file.

    Raises
    ------
    MeasurementError
        If the file cannot be opened, or nobody knows it.
    """
    head = _head_of(path)
    known = tuple(readers)
    by_content = [one for one in known if _recognises(one, head, path.name)]
    # A reader that only knows the extension can say best what is wrong with the content.
    candidates = by_content or [one for one in known if path.suffix.lower() in one.extensions]
    if options is not None and options.columns:
        # Heads that say nothing are what columns are stated for, so that the content may tell nobody.
        able = [one for one in known if "columns" in _options_of(one)]
        candidates = [one for one in candidates if one in able] or able or candidates
    if candidates:
        return FoundReader(candidates[0], candidates[0] in by_content)
    what = "is empty" if not head else "is binary" if b"\0" in head[:4096] else "is text"
    labels = ", ".join(reader.label for reader in known) or "none: no reader is installed"
    raise MeasurementError(
        f"{path.name} {what}, and no reader knows it (known: {labels}). Export the report as CSV and drop that."
    )


def propose_columns(path: Path, readers: Iterable[MeasurementReader]) -> TableProposal | None:
    """Return what a reader makes of the columns of a table; None where it is no table that anybody asks about.

    The reader that knows the content is asked alone; where nobody knows it, every one that proposes columns.
    """
    path, known = Path(path), tuple(readers)
    try:
        found = find_reader(path, known)
    except MeasurementError:
        found = None
    asked = (found.reader,) if found is not None and found.by_content else known
    for reader in asked:
        proposal = _proposed(reader, path)
        if proposal is not None:
            return proposal
    return None


def preview_columns(
    proposal: TableProposal,
    readers: Iterable[MeasurementReader],
    columns: Sequence[StatedColumn],
    decimal_mark: str | None = None,
) -> ColumnsPreview:
    """Return what becomes of the first rows under a statement of the columns: the reader itself reads them."""
    from rooflinestudio.core.importing.preview import preview_of, refused_preview
    from rooflinestudio.core.importing.proposal import stated_problems

    problems = stated_problems(columns, proposal.kinds)
    if problems:
        return refused_preview(problems[0])
    if not columns:
        return refused_preview("No column is used. Say of at least two what they are.")
    with tempfile.TemporaryDirectory(prefix="rooflinestudio-") as folder:
        path = Path(folder) / "rows.csv"
        path.write_text(proposal.text(), "utf-8")
        question = None
        try:
            try:
                file = read_measurements(path, readers, decimal_mark=decimal_mark, columns=columns)
            except UndecidedMarkError as error:  # the rest of the file may settle it
                question = error.question
                file = read_measurements(path, readers, decimal_mark=".", columns=columns)
        except StudioError as error:
            return refused_preview(str(error).removeprefix(str(path)).lstrip(":, "))
    return preview_of(file, cut=proposal.cut, question=question)


def _head_of(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(HEAD_BYTES)
    except OSError as error:
        raise MeasurementError(f"{path} cannot be read: {error.strerror or error}.") from None


def _recognises(reader: MeasurementReader, head: bytes, name: str) -> bool:
    try:
        return reader.recognises(head, name) is True
    except Exception:  # a stranger's reader that fails on a file does not know it
        return False


def _options_of(reader: MeasurementReader) -> frozenset[str]:
    return reader.options if isinstance(reader, GuardedReader) else reader_options(reader)


def _told(reader: MeasurementReader, options: ReadOptions) -> MeasurementReader:
    taken = {name: value for name, value in options.given().items() if name in _options_of(reader)}
    if not taken:
        return reader
    if isinstance(reader, GuardedReader):
        return reader.told(**taken)
    plain: Any = reader  # whether it is a dataclass with such fields is not typed
    told: MeasurementReader = replace(plain, **taken)
    return told


def _proposed(reader: MeasurementReader, path: Path) -> TableProposal | None:
    from rooflinestudio.core.importing.proposal import TableProposal

    propose: Any = getattr(reader, "propose", None)
    if propose is None:
        return None
    try:
        answer = propose(path)
    except Exception:  # no table, or a stranger's failure: it proposes nothing
        return None
    return answer if isinstance(answer, TableProposal) else None


def _read(
    reader: MeasurementReader, path: Path, progress: Callable[[float], bool] | None, options: ReadOptions
) -> MeasurementFile:
    try:
        return _told(reader, options).read(path, progress)
    except StudioError:
        raise
    except Exception as error:
        raise MeasurementError(
            f"{path.name}: the reader {reader.label} failed with {type(error).__name__}: {error}. Nothing was taken."
        ) from error

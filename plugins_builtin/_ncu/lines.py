"""Lines of a file that may be hostile: any encoding, any length, hashed and counted while it is read."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import deque
from typing import TYPE_CHECKING, Final

from rooflinestudio.plugins import MeasurementCancelled, MeasurementError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from _typeshed import WriteableBuffer

__all__ = ["HEAD_BYTES", "TextLines", "decoded_head", "encoding_of", "read_head", "split_row"]

HEAD_BYTES: Final = 65_536
_LONGEST_LINE: Final = 4_000_000  # characters; the widest raw page seen has 60,000
_LONGEST_ROW: Final = 64  # lines that one row with line breaks inside its quotes may take
_LINES_PER_REPORT: Final = 500
_BYTES_PER_REPORT: Final = 1_000_000
_BYTE_ORDER_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_CONTROLS: Final = bytes(code for code in range(32) if code not in (7, 8, 9, 10, 12, 13, 27))


def encoding_of(head: bytes) -> str | None:
    """Tell the encoding of a text file by its first bytes, or None where they are no text.

    PowerShell writes UTF-16 when it redirects output, with or without a byte-order mark.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return encoding
    if b"\0" in head:
        sample = head[: len(head) // 2 * 2]
        for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            zeros = sample[offset::2].count(0)
            if len(sample) >= 4 and zeros * 2 >= 0.9 * len(sample) and not sample[1 - offset :: 2].count(0):
                return encoding
        return None
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return "utf-8" if controls * 50 <= len(head) else None


def read_head(path: Path) -> bytes:
    """First bytes of a file.

    Raises
    ------
    MeasurementError
        The file cannot be opened.
    """
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError as error:
        raise MeasurementError(f"{path}: cannot be read ({error.strerror or error}).") from error


def decoded_head(head: bytes) -> str | None:
    """First bytes as text, or None where they are no text."""
    encoding = encoding_of(head)
    return None if encoding is None else head.decode(encoding, errors="replace")


def split_row(line: str, delimiter: str = ",") -> list[str] | None:
    """Cells of one CSV row, or None where it is none (a cell longer than the csv module takes)."""
    try:
        return next(csv.reader((line,), delimiter=delimiter), None)
    except csv.Error:
        return None


class _HashedFile(io.RawIOBase):
    """A file opened for reading that keeps a running SHA-256 and count of what was read."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = path.open("rb", buffering=0)
        self.hash = hashlib.sha256()
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        size = self._file.readinto(buffer) or 0
        self.hash.update(memoryview(buffer)[:size])
        self.count += size
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


class TextLines:
    """Iterates over the lines of one file, without their ends.

    Parameters
    ----------
    path
        The file.
    encoding
        As found by :func:`encoding_of`; bytes that do not fit become replacement characters.
    progress
        Called now and then, and at the end, with the share read, 0 to 1; False cancels.

    Attributes
    ----------
    number
        Number of the line that was returned last, from 1.
    cut_lines
        Lines that were longer than the limit and left out.
    ended_mid_line
        After the last line: whether it had no line end, as after a killed run.

    Raises
    ------
    MeasurementError
        While iterating: the file cannot be read.
    MeasurementCancelled
        While iterating: ``progress`` returned False.
    """

    def __init__(self, path: Path, encoding: str, progress: Callable[[float], bool] | None = None) -> None:
        self._path = path
        self._encoding = encoding
        self._progress = progress
        self._waiting: deque[str] = deque()
        self._lines = self._read()
        self._reported = (0, 0)
        self.number = 0
        self.cut_lines = 0
        self.ended_mid_line = False
        self.digest = ""

    def __iter__(self) -> Iterator[str]:
        while (line := self._next()) is not None:
            yield line

    def _next(self) -> str | None:
        self.number += 1
        return self._waiting.popleft() if self._waiting else next(self._lines, None)

    def complete_row(self, line: str) -> str | None:
        """Take in the lines that a row continues on when a quote is still open at its end.

        Returns None, and leaves the following lines to the iteration, where no closing quote turns up soon or a
        line of the profiler comes first: then the row was cut off.
        """
        taken: list[str] = []
        quotes = line.count('"')
        while quotes % 2 and len(taken) < _LONGEST_ROW:
            more = self._next()
            if more is None:
                break
            taken.append(more)
            if more.startswith("=="):
                break
            quotes += more.count('"')
        if quotes % 2 == 0 and not (taken and taken[-1].startswith("==")):
            return "\n".join((line, *taken))
        self._waiting.extendleft(reversed(taken))
        self.number -= len(taken)
        return None

    def _read(self) -> Iterator[str]:
        try:
            size = max(self._path.stat().st_size, 1)
            raw = _HashedFile(self._path)
            with io.TextIOWrapper(io.BufferedReader(raw, 262_144), self._encoding, errors="replace") as text:
                while line := text.readline(_LONGEST_LINE):
                    self.ended_mid_line = not line.endswith("\n")
                    if self.ended_mid_line and len(line) == _LONGEST_LINE:
                        self._skip_rest(text)
                        continue
                    self._report(raw.count, size)
                    yield line.rstrip("\r\n")
                self.digest = raw.hash.hexdigest()
            self._tell(1.0)
        except OSError as error:
            raise MeasurementError(f"{self._path}: cannot be read ({error.strerror or error}).") from error

    def _skip_rest(self, text: io.TextIOWrapper) -> None:
        self.cut_lines += 1
        while (rest := text.readline(_LONGEST_LINE)) and not rest.endswith("\n"):
            pass

    def _report(self, count: int, size: int) -> None:
        lines, reported = self._reported
        if self._progress is None:
            return
        if self.number - lines < _LINES_PER_REPORT and count - reported < _BYTES_PER_REPORT:
            return
        self._reported = (self.number, count)
        self._tell(min(count / size, 1.0))

    def _tell(self, share: float) -> None:
        if self._progress is not None and not self._progress(share):
            raise MeasurementCancelled(f"{self._path}: reading was cancelled.")

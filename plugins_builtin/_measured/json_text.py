"""The text of a JSON file as a window that moves over it; plain or packed with gzip, hashed while it is read."""

from __future__ import annotations

import codecs
import hashlib
import re
import zlib
from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.lines import encoding_of
from rooflinestudio.plugins import MeasurementCancelled, MeasurementError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rooflinestudio.plugins import Progress

__all__ = ["GZIP_MAGIC", "JsonText", "head_of_json"]

GZIP_MAGIC: Final = b"\x1f\x8b"
_PIECE: Final = 262_144  # bytes
_MOST_TIMES: Final = 200  # a packed trace unpacks to 10 to 30 times its size
_ALWAYS: Final = 16_000_000  # bytes that any packed file may unpack to
_BLANKS: Final = re.compile(r"[ \t\r\n\ufeff]*")


def head_of_json(head: bytes) -> str | None:
    """First characters of a file that may be packed, or None where they are no text."""
    if head.startswith(GZIP_MAGIC):
        try:
            head = zlib.decompressobj(31).decompress(head, _PIECE)
        except zlib.error:
            return None
    encoding = encoding_of(head)
    return None if encoding is None else head.decode(encoding, errors="replace").lstrip("\ufeff \t\r\n")


class JsonText:
    """A window of text that moves forward.

    Attributes
    ----------
    text, at
        The window, and the place in it up to which everything was used.
    """

    def __init__(self, path: Path, progress: Progress | None = None, share_of_reading: float = 1.0) -> None:
        self.text = ""
        self.at = 0
        self._path = path
        self._progress = progress
        self._share_of_reading = share_of_reading
        self._hash = hashlib.sha256()
        self._before = 0  # characters before the window
        self._pieces = self._decoded()

    @property
    def left(self) -> int:
        """Characters of the window that are not used yet."""
        return len(self.text) - self.at

    @property
    def position(self) -> int:
        """Characters of the file that were used."""
        return self._before + self.at

    @property
    def digest(self) -> str:
        """SHA-256 of what was read."""
        return self._hash.hexdigest()

    def fill(self) -> bool:
        """Take in more text; False at the end of the file."""
        pieces = []
        wanted = max(self.left, 1)  # twice as much each time, so that a long value is tried only a few times
        while wanted > 0 and (piece := next(self._pieces, "")):
            pieces.append(piece)
            wanted -= len(piece)
        if not pieces:
            return False
        self._before += self.at
        self.text = self.text[self.at :] + "".join(pieces)
        self.at = 0
        return True

    def peek(self) -> str:
        """Next character that is no blank, without using it; empty at the end."""
        while True:
            match = _BLANKS.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.fill():
                return ""

    def skip(self, count: int) -> None:
        """Use some characters of the window."""
        self.at += count

    def find(self, marks: re.Pattern[str]) -> str:
        """Use everything up to and with the next mark, and return it; empty at the end."""
        while True:
            match = marks.search(self.text, self.at)
            if match is not None:
                self.at = match.end()
                return match.group()
            self.at = len(self.text)
            if not self.fill():
                return ""

    def drain(self) -> None:
        """Read to the end for the hash alone."""
        self.text, self.at = "", 0
        for _ in self._pieces:
            pass

    def _decoded(self) -> Iterator[str]:
        decoder: codecs.IncrementalDecoder | None = None
        for piece in self._unpacked():
            if decoder is None:
                encoding = encoding_of(piece)
                if encoding is None:
                    raise MeasurementError(f"{self._path}: this is a binary file, not JSON.")
                decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
            if text := decoder.decode(piece):
                yield text

    def _unpacked(self) -> Iterator[bytes]:
        unpacker = None
        packed = made = 0
        for number, piece in enumerate(self._raw()):
            packed += len(piece)
            if number == 0 and piece.startswith(GZIP_MAGIC):
                unpacker = zlib.decompressobj(31)
            if unpacker is None:
                yield piece
                continue
            waiting = piece
            while waiting and not unpacker.eof:
                try:
                    out = unpacker.decompress(waiting, _PIECE)
                except zlib.error as error:
                    raise MeasurementError(
                        f"{self._path}: the gzip archive is damaged ({error}). Copy or pack it again."
                    ) from None
                waiting = unpacker.unconsumed_tail
                made += len(out)
                if made > max(_ALWAYS, _MOST_TIMES * packed):
                    raise MeasurementError(
                        f"{self._path}: the gzip archive unpacks to more than {_MOST_TIMES} times its size. "
                        "Unpack it yourself and give the JSON in it if you trust it."
                    )
                if out:
                    yield out

    def _raw(self) -> Iterator[bytes]:
        try:
            size = max(self._path.stat().st_size, 1)
            count = 0
            with self._path.open("rb") as file:
                while piece := file.read(_PIECE):
                    self._hash.update(piece)
                    count += len(piece)
                    if self._progress is not None and not self._progress(
                        min(count / size, 1.0) * self._share_of_reading
                    ):
                        raise MeasurementCancelled(f"{self._path}: reading was cancelled.")
                    yield piece
        except OSError as error:
            raise MeasurementError(f"{self._path}: cannot be read ({error.strerror or error}).") from None

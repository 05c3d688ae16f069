"""The container: blocks one after another, each a header, its payload, and in the payload one message after another.

Layout (integers are little-endian, 32 bits, signed)::

    "NVR" NUL
    length, file header               1 version
    until the end of the file:
        length, block header          1 sources, 2 results, 3 session, 4 names {1 text}, 5 payload size, 7 ranges
        payload                       (length, message) for each source, then each result, then each range

The container is described in the profiler's customization guide. The field numbers were checked value by value
against reports of known kernels, of versions 2020.3 to 2024.3. The names of the metrics are numbered through all
blocks: a block appends to what the blocks before it gave. Only lengths are trusted, and they only as far as the file
reaches.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from plugins_builtin._ncu_report.wire import VARINT, WireError, fields

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["KNOWN_VERSION", "REPORT_MAGIC", "Block", "Damage", "file_version", "results_of", "walk"]

REPORT_MAGIC: Final = b"NVR\0"
KNOWN_VERSION: Final = 7
"""Version that the file header of every report seen so far gives."""

_LENGTH: Final = struct.Struct("<i")
_LONGEST_FILE_HEADER: Final = 65_536  # bytes
_MOST_IDLE: Final = 10_000  # blocks in a row that hold nothing at all


class Damage(Exception):
    """The rest of the file cannot be read; the text completes "The file …"."""


class Block(NamedTuple):
    """One block.

    Attributes
    ----------
    header
        Its header, for the session and the names in it.
    sources, results, ranges
        Messages that it announces; believed only as far as the payload reaches.
    start, stop
        Where the payload stands in the file, as far as the file goes.
    cut
        Whether the file ends before the payload does.
    """

    header: bytes
    sources: int
    results: int
    ranges: int
    start: int
    stop: int
    cut: bool


def file_version(stream: BinaryIO, size: int) -> int:
    """Read the file header and leave the stream at the first block.

    Raises
    ------
    Damage
        The file ends within its header, or its header is none.
    """
    stream.seek(len(REPORT_MAGIC))
    length = _length(stream, size)
    if length is None or length > _LONGEST_FILE_HEADER:
        raise Damage("ends within its header" if length is None else "has no file header")
    version = 0
    try:
        for number, kind, value, _ in fields(stream.read(length)):
            if (number, kind) == (1, VARINT):
                version = value
    except WireError as error:
        raise Damage(f"has a damaged file header ({error})") from None
    return version


def walk(stream: BinaryIO, size: int) -> Iterator[Block]:
    """Walk the blocks of a file, from the first on.

    Raises
    ------
    Damage
        The file is cut off or damaged here; the blocks before are good.
    """
    file_version(stream, size)
    at = stream.tell()
    idle = 0
    while at < size:
        stream.seek(at)
        length = _length(stream, size)
        if length is None:
            raise Damage("is cut off")
        if length == 0:
            raise Damage("is damaged (a block without a header)")
        block = _block(stream.read(length), stream.tell(), size)
        yield block
        if block.cut:
            raise Damage("is cut off")
        idle = 0 if block.results or block.sources or len(block.header) > 8 else idle + 1
        if idle > _MOST_IDLE:
            raise Damage("is damaged (nothing but empty blocks)")
        at = block.stop


def _length(stream: BinaryIO, size: int) -> int | None:
    """Next length, or None where it or what it announces does not fit into the file.

    Raises
    ------
    Damage
        The length is negative.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length < 0:
        raise Damage("is damaged (a negative length)")
    return int(length) if length <= size - stream.tell() else None


def _block(header: bytes, start: int, size: int) -> Block:
    counts = {1: 0, 2: 0, 5: 0, 7: 0}
    try:
        for number, kind, value, _ in fields(header):
            if number in counts and kind == VARINT:
                counts[number] = value
    except WireError as error:
        raise Damage(f"is damaged (the header of a block has {error})") from None
    stop = min(start + counts[5], size)
    return Block(header, counts[1], counts[2], counts[7], start, stop, start + counts[5] > size)


def results_of(stream: BinaryIO, block: Block, longest: int) -> Iterator[bytes]:
    """Walk the results of a block; its sources are passed over by their lengths.

    A result of more than ``longest`` bytes, as a compressed file can hold, is given as an empty one.

    Raises
    ------
    Damage
        A message does not fit into the payload.
    """
    at = block.start
    wanted = block.sources + block.results
    passed = 0
    while passed < wanted and at < block.stop:
        stream.seek(at)
        head = stream.read(_LENGTH.size)
        length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else -1
        at += _LENGTH.size
        if not 0 <= length <= block.stop - at:
            raise Damage(
                "is cut off" if block.cut else "is damaged (a result that does not fit into its block)"
            )
        if passed >= block.sources:
            yield stream.read(length) if length <= longest else b""
        at += length
        passed += 1

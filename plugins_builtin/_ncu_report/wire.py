"""The protobuf wire format, as much of it as a report needs, over bytes that may be hostile.

A message is a row of fields, each a key (number and wire type) and a value; nested messages are byte ranges that the
caller looks into if it wants to. So nothing here calls itself, nothing is copied before it is wanted, and a field that
reaches beyond its message is an error and never a read elsewhere.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "BYTES",
    "FIXED32",
    "FIXED64",
    "VARINT",
    "Field",
    "Scalar",
    "WireError",
    "fields",
    "scalar",
    "text",
    "varint",
]

VARINT: Final = 0
FIXED64: Final = 1
BYTES: Final = 2
FIXED32: Final = 5

Field = tuple[int, int, int, int]
"""Number, wire type, then the value (of a varint) or the start of the bytes, then where the field ends."""

Scalar = int | float | str

_MOST_FIELDS: Final = 200_000  # of one message; the fullest seen has some 1,300
_LONGEST_VARINT: Final = 10  # bytes
_WIDTHS: Final = {FIXED64: 8, FIXED32: 4}
_UINT64: Final = (1 << 64) - 1
_DOUBLE: Final = struct.Struct("<d")
_FLOAT: Final = struct.Struct("<f")


class WireError(ValueError):
    """Bytes that are no message."""


def varint(data: bytes, at: int, stop: int) -> tuple[int, int]:
    """Read the whole number at ``at``, and say where it ends.

    Raises
    ------
    WireError
        It reaches beyond ``stop``, or is longer than any 64-bit number.
    """
    value = shift = 0
    for place in range(at, min(stop, at + _LONGEST_VARINT)):
        byte = data[place]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & _UINT64, place + 1
        shift += 7
    raise WireError("a number without an end")


def fields(data: bytes, start: int = 0, stop: int | None = None) -> Iterator[Field]:
    """Walk the fields of one message.

    Raises
    ------
    WireError
        As soon as a field does not fit; the fields before it have been given by then.
    """
    end = len(data) if stop is None else stop
    at = start
    for _ in range(_MOST_FIELDS):
        if at >= end:
            return
        # Most keys and lengths are one byte, and there are millions of them in a large report.
        key, at = (data[at], at + 1) if data[at] < 0x80 else varint(data, at, end)
        number, kind = key >> 3, key & 7
        if number == 0:
            raise WireError("a field without a number")
        if kind == VARINT:
            value, at = varint(data, at, end)
            yield number, kind, value, at
            continue
        if kind == BYTES:
            length, at = (data[at], at + 1) if at < end and data[at] < 0x80 else varint(data, at, end)
        elif kind in _WIDTHS:
            length = _WIDTHS[kind]
        else:
            raise WireError(f"a field of wire type {kind}")
        if length > end - at:
            raise WireError("a field that reaches beyond its message")
        yield number, kind, at, at + length
        at += length
    if at < end:
        raise WireError(f"a message of more than {_MOST_FIELDS:,} fields")


def text(data: bytes, start: int, stop: int, longest: int) -> str:
    """Text of at most ``longest`` bytes, an ellipsis in place of the rest; bytes that are no UTF-8 are replaced."""
    found = data[start : min(stop, start + longest)].decode("utf-8", errors="replace")
    return f"{found}…" if stop - start > longest else found


def scalar(data: bytes, start: int, stop: int, longest: int = 200) -> Scalar | None:
    """Value of a metric or attribute: 1 text, 2 float, 3 double, 4 and 5 whole numbers; None where it has none."""
    found: Scalar | None = None
    for number, kind, value, end in fields(data, start, stop):
        if number == 1 and kind == BYTES:
            found = text(data, value, end, longest)
        elif number == 2 and kind == FIXED32:
            found = float(_FLOAT.unpack_from(data, value)[0])
        elif number == 3 and kind == FIXED64:
            found = float(_DOUBLE.unpack_from(data, value)[0])
        elif number in (4, 5) and kind == VARINT:
            found = value
    return found

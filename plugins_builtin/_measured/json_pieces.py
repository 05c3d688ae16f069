"""JSON documents of any size, piece by piece: the items of one array are given out one after the other.

A trace of some hundred megabytes is never held as a whole: at a time there is one piece of text, and one item of the
array. Values that nobody asked for are passed over without being built.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._measured.json_text import JsonText

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rooflinestudio.plugins import Progress

__all__ = ["JsonPieces"]

_LONGEST_ITEM: Final = 1_000_000  # characters; an event with its call stack has some thousand
_MOST_REST: Final = 200  # other values of the document that are kept,
_LONGEST_REST: Final = 300_000  # and characters of all of them
_MARKS: Final = re.compile(r'["\[\]{}]')
_STRING_END: Final = re.compile(r'["\\]')
_DECODER: Final = json.JSONDecoder(strict=False)


class _BrokenError(Exception):
    """The text is no JSON from here on; the message says why."""


class JsonPieces:
    """Items of one array of a JSON document.

    Parameters
    ----------
    path
        The file, plain or packed with gzip.
    array
        Key of the array at the top of the document; a document that is an array itself counts as that array.
    progress
        Called with the share read, 0 to 1; False cancels.
    share_of_reading
        Part of the progress that is done when the last item was read.

    Attributes
    ----------
    rest
        The other values at the top of the document that came before the end or the damage; None for those that are
        too large to keep.
    problem
        What was wrong with the text, with its place, or empty. Items before that place were given out.
    given
        Items that were given out.
    too_large
        Items and values that were longer than the limit and passed over.
    digest
        SHA-256 of the file, after the last item.
    """

    def __init__(
        self, path: Path, array: str, progress: Progress | None = None, share_of_reading: float = 1.0
    ) -> None:
        self._text = JsonText(path, progress, share_of_reading)
        self._array = array
        self.rest: dict[str, Any] = {}
        self.problem = ""
        self.given = 0
        self.too_large = 0
        self.found_array = False
        self._kept = 0

    @property
    def digest(self) -> str:
        return self._text.digest

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._document()
        except _BrokenError as error:
            self.problem = f"{error} at character {self._text.position + 1:,}"
            self._text.drain()

    def _document(self) -> Iterator[Any]:
        mark = self._text.peek()
        if mark == "[":
            yield from self._items()
        elif mark == "{":
            yield from self._members()
        else:
            raise _BrokenError("expected { or [")
        if self._text.peek():
            raise _BrokenError("unexpected text behind the document")

    def _members(self) -> Iterator[Any]:
        self._text.skip(1)
        if self._text.peek() == "}":
            self._text.skip(1)
            return
        while True:
            key = self._value()
            if not isinstance(key, str):
                raise _BrokenError("expected the name of a member")
            self._expect(":")
            if key == self._array and self._text.peek() == "[":
                yield from self._items()
            else:
                began = self._text.position
                value = self._value()
                self._kept += self._text.position - began
                if len(self.rest) < _MOST_REST:
                    self.rest.setdefault(key, value if self._kept <= _LONGEST_REST else None)
            if self._expect(",}") == "}":
                return

    def _items(self) -> Iterator[Any]:
        self.found_array = True
        self._text.skip(1)
        if self._text.peek() == "]":
            self._text.skip(1)
            return
        while True:
            item = self._value()
            self.given += 1
            yield item
            if self._expect(",]") == "]":
                return

    def _expect(self, marks: str) -> str:
        mark = self._text.peek()
        if not mark or mark not in marks:
            raise _BrokenError(
                f"expected {' or '.join(marks)}" if mark else "the file is cut off: the text ends"
            )
        self._text.skip(1)
        return mark

    def _value(self) -> Any:
        """Next value; None for one that is too long."""
        if not self._text.peek():
            raise _BrokenError("the file is cut off: the text ends")
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text.text, self._text.at)
            except RecursionError:
                raise _BrokenError("nested too deeply") from None
            except ValueError as error:  # cut by the end of the piece, too long a number, or wrong
                if self._more():
                    continue
                if self._text.left > _LONGEST_ITEM:
                    return self._passed_over()
                raise _BrokenError(str(error).partition(":")[0]) from None
            if end == len(self._text.text) and self._more():
                continue  # a number may go on
            self._text.skip(end - self._text.at)
            return value

    def _more(self) -> bool:
        return self._text.left <= _LONGEST_ITEM and self._text.fill()

    def _passed_over(self) -> None:
        """Go to the end of a value without building it."""
        self.too_large += 1
        depth = 0
        if self._text.peek() not in '"[{':
            raise _BrokenError("expected a value")
        while True:
            mark = self._text.find(_MARKS)
            if not mark:
                raise _BrokenError("the file is cut off: the text ends")
            if mark == '"':
                self._string()
            else:
                depth += 1 if mark in "[{" else -1
            if depth <= 0:
                return

    def _string(self) -> None:
        while (mark := self._text.find(_STRING_END)) == "\\":
            if not self._text.left:
                self._text.fill()
            self._text.skip(1)
        if not mark:
            raise _BrokenError("the file is cut off: the text ends")

"""YAML from strangers into plain values, with the line of every value and with every fault, not only the first.

Built from parser events rather than by a loader: nothing is constructed, nothing recurses, an alias is never followed,
and dates stay text. The scalars are those of YAML 1.2 (``1e12`` is a number, ``no`` is a word).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["Fault", "Place", "YamlText", "plain_scalar", "read_yaml_text"]

Place = tuple[str | int, ...]
"""Keys and indices from the top of a document down to a value."""

MAX_DEPTH: Final = 24
MAX_VALUES: Final = 10_000

_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,300}")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WORDS: Final[dict[str, bool | None]] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_PLAIN_TAGS: Final = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq", "!")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where in the document, on which line (0: not known), and what, with the mend."""

    place: Place
    line: int
    text: str


@dataclass
class YamlText:
    """A document that was read as far as it could be.

    Attributes
    ----------
    value
        Mappings, lists, texts, numbers, booleans and None; None where nothing could be read.
    lines
        Line, from 1, of each value by its place.
    faults
        Syntax error, keys given twice, aliases, tags: in the order of the file.
    complete
        False where reading had to stop before the end.
    """

    value: Any = None
    lines: dict[Place, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    complete: bool = True

    def line(self, place: Place) -> int:
        """Return the line of a value, or of the nearest one around it; 0 where none is known."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 0)


def read_yaml_text(text: str, *, max_depth: int = MAX_DEPTH, max_values: int = MAX_VALUES) -> YamlText:
    """Read one document. Never raises for what the text says: all complaints are in ``faults``."""
    import yaml

    result = YamlText()
    builder = _Builder(result, max_depth=max_depth, max_values=max_values)
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if not builder.take(event):
                break
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else 0
        result.faults.append(
            Fault((), line, f"cannot be read as YAML: {error.problem}. Is the file complete?")
        )
        result.value, result.complete = None, False
    except (yaml.YAMLError, ValueError) as error:  # ReaderError: characters that no text file has
        result.faults.append(Fault((), 0, f"is no text in YAML: {str(error).splitlines()[0]}."))
        result.value, result.complete = None, False
    return result


class _Open:
    """A mapping or list that is being read."""

    __slots__ = ("key", "keys", "place", "target")

    def __init__(self, target: dict[str, Any] | list[Any], place: Place) -> None:
        self.target = target
        self.place = place
        self.key: str | None = None
        self.keys: set[str] = set()


class _Builder:
    def __init__(self, result: YamlText, *, max_depth: int, max_values: int) -> None:
        self._result = result
        self._max_depth, self._max_values = max_depth, max_values
        self._open: list[_Open] = []
        self._values = 0
        self._documents = 0

    def take(self, event: Any) -> bool:
        """Add one event; False ends the reading."""
        kind = type(event).__name__
        if kind == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1:
                return self._stop(event, "holds a second document (---). Keep one document per file.")
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            return self._begin(event, {} if kind == "MappingStartEvent" else [])
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._open.pop()
        elif kind == "ScalarEvent":
            return self._scalar(event)
        elif kind == "AliasEvent":
            text = f"is an alias (*{event.anchor}), which is not read here. Write the value out."
            if self._expects_key():
                return self._stop(event, text)
            self._fault(event, text)
            return self._add(event, None)
        return True

    def _begin(self, event: Any, target: dict[str, Any] | list[Any]) -> bool:
        if self._expects_key():
            return self._stop(event, "has a list or mapping as a key. Write a name as the key.")
        if len(self._open) >= self._max_depth:
            return self._stop(event, f"is nested deeper than {self._max_depth} levels.")
        self._refuse_tag(event)
        place = self._next_place()
        if not self._add(event, target):
            return False
        self._open.append(_Open(target, place))
        return True

    def _scalar(self, event: Any) -> bool:
        if self._expects_key():
            top, key = self._open[-1], event.value
            top.key = key
            if key in top.keys:
                place = (*top.place, key)
                first = self._result.line(place)
                self._fault(event, f"is given twice, first on line {first}. Keep one of the two.", place)
            top.keys.add(key)
            return True
        self._refuse_tag(event)
        return self._add(event, plain_scalar(event.value) if event.implicit[0] else event.value)

    def _add(self, event: Any, value: Any) -> bool:
        self._values += 1
        if self._values > self._max_values:
            return self._stop(event, f"has more than {self._max_values} values. Is it the right file?", ())
        place = self._next_place()
        first = place not in self._result.lines
        self._result.lines.setdefault(place, event.start_mark.line + 1)
        if not self._open:
            self._result.value = value
            return True
        top = self._open[-1]
        if isinstance(top.target, list):
            top.target.append(value)
        elif top.key is not None:
            if first:  # of a key given twice the first counts
                top.target[top.key] = value
            top.key = None
        return True

    def _expects_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].target, dict) and self._open[-1].key is None

    def _next_place(self) -> Place:
        if not self._open:
            return ()
        top = self._open[-1]
        return (*top.place, len(top.target) if isinstance(top.target, list) else top.key or "")

    def _refuse_tag(self, event: Any) -> None:
        if event.tag is not None and event.tag not in _PLAIN_TAGS:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._fault(event, f"has the tag {tag!r}, which is not read here. Leave it out.")

    def _fault(self, event: Any, text: str, place: Place | None = None) -> None:
        where = self._next_place() if place is None else place
        self._result.faults.append(Fault(where, event.start_mark.line + 1, text))

    def _stop(self, event: Any, text: str, place: Place | None = None) -> bool:
        self._fault(event, text, place)
        self._result.complete = False
        return False


def plain_scalar(text: str) -> Any:
    """Return what a plain scalar means: None, a boolean, a number, or the text itself (dates too)."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", "", 1))
    return text

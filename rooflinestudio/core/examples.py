"""The example studies that come with the studio: what there is, and how one becomes a study.

The files hold no profiles: they name machines by id, and whoever opens one puts the shipped profiles in
(:func:`with_machines`). Only the index is read to list them; a study is read when it is asked for.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudyFileError, UnavailableError
from rooflinestudio.core.study import PluginRef, Study
from rooflinestudio.core.study_files import study_from_text
from rooflinestudio.core.yaml_files import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.resources.abc import Traversable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import EstimateSource
    from rooflinestudio.core.study import Entry

__all__ = [
    "KINDS", "Example", "ExampleGroup", "example_groups", "example_ids", "find_example", "load_example", "machines_of",
    "matching", "with_machines", "with_origins",
]  # fmt: skip

FORMAT: Final = "rooflinestudio-examples/1"
FOLDER: Final = "example_studies"
KINDS: Final = ("canvas", "compare", "grid", "fusion", "budget", "sweep", "serving", "measured")
"""What an example shows in front."""

_INDEX: Final = "index.yaml"
_LIMIT_BYTES: Final = 2**20


@dataclass(frozen=True, slots=True)
class Example:
    """One example study, not yet read.

    Attributes
    ----------
    id
        Name of its file and on the command line (``figure-07``).
    refers
        What in the article it follows (``Figure 7``).
    title, line
        A few words, and one sentence on what is to be seen.
    shows
        One of :data:`KINDS`.
    article, group
        Under which heads it is listed.
    """

    id: str
    refers: str
    title: str
    line: str
    shows: str
    article: str
    group: str


@dataclass(frozen=True, slots=True)
class ExampleGroup:
    """Examples of one article about one subject, in reading order."""

    article: str
    title: str
    examples: tuple[Example, ...]


@cache
def example_groups() -> tuple[ExampleGroup, ...]:
    """List the examples by article and subject; only the index is read, once per process.

    Raises
    ------
    StudyFileError
        If the index is not what it should be.
    """
    document: Any = read_yaml(_text(_INDEX), name=_INDEX, limit_bytes=_LIMIT_BYTES).value
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise StudyFileError(f"{_INDEX} is no list of examples: it does not begin with 'format: {FORMAT}'.")
    return tuple(_group(one) for one in document["groups"])


def _group(one: Mapping[str, Any]) -> ExampleGroup:
    article, title = str(one["article"]), str(one["title"])
    examples = tuple(
        Example(
            str(each["id"]),
            str(each["refers"]),
            str(each["title"]),
            str(each["line"]),
            str(each["shows"]),
            article,
            title,
        )
        for each in one["examples"]
    )
    return ExampleGroup(article, title, examples)


def example_ids() -> tuple[str, ...]:
    """Return the ids of all examples, in reading order."""
    return tuple(one.id for group in example_groups() for one in group.examples)


def find_example(id_: str) -> Example:
    """Return the example of an id; capitals and spaces make no difference.

    Raises
    ------
    StudyFileError
        If there is none, with the nearest.
    """
    wanted = "-".join(id_.lower().split())
    for group in example_groups():
        for one in group.examples:
            if one.id == wanted:
                return one
    close = difflib.get_close_matches(wanted, example_ids(), n=1, cutoff=0.4)
    hint = f"Did you mean {close[0]!r}?" if close else f"There are {', '.join(example_ids())}."
    raise StudyFileError(f"No example is called {id_!r}. {hint}")


def matching(text: str, groups: Iterable[ExampleGroup] | None = None) -> tuple[ExampleGroup, ...]:
    """Return the groups with only the examples that have every word of a text somewhere; empty groups are left out."""
    words = text.lower().split()
    found = []
    for group in example_groups() if groups is None else groups:
        kept = tuple(one for one in group.examples if all(word in _haystack(one) for word in words))
        if kept:
            found.append(replace(group, examples=kept))
    return tuple(found)


def _haystack(one: Example) -> str:
    return " ".join((one.id, one.refers, one.title, one.line, one.shows, one.article, one.group)).lower()


def load_example(id_: str) -> Study:
    """Read an example; its machines are named and not yet there, see :func:`with_machines`.

    Raises
    ------
    StudyFileError
        If there is none of this id, or its file cannot be read.
    """
    example = find_example(id_)
    name = f"{example.id}.yaml"
    return study_from_text(_text(name), name=name)


def machines_of(study: Study) -> tuple[str, ...]:
    """Return the ids of all machines that a study names, those of the view first, each once."""
    grid, serving = study.panels.get("grid", {}), study.panels.get("serving", {})
    named = [*study.view.machines]
    for entry in study.entries:
        named += entry.machines or ()
    named += [one for one in grid.get("machines", ()) if isinstance(one, str)]
    named += [one for key in ("prefill_on", "decode_on") if isinstance(one := serving.get(key), str)]
    return tuple(dict.fromkeys(named))


def with_machines(study: Study, profiles: Iterable[HardwareProfile]) -> Study:
    """Return the study with copies of the machines that it names, as every study of the user has them."""
    known = {one.id: one for one in profiles}
    return replace(study, profiles={id_: known[id_] for id_ in machines_of(study) if id_ in known})


def with_origins(study: Study, source: EstimateSource) -> Study:
    """Return the study with the plugin noted that each operator comes from, as for entries that the user places."""
    return replace(study, entries=tuple(_with_origin(one, source) for one in study.entries))


def _with_origin(entry: Entry, source: EstimateSource) -> Entry:
    try:
        origin = source.origin(entry.operator)
    except UnavailableError:
        return entry  # a chain of the study, or an operator that is not there: its row says so
    return replace(entry, plugin=PluginRef(origin.plugin, origin.version))


def _text(name: str) -> str:
    from importlib.resources import files

    file: Traversable = files(FOLDER) / name
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyFileError(f"The example file {name} cannot be read: {error.strerror or error}.") from None

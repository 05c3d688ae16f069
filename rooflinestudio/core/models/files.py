"""Model cards as YAML, and the files that a path can name: a card, or a ``config.json``."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, get_args

from rooflinestudio.core.hardware import Figure, Provenance
from rooflinestudio.core.models.cards import FORMAT, ModelCard, ModelCardError
from rooflinestudio.core.models.checks import SHAPE, Complaint, Rule, card_of, check_table

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rooflinestudio.core.yaml_text import Fault, YamlText

__all__ = ["MAX_BYTES", "card_from_text", "read_model_file", "refused"]

MAX_BYTES: Final = 1_000_000
"""A config of the largest models has a few thousand bytes; a list of per-layer settings, tens of thousands."""

_SHOWN: Final = 20
_ID: Final = re.compile(r"[a-z0-9][a-z0-9.-]{0,80}")
_NEEDED: Final = Rule(str, needed=True)
_TOP: Final = MappingProxyType({
    "format": Rule(str, choices=(FORMAT,), needed=True), "id": _NEEDED, "name": _NEEDED,
    "checkpoint": Rule(str), "model_type": Rule(str), "license": Rule(str),
})  # fmt: skip
_ORIGIN: Final = MappingProxyType({
    "provenance": Rule(str, choices=get_args(Provenance), needed=True), "condition": Rule(str), "date": Rule(str),
    "note": Rule(str),
})  # fmt: skip
_PUBLISHED: Final = MappingProxyType({**_ORIGIN, "value": Rule(int, low=1, high=10**16, needed=True)})
_SOURCE: Final = MappingProxyType({"title": _NEEDED, "address": Rule(str)})
_SECTIONS: Final = ("shape", "origin", "origins", "parameters", "sources", "notes")


def read_model_file(path: Path) -> ModelCard:
    """Read a card or a ``config.json``; which of them it is follows from the name.

    Raises
    ------
    ModelCardError
        If the file cannot be read or used; it names every fault.
    """
    if not path.is_file():
        raise ModelCardError(f"{path} is no file. Give the path of a config.json, or of its folder.")
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ModelCardError(
            f"{path.name} cannot be read: {error.strerror}. Check the path {path}."
        ) from None
    if len(data) > MAX_BYTES:
        raise ModelCardError(
            f"{path.name} is larger than {MAX_BYTES} bytes. Is it the description of a model?"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelCardError(
            f"{path.name}: byte {data[error.start]:#04x} at {error.start} is no UTF-8 text. Is it a config.json?"
        ) from None
    if path.suffix.lower() in (".yaml", ".yml"):
        return card_from_text(text, name=path.name)
    from rooflinestudio.core.models.configs import card_from_config

    return card_from_config(text, name=path.name, id_=str(path))


def card_from_text(text: str, *, name: str) -> ModelCard:
    """Read a card from YAML.

    Parameters
    ----------
    name
        File name for the messages.

    Raises
    ------
    ModelCardError
        With every fault: line, place, value and mend.
    """
    from rooflinestudio.core.yaml_text import read_yaml_text

    if len(text) > MAX_BYTES:
        raise ModelCardError(f"{name} has {len(text)} characters; a model card has at most {MAX_BYTES}.")
    read = read_yaml_text(text.removeprefix("\ufeff"))
    complaints: list[Complaint] = []
    card = None
    if isinstance(read.value, dict):
        card = _card(read.value, complaints)
    elif read.complete:
        complaints.append(Complaint((), f"is no mapping of names. Start it with 'format: {FORMAT}'."))
    if card is None or complaints or read.faults:
        raise refused(name, complaints, read.faults, read)
    return card


def refused(
    name: str, complaints: Iterable[Complaint], faults: Iterable[Fault] = (), read: YamlText | None = None
) -> ModelCardError:
    """Return the error that names every fault of a file, in the order of its lines."""
    found = [(fault.line, fault.place, fault.text) for fault in faults]
    told = {place for _, place, _ in found}
    for place, text in complaints:
        if place not in told:
            found.append((read.line(place) if read is not None else 0, place, text))
    found.sort(key=lambda one: one[0])
    lines = tuple(
        f"{name}{f', line {line}' if line else ''}: {'.'.join(map(str, place)) or 'the document'} {text}"
        for line, place, text in found
    )
    if len(lines) == 1:
        return ModelCardError(lines[0], lines)
    more = f"\n… and {len(lines) - _SHOWN} more." if len(lines) > _SHOWN else ""
    shown = "\n".join(f"- {line}" for line in lines[:_SHOWN])
    return ModelCardError(f"{name} has {len(lines)} faults:\n{shown}{more}", lines)


def _card(document: dict[str, Any], complaints: list[Complaint]) -> ModelCard | None:
    top = check_table(
        {name: value for name, value in document.items() if name not in _SECTIONS}, _TOP, (), complaints
    )
    if "id" in top and not _ID.fullmatch(top["id"]):
        text = f"is {top['id']!r}; write lower-case letters, digits, dots and hyphens, such as 'llama-3-8b'."
        complaints.append(Complaint(("id",), text))
    sources = _sources(document.get("sources") or {}, complaints)
    origins = _origins(document, sources, complaints)
    published = None
    if document.get("parameters") is not None:
        published = _origin(document["parameters"], _PUBLISHED, ("parameters",), sources, complaints)
        origins["published_parameters"] = published
    notes = _notes(document.get("notes") or [], complaints)
    if document.get("shape") is None:
        complaints.append(
            Complaint(("shape",), "is missing. Write the layers, the width and so on under it.")
        )
        return None
    return card_of(
        document["shape"],
        complaints,
        id=top.get("id", ""),
        name=top.get("name", ""),
        checkpoint=top.get("checkpoint", ""),
        model_type=top.get("model_type", ""),
        license=top.get("license", ""),
        published_parameters=int(published.value) if published is not None else None,
        origins=MappingProxyType(origins),
        sources=MappingProxyType(sources),
        notes=notes,
    )


def _sources(table: Any, complaints: list[Complaint]) -> dict[str, str]:
    if not isinstance(table, dict):
        complaints.append(Complaint(("sources",), "must be a mapping from a key to the title of a document."))
        return {}
    result = {}
    for key, value in table.items():
        source = {"title": value} if isinstance(value, str) else value
        good = check_table(source, _SOURCE, ("sources", key), complaints)
        result[key] = (
            f"{good.get('title', '')} ({good['address']})" if "address" in good else good.get("title", "")
        )
    return result


def _origins(
    document: dict[str, Any], sources: dict[str, str], complaints: list[Complaint]
) -> dict[str, Figure]:
    result = {}
    if document.get("origin") is None:
        text = "is missing. Say where the figures under shape come from, such as {provenance: published, source: …}."
        complaints.append(Complaint(("origin",), text))
    else:
        result["*"] = _origin(document["origin"], _ORIGIN, ("origin",), sources, complaints)
    others = document.get("origins") or {}
    if not isinstance(others, dict):
        complaints.append(Complaint(("origins",), "must be a mapping from a figure to where it comes from."))
        return result
    for name, value in others.items():
        if name not in SHAPE:
            text = f"is no figure under shape. Known are {', '.join(SHAPE)}."
            complaints.append(Complaint(("origins", name), text))
        else:
            result[name] = _origin(value, _ORIGIN, ("origins", name), sources, complaints)
    return result


def _origin(
    value: Any, rules: Any, place: tuple[str, ...], sources: dict[str, str], complaints: list[Complaint]
) -> Figure:
    keys: Any = []
    if isinstance(value, dict) and "source" in value:
        value = dict(value)
        keys = value.pop("source")
    good = check_table(value, rules, place, complaints)
    titles = []
    for key in keys if isinstance(keys, list) else [keys]:
        if not isinstance(key, str) or key not in sources:
            text = f"names {str(key)[:60]!r}, which is not under sources. Add it there."
            complaints.append(Complaint((*place, "source"), text))
        else:
            titles.append(sources[key])
    if "provenance" not in good:
        good["provenance"] = "assumed"  # a complaint has been made; nothing is built from it
    return Figure(
        float(good.pop("value", 0)), good["provenance"], good.get("condition", ""), "; ".join(titles),
        good.get("date", ""), good.get("note", ""),
    )  # fmt: skip


def _notes(value: Any, complaints: list[Complaint]) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        complaints.append(Complaint(("notes",), "must be a list of texts."))
        return ()
    return tuple(value)

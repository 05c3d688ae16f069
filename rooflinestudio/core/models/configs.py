"""A model's shape from the ``config.json`` that is published beside its weights.

The file is a stranger's: it may be broken, huge, deeply nested or of a family that nobody here knows. What it does not
say is filled in by the rules of its family and told; what cannot be filled in is asked for.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.models.checks import Complaint, card_of
from rooflinestudio.core.models.files import MAX_BYTES, refused
from rooflinestudio.core.models.reading import ConfigReading

if TYPE_CHECKING:
    from rooflinestudio.core.models.cards import ModelCard

__all__ = ["card_from_config"]


def card_from_config(text: str, *, name: str, id_: str) -> ModelCard:
    """Read a ``config.json``.

    Parameters
    ----------
    name, id_
        File name for the messages; id of the card, such as its path.

    Raises
    ------
    ModelCardError
        If the text is no JSON object, or figures are missing or impossible; every fault is named.
    """
    complaints: list[Complaint] = []
    config = _parsed(text, complaints)
    card = None
    if config is not None:
        reading = ConfigReading(config, complaints)
        shape = reading.shape()
        if not complaints:
            card = card_of(shape, complaints, place=(), **reading.rest(name, id_))
    if card is None or complaints:
        raise refused(name, complaints)
    return card


def _parsed(text: str, complaints: list[Complaint]) -> dict[str, Any] | None:
    """Return the JSON object that a text holds, or None with a complaint."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(items)
        if len(table) < len(items):
            twice = next(key for at, (key, _) in enumerate(items) if key in dict(items[:at]))
            complaints.append(Complaint((twice,), "is given twice. Keep one of the two."))
        return table

    def constant(word: str) -> None:
        complaints.append(Complaint((), f"holds {word}, which is no number of JSON. Write a number."))

    if len(text) > MAX_BYTES:
        complaints.append(Complaint((), f"has {len(text)} characters, more than {MAX_BYTES}."))
        return None
    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        text = f"cannot be read as JSON: {error.msg}, line {error.lineno}. Is the file complete?"
        complaints.append(Complaint((), text))
        return None
    except RecursionError:
        complaints.append(Complaint((), "is nested too deeply. Is it a config.json?"))
        return None
    except ValueError:  # a whole number of thousands of digits
        complaints.append(Complaint((), "holds a number of thousands of digits. Is it a config.json?"))
        return None
    if not isinstance(value, dict):
        complaints.append(Complaint((), "is no JSON object. Give the config.json of a language model."))
        return None
    return value

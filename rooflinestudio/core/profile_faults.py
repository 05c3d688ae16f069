"""From pydantic's errors to sentences: line, place, value, mend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.profile_schema import (
    PROVENANCES,
    UNITS_BY_FIELD,
    AchievableModel,
    BoundaryModel,
    FigureModel,
    ProfileModel,
    RateModel,
    SourceModel,
)
from rooflinestudio.core.profile_values import EXAMPLES, FORMAT, near, word
from rooflinestudio.core.yaml_text import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import ValidationError

    from rooflinestudio.core.yaml_text import Place

__all__ = ["faults_of"]

_MISSING: Final = {
    "format": f"Write 'format: {FORMAT}'.",
    "id": "Give the machine an id, such as 'nvidia-h100-sxm5'.",
    "name": "Write the machine's full name, such as 'H100 SXM5 80 GB'.",
    "short_name": "Write a name that fits on a button, such as 'H100 SXM5'.",
    "vendor": "Write who makes it.",
    "architecture": "Write the architecture, such as 'Hopper GH100'.",
    "year": "Write the year it came out, such as 2022.",
    "reference_ceiling": "Name the ceiling that is shown beside every operator's own, such as bf16-tensor.",
    "ceilings": "Give at least one compute ceiling, such as 'fp32: {value: 66.9 TFLOP/s, provenance: published}'.",
    "boundaries": "Give at least one boundary, such as dram with its label and bandwidth.",
    "label": "Write the machine's own word for it, such as 'HBM3'.",
    "bandwidth": "Write for example '{value: 3.35 TB/s, provenance: published}'.",
    "provenance": f"Say where the figure comes from: {', '.join(PROVENANCES)}.",
    "title": "Write the title of the document.",
}
_WANTED: Final = {
    "string_type": "a text; put it into quotes",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping of names",
    "model_type": "a mapping",
}


def faults_of(error: ValidationError) -> Iterator[Fault]:
    """Yield what is wrong, in the order of the document's shape; lines are not known here."""
    for one in error.errors(include_url=False):
        loc = tuple(part for part in one["loc"] if part != "[key]")
        yield Fault(loc, 0, _sentence(one, loc))


def _sentence(error: Any, loc: Place) -> str:
    kind, value = error["type"], error.get("input")
    if kind == "refused":
        return str(error["ctx"]["text"])
    if kind == "missing":
        return f"is missing. {_missing(loc)}"
    if kind == "extra_forbidden":
        return f"is an unknown key. {near(str(loc[-1]), _known_keys(loc[:-1]))}"
    if kind == "literal_error":
        return f"is {value!r}. {near(str(value), PROVENANCES)}"
    if kind == "model_type" and _unit(loc) is not None:
        return (
            f"is {word(value)}, without provenance. Write '{{value: {_example(loc, value)}, provenance: …}}'."
        )
    if kind in _WANTED:
        return f"is {word(value)}, but must be {_WANTED[kind]}."
    if kind == "too_short" or (kind == "string_too_short"):
        return f"is empty. {_missing(loc)}"
    return f"is {word(value)}: {error['msg'][0].lower()}{error['msg'][1:]}."


def _missing(loc: Place) -> str:
    if loc and loc[-1] == "value":
        return f"Write it with its unit, such as '{EXAMPLES[_unit(loc) or '']}'."
    return _MISSING.get(str(loc[-1]) if loc else "", "Write it.")


def _unit(loc: Place) -> str | None:
    """Return the unit of the figure at or around a place; None where no figure stands."""
    return next((UNITS_BY_FIELD[str(part)] for part in reversed(loc) if part in UNITS_BY_FIELD), None)


def _example(loc: Place, value: Any) -> str:
    return str(value) if isinstance(value, str | int | float) else EXAMPLES[_unit(loc) or ""]


def _known_keys(parent: Place) -> list[str]:
    if not parent:
        model: Any = ProfileModel
    elif parent[0] == "sources":
        model = SourceModel
    elif parent[0] == "boundaries" and len(parent) == 2:
        model = BoundaryModel
    elif parent[0] == "ceilings" and len(parent) == 2:
        model = RateModel
    elif parent[-1] == "achievable":
        model = AchievableModel
    else:
        model = FigureModel
    return list(model.model_fields)

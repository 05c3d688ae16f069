"""The parameters of a kernel document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.custom.checks import name_fault
from rooflinestudio.core.custom.reading import nearest, shown
from rooflinestudio.core.operators import Parameter
from rooflinestudio.core.quantities import UNITS

if TYPE_CHECKING:
    from rooflinestudio.core.custom.reading import Reader
    from rooflinestudio.core.yaml_text import Place

__all__ = ["PARAMETER_KEYS", "parameters_of"]

PARAMETER_KEYS: Final = ("name", "label", "default", "low", "high", "unit", "choices", "integer", "help")
_MOST: Final = 32


def parameters_of(value: Any, reader: Reader) -> tuple[Parameter, ...]:
    """Read the list of parameters, noting every fault."""
    what = "Write '- {name: n, default: 4096}' for each parameter."
    items = reader.items(value, ("parameters",), what, most=_MOST)
    made = [_parameter(reader, one, ("parameters", at), what) for at, one in enumerate(items)]
    names = [one.get("name") if isinstance(one, Mapping) else None for one in items]
    for at, name in enumerate(names):
        if name is not None and name in names[:at]:
            reader.fault(("parameters", at, "name"), f"is {shown(name)} a second time. Rename one of them.")
    return tuple(one for one in made if one is not None)


def _parameter(reader: Reader, item: Any, place: Place, what: str) -> Parameter | None:
    table = reader.table(item, PARAMETER_KEYS, place, what)
    name = reader.text(table, "name", place, mend="Write the name that formulas use, such as n.")
    if name and (fault := name_fault(name)):
        reader.fault((*place, "name"), f"is {name!r}; it {fault}.")
    label = reader.text(table, "label", place) or name
    help_ = reader.text(table, "help", place) or label
    unit = reader.text(table, "unit", place)
    if unit not in UNITS:
        reader.fault((*place, "unit"), f"is {unit!r}. {nearest(unit, filter(None, UNITS))}")
    choices = reader.texts(table.get("choices"), (*place, "choices"), "Write a word.", most=_MOST, longest=40)
    default = table.get("default")
    if default is None:
        reader.fault((*place, "default"), "is missing. Write the value to start from, such as 4096.")
        return None
    if choices or isinstance(default, bool):
        _check_choice(reader, choices, default, table, place)
        return Parameter(name, label, default, choices=choices, help=help_) if name else None
    return _number(reader, name, (label, help_, unit), table, place)


def _check_choice(
    reader: Reader, choices: tuple[str, ...], default: Any, table: Mapping[str, Any], place: Place
) -> None:
    if choices and default not in choices:
        reader.fault(
            (*place, "default"),
            f"is {shown(default)}, which is none of its choices {', '.join(choices)}.",
        )
    if len(set(choices)) < len(choices):
        reader.fault((*place, "choices"), "name one twice. Keep one of the two.")
    for key in ("low", "high", "unit", "integer"):
        if key in table:
            kind = "choices" if choices else "true or false"
            reader.fault((*place, key), f"has no meaning for a parameter with {kind}. Leave it out.")


def _number(
    reader: Reader, name: str, texts: tuple[str, str, str], table: Mapping[str, Any], place: Place
) -> Parameter | None:
    label, help_, unit = texts
    if isinstance(table["default"], str):
        text = f"is the text {shown(table['default'])}. Write a plain number (8e9 for 8 billion), or give choices."
        reader.fault((*place, "default"), text)
        return None
    default = reader.number(table, "default", place)
    low, high = reader.number(table, "low", place), reader.number(table, "high", place)
    if default is None:
        return None
    low = min(1, default) if low is None and default >= 0 else low
    high = max(1e12, default) if high is None else high
    if low is None or low > high:
        reader.fault((*place, "low"), f"is {low}, above high = {high:g}." if low else "is missing. Write it.")
    elif not low <= default <= high:
        reader.fault(
            (*place, "default"),
            f"is {default:g}, outside its range {low:g} to {high:g}. Widen one of them.",
        )
    whole = reader.flag(table, "integer", place)
    if whole and default != int(default):
        reader.fault((*place, "default"), f"is {default:g}, but integer says that it is whole.")
    whole = default == int(default) and not unit if whole is None else whole
    return Parameter(name, label, default, unit, low or 0, high, help=help_, integer=whole) if name else None

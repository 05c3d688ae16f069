"""From a declared parameter to how it is edited: texts in and out, the scale of its slider, what is offered."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.quantities import UNITS, format_quantity, parse_quantity
from rooflinestudio.core.resolution import resolve_parameters
from rooflinestudio.ui.widgets.snapping import Scale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.operators import Operator, Parameter

__all__ = [
    "AUTO",
    "Group",
    "groups_of",
    "number_of",
    "problem_with",
    "reader_of",
    "scale_of",
    "suggestions_of",
    "text_of",
]

AUTO: Final = "auto"
_TILE_STEMS: Final = ("tile", "warp", "block", "cluster")
_TILES: Final = (16, 32, 64, 128, 192, 256, 512)
_PLAIN_BELOW: Final = 1e6


@dataclass(frozen=True, slots=True)
class Group:
    """What stands in one row: one parameter, or two sides of a tile."""

    label: str
    parameters: tuple[Parameter, ...]


def groups_of(parameters: tuple[Parameter, ...]) -> tuple[Group, ...]:
    """Return the rows of a form, in the order of the declaration; the two sides of a tile share one."""
    return tuple(_groups(parameters))


def _groups(parameters: tuple[Parameter, ...]) -> Iterator[Group]:
    at = 0
    while at < len(parameters):
        pair = parameters[at : at + 2]
        label = _pair_label(*pair) if len(pair) == 2 else ""
        if label:
            yield Group(label, pair)
            at += 2
        else:
            yield Group(parameters[at].label, (parameters[at],))
            at += 1


def _pair_label(first: Parameter, second: Parameter) -> str:
    """Return ``tile m × n`` for ``tile_m`` and ``tile_n``, or an empty text for what is no pair."""
    stem, _, side = first.name.rpartition("_")
    other_stem, _, other_side = second.name.rpartition("_")
    if not stem or stem != other_stem or stem.split("_")[0] not in _TILE_STEMS:
        return ""
    if any(isinstance(one.default, bool) or one.choices or one.open_choices for one in (first, second)):
        return ""
    words, other = first.label.rsplit(" ", 1), second.label.rsplit(" ", 1)
    if len(words) == 2 and len(other) == 2 and words[0] == other[0]:
        return f"{first.label} × {other[1]}"
    return f"{stem} {side} × {other_side}"


def reader_of(
    operator: Operator, parameter: Parameter, profile: HardwareProfile | None
) -> Callable[[str], Any]:
    """Return what reads a typed text: a number in any unit of the parameter, or ``auto``; it checks the range."""

    def read(text: str) -> Any:
        stripped = text.strip()
        if parameter.auto and stripped.lower() == AUTO:
            return AUTO
        number = _plain_number(stripped)
        value = resolve_parameters(
            operator, {parameter.name: stripped if number is None else number}, profile
        )[parameter.name]
        return int(value) if parameter.integer else float(value)

    return read


def _plain_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def problem_with(
    operator: Operator, parameter: Parameter, value: Any, profile: HardwareProfile | None
) -> str:
    """Return why a value is refused, or an empty text."""
    try:
        resolve_parameters(operator, {parameter.name: value}, profile)
    except StudioError as error:
        return str(error)
    return ""


def text_of(parameter: Parameter, value: Any) -> str:
    """Return a text that reads back as exactly this value: ``4096``, ``7 G``, ``64 MiB``."""
    if isinstance(value, str | bool) or value is None:
        return str(value)
    unit = parameter.unit if parameter.unit in UNITS else ""
    if not unit and abs(value) < _PLAIN_BELOW and float(value).is_integer():
        return str(int(value))
    for digits in (3, 4, 5, 6):
        text = _prefixed(float(value), unit, digits)
        if text and _reads_as(text, unit, value):
            return text
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", "\u202f")
    return repr(float(value))


def _prefixed(value: float, unit: str, digits: int) -> str:
    if unit not in ("", "FLOP/B"):
        text = format_quantity(value, unit, digits=digits)
    elif abs(value) >= _PLAIN_BELOW:
        text = format_quantity(value, "B", digits=digits).removesuffix("B")
    else:
        text = f"{value:.{digits}g}"
    number, _, rest = text.partition(" ")
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return f"{number} {rest}".strip()


def _reads_as(text: str, unit: str, value: float) -> bool:
    try:
        return math.isclose(parse_quantity(text, unit), value, rel_tol=1e-15, abs_tol=0.0)
    except StudioError:
        return False


def number_of(parameter: Parameter, value: Any, resolved: Any = None) -> float | None:
    """Return a value as a number for a slider: what ``auto`` stands for, a typed text read, else None."""
    if value == AUTO and isinstance(resolved, int | float):
        return float(resolved)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        try:
            return parse_quantity(value, parameter.unit if parameter.unit in UNITS else "")
        except StudioError:
            return None
    return None


def scale_of(parameter: Parameter) -> Scale:
    """Return the scale of a parameter's slider: from its least value to 256 times its default, as far as it may go."""
    default = float(parameter.default) if isinstance(parameter.default, int | float) else 1.0
    low, high = float(parameter.low), min(float(parameter.high), max(default * 256, 1024.0))
    if not parameter.integer and high <= 1.0:
        return Scale(low, high, integer=False, logarithmic=False, step=0.01)
    if parameter.integer and high - low <= 16:
        return Scale(low, high, logarithmic=False)
    return Scale(low, high, integer=parameter.integer)


def suggestions_of(parameter: Parameter, profile: HardwareProfile | None) -> tuple[tuple[str, str], ...]:
    """Return usual sides of a tile within the range, with ``auto`` first where the machine can choose."""
    offered: list[tuple[str, str]] = []
    if parameter.auto:
        hint = profile.matrix_tile.get(parameter.auto) if profile is not None else None
        offered.append(
            (AUTO, f"{hint} on {profile.short_name}" if hint and profile else f"{parameter.default}")
        )
    sizes = (1, 2, 4, 8, 16) if parameter.high <= 64 else _TILES
    offered += [(str(size), "") for size in sizes if parameter.low <= size <= parameter.high]
    return tuple(offered)

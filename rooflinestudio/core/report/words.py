"""The small words of a report: what rows are called, how they are set up, how their traffic was counted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.arithmetic import is_number
from rooflinestudio.core.pairing.readout import entry_name
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow
    from rooflinestudio.core.settings import Settings

__all__ = [
    "NOTHING", "amount", "counted_at", "elided", "intensity_text", "percent", "policy_words", "row_machine", "row_name",
    "row_title", "set_up", "several", "some_of", "whole", "whom",
]  # fmt: skip

NOTHING: Final = "–"
_LEADING: Final = 3
"""So many parameters say what a kernel is where the user set none."""
_LONGEST_NAME: Final = 90


def row_name(row: PlacedRow) -> str:
    """Return what an entry is called; one that the canvas hides is told as such."""
    return entry_name(row.entry) + ("" if row.entry.visible else " (hidden)")


def row_machine(row: PlacedRow) -> str:
    """Return the short name of the machine of a row."""
    return row.profile.short_name if row.profile is not None else row.machine


def row_title(row: PlacedRow) -> str:
    """Return ``GEMM on H100 SXM5``."""
    return f"{row_name(row)} on {row_machine(row)}"


def amount(value: Any, unit: str, *, digits: int = 4) -> str:
    """Write an amount with its prefix; a dash where there is none."""
    return NOTHING if value is None else format_quantity(float(value), unit, digits=digits)


def intensity_text(value: Any) -> str:
    """Write an intensity without its unit, which stands in the head of its column."""
    return format_number(float(value))


def percent(share: float) -> str:
    """Write a share: ``57%``, below ten with two digits (``4.7%``)."""
    value = 100 * share
    if math.isnan(value):
        return NOTHING
    return f"{value:.0f}%" if value >= 9.95 or value == 0 else f"{format_number(value, digits=2)}%"


def policy_words(settings: Settings) -> str:
    """Return ``compulsory``, or ``modelled, absorption 0.85``."""
    if settings.policy == "modelled":
        return f"modelled, absorption {settings.absorption:g}"
    return settings.policy


def counted_at(placement: Placement, usual: str) -> str:
    """Return at which boundary traffic was counted, and how where that is not as usual: ``HBM3``, ``L2, tiled``."""
    at = placement.at(placement.boundary_id)
    how = policy_words(placement.settings)
    return at.label + ("" if at.crosses else " (not crossed)") + ("" if how == usual else f", {how}")


def set_up(placement: Placement, given: Iterable[str], dtypes: Mapping[str, str]) -> str:
    """Return operator, sizes and formats: ``gemm m = 4 096, n = 4 096, k = 4 096, bf16``.

    Parameters
    ----------
    given
        Names that the user set; where there are none, the first parameters stand for the kernel.
    dtypes
        Formats that the user set, by role.
    """
    known = dict(placement.parameters)
    names = [name for name in given if name in known] or list(known)[:_LEADING]
    parts = [f"{name} = {_value(known[name])}" for name in names]
    parts += [one if role == "all" else f"{role} {one}" for role, one in dtypes.items()]
    if not dtypes and (own := placement.dtypes.get("activation") or placement.dtypes.get("output")):
        parts.append(own.id)
    operator = placement.operator.partition(":")[0] if ":" in placement.operator else placement.operator
    return f"{operator} {', '.join(parts)}".rstrip()


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if not is_number(value):
        return str(value)
    number = float(value)
    if not math.isfinite(number) or number != int(number):
        return format_number(number, digits=4)
    return whole(number)


def whole(number: float) -> str:
    """Write a whole number with all its digits up to a thousand billions: ``65 536``."""
    return format_number(number, digits=max(1, len(str(int(abs(number))))))


def whom(rows: Iterable[PlacedRow], machines: int) -> str:
    """Name rows together: ``GEMM, Add on H100 SXM5``; with a single machine in the study only the entries."""
    places: dict[str, list[str]] = {}
    for row in rows:
        places.setdefault(row_name(row), []).append(row_machine(row))
    if machines == 1:
        return some_of(places)
    together: dict[tuple[str, ...], list[str]] = {}
    for name, found in places.items():
        together.setdefault(tuple(found), []).append(name)
    return "; ".join(f"{some_of(names)} on {some_of(found)}" for found, names in together.items())


def several(number: int, word: str) -> str:
    """Return ``1 kernel``, ``1 204 kernels``, ``2 entries``."""
    many = f"{word[:-1]}ies" if word.endswith("ry") else f"{word}s"
    return f"{whole(number)} {word if number == 1 else many}"


def some_of(names: Iterable[str], most: int = 3) -> str:
    """Join names; of many the first ones, and how many more: ``a, b, c and 4 more``."""
    told = list(dict.fromkeys(names))
    if len(told) <= most + 1:
        return ", ".join(told)
    return f"{', '.join(told[:most])} and {len(told) - most} more"


def elided(name: str, longest: int = _LONGEST_NAME) -> str:
    """Shorten a name in its middle: kernels differ at both ends."""
    if len(name) <= longest:
        return name
    head = longest // 2
    return f"{name[:head]}…{name[-(longest - head - 1) :]}"

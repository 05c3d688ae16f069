"""How rates, clocks and ids are written wherever measured ceilings are shown."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile

__all__ = [
    "CACHE_LABELS", "clock_in", "clock_slug", "clock_text", "label_of", "plural", "rate_text", "ratio_text", "slug",
]  # fmt: skip

CACHE_LABELS: Final = {
    "register": "registers", "shared": "shared memory", "l1": "L1", "l2": "L2", "l3": "L3", "dram": "DRAM",
    "nvlink": "NVLink", "xgmi": "xGMI", "pcie": "PCIe", "network": "network",
}  # fmt: skip
"""Words for boundaries that the profile at hand does not have."""

_NOTHING: Final = 1e-12
_CLOCK: Final = re.compile(
    r"(?<![\w.])(?P<number>\d{1,3}(?:[ \u202f,]\d{3})+|\d+(?:\.\d+)?)\s?(?P<unit>[GM]Hz)\b"
)
_UNIT: Final = {"GHz": 1e9, "MHz": 1e6}
_GROUPS: Final = str.maketrans({" ": "", "\u202f": "", ",": ""})


def clock_text(clock_hz: float) -> str:
    """Write a clock in whole megahertz, as the tools do: ``1 407 MHz``."""
    return f"{format_number(float(round(clock_hz / 1e6)), digits=1)} MHz"


def clock_slug(clock_hz: float) -> str:
    """Write a clock for an id: ``1407mhz``."""
    return f"{round(clock_hz / 1e6)}mhz"


def clock_in(text: str) -> float | None:
    """Return the one clock that a condition names (``dense, 1.83 GHz``), in hertz; None without one, or with two."""
    found = {
        float(match["number"].translate(_GROUPS)) * _UNIT[match["unit"]] for match in _CLOCK.finditer(text)
    }
    return found.pop() if len(found) == 1 else None


def with_clock(text: str, clock_hz: float) -> str:
    """Return a condition with its clock exchanged, or with one added."""
    named = clock_text(clock_hz)
    if clock_in(text) is not None:
        return _CLOCK.sub(named, text)
    return f"{text}, {named}" if text else named


def rate_text(kind: str, id_: str, value: float | None, *, digits: int = 4) -> str:
    """Write a rate of a ceiling or a boundary; a dash for none."""
    if value is None or math.isnan(value):
        return "–"
    if kind == "boundary":
        return format_quantity(value, "B/s", digits=digits)
    return format_quantity(value, "OP/s" if id_.startswith("int") else "FLOP/s", digits=digits)


def ratio_text(ratio: float | None) -> str:
    """Write a share of the published figure in per cent, by a factor where that says more; a dash for none."""
    if ratio is None or not math.isfinite(ratio):
        return "–"
    if ratio >= 10:
        return f"{format_number(ratio)}×"
    if ratio < _NOTHING:  # a reading of nothing, or one whose ratio has no figure any more
        return "0 %"
    if ratio < 0.01:
        return f"1/{format_number(1 / ratio)}"
    return f"{100 * ratio:.1f} %" if ratio < 1.1 else f"{100 * ratio:.0f} %"


def label_of(profile: HardwareProfile | None, kind: str, id_: str) -> str:
    """Return a ceiling or boundary in the machine's own word."""
    if profile is not None and kind == "ceiling" and id_ in profile.ceilings:
        return profile.ceilings[id_].label
    if profile is not None and kind == "boundary" and id_ in profile.boundaries:
        return profile.boundaries[id_].label
    return CACHE_LABELS.get(id_, id_) if kind == "boundary" else id_.replace("-", " ")


def plural(count: int, word: str) -> str:
    """Write a count with its word: ``1 figure``, ``3 figures``."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def slug(text: str) -> str:
    """Write a text so that it can be part of an id."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")

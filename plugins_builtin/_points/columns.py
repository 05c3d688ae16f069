"""What the columns of a plain table of points mean: names and units of heads, or a mapping that the user states."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["FIGURES", "UNITS", "Column", "PointColumns", "columns_of", "stated_columns"]

FIGURES: Final = (
    "kernel", "time", "work", "rate", "traffic", "bandwidth", "intensity", "pipe", "boundary", "device", "count",
)  # fmt: skip
"""What a column can be. ``rate`` is FLOP/s, ``bandwidth`` bytes/s, ``intensity`` FLOP/byte."""

_PREFIX: Final = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_BINARY: Final = {"ki": 2.0**10, "mi": 2.0**20, "gi": 2.0**30, "ti": 2.0**40}
_TIMES: Final = {
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3, "msec": 1e-3, "milliseconds": 1e-3,
    "us": 1e-6, "usec": 1e-6, "µs": 1e-6, "μs": 1e-6, "microseconds": 1e-6, "ns": 1e-9, "nsec": 1e-9,
    "nanoseconds": 1e-9,
}  # fmt: skip
_FLOP: Final = {f"{p}{w}": f for p, f in _PREFIX.items() for w in ("flop", "flops", "op", "ops")}
# Written so, FLOPS with a prefix is a rate by custom; without one it is as often an amount.
_FLOP_RATE: Final = {
    f"{prefix}{word}": factor
    for prefix, factor in _PREFIX.items()
    for word in ("flop/s", "flops/s", "flop/sec", "op/s", "flop_per_s", *(("flops", "ops") if prefix else ()))
}
_SIZES: Final = {**_PREFIX, **_BINARY}
_BYTES: Final = {f"{p}{w}": f for p, f in _SIZES.items() for w in ("b", "byte", "bytes")}
_BYTE_RATE: Final = {
    f"{p}{w}": f
    for p, f in _SIZES.items()
    for w in ("b/s", "byte/s", "bytes/s", "b/sec", "bytes_per_s", "byte_per_s")
}
UNITS: Final = {
    "time": _TIMES, "work": _FLOP, "rate": _FLOP_RATE, "traffic": _BYTES, "bandwidth": _BYTE_RATE,
    "intensity": {"flop/byte": 1.0, "flop/b": 1.0, "flops/byte": 1.0, "flops/b": 1.0, "flop_per_byte": 1.0},
}  # fmt: skip
"""Units of each figure and their factors to the base unit, in lower case."""

_WITH_UNIT: Final = frozenset(UNITS) - {"intensity"}
_NAMES: Final = {
    "kernel": ("kernel", "kernel_name", "name", "label", "function", "point", "case", "benchmark", "region", "loop"),
    "time": ("time", "duration", "runtime", "elapsed", "elapsed_time", "run_time", "wall_time", "latency"),
    "work": ("work", "flop", "flop_count", "work_flop", "total_flops", "total_flop", "w", "num_flops"),
    "rate": (
        "rate", "performance", "perf", "achieved", "achieved_performance", "throughput", "attained",
        "achieved_flop_per_s", "flop_per_s",
    ),
    "traffic": (
        "traffic", "bytes", "q", "data_volume", "dram_bytes", "total_bytes", "traffic_bytes", "bytes_moved",
        "memory_traffic", "data_moved",
    ),
    "bandwidth": ("bandwidth", "bw", "dram_bandwidth", "memory_bandwidth", "achieved_bandwidth", "bytes_per_s"),
    "intensity": (
        "intensity", "ai", "oi", "arithmetic_intensity", "operational_intensity", "intensity_dram", "ops_per_byte",
        "flop_per_byte",
    ),
    "pipe": ("pipe", "dtype", "precision", "data_type", "format", "type"),
    "boundary": ("boundary", "level", "memory_level"),
    "device": ("device", "gpu", "machine", "gpu_name", "device_name"),
    "count": ("count", "calls", "launches", "invocations"),
}  # fmt: skip
_FIGURE_OF: Final = {name: figure for figure, names in _NAMES.items() for name in names}
_BRACKET: Final = re.compile(r"\A(?P<name>[^\[\](){}]{1,80}?)\s*[\[({](?P<unit>[^\[\](){}]{1,20})[\])}]\s*\Z")
_SIGNS: Final = re.compile(r"[\s\-.]+")
_LONGEST: Final = 100  # characters of a head


class Column(NamedTuple):
    """One column that is used: what it is, its position and head, the unit and its factor to the base unit.

    ``assumed`` says that the head names no unit, so that the base unit was taken.
    """

    figure: str
    position: int
    head: str
    unit: str
    factor: float
    assumed: bool


PointColumns = dict[str, Column]
"""Columns by what they are."""


def columns_of(heads: list[str]) -> PointColumns | None:
    """Columns of a header row, if it is one that gives points: of each kind the first that fits.

    A table counts as one of points if a rate, or a time together with work, or an intensity is in it.
    """
    if len(heads) > 1_000:
        return None
    found: PointColumns = {}
    for position, head in enumerate(heads):
        column = _column(head, position)
        if column is not None:
            found.setdefault(column.figure, column)
    gives_point = "rate" in found or "intensity" in found or {"time", "work"} <= found.keys()
    gives_point = gives_point or {"time", "traffic"} <= found.keys() or "bandwidth" in found
    # Below the header of some profilers stands a row of units alone: it is none itself.
    named = any(column.head.strip().lower() != column.unit for column in found.values())
    return found if gives_point and named and len(found) > 1 else None


def _column(head: str, position: int) -> Column | None:
    text = head.strip().lower()
    if not text or len(text) > _LONGEST or "__" in text:  # two underscores: a metric of a profiler
        return None
    match = _BRACKET.match(text)
    if match is not None:
        return _with_unit(match["name"], match["unit"].strip(), position, head)
    name = _SIGNS.sub("_", text).strip("_")
    if name in _FIGURE_OF:
        figure = _FIGURE_OF[name]
        ends_in_unit = name.endswith(("_flop", "_bytes", "_per_s", "_per_byte")) or name in ("bytes", "flop")
        return Column(figure, position, head, "", 1.0, figure in _WITH_UNIT and not ends_in_unit)
    for figure in ("rate", *UNITS):  # the head is a unit itself: GFLOP/s
        units = UNITS[figure]
        if text in units and text not in ("s", "b", "op", "ops", "flops"):
            return Column(figure, position, head, text, units[text], assumed=False)
    if text == "flops":
        return Column("work", position, head, "flop", 1.0, assumed=True)
    stem, _, tail = name.rpartition("_")  # time_us, work_gflop
    return _with_unit(stem, tail, position, head) if stem else None


def _with_unit(name: str, unit: str, position: int, head: str) -> Column | None:
    figure = _FIGURE_OF.get(_SIGNS.sub("_", name.strip()).strip("_"))
    if figure is None:
        return None
    unit = unit.replace(" ", "")
    for kind in (figure, *(("rate",) if figure == "work" else ())):
        if unit in UNITS.get(kind, {}):
            return Column(kind, position, head, unit, UNITS[kind][unit], assumed=False)
    return None


def stated_columns(heads: list[str], stated: tuple[tuple[str, str, str], ...]) -> PointColumns:
    """Columns as the user states them.

    Parameters
    ----------
    stated
        Triples (figure, head, unit); an empty unit is that of the head, else the base unit.

    Raises
    ------
    ValueError
        A figure, head or unit is not known; the message says which are.
    """
    found: PointColumns = {}
    for figure, head, unit in stated:
        if figure not in FIGURES:
            raise ValueError(f"{figure[:60]!r} is no figure of a point; expected one of {', '.join(FIGURES)}")
        if head not in heads:
            raise ValueError(f"there is no column {head[:60]!r}; the file has {', '.join(heads)[:300]}")
        known = UNITS.get(figure, {"": 1.0})
        if unit and unit.lower() not in known:
            raise ValueError(
                f"{unit[:30]!r} is no unit of {figure}; expected one of {', '.join(known)[:200]}"
            )
        own = _column(head, heads.index(head))
        taken, factor, assumed = unit.lower(), known.get(unit.lower(), 1.0), False
        if not unit:
            same = own is not None and own.figure == figure
            taken, factor = (own.unit, own.factor) if same and own is not None else ("", 1.0)
            assumed = figure in _WITH_UNIT and not taken
        found[figure] = Column(figure, heads.index(head), head, taken, factor, assumed)
    return found

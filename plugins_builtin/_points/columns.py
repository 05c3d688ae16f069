"""What the columns of a plain table of points mean: names and units of heads, or a mapping that the user states."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = [
    "CONSTANTS",
    "FIGURES",
    "INNER_BOUNDARIES",
    "NO_POSITION",
    "OFFERED_UNITS",
    "UNITS",
    "Column",
    "PointColumns",
    "column_by_unit",
    "column_position",
    "columns_of",
    "recognised",
    "shown_unit",
    "stated_columns",
]  # fmt: skip

INNER_BOUNDARIES: Final = ("l3", "l2", "l1", "shared")
"""Boundaries that have a figure of their own beside ``traffic``: ``traffic.l2`` and so on."""

FIGURES: Final = (
    "kernel", "time", "work", "rate", "traffic", *(f"traffic.{one}" for one in INNER_BOUNDARIES), "bandwidth",
    "intensity", "pipe", "boundary", "device", "count", "launch",
)  # fmt: skip
"""What a column can be. ``rate`` is FLOP/s, ``bandwidth`` bytes/s, ``intensity`` FLOP/byte; ``traffic`` is at dram, or
at the boundary that the row names; ``launch`` gives the order of the rows."""

CONSTANTS: Final = ("pipe", "boundary", "device")
"""Figures that may have one value for all rows."""

NO_POSITION: Final = -1

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
    **{f"traffic.{one}": _BYTES for one in INNER_BOUNDARIES},
}  # fmt: skip
"""Units of each figure and their factors to the base unit, in lower case."""

_OFFERED_BYTES: Final = ("B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB")
OFFERED_UNITS: Final = {
    "time": ("s", "ms", "µs", "ns"), "work": ("FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"),
    "rate": ("FLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"), "traffic": _OFFERED_BYTES,
    "bandwidth": ("B/s", "MB/s", "GB/s", "TB/s", "MiB/s", "GiB/s"), "intensity": ("FLOP/byte",),
    **{f"traffic.{one}": _OFFERED_BYTES for one in INNER_BOUNDARIES},
}  # fmt: skip
"""The units of each figure that a user chooses from, as they are written; the base unit first."""

_BY_UNIT: Final = ("rate", "bandwidth", "intensity", "time", "traffic", "work")
_WORDS_TOO: Final = frozenset(
    ("b", "op", "ops", "second", "seconds", "byte")
)  # these are words of names, too

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
        "memory_traffic", "data_moved", "dram", "hbm",
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
    "launch": ("launch", "launch_index", "launch_number"),
    **{
        f"traffic.{one}": (one, *(f"{one}_{word}" for word in ("bytes", "traffic", "data_volume")), f"bytes_{one}")
        for one in INNER_BOUNDARIES
    },
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


def recognised(heads: list[str]) -> list[Column]:
    """All columns whose head says what they are, in their order; several may be the same figure."""
    columns = (_column(head, position) for position, head in enumerate(heads))
    return [column for column in columns if column is not None]


def columns_of(heads: list[str]) -> PointColumns | None:
    """Columns of a header row, if it is one that gives points: of each kind the first that fits.

    A table counts as one of points if a rate, or a time together with work, or an intensity is in it.
    """
    if len(heads) > 1_000:
        return None
    found: PointColumns = {}
    for column in recognised(heads):
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


def column_by_unit(head: str, position: int) -> Column | None:
    """Guess what a column is by a unit in its head alone: ``dur (us)`` is a time; None where there is none."""
    words = [word for word in re.split(r"[\s()\[\]{}_,;:|]+", head.strip().lower()[:_LONGEST]) if word]
    for word in reversed(words):
        for figure in _BY_UNIT:
            units = UNITS[figure]
            if word in units and (len(word) > 1 or len(words) > 1) and word not in _WORDS_TOO:
                return Column(figure, position, head, word, units[word], assumed=False)
    return None


def _unit_of(head: str, figure: str) -> Column | None:
    """Find a unit of a figure in a head whose name says nothing: ``Laufzeit [µs]``, ``bewegt (MB)``, ``dur_us``."""
    text = head.strip().lower()
    match = _BRACKET.match(text)
    if match is not None:
        unit = match["unit"].replace(" ", "")
        if unit in UNITS.get(figure, {}):
            return Column(figure, NO_POSITION, head, unit, UNITS[figure][unit], assumed=False)
    guess = column_by_unit(head, NO_POSITION)
    units = UNITS.get(figure, {})
    return guess if guess is not None and guess.unit in units and units[guess.unit] == guess.factor else None


def shown_unit(column: Column) -> str:
    """Return the unit of a column as it is written; the base unit where its head names none."""
    offered, factors = OFFERED_UNITS.get(column.figure, ()), UNITS.get(column.figure, {})
    return next((unit for unit in offered if factors[unit.lower()] == column.factor), column.unit)


def stated_columns(heads: list[str], stated: tuple[tuple[str, str, str], ...]) -> PointColumns:
    """Columns as the user states them.

    Parameters
    ----------
    stated
        Triples (figure, head, unit); an empty unit is that of the head, else the base unit. A head ``#3`` that no
        column has is the third column; ``=bf16-tensor`` is that value for all rows (of pipe, boundary, device).

    Raises
    ------
    ValueError
        A figure, head or unit is not known; the message says which are.
    """
    found: PointColumns = {}
    for figure, head, unit in stated:
        if figure not in FIGURES:
            raise ValueError(f"{figure[:60]!r} is no figure of a point; expected one of {', '.join(FIGURES)}")
        position = column_position(heads, head)
        if position is None and head.startswith("=") and figure in CONSTANTS:
            found[figure] = Column(figure, NO_POSITION, head[1:], "", 1.0, assumed=False)
            continue
        if position is None:
            raise ValueError(f"there is no column {head[:60]!r}; the file has {', '.join(heads)[:300]}")
        known = UNITS.get(figure, {"": 1.0})
        if unit and unit.lower() not in known:
            raise ValueError(
                f"{unit[:30]!r} is no unit of {figure}; expected one of {', '.join(known)[:200]}"
            )
        own = _column(heads[position], position)
        taken, factor, assumed = unit, known.get(unit.lower(), 1.0), False
        if not unit:
            same = own if own is not None and own.figure == figure else _unit_of(heads[position], figure)
            taken, factor = (same.unit, same.factor) if same is not None else ("", 1.0)
            assumed = figure in _WITH_UNIT and not taken
        found[figure] = Column(figure, position, heads[position] or head, taken, factor, assumed)
    return found


def column_position(heads: list[str], head: str) -> int | None:
    """Position of a column by its head, or by its number (``#3``); None where there is none."""
    if head in heads:
        return heads.index(head)
    number = head[1:]
    if head.startswith("#") and number.isascii() and number.isdigit() and len(number) < 6:
        return int(number) - 1 if 0 < int(number) <= len(heads) else None
    return None

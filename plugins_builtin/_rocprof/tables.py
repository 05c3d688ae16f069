"""The two tables of rocprof-compute, told by their headers: counters per dispatch, and ceilings per device."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from plugins_builtin._measured.ceilings import MeasuredCeilings
from plugins_builtin._measured.drafts import Draft
from plugins_builtin._measured.tables import number_in, whole
from plugins_builtin._ncu.values import Value
from plugins_builtin._rocprof.figures import is_wanted, traffic_of, work_of

__all__ = ["CounterTable", "RoofTable", "ceilings_of", "counter_table", "dispatch_of", "roof_table"]

_CHANNEL: Final = re.compile(r"(?P<name>[A-Z0-9_]{3,60}?)(?:_sum|\[\d{1,4}\])?\Z")
_NAMES: Final = ("kernel_name", "kernelname")
_STARTS: Final = ("start_timestamp", "beginns")
_ENDS: Final = ("end_timestamp", "endns")
_CLUE: Final = re.compile(r"(?:SQ|SQC|TCC|TCP|GRBM|CPC|SPI|TA|TD|CPF)_[A-Z]")

_SLOPES: Final = {"hbmbw": "dram", "mallbw": "l3", "l2bw": "l2", "l1bw": "l1", "ldsbw": "shared"}
_RATES: Final = {
    "fp64flops": "fp64", "fp32flops": "fp32", "fp16flops": "fp16", "mfmaf64flops": "fp64-tensor",
    "mfmaf32flops": "fp32-tensor", "mfmaf16flops": "fp16-tensor", "mfmabf16flops": "bf16-tensor",
    "mfmaf8flops": "fp8-tensor", "mfmai8ops": "int8-tensor",
}  # fmt: skip


class CounterTable(NamedTuple):
    """Columns of ``pmc_perf.csv``: plain ones by their meaning, counters by name, the names of all."""

    plain: dict[str, int]
    counters: dict[str, list[int]]
    names: tuple[str, ...] = ()


class RoofTable(NamedTuple):
    """Columns of ``roofline.csv`` by lower-case name, and how the file writes each."""

    columns: dict[str, int]
    words: dict[str, str]


def counter_table(cells: list[str]) -> CounterTable | None:
    """Columns of a header, if it is one of counters per dispatch."""
    lower = [cell.lower() for cell in cells]
    if not any(name in lower for name in _NAMES) or not any(map(_CLUE.match, cells)):
        return None
    if "metric name" in lower or "counter_name" in lower:
        return None
    meanings = {
        "kernel": _NAMES, "start": _STARTS, "end": _ENDS, "device": ("gpu_id", "gpu-id"),
        "grid": ("grid_size", "grd"), "block": ("workgroup_size", "wgr"),
    }  # fmt: skip
    plain = {
        meaning: lower.index(name) for meaning, names in meanings.items() for name in names if name in lower
    }
    sums: dict[str, list[int]] = {}
    channels: dict[str, list[int]] = {}
    for position, cell in enumerate(cells):
        match = _CHANNEL.match(cell)
        if match is not None and is_wanted(match["name"]):
            one_of_many = cell.endswith("]")
            (channels if one_of_many else sums).setdefault(match["name"], []).append(position)
    # A counter that comes twice was collected in two runs; its sum stands beside its channels.
    first = {name: positions[:1] for name, positions in sums.items()}
    names = dict.fromkeys(
        match["name"] for cell in cells if _CLUE.match(cell) and (match := _CHANNEL.match(cell)) is not None
    )
    return CounterTable(plain, {**channels, **first}, tuple(names))


def roof_table(cells: list[str]) -> RoofTable | None:
    """Columns of a header, if it is one of ceilings per device."""
    columns: dict[str, int] = {}
    for position, cell in enumerate(cells):
        columns.setdefault(cell.lower(), position)
    words = {name: cells[position] for name, position in columns.items()}
    return RoofTable(columns, words) if "device" in columns and "hbmbw" in columns else None


def dispatch_of(table: CounterTable, cells: list[str]) -> Draft | None:
    """One dispatch; None for a row that was cut off before its name."""
    kernel = _cell(table, cells, "kernel")
    if not kernel:
        return None
    counters = _counters(table, cells)
    draft = Draft(kernel, work=work_of(counters), traffic=traffic_of(counters))
    start, end = whole(_cell(table, cells, "start")), whole(_cell(table, cells, "end"))
    if start is not None and end is not None and end > start:
        draft.time = Value((end - start) / 1e9, 0.0, "(end - start time stamp) / 1e9")
    device = _cell(table, cells, "device")
    draft.device = f"GPU {device}" if whole(device) is not None else None
    grid, block = whole(_cell(table, cells, "grid")), whole(_cell(table, cells, "block"))
    if grid and block:  # work-items; both are products over the dimensions
        draft.grid, draft.block = (-(-grid // block), 1, 1), (block, 1, 1)
    return draft


def _cell(table: CounterTable, cells: list[str], meaning: str) -> str:
    position = table.plain.get(meaning)
    return cells[position] if position is not None and position < len(cells) else ""


def _counters(table: CounterTable, cells: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, positions in table.counters.items():
        values = [number_in(cells[position], name) for position in positions if position < len(cells)]
        known = [value.value for value in values if value is not None]
        if known and len(known) == len(positions):
            found[name] = sum(known)
    return found


def ceilings_of(table: RoofTable, cells: list[str]) -> MeasuredCeilings | None:
    """Ceilings of one device; None for a row without any."""
    ranges: dict[str, tuple[float, float]] = {}
    slopes, rates = (
        {
            name: value.figure()
            for column, name in columns.items()
            if (value := _roof(table, cells, column, name, ranges)) is not None
        }
        for columns in (_SLOPES, _RATES)
    )
    position = table.columns["device"]
    device = cells[position] if position < len(cells) else ""
    return MeasuredCeilings(f"device {device}", rates, slopes, ranges) if slopes or rates else None


def _roof(
    table: RoofTable, cells: list[str], column: str, name: str, ranges: dict[str, tuple[float, float]]
) -> Value | None:
    value = _number(table, cells, column)
    if value is None or not value.value:
        return None
    # One release wrote a stray letter into the name of the low column (MFMAFI8OpsLow).
    low = _number(table, cells, f"{column}low") or _number(
        table, cells, f"{column.replace('mfma', 'mfmaf')}low"
    )
    high = _number(table, cells, f"{column}high")
    if low is not None and high is not None and low.value <= high.value:
        ranges[name] = (low.value, high.value)
    return value


def _number(table: RoofTable, cells: list[str], column: str) -> Value | None:
    position = table.columns.get(column)
    if position is None or position >= len(cells):
        return None
    return number_in(cells[position], table.words[column], 1e9, " × 1e9")

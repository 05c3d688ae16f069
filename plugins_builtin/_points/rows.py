"""Rows of a plain table as points: what stands in them, and what follows from two of the figures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.drafts import Advice, Draft, Traffic, usable
from plugins_builtin._measured.tables import whole
from plugins_builtin._ncu.numbers import is_missing, read_number
from plugins_builtin._ncu.values import Value
from plugins_builtin._points.columns import INNER_BOUNDARIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plugins_builtin._ncu.numbers import Mark
    from plugins_builtin._points.columns import PointColumns

__all__ = ["ADVICE", "NUMBERS", "Cells", "Names", "default_pipe", "draft_of", "pipe_in"]

_INNER: Final = {f"traffic.{one}": one for one in INNER_BOUNDARIES}

NUMBERS: Final = ("time", "work", "rate", "traffic", *_INNER, "bandwidth", "intensity")

ADVICE: Final = Advice(
    work="no W: add a column of work (FLOP) or of the rate (FLOP/s)",
    time="no time: add a column time, or one of the rate (FLOP/s)",
    traffic="no Q: add a column of bytes, of the intensity (FLOP/byte) or of the bandwidth",
)

_SYMBOLS: Final = {"work": ("no W", "work", "rate"), "time": ("no time", "time"), "traffic": (
    "no Q", "traffic", "intensity", "bandwidth",
)}  # fmt: skip
"""What is missing, and the columns that would give it."""

_PIPE: Final = re.compile(r"[a-z][a-z0-9]{1,15}(?:-[a-z0-9]{1,15}){0,3}\Z")
_WORDS: Final = {
    "double": "fp64", "float64": "fp64", "f64": "fp64", "dp": "fp64", "single": "fp32", "float": "fp32",
    "float32": "fp32", "f32": "fp32", "sp": "fp32", "half": "fp16", "float16": "fp16", "f16": "fp16", "hp": "fp16",
    "bfloat16": "bf16", "tensor": "fp16-tensor",
}  # fmt: skip
_BOUNDARIES: Final = {"hbm": "dram", "memory": "dram", "ddr": "dram", "lds": "shared", "llc": "l3"}
_BOUNDARY: Final = re.compile(r"[a-z][a-z0-9-]{0,20}\Z")

_MOST_NAMES: Final = 32  # pipes, and boundaries, of one table

Cells = dict[str, str]
"""Texts of one row by the figure of their column."""


def default_pipe() -> str:
    """Pipe where a table does not say in which format was computed."""
    return "fp32"


def pipe_in(text: str) -> str | None:
    """Pipe in a cell; None where it is none."""
    plain = text.strip().lower().replace("_", "-")
    plain = _WORDS.get(plain, plain)
    return plain if _PIPE.match(plain) else None


class Names:
    """The different pipes and boundaries of a table.

    A file has a handful; a column with a word of its own in each row is something else under a head that sounds so.

    Attributes
    ----------
    left_out
        Cells beyond the first 32 different ones.
    """

    def __init__(self) -> None:
        self._known: dict[str, set[str]] = {"pipe": set(), "boundary": set()}
        self.left_out = 0

    def limited(self, row: Cells) -> Cells:
        """Return a row without the cells that are one name too many."""
        for figure, known in self._known.items():
            cell = row.get(figure)
            if cell is None or cell in known:
                continue
            if len(known) >= _MOST_NAMES:
                self.left_out += 1
                row = {name: text for name, text in row.items() if name != figure}
            else:
                known.add(cell)
        return row


def draft_of(row: Cells, columns: PointColumns, mark: Mark) -> tuple[Draft, list[str]]:
    """One point, and the figures whose cell is no number."""
    values: dict[str, Value] = {}
    unreadable: list[str] = []
    for figure in NUMBERS:
        if figure in row and not is_missing(row[figure]):
            value = _value(row[figure], columns, figure, mark)
            if value is None:
                unreadable.append(figure)
            else:
                values[figure] = value
    pipe = pipe_in(row.get("pipe", "")) or default_pipe()
    boundary = row.get("boundary", "").strip().lower()
    boundary = _BOUNDARIES.get(boundary, boundary)
    boundary = boundary if _BOUNDARY.match(boundary) else "dram"
    draft = Draft(row.get("kernel", "").strip() or "(no name)", time=values.get("time"))
    draft.device = row.get("device", "").strip()[:200] or None
    draft.count = whole(row.get("count", "")) or 1
    work, rate = _work(values)
    if work is not None:
        draft.work[pipe] = work
    elif rate is not None:
        draft.work_rates[pipe] = rate
    amount, flow = _moved(values, work, rate)
    if amount is not None:
        draft.traffic[boundary] = Traffic(amount)
    elif flow is not None:
        draft.traffic_rates[boundary] = flow
    draft.traffic |= {inner: Traffic(values[name]) for name, inner in _INNER.items() if name in values}
    draft.instead = _empty_cells(row, columns, values)
    return draft, unreadable


def _empty_cells(row: Cells, columns: PointColumns, values: Mapping[str, Value]) -> dict[str, str]:
    """Say what is wrong with a cell where the column itself is there: it is not the column that has to be added."""
    found: dict[str, str] = {}
    for figure, (symbol, *candidates) in _SYMBOLS.items():
        name = next((one for one in candidates if one in columns), None)
        if name is None or _positive(values.get(name)):
            continue
        head, cell = columns[name].head[:60], row.get(name, "").strip()
        if not cell or is_missing(cell):
            why = f"the cell under “{head}” is empty, fill it in"
        elif name in values:
            why = f"the cell under “{head}” is 0, correct it"
        else:
            why = f"the cell under “{head}” is no usable number, correct it"
        found[figure] = f"{symbol}: {why}"  # without the cell itself: texts are kept once each
    return found


def _value(text: str, columns: PointColumns, figure: str, mark: Mark) -> Value | None:
    column = columns[figure]
    number = read_number(text.strip(), mark)
    if number is None or not usable(number.value) or not usable(number.value * column.factor):
        return None
    head = f"column {column.head[:60]}"
    recipe = head if column.factor == 1.0 else f"{head} × {column.factor:g}"
    if column.factor < 1:  # 100 µs / 1e6 is a ten-thousandth of a second, 100 × 1e-6 is not quite
        divisor = round(1 / column.factor)
        return Value(number.value / divisor, number.error / divisor, recipe)
    return Value(number.value * column.factor, number.error * column.factor, recipe)


def _work(values: Mapping[str, Value]) -> tuple[Value | None, Value | None]:
    """Work, and rate where there is no time to turn it into work."""
    if "work" in values:
        return values["work"], None
    if "rate" in values and _positive(values.get("time")):
        return values["rate"].times(values["time"]), None
    for flow in ("traffic", "bandwidth"):
        if "rate" not in values and "intensity" in values and flow in values:
            product = values["intensity"].times(values[flow])
            return (product, None) if flow == "traffic" else (None, product)
    return None, values.get("rate")


def _moved(
    values: Mapping[str, Value], work: Value | None, rate: Value | None
) -> tuple[Value | None, Value | None]:
    """Traffic, or its rate where there is no amount."""
    if "traffic" in values:
        return values["traffic"], None
    if "bandwidth" in values:
        if _positive(values.get("time")) and work is not None:
            return values["bandwidth"].times(values["time"]), None
        return None, values["bandwidth"]
    intensity = values.get("intensity")
    if intensity is None or not _positive(intensity):
        return None, None
    return (
        None if work is None else work.over(intensity),
        None if work is not None or rate is None else rate.over(intensity),
    )


def _positive(value: Value | None) -> bool:
    return value is not None and value.value > 0

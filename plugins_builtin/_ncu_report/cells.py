"""A launch of a report in the form that the recipes of the tables take, so that both give the same measurement.

The recipes know metrics by name and take printed cells. A report has no cells, but values in base units with all their
digits; they are printed here without rounding. What only a report has, counts by instruction, is added under the name
of the counter of operations that would have counted the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.activity import SHARES
from plugins_builtin._ncu.counters import Cell, Source
from plugins_builtin._ncu.launches import RawLaunch
from plugins_builtin._ncu.metrics import DEVICE_NAME, wanted_metric
from plugins_builtin._ncu.tensor import ADD_TENSOR, tensor_stem
from plugins_builtin._ncu_report.opcodes import tensor_counts
from plugins_builtin._ncu_report.tables import CAPABILITY, TENSOR_BUSY

if TYPE_CHECKING:
    from plugins_builtin._ncu_report.result import ReportLaunch
    from plugins_builtin._ncu_report.tables import Tables
    from plugins_builtin._ncu_report.wire import Scalar

__all__ = ["Filled", "add_no_tensor_work", "fill"]

_SMALLEST: Final = 1e-30  # apart from 0; below it and from _LARGEST on stands no figure of a GPU
_LARGEST: Final = 1e30
_FIXED_FROM: Final = 1e-5
_MISSING: Final = "nan"
_OPERATIONS: Final = "sm__ops_path_tensor"
_INSTRUCTIONS: Final = ("sm__inst_executed_pipe_tensor", "smsp__inst_executed_pipe_tensor")
_CONSTANT: Final = ("device__", "derived__sm__", "nvl")  # the same in every launch, measured or not
_BUSY: Final = 1.0  # per cent; packed half arithmetic keeps the tensor pipe of GA100 busy a little


@dataclass(slots=True)
class Filled:
    """A launch ready for the recipes, and what has to be said about it.

    Attributes
    ----------
    raw
        The launch, with a cell for each metric that a recipe may need.
    notes
        Remarks on what could not be converted.
    unfit
        The first value that is no possible one, as ``name = value``; empty if there is none.
    incomplete
        Whether a part of the tensor work could not be converted, so that the rest is a lower bound.
    inferred
        Whether the share of one instruction in the tensor work had to be inferred.
    no_matrix
        Whether instructions were counted and there is none for tensor cores among them.
    """

    raw: RawLaunch
    notes: tuple[str, ...] = ()
    unfit: str = ""
    incomplete: bool = False
    inferred: bool = False
    no_matrix: bool = False


def fill(launch: ReportLaunch, tables: Tables) -> Filled:
    """Turn a launch of a report into one of the tables."""
    device = tables.only_device
    attributes = device.attributes if device is not None else {}
    values = {**attributes, **launch.values}
    raw = RawLaunch(
        kernel=launch.kernel or "(kernel without a name)",
        block=str(launch.block or ""),
        grid=str(launch.grid or ""),
        device="",
        compute_capability=_capability(values),
        count=1,
        line=0,
        device_name=str(values.get(DEVICE_NAME) or (device.name if device is not None else "")),
    )
    filled = Filled(raw)
    filled.unfit = _fill_cells(raw, values)
    _fill_tensor(filled, launch)
    _drop_constants(raw)
    return filled


def add_no_tensor_work(filled: Filled) -> None:
    """Say to the recipes that no tensor work was done, for a launch of which that is known."""
    _add(filled.raw, f"{_OPERATIONS}.sum", 0, "no matrix instruction among those counted")


def _capability(values: dict[str, Scalar]) -> str:
    major, minor = (values.get(name) for name in CAPABILITY)
    if isinstance(major, int) and isinstance(minor, int) and major < 1_000 and minor < 1_000:
        return f"{major}.{minor}"
    return ""


def _fill_cells(raw: RawLaunch, values: dict[str, Scalar]) -> str:
    """Print what the recipes want; returns the first value that is no possible one."""
    unfit = ""
    for name, value in values.items():
        metric = wanted_metric(name)
        if metric is None or metric == DEVICE_NAME:
            continue
        printed = _printed(value)
        if printed is None:
            unfit = unfit or f"{name} = {value!r:.40}"
        elif metric not in raw.cells or raw.cells[metric].text == _MISSING:
            unit = "%" if metric in SHARES or "pct_of_peak" in metric else ""
            raw.cells[metric] = Cell(printed, Source(metric, unit, name))
    return unfit


def _printed(value: Scalar) -> str | None:
    """Print a value with all its digits, or ``nan`` where there is none; None for an impossible one.

    What is no whole number gets more decimals than a double has, for the recipes to see how fine it is.
    """
    if isinstance(value, str) or (isinstance(value, float) and not math.isfinite(value)):
        return _MISSING
    if value and not _SMALLEST <= value < _LARGEST:
        return None
    if value == int(value):
        return str(int(value))
    return f"{value:.16e}" if value < _FIXED_FROM else f"{value:.30f}"


def _fill_tensor(filled: Filled, launch: ReportLaunch) -> None:
    """Add tensor work from counts by instruction, where no counter of operations has it already."""
    raw = filled.raw
    if any(map(_has_operations, raw.cells.values())):
        return
    if not launch.opcodes:
        filled.notes = _unseen(launch)
        return
    # Counts by instruction know matrix instructions from packed half arithmetic; the counter of the pipe does not.
    for metric in [name for name in raw.cells if name.startswith(_INSTRUCTIONS)]:
        del raw.cells[metric]
    found, unknown = tensor_counts(launch.opcodes, launch.opcode_metric)
    if found:
        # Those that were collected read zero, so they counted other types.
        for metric in [name for name in raw.cells if name.startswith(_OPERATIONS)]:
            del raw.cells[metric]
    for stem, count in found.items():
        _add(raw, f"{stem}.sum", count.flop, f"{count.recipe}, of {launch.opcode_metric}")
        filled.inferred = filled.inferred or count.shared
    filled.no_matrix = not found and not unknown
    if not unknown:
        return
    names = ", ".join(sorted(unknown)[:3]) + (" …" if len(unknown) > 3 else "")
    if found:
        filled.incomplete = True
        filled.notes = (
            f"the names of {names} do not tell their work, which is missing here: add {ADD_TENSOR}",
        )
    else:
        _add(raw, f"{_INSTRUCTIONS[0]}.sum", sum(unknown.values()), f"{names} of {launch.opcode_metric}")


def _has_operations(cell: Cell) -> bool:
    metric = cell.source.metric
    stem, _, rollup = metric.partition(".")
    if (
        not metric.startswith(_OPERATIONS)
        or rollup.endswith("peak_sustained")
        or cell.text in (_MISSING, "0")
    ):
        return False
    return tensor_stem(stem) is not None


def _add(raw: RawLaunch, metric: str, value: float, recipe: str) -> None:
    printed = _printed(value)
    if printed is not None:
        raw.cells[metric] = Cell(printed, Source(metric, "", recipe))


def _unseen(launch: ReportLaunch) -> tuple[str, ...]:
    """Say that the tensor pipe was busy where nothing says with how much work."""
    busy = launch.values.get(TENSOR_BUSY)
    if not isinstance(busy, float) or not _BUSY <= busy <= 1000.0:
        return ()
    return (f"the tensor pipe was busy, and its operations were not counted: add {ADD_TENSOR}",)


def _drop_constants(raw: RawLaunch) -> None:
    """Leave nothing but missing values of a launch that was not measured, so that it is known for one."""
    measured = {
        metric: cell
        for metric, cell in raw.cells.items()
        if not metric.startswith(_CONSTANT) and not metric.endswith(".peak_sustained")
    }
    if measured and all(cell.text == _MISSING for cell in measured.values()):
        raw.cells = measured

"""One result of a report: a launch with its metrics.

Of a result (a kernel under all replay passes) the fields 5 mangled name, 6 function, 7 demangled name, 10 grid,
11 block and 13 metric are read; 3 and 4 are time stamps of the host around all passes, no duration. A metric is
{1 number of its name, 2 value, 3 instance {1 what it belongs to, 2 value}}; the value may be absent, as for metrics
that have instances only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu_report.opcodes import OPCODE_METRICS
from plugins_builtin._ncu_report.wire import BYTES, VARINT, Scalar, fields, scalar, text, varint

if TYPE_CHECKING:
    from plugins_builtin._ncu_report.tables import Tables

__all__ = ["ReportLaunch", "read_launch"]

Dimensions = tuple[int, int, int]

_NAMES: Final = (7, 6, 5)  # demangled, function alone, mangled: the best first
_LONGEST_NAME: Final = 20_000  # bytes
_MOST_VALUES: Final = 2_000  # of one launch that are wanted
_MOST_OPCODES: Final = 4_096
_LONGEST_OPCODE: Final = 80
_NAME_KEY: Final = 0x08  # field 1, a whole number
_TENSOR_OPERATIONS: Final = "sm__ops_path_tensor"
# Telling counters of a hierarchy apart compares each with each; chips have fewer than this.
_MOST_TENSOR_COUNTERS: Final = 128


@dataclass(slots=True)
class ReportLaunch:
    """A launch as it stands in the report.

    Attributes
    ----------
    values
        By metric, in base units, unrounded; not-a-number where the profiler could not measure.
    opcodes
        Executions by instruction, from the metric named in ``opcode_metric``; empty where none has them.
    nameless
        Metrics whose name is missing from the file.
    tensor_counters
        How many of the values count tensor operations.
    """

    kernel: str = ""
    grid: Dimensions | None = None
    block: Dimensions | None = None
    values: dict[str, Scalar] = field(default_factory=dict)
    opcodes: dict[str, float] = field(default_factory=dict)
    opcode_metric: str = ""
    nameless: int = 0
    tensor_counters: int = 0


def read_launch(data: bytes, tables: Tables) -> ReportLaunch | None:
    """Read one result; None if there is nothing in it.

    Raises
    ------
    WireError
        The message is damaged.
    """
    launch = ReportLaunch()
    names: dict[int, str] = {}
    metrics = 0
    for number, kind, start, stop in fields(data):
        if kind != BYTES:
            continue
        if number == 13:
            metrics += 1
            _take_metric(launch, data, start, stop, tables)
        elif number in _NAMES:
            names[number] = text(data, start, stop, _LONGEST_NAME)
        elif number == 10:
            launch.grid = _dimensions(data, start, stop)
        elif number == 11:
            launch.block = _dimensions(data, start, stop)
    launch.kernel = next((names[number] for number in _NAMES if names.get(number)), "")
    return launch if launch.kernel or metrics else None


def _dimensions(data: bytes, start: int, stop: int) -> Dimensions | None:
    """Blocks or threads {1 x, 2 y, 3 z}; None for all zero, as launches have that were never measured."""
    found = {1: 0, 2: 0, 3: 0}
    for number, kind, value, _ in fields(data, start, stop):
        if number in found and kind == VARINT:
            found[number] = value
    sizes = (found[1], found[2], found[3])
    return sizes if min(sizes) > 0 and max(sizes) < 1 << 32 else None


def _take_metric(launch: ReportLaunch, data: bytes, start: int, stop: int, tables: Tables) -> None:
    """Take one metric, if it is wanted; most are not, so the name is looked at before anything else."""
    number = _name_number(data, start, stop)
    name = tables.names.get(number)
    if name is None:
        launch.nameless += number >= tables.count
        return
    if name in OPCODE_METRICS:
        _take_opcodes(launch, name, data, start, stop)
        return
    if name in launch.values or len(launch.values) >= _MOST_VALUES:
        return
    if name.startswith(_TENSOR_OPERATIONS):
        launch.tensor_counters += 1
        if launch.tensor_counters > _MOST_TENSOR_COUNTERS:
            return
    for field_number, kind, first, last in fields(data, start, stop):
        if field_number == 2 and kind == BYTES:
            value = scalar(data, first, last)
            if value is not None:
                launch.values[name] = value


def _name_number(data: bytes, start: int, stop: int) -> int:
    if start < stop and data[start] == _NAME_KEY:
        return varint(data, start + 1, stop)[0]
    return next(
        (value for number, kind, value, _ in fields(data, start, stop) if (number, kind) == (1, VARINT)), 0
    )


def _take_opcodes(launch: ReportLaunch, name: str, data: bytes, start: int, stop: int) -> None:
    """Take counts by instruction, unless a more telling metric gave them already."""
    known = launch.opcode_metric
    if known and OPCODE_METRICS.index(known) <= OPCODE_METRICS.index(name):
        return
    found: dict[str, float] = {}
    for number, kind, first, last in fields(data, start, stop):
        if number != 3 or kind != BYTES or len(found) >= _MOST_OPCODES:
            continue
        opcode, executed = _instance(data, first, last)
        if opcode and isinstance(executed, (int, float)) and 0 <= executed < 1e30:
            found[opcode] = found.get(opcode, 0.0) + float(executed)
    if found:
        launch.opcodes, launch.opcode_metric = found, name


def _instance(data: bytes, start: int, stop: int) -> tuple[str, Scalar | None]:
    belongs: Scalar | None = None
    value: Scalar | None = None
    for number, kind, first, last in fields(data, start, stop):
        if kind != BYTES:
            continue
        if number == 1:
            belongs = scalar(data, first, last, _LONGEST_OPCODE)
        elif number == 2:
            value = scalar(data, first, last)
    return (belongs if isinstance(belongs, str) else ""), value

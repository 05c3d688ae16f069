"""What the blocks of a report say for all its launches: names of the metrics, devices, version of the profiler.

The session of a block (field 3 of its header) was read off real reports, where its strings name what they are:
field 6 is a device {1 index, 2 name, 3 attribute {1 name, 2 value}}, field 8 a remark {1 name, 2 text} such as
"Nsight Compute Target" with the version. Names of users, hosts and paths stand in other fields, which are not read.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.metrics import BUS_WIDTH, DEVICE_NAME, wanted_metric
from plugins_builtin._ncu_report.ceilings import CEILING_METRICS
from plugins_builtin._ncu_report.opcodes import OPCODE_METRICS
from plugins_builtin._ncu_report.wire import BYTES, Scalar, WireError, fields, scalar, text

if TYPE_CHECKING:
    from plugins_builtin._ncu_report.container import Block

__all__ = ["CAPABILITY", "TENSOR_BUSY", "Device", "Tables"]

CAPABILITY: Final = (
    "device__attribute_compute_capability_major",
    "device__attribute_compute_capability_minor",
)
TENSOR_BUSY: Final = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"

_OTHERS: Final = frozenset((*CAPABILITY, TENSOR_BUSY, *CEILING_METRICS, *OPCODE_METRICS))
_LONGEST_NAME: Final = 200  # bytes
_MOST_NAMES: Final = 5_000  # that are wanted; the fullest report seen has some 130
_MOST_DEVICES: Final = 64
_ATTRIBUTES: Final = frozenset(
    (*CAPABILITY, DEVICE_NAME, BUS_WIDTH, "device__attribute_multiprocessor_count")
)
_TOOL: Final = "Nsight Compute Target"


@dataclass(slots=True)
class Device:
    """A device as the session describes it, with the few attributes that matter here."""

    name: str = ""
    attributes: dict[str, Scalar] = field(default_factory=dict)


@dataclass(slots=True)
class Tables:
    """What is common to all launches.

    Attributes
    ----------
    names
        Names of the metrics that are of use here, by their number in the file.
    count
        How many names there are in all.
    devices
        In the order of the file.
    tool
        Version of the profiler in its own words, or empty.
    """

    names: dict[int, str] = field(default_factory=dict)
    count: int = 0
    devices: list[Device] = field(default_factory=list)
    tool: str = ""

    def take(self, block: Block) -> None:
        """Take what the header of one block adds; a damaged part ends that part alone."""
        header = block.header
        for number, kind, start, stop in fields(header):
            with suppress(WireError):
                if (number, kind) == (4, BYTES):
                    self._take_names(header, start, stop)
                elif (number, kind) == (3, BYTES):
                    self._take_session(header, start, stop)

    def _take_names(self, data: bytes, start: int, stop: int) -> None:
        for number, kind, first, last in fields(data, start, stop):
            if number != 1 or kind != BYTES:
                continue
            if last - first <= _LONGEST_NAME and len(self.names) < _MOST_NAMES:
                name = text(data, first, last, _LONGEST_NAME)
                if name in _OTHERS or wanted_metric(name) is not None:
                    self.names[self.count] = name
            self.count += 1

    def _take_session(self, data: bytes, start: int, stop: int) -> None:
        for number, kind, first, last in fields(data, start, stop):
            if kind != BYTES:
                continue
            if number == 6 and len(self.devices) < _MOST_DEVICES:
                self.devices.append(_device(data, first, last))
            elif number == 8 and not self.tool:
                name, value = _pair(data, first, last)
                self.tool = str(value) if name == _TOOL and value is not None else ""

    @property
    def only_device(self) -> Device | None:
        """The device of all launches, where there is but one."""
        return self.devices[0] if len(self.devices) == 1 else None


def _device(data: bytes, start: int, stop: int) -> Device:
    device = Device()
    for number, kind, first, last in fields(data, start, stop):
        if number == 2 and kind == BYTES:
            device.name = text(data, first, last, _LONGEST_NAME)
        elif number == 3 and kind == BYTES:
            name, value = _pair(data, first, last)
            if name in _ATTRIBUTES and value is not None:
                device.attributes[name] = value
    return device


def _pair(data: bytes, start: int, stop: int) -> tuple[str, Scalar | None]:
    """Name and value of an attribute {1 name, 2 {value}}, or of a remark {1 name, 2 text}."""
    name = ""
    value: Scalar | None = None
    for number, kind, first, last in fields(data, start, stop):
        if number == 1 and kind == BYTES:
            name = text(data, first, last, _LONGEST_NAME)
        elif number == 2 and kind == BYTES:
            value = text(data, first, last, _LONGEST_NAME) if name == _TOOL else scalar(data, first, last)
    return name, value

"""Binary reports for tests, encoded by hand: the protobuf wire format and the container around it."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plugins_builtin.nsight_compute_report import NsightComputeReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from rooflinestudio.core.measurement import Measurement, MeasurementFile

MAGIC = b"NVR\0"
OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"
DEVICE: dict[str, object] = {
    "device__attribute_display_name": "Test GPU 80",
    "device__attribute_compute_capability_major": 8,
    "device__attribute_compute_capability_minor": 0,
    "device__attribute_multiprocessor_count": 100,
}
"""Properties that each result of a report repeats."""


class Single(float):
    """A number that is stored in 32 bits."""


class Small(int):
    """A whole number that is stored as a 32-bit one."""


# ------------------------------------------------------------------------------------------- wire format


def varint(number: int) -> bytes:
    """A whole number, seven bits in a byte, the low ones first."""
    found = bytearray()
    while True:
        found.append(number & 0x7F | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(found)


def whole(number: int, value: int) -> bytes:
    """A field with a whole number."""
    return varint(number << 3) + varint(value)


def nested(number: int, content: bytes | str) -> bytes:
    """A field with bytes, a text or a message."""
    data = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(data)) + data


def fixed(number: int, value: float) -> bytes:
    """A field with a number in 32 or 64 bits."""
    if isinstance(value, Single):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3 | 1) + struct.pack("<d", value)


def scalar(value: object) -> bytes:
    """The value of a metric or attribute."""
    if isinstance(value, str):
        return nested(1, value)
    if isinstance(value, Small):
        return whole(4, value)
    if isinstance(value, int):
        return whole(5, value)
    assert isinstance(value, float)
    return fixed(2 if isinstance(value, Single) else 3, value)


# --------------------------------------------------------------------------------------------- container


def framed(message: bytes) -> bytes:
    """A message with its length before it."""
    return struct.pack("<i", len(message)) + message


@dataclass
class Kernel:
    """One result; a metric of value None has instances only."""

    metrics: Mapping[str, object] = field(default_factory=dict)
    opcodes: Mapping[str, object] = field(default_factory=dict)
    opcode_metric: str = OPCODES
    demangled: str = "kernel(float *)"
    function: str = "kernel"
    mangled: str = "_Z6kernelPf"
    grid: tuple[int, int, int] = (64, 1, 1)
    block: tuple[int, int, int] = (256, 1, 1)
    device: Mapping[str, object] = field(default_factory=lambda: DEVICE)

    def names(self) -> list[str]:
        """Metrics that it has, in its order."""
        return [*self.device, *self.metrics, *([self.opcode_metric] if self.opcodes else [])]

    def message(self, numbers: Mapping[str, int]) -> bytes:
        """The result as a message."""
        parts = [
            whole(1, 863_091),
            whole(3, 40_307_264_000),  # stamps of the host around all passes
            whole(4, 49_307_264_000),
            nested(5, self.mangled),
            nested(6, self.function),
            nested(7, self.demangled),
            nested(10, dimensions(self.grid)),
            nested(11, dimensions(self.block)),
        ]
        for name, value in {**self.device, **self.metrics}.items():
            parts.append(nested(13, metric(numbers[name], value)))
        if self.opcodes:
            instances = list(self.opcodes.items())
            total = float(sum(float(str(count)) for count in self.opcodes.values()))
            parts.append(nested(13, metric(numbers[self.opcode_metric], total, instances)))
        parts += [
            nested(17, nested(1, "SpeedOfLight")),
            nested(19, b"\x0a\x03abc"),
            whole(22, 1),
            whole(23, 7),
        ]
        return b"".join(parts)


def dimensions(sizes: Sequence[int]) -> bytes:
    """Blocks or threads in three directions."""
    return b"".join(whole(number, size) for number, size in enumerate(sizes, 1))


def metric(number: int, value: object, instances: Iterable[tuple[object, object]] = ()) -> bytes:
    """A metric by the number of its name; without a value it gets an instance, so that it has anything."""
    if value is None and not instances:
        instances = [(0, 5)]
    found = whole(1, number) + (b"" if value is None else nested(2, scalar(value)))
    for belongs, count in instances:
        found += nested(3, nested(1, scalar(belongs)) + nested(2, scalar(count)))
    return found


def block(
    *,
    sources: Sequence[bytes] = (),
    results: Sequence[bytes] = (),
    ranges: Sequence[bytes] = (),
    names: Sequence[str] = (),
    session: bytes = b"",
    payload_size: int | None = None,
) -> bytes:
    """One block with its header."""
    payload = b"".join(map(framed, (*sources, *results, *ranges)))
    header = whole(1, len(sources)) + whole(2, len(results))
    header += nested(3, session) if session else b""
    header += nested(4, b"".join(nested(1, name) for name in names)) if names else b""
    header += whole(5, len(payload) if payload_size is None else payload_size)
    header += nested(6, whole(1, 4711) + nested(2, "secret-host") + nested(3, "/home/secret-user/app"))
    header += whole(7, len(ranges)) if ranges else b""
    return framed(header) + payload


def device_session(name: str, attributes: Mapping[str, object], index: int = 0) -> bytes:
    """The part of a session that describes a device."""
    found = whole(1, index) + nested(2, name)
    for key, value in attributes.items():
        found += nested(3, nested(1, key) + nested(2, scalar(value)))
    return nested(6, found)


def head(version: int = 7) -> bytes:
    """What stands before the first block."""
    return MAGIC + framed(whole(1, version))


SYSTEM = whole(2, 1_665_078_873) + nested(3, nested(1, "Linux") + nested(5, "secret-host.example"))
TOOL = nested(8, nested(1, "Nsight Compute Target") + nested(2, "2024.3.0.0 (build 34567288)"))
SOURCE = b"\xff\xff no message at all, but some 60 bytes that look like a program \x7fELF\xff\xff"


def report(*kernels: Kernel, tail: bytes = b"") -> bytes:
    """A report as the profiler writes it: a block for each result, the names in the first, devices at the end."""
    numbers: dict[str, int] = {}
    found = head() + block(session=SYSTEM)
    for kernel in kernels:
        added = [name for name in kernel.names() if name not in numbers]
        numbers |= {name: len(numbers) + place for place, name in enumerate(dict.fromkeys(added))}
        found += block(sources=[SOURCE])
        found += block(results=[kernel.message(numbers)], names=list(dict.fromkeys(added)))
    return found + block(session=device_session("Test GPU 80", DEVICE)) + block(session=TOOL) + tail


def read_bytes(content: bytes, folder: Path, name: str = "report.ncu-rep") -> MeasurementFile:
    """Write a file and read it."""
    path = folder / name
    path.write_bytes(content)
    return NsightComputeReport().read(path)


def one(kernel: Kernel, folder: Path) -> Measurement:
    """Measurement of a report with one launch."""
    (measurement,) = read_bytes(report(kernel), folder).measurements
    return measurement


SASS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
TIME = {"gpu__time_duration.sum": 1_000_000.0}
DRAM = {"dram__bytes_read.sum": 3_000_000.0, "dram__bytes_write.sum": 1_000_000.0}


def vector(letter: str, add: float, mul: float, fma: float) -> dict[str, float]:
    """Thread instructions of one precision: ``f``, ``d`` or ``h``."""
    return {
        SASS.format(f"{letter}add"): add,
        SASS.format(f"{letter}mul"): mul,
        SASS.format(f"{letter}fma"): fma,
    }

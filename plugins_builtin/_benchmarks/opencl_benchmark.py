"""OpenCL-Benchmark: a box per device with its arithmetic, memory bandwidth and bus; units are decimal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._benchmarks.found import Rate, Tool, rate_in

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SIGN", "OpenclBenchmark"]

SIGN: Final = re.compile(
    r"^\|[ \t]*(?:(?:FP|INT)\d{1,2}[ \t]{1,10}compute[ \t]|Memory Bandwidth \([ \t]*(?:coalesced|misaligned)[ \t])",
    re.MULTILINE,
)
"""A row of the box."""

_DEVICE: Final = re.compile(r"\|[ \t]*Device Name[ \t]*\|[ \t]*(?P<name>\S[^|]{0,200})\|")
_UNITS: Final = re.compile(r"\|[ \t]*Compute Units[ \t]*\|[ \t]*\d{1,6} at (?P<clock>[1-9]\d{0,5}) MHz")
_COMPUTE: Final = re.compile(
    r"\|[ \t]*(?P<format>(?:FP|INT)\d{1,2})[ \t]{1,10}compute[ \t]{1,80}(?P<value>\d{1,9}\.\d{1,6})[ \t]{1,10}"
    r"T(?:FLOP|IOP)s?/s\b"
)
_BANDWIDTH: Final = re.compile(
    r"\|[ \t]*(?P<where>Memory|PCIe)[ \t]{1,10}Bandwidth \((?P<how>[^)]{1,40})\)[^|\d]{0,80}"
    r"(?P<value>\d{1,9}\.\d{1,6})[ \t]{1,10}GB/s\b"
)
_CEILINGS: Final[Mapping[str, str]] = {
    "FP64": "fp64",
    "FP32": "fp32",
    "FP16": "fp16",
    "INT32": "int32",
    "INT8": "int8",
}
_WAYS: Final[Mapping[str, tuple[str, str]]] = {
    "coalesced read": ("dram", "coalesced read"),
    "coalesced write": ("dram", "coalesced write"),
    "send": ("pcie", "host to device, one direction"),
    "receive": ("pcie", "device to host, one direction"),
}


class OpenclBenchmark(Tool):
    """Takes what OpenCL-Benchmark prints."""

    form = "opencl-benchmark"

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._clock = ""

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of OpenCL-Benchmark."""
        if not line.startswith("|"):
            return False
        if (match := _DEVICE.match(line)) is not None:
            self._name, self._clock = match["name"].strip(), ""
        elif (match := _UNITS.match(line)) is not None:
            self._clock = match["clock"]
        elif (match := _COMPUTE.match(line)) is not None:
            self._compute(match["format"], match["value"])
        elif (match := _BANDWIDTH.match(line)) is not None:
            self._bandwidth(" ".join(match["how"].split()), match["value"])
        else:
            found = SIGN.match(line) is not None
            self.seen = self.seen or found
            return found
        return True

    def _compute(self, form: str, text: str) -> None:
        self.seen = True
        rate = rate_in(text, 1e12)
        if rate is None or form not in _CEILINGS:
            return
        device = self.device(self._name, "OpenCL-Benchmark")
        device.add_ceiling(_CEILINGS[form], Rate(rate, f"{form} compute", "best of its runs"))
        if self._clock:
            device.note(f"Clock as the driver states it, not measured: {self._clock} MHz.")

    def _bandwidth(self, how: str, text: str) -> None:
        self.seen = True
        rate = rate_in(text, 1e9)
        if rate is None or how not in _WAYS:
            return  # misaligned accesses and both directions at once are no slope
        id_, condition = _WAYS[how]
        self.device(self._name, "OpenCL-Benchmark").add_boundary(id_, Rate(rate, how, condition))

"""clpeak: peaks of OpenCL devices (and, since its second version, of other backends), by section and vector width.

The best width of a section is taken. Bandwidths are decimal; a multiply-add counts 2. Copies through mapped memory are
no transfers and are left out, and so are sections without a roof of their own (images, atomics, 16-bit and 24-bit
integers).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._benchmarks.found import Rate, Tool, rate_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plugins_builtin._benchmarks.found import Device

__all__ = ["SIGN", "Clpeak"]

_TITLES: Final = (
    "Global memory bandwidth|Local memory bandwidth|Transfer bandwidth|Single-precision compute|"
    "Half-precision compute|Double-precision compute|Integer compute"
)
SIGN: Final = re.compile(
    rf"^[ \t]*(?:(?:{_TITLES}) \((?:GBPS|GFLOPS|GIOPS)\)|"
    r"Backend: \w{2,20}[ \t]{0,20}\r?\n[ \t]{1,20}Device \d{1,3}: )",
    re.MULTILINE,
)
"""A section of the first version, or the first lines of the second."""

_PLATFORM: Final = re.compile(r"[ \t]*(?P<kind>Platform|Backend): (?P<name>\S.{0,200})\Z")
_DEVICE: Final = re.compile(r"[ \t]*Device(?: \d{1,3})?: (?P<name>\S.{0,200})\Z")
_SECTION: Final = re.compile(
    r"[ \t]*(?P<name>[A-Z][\w /.()-]{2,80}?)(?: \((?P<unit>GBPS|GFLOPS|GIOPS|GOPS)\))?\Z"
)
_ROW: Final = re.compile(
    r"[ \t]*(?P<name>[A-Za-z][\w ()-]{0,60}?)[ \t]{0,40}:[ \t]{0,40}(?P<value>\d{1,12}(?:\.\d{1,6})?)"
    r"(?:[ \t]{1,10}(?P<unit>[A-Za-z/]{2,8}))?\Z"
)
_LATENCY: Final = re.compile(r"[ \t]*Kernel launch latency[ \t]*:[ \t]*(?P<value>\d{1,9}(?:\.\d{1,6})?) us\b")
_CLOCK: Final = re.compile(r"[ \t]*Clock frequency[ \t]*:[ \t]*(?P<value>[1-9]\d{0,6}) MHz")
_SCALES: Final[Mapping[str, float]] = {
    "GBPS": 1e9, "GFLOPS": 1e9, "GIOPS": 1e9, "GOPS": 1e9, "GB/S": 1e9,
    "TBPS": 1e12, "TFLOPS": 1e12, "TOPS": 1e12, "TIOPS": 1e12, "TB/S": 1e12,
}  # fmt: skip
_CEILINGS: Final[Mapping[str, str]] = {
    "single-precision compute": "fp32",
    "half-precision compute": "fp16",
    "double-precision compute": "fp64",
    "bfloat16 compute": "bf16",
    "integer compute": "int32",
    "integer char (8bit) compute": "int8",
}
_BOUNDARIES: Final[Mapping[str, str]] = {
    "global memory bandwidth": "dram",
    "local memory bandwidth": "shared",
}
_TRANSFER: Final = "transfer bandwidth"
_WAYS: Final[Mapping[str, str]] = {
    "enqueuewritebuffer": "host to device", "enqueuereadbuffer": "device to host",
    "enqueuewritebuffer non-blocking": "host to device", "enqueuereadbuffer non-blocking": "device to host",
}  # fmt: skip
_MATRIX: Final = re.compile(r"tensor cores|matrix cores|cooperative matrix|(?:cu|roc|hip)blas\w{0,10} gemm")
_MATRIX_FORMATS: Final = (
    (re.compile(r"fp64\b|double"), "fp64-tensor"), (re.compile(r"tf32"), "tf32-tensor"),
    (re.compile(r"bf16"), "bf16-tensor"), (re.compile(r"fp16"), "fp16-tensor"), (re.compile(r"fp8"), "fp8-tensor"),
    (re.compile(r"(?:nv|mx)?f(?:p)?4"), "fp4-tensor"), (re.compile(r"int8\Z"), "int8-tensor"),
)  # fmt: skip


class Clpeak(Tool):
    """Takes what clpeak prints."""

    form = "clpeak"

    def __init__(self) -> None:
        super().__init__()
        self._platform = ""
        self._name = ""
        self._section, self._unit = "", ""
        self._title = ""
        self._best: dict[tuple[str, str], Rate] = {}
        self._left_out: dict[str, None] = {}
        self._notes: list[str] = []

    @property
    def busy(self) -> bool:
        """Whether it waits for lines that no opening announces."""
        return bool(self._platform or self._section)

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of clpeak."""
        if (match := _PLATFORM.match(line)) is not None:
            self._close()
            self._platform, self._name = match["name"], ""
        elif self._platform and (match := _DEVICE.match(line)) is not None:
            self._close()
            self._name = match["name"]
        elif (match := _LATENCY.match(line)) is not None:
            self._notes.append(f"Kernel launch latency {match['value']} µs: a time, no roof.")
            self._section = ""
        elif self._name and (match := _CLOCK.match(line)) is not None:
            self._notes.append(f"Clock as the driver states it, not measured: {match['value']} MHz.")
        elif self._section and (match := _ROW.match(line)) is not None:
            self._row(match["name"], match["value"], match["unit"] or "")
        elif (match := _SECTION.match(line)) is not None and self._opens(match["name"], match["unit"]):
            pass
        else:
            self._section = self._section if not line.strip() else ""
            return False
        return True

    def end(self) -> None:
        """Take the end of the file."""
        self._close()

    def _opens(self, name: str, unit: str | None) -> bool:
        """Whether a line is the title of a section; without a unit only below a device."""
        known = name.lower() in _CEILINGS or name.lower() in _BOUNDARIES or name.lower() == _TRANSFER
        if not unit and not (self._name and self._platform):
            return False
        self._title, self._section, self._unit = name, name.lower(), unit or ""
        self.seen = self.seen or known
        return True

    def _row(self, name: str, text: str, unit: str) -> None:
        scale = _SCALES.get((unit or self._unit).upper())
        if scale is None or (not unit and "." not in text):
            return  # in no known unit, or cut off: rates have decimals
        rate = rate_in(text, scale)
        found = self._target(name.strip().lower())
        if rate is None:
            return
        if found is None:
            if self._section != _TRANSFER and len(self._left_out) < 20:
                self._left_out[self._title] = None
            return
        kind, id_, condition = found
        key = (kind, id_) if kind != "transfer" else (kind, condition)
        if rate > (self._best[key].best if key in self._best else 0.0):
            self._best[key] = Rate(rate, f"{self._title}, {name}", condition)

    def _target(self, row: str) -> tuple[str, str, str] | None:
        """Return kind, id and condition of what a row measures; None where no roof is meant."""
        width = "best vector width"
        if self._section in _CEILINGS:
            return "ceiling", _CEILINGS[self._section], width
        if self._section in _BOUNDARIES:
            return "boundary", _BOUNDARIES[self._section], width
        if self._section == _TRANSFER:
            way = _WAYS.get(row)
            return None if way is None else ("transfer", "pcie", f"{way}, one direction")
        if _MATRIX.search(self._section):
            id_ = next((id_ for pattern, id_ in _MATRIX_FORMATS if pattern.match(row)), None)
            return None if id_ is None else ("ceiling", id_, "accumulate type not stated")
        return None

    def _close(self) -> None:
        """Take the end of a device: its best rates become readings."""
        best, self._best = self._best, {}
        left_out, self._left_out = self._left_out, {}
        notes, self._notes = self._notes, []
        self._section = ""
        if not best:
            return
        self.seen = True
        device = self.device(self._name, f"clpeak ({self._platform})" if self._platform else "clpeak")
        for (kind, id_), rate in best.items():
            if kind == "ceiling":
                device.add_ceiling(id_, rate)
            else:
                device.add_boundary(id_ if kind == "boundary" else "pcie", rate)
        _tell(device, notes, left_out)


def _tell(device: Device, notes: list[str], left_out: dict[str, None]) -> None:
    for text in notes[:4]:
        device.note(text)
    if left_out:
        device.note(f"Not taken, since no profile has a roof for it: {', '.join(left_out)}.")

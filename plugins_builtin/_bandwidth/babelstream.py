"""BabelStream: five or six kernels over arrays of one length, whose work and traffic follow from their definition."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._measured.drafts import Draft, Traffic
from plugins_builtin._measured.tables import number_in, whole
from plugins_builtin._ncu.values import Value
from rooflinestudio.plugins import CeilingReading, MeasuredMachine, format_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = ["BabelStream"]


class _Kernel(NamedTuple):
    """Arrays that are read or written, and FLOP per element."""

    arrays: int
    flop: int
    formula: str


_KERNELS: Final[Mapping[str, _Kernel]] = {
    "copy": _Kernel(2, 0, "c = a"),
    "mul": _Kernel(2, 1, "b = s·c"),
    "add": _Kernel(3, 1, "c = a + b"),
    "triad": _Kernel(3, 2, "a = b + s·c"),
    "dot": _Kernel(2, 2, "sum += a·b"),
    "nstream": _Kernel(4, 3, "a += b + s·c"),
}
_HEADER: Final = re.compile(r"\s*Function\s+(?P<unit>[KMGT]i?Bytes/s(?:ec)?)\s+Min", re.IGNORECASE)
_ROW: Final = re.compile(r"\s*(?P<name>Copy|Mul|Add|Triad|Dot|Nstream)\s+(?P<rate>[\d.eE+]{1,30})(?:\s|\Z)")
_SIZE: Final = re.compile(r"\s*Array size:\s*(?P<size>[\d.]{1,20})\s*(?P<unit>[KMGT]i?B)\b")
_PRECISION: Final = re.compile(r"\s*Precision:\s*(?P<word>double|float)\b")
_DEVICE: Final = re.compile(r"\s*Using \S{1,20} device:?\s*(?P<name>\S.{0,200}?)\s*\Z")
_SCALE: Final = {
    "k": 1e3,
    "m": 1e6,
    "g": 1e9,
    "t": 1e12,
    "ki": 2.0**10,
    "mi": 2.0**20,
    "gi": 2.0**30,
    "ti": 2.0**40,
}
_CSV: Final = "function,num_times,n_elements,"
_RATE_COLUMN: Final = re.compile(r"max_(?P<unit>[kmgt]i?)bytes_per_sec\Z")
_MOST: Final = 100_000  # rows of many runs in one file
_MOST_NAMED: Final = 12  # whose rate a warning names


class BabelStream:
    """Takes the lines of one file; several runs may stand in it."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.rates: list[str] = []
        self.seen = False
        self._table: list[str] | None = None
        self._unit = ("MBytes/sec", 1e6)
        self._size: Value | None = None
        self._bytes = 8
        self._device: str | None = None
        self._readings: dict[str, list[CeilingReading]] = {}

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of BabelStream."""
        if self._table is not None or line.startswith(_CSV):
            return self._csv(line)
        if (match := _HEADER.match(line)) is not None:
            self._unit = (match["unit"], _SCALE[match["unit"].lower().partition("bytes")[0]])
            self.seen = True
        elif (match := _PRECISION.match(line)) is not None:
            self._bytes = 8 if match["word"] == "double" else 4
        elif (match := _SIZE.match(line)) is not None:
            scale = _SCALE[match["unit"].lower()[:-1]]
            self._size = number_in(match["size"], "array size", scale)
        elif (match := _DEVICE.match(line)) is not None:
            self._device = match["name"]
        elif line.strip() == "BabelStream":
            self.seen, self._size, self._device = True, None, None
        elif self.seen and (match := _ROW.match(line)) is not None and len(self.drafts) < _MOST:
            self._row(match["name"], match["rate"])
        else:
            return False
        return True

    def _csv(self, line: str) -> bool:
        """Take a line of ``--csv``, which has the exact number and size of the elements."""
        cells = [cell.strip() for cell in line.split(",")]
        if line.startswith(_CSV):
            self._table, self.seen = cells, True
            return True
        row = dict(zip(self._table or (), cells, strict=False))
        known = row.get("function", "").lower() in _KERNELS
        elements, size = whole(row.get("n_elements", "")), whole(row.get("sizeof", ""))
        if not known or not elements or size not in (4, 8) or len(self.drafts) >= _MOST:
            self._table = None  # other output behind the table
            return False
        self._bytes = size
        self._size = Value(float(elements * size), 0.0, "n_elements × sizeof")
        for name, text in row.items():
            if (match := _RATE_COLUMN.match(name)) is not None:
                self._unit = (name, _SCALE[match["unit"]])
                self._row(row["function"].capitalize(), text)
        return True

    def machines(self) -> tuple[MeasuredMachine, ...]:
        """Return the bandwidths of each device; the best run of a kernel is the rate that is printed."""
        return tuple(
            MeasuredMachine(device, "BabelStream", (), tuple(readings))
            for device, readings in self._readings.items()
        )

    def words(self) -> list[str]:
        """Name the best rates of the first rows."""
        return [f"Best rates, decimal: {', '.join(self.rates)}."] if self.rates else []

    def _row(self, name: str, text: str) -> None:
        rate = number_in(text, f"{name} in {self._unit[0]}", self._unit[1], f" × {self._unit[1]:g}")
        if rate is None or not rate.value:
            return
        if len(self.rates) < _MOST_NAMED:
            self.rates.append(f"{name} {format_quantity(rate.value, 'B/s', digits=6)}")
        size = format_quantity(self._size.value, "B") if self._size is not None else ""
        condition = f"arrays of {size}" if size else ""
        readings = self._readings.setdefault(self._device or "", [])
        readings.append(CeilingReading("dram", rate.value, condition=condition, origin=name))
        kernel = _KERNELS[name.lower()]
        pipe = "fp64" if self._bytes == 8 else "fp32"
        per_byte = kernel.flop / (kernel.arrays * self._bytes)
        by_formula = f"{kernel.flop} FLOP per {kernel.arrays * self._bytes} bytes ({kernel.formula})"
        draft = Draft(name, device=self._device)
        if self._size is not None and self._size.value:
            amount = self._size.scaled(kernel.arrays, f"{kernel.arrays} × {self._size.text}")
            draft.traffic["dram"] = Traffic(amount)
            draft.work[pipe] = amount.scaled(per_byte, f"{amount.text} × {by_formula}")
            draft.time = amount.over(rate, f"{amount.text} / rate of the best run ({rate.text})")
        else:
            draft.traffic_rates["dram"] = rate
            draft.work_rates[pipe] = rate.scaled(per_byte, f"{rate.text} × {by_formula}")
        draft.notes = (
            "Work and traffic follow from the definition of the kernel; measured was the best time.",
        )
        if not kernel.flop:
            draft.missing = ("no arithmetic in this kernel: its rate is a slope of the machine",)
        self.drafts.append(draft)

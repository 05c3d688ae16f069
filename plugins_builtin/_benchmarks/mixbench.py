"""mixbench: kernels with more and more multiply-adds per number read, in up to four formats.

Its table is the roofline itself: the best rate of a format is a ceiling, the best bandwidth of its rows the slope of
memory, and each row a point. Megabytes and FLOP are decimal; a multiply-add counts 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from plugins_builtin._benchmarks.found import GIGA, MOST_POINTS, Rate, Tool, number, rate_in
from plugins_builtin._measured.drafts import Draft
from plugins_builtin._measured.tables import number_in
from rooflinestudio.plugins import format_quantity

if TYPE_CHECKING:
    from plugins_builtin._benchmarks.found import Device

__all__ = ["SIGN", "Mixbench"]

SIGN: Final = re.compile(
    r"^[ \t]*(?:Experiment ID|Operations ratio),[ \t]{0,40}(?:Single|Double|Half|Integer)", re.MULTILINE
)
"""First head line of the table."""

_TITLE: Final = re.compile(
    r"[ \t]*mixbench(?P<kind>[-/\w]{0,60})(?: \((?P<words>[^)]{1,80})\))?\Z", re.IGNORECASE
)
_SPEC: Final = re.compile(r"[ \t]*(?P<name>[A-Z][A-Za-z ]{2,30}):[ \t]*(?P<value>\S.{0,200})\Z")
_WANTED: Final = frozenset((
    "Device", "GPU clock rate", "Compute Capability", "Compute throughput", "Memory bandwidth", "Buffer size",
))  # fmt: skip
_AMOUNT: Final = re.compile(r"(?P<number>\d{1,9}(?:\.\d{1,6})?) ?(?P<unit>[A-Za-z/]{1,12})")
_STEP: Final = re.compile(r"\d{1,6}(?:/ {0,4}\d{1,6})?\Z")
_PIPES: Final = (("single", "fp32"), ("double", "fp64"), ("half", "fp16"), ("integer", "int32"))
_TOP: Final = 64  # columns that are looked at


@dataclass(slots=True)
class _Group:
    """Columns of one format, and the best of its rows: rate, bandwidth and the steps that gave them."""

    pipe: str
    words: str
    time: int
    rate: int
    bandwidth: int
    best: tuple[float, str] = (0.0, "")
    fastest: tuple[float, str] = (0.0, "")
    rows: int = 0


class Mixbench(Tool):
    """Takes what mixbench prints."""

    form = "mixbench"

    def __init__(self) -> None:
        super().__init__()
        self._tool, self._kind = "mixbench", ""
        self._specs: dict[str, str] = {}
        self._in_specs = False
        self._first: list[str] | None = None
        self._groups: list[_Group] = []
        self._columns = 0

    @property
    def busy(self) -> bool:
        """Whether it waits for lines that no opening announces."""
        return bool(self._groups) or self._first is not None or self._in_specs

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of mixbench."""
        if SIGN.match(line):
            self._close()
            self.seen, self._first = True, _cells(line)
        elif self._first is not None:
            self._second(line)
        elif self._groups and self._row(line):
            pass
        elif (match := _TITLE.match(line)) is not None:
            self._begin(match["kind"], match["words"] or "")
        elif "- Device specifications -" in line:
            self._close()
            self._specs, self._in_specs = {}, True
        elif self._in_specs and (match := _SPEC.match(line)) is not None and match["name"] in _WANTED:
            self._specs.setdefault(match["name"], match["value"])
        else:
            self._close()
            return False
        return True

    def end(self) -> None:
        """Take the end of the file."""
        self._close()

    def _begin(self, kind: str, words: str) -> None:
        self._close()
        self._specs, self._in_specs = {}, True
        version = f" {words}" if re.match(r"v?\d", words) else ""
        self._tool = f"mixbench{kind.partition('/')[0]}{version}"
        self._kind = kind.partition("/")[2]

    def _second(self, line: str) -> None:
        """Take the second head line, which names the columns below the formats of the first."""
        first, names = self._first or [], [cell.lower() for cell in _cells(line)]
        self._first, self._columns = None, len(names)
        starts = [at for at, cell in enumerate(first) if at and cell]
        for at, until in zip(starts, [*starts[1:], len(names)], strict=True):
            pipe = next((pipe for word, pipe in _PIPES if first[at].lower().startswith(word)), None)
            places = {name: place for place, name in enumerate(names[at:until], at)}
            time = places.get("ex.time", places.get("time"))
            rate, bandwidth = places.get("gflops", places.get("giops")), places.get("gb/sec")
            if pipe is not None and None not in (time, rate, bandwidth):
                self._groups.append(_Group(pipe, first[at], time or 0, rate or 0, bandwidth or 0))

    def _row(self, line: str) -> bool:
        cells = _cells(line)
        if not cells or _STEP.match(cells[0]) is None:
            return False
        if len(cells) < self._columns:
            return True  # cut off
        step = cells[0].replace(" ", "")
        for group in self._groups:
            rate, bandwidth = rate_in(cells[group.rate], GIGA), rate_in(cells[group.bandwidth], GIGA)
            group.rows += rate is not None or bandwidth is not None
            if rate is not None and rate > group.best[0]:
                group.best = (rate, step)
            if bandwidth is not None and bandwidth > group.fastest[0]:
                group.fastest = (bandwidth, step)
            if rate and bandwidth and len(self.drafts) < MOST_POINTS:
                self.drafts.append(self._draft(group, cells, step))
        return True

    def _draft(self, group: _Group, cells: list[str], step: str) -> Draft:
        draft = Draft(f"{group.pipe}, {_step_words(step)}", device=self._specs.get("Device"))
        draft.compute_capability = self._specs.get("Compute Capability")
        unit = "GIOPS" if group.pipe == "int32" else "GFLOPS"
        work = number_in(cells[group.rate], f"{group.words} in {unit}", GIGA, " × 1e9")
        moved = number_in(cells[group.bandwidth], f"{group.words} in GB/sec", GIGA, " × 1e9")
        time = number_in(cells[group.time], "ex.time in ms", 1e-3, " × 1e-3")
        if work is not None and moved is not None:
            draft.work_rates[group.pipe], draft.traffic_rates["dram"] = work, moved
        if time is not None and time.value:
            draft.time = time
        draft.notes = ("Work and traffic as the benchmark counts them; a multiply-add is 2.",)
        return draft

    def _close(self) -> None:
        """Take the end of a table: its best rates become readings."""
        groups, self._groups, self._first = self._groups, [], None
        if not groups:
            return
        self._in_specs = False
        device = self.device(self._specs.get("Device", ""), self._tool)
        device.compute_capability = device.compute_capability or self._specs.get("Compute Capability")
        for group in groups:
            if group.best[0]:
                rate, step = group.best
                unit = "GIOPS" if group.pipe == "int32" else "GFLOPS"
                device.add_ceiling(group.pipe, Rate(rate, f"{group.words}, {unit}", self._condition(step)))
            if group.fastest[0]:
                rate, step = group.fastest
                device.add_boundary("dram", Rate(rate, f"{group.words}, GB/sec", self._condition(step)))
            if not group.rows:
                device.note(f"{group.words}: not supported by this device, or not measured.")
        self._notes(device)

    def _condition(self, step: str) -> str:
        size = self._specs.get("Buffer size", "")
        return ", ".join(
            part for part in (_step_words(step), f"buffer of {size}" if size else "", self._kind) if part
        )

    def _notes(self, device: Device) -> None:
        """Say what the tool states without having measured it."""
        if clock := self._amount("GPU clock rate"):
            device.note(f"Clock as the driver states it, not measured: {clock}.")
        stated = self._amount("Compute throughput"), self._amount("Memory bandwidth")
        if any(stated):
            device.note(f"Calculated by the tool, not measured: {' and '.join(filter(None, stated))}.")
        match = _AMOUNT.match(self._specs.get("Compute throughput", ""))
        limit = number(match["number"]) if match is not None else None
        best = max((one.best for one in device.ceilings if one.id == "fp32"), default=0.0)
        if limit and match is not None and match["unit"].lower() == "gflops" and best > limit * GIGA:
            device.note(
                f"fp32 reached {format_quantity(best, 'FLOP/s', digits=4)}, {best / limit / GIGA:.0%} of what the tool "
                "calculates: the device ran above the stated clock."
            )

    def _amount(self, name: str) -> str:
        match = _AMOUNT.match(self._specs.get(name, ""))
        return f"{match['number']} {match['unit']}" if match is not None else ""


def _step_words(step: str) -> str:
    return f"compute to memory {step}" if "/" in step else f"{step} iteration{'' if step == '1' else 's'}"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(",", _TOP)]

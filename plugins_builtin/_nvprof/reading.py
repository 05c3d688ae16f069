"""One pass over a file of nvprof: its tables, and a measurement for each kernel or launch in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.explain import binary_kind, counted
from plugins_builtin._ncu.lines import TextLines, encoding_of, read_head, split_row
from plugins_builtin._nvprof.activity import activity_of
from plugins_builtin._nvprof.figures import COLLECT, time_of, traffic_of, work_of
from plugins_builtin._nvprof.rows import Kernels, Rows
from plugins_builtin._nvprof.tables import NvprofTable, find_table
from rooflinestudio.plugins import (
    MeasuredTraffic,
    Measurement,
    MeasurementError,
    MeasurementFile,
    MeasurementPacker,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from plugins_builtin._ncu.values import Value
    from plugins_builtin._nvprof.figures import Traffic
    from plugins_builtin._nvprof.rows import RawKernel

__all__ = ["read_file"]

_TRACE: Final = re.compile(r"==\d{1,10}== (Warning|Error): (.{1,300})")
_MOST: Final = 10  # messages that are passed on


def read_file(path: Path, *, progress: Callable[[float], bool] | None = None) -> MeasurementFile:
    """Read one file of nvprof.

    Parameters
    ----------
    path
        The file.
    progress
        Called with the share done, 0 to 1; False cancels.

    Raises
    ------
    MeasurementError
        The file cannot be read or is of another kind.
    MeasurementCancelled
        ``progress`` returned False.
    """
    head = read_head(path)
    if not head.strip():
        raise MeasurementError(f"{path}: the file is empty.")
    encoding = encoding_of(head)
    if encoding is None:
        raise MeasurementError(f"{path}: this is {binary_kind(head)}, not text. Make a table with: {COLLECT}")
    return _Reading(path, encoding, progress).run()


class _Reading:
    """State of reading one file."""

    def __init__(self, path: Path, encoding: str, progress: Callable[[float], bool] | None) -> None:
        self._path = path
        self._lines = TextLines(path, encoding, progress)
        self._packer = MeasurementPacker()
        self._kernels = Kernels(lambda raw: self._packer.put(raw.position, _measurement(raw)))
        self._kinds: dict[str, None] = {}
        self._table: NvprofTable | None = None
        self._rows: Rows | None = None
        self._messages: dict[str, None] = {}
        self._nvprof = False
        self._cut_line = 0

    def run(self) -> MeasurementFile:
        for line in self._lines:
            self._take(line)
        self._kernels.finish()
        measurements = self._packer.packed()
        if not measurements and not self._kinds and not self._nvprof:
            raise MeasurementError(
                f"{self._path}: there is no table of nvprof in its {self._lines.number - 1:,} lines. "
                f"Make one with: {COLLECT}"
            )
        kind = next(
            (kind for kind in ("metrics", "counters", "trace", "summary") if kind in self._kinds), "log"
        )
        return MeasurementFile(
            path=str(self._path),
            format=f"nvprof-{kind}",
            warnings=tuple(self._warnings(empty=not measurements)),
            measurements=measurements,
            digest=self._lines.digest,
            counters=tuple(self._kernels.names),
        )

    def _take(self, line: str) -> None:
        if line.startswith("=="):
            self._nvprof = self._nvprof or line[:12].strip("=")[:1].isdigit()
            match = _TRACE.match(line)
            if match is not None and len(self._messages) < _MOST:
                self._messages.setdefault(f"nvprof reported: {match[2].strip()}")
            return
        table = find_table(line)
        if table is not None:
            self._kinds[table.kind] = None
            self._table, self._rows = table, Rows(table, self._kernels)
        elif self._table is not None and self._table.on_terminal and self._rows is not None:
            if not self._lines.ended_mid_line:
                self._rows.add_text(line, self._lines.number)
        elif self._rows is not None and "," in line:
            self._add_row(line, self._rows)

    def _add_row(self, line: str, rows: Rows) -> None:
        number = self._lines.number
        whole = self._lines.complete_row(line) if line.count('"') % 2 else line
        # Unquoted numbers stand last: where the file ends inside a line, a number may lack digits.
        if whole is None or self._lines.ended_mid_line:
            self._cut_line = self._cut_line or number
            if whole is None:
                return
        row = split_row(whole)
        if row is not None and not (self._lines.ended_mid_line and self._is_cut(row)):
            rows.add(row, number)

    def _is_cut(self, row: list[str]) -> bool:
        """Whether the last line of the file, which has no end, lacks cells; a trace ends with a quoted name."""
        assert self._table is not None
        return len(row) <= max(self._table.columns.values()) or self._table.kind in ("metrics", "counters")

    def _warnings(self, *, empty: bool) -> list[str]:
        texts = list(self._messages)
        if empty:
            texts.insert(0, f"nvprof measured no kernel here. Make a table with: {COLLECT}")
        if "metrics" in self._kinds and not empty:
            texts.append(
                "nvprof prints means over the launches of a kernel and no duration: where a time stands, it is an "
                "amount over its rate. A time from nvprof --print-gpu-trace is better."
            )
        if self._kernels.copies:
            copies = counted(self._kernels.copies, "copy or fill was", "copies and fills were")
            texts.append(f"Left out: {copies} listed beside the kernels.")
        if self._kernels.unreadable.count:
            cells = counted(self._kernels.unreadable.count, "value is", "values are")
            texts.append(f"{cells} no number in a known unit; the first: {self._kernels.unreadable.first}.")
        if self._cut_line:
            texts.append(
                f"The file is cut off in line {self._cut_line:,}: what stood before was read, that row may lack."
            )
        if self._lines.cut_lines:
            lines = counted(self._lines.cut_lines, "line", "lines")
            texts.append(f"Left out: {lines} of over 4,000,000 characters.")
        return texts


def _measurement(raw: RawKernel) -> Measurement:
    time = raw.time or time_of(raw.counters)
    if time is not None and time.value <= 0:
        time = None
    work, traffic = work_of(raw.counters), traffic_of(raw.counters)
    values: dict[str, Value] = {} if time is None else {"time_s": time}
    values |= {f"work.{pipe}": value for pipe, value in work.items()}
    values |= {f"{boundary}_bytes": found.total for boundary, found in traffic.items()}
    values |= activity_of(raw.counters)
    if raw.count > 1:
        mean = f"; mean of {raw.count:,} launches"
        values = {name: value._replace(text=value.text + mean) for name, value in values.items()}
    return Measurement(
        launch=raw.position,
        kernel=raw.kernel,
        count=raw.count,
        time_s=None if time is None else time.value,
        work={pipe: value.value for pipe, value in work.items()},
        traffic={boundary: _amounts(found) for boundary, found in traffic.items()},
        device=_device(raw.device) or None,
        grid=raw.grid,
        block=raw.block,
        source_line=None,
        figures={name: value.figure() for name, value in values.items()},
        reason=_reason(time, work, traffic),
    )


def _amounts(found: Traffic) -> MeasuredTraffic:
    read, write = found.read, found.write
    return MeasuredTraffic(
        None if read is None else read.value, None if write is None else write.value, found.total.value
    )


def _device(text: str) -> str:
    """Name of a device without its number (``Tesla V100-SXM2-16GB (0)``)."""
    head, bracket, number = text.rpartition(" (")
    return head if bracket and number.rstrip(")").isdigit() else text


def _reason(time: Value | None, work: dict[str, Value], traffic: dict[str, Traffic]) -> str | None:
    """Say what keeps a kernel, or its place at dram, off the canvas; None if nothing does."""
    reasons: list[str] = []
    if not work:
        reasons.append("no FLOP counters collected: add --metrics flop_count_sp,flop_count_dp,flop_count_hp")
    elif not any(value.value for value in work.values()):
        reasons.append(f"W = 0 measured on {', '.join(work)}: no place on a FLOP roofline")
    if time is None:
        reasons.append("no time: add --metrics dram_read_throughput, or a trace with --print-gpu-trace")
    dram = traffic.get("dram")
    if dram is None:
        reasons.append(
            "no dram traffic collected: add --metrics dram_read_transactions,dram_write_transactions"
        )
    elif not dram.total.value:
        reasons.append(f"no DRAM traffic measured ({dram.total.text} = 0): no place at dram")
    return "; ".join(reasons) or None

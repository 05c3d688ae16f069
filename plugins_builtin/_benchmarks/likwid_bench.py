"""likwid-bench: one block per run with its test, working set, rate and bandwidth; units are decimal.

The file does not say which cache holds a working set. Where the same file has what likwid-topology prints, the sizes
decide; else a set of 64 MiB or more for each group of threads is taken for memory, and a smaller one is left for the
reader to assign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._benchmarks.found import MEGA, Rate, Tool, number, rate_in

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SIGN", "UNASSIGNED", "LikwidBench"]

SIGN: Final = re.compile(r"^[ \t]*LIKWID MICRO BENCHMARK[ \t\r]*$", re.MULTILINE)
"""Title of a run."""

UNASSIGNED: Final = "cache"
"""Id of a bandwidth whose boundary is not known: no profile has it, so that it is taken for nothing unasked."""

_FIELD: Final = re.compile(r"[ \t]*(?P<name>[A-Z][\w /().]{1,40}?):[ \t]*(?P<value>\S.{0,80})\Z")
_USING: Final = re.compile(r"[ \t]*Using (?P<count>\d{1,6}) (?P<what>work groups|threads)\b")
_WANTED: Final = frozenset((
    "Test", "Size (Byte)", "Size", "Size per thread", "MFlops/s", "MByte/s", "CPU Clock", "Stores per update",
))  # fmt: skip
_CPU: Final = re.compile(r"[ \t]*CPU name:[ \t]*(?P<name>\S.{0,200})\Z")
_LEVEL: Final = re.compile(r"[ \t]*Level:[ \t]*(?P<level>[1-4])\Z")
_CACHE: Final = re.compile(r"[ \t]*Size:[ \t]*(?P<size>\d{1,9}(?:\.\d{1,3})?) (?P<unit>kB|MB)\Z")
_UNITS: Final[Mapping[str, float]] = {"kB": 1024.0, "MB": 1024.0**2}
_BOUNDARIES: Final = ("l1", "l2", "l3")
_MEMORY: Final = 64 * 1024.0**2  # bytes for each group of threads
_SURE: Final = 4  # times the largest cache: a set that is served by memory
_ROOM: Final = 0.9  # of a cache: a set that it holds


class LikwidBench(Tool):
    """Takes what likwid-bench prints."""

    form = "likwid-bench"

    def __init__(self) -> None:
        super().__init__()
        self._run: dict[str, str] | None = None
        self._cpu = ""
        self._level: int | None = None
        self._caches: dict[int, float] = {}

    @property
    def busy(self) -> bool:
        """Whether it waits for lines that no opening announces."""
        return self._run is not None or self._level is not None

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of likwid-bench."""
        if SIGN.match(line):
            self._close()
            self.seen, self._run = True, {}
        elif (match := _CPU.match(line)) is not None:
            self._cpu = match["name"]
        elif (match := _LEVEL.match(line)) is not None:
            self._level = int(match["level"])
        elif self._level is not None and (match := _CACHE.match(line)) is not None:
            self._caches[self._level] = (number(match["size"]) or 0.0) * _UNITS[match["unit"]]
            self._level = None
        elif self._run is not None and (match := _USING.match(line)) is not None:
            self._run.setdefault(match["what"], match["count"])
        else:
            match = _FIELD.match(line) if self._run is not None else None
            if self._run is None or match is None or match["name"] not in _WANTED:
                return False
            self._run.setdefault(match["name"], match["value"])
        return True

    def end(self) -> None:
        """Take the end of the file."""
        self._close()

    def _close(self) -> None:
        """Take the end of a run: its rate or bandwidth becomes a reading."""
        run, self._run = self._run, None
        test = (run or {}).get("Test", "")
        if run is None or not test:
            return
        device = self.device(self._cpu, "likwid-bench")
        if clock := number(run.get("CPU Clock", "")):
            device.note(f"Clock of the time stamps, not that of the cores: {clock / 1e9:.3f} GHz.")
        if test.startswith("peakflops"):
            rate = _rate(run, "MFlops/s")
            if rate is not None:
                device.add_ceiling("fp32" if "_sp" in test else "fp64", Rate(rate, test, _condition(run)))
            return
        rate = _rate(run, "MByte/s")
        if rate is None:
            return
        boundary = self._boundary(run)
        if boundary == UNASSIGNED:
            device.note(
                "Which cache holds a working set is not in the file: assign those bandwidths by size."
            )
        device.add_boundary(boundary, Rate(rate, test, _condition(run)))

    def _boundary(self, run: Mapping[str, str]) -> str:
        """Tell the boundary by the working set."""
        groups = max(int(number(run.get("work groups", "1")) or 1), 1)
        whole = (number(run.get("Size (Byte)", "")) or 0.0) / groups
        each = number(run.get("Size per thread", "")) or 0.0
        if self._caches:
            return self._by_caches(whole, each)
        return "dram" if whole >= _MEMORY else UNASSIGNED

    def _by_caches(self, whole: float, each: float) -> str:
        """Tell the boundary where the sizes of the caches are known; on the border between two it stays open."""
        levels = sorted(self._caches)
        if whole >= _SURE * max(self._caches.values()) and whole >= _MEMORY:
            return "dram"
        inner = 0.0
        for level in levels:
            size = self._caches[level]
            # A last level is shared: the whole set of a group must fit. Inner ones belong to a thread.
            held = whole if level == levels[-1] and len(levels) > 1 else each
            if inner < held <= _ROOM * size and each > inner and level <= len(_BOUNDARIES):
                return _BOUNDARIES[level - 1]
            inner = size
        return UNASSIGNED


def _rate(run: Mapping[str, str], name: str) -> float | None:
    """Rate of a field; None where its two decimals are cut off, so that digits may be, too."""
    text = run.get(name, "")
    return rate_in(text, MEGA) if re.search(r"\.\d\d\Z", text) else None


def _condition(run: Mapping[str, str]) -> str:
    parts = []
    if size := number(run.get("Size (Byte)", "")):
        parts.append(f"size {_size(size)}")
    if (each := number(run.get("Size per thread", ""))) and each != size:
        parts.append(f"{_size(each)} per thread")
    threads, groups = run.get("threads", ""), run.get("work groups", "")
    if threads:
        parts.append(f"{threads} thread{'' if threads == '1' else 's'}")
    if groups not in ("", "1"):
        parts.append(f"{groups} groups")
    if number(run.get("Stores per update", "")):
        parts.append("write-allocate not counted")
    return ", ".join(parts)


def _size(size: float) -> str:
    for limit, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= limit:
            return f"{size / limit:.4g} {unit}"
    return f"{size:.0f} B"

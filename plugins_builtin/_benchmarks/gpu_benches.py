"""gpu-benches: streams by occupancy, caches by data set, and a roofline with clock and power.

Bandwidths are decimal, data sets count by 1024. None of the tables names its device. Which level a data set stands in
is not printed, so that the curve must say it: its plateaus, from the smallest data set outward.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._benchmarks.found import GIGA, MOST_POINTS, Rate, Tool, number, rate_in
from plugins_builtin._benchmarks.plateaus import plateaus
from plugins_builtin._measured.drafts import Draft
from plugins_builtin._measured.tables import number_in
from rooflinestudio.plugins import format_quantity

if TYPE_CHECKING:
    from plugins_builtin._benchmarks.found import Device
    from plugins_builtin._benchmarks.plateaus import Plateau

__all__ = ["SIGN_CACHES", "SIGN_ROOFLINE", "SIGN_STREAMS", "GpuCaches", "GpuRoofline", "GpuStreams"]

_KIB: Final = 1024.0
_MIB: Final = 1024.0**2
_MOST: Final = 20_000  # rows of one table
_MOST_KERNELS: Final = 40

SIGN_STREAMS: Final = re.compile(
    r"^[\w \t]{0,60}threads[ \t]{1,40}%occ[ \t]{1,40}\|[ \t]{1,60}init\b", re.MULTILINE
)
SIGN_CACHES: Final = re.compile(
    r"^[ \t]*data set[ \t]{1,40}exec time[ \t]{1,40}spread[ \t]{1,40}Eff\. bw", re.MULTILINE
)
SIGN_ROOFLINE: Final = re.compile(
    r"^[ \t]*(?P<device>\d{1,3})[ \t]{1,10}\d{1,9} blocks[ \t]{1,20}(?P<its>\d{1,6}) its[ \t]{1,20}"
    r"(?P<intensity>\d{1,9}\.\d{1,6}) Fl/B[ \t]{1,20}(?P<bandwidth>\d{1,12}) GB/s[ \t]{1,20}(?P<rate>\d{1,12}) GF/s"
    r"(?:[ \t]{1,20}(?P<clock>\d{1,6}) M[Hh]z)?(?:[ \t]{1,20}(?P<power>\d{1,6}) W)?",
    re.MULTILINE,
)


class GpuStreams(Tool):
    """Takes the table of gpu-stream: rates of each kernel by occupancy."""

    form = "gpu-benches"

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []
        self._best: dict[str, tuple[float, str]] = {}

    @property
    def busy(self) -> bool:
        """Whether it waits for lines that no opening announces."""
        return bool(self._names)

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of the table."""
        if SIGN_STREAMS.match(line):
            self.end()
            self.seen = True
            self._names = line.partition("|")[2].split()[:_MOST_KERNELS]
            self._best = {}
            return True
        if not self._names or "GB/s:" not in line:
            return False
        left, _, right = line.partition("GB/s:")
        # Where a kernel had another occupancy than was meant, the tool says so between the numbers.
        cells = re.sub(r"!\s{0,4}\d{1,4} blocks per SM", " ", right[:1_000]).split()
        occupancy = re.search(r"(\d{1,3}(?:\.\d{1,3})?)[ \t%]{0,8}\|", left[:400])
        for name, cell in zip(self._names, cells if len(cells) == len(self._names) else (), strict=False):
            rate = rate_in(cell, GIGA)
            if rate is not None and rate > self._best.get(name, (0.0, ""))[0]:
                self._best[name] = (rate, occupancy[1] if occupancy else "")
        return True

    def end(self) -> None:
        """Take the end of a table."""
        if not self._names:
            return
        self._names = []
        for name, (rate, occupancy) in self._best.items():
            at = f"best occupancy ({occupancy}%)" if occupancy else "best occupancy"
            rating = Rate(rate, name, f"{at}, median of its runs")
            self.device("", "gpu-benches, gpu-stream").add_boundary("dram", rating)


class GpuCaches(Tool):
    """Takes the tables of gpu-cache and gpu-l2-cache: bandwidth by data set.

    gpu-cache lets every multiprocessor read the same data set, gpu-l2-cache (two columns of sizes) one that all share.
    """

    form = "gpu-benches"
    _row = re.compile(
        r"[ \t]*(?P<size>\d{1,12}) kB[ \t]{1,20}(?:(?P<whole>\d{1,12}) kB[ \t]{1,20})?"
        r"\d{1,9}(?:\.\d{1,6})? ?ms[ \t]{1,20}\d{1,9}(?:\.\d{1,6})?%[ \t]{1,20}(?P<rate>\d{1,12}(?:\.\d{1,6})?) GB/s"
    )

    def __init__(self) -> None:
        super().__init__()
        self._points: list[tuple[float, float]] = []
        self._shared = False
        self._open = False

    @property
    def busy(self) -> bool:
        """Whether it waits for lines that no opening announces."""
        return self._open

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of the tables."""
        if SIGN_CACHES.match(line):
            self.end()
            self.seen = self._open = True
            return True
        match = self._row.match(line) if self._open else None
        if match is None:
            return False
        shared = match["whole"] is not None
        if shared != self._shared:
            self.end()  # another table without its head
            self._open, self._shared = True, shared
        rate, size = rate_in(match["rate"], GIGA), number(match["whole"] or match["size"])
        if rate is not None and size and len(self._points) < _MOST:
            self._points.append((size * _KIB, rate))
        return True

    def end(self) -> None:
        """Take the end of a table: plateaus become readings where it is clear whose they are."""
        points, self._points, self._open = self._points, [], False
        if not points:
            return
        device = self.device("", f"gpu-benches, {'gpu-l2-cache' if self._shared else 'gpu-cache'}")
        found = plateaus(points)
        levels = _levels_of_shared(found) if self._shared else _levels_of_each(found, points)
        for plateau, level in zip(found, levels, strict=True):
            words = _sizes(plateau)
            if level is None:
                rate = format_quantity(plateau.median, "B/s", digits=4)
                device.note(f"Left out: {rate} at {words}; it is not certain which level that is.")
                continue
            rating = Rate(
                plateau.best, "Eff. bw", f"plateau, {words}", plateau.median, plateau.low, plateau.best, plateau.points
            )  # fmt: skip
            device.add_boundary(level, rating)
        if not found:
            device.note("No plateau: rates that change with every size belong to no level.")


def _levels_of_each(found: list[Plateau], points: list[tuple[float, float]]) -> list[str | None]:
    """Levels of gpu-cache: L1 for what fits a multiprocessor, then L2; what lies beyond is not certain.

    The smallest L1 has 16 KiB. A table that begins above it, or is faster before its first plateau, may not show it.
    """
    levels: list[str | None] = [None] * len(found)
    smallest = min(size for size, _ in points)
    if found and smallest <= 16 * _KIB and not _is_faster_before(found[0], points):
        levels[0] = "l1"
        if len(found) > 1 and found[1].first <= 4 * _MIB:
            levels[1] = "l2"
    return levels


def _is_faster_before(plateau: Plateau, points: list[tuple[float, float]]) -> bool:
    return any(size < plateau.first and rate > plateau.best for size, rate in points)


def _levels_of_shared(found: list[Plateau]) -> list[str | None]:
    """Levels of gpu-l2-cache: L2 for the smallest, memory for the largest; between is a far L2 or an L3."""
    levels: list[str | None] = [None] * len(found)
    if found and found[0].first <= 8 * _MIB and (len(found) > 1 or found[0].last <= 32 * _MIB):
        levels[0] = "l2"
    if len(found) > 1 and found[-1].last >= 512 * _MIB:
        levels[-1] = "dram"
    return levels


def _sizes(plateau: Plateau) -> str:
    return f"data sets of {_kib(plateau.first)} to {_kib(plateau.last)}"


def _kib(size: float) -> str:
    return f"{size / _MIB:.0f} MiB" if size >= 10 * _MIB else f"{size / _KIB:.0f} KiB"


class GpuRoofline(Tool):
    """Takes the rows of gpu-roofline: rate and bandwidth by multiply-adds per pair of numbers."""

    form = "gpu-benches"

    def __init__(self) -> None:
        super().__init__()
        self._best: dict[tuple[str, str], tuple[float, str, float | None]] = {}

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of gpu-roofline."""
        match = SIGN_ROOFLINE.match(line)
        if match is None:
            return False
        self.seen = True
        device, its = f"device {int(match['device'])}", int(match["its"])
        rate, bandwidth = rate_in(match["rate"], GIGA), rate_in(match["bandwidth"], GIGA)
        clock = rate_in(match["clock"] or "", 1e6)
        pipe = _pipe(number(match["intensity"]), its)
        if pipe is not None:
            self._keep(device, pipe, rate, f"{its} iterations", clock)
        self._keep(device, "dram", bandwidth, f"{its} iterations", clock)
        if pipe is not None and rate and bandwidth and len(self.drafts) < MOST_POINTS:
            draft = Draft(f"{pipe}, {its} iterations", device=device)
            work = number_in(match["rate"], "GF/s", GIGA, " × 1e9")
            moved = number_in(match["bandwidth"], "GB/s", GIGA, " × 1e9")
            if work is not None and moved is not None:
                draft.work_rates[pipe], draft.traffic_rates["dram"] = work, moved
            self.drafts.append(draft)
        return True

    def _keep(self, device: str, id_: str, rate: float | None, words: str, clock: float | None) -> None:
        if (
            rate is not None
            and rate > self._best.get((device, id_), (0.0, "", None))[0]
            and len(self._best) < _MOST
        ):
            self._best[device, id_] = (rate, words, clock)

    def end(self) -> None:
        """Take the end of the file."""
        for (name, id_), (rate, words, clock) in self._best.items():
            device = self.device(name, "gpu-benches, gpu-roofline")
            at = f", {clock / 1e6:.0f} MHz" if clock else ""
            rating = Rate(rate, "GB/s" if id_ == "dram" else "GF/s", f"{words}{at}")
            if id_ == "dram":
                device.add_boundary(id_, rating)
            else:
                device.add_ceiling(id_, rating)
                _note_clock(device, clock)


def _note_clock(device: Device, clock: float | None) -> None:
    if clock and 1e8 <= clock <= 1e10:
        device.clocks["sm"] = clock


def _pipe(intensity: float | None, its: int) -> str | None:
    """Tell the format by the intensity: 2 + 2n FLOP for two numbers of 8 bytes, or of 4."""
    for bytes_, pipe in ((8, "fp64"), (4, "fp32")):
        expected = (2 + 2 * its) / (2 * bytes_)
        if intensity is not None and abs(intensity - expected) <= 6e-4 + 1e-6 * expected:
            return pipe
    return None

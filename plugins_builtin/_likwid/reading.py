"""Output of likwid-perfctr: one measurement for each region and group of counters.

Units are decimal. Rates are of each thread over its own run time, so work is the sum of rate x time over the threads;
data volumes are sums (uncore counters stand on one thread of a socket), and the time is that of the slowest thread.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._likwid.tables import Region, Regions, looks_like_likwid
from plugins_builtin._measured.drafts import Advice, Draft, Traffic
from plugins_builtin._measured.tables import READING_SHARE, built, open_text
from plugins_builtin._ncu.lines import decoded_head
from plugins_builtin._ncu.values import Value, total
from rooflinestudio.plugins import MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import Progress

__all__ = ["looks_like", "read_file"]

_MEND: Final = "Write one with: likwid-perfctr -C … -g MEM_DP -m -O ./app > app.csv"
_ADVICE: Final = Advice(
    work="no FLOP rate in this group of counters: measure with -g MEM_DP or -g MEM_SP",
    time="no Runtime (RDTSC) in the table of metrics",
    traffic="no data volume in this group of counters: measure with -g MEM_DP or -g MEM_SP",
)
_RUNTIME: Final = "Runtime (RDTSC) [s]"
_RATE: Final = re.compile(r"(?P<format>DP|SP|HP) \[?MFLOP/s\]?\Z")
_PIPES: Final = {"DP": "fp64", "SP": "fp32", "HP": "fp16"}
_VOLUME: Final = re.compile(
    r"(?P<where>Memory|L2|L3)(?: (?P<way>read|write|load|evict))? data volume \[GBytes\]\Z"
)
_FLOW: Final = re.compile(r"(?P<where>Memory|L2|L3) bandwidth \[MBytes/s\]\Z")
_BOUNDARIES: Final = {"Memory": "dram", "L2": "l2", "L3": "l3"}


def looks_like(head: bytes) -> bool:
    """Whether a file begins like output of likwid-perfctr."""
    text = decoded_head(head)
    return text is not None and looks_like_likwid(text)


def read_file(path: Path, progress: Progress | None = None) -> MeasurementFile:
    """Read the metrics of all regions and groups.

    Raises
    ------
    MeasurementError
        The file cannot be read or holds no table of LIKWID.
    MeasurementCancelled
        ``progress`` returned False.
    """
    lines = open_text(path, _MEND, progress, READING_SHARE)
    regions = Regions(_is_wanted)
    for line in lines:
        regions.add(line)
    if not regions.tables and not regions.found and regions.cpu is None:
        raise MeasurementError(
            f"{path}: there is no table of LIKWID in its {lines.number - 1:,} lines. {_MEND}"
        )
    drafts = (_draft(region, regions.cpu) for region in regions.found.values())
    made = built(drafts, len(regions.found), _ADVICE, path, progress)
    warnings: list[str] = []
    if not made:
        warnings.append(
            "There is no table of derived metrics, only raw events or none: measure with a group that has them "
            f"(-g MEM_DP). {_MEND}"
        )
    if regions.too_many:
        warnings.append(f"Left out: {regions.too_many:,} metrics of regions beyond the first 100,000.")
    return MeasurementFile(str(path), "likwid", tuple(warnings), made, lines.digest, tuple(regions.metrics))


def _is_wanted(metric: str) -> bool:
    return metric == _RUNTIME or any(pattern.match(metric) for pattern in (_RATE, _VOLUME, _FLOW))


def _draft(region: Region, cpu: str | None) -> Draft:
    draft = Draft(region.name, device=cpu)
    if region.group:
        draft.notes = (f"Measured with the group {region.group} of LIKWID, over all calls of the region.",)
    draft.time = _time(region)
    for name in dict.fromkeys((*region.threads, *region.sums)):
        match = _RATE.match(name)
        if match is not None:
            _add_work(draft, region, name, _PIPES[match["format"]])
    for name in dict.fromkeys((*region.threads, *region.sums)):
        match = _VOLUME.match(name)
        if match is not None and match["way"] is None:
            _add_volume(draft, region, name, match["where"])
    for name in dict.fromkeys((*region.threads, *region.sums)):
        match = _FLOW.match(name)
        if match is not None and _BOUNDARIES[match["where"]] not in draft.traffic:
            flow = _sum(region, name)
            if flow is not None:
                draft.traffic_rates[_BOUNDARIES[match["where"]]] = flow.scaled(1e6, f"{flow.text} × 1e6")
    return draft


def _time(region: Region) -> Value | None:
    known = [value for value in region.values(_RUNTIME) if value is not None]
    if known:
        slowest = max(known, key=lambda value: value.value)
        return slowest._replace(text=_RUNTIME if len(known) == 1 else f"greatest {_RUNTIME} of the threads")
    most = region.most.get(_RUNTIME)
    return None if most is None else most._replace(text=f"Max of {_RUNTIME}")


def _sum(region: Region, name: str) -> Value | None:
    """Sum over the threads, else the column Sum."""
    known = [value for value in region.values(name) if value is not None]
    if known:
        return total(known, name if len(known) == 1 else f"sum of {name} over the threads")
    found = region.sums.get(name)
    return None if found is None else found._replace(text=f"Sum of {name}")


def _add_work(draft: Draft, region: Region, name: str, pipe: str) -> None:
    rates, times = region.values(name), region.values(_RUNTIME)
    pairs = [
        (rate, time)
        for rate, time in zip(rates, times, strict=False)
        if rate is not None and time is not None
    ]
    if pairs and len(pairs) == len(rates):
        work = total([rate.times(time) for rate, time in pairs])
        text = f"{name} × {_RUNTIME}" + (", summed over the threads" if len(pairs) > 1 else "")
        draft.work[pipe] = work.scaled(1e6, f"{text} × 1e6")
        return
    rate = _sum(region, name)
    if rate is None:
        return
    if draft.time is None:
        draft.work_rates[pipe] = rate.scaled(1e6, f"{rate.text} × 1e6")
    else:
        work = rate.times(draft.time).bounded("estimated", "rates of threads with run times of their own")
        draft.work[pipe] = work.scaled(1e6, f"{work.text} × 1e6")


def _add_volume(draft: Draft, region: Region, name: str, where: str) -> None:
    amount = _sum(region, name)
    if amount is None:
        return
    ways = {"read": ("read", "load"), "write": ("write", "evict")}
    parts = {
        way: next(
            (
                part
                for word in words
                if (part := _sum(region, f"{where} {word} data volume [GBytes]")) is not None
            ),
            None,
        )
        for way, words in ways.items()
    }
    read, write = (
        None if part is None else part.scaled(1e9, f"{part.text} × 1e9")
        for part in (parts["read"], parts["write"])
    )
    draft.traffic[_BOUNDARIES[where]] = Traffic(amount.scaled(1e9, f"{amount.text} × 1e9"), read, write)

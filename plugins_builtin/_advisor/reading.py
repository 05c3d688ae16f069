"""Survey and roofline tables of Intel Advisor, as far as their columns are known.

``advisor --report survey --format=csv --show-all-columns`` writes one row per function or loop. Known are the time of
its own (s), its GFLOP and GFLOP/s, and gigabytes at the levels of memory; empty cells are missing values. No public
example of the file was at hand: columns are told by their names in any spelling, and others are passed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.drafts import Advice, Draft, Traffic
from plugins_builtin._measured.tables import (
    MOST_KERNELS,
    Header,
    built,
    find_header,
    header_in_head,
    number_in,
    open_text,
    rows_of,
)
from rooflinestudio.plugins import MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from plugins_builtin._ncu.lines import TextLines
    from plugins_builtin._ncu.values import Value
    from rooflinestudio.plugins import Progress

__all__ = ["looks_like_advisor", "read_file"]

_MEND: Final = "Write one with: advisor --report survey --format=csv --show-all-columns --project-dir=DIR"
_ADVICE: Final = Advice(
    work="no FLOP of its own: collect with advisor --collect=tripcounts --flop, then report with --show-all-columns",
    time="no time of its own (self_elapsed_time) in this row",
    traffic="no memory traffic: collect with advisor --collect=tripcounts --flop --enable-cache-simulation",
)
_NAME: Final = "function_call_sites_and_loops"
_TRAFFIC: Final = {
    "self_dram_gb": "dram", "self_l3_gb": "l3", "self_l2_gb": "l2", "self_memory_gb": "l1",
}  # fmt: skip
_COLUMNS: Final = frozenset((
    _NAME, "self_elapsed_time", "self_time", "self_gflop", "self_gflops", "self_gb_s", "self_arithmetic_intensity",
    "self_ai", "data_types", *_TRAFFIC,
))  # fmt: skip
_MEASURED: Final = frozenset(("self_gflop", "self_gflops", "self_memory_gb", "self_dram_gb", "self_gb_s",
                              "self_elapsed_time"))  # fmt: skip
_SIGNS: Final = re.compile(r"[^a-z0-9]+")

Columns = dict[str, int]


def looks_like_advisor(head: bytes) -> bool:
    """Whether a header with columns of Advisor stands among the first lines."""
    return header_in_head(head, _known) is not None


def _known(cells: list[str]) -> Columns | None:
    if len(cells) > 2_000:
        return None
    found: Columns = {}
    for position, cell in enumerate(cells):
        name = _SIGNS.sub("_", cell[:100].lower()).strip("_")
        if name in _COLUMNS:
            found.setdefault(name, position)
    return found if _NAME in found or len(_MEASURED & found.keys()) >= 2 else None


def read_file(path: Path, progress: Progress | None = None) -> MeasurementFile:
    """Read the functions and loops of a table.

    Raises
    ------
    MeasurementError
        The file cannot be read or has none of the known columns.
    MeasurementCancelled
        ``progress`` returned False.
    """
    lines = open_text(path, _MEND, progress)
    header = next((found for line in lines if (found := find_header(line, lines.number, _known))), None)
    if header is None:
        raise MeasurementError(
            f"{path}: no row of its {lines.number - 1:,} lines has the columns of Intel Advisor. {_MEND}"
        )
    loops = _Loops(header, lines)
    made = built(loops, 0, _ADVICE, path)
    warnings = []
    if loops.assumed:
        warnings.append("Where the table does not say which format was computed, work is put on fp64.")
    if loops.left_out:
        warnings.append(f"Left out: {loops.left_out:,} rows without any figure.")
    if not made:
        warnings.append(f"No row has a time, work or traffic of its own. {_MEND}")
    counters = tuple(name for name in header.found if name in _MEASURED)
    return MeasurementFile(str(path), "advisor-survey", tuple(warnings), made, lines.digest, counters)


class _Loops:
    """Drafts of the functions and loops of a table, one after the other.

    Attributes
    ----------
    left_out
        Rows without any figure.
    assumed
        Whether the format of any work is assumed.
    """

    def __init__(self, header: Header[Columns], lines: TextLines) -> None:
        self._header = header
        self._lines = lines
        self.left_out = 0
        self.assumed = False

    def __iter__(self) -> Iterator[Draft]:
        found = 0
        for _, cells in rows_of(self._lines, self._header.delimiter):
            draft = _draft(self._header.found, cells) if found < MOST_KERNELS else None
            if draft is None:
                self.left_out += 1
                continue
            found += 1
            self.assumed = self.assumed or bool(draft.notes)
            yield draft


def _draft(columns: Columns, cells: list[str]) -> Draft | None:
    def value(name: str, factor: float = 1.0, words: str = "") -> Value | None:
        position = columns.get(name)
        text = cells[position] if position is not None and position < len(cells) else ""
        return number_in(text, name, factor, words)

    name = columns.get(_NAME)
    draft = Draft(cells[name] if name is not None and name < len(cells) else "")
    draft.time = value("self_elapsed_time") or value("self_time")
    if draft.time is not None and not draft.time.value:
        draft.time = None
    work, rate = value("self_gflop", 1e9, " × 1e9"), value("self_gflops", 1e9, " × 1e9")
    types = columns.get("data_types")
    pipe = _pipe(cells[types] if types is not None and types < len(cells) else "")
    if work is not None or rate is not None:
        draft.notes = (
            () if pipe else ("The table does not say in which format was computed: fp64 is assumed.",)
        )
    pipe = pipe or "fp64"
    if work is not None:
        draft.work[pipe] = work
    elif rate is not None and draft.time is not None:
        draft.work[pipe] = rate.times(draft.time)
    elif rate is not None:
        draft.work_rates[pipe] = rate
    for column, boundary in _TRAFFIC.items():
        amount = value(column, 1e9, " × 1e9")
        if amount is not None:
            draft.traffic[boundary] = Traffic(amount)
    if "l1" not in draft.traffic:
        _add_l1(
            draft,
            value("self_gb_s", 1e9, " × 1e9"),
            work,
            value("self_arithmetic_intensity") or value("self_ai"),
        )
    nothing = draft.time is None and not (
        draft.work or draft.work_rates or draft.traffic or draft.traffic_rates
    )
    return None if nothing else draft


def _add_l1(draft: Draft, flow: Value | None, work: Value | None, intensity: Value | None) -> None:
    """Traffic of the loads and stores themselves, from their rate or from the intensity."""
    if flow is not None and draft.time is not None:
        draft.traffic["l1"] = Traffic(flow.times(draft.time))
    elif flow is not None:
        draft.traffic_rates["l1"] = flow
    elif work is not None and intensity is not None and intensity.value > 0:
        draft.traffic["l1"] = Traffic(work.over(intensity))


def _pipe(types: str) -> str | None:
    """Pipe of a cell such as ``Float32``; None where it names none or several."""
    lower = types[:200].lower()
    found = [
        pipe
        for word, pipe in (("float64", "fp64"), ("float32", "fp32"), ("float16", "fp16"))
        if word in lower
    ]
    return found[0] if len(found) == 1 else None

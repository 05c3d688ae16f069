"""One pass over the output of benchmarks: each line goes to the tool that knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plugins_builtin._benchmarks.clpeak import Clpeak
from plugins_builtin._benchmarks.ert import looks_like_ert, read_document
from plugins_builtin._benchmarks.found import MOST_POINTS, in_words
from plugins_builtin._benchmarks.gpu_benches import GpuCaches, GpuRoofline, GpuStreams
from plugins_builtin._benchmarks.likwid_bench import LikwidBench
from plugins_builtin._benchmarks.mixbench import Mixbench
from plugins_builtin._benchmarks.opencl_benchmark import OpenclBenchmark
from plugins_builtin._benchmarks.signs import OPENING
from plugins_builtin._benchmarks.stream import Stream
from plugins_builtin._measured.drafts import Advice
from plugins_builtin._measured.tables import built, let_go, open_text
from plugins_builtin._ncu.lines import read_head
from rooflinestudio.plugins import MeasurementCancelled, MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from pathlib import Path

    from plugins_builtin._benchmarks.found import Tool
    from rooflinestudio.plugins import Progress

__all__ = ["read_file"]

_MEND: Final = "Give what STREAM, mixbench, clpeak, OpenCL-Benchmark, gpu-benches or likwid-bench prints."
_ADVICE: Final = Advice(
    work="no W: this row does no arithmetic",
    time="no rate in this row",
    traffic="no bandwidth in this row",
)
_NOTHING: Final = "The benchmark printed no result that is a roof: run it again and keep all that it prints."
_SHORTEST_LINE: Final = 7  # characters: no row of any tool is shorter
_LONGEST_LINE: Final = 2_000  # characters of a line that are looked at


def read_file(path: Path, progress: Progress | None = None) -> MeasurementFile:
    """Read the rates of all benchmarks in a file.

    Raises
    ------
    MeasurementError
        The file cannot be read or holds no output of a benchmark.
    MeasurementCancelled
        ``progress`` returned False.
    """
    if looks_like_ert(read_head(path)):
        return _read_document(path, progress)
    lines = open_text(path, _MEND, progress)
    tools: tuple[Tool, ...] = (
        Mixbench(), Stream(), GpuStreams(), GpuCaches(), GpuRoofline(), OpenclBenchmark(), LikwidBench(), Clpeak(),
    )  # fmt: skip
    for line in lines:
        shown = line[:_LONGEST_LINE].rstrip()
        if len(shown) >= _SHORTEST_LINE:
            opens = OPENING.match(shown) is not None
            any((opens or tool.busy) and tool.add(shown) for tool in tools)
    for tool in tools:
        tool.end()
    found = [tool for tool in tools if tool.seen]
    if not found:
        raise MeasurementError(
            f"{path}: none of its {lines.number - 1:,} lines is of a known benchmark. {_MEND}"
        )
    machines = [machine for tool in found for machine in tool.machines()]
    warnings = [*in_words(machines), *dict.fromkeys(note for tool in found for note in tool.remains())]
    drafts = [draft for tool in found for draft in tool.drafts]
    made = built(let_go(drafts), len(drafts), _ADVICE, path, progress)
    if not machines:
        warnings.append(_NOTHING)
    if any(len(tool.drafts) >= MOST_POINTS for tool in found):
        warnings.append(f"Points beyond the first {MOST_POINTS:,} are left out.")
    return MeasurementFile(
        str(path), found[0].form, tuple(warnings), made, lines.digest, machines=tuple(machines)
    )


def _read_document(path: Path, progress: Progress | None) -> MeasurementFile:
    if progress is not None and not progress(0.0):
        raise MeasurementCancelled(f"{path}: reading was cancelled.")
    document = read_document(path)
    device = document.device
    machines = [device.made()] if device.ceilings or device.boundaries else []
    warnings = [*in_words(machines)] if machines else [*device.notes, _NOTHING]
    if progress is not None and not progress(1.0):
        raise MeasurementCancelled(f"{path}: reading was cancelled.")
    return MeasurementFile(
        str(path), "ert-json", tuple(warnings), (), document.digest, machines=tuple(machines)
    )

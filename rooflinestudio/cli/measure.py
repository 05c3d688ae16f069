"""``rooflinestudio measure``: the roof of the machine it runs on, measured, as a profile."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rooflinestudio.cli.catalog import print_json
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.measurement import MeasurementCancelled
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.ceilings import CeilingReading, MeasuredMachine

WHAT = ("cpu", "gpu", "all")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--what", choices=WHAT, default="all", help="the processor, a GPU through PyTorch or CuPy, or both"
    )
    parser.add_argument(
        "--out", metavar="FOLDER", default=".", help="where the profiles are written (here, if left out)"
    )
    parser.add_argument("--no-files", action="store_true", help="only print; write no profile")
    parser.add_argument(
        "--rounds", type=_rounds, default=7, metavar="N", help="interleaved runs of each trial (7)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--progress-lines", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _rounds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of runs from 1 to 99")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Measure, write and print; Ctrl+C cancels and writes nothing."""
    folder = Path(options.out)
    if not options.no_files and not folder.is_dir():
        raise StudioError(f"{folder} is no folder. Make it first, or choose another with --out.")
    progress = _written if options.progress_lines else None if options.quiet else _told
    found: list[tuple[MeasuredMachine, HardwareProfile]] = []
    try:
        if options.what != "gpu":
            found += _cpu(options.rounds, progress)
        if options.what != "cpu":
            found += _gpu(options.rounds, progress, is_wanted=options.what == "gpu")
    except (KeyboardInterrupt, MeasurementCancelled):
        print("\nCancelled; nothing was written.", file=sys.stderr)
        return 2
    written = [] if options.no_files else [_write(folder, profile) for _, profile in found]
    if options.json:
        print_json({
            "machines": [_document(machine, profile) for machine, profile in found],
            "files": [str(one) for one in written],
        })  # fmt: skip
        return 0 if found else 1
    for machine, profile in found:
        print("\n".join(_lines(machine, profile)))
    for path in written:
        print(f"\nwritten: {path}\n  rooflinestudio eval gemm m=2048 n=2048 k=2048 --dtype fp32 --on {path}")
    return 0 if found else 1


def _told(share: float) -> bool:
    if sys.stderr.isatty():
        print(f"\rmeasuring {100 * share:3.0f}%", end="", file=sys.stderr, flush=True)
    return True


def _written(share: float) -> bool:
    """Tell it to a program that started this one."""
    print(f"progress {share:.4f}", file=sys.stderr, flush=True)
    return True


def _cpu(
    rounds: int, progress: Callable[[float], bool] | None
) -> Iterable[tuple[MeasuredMachine, HardwareProfile]]:
    from rooflinestudio.core.measuring.host import clock_hz, this_host
    from rooflinestudio.core.measuring.result import Circumstances, machine_of, profile_of
    from rooflinestudio.core.measuring.running import run_plan
    from rooflinestudio.core.measuring.trials import plan

    host = this_host()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    outcome = run_plan(plan(host), progress, rounds=rounds)
    around = Circumstances(datetime.date.today().isoformat(), clock_hz(), load)
    if progress is not None and sys.stderr.isatty():
        print("\r              \r", end="", file=sys.stderr)
    for threads in dict.fromkeys((host.cores, 1)):
        machine = machine_of(outcome, host, threads, around)
        yield machine, profile_of(machine, host, threads)


def _gpu(
    rounds: int, progress: Callable[[float], bool] | None, *, is_wanted: bool
) -> Iterable[tuple[MeasuredMachine, HardwareProfile]]:
    from rooflinestudio.core.measuring.gpu import find_gpu, gpu_profile, measure_gpu

    gpu = find_gpu()
    if isinstance(gpu, str):
        print(gpu if is_wanted else f"{gpu} The processor alone was.", file=sys.stderr)
        return
    machine, overhead = measure_gpu(gpu, datetime.date.today().isoformat(), progress, rounds=rounds)
    profile = gpu_profile(machine, overhead)
    if profile is None:
        print(f"{gpu.device} was not measured: {'; '.join(machine.notes)}", file=sys.stderr)
        return
    yield machine, profile


def _write(folder: Path, profile: HardwareProfile) -> Path:
    from rooflinestudio.core.profile_files import dump_profile
    from rooflinestudio.core.study_files import write_atomically

    path = folder / f"{profile.id}.yaml"
    write_atomically(path, dump_profile(profile))
    return path


def _document(machine: MeasuredMachine, profile: HardwareProfile) -> dict[str, Any]:
    return {
        "id": profile.id,
        "name": profile.name,
        "host": machine.host,
        "date": machine.date,
        "conditions": machine.conditions,
        "clock_hz": machine.clocks.get("sm"),
        "ceilings": {one.id: _reading(one) for one in machine.ceilings},
        "boundaries": {one.id: _reading(one) for one in machine.boundaries},
        "launch_overhead_s": profile.launch_overhead.value if profile.launch_overhead is not None else None,
        "notes": list(profile.notes),
    }


def _reading(one: CeilingReading) -> dict[str, Any]:
    return {
        "best": one.best,
        "median": one.median,
        "low": one.low,
        "runs": one.samples,
        "how": one.condition,
        "kernel": one.origin,
    }


def _lines(machine: MeasuredMachine, profile: HardwareProfile) -> Iterable[str]:
    yield f"\n{profile.name}"
    yield f"  {machine.conditions}"
    yield f"  {'':<12} {'best':>14} {'median':>14}  runs within"
    for unit, readings in (("FLOP/s", machine.ceilings), ("B/s", machine.boundaries)):
        for one in readings:
            median = one.median or one.best
            spread = 100 * (one.best - (one.low or one.best)) / median
            at_least = unit == "B/s" and profile.boundaries[one.id].approximate
            best = f"{'≥ ' if at_least else ''}{format_quantity(one.best, unit)}"
            yield (
                f"  {one.id:<12} {best:>14} {format_quantity(median, unit):>14}  "
                f"{format_number(spread, digits=2)}%  {one.condition}"
            )
    for note in profile.notes:
        yield f"  {note}"

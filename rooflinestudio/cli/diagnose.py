"""``rooflinestudio diagnose``: six questions to a measured kernel, answered from what its file holds."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rooflinestudio.cli.catalog import find_machine, print_json, registry, source_of
from rooflinestudio.cli.given import parameters_from_texts
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import format_quantity, parse_quantity
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.traffic import DEFAULT_ABSORPTION, POLICIES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rooflinestudio.core.diagnosis import Diagnosis
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.placement import Placement

_LISTED: Final = 20
_LONGEST_NAME: Final = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", metavar="FILE", help="what a profiler wrote")
    parser.add_argument(
        "parameters", nargs="*", metavar="name=value", help="parameters of --operator, such as m=4096"
    )
    parser.add_argument("--kernel", metavar="REGEX", help="only kernels whose name has this in it")
    parser.add_argument(
        "--launch", type=int, metavar="N", help="only this launch of the file, counted from 0"
    )
    parser.add_argument(
        "--on", metavar="PROFILE", help="machine: an id or any unique part of it, or a profile file"
    )
    parser.add_argument(
        "--operator", metavar="OP", help="operator that the kernel computes, to hold it against"
    )
    parser.add_argument("--dtype", help="formats of the operator: bf16, or bf16,weight=int4,kv=fp8")
    parser.add_argument("--policy", default="compulsory", choices=POLICIES, help="traffic that was assumed")
    parser.add_argument("--absorption", type=float, default=DEFAULT_ABSORPTION, help="for --policy modelled")
    parser.add_argument("--time", metavar="T", help="time of one launch measured elsewhere, such as 196us")
    parser.add_argument("--decimal-mark", choices=(".", ","), help="how the file writes numbers")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Diagnose and print; exit code 1 if anything was found."""
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.plugins.reading import read_measurements

    path = Path(options.file)
    file = read_measurements(path, registry().readers, decimal_mark=options.decimal_mark)
    for warning in file.warnings:
        print(warning, file=sys.stderr)
    chosen = _chosen(file.measurements, options, path.name)
    if options.time is not None:
        chosen = [_retimed(chosen, options.time)]
    profile, said = _machine(chosen, options.on)
    print(said, file=sys.stderr)
    placement = _prediction(chosen, profile, options)
    overlay = Overlay.from_file(file)
    diagnoses = _diagnoses(chosen, profile, placement, overlay)
    if options.json:
        from rooflinestudio.core.diagnosis.report import diagnosis_document

        print_json({
            "path": str(path),
            "format": file.format,
            "warnings": list(file.warnings),
            "hardware": profile.id,
            "chosen_by": said,
            "launches": [diagnosis_document(one) for one in diagnoses],
        })  # fmt: skip
    else:
        _print(diagnoses)
    return 1 if any(one.found for one in diagnoses) else 0


def _chosen(measurements: Sequence[Measurement], options: argparse.Namespace, name: str) -> list[Measurement]:
    """Return the launches asked for; raises ParameterError where there are none."""
    if not measurements:
        raise ParameterError(f"{name} holds no launch to diagnose.")
    found = list(measurements)
    if options.kernel is not None:
        try:
            pattern = re.compile(options.kernel)
        except re.error as error:
            raise ParameterError(f"--kernel {options.kernel!r} is no regular expression: {error}.") from None
        found = [one for one in found if pattern.search(one.kernel)]
        if not found:
            names = ", ".join(dict.fromkeys(one.kernel_short for one in measurements[:50]))
            raise ParameterError(f"No kernel of {name} fits {options.kernel!r}. It has {names[:300]}.")
    if options.launch is not None:
        found = [one for one in found if one.launch == options.launch]
        if not found:
            what = "kernel that fits" if options.kernel is not None else "launch"
            raise ParameterError(
                f"{name} has no {what} at {options.launch}; its launches are 0 to {len(measurements) - 1}."
            )
    return found


def _retimed(chosen: list[Measurement], text: str) -> Measurement:
    """Put a time from elsewhere in place of the profiler's."""
    from rooflinestudio.core.measurement import MeasuredFigure

    if len(chosen) != 1:
        raise ParameterError(
            f"--time is that of one launch, and {len(chosen)} fit: choose one with --launch."
        )
    time_s = parse_quantity(text, "s")
    if time_s <= 0:
        raise ParameterError(f"--time {text!r} is no time of a launch; write for example 196us.")
    (one,) = chosen
    figures = {**one.figures, "time_s": MeasuredFigure(time_s, "given by hand", "exact")}
    return replace(one, time_s=time_s, figures=figures)


def _machine(chosen: list[Measurement], on: str | None) -> tuple[HardwareProfile, str]:
    """Return the machine that was asked for, else that of the device in the file, and how it was chosen."""
    from rooflinestudio.core.ceilings.matching import matching_profiles
    from rooflinestudio.core.diagnosis.device import matching_profile

    if on is not None:
        profile = find_machine(on)
        return profile, f"Held against {profile.name}, as asked for."
    devices = list(dict.fromkeys(one.device for one in chosen if one.device))
    if len(devices) > 1:
        raise ParameterError(
            f"These launches ran on {', '.join(devices)}: choose some of one, or name it with --on."
        )
    match = matching_profile(registry().profiles, devices[0] if devices else None)
    if match is not None:
        return match.entry.load(), match.words
    chip = next((one.compute_capability for one in chosen if one.compute_capability), None)
    what = f"The file names {devices[0]}" if devices else "The file does not name its device"
    what += f" (compute capability {chip})" if chip else ""
    but = ", and no profile is of it." if devices else "."
    fitting = [] if devices else matching_profiles("", registry().profiles, compute_capability=chip)
    likely = "".join(f"{one.id}, " for one in fitting)
    other = "another id" if fitting else "an id"
    choice = f"{likely}{other} that rooflinestudio profiles lists, or a profile file"
    raise ParameterError(f"{what}{but} Name the machine with --on: {choice}.")


def _prediction(
    chosen: list[Measurement], profile: HardwareProfile, options: argparse.Namespace
) -> Placement | None:
    from rooflinestudio.core.dtypes import parse_dtypes
    from rooflinestudio.core.placing import evaluate

    if options.operator is None:
        if options.parameters:
            raise ParameterError(
                f"{options.parameters[0]!r} belongs to an operator: name it with --operator."
            )
        return None
    kernels = {(one.kernel_key, one.grid, one.block) for one in chosen}
    if len(kernels) > 1:
        raise ParameterError(
            f"--operator is that of one kernel, and {len(kernels)} fit: choose one with --kernel or --launch."
        )
    source, operator = source_of(options.operator)
    settings = Settings(policy=options.policy, absorption=options.absorption)
    parameters = parameters_from_texts(options.parameters)
    return evaluate(source, operator, parameters, parse_dtypes(options.dtype), profile, settings)


def _diagnoses(
    chosen: list[Measurement], profile: HardwareProfile, placement: Placement | None, overlay: Overlay
) -> list[Diagnosis]:
    from rooflinestudio.core.diagnosis import diagnose

    return [diagnose(one, profile, placement=placement, overlay=overlay) for one in chosen]


def _print(diagnoses: list[Diagnosis]) -> None:
    """Print the one that takes longest in full, under a line for each where there are several."""
    from rooflinestudio.core.diagnosis.report import diagnosis_lines

    by_time = sorted(diagnoses, key=lambda one: -(one.measurement.time_s or 0.0))
    if len(by_time) > 1:
        print(f"{len(by_time)} launches, the longest first:")
        for one in by_time[:_LISTED]:
            print(_line(one))
        if len(by_time) > _LISTED:
            print(f"  and {len(by_time) - _LISTED} more")
        print()
        print("The longest in full; choose another with --launch or --kernel:")
    print("\n".join(diagnosis_lines(by_time[0])))


def _line(diagnosis: Diagnosis) -> str:
    measurement = diagnosis.measurement
    name = measurement.kernel_short
    if len(name) > _LONGEST_NAME:
        name = f"{name[:30]}…{name[-29:]}"
    time = format_quantity(measurement.time_s, "s") if measurement.time_s is not None else "–"
    return f"  {measurement.launch:>4}  {time:>8}  {diagnosis.kind:<12}  {name}"

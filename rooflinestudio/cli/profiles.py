"""``rooflinestudio profiles``: the machines, and a check of a profile file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rooflinestudio.cli.catalog import find_machine, print_json, registry
from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    import argparse

    from rooflinestudio.core.hardware import HardwareProfile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("action", nargs="?", choices=("check",), help="check: name every fault of a profile")
    parser.add_argument("profile", nargs="?", metavar="ID|FILE", help="which one; all of them if left out")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """List or check."""
    if options.action == "check":
        return _check(options)
    profiles = [entry.load() for entry in registry().profiles]
    if options.json:
        print_json([_summary(one) for one in profiles])
        return 0
    for one in profiles:
        summary = _summary(one)
        ridge = format_number(summary["ridge"]) if summary["ridge"] else "–"
        rate = format_quantity(summary["flop_per_s"], "FLOP/s")
        print(f"{one.id:<26} {one.name:<28} {one.reference_ceiling:<12} {rate:>14}  ridge {ridge}")
    return 0


def _summary(profile: HardwareProfile) -> dict[str, Any]:
    dram = profile.boundaries.get("dram")
    return {
        "id": profile.id,
        "name": profile.name,
        "vendor": profile.vendor,
        "architecture": profile.architecture,
        "year": profile.year,
        "reference_ceiling": profile.reference_ceiling,
        "flop_per_s": profile.ceiling(profile.reference_ceiling).flop_per_s,
        "dram_bytes_per_s": dram.bytes_per_s if dram else None,
        "ridge": profile.ridge() if dram else None,
        "ceilings": {id_: one.flop_per_s for id_, one in profile.ceilings.items()},
        "boundaries": {id_: one.bytes_per_s for id_, one in profile.boundaries.items()},
    }


def _check(options: argparse.Namespace) -> int:
    names = [options.profile] if options.profile else [entry.id for entry in registry().profiles]
    findings = {name: _findings(name) for name in names}
    if options.json:
        print_json([{"id": name, "findings": list(found)} for name, found in findings.items()])
    else:
        for name, found in findings.items():
            print(f"{name}: {'sound' if not found else f'{len(found)} fault(s)'}")
            for line in found:
                print(f"  {line}")
    return 1 if any(findings.values()) else 0


def _findings(name: str) -> tuple[str, ...]:
    try:
        if Path(name).is_file():
            from rooflinestudio.core.profile_files import load_profile

            load_profile(name)
        else:
            find_machine(name)
    except ProfileError as error:
        if error.faults:
            return error.faults
        raise
    return ()

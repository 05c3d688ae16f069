"""``rooflinestudio profiles``: the machines, and a check of one profile or of all."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rooflinestudio.cli.catalog import find_machine, print_json, registry
from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.profile_check import Finding


class _Checked(NamedTuple):
    """One profile after the check: what it is called, what was found, or why it cannot be read."""

    id: str
    findings: tuple[Finding, ...] = ()
    faults: tuple[str, ...] = ()
    file: str = ""

    @property
    def open(self) -> list[Finding]:
        return [one for one in self.findings if one.open]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("check",),
        help="check: find suspect figures, and name every fault of a file",
    )
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
    for line in _listed(profiles):
        print(line)
    return 0


def _listed(profiles: list[HardwareProfile]) -> Iterator[str]:
    """Yield one line for each machine, under the name of its vendor, in columns as wide as they must be."""
    ids = max((len(one.id) for one in profiles), default=0)
    names = max((len(one.name) for one in profiles), default=0)
    vendor = None
    for one in profiles:
        if one.vendor != vendor:
            vendor = one.vendor
            yield vendor
        summary = _summary(one)
        ridge = format_number(summary["ridge"]) if summary["ridge"] else "–"
        rate = format_quantity(summary["flop_per_s"], "FLOP/s")
        yield f"  {one.id:<{ids}}  {one.name:<{names}}  {one.reference_ceiling:<11}  {rate:>12}  ridge {ridge:>5}"


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
    """Check, print, and return 2 if a file cannot be read, 1 if a finding is open, else 0."""
    checked = [_named(options.profile)] if options.profile else list(_all())
    if options.json:
        print_json([_document(one) for one in checked])
    else:
        for one in checked:
            _print(one)
    if any(one.faults for one in checked):
        return 2
    return 1 if any(one.open for one in checked) else 0


def _named(text: str) -> _Checked:
    """Check the profile that a file or a part of an id names; a text that names none is refused."""
    from rooflinestudio.core.profile_files import load_profile

    try:
        profile = load_profile(text) if Path(text).is_file() else find_machine(text)
    except ProfileError as error:
        if not error.faults:
            raise
        return _Checked(text, faults=error.faults, file=text)
    return _held(profile)


def _all() -> Iterator[_Checked]:
    """Check what plugins bring and what stands in the user's folder, readable or not."""
    from rooflinestudio.core.profile_edit.folder import profiles_in
    from rooflinestudio.ui.settings import profiles_folder

    own = profiles_in(profiles_folder())
    listed = registry().profiles
    taken = {entry.id: entry for entry in listed}
    for entry in listed:
        yield _read(entry)
    for mine in own:
        if _is_shadowed(mine, taken):
            yield _read(mine, mine.path)
    for problem in own.problems:
        file, _, fault = problem.partition(": ")
        yield _Checked(file, faults=(fault or problem,), file=file)


def _is_shadowed(entry: Any, taken: dict[str, Any]) -> bool:
    """Whether a plugin has the id of a profile in the user's folder, so that the list does not show it."""
    from rooflinestudio.plugins.registry import YOUR_MACHINES

    other = taken.get(entry.id)
    return other is None or other.origin.plugin != YOUR_MACHINES


def _read(entry: Any, file: str = "") -> _Checked:
    try:
        return _held(entry.load(), file)
    except ProfileError as error:
        return _Checked(entry.id, faults=error.faults or (str(error),), file=file)


def _held(profile: HardwareProfile, file: str = "") -> _Checked:
    from rooflinestudio.core.profile_check import check_profile, shipped_neighbours

    return _Checked(profile.id, check_profile(profile, shipped_neighbours()), file=file)


def _print(checked: _Checked) -> None:
    name = checked.id if checked.file in ("", checked.id) else f"{checked.id} ({checked.file})"
    explained = len(checked.findings) - len(checked.open)
    aside = f" ({explained} explained)" if explained else ""
    if checked.faults:
        print(f"{name}: cannot be read")
        for fault in checked.faults:
            print(f"  {fault}")
        print(f"{name} cannot be read.", file=sys.stderr)
        return
    count = len(checked.open)
    what = "sound" if not count else f"{count} finding{'s' if count > 1 else ''}"
    print(f"{name}: {what}{aside}")
    for one in checked.findings:
        _print_finding(one)


def _print_finding(finding: Finding) -> None:
    from rooflinestudio.core.profile_check import KINDS, short

    if not finding.open:
        print(f"  explained  {finding.id}: {finding.explained}")
        return
    print(f"  {KINDS[finding.kind]}: {'.'.join(finding.place)}")
    print(f"    {finding.text}")
    print(f"    {finding.mend}")
    if finding.likely is not None:
        print(f"    likely {short(finding.likely, finding.unit)}")
    print(f"    If it is right as it stands, write why under 'explained': {finding.id}")


def _document(checked: _Checked) -> dict[str, Any]:
    from rooflinestudio.core.profile_check import KINDS

    return {
        "id": checked.id,
        "file": checked.file or None,
        "open": len(checked.open),
        "findings": [
            {
                "id": one.id, "kind": one.kind, "title": KINDS[one.kind], "place": list(one.place), "value": one.value,
                "likely": one.likely, "unit": one.unit, "severity": one.severity, "text": one.text, "mend": one.mend,
                "explained": one.explained or None,
            }
            for one in checked.findings
        ],
        "faults": list(checked.faults),
    }  # fmt: skip

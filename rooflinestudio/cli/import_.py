"""``rooflinestudio import``: what a profiler's file holds, launch by launch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.cli.catalog import print_json, registry
from rooflinestudio.core.importing.proposal import columns_from_text, columns_to_text
from rooflinestudio.core.measurement import MeasurementError, to_json
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    import argparse

    from rooflinestudio.core.importing.proposal import StatedColumn

_NAME: Final = 60
"""Characters of a kernel's name in a line."""
_NAMED_HEADS: Final = 12
COLUMNS_HELP: Final = (
    "what the columns of a table hold, such as name=kernel,ms=time:ms,GF=work:GFLOP,moved=traffic:MB; figures: kernel, "
    "time, work, rate, traffic (at dram), traffic.l2 (l3, l1, shared), bandwidth, intensity, pipe, boundary, device, "
    "count, launch; #3 is the third column; a unit left out is that of the head, else the base unit"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a profiler's files; their content tells what they are"
    )
    parser.add_argument("--decimal-mark", choices=(".", ","), help="how the files write numbers")
    parser.add_argument(
        "--columns",
        metavar="HEAD=FIGURE[:UNIT],…",
        help=COLUMNS_HELP,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Read every file; exit code 2 if one could not be read at all."""
    columns = columns_from_text(options.columns or "")
    documents = [_read(Path(name), options.decimal_mark, columns) for name in options.files]
    if options.json:
        print_json({"files": documents})
    else:
        for document in documents:
            _print(document)
    return 2 if any("error" in document for document in documents) else 0


def _read(path: Path, decimal_mark: str | None, columns: tuple[StatedColumn, ...]) -> dict[str, Any]:
    from rooflinestudio.plugins.reading import read_measurements

    try:
        return to_json(
            read_measurements(path, registry().readers, decimal_mark=decimal_mark, columns=columns)
        )
    except MeasurementError as error:
        text = f"{error}{'' if columns else _hint(path, error)}"
        return {
            "path": str(path),
            "format": None,
            "warnings": [],
            "launches": [],
            "machines": [],
            "error": text,
        }


def _hint(path: Path, error: MeasurementError) -> str:
    """Return how to state the columns of a table that nobody knows."""
    from rooflinestudio.core.importing.questions import UndecidedMarkError
    from rooflinestudio.plugins.reading import propose_columns

    proposal = None if isinstance(error, UndecidedMarkError) else propose_columns(path, registry().readers)
    if proposal is None:
        return ""
    heads = ", ".join(proposal.heads[:_NAMED_HEADS]) + (" …" if len(proposal.heads) > _NAMED_HEADS else "")
    example = columns_to_text(proposal.columns) or f"{proposal.names[0]}=kernel,{proposal.names[-1]}=time:us"
    return f" If it is a table of points with the columns {heads}, say what they hold: --columns '{example}'."


def _print(document: dict[str, Any]) -> None:
    if "error" in document:
        path, error = document["path"], document["error"]
        print(error if error.startswith(path) else f"{path}: {error}", file=sys.stderr)
        return
    count = len(document["launches"])
    print(f"{document['path']}: {document['format']}, {count} launch{'' if count == 1 else 'es'}")
    for warning in document["warnings"]:
        print(f"  {warning}", file=sys.stderr)
    if count:
        heads = "".join(f"{head:>14}" for head in ("time", "W", "Q at dram", "achieved"))
        print(f"        {'kernel':<{_NAME}}{heads}")
    for launch in document["launches"]:
        shown = (
            (launch["time_s"], "s"),
            (launch["work_flop"], "FLOP"),
            (launch["dram_bytes"], "B"),
            (launch["achieved_flop_per_s"], "FLOP/s"),
        )
        figures = "".join(
            f"{format_quantity(value, unit) if value is not None else '–':>14}" for value, unit in shown
        )
        why = "" if launch["plotted"] else f"  not plotted: {launch['reason']}"
        print(f"  {launch['launch']:>4}  {_fitting(launch['kernel']):<{_NAME}}{figures}{why}")


def _fitting(kernel: str) -> str:
    """Return a name as long as there is room for: what goes first is what seldom tells kernels apart."""
    from rooflinestudio.core.measured.display import shorter_names

    forms = (kernel, *shorter_names(kernel))
    found = next((one for one in forms if len(one) <= _NAME), forms[-1])
    return found if len(found) <= _NAME else f"{found[: _NAME // 2]}…{found[1 - _NAME // 2 :]}"

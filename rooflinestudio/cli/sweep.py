"""``rooflinestudio sweep``: one operator over one or two parameters, and the thresholds on the way."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rooflinestudio.cli.catalog import find_machine, print_json, source_of
from rooflinestudio.cli.given import parameters_from_texts
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.subject import Subject
from rooflinestudio.core.sweep import sweep
from rooflinestudio.core.sweep.axes import axis_from_text
from rooflinestudio.core.traffic import DEFAULT_ABSORPTION, POLICIES

if TYPE_CHECKING:
    import argparse

    from rooflinestudio.core.operators import Operator
    from rooflinestudio.core.staircase import Stair
    from rooflinestudio.core.sweep import SweepResult
    from rooflinestudio.core.sweep.axes import SweepAxis
    from rooflinestudio.core.sweep.crossings import Crossing

EXAMPLE = "rooflinestudio sweep gemm m=n=k=64:8192:log --on h100-sxm5"
SHOWN_ROWS = 24
SHOWN_STAIRS = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("operator", nargs="?", help="operator id; 'rooflinestudio operators' lists them")
    parser.add_argument(
        "parameters",
        nargs="*",
        metavar="name=value",
        help="one or two ranges: m=64:8192 (every whole number, or 101), m=64:8192:33, m=64:8192:log, m=64,128,256, "
        "m=n=k=64:8192 (tied), direction=forward,backward; and parameters that stay fixed: k=4096",
    )
    parser.add_argument(
        "--on", metavar="PROFILE", help="machine: an id or any unique part of it, or a profile file"
    )
    parser.add_argument(
        "--against", metavar="PROFILE", help="also say where this machine overtakes the other"
    )
    parser.add_argument("--dtype", help="bf16, or bf16,weight=int4,kv=fp8")
    parser.add_argument("--boundary", help="dram, l2, …, or all; the operator's home if left out")
    parser.add_argument("--policy", default="compulsory", choices=POLICIES)
    parser.add_argument(
        "--absorption", type=float, default=DEFAULT_ABSORPTION, help="share of re-reads absorbed"
    )
    parser.add_argument("--ceiling", metavar="ID", help="replaces the ceiling of the main pipe")
    parser.add_argument("--overlap", type=float, default=1.0, help="1 is the roofline, 0 the serial model")
    parser.add_argument(
        "--forecast", action="store_true", help="add latency, launch and quantisation to the bound"
    )
    parser.add_argument(
        "--stairs",
        action="store_true",
        help="list where tiles and waves make the forecast jump, value by value",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--csv", action="store_true", help="print one row per point")


def run(options: argparse.Namespace) -> int:
    """Sweep and print."""
    if not options.operator or not options.on:
        print(f"sweep needs an operator, a range and a machine: {EXAMPLE}", file=sys.stderr)
        return 2
    if options.json and options.csv:
        raise ParameterError("--json and --csv: choose one.")
    source, id_ = source_of(options.operator)
    operator = source.operator(id_)
    axes, fixed = _split(operator, options.parameters)
    if not axes:
        raise ParameterError(f"no parameter has a range. Write for example: {EXAMPLE}")
    subject = Subject(
        source,
        id_,
        find_machine(options.on),
        parameters_from_texts(fixed),
        parse_dtypes(options.dtype),
        Settings(
            boundary=options.boundary,
            policy=options.policy,
            absorption=options.absorption,
            ceiling=options.ceiling,
            overlap=options.overlap,
            forecast=options.forecast,
        ),
    )
    result = sweep(subject, axes)
    if options.csv:
        from rooflinestudio.core.sweep.document import sweep_csv

        sys.stdout.write(sweep_csv(result))
        return 0
    _print_all(result, options)
    return 0


def _split(operator: Operator, texts: list[str]) -> tuple[list[SweepAxis], list[str]]:
    """Tell ranges from fixed parameters: a range has a colon, lists several values, or ties several names.

    A comma lists values here; thousands are grouped by other marks (``n=12_288``).
    """
    axes, fixed = [], []
    for text in texts:
        value = text.partition("=")[2]
        if any(mark in value for mark in ":=,"):
            axes.append(axis_from_text(operator, text))
        else:
            fixed.append(text)
    return axes, fixed


def _print_all(result: SweepResult, options: argparse.Namespace) -> None:
    from rooflinestudio.core.sweep.crossings import crossings

    found, notes = crossings(result)
    found += _swaps(result, options.against)
    stairs = _stairs(result) if options.stairs else ()
    if options.json:
        from rooflinestudio.core.sweep.document import sweep_document

        print_json(sweep_document(result, found, stairs, notes))
    else:
        print("\n".join(_lines(result, found, stairs, notes)))


def _numeric(result: SweepResult, what: str) -> SweepAxis:
    axis = result.axes[0]
    if len(result.axes) > 1 or not axis.is_numeric:
        raise ParameterError(f"{what} needs a single range of numbers.")
    return axis


def _swaps(result: SweepResult, against: str | None) -> tuple[Crossing, ...]:
    if against is None:
        return ()
    from rooflinestudio.core.sweep.crossings import Crossing
    from rooflinestudio.core.threshold_order import order_swap

    axis = _numeric(result, "--against")
    other = replace(result.subject, profile=find_machine(against))
    ends = float(axis.values[0]), float(axis.values[-1])
    found = order_swap(result.subject, other, axis.names, ends=ends)
    return (Crossing(found, {}),) if found is not None else ()


def _stairs(result: SweepResult) -> tuple[Stair, ...]:
    from rooflinestudio.core.staircase import staircase

    axis = _numeric(result, "--stairs")
    return staircase(result.subject, axis.names, low=float(axis.values[0]), high=float(axis.values[-1]))


def _lines(
    result: SweepResult, found: tuple[Crossing, ...], stairs: tuple[Stair, ...], notes: tuple[str, ...]
) -> list[str]:
    from rooflinestudio.core.sweep.document import sweep_notes

    subject = result.subject
    model = "forecast" if subject.settings.forecast else "bound"
    size = " × ".join(str(one) for one in result.shape)
    lines = [
        f"{subject.operator_id} on {subject.profile.name}, {subject.settings.policy}, {model}: {size} points"
    ]
    lines += _table(result)
    lines += [f"  threshold: {one.text}" for one in found]
    lines += [f"  {one}" for one in _stair_lines(result, stairs)]
    return lines + [f"  note: {note}" for note in (*sweep_notes(result), *notes)]


def _table(result: SweepResult) -> list[str]:
    """Return up to some two dozen points, evenly chosen."""
    count = result.time_s.size
    step = max(1, (count + SHOWN_ROWS - 1) // SHOWN_ROWS)
    chosen = [*range(0, count, step)]
    if chosen[-1] != count - 1:
        chosen.append(count - 1)
    wanted = set(chosen)
    bounds, bindings = result.bound_words(), result.binding_words()
    header = [*(axis.label for axis in result.axes), "intensity", "attainable", "time", "bound"]
    rows = [header]
    for at, point in enumerate(result.points()):
        if at in wanted:
            rows.append([*(str(one) for one in point), *_figures(result, at, bounds[at], bindings[at])])
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    return [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    ]


def _figures(result: SweepResult, at: int, bound: str, binding: str) -> list[str]:
    if not bound:
        return ["–", "–", "–", "refused"]
    flat: Any = [getattr(result, name).flat[at] for name in ("intensity", "attainable_flop_per_s", "time_s")]
    units = ("FLOP/B", "FLOP/s", "s")
    texts = [format_quantity(float(value), unit) for value, unit in zip(flat, units, strict=True)]
    return [*texts, f"{bound} at {binding}"]


def _stair_lines(result: SweepResult, stairs: tuple[Stair, ...]) -> list[str]:
    label = result.axes[0].label
    lines = [
        f"stair: {label} = {one.first} to {one.last}: {one.waves:g} waves, "
        f"{format_quantity(one.last_time_s, 's')}, {format_number(100 * one.last_efficiency)}% useful at its end"
        for one in stairs[:SHOWN_STAIRS]
    ]
    if len(stairs) > SHOWN_STAIRS:
        lines.append(f"stairs: {len(stairs) - SHOWN_STAIRS} more; --json lists all of them")
    return lines

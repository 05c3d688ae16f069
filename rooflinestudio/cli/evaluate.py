"""``rooflinestudio eval``: one operator on one machine, or a batch of cases."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rooflinestudio.cli.catalog import find_machine, print_json, registry, source_of
from rooflinestudio.cli.given import parameters_from_texts
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import ParameterError, StudioError
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.traffic import DEFAULT_ABSORPTION, POLICIES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.levers import Lever
    from rooflinestudio.core.placement import Placement

BATCH_KEYS = (
    "operator",
    "parameters",
    "hardware",
    "dtype",
    "boundary",
    "policy",
    "absorption",
    "ceiling",
    "overlap",
    "forecast",
)
KINDS = ("Trap: ", "Nuance: ", "Approximation: ", "Aside: ")
BATCH_LIMIT_BYTES = 16 * 2**20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "operator", nargs="?", help="operator id ('rooflinestudio operators' lists them), or a kernel file"
    )
    parser.add_argument("parameters", nargs="*", metavar="name=value", help="parameters, such as m=4096")
    parser.add_argument(
        "--on", metavar="PROFILE", help="machine: an id or any unique part of it, or a profile file"
    )
    parser.add_argument("--dtype", help="bf16, or bf16,weight=int4,kv=fp8")
    parser.add_argument("--boundary", help="dram, l2, …, or all; the operator's home if left out")
    parser.add_argument("--policy", default="compulsory", choices=POLICIES)
    parser.add_argument(
        "--absorption",
        type=float,
        default=DEFAULT_ABSORPTION,
        help="share of re-reads that the cache absorbs (modelled)",
    )
    parser.add_argument("--ceiling", metavar="ID", help="replaces the ceiling of the main pipe")
    parser.add_argument("--overlap", type=float, default=1.0, help="1 is the roofline, 0 the serial model")
    parser.add_argument(
        "--forecast", action="store_true", help="add latency, launch and quantisation to the bound"
    )
    parser.add_argument("--explain", action="store_true", help="show how every figure comes about")
    parser.add_argument("--levers", action="store_true", help="show what would help, and by how much")
    parser.add_argument("--batch", metavar="FILE", help="a YAML list of cases")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Evaluate and print."""
    if options.batch:
        return _run_batch(options)
    if not options.operator or not options.on:
        print(
            "eval needs an operator and a machine: rooflinestudio eval gemm m=4096 n=4096 k=4096 --on h100-sxm5",
            file=sys.stderr,
        )
        return 2
    case = {
        "operator": options.operator,
        "parameters": parameters_from_texts(options.parameters),
        "hardware": options.on,
        "dtype": options.dtype,
        "boundary": options.boundary,
        "policy": options.policy,
        "absorption": options.absorption,
        "ceiling": options.ceiling,
        "overlap": options.overlap,
        "forecast": options.forecast,
    }
    placement = _evaluate(case)
    levers = _levers(case, placement) if options.levers else None
    if options.json:
        print_json(_document(placement, explain=options.explain, levers=levers))
    else:
        print("\n".join(_lines(placement, explain=options.explain, levers=levers)))
    return 0


def _levers(case: Mapping[str, Any], placement: Placement) -> tuple[Lever, ...]:
    from rooflinestudio.core.levers import LeverContext, levers

    source, operator = source_of(str(case["operator"]))
    dtypes = {role: one.id for role, one in parse_dtypes(case.get("dtype")).items()}
    context = LeverContext(
        operator, case.get("parameters") or {}, dtypes, placement.profile, placement.settings, placement
    )
    return levers(context, source, _machines())


def _machines() -> list[HardwareProfile]:
    """Return every machine that can be read; one that cannot is no lever."""
    found = []
    for entry in registry().profiles:
        try:
            found.append(entry.load())
        except StudioError:
            continue
    return found


def _evaluate(case: Mapping[str, Any]) -> Placement:
    settings = Settings(
        boundary=case.get("boundary"),
        policy=case.get("policy") or "compulsory",
        absorption=_number(case, "absorption", DEFAULT_ABSORPTION),
        ceiling=case.get("ceiling"),
        overlap=_number(case, "overlap", 1.0),
        forecast=bool(case.get("forecast", False)),
    )
    profile = find_machine(str(case["hardware"]))
    source, operator = source_of(str(case["operator"]))
    return evaluate(
        source,
        operator,
        case.get("parameters") or {},
        parse_dtypes(case.get("dtype")),
        profile,
        settings,
    )


def _number(case: Mapping[str, Any], name: str, default: float) -> float:
    value = case.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ParameterError(f"{name} = {value!r} must be a number between 0 and 1.")
    return float(value)


def _document(
    placement: Placement, *, explain: bool, levers: tuple[Lever, ...] | None = None
) -> dict[str, Any]:
    from rooflinestudio.core.evaluation import evaluation_document, plain

    document = evaluation_document(placement, details=registry().details(placement))
    if explain:
        document["formulas"] = [
            {"figure": one.figure, "symbols": one.symbols, "values": one.values, "source": one.source}
            for one in _formulas(placement)
        ]
        document["explanations"] = plain([asdict(one) for one in _explanations(placement)])
    if levers is not None:
        from rooflinestudio.core.levers_words import lever_documents

        document["levers"] = plain(lever_documents(levers))
    return document


def _formulas(placement: Placement) -> tuple[Any, ...]:
    formulas = placement.estimate.formulas
    return formulas() if formulas is not None else ()


def _explanations(placement: Placement) -> tuple[Any, ...]:
    from rooflinestudio.core.explain import explain

    return explain(placement)


def _run_batch(options: argparse.Namespace) -> int:
    from rooflinestudio.core.yaml_files import read_yaml

    path = Path(options.batch)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(
            f"{path.name} cannot be read as text: {error}. Give a YAML list of cases."
        ) from None
    cases = read_yaml(text, name=path.name, limit_bytes=BATCH_LIMIT_BYTES).value
    if not isinstance(cases, list):
        raise ParameterError(f"{path.name} holds no list; write one '- operator: …' for each case.")
    print_json([_batch_case(number, case) for number, case in enumerate(cases, 1)])
    return 0


def _batch_case(number: int, case: Any) -> dict[str, Any]:
    try:
        if not isinstance(case, dict):
            raise ParameterError(f"case {number} is no mapping; write operator, parameters and hardware.")
        unknown = [key for key in case if key not in BATCH_KEYS]
        if unknown:
            raise ParameterError(
                f"case {number} has the unknown key {unknown[0]!r}; known are {', '.join(BATCH_KEYS)}."
            )
        missing = [key for key in ("operator", "hardware") if key not in case]
        if missing:
            raise ParameterError(f"case {number} lacks {' and '.join(missing)}.")
        return _document(_evaluate(case), explain=False)
    except StudioError as error:
        kept = (
            {key: case[key] for key in ("operator", "hardware") if key in case}
            if isinstance(case, dict)
            else {}
        )
        return {**kept, "error": str(error)}


def _lines(placement: Any, *, explain: bool, levers: tuple[Lever, ...] | None = None) -> list[str]:
    from rooflinestudio.core.remarks import remarks_and_notes

    profile = placement.profile
    lines = [
        f"{placement.operator} on {profile.name}, {placement.settings.policy}, {placement.model}",
        f"  work        {format_quantity(placement.work_flop, 'FLOP', digits=4)}",
        f"  traffic     {format_quantity(placement.traffic_bytes, 'B', digits=4)} at {placement.boundary_id}",
        f"  intensity   {format_quantity(placement.intensity, 'FLOP/B', digits=4)}",
        f"  attainable  {format_quantity(placement.attainable_flop_per_s, 'FLOP/s', digits=4)}"
        f", {format_number(100 * placement.fraction_of_peak)}% of {placement.ceiling_id}",
        f"  time        {format_quantity(placement.time_s, 's', digits=4)}",
        *_expected_lines(placement),
        f"  bound       {placement.bound} at {placement.binding}",
        f"  {placement.verdict}",
    ]
    for note in remarks_and_notes(placement):
        text = note if note.startswith(KINDS) else f"Note: {note}"
        lines += wrap(text, 110, initial_indent="  ", subsequent_indent="    ")
    if levers is not None:
        from rooflinestudio.core.levers_words import lever_lines

        lines += ["", *lever_lines(levers)]
    if explain:
        from rooflinestudio.core.explain import explanation_lines

        lines += ["", "  how it comes about", *explanation_lines(_explanations(placement))]
    return lines


def _expected_lines(placement: Placement) -> list[str]:
    expected = placement.expected
    if expected is None:
        return []
    time_s, low_s, high_s = (
        format_quantity(float(one), "s") for one in (expected.time_s, expected.low_s, expected.high_s)
    )
    return [f"  expected    {time_s}, between {low_s} and {high_s}"]

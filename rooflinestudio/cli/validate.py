"""``rooflinestudio validate``: an operator held against a table of measured times."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rooflinestudio.cli.catalog import find_machine, print_json, registry, source_of
from rooflinestudio.cli.given import parameters_from_texts
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import ParameterError, StudioError
from rooflinestudio.core.shapes.columns import Wishes, column_at, map_from_text, propose_columns
from rooflinestudio.core.shapes.sheet import ShapeTableError, open_sheet
from rooflinestudio.core.shapes.table import shapes_of
from rooflinestudio.core.validation import Against, validate_table
from rooflinestudio.core.validation.summary import summarise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.shapes.sheet import Sheet
    from rooflinestudio.core.shapes.table import ShapeTable
    from rooflinestudio.core.validation.result import Validation

EXAMPLE = "rooflinestudio validate times.csv --operator gemm --on nvidia-a100-sxm4-80gb --dtype fp16"
COLUMN = "column"
SHOWN_FAULTS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", metavar="FILE", help="CSV table: one line per shape, with its measured time")
    parser.add_argument(
        "parameters",
        nargs="*",
        metavar="name=value",
        help="parameters that hold for all rows, such as batch=1",
    )
    parser.add_argument("--operator", metavar="ID", help="operator id, or a kernel file")
    parser.add_argument(
        "--on", metavar="PROFILE", help="machine: an id or any unique part of it, or a profile file"
    )
    parser.add_argument(
        "--map", metavar="m=HEAD,…", help="columns of the parameters, by head or by number from 1"
    )
    parser.add_argument("--time-column", metavar="HEAD", help="column of the measured times")
    parser.add_argument("--time-unit", choices=("us", "ms", "s", "ns"), help="unit of times that name none")
    parser.add_argument(
        "--dtype", help="bf16, or bf16,weight=int4; 'column' or the head of a column takes it from the table"
    )
    parser.add_argument("--boundary", help="dram or a link; the operator's home if left out")
    parser.add_argument("--separator", help="what parts the cells, if it is not found out")
    parser.add_argument("--decimal-mark", choices=(".", ","), help="how the file writes numbers")
    parser.add_argument("--top", type=int, default=5, metavar="N", help="rows listed at most (default 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--csv", action="store_true", help="print one row per row compared")


def run(options: argparse.Namespace) -> int:
    """Compare and print; exit code 1 if a row is faster than its bound, 2 if one could not be read or placed."""
    if not options.operator or not options.on:
        print(f"validate needs a table, an operator and a machine: {EXAMPLE}", file=sys.stderr)
        return 2
    if options.json and options.csv:
        raise ParameterError("--json and --csv: choose one.")
    source, id_ = source_of(options.operator)
    profile = find_machine(options.on)
    fixed = parameters_from_texts(options.parameters)
    table, dtypes = _read(source.operator(id_), options, fixed)
    validation = validate_table(table, Against(source, id_, profile, fixed, dtypes, options.boundary))
    _print(validation, table, options)
    _tell_faults(table, validation)
    if validation.violated.any():
        return 1
    return 2 if table.fault_count or validation.refusal_count else 0


def _read(
    operator: Any, options: argparse.Namespace, fixed: Mapping[str, str]
) -> tuple[ShapeTable, Mapping[str, DType]]:
    sheet = open_sheet(options.file, separator=_separator(options.separator))
    dtype_column, dtypes = _dtype(sheet, options.dtype)
    wishes = Wishes(
        map_from_text(options.map or ""),
        options.time_column,
        dtype_column,
        options.time_unit or "",
        tuple(fixed),
    )
    try:
        columns = propose_columns(sheet, operator, wishes)
        if options.dtype == COLUMN and columns.dtype is None:
            raise ShapeTableError(f"{sheet.name}: no head speaks of a number format; name one: --dtype HEAD.")
        return shapes_of(sheet, operator, columns, mark=options.decimal_mark), dtypes
    except ShapeTableError as error:
        hint = "--map m=HEAD,n=HEAD maps columns; --time-column, --time-unit and --decimal-mark say the rest."
        raise ShapeTableError(f"{error}\n{hint}") from None


def _separator(text: str | None) -> str | None:
    return {"\\t": "\t", "tab": "\t"}.get(text, text) if text is not None else None


def _dtype(sheet: Sheet, text: str | None) -> tuple[str | None, Mapping[str, DType]]:
    """Return the column of formats to take (None: whatever is found, empty: none), and the formats for all rows."""
    if text is None or text == COLUMN:
        return None, {}
    try:
        return "", parse_dtypes(text)
    except StudioError:
        try:
            column_at(sheet, text)
        except ShapeTableError:
            raise ParameterError(
                f"--dtype {text!r} is neither a number format, such as bf16, nor a column of {sheet.name}."
            ) from None
        return text, {}


def _print(validation: Validation, table: ShapeTable, options: argparse.Namespace) -> None:
    if options.csv:
        from rooflinestudio.core.validation.document import validation_csv

        sys.stdout.write(validation_csv(validation))
        return
    summary = summarise(validation, top=max(options.top, 0))
    holds = _kin_that_hold(validation) if summary.violations else []
    if options.json:
        from rooflinestudio.core.validation.document import validation_document

        faults = table.faults, table.fault_count
        ids = [one.id for one in holds]
        print_json(validation_document(validation, summary, file=options.file, faults=faults, holds=ids))
        return
    from rooflinestudio.core.validation.words import validation_lines

    names = [one.name for one in holds]
    print("\n".join(validation_lines(validation, summary, top=max(options.top, 0), holds=names)))


def _kin_that_hold(validation: Validation) -> list[HardwareProfile]:
    """Return machines of the same architecture on which no row breaks its bound: the part may have been one of them."""
    from dataclasses import replace

    own, found = validation.against.profile, []
    for entry in registry().profiles:
        if entry.vendor != own.vendor or entry.id == own.id:
            continue
        try:
            profile = entry.load()
            if profile.architecture != own.architecture:
                continue
            other = validate_table(validation.table, replace(validation.against, profile=profile))
        except StudioError:
            continue
        if not other.violated.any() and not other.refusal_count:
            found.append(profile)
    return found


def _tell_faults(table: ShapeTable, validation: Validation) -> None:
    told = [f"{table.name}, {fault}" for fault in table.faults[:SHOWN_FAULTS]]
    if table.fault_count > len(told):
        told.append(f"{table.name}: {table.fault_count - len(told)} more faults")
    told += [f"{table.name}, line {one.line}: {one.reason}" for one in validation.refusals[:SHOWN_FAULTS]]
    if validation.refusal_count > SHOWN_FAULTS:
        told.append(f"{table.name}: {validation.refusal_count - SHOWN_FAULTS} more rows refused")
    for line in told:
        print(line, file=sys.stderr)

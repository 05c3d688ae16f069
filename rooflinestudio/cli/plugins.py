"""``rooflinestudio plugins``: who brought what, and what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.cli.catalog import host, print_json

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print one row per plugin; exit code 1 if one failed."""
    rows = host().rows
    if options.json:
        print_json(
            [
                {
                    "name": row.name,
                    "distribution": row.distribution,
                    "version": row.version,
                    "state": row.state,
                    "reason": row.reason,
                    "foreign": row.foreign,
                    "operators": list(row.operators),
                    "profiles": list(row.profiles),
                    "readers": list(row.readers),
                    "problems": list(row.problems),
                }
                for row in rows
            ]
        )
    else:
        for row in rows:
            brings = ", ".join((*row.operators, *row.profiles, *row.readers)) or "nothing"
            print(f"{row.name:<24} {row.version:<10} {row.state:<9} {row.reason or brings}")
    return 1 if any(row.state in ("failed", "partly") for row in rows) else 0

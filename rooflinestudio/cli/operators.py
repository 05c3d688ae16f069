"""``rooflinestudio operators``: what can be placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.cli.catalog import print_json, source

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print every operator, by category."""
    known = source()
    if options.json:
        print_json(
            [
                {
                    "id": one.id,
                    "label": one.label,
                    "category": one.category,
                    "summary": one.summary,
                    "plugin": known.origin(one.id).plugin,
                    "parameters": [
                        {
                            "name": p.name,
                            "default": p.default,
                            "unit": p.unit,
                            "low": p.low,
                            "high": p.high,
                            "choices": list(p.choices),
                            "help": p.help,
                        }
                        for p in one.parameters
                    ],
                }
                for one in known.operators
            ]
        )
        return 0
    category = ""
    heads = list(dict.fromkeys(one.category for one in known.operators))
    for one in sorted(known.operators, key=lambda one: heads.index(one.category)):
        if one.category != category:
            category = one.category
            print(category)
        print(f"  {one.id:<20} {one.summary}")
    return 0

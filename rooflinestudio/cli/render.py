"""``rooflinestudio render``: a study as picture and table, without a window and without a screen."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rooflinestudio.cli.catalog import registry, source_for
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.placing import place

if TYPE_CHECKING:
    import argparse

    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.study import Study

SIZE = (1200.0, 750.0)
TABLES = (".csv", ".md")
EXAMPLE_MACHINES = ("nvidia-h100-sxm5", "nvidia-a100-sxm4-80gb")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("study", nargs="?", metavar="STUDY", help="a study file")
    parser.add_argument(
        "--example",
        nargs="?",
        const="",
        metavar="ID",
        help="the example study instead of a file, or one of the gallery by its id",
    )
    parser.add_argument(
        "--out",
        action="append",
        required=True,
        metavar="FILE",
        help="a .png, .svg, .pdf, .csv or .md file (may be given again), or a folder for picture and table",
    )
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--select", metavar="ENTRY", help="entry whose details the picture shows")


def run(options: argparse.Namespace) -> int:
    """Draw and write; exit code 1 if a row could not be placed."""
    if bool(options.study) == (options.example is not None):
        print(
            "render needs a study file, or --example: rooflinestudio render --example --out out/",
            file=sys.stderr,
        )
        return 2
    study, name = _study(options)
    placed = place(study, {}, source_for(study.kernels))
    for target in _targets(options.out, name):
        if target.suffix.lower() in TABLES:
            _write_table(target, placed)
        else:
            _write_picture(target, placed, options)
        print(target)
    failed = [row for row in placed.rows if row.placement is None]
    for row in failed:
        print(f"{row.entry.label or row.entry.id}: {row.reason}", file=sys.stderr)
    return 1 if failed else 0


def _study(options: argparse.Namespace) -> tuple[Study, str]:
    if options.example:
        from rooflinestudio.core.examples import load_example, machines_of, with_machines

        study = load_example(options.example)
        return with_machines(study, map(registry().load_profile, machines_of(study))), options.example
    if options.example is not None:
        from rooflinestudio.ui.example import example_study

        return example_study(
            [registry().load_profile(id_) for id_ in EXAMPLE_MACHINES], registry()
        ), "example"
    from rooflinestudio.core.study_files import load_study

    return load_study(options.study), Path(options.study).stem


def _targets(given: list[str], name: str) -> list[Path]:
    targets: list[Path] = []
    for text in given:
        path = Path(text)
        if text.endswith(("/", os.sep)) or path.is_dir():
            path.mkdir(parents=True, exist_ok=True)
            targets += [path / f"{name}.png", path / f"{name}.csv"]
        elif path.parent.is_dir():
            targets.append(path)
        else:
            raise ParameterError(
                f"{path}: there is no folder {path.parent}. Make it, or end the name with / to have it made."
            )
    return targets


def _write_table(target: Path, placed: PlacedStudy) -> None:
    from rooflinestudio.core.export import csv_table, markdown_table
    from rooflinestudio.core.study_files import write_atomically

    write_atomically(target, csv_table(placed) if target.suffix.lower() == ".csv" else markdown_table(placed))


def _write_picture(target: Path, placed: PlacedStudy, options: argparse.Namespace) -> None:
    # Drawing needs fonts and so an application, but no screen.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication.instance() or QGuiApplication([])
    from rooflinestudio.ui.canvas.export import export_picture
    from rooflinestudio.ui.presenter import scene_of
    from rooflinestudio.ui.theme import theme_named

    if options.select is not None and not placed.study.has_entry(options.select):
        raise ParameterError(
            f"the study has no entry {options.select!r}; it has {', '.join(e.id for e in placed.study.entries)}."
        )
    export_picture(
        target, scene_of(placed, selected=options.select), theme=theme_named(options.theme), size=SIZE
    )
    del application

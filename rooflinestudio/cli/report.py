"""``rooflinestudio report``: a study as a report, with pictures, tables and sources, without a window and a screen."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rooflinestudio.cli.catalog import source_for
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.placing import place

if TYPE_CHECKING:
    import argparse

    from rooflinestudio.core.placing import PlacedStudy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("study", metavar="STUDY", help="a study file")
    parser.add_argument(
        "--out",
        action="extend",
        nargs="+",
        required=True,
        metavar="FILE",
        help="a .html, .md, .pdf, .json or .csv file; several at once",
    )
    parser.add_argument("--title", help="title of the report; left out, the name of the study")
    parser.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="of Markdown and PDF pictures"
    )
    parser.add_argument("--select", metavar="ENTRY", help="entry whose details the picture shows")


def run(options: argparse.Namespace) -> int:
    """Write the report; rows without figures are told in it, and on stderr."""
    from rooflinestudio.core.study_files import load_study
    from rooflinestudio.ui.reporting.files import DRAWN, ReportFiles, Shown, check_targets

    targets = [Path(one) for one in options.out]
    check_targets(targets)
    study = load_study(options.study)
    if options.select is not None and not study.has_entry(options.select):
        known = ", ".join(one.id for one in study.entries) or "none"
        raise ParameterError(f"the study has no entry {options.select!r}; it has {known}.")
    source = source_for(study.kernels)
    placed = place(study, {}, source)
    application = _application() if any(one.suffix.lower() in DRAWN for one in targets) else None
    title = options.title or Path(options.study).stem
    files = ReportFiles(placed, source, title=title, shown=Shown(options.select, theme=options.theme))
    for target in targets:
        for path in files.write(target):
            print(path)
    del application
    _tell_rows_without_figures(placed)
    return 0


def _application() -> object:
    # Drawing needs fonts and so an application, but no screen.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    return QGuiApplication.instance() or QGuiApplication([])


def _tell_rows_without_figures(placed: PlacedStudy) -> None:
    for row in placed.rows:
        if row.placement is None:
            name = row.entry.label or row.entry.id
            print(f"{name} on {row.machine}: {row.state}: {row.reason}", file=sys.stderr)

"""The command line: ``rooflinestudio`` without a subcommand opens the window.

One JSON document on stdout with ``--json``, messages on stderr. Exit codes: 0 done, 1 findings, 2 usage or bad input.
Each subcommand is a module of this package with ``add_arguments(parser)`` and ``run(options) -> int``, imported
only when it is asked for, so that the window starts without them.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

from rooflinestudio import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

COMMANDS: Final = {
    "eval": ("evaluate", "evaluate one operator on one machine, or a batch of cases"),
    "fuse": ("fuse", "work out a chain of operators, fused and split"),
    "sweep": ("sweep", "evaluate one operator over ranges, and find the thresholds"),
    "serve": ("serve", "serve a model with prefill and decoding on two machines"),
    "import": ("import_", "read measured results and print what they hold"),
    "diagnose": ("diagnose", "ask what holds a measured kernel, by six questions"),
    "validate": ("validate", "hold an operator against a table of measured times"),
    "measure": ("measure", "measure the roof of this machine, and write it as a profile"),
    "profiles": ("profiles", "list the machines, or check a profile"),
    "operators": ("operators", "list the operators"),
    "plugins": ("plugins", "list the plugins, and what failed"),
    "report": ("report", "write a report on a study: picture, tables, sources"),
    "render": ("render", "draw a study without a window: picture and table"),
}
"""Subcommand: (module, one line)."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in COMMANDS:
        return _run_command(arguments[0], arguments[1:])
    parser = argparse.ArgumentParser(
        prog="rooflinestudio",
        description="Which capacity runs out first, how far from the roof, and what would help?",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="commands:\n" + "\n".join(f"  {name:<10} {text}" for name, (_, text) in COMMANDS.items()),
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="a study to open, or profiler files to lay over it"
    )
    parser.add_argument(
        "--example",
        nargs="?",
        const="",
        metavar="ID",
        help="open the example study, or one of the gallery by its id",
    )
    parser.add_argument("--safe-mode", action="store_true", help="start without foreign plugins")
    parser.add_argument("--theme", choices=("light", "dark"), help="start in this theme")
    parser.add_argument("--version", action="version", version=f"Roofline Studio {__version__}")
    parser.add_argument("--quit-after-paint", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--screenshot", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    return _run_window(options)


def _run_command(name: str, arguments: list[str]) -> int:
    from rooflinestudio.core.errors import StudioError

    module = import_module(f"rooflinestudio.cli.{COMMANDS[name][0]}")
    parser = argparse.ArgumentParser(
        prog=f"rooflinestudio {name}", description=COMMANDS[name][1].capitalize() + "."
    )
    module.add_arguments(parser)
    try:
        return int(module.run(parser.parse_intermixed_args(arguments)))
    except StudioError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of a pipe went away: nothing left to say
        sys.stderr.close()
        return 0


def _run_window(options: argparse.Namespace) -> int:
    from rooflinestudio.ui.app import AppOptions, run

    return run(
        AppOptions(
            files=tuple(options.files),
            example=options.example,
            safe_mode=options.safe_mode,
            theme=options.theme,
            screenshot=options.screenshot,
            quit_after_paint=options.quit_after_paint,
        )
    )

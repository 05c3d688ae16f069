"""``rooflinestudio fuse``: a chain of operators with kernel boundaries between some of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rooflinestudio.cli.catalog import find_machine, print_json, source
from rooflinestudio.cli.given import parameters_from_texts
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.fusion import fuse
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.settings import Settings

if TYPE_CHECKING:
    import argparse

    from rooflinestudio.core.fusion import FusedChain, FusedKernel

EXAMPLE = "rooflinestudio fuse 'add + rmsnorm | silu' tokens=65536 width=8192 --on h100-sxm5"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "chain",
        nargs="?",
        help="operators; + fuses, | is a kernel boundary: 'add + rmsnorm | silu', 'x -> layernorm + gelu + add(x)', "
        "'add! + rmsnorm' (add's output is written too)",
    )
    parser.add_argument(
        "parameters", nargs="*", metavar="name=value", help="handed to every operator that has them"
    )
    parser.add_argument(
        "--on", metavar="PROFILE", help="machine: an id or any unique part of it, or a profile file"
    )
    parser.add_argument("--dtype", help="bf16, or bf16,weight=int4")
    parser.add_argument("--ceiling", metavar="ID", help="replaces the ceiling of the main pipe")
    parser.add_argument("--overlap", type=float, default=1.0, help="1 is the roofline, 0 the serial model")
    parser.add_argument(
        "--forecast", action="store_true", help="add latency, launch and quantisation to the bound"
    )
    parser.add_argument("--training", action="store_true", help="say what the backward pass needs and costs")
    parser.add_argument(
        "--threads", type=int, default=256, help="threads of a block, for the live state (default: 256)"
    )
    parser.add_argument(
        "--elements-per-thread", type=int, default=1, metavar="N",
        help="elements of each tensor that a thread works on at a time (default: 1)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Work the chain out and print it."""
    if not options.chain or not options.on:
        print(f"fuse needs a chain and a machine: {EXAMPLE}", file=sys.stderr)
        return 2
    chain = fuse(
        options.chain,
        parameters_from_texts(options.parameters),
        parse_dtypes(options.dtype),
        find_machine(options.on),
        source(),
        Settings(ceiling=options.ceiling, overlap=options.overlap, forecast=options.forecast),
    ).with_block(threads=options.threads, elements_per_thread=options.elements_per_thread)
    if options.json:
        from rooflinestudio.core.fusion_words import fusion_document

        print_json(fusion_document(chain))
    else:
        print("\n".join(_lines(chain, training=options.training)))
    return 0


def _lines(chain: FusedChain, *, training: bool) -> list[str]:
    lines = [f"{chain.spec} on {chain.profile.name}, compulsory at dram"]
    for number, kernel in enumerate(chain.kernels, 1):
        lines += _kernel_lines(number, kernel)
    lines += [
        f"  work        {format_quantity(chain.work_flop, 'FLOP', digits=4)}, unchanged by fusion",
        f"  traffic     {format_quantity(chain.traffic_bytes, 'B', digits=4)} at dram"
        f" ({format_quantity(chain.split_traffic_bytes, 'B', digits=4)} all split)",
        f"  intensity   {format_quantity(chain.intensity, 'FLOP/B', digits=4)}",
        f"  time        {format_quantity(chain.time_s, 's', digits=4)}"
        f" ({format_quantity(chain.split_time_s, 's', digits=4)} all split)",
        f"  speed-up    {format_number(chain.speedup_vs_split)}× over all split",
    ]
    if training:
        from rooflinestudio.core.fusion_words import training_words

        lines.append(f"  training    {training_words(chain.training)}")
    return lines + [f"  note: {note}" for note in chain.notes]


def _kernel_lines(number: int, kernel: FusedKernel) -> list[str]:
    lines = [
        f"  kernel {number}    {kernel.label}: {format_quantity(kernel.traffic_bytes, 'B')}, "
        f"{format_quantity(kernel.time_s, 's')}, {kernel.bound} at {kernel.binding}",
        f"    reads {', '.join(one.name for one in kernel.kernel.reads) or 'nothing'}; "
        f"writes {', '.join(one.name for one in kernel.kernel.writes) or 'nothing'}",
    ]
    if kernel.kept_on_chip:
        kept = ", ".join(one.name for one in kernel.kept_on_chip)
        lines.append(f"    kept on chip: {kept} ({format_quantity(kernel.saved_bytes, 'B')} saved)")
    written = ", ".join(one.name for one in kernel.kernel.between if one.also_written)
    if written:
        lines.append(f"    written, but not read back: {written}")
    return lines

"""``rooflinestudio serve``: a model whose prompts are read on one machine and whose tokens are made on another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.cli.catalog import find_machine, print_json, registry
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.serving import Request, serve_on_two

if TYPE_CHECKING:
    import argparse

    from rooflinestudio.core.serving import SplitServing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("model", help="a model card, such as llama-3-70b, or the path of a config.json")
    parser.add_argument(
        "--prefill-on", required=True, metavar="PROFILE", help="the machine that reads prompts"
    )
    parser.add_argument("--decode-on", required=True, metavar="PROFILE", help="the machine that makes tokens")
    parser.add_argument("--context", type=int, default=2048, help="tokens of a prompt")
    parser.add_argument("--output", type=int, default=256, metavar="TOKENS", help="tokens of an answer")
    parser.add_argument("--batch", type=int, default=16, help="sequences that are decoded together")
    parser.add_argument("--prefill-batch", type=int, default=1, help="prompts that are read together")
    parser.add_argument("--dtype", help="bf16, or bf16,weight=int4,kv=fp8")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Evaluate and print."""
    for name in ("context", "output", "batch", "prefill_batch"):
        if getattr(options, name) < 1:
            raise ParameterError(f"--{name.replace('_', '-')} {getattr(options, name)} must be at least 1.")
    request = Request(options.model, options.context, options.output, options.batch, options.prefill_batch)
    machines = find_machine(options.prefill_on), find_machine(options.decode_on)
    served = serve_on_two(registry(), request, parse_dtypes(options.dtype), *machines)
    if options.json:
        print_json(_document(served))
    else:
        print("\n".join(_lines(served)))
    return 0


def _document(served: SplitServing) -> dict[str, Any]:
    return {
        "prefill_on": served.prefill.profile.id,
        "decode_on": served.decode.profile.id,
        "link": served.link,
        "transfer_bytes": served.transfer_bytes,
        "transfer_s": served.transfer_s,
        "time_to_first_token_s": served.time_to_first_token_s,
        "time_to_second_token_s": served.time_to_second_token_s,
        "seconds_per_token": served.seconds_per_token,
        "prefill_requests_per_s": served.prefill_requests_per_s,
        "decode_requests_per_s": served.decode_requests_per_s,
        "requests_per_s": served.requests_per_s,
        "prefill_machines_per_decode_machine": served.prefill_machines_per_decode_machine,
        "prefill_bound": served.prefill.bound,
        "decode_bound": served.decode.bound,
        "notes": ["All times are bounds; real prefill and decoding take longer."],
    }


def _lines(served: SplitServing) -> list[str]:
    prefill, decode = served.prefill, served.decode
    crossing = f"{format_quantity(served.transfer_bytes, 'B')} of keys and values"
    return [
        f"prompts on {prefill.profile.name}, tokens on {decode.profile.name}; bounds, not forecasts",
        f"  first token   {format_quantity(served.time_to_first_token_s, 's')}, {prefill.bound} at {prefill.binding}",
        f"  transfer      {format_quantity(served.transfer_s, 's')}: {crossing} over the {served.link}",
        f"  second token  {format_quantity(served.time_to_second_token_s, 's')} after the request",
        f"  each token    {format_quantity(served.seconds_per_token, 's')}, {decode.bound} at {decode.binding}",
        f"  requests      {format_number(served.prefill_requests_per_s)} per second can be read, "
        f"{format_number(served.decode_requests_per_s)} answered",
        f"  balance       {format_number(served.prefill_machines_per_decode_machine)} machines that read "
        "for each that answers",
    ]

"""``rooflinestudio serve``: what serving a model on one machine or on two gives, and what its tokens cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.cli.catalog import find_machine, print_json, registry
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.serving import Request, costs_of, serve_on_one, serve_on_two
from rooflinestudio.core.serving.document import serving_document, serving_lines
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.traffic import POLICIES

if TYPE_CHECKING:
    import argparse

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.serving.decode import Decoding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("model", help="a model card, such as llama-3-70b, or the path of a config.json")
    parser.add_argument("--on", metavar="PROFILE", help="the machine that does both in turn")
    parser.add_argument("--prefill-on", metavar="PROFILE", help="the machine that reads prompts")
    parser.add_argument("--decode-on", metavar="PROFILE", help="the machine that makes tokens")
    parser.add_argument("--context", type=int, default=2048, help="tokens of a prompt")
    parser.add_argument("--output", type=int, default=256, metavar="TOKENS", help="tokens of an answer")
    parser.add_argument("--batch", type=int, default=16, help="sequences that are decoded together")
    parser.add_argument("--prefill-batch", type=int, default=1, help="prompts that are read together")
    parser.add_argument("--dtype", help="bf16, or bf16,weight=int4,kv=fp8")
    parser.add_argument("--weights", choices=("streamed", "resident"), help="which weights a step reads")
    parser.add_argument("--boundary", help="dram, l2, …, or all; the operator's home if left out")
    parser.add_argument("--policy", default="compulsory", choices=POLICIES)
    parser.add_argument(
        "--forecast", action="store_true", help="add latency, launch and quantisation to the bound"
    )
    parser.add_argument(
        "--price", action="append", default=[], metavar="[PROFILE=]NUMBER",
        help="what a device costs for an hour, of one machine or of all; may be given for each",
    )  # fmt: skip
    parser.add_argument("--currency", default="USD", help="a word for the currency of the prices")
    parser.add_argument(
        "--what-if", action="store_true", help="show what would change the decoding, and by how much"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Evaluate and print."""
    for name in ("context", "output", "batch", "prefill_batch"):
        if getattr(options, name) < 1:
            raise ParameterError(f"--{name.replace('_', '-')} {getattr(options, name)} must be at least 1.")
    extra = {"weights": options.weights} if options.weights else {}
    request = Request(
        options.model, options.context, options.output, options.batch, options.prefill_batch, extra
    )
    machines = _machines(options)
    settings = Settings(boundary=options.boundary, policy=options.policy, forecast=options.forecast)
    dtypes = parse_dtypes(options.dtype)
    if machines[0].id == machines[1].id and options.on:
        served = serve_on_one(registry(), request, dtypes, machines[0], settings)
    else:
        served = serve_on_two(registry(), request, dtypes, *machines, settings)
    prices = [_price(options.price, one) for one in machines]
    costs = costs_of(served, request, *prices)
    step = _decoding(request, options, machines[1], settings)
    words = {"currency": options.currency, "what_if": options.what_if}
    if options.json:
        print_json(serving_document(served, costs, step, **words))
    else:
        print("\n".join(serving_lines(served, costs, step, **words)))
    return 0


def _machines(options: argparse.Namespace) -> tuple[HardwareProfile, HardwareProfile]:
    if options.on:
        if options.prefill_on or options.decode_on:
            raise ParameterError(
                "--on is for one machine: leave --prefill-on and --decode-on out, or give both of them."
            )
        machine = find_machine(options.on)
        return machine, machine
    if not (options.prefill_on and options.decode_on):
        raise ParameterError(
            "Name the machines: --on for one that does both, or --prefill-on and --decode-on."
        )
    return find_machine(options.prefill_on), find_machine(options.decode_on)


def _price(texts: list[str], machine: HardwareProfile) -> float | None:
    """Return the price of a machine: that given for it, else that given for all, else None."""
    found = None
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = 0.0
        if not 0 < value < float("inf"):
            raise ParameterError(
                f"--price {text!r} is no price: write a number above 0, such as 2.5 or h100=2.5."
            )
        if equals and find_machine(name).id == machine.id:
            return value
        if not equals:
            found = value
    return found


def _decoding(request: Request, options: Any, machine: HardwareProfile, settings: Settings) -> Decoding:
    """Return the decode step over whole prompts, as a study would have it."""
    from rooflinestudio.core.serving.decode import DECODE, Decoding
    from rooflinestudio.core.study import Entry
    from rooflinestudio.core.subject import Subject

    parameters = {"model": request.model, "batch": request.batch, "context": request.context, **request.extra}
    dtypes = parse_dtypes(options.dtype)
    entry = Entry("", DECODE, parameters=parameters, dtypes={role: one.id for role, one in dtypes.items()})
    return Decoding(entry, Subject(registry(), DECODE, machine, parameters, dtypes, settings))

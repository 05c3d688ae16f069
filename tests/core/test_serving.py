"""Prefill on one machine, decoding on another: the parts are the single steps, the rest is arithmetic over them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.cli.catalog import find_machine, registry
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.serving import Request, costs_of, serve_on_one, serve_on_two
from rooflinestudio.core.settings import Settings

BF16 = parse_dtypes("bf16")
REQUEST = Request("llama-3-8b", context=4096, output_tokens=257, batch=8, prefill_batch=2)


@pytest.fixture(scope="module")
def machines():
    return find_machine("h100-sxm5"), find_machine("h200-sxm")


def test_the_figures_are_those_of_the_two_steps(machines):
    served = serve_on_two(registry(), REQUEST, BF16, *machines)
    prompt = {"model": "llama-3-8b", "batch": 2, "context": 4096}
    step = {"model": "llama-3-8b", "batch": 8, "context": 4096 + 128}
    prefill_s = evaluate(registry(), "prefill_step", prompt, BF16, machines[0], Settings()).time_s
    step_s = evaluate(registry(), "decode_step", step, BF16, machines[1], Settings()).time_s
    # 32 layers, keys and values, 8 heads of 128, 2 bytes: 131,072 bytes per token; the network moves 50 GB/s
    cache_bytes = 4096 * 32 * 2 * 8 * 128 * 2
    assert served.link == "network" and served.transfer_bytes == cache_bytes
    assert served.transfer_s == pytest.approx(cache_bytes / 50e9)
    assert served.time_to_first_token_s == prefill_s and served.seconds_per_token == step_s
    assert served.time_to_second_token_s == pytest.approx(prefill_s + cache_bytes / 50e9 + step_s)
    # the prefill makes the first of the 257 tokens, the other machine the 256 after it
    assert served.decode_requests_per_s == pytest.approx(8 / (256 * step_s))
    assert served.prefill_requests_per_s == pytest.approx(2 / prefill_s)
    assert served.requests_per_s == min(served.decode_requests_per_s, served.prefill_requests_per_s)


def test_a_faster_decoding_machine_helps_every_token_but_not_the_first(machines):
    slow, fast = (
        serve_on_two(registry(), REQUEST, BF16, machines[0], machines[0]),
        serve_on_two(registry(), REQUEST, BF16, *machines),
    )
    assert fast.time_to_first_token_s == slow.time_to_first_token_s
    # decoding is bound by memory: 4.8 against 3.35 TB/s
    assert slow.seconds_per_token / fast.seconds_per_token == pytest.approx(4.8 / 3.35, rel=1e-3)
    assert fast.prefill_machines_per_decode_machine > slow.prefill_machines_per_decode_machine


def test_machines_that_cannot_reach_each_other_are_refused(machines):
    alone = replace(machines[0], boundaries={"dram": machines[0].boundaries["dram"]})
    with pytest.raises(RefusedError, match="no common boundary"):
        serve_on_two(registry(), REQUEST, BF16, alone, machines[1])


# ------------------------------------------------------------------------------------ one machine, and money


def test_one_machine_does_both_in_turn(machines):
    two = serve_on_two(registry(), REQUEST, BF16, machines[0], machines[0])
    one = serve_on_one(registry(), REQUEST, BF16, machines[0])

    assert one.on_one and not two.on_one
    assert (one.transfer_s, one.link) == (0.0, "")
    assert one.time_to_first_token_s == two.time_to_first_token_s
    assert one.time_to_second_token_s == pytest.approx(two.time_to_second_token_s - two.transfer_s)
    # a request takes its share of a prefill of 2 and of 256 steps of 8
    each_s = one.time_to_first_token_s / 2 + 256 * one.seconds_per_token / 8
    assert one.requests_per_s == pytest.approx(1 / each_s)
    assert one.requests_per_s < two.requests_per_s


def test_tokens_cost_the_time_of_the_machine_that_makes_them(machines):
    served = serve_on_two(registry(), REQUEST, BF16, *machines)
    costs = costs_of(served, REQUEST, 2.0, 3.6)

    # 3.6 an hour are 0.001 a second; 8 tokens come with each step
    assert costs.output_per_million == pytest.approx(0.001 * served.seconds_per_token / 8 * 1e6)
    # two prompts of 4096 tokens take one prefill
    assert costs.input_per_million == pytest.approx(
        2.0 / 3600 * served.time_to_first_token_s / (2 * 4096) * 1e6
    )
    assert costs.request == pytest.approx(
        (4096 * costs.input_per_million + 256 * costs.output_per_million) / 1e6
    )


def test_without_a_price_there_is_no_cost(machines):
    served = serve_on_two(registry(), REQUEST, BF16, *machines)

    assert costs_of(served, REQUEST, None, 3.6).input_per_million is None
    assert costs_of(served, REQUEST, None, 3.6).request is None
    assert costs_of(served, REQUEST, None, 3.6).output_per_million > 0


def test_further_parameters_reach_both_passes_and_devices_are_paid_for(machines):
    shared = replace(REQUEST, extra={"tensor_parallel": 2, "weights": "resident"})
    one, two = (serve_on_one(registry(), what, BF16, machines[0]) for what in (REQUEST, shared))

    assert (two.prefill_devices, two.decode_devices) == (2, 2)
    assert two.decode.parameters["weights"] == "resident" and "weights" not in two.prefill.parameters
    assert two.transfer_bytes == one.transfer_bytes
    paid = costs_of(two, shared, 1.0, 1.0)
    assert paid.output_per_million == pytest.approx(2 / 3600 * two.seconds_per_token / 8 * 1e6)


def test_what_does_not_fit_is_told(machines):
    big = replace(REQUEST, model="llama-3-70b")
    served = serve_on_one(registry(), big, BF16, machines[0])

    # 141 GB of weights against 80 GB
    assert (served.prefill_fits, served.decode_fits) == (False, False)
    assert serve_on_one(registry(), REQUEST, BF16, machines[0]).decode_fits is True

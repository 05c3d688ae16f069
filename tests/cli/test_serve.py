from __future__ import annotations

import json

import pytest

from rooflinestudio.cli import main

ARGUMENTS = [
    "serve",
    "llama-3-8b",
    "--prefill-on",
    "h100-sxm5",
    "--decode-on",
    "h200-sxm",
    "--context",
    "4096",
]


def test_serve_prints_one_json_document(capsys) -> None:
    assert main([*ARGUMENTS, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["prefill_on"], found["decode_on"], found["link"]) == (
        "nvidia-h100-sxm5",
        "nvidia-h200-sxm",
        "network",
    )
    assert found["transfer_bytes"] == 4096 * 131_072
    assert (found["prefill_bound"], found["decode_bound"]) == ("compute", "memory")


def test_serve_says_it_in_words(capsys) -> None:
    assert main(ARGUMENTS) == 0
    out = capsys.readouterr().out
    assert (
        "prompts on H100 SXM5 80 GB, tokens on H200" in out
        and "537 MB of keys and values over the network" in out
    )


@pytest.mark.parametrize(
    ("more", "words"),
    [(["--context", "0"], "--context 0"), (["--dtype", "bf15"], "bf16"), (["--batch", "-3"], "--batch -3")],
)
def test_bad_input_is_said_in_words(capsys, more: list[str], words: str) -> None:
    assert main([*ARGUMENTS, *more]) == 2
    assert words in capsys.readouterr().err


ONE = [
    "serve",
    "llama-3-8b",
    "--on",
    "h100-sxm5",
    "--context",
    "8192",
    "--batch",
    "56",
    "--weights",
    "resident",
]


def test_one_machine_transfers_nothing(capsys) -> None:
    assert main([*ONE, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["prefill_on"], found["decode_on"]) == ("nvidia-h100-sxm5", "nvidia-h100-sxm5")
    assert (found["link"], found["transfer_bytes"], found["transfer_s"]) == (None, 0, 0)
    # the worked example: 59 sequences fit, 79% of 76.2 GB are cache
    assert found["decode"]["max_batch"] == 59
    assert found["decode"]["kv_bytes"] / (found["decode"]["kv_bytes"] + found["decode"]["weight_bytes"]) == (
        pytest.approx(0.789, abs=1e-3)
    )
    assert "what_if" not in found


@pytest.mark.parametrize(
    "price", [["--price", "3.6"], ["--price", "h100-sxm5=3.6"], ["--price", "9", "--price", "h100-s=3.6"]]
)
def test_tokens_cost_what_the_machine_costs(capsys, price) -> None:
    assert main([*ONE, *price, "--currency", "EUR", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    # 3.6 an hour are 0.001 a second
    expected = 0.001 * found["seconds_per_token"] / 56 * 1e6
    assert found["cost"]["per_million_output_tokens"] == pytest.approx(expected)
    assert found["cost"]["currency"] == "EUR"


def test_a_price_of_another_machine_is_no_price(capsys) -> None:
    assert main([*ONE, "--price", "h200-sxm=3.6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"]["per_million_output_tokens"] is None
    assert main(ONE) == 0
    assert "cost" not in capsys.readouterr().out


def test_changes_are_listed_on_request(capsys) -> None:
    assert main([*ONE, "--what-if"]) == 0
    out = capsys.readouterr().out
    assert "Cache in fp8" in out and "Capacity ends the batch at 59" in out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--price", "cheap"], "--price 'cheap'"),
        (["--price", "-1"], "is no price"),
        (["--decode-on", "h200-sxm"], "--on"),
    ],
)
def test_wrong_machines_and_prices_are_said_in_words(capsys, more: list[str], words: str) -> None:
    assert main([*ONE, *more]) == 2
    assert words in capsys.readouterr().err


def test_no_machine_is_said_in_words(capsys) -> None:
    assert main(["serve", "llama-3-8b"]) == 2
    assert "--on" in capsys.readouterr().err


def test_the_command_line_and_the_view_agree(capsys) -> None:
    from rooflinestudio.cli.catalog import registry
    from rooflinestudio.core.placing import place
    from rooflinestudio.core.serving.view import serving_picture
    from rooflinestudio.core.study import Entry, Study, View

    ids = "nvidia-h100-sxm5", "nvidia-h200-sxm"
    entry = Entry(
        "d", "decode_step",
        parameters={"model": "llama-3-8b", "batch": 56, "context": 8192, "weights": "resident"},
    )  # fmt: skip
    panel = {"prefill_on": ids[0], "decode_on": ids[1], "price_per_hour": {ids[0]: 2.0, ids[1]: 3.5}}
    study = Study(
        entries=(entry,), profiles={id_: registry().load_profile(id_) for id_ in ids},
        view=View(machines=(ids[1],)), panels={"serving": panel},
    )  # fmt: skip
    shown = serving_picture(registry(), place(study, {}, registry()))

    asked = [
        "serve", "llama-3-8b", "--prefill-on", "h100-sxm5", "--decode-on", "h200-sxm", "--context", "8192",
        "--batch", "56", "--weights", "resident", "--policy", "modelled", "--boundary", "dram",
        "--price", "h100-sxm5=2", "--price", "h200-sxm=3.5", "--what-if", "--json",
    ]  # fmt: skip
    assert main(asked) == 0
    found = json.loads(capsys.readouterr().out)
    served, costs = shown.served, shown.costs
    for name in (
        "time_to_first_token_s", "time_to_second_token_s", "seconds_per_token", "transfer_s", "requests_per_s",
        "prefill_machines_per_decode_machine",
    ):  # fmt: skip
        assert found[name] == getattr(served, name)
    assert found["cost"]["per_million_input_tokens"] == costs.input_per_million
    assert found["cost"]["per_million_output_tokens"] == costs.output_per_million
    rows = {one.change.id: one for one in shown.what_ifs}
    assert {one["id"] for one in found["what_if"]} == set(rows)
    for one in found["what_if"]:
        row = rows[one["id"]]
        assert (one["tokens_per_s"], one["max_batch"], one["gain_at_max_batch"]) == (
            row.tokens_per_s, row.max_batch, row.max_gain,
        )  # fmt: skip
    assert found["decode"]["max_batch"] == shown.decoding.max_batch

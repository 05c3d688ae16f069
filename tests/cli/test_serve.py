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

"""``eval --explain``, ``--levers`` and the expected time on the command line."""

from __future__ import annotations

import json

import pytest

from rooflinestudio.cli import main

GEMM = ["gemm", "m=4096", "n=4096", "k=4096", "--on", "nvidia-h100-sxm5", "--dtype", "bf16"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["eval", *arguments]) == 0
    return capsys.readouterr().out


def document(capsys: pytest.CaptureFixture[str], *arguments: str):
    return json.loads(printed(capsys, *arguments, "--json"), parse_constant=pytest.fail)


def test_explain_prints_formula_values_convention_and_source_aligned(capsys) -> None:
    lines = printed(capsys, *GEMM, "--explain").splitlines()
    at = lines.index("  how it comes about")
    told = lines[at + 1 :]

    assert told[0] == "  work                     W = 2·m·n·k"
    assert "= 2·4096·4096·4096 = 137.4 GFLOP" in told[1]
    assert any("FMA = 2" in line for line in told)
    assert any("= 989.4 TFLOP/s / 3.35 TB/s = 295.3 FLOP/byte" in line for line in told)
    assert any("published (dense, fp32 accumulation, 1.83 GHz)" in line for line in told)
    assert all(line[2:27].strip() == "" or line[26] == " " for line in told)
    assert max(map(len, told)) <= 112


def test_the_json_carries_the_explanations_only_when_asked(capsys) -> None:
    assert "explanations" not in document(capsys, *GEMM)
    found = {one["figure"]: one for one in document(capsys, *GEMM, "--explain")["explanations"]}

    assert set(found["work"]) == {"figure", "symbols", "values", "result", "unit", "convention", "source"}
    assert found["work"]["result"] == 2 * 4096**3
    assert found["traffic dram compulsory"]["result"] == 3 * 2 * 4096**2
    assert (
        found["traffic dram tiled"]["values"]
        == "2·4096·4096·⌈4096/128⌉ + 2·4096·4096·⌈4096/128⌉ + 2·4096·4096"
    )
    assert found["ridge dram"]["result"] == pytest.approx(989.4 / 3.35)


def test_an_infinite_intensity_is_null(capsys) -> None:
    arguments = ["elementwise", "reads=0", "writes=0", "--on", "nvidia-h100-sxm5", "--explain"]
    found = {one["figure"]: one for one in document(capsys, *arguments)["explanations"]}

    assert found["intensity dram"]["result"] is None


def test_levers_are_told_only_when_asked(capsys) -> None:
    assert "levers" not in document(capsys, *GEMM)
    found = document(capsys, "gemm", "m=8", "--on", "nvidia-h100-sxm5", "--dtype", "bf16", "--levers")[
        "levers"
    ]

    assert [one["ratio"] for one in found] == sorted(one["ratio"] for one in found)
    assert found[0]["kind"] == "size" and found[0]["change"]["parameters"]["m"] > 295
    assert any(one["change"]["hardware"] == "nvidia-b200" for one in found)
    assert any(one["change"]["dtype"].get("weight") == "int4" for one in found)


def test_levers_in_words_stand_under_the_verdict(capsys) -> None:
    out = printed(capsys, "gemm", "m=8", "--on", "nvidia-h100-sxm5", "--levers")

    assert "what would help" in out and "× faster" in out and "Raise m from 8 to" in out


def test_a_forecast_prints_the_expected_time_with_its_band(capsys) -> None:
    out = printed(capsys, *GEMM, "--forecast")
    expected = document(capsys, *GEMM, "--forecast")["limits"]["expected"]

    # 138.9 µs over 80.3 % of the pipe, eight full waves, and one launch.
    assert expected["expected_s"] == pytest.approx(2 * 4096**3 / 989.4e12 / 0.803 * 1056 / 1024 + 3e-6)
    assert expected["expected_low_s"] <= expected["expected_s"] <= expected["expected_high_s"]
    assert "expected    " in out and "between" in out
    assert "expected" not in printed(capsys, *GEMM).split("note")[0].split("Trap")[0]


def test_a_machine_without_shares_says_that_there_is_no_expected_time(capsys) -> None:
    out = document(capsys, "gemm", "--on", "nvidia-l40s", "--dtype", "bf16", "--forecast")

    assert "expected" not in out["limits"]
    assert any(note.startswith("No expected time: ") and "bf16-tensor" in note for note in out["notes"])


def test_remarks_come_first_among_the_notes(capsys) -> None:
    notes = document(capsys, *GEMM)["notes"]

    assert notes[0].startswith("Trap: This verdict holds at HBM3 alone.")
    out = printed(capsys, *GEMM)
    assert "\n  Trap: This verdict holds" in out and "Note: Trap" not in out

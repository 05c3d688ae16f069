from __future__ import annotations

import csv
import io
import json

import pytest

from rooflinestudio.cli import main

H100 = ["--on", "nvidia-h100-sxm5", "--dtype", "bf16"]


def sweep(capsys, *arguments: str):
    assert main(["sweep", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_the_points_say_what_eval_says(capsys) -> None:
    found = sweep(capsys, "gemm", "m=64,256", "n=512", "k=64:128:3", *H100)
    assert found["axes"] == [{"names": ["m"], "values": [64, 256]}, {"names": ["k"], "values": [64, 96, 128]}]
    assert found["shape"] == [2, 3] and found["parameters"] == {"n": "512"}
    at = 0
    for m in (64, 256):
        for k in (64, 96, 128):
            assert main(["eval", "gemm", f"m={m}", f"k={k}", "n=512", *H100, "--json"]) == 0
            single = json.loads(capsys.readouterr().out)
            for name in ("work_flop", "traffic_bytes", "intensity", "time_s", "bound", "binding"):
                assert found["points"][name][at] == single[name]
            at += 1


def test_the_ridge_of_a_cube_is_printed_although_no_point_lies_there(capsys) -> None:
    found = sweep(capsys, "gemm", "m=n=k=512,1024", *H100)
    (ridge,) = found["thresholds"]
    assert (ridge["kind"], ridge["below"], ridge["at"]) == ("bound", 886, 887)
    assert main(["sweep", "gemm", "m=n=k=512,1024", *H100]) == 0
    assert (
        "threshold: m=n=k = 887: compute at bf16-tensor; up to 886 memory at dram" in capsys.readouterr().out
    )


def test_the_end_of_what_fits_is_printed(capsys) -> None:
    found = sweep(capsys, "gemm", "m=1k:10M:log", "n=8192", "k=8192", *H100)
    capacity = next(one for one in found["thresholds"] if one["kind"] == "capacity")
    assert capacity["below"] == (80_000_000_000 - 2 * 8192**2) // (4 * 8192)


def test_a_table_has_a_row_per_point(capsys) -> None:
    assert main(["sweep", "silu", "tokens=1:100", "width=64", *H100, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["tokens"] for row in rows] == [str(one) for one in range(1, 101)]
    assert float(rows[9]["traffic_bytes"]) == 10 * 64 * 4
    assert rows[0]["bound"] == "memory" and rows[0]["binding"] == "dram"


def test_refused_points_are_told_and_shown_without_figures(capsys) -> None:
    arguments = ["attention", "heads=8:16", "kv_heads=8", *H100]
    found = sweep(capsys, *arguments)
    assert found["points"]["time_s"][1:8] == [None] * 7 and found["points"]["time_s"][8] is not None
    assert any("7 of 9 points are refused" in note for note in found["notes"])
    assert main(["sweep", *arguments]) == 0
    assert capsys.readouterr().out.count("refused") == 7 + 1


def test_stairs_are_listed_under_the_forecast(capsys) -> None:
    arguments = ["gemm", "m=1:1024", "n=4096", "k=4096", *H100, "--forecast", "--stairs"]
    found = sweep(capsys, *arguments)
    assert [(one["first"], one["last"]) for one in found["stairs"]] == [
        (1 + 128 * i, 128 + 128 * i) for i in range(8)
    ]
    assert [one["waves"] for one in found["stairs"]] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert main(["sweep", *arguments]) == 0
    assert "stair: m = 513 to 640: 2 waves" in capsys.readouterr().out


def test_two_machines_are_compared_where_they_swap(capsys) -> None:
    found = sweep(capsys, "gemm", "m=n=k=64:8192:log", *H100, "--against", "nvidia-h200")
    swap = next(one for one in found["thresholds"] if one["kind"] == "order")
    assert swap["at"] == 887  # both have the same tensor pipe: from the ridge of the H100 on they are equal


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gemm"], "needs an operator, a range and a machine"),
        (["gemm", "m=4", *H100], "no parameter has a range"),
        (["gem", "m=1:2", *H100], "did you mean 'gemm'"),
        (["gemm", "mm=1:2", *H100], "no parameter 'mm'"),
        (["gemm", "m=1:2", "n=1:2", "k=1:2", *H100], "one or two"),
        (["gemm", "m=1:2", "m=3", *H100], "also set"),
        (["gemm", "m=2:1", *H100], "smaller end first"),
        (["gemm", "m=1:2", "n", *H100], "name=value"),
        (["gemm", "m=1:2", *H100, "--csv", "--json"], "choose one"),
        (["gemm", "m=1:2", "n=1:2", *H100, "--stairs"], "single range"),
        (["gemm", "m=1:2", *H100, "--boundary", "l9"], "l9"),
        (["gemm", "direction=forward,backwards", *H100], "must be one of"),
    ],
)
def test_bad_input_is_exit_code_two_and_words_on_stderr(capsys, arguments, words) -> None:
    assert main(["sweep", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err and captured.out == "" and "Traceback" not in captured.err


def test_a_comma_lists_values_and_other_marks_group_thousands(capsys) -> None:
    found = sweep(capsys, "gemm", "m=64,128,256", "n=12_288", *H100)
    assert found["axes"] == [{"names": ["m"], "values": [64, 128, 256]}]
    assert found["points"]["work_flop"] == [2 * m * 12288 * 4096 for m in (64, 128, 256)]


def test_a_decode_step_crosses_from_weights_to_cache_and_out_of_memory(capsys) -> None:
    found = sweep(
        capsys,
        "decode_step",
        "batch=1:256:5",
        "model=llama-3-8b,llama-3-70b",
        "context=8192",
        "weights=resident",
        *H100,
    )
    edges = {(one["others"]["model"], one["kind"]): (one["below"], one["at"]) for one in found["thresholds"]}
    assert edges["llama-3-8b", "capacity"] == (
        59,
        60,
    )  # "the batch never reaches the ridge": 59 fit into 80 GB
    assert edges["llama-3-70b", "traffic"] == (
        52,
        53,
    )  # 140 GB of weights against 2.68 GB of cache per sequence

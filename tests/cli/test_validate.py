"""The command: tables are made here, and their figures by hand from data sheets (H100: 989.4 TFLOP/s, 3.35 TB/s)."""

from __future__ import annotations

import csv
import io
import json

import pytest

from rooflinestudio.cli import main

H100 = ["--operator", "gemm", "--on", "nvidia-h100-sxm5"]
CUBE_S = 2 * 4096**3 / 989.4e12
GEMV_S = 2 * (8192**2 + 2 * 8192) / 3.35e12


@pytest.fixture
def table(tmp_path):
    """Write a table and return its path."""

    def write(text, name="times.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def validate(capsys, *arguments, rc=0):
    assert main(["validate", *arguments, "--json"]) == rc
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_ratios_are_those_of_the_data_sheet(capsys, table) -> None:
    path = table("M dim,N dim,K dim,Duration [us]\n4096,4096,4096,277.8\n1,8192,8192,90\n")
    found = validate(capsys, path, *H100, "--dtype", "bf16", "--top", "1")
    assert found["ratio"]["least"] == pytest.approx(277.8e-6 / CUBE_S)
    assert found["ratio"]["most"] == pytest.approx(90e-6 / GEMV_S)
    assert (found["hardware"], found["boundary"], found["policy"]) == (
        "nvidia-h100-sxm5",
        "dram",
        "compulsory",
    )
    assert found["rows"] == {"compared": 2, "violated": 0, "without_time": 0, "refused": 0, "faults": 0}
    assert found["columns"] == {"m": "M dim", "n": "N dim", "k": "K dim", "time": "Duration [us]"}
    assert set(found["ratio_by_bound"]) == {"compute at bf16-tensor", "memory at dram"}
    assert [row["parameters"] for row in found["farthest"]] == [{"m": 1, "n": 8192, "k": 8192}]
    assert found["violations"] == [] and found["no_violation_on"] == []


def test_where_the_distance_comes_from(capsys, table) -> None:
    # 4224 = 33 tiles of 128 each way: 1089 tiles on 132 SMs are 8.25 waves, run in 9. Launch: 3 µs.
    path = table("m,n,k,time_us\n4224,4224,4096,400\n")
    bound_s = 2 * 4224**2 * 4096 / 989.4e12
    distance = validate(capsys, path, *H100)["distance"]
    waves_s = bound_s * 9 / 8.25
    assert distance["quantisation"]["factor"] == pytest.approx(9 / 8.25)
    assert distance["quantisation"]["steps"]["tiles"]["factor"] == 1
    assert distance["launch"]["factor"] == pytest.approx((waves_s + 3e-6) / waves_s)
    assert distance["rest"]["factor"] == pytest.approx(400e-6 / (waves_s + 3e-6))
    assert sum(distance[group]["share"] for group in ("quantisation", "launch", "rest")) == pytest.approx(1)


def test_the_row_that_breaks_the_bound_is_named_and_the_part_it_fits(capsys, table) -> None:
    # 16384² fp16 weights and two vectors: 536.9 MB, 263 µs at 2.04 TB/s and 345 µs at 1.555 TB/s
    traffic = 2 * (16384**2 + 2 * 16384)
    path = table("m,n,k,time_us\n4096,4096,4096,700\n1,16384,16384,300\n")
    arguments = [path, "--operator", "gemm", "--dtype", "fp16", "--on"]
    assert validate(capsys, *arguments, "nvidia-a100-sxm4-80gb")["violations"] == []
    found = validate(capsys, *arguments, "nvidia-a100-sxm4-40gb", rc=1)
    (broken,) = found["violations"]
    assert (broken["line"], broken["parameters"]["m"], broken["binding"]) == (3, 1, "dram")
    assert broken["ratio"] == pytest.approx(300e-6 * 1.555e12 / traffic)
    assert broken["needed_per_s"] == pytest.approx(traffic / 300e-6)
    assert "nvidia-a100-sxm4-80gb" in found["no_violation_on"]
    assert main(["validate", *arguments, "nvidia-a100-sxm4-40gb"]) == 1
    told = capsys.readouterr().out
    assert "line 3: m=1 n=16384 k=16384: 300.0 µs measured, 345.3 µs bound, 0.8688×, memory at dram" in told
    assert "takes 1.790 TB/s where A100 SXM4 40 GB has 1.555 TB/s at HBM2" in told
    assert "no row is faster than its bound on A100 SXM4 80 GB" in told


def test_columns_units_and_formats_by_option(capsys, table) -> None:
    path = table("rows|cols|depth|kind|best|usual\n4096|4096|4096|half|0,2|0,3\n4096|4096|4096|fp8|0,2|0,3\n")
    options = ["--map", "k=depth", "--time-column", "usual", "--time-unit", "ms"]
    found = validate(capsys, path, *H100, *options, "--dtype", "kind")
    assert found["columns"] == {"m": "rows", "n": "cols", "k": "depth", "dtype": "kind", "time": "usual"}
    assert found["ratio"]["least"] == pytest.approx(3e-4 / CUBE_S)
    assert found["ratio"]["most"] == pytest.approx(3e-4 * 1978.9e12 / (2 * 4096**3))
    assert found["dtype"] is None
    whole = validate(capsys, path, *H100, *options, "--dtype", "fp8,output=bf16")
    assert whole["dtype"] == "fp8,output=bf16" and whole["ratio"]["least"] == whole["ratio"]["most"]


def test_a_column_of_formats_is_taken_unless_another_is_given(capsys, table) -> None:
    path = table("m,n,k,dtype,time_us\n4096,4096,4096,fp8,300\n")
    for options, rate in (
        ([], 1978.9e12),
        (["--dtype", "column"], 1978.9e12),
        (["--dtype", "bf16"], 989.4e12),
    ):
        found = validate(capsys, path, *H100, *options)
        assert found["ratio"]["median"] == pytest.approx(3e-4 * rate / (2 * 4096**3))


def test_parameters_for_all_rows(capsys, table) -> None:
    found = validate(capsys, table("m,n,time_us\n4096,4096,600\n"), "k=4096", "batch=2", *H100)
    assert found["ratio"]["median"] == pytest.approx(600e-6 / (2 * CUBE_S))
    assert found["parameters"] == {"k": "4096", "batch": "2"}


def test_a_table_without_heads(capsys, table) -> None:
    found = validate(capsys, table("4096, 4096, 4096, 0.2778ms, 494Tflops\n"), *H100)
    assert found["ratio"]["median"] == pytest.approx(277.8e-6 / CUBE_S)
    assert found["columns"] == {"m": "1", "n": "2", "k": "3", "time": "4"}
    assert any("no head line" in note for note in found["notes"])


def test_a_row_per_row(capsys, table) -> None:
    path = table("m,n,k,dtype,time_us\n4096,4096,4096,bf16,277.8\n1,8192,8192,fp16,80.14\n")
    assert main(["validate", path, *H100, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["line"], row["m"], row["dtype"], row["bound"]) for row in rows] == [
        ("2", "4096", "bf16", "compute"), ("3", "1", "fp16", "memory"),
    ]  # fmt: skip
    assert float(rows[1]["bound_s"]) == pytest.approx(GEMV_S)


def test_faults_are_told_and_the_rest_is_reported(capsys, table) -> None:
    path = table("m,n,k,time_us\n4096,4096,4096,277.8\n4096,4o96,4096,277.8\n4096,4096,4096\n")
    assert main(["validate", path, *H100]) == 2
    captured = capsys.readouterr()
    assert "1 row" in captured.out and "no row is faster than its bound" in captured.out
    assert captured.err.splitlines() == [
        "times.csv, line 3, column 'n': '4o96' is no number; write n such as 4096.",
        "times.csv, line 4: has 3 cells where the head line has 4; a separator is missing, or one is too many.",
    ]
    found = validate(capsys, path, *H100, rc=2)
    assert found["rows"]["faults"] == 2 and [one["line"] for one in found["faults"]] == [3, 4]


def test_a_violation_counts_more_than_a_fault(capsys, table) -> None:
    path = table("m,n,k,time_us\n4096,4096,4096,100\nx,1,1,1\n")
    assert len(validate(capsys, path, *H100, rc=1)["violations"]) == 1


def test_refused_rows_are_told(capsys, table) -> None:
    path = table("heads,kv_heads,seq_len,head_dim,ms\n8,8,4096,128,5\n8,3,4096,128,5\n")
    assert main(["validate", path, "--operator", "attention", "--on", "nvidia-h100-sxm5"]) == 2
    captured = capsys.readouterr()
    assert "times.csv, line 3: attention: heads = 8 is not a multiple of kv_heads = 3." in captured.err
    assert "1 row refused" in captured.out


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("m,n,k\n1,2,3\n", H100, "no column is a time"),
        ("m,n,k,time\n1,2,3,4\n", H100, "--time-unit"),
        ("m,n,us\n1,2,3\n", H100, "no column is k of gemm"),
        ("m,n,k,us\n1,2,3,4\n", [*H100, "--map", "m=zebra"], "no column 'zebra'"),
        ("m,n,k,us\n1,2,3,4\n", [*H100, "--map", "zebra"], "maps no column"),
        ("m,n,k,us\n1,2,3,4\n", [*H100, "--dtype", "bf17"], "neither a number format"),
        ("m,n,k,us\n1,2,3,4\n", [*H100, "--dtype", "column"], "no head speaks of a number format"),
        ("m,n,k,us\n1,2,3,4\n", [*H100, "--boundary", "l2"], "bounds nothing in the strict sense"),
        ("m,n,k,us\n1,2,3,4\n", [*H100, "--json", "--csv"], "choose one"),
        ("m,n,k,us\n1,2,3,4\n", ["--operator", "gemm"], "needs a table, an operator and a machine"),
        ("m,n,k,us\n1,2,3,4\n", ["--operator", "gem", "--on", "nvidia-h100-sxm5"], "gem"),
        ("", H100, "holds no rows"),
    ],
)
def test_bad_input_is_exit_code_two_and_words_on_stderr(capsys, table, text, options, words) -> None:
    assert main(["validate", table(text), *options]) == 2
    captured = capsys.readouterr()
    assert words in captured.err and captured.out == "" and "Traceback" not in captured.err


def test_a_file_that_is_not_there(capsys) -> None:
    assert main(["validate", "/nowhere/times.csv", *H100]) == 2
    assert "times.csv cannot be read" in capsys.readouterr().err

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from rooflinestudio.cli import COMMANDS, main

if TYPE_CHECKING:
    from pathlib import Path

GEMM = ["gemm", "m=4096", "n=4096", "k=4096"]
PEAK, HBM = 989.4e12, 3.35e12
"""The H100 SXM5 data sheet: dense bf16, HBM3."""


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0):
    assert main([*arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_eval_prints_one_strict_json_document(capsys) -> None:
    found = run_json(capsys, "eval", *GEMM, "--on", "nvidia-h100-sxm5", "--dtype", "bf16")
    assert (
        found["hardware"] == "nvidia-h100-sxm5"
        and found["policy"] == "compulsory"
        and found["boundary"] == "dram"
    )
    assert found["work_flop"] == 2 * 4096**3
    assert found["traffic_bytes"] == 3 * 2 * 4096**2
    assert found["time_s"] == pytest.approx(2 * 4096**3 / PEAK)
    assert (found["bound"], found["binding"]) == ("compute", "bf16-tensor")
    assert (
        found["boundaries"]["nvlink"]["crosses"] is False and found["boundaries"]["nvlink"]["time_s"] is None
    )


def test_a_profile_is_found_by_any_unique_part_of_its_id(capsys) -> None:
    assert run_json(capsys, "eval", *GEMM, "--on", "h100-sxm5")["hardware"] == "nvidia-h100-sxm5"


def test_parameters_and_options_may_be_mixed(capsys) -> None:
    found = run_json(
        capsys, "eval", "gemm", "m=8", "--on", "h100-sxm5", "n=65536", "--policy", "tiled", "k=65536"
    )
    assert (found["parameters"]["n"], found["parameters"]["k"], found["policy"]) == (65536, 65536, "tiled")


def test_eval_in_words_names_bound_boundary_and_policy(capsys) -> None:
    assert main(["eval", *GEMM, "--on", "h100-sxm5", "--policy", "modelled", "--explain"]) == 0
    out = capsys.readouterr().out
    assert "bound       compute at bf16-tensor" in out
    assert "modelled with absorption 0.85" in out
    assert "W = 2·m·n·k" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gem", "--on", "h100-sxm5"], "gemm"),
        ([*GEMM, "--on", "h1000"], "h100"),
        ([*GEMM, "--on", "nvidia"], "nvidia-a100"),
        (["gemm", "mm=3", "--on", "h100-sxm5"], "no parameter 'mm'"),
        (["gemm", "m=3Gb/s", "--on", "h100-sxm5"], "m"),
        (["gemm", "m", "--on", "h100-sxm5"], "name=value"),
        (["gemm", "m=1", "m=2", "--on", "h100-sxm5"], "twice"),
        (["gemm", "m=0", "--on", "h100-sxm5"], "between 1 and"),
        ([*GEMM, "--on", "h100-sxm5", "--dtype", "bf15"], "bf16"),
        ([*GEMM, "--on", "h100-sxm5", "--boundary", "l9"], "l2"),
        ([*GEMM, "--on", "h100-sxm5", "--ceiling", "nope"], "bf16-tensor"),
        ([*GEMM, "--on", "h100-sxm5", "--absorption", "1.5"], "between 0 and 1"),
        (["gemm"], "needs an operator and a machine"),
    ],
)
def test_bad_input_is_exit_code_two_and_words_on_stderr(capsys, arguments: list[str], words: str) -> None:
    assert main(["eval", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err and captured.out == "" and "Traceback" not in captured.err


def test_a_batch_answers_every_case_and_says_which_failed(capsys, tmp_path: Path) -> None:
    (tmp_path / "cases.yaml").write_text(
        """
- {operator: gemm, parameters: {m: 8, n: 65536, k: 65536}, hardware: h100-sxm5, dtype: bf16, boundary: dram}
- {operator: gemm, parameters: {m: 64, n: 4096, k: 4096}, hardware: h100-sxm5, dtype: {all: bf16, weight: int4}}
- {operator: nothing, hardware: h100-sxm5}
- {operator: gemm}
- 7
- {operator: gemm, hardware: h100-sxm5, polcy: tiled}
- {operator: gemm, hardware: h100-sxm5, absorption: much}
"""
    )
    assert main(["eval", "--batch", str(tmp_path / "cases.yaml"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    traffic = 2 * (8 * 65536 + 65536**2 + 8 * 65536)
    assert found[0]["time_s"] == pytest.approx(traffic / HBM) and found[0]["bound"] == "memory"
    # int4 in groups of 128 with an fp16 scale and a 4-bit zero point: 4 + 20/128 bits
    assert found[1]["traffic_bytes"] == pytest.approx(2 * 2 * 64 * 4096 + 4096**2 * (4 + 20 / 128) / 8)
    assert found[1]["dtype"]["weight"] == "int4" and found[1]["dtype"]["compute"] == "bf16"
    assert ["error" in one for one in found] == [False, False, True, True, True, True, True]
    assert (
        "hardware" in found[3]["error"] and "polcy" in found[5]["error"] and "absorption" in found[6]["error"]
    )


@pytest.mark.parametrize("content", ["a: 1\n", "- [\n", ""])
def test_a_batch_file_that_is_no_list_is_refused(capsys, tmp_path: Path, content: str) -> None:
    (tmp_path / "cases.yaml").write_text(content)
    assert main(["eval", "--batch", str(tmp_path / "cases.yaml"), "--json"]) == 2
    assert "cases.yaml" in capsys.readouterr().err


def test_profiles_lists_the_shipped_machines_with_their_ridges(capsys) -> None:
    found = {one["id"]: one for one in run_json(capsys, "profiles")}
    assert next(iter(next(iter(found.values())))) == "id"
    assert found["nvidia-h100-sxm5"]["ridge"] == pytest.approx(989.4 / 3.35, rel=1e-6)
    assert len(found) >= 8
    assert main(["profiles"]) == 0 and "nvidia-v100-sxm2-16gb" in capsys.readouterr().out


def test_profiles_check_is_sound_for_the_shipped_and_names_the_faults_of_a_broken_one(
    capsys, tmp_path: Path
) -> None:
    assert main(["profiles", "check"]) == 0
    capsys.readouterr()
    broken = tmp_path / "broken.yaml"
    broken.write_text("format: rooflinestudio-profile/1\nid: x\n")
    assert main(["profiles", "check", str(broken)]) == 2
    assert "broken.yaml" in "".join(capsys.readouterr())
    assert main(["profiles", "check", "no-such-machine"]) == 2


def test_operators_lists_what_can_be_placed(capsys) -> None:
    found = {one["id"]: one for one in run_json(capsys, "operators")}
    assert {"gemm", "add", "softmax", "attention", "attention_decode", "adam"} <= set(found)
    assert [one["name"] for one in found["gemm"]["parameters"]][:3] == ["m", "n", "k"]
    assert main(["operators"]) == 0 and "Matrix products" in capsys.readouterr().out


def test_plugins_lists_who_brought_what(capsys) -> None:
    found = {one["name"]: one for one in run_json(capsys, "plugins")}
    assert found["gemm"]["state"] == "loaded" and found["gemm"]["operators"] == ["gemm", "conv2d"]
    assert not any(one["foreign"] for one in found.values())
    assert main(["plugins"]) == 0 and "gemm" in capsys.readouterr().out


def test_import_takes_what_columns_hold(capsys, tmp_path: Path) -> None:
    table = tmp_path / "x.csv"
    table.write_text("what;dur;GF;moved\naxpy;100;0,05;200\n")

    stated = ("--columns", "what=kernel,dur=time:us,GF=work:GFLOP,moved=traffic:MB")
    (launch,) = run_json(capsys, "import", str(table), *stated)["files"][0]["launches"]
    assert (launch["kernel"], launch["time_s"], launch["work_flop"], launch["dram_bytes"]) == (
        "axpy",
        1e-4,
        5e7,
        2e8,
    )

    error = run_json(capsys, "import", str(table), code=2)["files"][0]["error"]
    assert "with the columns what, dur, GF, moved" in error
    assert "--columns 'what=kernel'" in error
    assert main(["import", str(table), "--columns", "what"]) == 2
    assert "states no column" in capsys.readouterr().err


def test_import_takes_the_decimal_mark(capsys, tmp_path: Path) -> None:
    table = tmp_path / "x.csv"
    table.write_text("name;GFLOP/s;AI\nk;1.500;2.250\n")

    assert "--decimal-mark" in run_json(capsys, "import", str(table), code=2)["files"][0]["error"]
    found = run_json(capsys, "import", str(table), "--decimal-mark", ",")["files"][0]["launches"][0]
    assert found["achieved_flop_per_s"] == 1500e9


def test_import_answers_each_file_and_keeps_json_when_one_cannot_be_read(capsys, tmp_path: Path) -> None:
    good = tmp_path / "good.csv"
    good.write_text(
        '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",'
        '"Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"\n'
        + "".join(
            '"0","1","app","host","axpy(int)","1","7","(256, 1, 1)","(64, 1, 1)","0","9.0",'
            f'"Command line profiler metrics","{name}","{unit}","{value}"\n'
            for name, unit, value in (
                ("gpu__time_duration.sum", "ns", "2,000"),
                ("dram__bytes_read.sum", "byte", "3,000,000"),
                ("dram__bytes_write.sum", "byte", "1,000,000"),
                ("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "inst", "0"),
                ("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "inst", "0"),
                ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst", "500,000"),
            )
        )
    )
    binary = tmp_path / "dropped.bin"
    binary.write_bytes(bytes(range(256)) * 10)
    found = run_json(capsys, "import", str(good), str(binary), str(tmp_path / "gone.csv"), code=2)["files"]
    launch = found[0]["launches"][0]
    assert launch["time_s"] == pytest.approx(2e-6) and launch["dram_bytes"] == 4e6
    assert launch["work_flop"] == 1e6 and launch["intensity_dram"] == pytest.approx(0.25)
    assert launch["achieved_flop_per_s"] == pytest.approx(5e11) and launch["plotted"] is True
    assert "dropped.bin" in found[1]["error"] and "gone.csv" in found[2]["error"]
    assert main(["import", str(good)]) == 0 and "axpy" in capsys.readouterr().out
    assert main(["import", str(tmp_path / "gone.csv")]) == 2
    assert capsys.readouterr().err.count("gone.csv") == 1  # the path stands once


def test_the_printed_table_has_heads_and_keeps_what_tells_kernels_apart(capsys, tmp_path: Path) -> None:
    points = tmp_path / "points.csv"
    long = (
        "void some::very::deep::place::kernel_{}<float, 128>(const float *, const float *, float *, int, int)"
    )
    points.write_text("kernel,time [us],work [GFLOP],traffic [MB]\n" + "".join(
        f'"{long.format(at)}",10,0.1,4\n' for at in (1, 2)
    ))  # fmt: skip
    assert main(["import", str(points)]) == 0
    title, heads, *lines = capsys.readouterr().out.splitlines()
    assert title.endswith("2 launches") and heads.split() == [
        "kernel",
        "time",
        "W",
        "Q",
        "at",
        "dram",
        "achieved",
    ]
    assert ["kernel_1<" in lines[0], "kernel_2<" in lines[1]] == [True, True]
    assert lines[0].index("10.0 µs") == lines[1].index("10.0 µs")


def test_a_text_without_a_table_is_answered_with_a_reason(capsys, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(
        "==PROF== Connected\nhello\n==ERROR== The application returned an error code (11).\n"
    )
    found = run_json(capsys, "import", str(tmp_path / "log.csv"))["files"][0]
    assert found["launches"] == [] and found["warnings"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys, command: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0 and "usage: rooflinestudio" in capsys.readouterr().out


def test_the_help_names_every_command(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert all(command in out for command in COMMANDS)


def test_the_command_line_needs_neither_qt_nor_numpy_for_single_numbers() -> None:
    code = (
        "import sys; from rooflinestudio.cli import main; "
        "assert main(['eval','gemm','--on','h100-sxm5','--json']) == 0; "
        "bad = [m for m in ('PySide6','pyqtgraph','numpy') if m in sys.modules]; sys.exit(repr(bad) if bad else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr

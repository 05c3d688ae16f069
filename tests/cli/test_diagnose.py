from __future__ import annotations

import json

import pytest

from rooflinestudio.cli import main
from tests.builtin.nsight_tables import LONG, csv_text
from tests.ui.shell_helpers import NCU_LONG

SASS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"


@pytest.fixture
def saxpy(tmp_path):
    """Return a file of one launch: 2.1 MFLOP, 12.6 MB, 6 µs."""
    path = tmp_path / "saxpy.csv"
    path.write_text(NCU_LONG)
    return str(path)


def launch(number, kernel, *, time_us, mega, ffma=0, tensor=None):
    identity = (number, 1, "app", "127.0.0.1", kernel, 1, 7, "(256, 1, 1)", "(13200, 1, 1)", 0, "9.0")
    metrics = [
        ("gpu__time_duration.sum", "ns", str(time_us * 1000)),
        ("dram__bytes.sum", "byte", str(mega * 10**6)),
        *((SASS.format(one), "inst", str(ffma if one == "ffma" else 0)) for one in ("fadd", "fmul", "ffma")),
    ]
    if tensor is not None:
        metrics.append(("sm__ops_path_tensor_src_bf16_dst_fp32.sum", "", str(tensor)))
    return [(*identity, "Command line profiler metrics", *metric) for metric in metrics]


@pytest.fixture
def three(tmp_path):
    """Return a file of three launches: copies of 100 and 50 µs at 3.0 and 0.3 TB/s, and a product of 196 µs."""
    path = tmp_path / "three.csv"
    rows = [
        *launch(0, "copy(float *)", time_us=100, mega=300, ffma=10**7, tensor=0),
        *launch(1, "copy(float *)", time_us=50, mega=15, ffma=10**7, tensor=0),
        *launch(2, "gemm(bf16 *)", time_us=196, mega=588),
    ]
    path.write_text(csv_text([LONG, *rows]))
    return str(path)


def diagnosed(capsys, *arguments, code):
    assert main(["diagnose", *arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_one_launch_is_answered_in_full(capsys, saxpy) -> None:
    found = diagnosed(capsys, saxpy, "--on", "h100-sxm5", code=1)
    (one,) = found["launches"]
    assert (found["format"], found["hardware"], one["hardware"]) == (
        "ncu-csv-long",
        "nvidia-h100-sxm5",
        "nvidia-h100-sxm5",
    )
    assert one["numbers"]["work"]["value"] == 2 * 2**20
    assert one["numbers"]["traffic"]["value"] == 12 * 2**20
    assert one["numbers"]["time"]["value"] == 6e-6
    answers = {question["id"]: question for question in one["questions"]}
    assert answers["size"]["answer"] == "found"  # 6 µs
    assert answers["tensor"]["answer"] == "cannot be answered"
    assert answers["tensor"]["command"].startswith("ncu --kernel-name saxpy ")
    assert one["roofs"]["binding"] == "dram"
    assert one["roofs"]["headroom"] == pytest.approx(3.35e12 * 6e-6 / (12 * 2**20))


def test_the_text_has_verdict_answers_and_command(capsys, saxpy) -> None:
    assert main(["diagnose", saxpy, "--on", "h100-sxm5"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("saxpy\n  launch 0 on H100 SXM5 80 GB\n")
    assert "[!!] 4  Is the kernel too small?  found" in out
    assert "[ok] 2  Is HBM3 saturated?  no problem" in out
    assert "[??] 5  Is reuse happening where you assumed?  cannot be answered" in out
    assert "    ncu --kernel-name saxpy" in out
    assert "Held against H100 SXM5 80 GB, as asked for." in err


def test_nothing_found_is_exit_code_0(capsys, three) -> None:
    found = diagnosed(capsys, three, "--on", "h100-sxm5", "--launch", "1", code=0)
    assert [one["launch"] for one in found["launches"]] == [1]


def test_launches_are_chosen_by_name_and_number(capsys, three) -> None:
    def chosen(*arguments):
        found = diagnosed(capsys, three, "--on", "h100-sxm5", *arguments, code=1)
        return [one["launch"] for one in found["launches"]]

    assert chosen() == [0, 1, 2]
    assert chosen("--kernel", "^co.y") == [0, 1]
    assert chosen("--kernel", "copy", "--launch", "0") == [0]


def test_several_launches_are_listed_and_the_longest_is_told_in_full(capsys, three) -> None:
    assert main(["diagnose", three, "--on", "h100-sxm5"]) == 1
    out = capsys.readouterr().out
    listed = out.partition("The longest in full")[0].splitlines()
    assert [line.split()[0] for line in listed[1:4]] == ["2", "0", "1"]
    assert "gemm\n  launch 2 on" in out and "launch 1 on" not in out


def test_a_paired_operator_gives_the_work_and_the_gap(capsys, three) -> None:
    pair = ("--operator", "gemm", "m=4096", "n=4096", "k=4096", "--dtype", "bf16", "--policy", "modelled")
    (one,) = diagnosed(capsys, three, "--on", "h100-sxm5", "--launch", "2", *pair, code=1)["launches"]
    assert one["numbers"]["work"]["value"] == 2 * 4096**3 and one["numbers"]["work"]["origin"] == "paired"
    assert one["prediction"]["ratios"]["time"] == pytest.approx(196e-6 / (2 * 4096**3 / 989.4e12))
    assert one["prediction"]["traffic"]["compulsory_bytes"] == 3 * 2 * 4096**2
    assert one["verdict"].startswith(
        "Memory-bound at HBM3, measured: 1.12× to the roof where it stands, 1.41× slower"
    )


def test_a_time_from_elsewhere_replaces_that_of_the_profiler(capsys, saxpy) -> None:
    (one,) = diagnosed(capsys, saxpy, "--on", "h100-sxm5", "--time", "25 us", code=0)["launches"]
    assert one["numbers"]["time"] == {
        "label": "t", "value": 25e-6, "unit": "s", "origin": "counter", "recipe": "given by hand", "quality": "exact",
    }  # fmt: skip


def test_the_device_of_the_file_names_the_machine(capsys, tmp_path) -> None:
    path = tmp_path / "wide.csv"
    names = [
        "ID",
        "Kernel Name",
        "device__attribute_display_name",
        "gpu__time_duration.sum",
        "dram__bytes.sum",
    ]
    rows = [
        names,
        ["", "", "", "ns", "byte"],
        ["0", "copy(float *)", "NVIDIA H100 80GB HBM3", "100000", "300000000"],
    ]
    path.write_text(csv_text(rows))
    found = diagnosed(capsys, str(path), code=1)
    assert found["hardware"] == "nvidia-h100-sxm5"
    assert "NVIDIA H100 80GB HBM3" in found["chosen_by"]
    rows[2][2] = "NVIDIA Something 7"
    path.write_text(csv_text(rows))
    assert main(["diagnose", str(path)]) == 2
    err = capsys.readouterr().err
    assert "NVIDIA Something 7" in err and "--on" in err
    assert diagnosed(capsys, str(path), "--on", "h100-sxm5", code=1)["hardware"] == "nvidia-h100-sxm5"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "does not name its device"),
        (("--on", "h100-sxm5", "--kernel", "nothing"), "It has copy, gemm"),
        (("--on", "h100-sxm5", "--kernel", "("), "no regular expression"),
        (("--on", "h100-sxm5", "--launch", "9"), "its launches are 0 to 2"),
        (("--on", "h100-sxm5", "m=4096"), "name it with --operator"),
        (("--on", "h100-sxm5", "--operator", "gemm", "m=4096"), "2 fit"),
        (("--on", "h100-sxm5", "--launch", "0", "--operator", "nonsense"), "nonsense"),
        (("--on", "h100-sxm5", "--launch", "0", "--operator", "gemm", "m=-1"), "m"),
        (("--on", "h100-sxm5", "--time", "25 us"), "choose one with --launch"),
        (("--on", "h100-sxm5", "--launch", "0", "--time", "0 us"), "no time"),
        (("--on", "no-such-machine"), "no-such-machine"),
    ],
)
def test_bad_input_is_exit_code_2_with_the_mend(capsys, three, arguments, words) -> None:
    assert main(["diagnose", three, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and words in err


def test_a_file_that_is_none_or_holds_no_launch_is_exit_code_2(capsys, tmp_path) -> None:
    assert main(["diagnose", str(tmp_path / "missing.csv"), "--on", "h100-sxm5"]) == 2
    empty = tmp_path / "log.txt"
    empty.write_text("==PROF== Connected to process 1\n==PROF== Disconnected from process 1\n")
    assert main(["diagnose", str(empty), "--on", "h100-sxm5"]) == 2
    assert "no launch" in capsys.readouterr().err


def test_a_file_without_a_device_is_offered_the_machines_of_its_capability(capsys, tmp_path) -> None:
    path = tmp_path / "unnamed.csv"
    path.write_text(csv_text([LONG, *launch(0, "copy(float *)", time_us=100, mega=300, ffma=10**7)]))
    assert main(["diagnose", str(path)]) == 2
    said = capsys.readouterr().err
    assert "nvidia-h100-sxm5" in said and "9.0" in said
    assert "nvidia-a100" not in said and "amd-" not in said and "rooflinestudio profiles" in said

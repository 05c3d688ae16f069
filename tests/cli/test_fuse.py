from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rooflinestudio.cli import main

PAGES = Path(__file__).resolve().parents[2] / "docs"
HBM = 3.35e12
"""The H100 SXM5 data sheet."""
SIZES = ["tokens=65536", "width=8192", "--on", "nvidia-h100-sxm5", "--dtype", "bf16"]


def fuse(capsys, *arguments: str, code: int = 0):
    assert main(["fuse", *arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.mark.parametrize(
    ("chain", "width", "tensors", "split"),
    [
        ("add | rmsnorm | scale | silu | mul | dropout", 8192, 14, 14),
        ("add + rmsnorm + scale + silu + mul + dropout", 8192, 4, 14),
        ("add + rmsnorm + scale | silu + mul + dropout", 8192, 6, 14),
        ("layernorm | gelu | add", 4096, 7, 7),
        ("layernorm + gelu + add", 4096, 3, 7),
        ("x -> layernorm + gelu + add(x)", 4096, 2, 7),
        ("add! + rmsnorm", 4096, 4, 5),
    ],
)
def test_the_published_chains_move_what_their_tensors_say(capsys, chain, width, tensors, split) -> None:
    machine = ["--on", "nvidia-h100-sxm5", "--dtype", "bf16"]
    found = fuse(capsys, chain, "tokens=65536", f"width={width}", *machine)
    tensor_bytes = 2 * 65536 * width
    assert found["traffic_bytes"] == pytest.approx(
        tensors * tensor_bytes, rel=1e-4
    )  # row weights weigh nothing
    assert found["time_s"] == pytest.approx(tensors * tensor_bytes / HBM, rel=1e-4)
    assert found["speedup_vs_split"] == pytest.approx(split / tensors, rel=1e-4)


def test_kernels_and_what_they_keep_are_listed(capsys) -> None:
    found = fuse(capsys, "add + rmsnorm + scale | silu + mul", *SIZES)
    assert [kernel["operators"] for kernel in found["kernels"]] == [
        ["add", "rmsnorm", "scale"],
        ["silu", "mul"],
    ]
    assert [kernel["kept_on_chip"] for kernel in found["kernels"]] == [["add.y", "rmsnorm.y"], ["silu.y"]]
    assert {kernel["bound"] for kernel in found["kernels"]} == {"memory"}
    for name in ("work_flop", "traffic_bytes", "time_s"):
        assert found[name] == pytest.approx(sum(kernel[name] for kernel in found["kernels"]))
    assert any("row reduction" in note for note in found["notes"])


def test_in_words_it_says_what_is_kept_saved_and_gained(capsys) -> None:
    assert main(["fuse", "add! + rmsnorm | silu + cast", *SIZES, "--training"]) == 0
    out = capsys.readouterr().out
    assert "kernel 1    add + rmsnorm" in out and "written, but not read back: add.y" in out
    assert "kept on chip: silu.y" in out and "unchanged by fusion" in out and "over all split" in out
    assert "The backward pass needs nothing of what is kept on chip." in out
    assert main(["fuse", "gemm + gelu", "--on", "h100-sxm5", "--training"]) == 0
    out = capsys.readouterr().out
    assert "needs gemm.C" in out and "By the roofline, to write it is cheaper." in out


def test_the_block_of_the_live_state_can_be_set(capsys) -> None:
    found = fuse(capsys, "add + scale", *SIZES, "--threads", "512", "--elements-per-thread", "64")
    state = found["kernels"][0]["live_state"]
    assert state["bytes"] == 3 * 512 * 64 * 4 and state["spills"] is True
    assert any("Spill warning" in note for note in found["notes"])


def test_the_forecast_adds_a_launch_per_kernel(capsys) -> None:
    one = fuse(capsys, "silu + gelu", *SIZES, "--forecast")["time_s"]
    two = fuse(capsys, "silu | gelu", *SIZES, "--forecast")["time_s"]
    tensor_s = 2 * 65536 * 8192 / HBM
    assert one == pytest.approx(2 * tensor_s + 3e-6) and two == pytest.approx(4 * tensor_s + 6e-6)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add + + silu", *SIZES], "place 7"),
        (["add + rmsnrom", *SIZES], "did you mean 'rmsnorm'"),
        (["add + silu", "tokns=1", *SIZES], "did you mean 'tokens'"),
        (["add + silu", "tokens=1", "tokens=2", "--on", "h100-sxm5"], "twice"),
        (["add + silu", "tokens", "--on", "h100-sxm5"], "name=value"),
        (["add + silu"], "needs a chain and a machine"),
        (["gemm + relu", "m=8", "n=4", "tokens=9", "--on", "h100-sxm5"], "8 × 4"),
        (["add + silu", *SIZES, "--threads", "0"], "at least 1"),
        (["add + silu", *SIZES, "--ceiling", "nope"], "no ceiling 'nope'"),
    ],
)
def test_bad_input_is_exit_code_two_and_words_on_stderr(capsys, arguments, words) -> None:
    assert main(["fuse", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err and captured.out == "" and "Traceback" not in captured.err


def test_a_chain_needs_neither_qt_nor_numpy() -> None:
    code = (
        "import sys; from rooflinestudio.cli import main; "
        "assert main(['fuse','add + rmsnorm','--on','h100-sxm5','--json']) == 0; "
        "bad = [m for m in ('PySide6','pyqtgraph','numpy') if m in sys.modules]; sys.exit(repr(bad) if bad else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def commands(page: str) -> list[str]:
    text = (PAGES / page).read_text(encoding="utf-8")
    return re.findall(r"^rooflinestudio (.+)$", text, re.MULTILINE)


@pytest.mark.parametrize("command", [*commands("fusion.md"), *commands("sweep.md")])
def test_the_commands_of_the_pages_run(capsys, command) -> None:
    assert main(shlex.split(command)) == 0
    captured = capsys.readouterr()
    assert captured.err == "" and captured.out

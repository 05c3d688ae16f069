import argparse
import shlex

import pytest

from rooflinestudio.cli import evaluate
from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.ui.inspector.command import command_of
from tests.ui.widgets.studies import H100, machine, placed, registry


def row(entry, **view):
    study = Study(entries=(entry,), profiles={H100: machine()}, view=View(machines=(H100,), **view))
    return placed(study).rows[0]


def parsed(command):
    program, subcommand, *rest = shlex.split(command)
    assert (program, subcommand) == ("rooflinestudio", "eval")
    parser = argparse.ArgumentParser()
    evaluate.add_arguments(parser)
    return parser.parse_args(rest)


def test_a_fresh_gemm_writes_out_its_sizes():
    command = command_of(row(Entry("g", "gemm")), registry().operator("gemm"))
    assert command == (
        "rooflinestudio eval gemm m=4096 n=4096 k=4096 --on nvidia-h100-sxm5 --boundary dram --policy modelled "
        "--absorption 0.85"
    )


def test_everything_that_was_set_is_in_it_and_the_command_line_reads_it_back():
    entry = Entry(
        "g", "gemm", parameters={"m": 1, "tile_m": "auto", "stream_k": True}, dtypes={"all": "bf16", "weight": "int4"},
        policy="tiled", boundary="all", overlap=0.5, ceiling="fp16-tensor",
    )  # fmt: skip
    options = parsed(command_of(row(entry, forecast=True), registry().operator("gemm")))
    assert options.operator == "gemm"
    assert {"m=1", "tile_m=auto", "stream_k=true"} <= set(options.parameters)
    assert options.dtype == "bf16,weight=int4"
    assert (options.boundary, options.policy, options.ceiling) == ("all", "tiled", "fp16-tensor")
    assert options.overlap == 0.5
    assert options.forecast


def test_the_home_boundary_is_left_to_the_command_line():
    assert "--boundary" not in command_of(row(Entry("g", "gemm"), boundary=None))


def test_absorption_is_written_only_where_it_acts():
    assert "--absorption" not in command_of(row(Entry("g", "gemm"), policy="compulsory"))
    assert "--absorption 0.5" in command_of(row(Entry("g", "gemm"), absorption=0.5))


@pytest.mark.parametrize("value", ["two words", "$(reboot)", "it's"])
def test_what_a_shell_would_take_apart_is_quoted(value):
    entry = Entry("g", "acme.kernel", parameters={"mode": value})
    assert f"mode={value}" in parsed(command_of(row(entry))).parameters


def test_numbers_are_written_in_full():
    entry = Entry("a", "adam", parameters={"parameter_count": 7e9})
    assert "parameter_count=7000000000" in command_of(row(entry), registry().operator("adam"))

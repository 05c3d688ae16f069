"""Binary reports that are cut, damaged, or made to hurt."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from plugins_builtin._ncu_report.wire import WireError, fields, scalar, varint
from tests.builtin.nsight_report_attacks import ATTACKS
from tests.builtin.nsight_reports import (
    DRAM,
    MAGIC,
    TIME,
    Kernel,
    Single,
    block,
    fixed,
    framed,
    head,
    nested,
    read_bytes,
    report,
    vector,
    whole,
)

SECONDS = 5.0
"""No input of this size may take longer."""

GOOD = Kernel({**TIME, **DRAM, **vector("f", 1e6, 0, 2e6), "smsp__cycles_elapsed.avg.per_second": 1.4e9})
NAMES = ["gpu__time_duration.sum", "dram__bytes.sum"]
THREE = report(GOOD, GOOD, GOOD)


# ------------------------------------------------------------------------------------------ cut and damaged


def test_what_stands_before_the_cut_is_kept_wherever_it_is(tmp_path):
    counts = []
    for length in range(len(MAGIC), len(THREE), 7):
        file = read_bytes(THREE[:length], tmp_path)
        counts.append(len(file.measurements))
        assert file.measurements or "no launch" in file.warnings[0]
        assert all(launch.dram_bytes == 4e6 for launch in file.measurements)

    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2, 3}


def test_a_cut_is_told_with_how_much_was_kept(tmp_path):
    third = THREE.rindex(b"kernel(float *)")

    file = read_bytes(THREE[:third], tmp_path)

    assert file.warnings == ("The file is cut off: 2 launches before that point were kept.",)


@pytest.mark.parametrize(
    ("tail", "said"),
    [
        (struct.pack("<i", -5), "negative length"),
        (struct.pack("<i", 0x7FFFFFFF) + b"x" * 50, "cut off"),
        (struct.pack("<i", 0), "block without a header"),
        (b"\1\2", "cut off"),
        (framed(b"\xff" * 20), "header of a block"),
        (framed(whole(2, 1) + whole(5, 1 << 62)), "cut off"),
        (
            framed(whole(2, 1) + whole(5, 9)) + struct.pack("<i", 400) + b"x" * 5,
            "does not fit into its block",
        ),
        (framed(whole(2, 1) + whole(5, 9)) + struct.pack("<i", -1) + b"x" * 5, "does not fit into its block"),
        (framed(whole(1, 1 << 62) + whole(2, 1 << 62) + whole(5, 2)) + b"xx", "does not fit into its block"),
    ],
)
def test_damage_ends_the_reading_and_keeps_the_rest(tail, said, tmp_path):
    file = read_bytes(report(GOOD, tail=tail), tmp_path)

    assert len(file.measurements) == 1
    assert said in file.warnings[0]


@pytest.mark.parametrize(
    "rest", [b"", b"\x02", b"\x05\0\0\0\x08", struct.pack("<i", 1 << 30), framed(b"\xff" * 9)]
)
def test_a_file_that_is_hardly_more_than_the_magic_is_answered(rest, tmp_path):
    file = read_bytes(MAGIC + rest, tmp_path)

    assert not file.measurements
    assert "no launch" in " ".join(file.warnings)


def test_a_damaged_result_costs_nothing_but_itself(tmp_path):
    numbers = {name: number for number, name in enumerate(TIME)}
    good = Kernel(TIME, device={}).message(numbers)
    damaged = [
        good[:-3] + b"\xff\xff\xff",
        good + b"\x0b",
        good + b"\x6a\x7f\x01",
        good + b"\x50" + b"\xff" * 11,
    ]
    content = head() + block(results=[good, *damaged, b"", good], names=list(TIME))

    file = read_bytes(content, tmp_path)

    assert [launch.time_s for launch in file.measurements] == [0.001, 0.001]
    assert "4 results were damaged and left out." in file.warnings
    assert "1 result was empty and left out." in file.warnings


def test_values_whose_names_are_missing_are_counted(tmp_path):
    result = Kernel({**TIME, **DRAM}, device={}).message({"gpu__time_duration.sum": 0, "dram__bytes_read.sum": 70,
                                                          "dram__bytes_write.sum": 1 << 60})  # fmt: skip

    file = read_bytes(head() + block(results=[result], names=NAMES), tmp_path)

    assert (file.measurements[0].time_s, file.measurements[0].dram_bytes) == (0.001, None)
    assert [text for text in file.warnings if text.startswith("2 values were left out")]


@pytest.mark.parametrize(
    "value",
    [
        b"", b"\x08\x05", b"\x12\x02ab", whole(3, 7), fixed(5, 1.0), fixed(4, Single(1)), nested(2, "12"),
        whole(9, 3), nested(1, "12"), nested(1, "(!) nan"), nested(1, b"\xff\xfe\0"), fixed(3, float("inf")),
        fixed(3, float("-inf")), fixed(3, float("nan")), fixed(3, -1.0), fixed(3, 1e300), fixed(3, 1e-300),
        fixed(3, 5e-324), fixed(2, Single(float("nan"))),
    ],
)  # fmt: skip
def test_odd_values_are_missing_and_never_zero(value, tmp_path):
    numbers = {"gpu__time_duration.sum": 0}
    result = Kernel(TIME, device={}).message(numbers) + nested(13, whole(1, 1) + nested(2, value))

    (launch,) = read_bytes(head() + block(results=[result], names=NAMES), tmp_path).measurements

    assert (launch.time_s, launch.dram_bytes) == (0.001, None)


def test_fields_in_any_order_and_unknown_ones_are_no_matter(tmp_path):
    backwards = nested(13, nested(2, fixed(3, 5e6)) + whole(1, 1))
    repeated = nested(13, whole(1, 0) + nested(2, fixed(3, 1.0)) + nested(2, fixed(3, 2e6)))
    result = (
        nested(99, b"\xff\xff")
        + backwards
        + fixed(77, 1.0)
        + fixed(78, Single(1))
        + repeated
        + nested(6, "f")
    )

    (launch,) = read_bytes(head() + block(results=[result], names=NAMES), tmp_path).measurements

    assert (launch.kernel, launch.time_s, launch.dram_bytes) == ("f", 0.002, 5e6)


@pytest.mark.parametrize(
    "data",
    [
        b"\x80",
        b"\x80" * 30,
        b"\x0a\x05abc",
        b"\x0b",
        b"\x0c",
        b"\x0f\x01",
        b"\x02\x00",
        b"\x09\x01",
        b"\x0a\xff",
    ],
)
def test_bytes_that_are_no_message_are_an_error(data):
    with pytest.raises(WireError):
        list(fields(data))


def test_whole_numbers_are_held_to_64_bits():
    assert varint(b"\xff" * 9 + b"\x7f", 0, 10) == ((1 << 64) - 1, 10)
    assert scalar(fixed(3, 0.1) + whole(5, 7), 0, 11) == 7


# -------------------------------------------------------------------------------------------- made to hurt


@pytest.mark.skipif(
    sys.platform != "linux", reason="the memory of one process is measured as Linux counts it"
)
def test_a_megabyte_of_anything_is_answered_soon_and_in_little_memory(tmp_path):
    command = [sys.executable, "-m", "tests.builtin.nsight_report_attacks", str(tmp_path)]
    root = Path(__file__).resolve().parents[2]

    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=110, check=False)

    costs = [json.loads(line) for line in done.stdout.splitlines()]
    assert [cost["kind"] for cost in costs] == list(ATTACKS), done.stderr
    for cost in costs:
        assert cost["error"] is None, cost
        assert cost["seconds"] < SECONDS, cost
        assert cost["memory"] < 10 * cost["size"] + 32e6, cost
        assert cost["launches"] or cost["warnings"], cost


def test_a_small_file_with_many_launches_is_read_to_a_limit_and_says_so(tmp_path):
    tiny = nested(13, whole(1, 0) + nested(2, whole(4, 9)))
    content = head() + block(results=[tiny] * 100_000, names=NAMES)

    file = read_bytes(content, tmp_path)

    assert 10_000 < len(file.measurements) < 100_000
    assert [text for text in file.warnings if text.startswith("Only the first")]


def test_launches_of_the_size_that_real_ones_have_are_all_read(tmp_path):
    numbers = {name: number for number, name in enumerate((*TIME, *DRAM))}
    message = Kernel({**TIME, **DRAM}, device={}).message(numbers)  # far smaller than any real one
    content = head() + block(results=[message] * 30_000, names=list(numbers))

    file = read_bytes(content, tmp_path)

    assert len(file.measurements) == 30_000

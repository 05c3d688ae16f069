"""STREAM, the Empirical Roofline Toolkit and likwid-bench against figures worked out by hand."""

from __future__ import annotations

import json

import pytest

from rooflinestudio.core.ceilings.proposal import propose
from rooflinestudio.core.measurement import MeasurementError
from tests.builtin.benchmark_files import FIXTURES, READER, best, machines, read_text

# STREAM --------------------------------------------------------------------------------------------------------------


def test_stream_counts_decimal_megabytes_and_says_what_it_counts():
    file = READER.read(FIXTURES / "stream.txt")
    (machine,) = file.machines

    rates = {one.origin: one for one in machine.boundaries}
    assert {name: one.best for name, one in rates.items()} == {
        "Copy": 160e9, "Scale": 128e9, "Add": 150e9, "Triad": 192e9,
    }  # fmt: skip
    assert {one.id for one in machine.boundaries} == {"dram"}
    # The slowest run of Triad took 25 ms, twice the fastest.
    assert (rates["Triad"].low, rates["Triad"].high, rates["Triad"].samples) == (96e9, 192e9, 9)
    assert rates["Triad"].condition == "arrays of 800 MB, 16 threads, 3 arrays counted, write-allocate not"
    assert "2 arrays counted" in rates["Copy"].condition
    assert file.warnings == ("STREAM: dram 192.00 GB/s.",)


def test_kernels_of_stream_are_points_by_their_definition():
    copy, scale, add, triad = READER.read(FIXTURES / "stream.txt").measurements

    assert triad.dram_bytes == 2.4e9  # three arrays of 100 million doubles
    assert triad.work["fp64"] == 2e8
    assert triad.time_s == pytest.approx(12.5e-3)
    assert triad.figures["dram_bytes"].quality == "lower"
    assert "write-allocate is not counted" in triad.figures["dram_bytes"].recipe
    assert add.intensity_dram == pytest.approx(1 / 24)
    assert scale.intensity_dram == pytest.approx(1 / 16)
    assert copy.reason.startswith("no arithmetic")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_of_stream(delimiter, tmp_path):
    text = (FIXTURES / "stream.csv").read_text(encoding="utf-8").replace(",", delimiter)
    file = read_text(tmp_path, text)

    assert best(file.machines[0].boundaries) == [("dram", 80e9), ("dram", 90e9)]
    assert file.machines[0].boundaries[0].low == 40e9
    assert file.measurements[1].work_rates["fp64"] == pytest.approx(7.5e9)  # 2 FLOP for 24 bytes


def test_older_forms_of_stream_and_single_precision(tmp_path):
    text = (
        "This system uses 4 bytes per DOUBLE PRECISION word.\nArray size = 1000000, Offset = 0\n"
        "Function      Rate (MB/s)   Avg time     Min time     Max time\n"
        "Triad:       12000.0000       0.0010       0.0010       0.0011\n"
    )
    file = read_text(tmp_path, text)

    assert best(file.machines[0].boundaries) == [("dram", 12e9)]
    assert file.measurements[0].work["fp32"] == 2e6
    assert file.measurements[0].dram_bytes == 12e6


@pytest.mark.parametrize("cell", ["nan", "inf", "-5.0", "0.0", "1e999", "12,5", "9" * 400])
def test_what_is_no_rate_is_refused(cell, tmp_path):
    text = f"Function    Best Rate MB/s  Avg time     Min time     Max time\nCopy: {cell} 0.1 0.1 0.1\nAdd: 5.0 1 1 1\n"

    assert best(read_text(tmp_path, text).machines[0].boundaries) == [("dram", 5e6)]


def test_a_row_that_is_cut_off_is_not_taken(tmp_path):
    text = (
        "Function    Best Rate MB/s  Avg time     Min time     Max time\nCopy: 5000.0 0.1 0.1 0.1\nScale: 12"
    )

    assert best(read_text(tmp_path, text).machines[0].boundaries) == [("dram", 5e9)]


# Empirical Roofline Toolkit -------------------------------------------------------------------------------------------


def test_ceilings_of_the_toolkit():
    file = READER.read(FIXTURES / "ert.json")
    (machine,) = file.machines

    assert best(machine.ceilings) == [("fp64", 500e9), ("fp32", 1e12)]  # a rate of 0 is none
    assert best(machine.boundaries) == [("l1", 3e12), ("l2", 1.2e12), ("dram", 120.5e9)]
    assert machine.date == "2023-11-14"  # 1.7e9 seconds after 1970
    assert any("600.0 GFLOP/s" in note for note in machine.notes)
    assert file.format == "ert-json"
    assert len(file.digest) == 64


def document(gflops=(), gbytes=()):
    return json.dumps({"empirical": {"gflops": {"data": list(gflops)}, "gbytes": {"data": list(gbytes)}}})


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        (["a", "b", "c", "d"], ["l1", "l2", "l3", "dram"]),
        (["cache", "DRAM"], ["l1", "dram"]),
        (["memory"], ["dram"]),
        (["L1"], ["l1"]),
        (["L1", "L2", "L3", "L4", "DRAM"], ["l1", "l2", "l3", "dram"]),
        (["L1", "HBM"], ["l1", "dram"]),
    ],
)
def test_levels_of_other_names_go_by_their_order(names, ids, tmp_path):
    rows = [[name, 1000.0 - at] for at, name in enumerate(names)]
    (machine,) = read_text(tmp_path, document([["FP64 GFLOPs", 5]], rows)).machines

    assert [one.id for one in machine.boundaries] == ids
    assert machine.boundaries[-1].best == (1000 - names.index(names[-1])) * 1e9


def test_rates_without_a_format_are_double_and_odd_values_are_left_out(tmp_path):
    rows = [
        ["GFLOPs", 7],
        ["SP GFLOPs", 14.0],
        ["XY9 GFLOPs", 5],
        ["HP GFLOPs", True],
        [3, 4],
        "x",
        ["DP GFLOPs", None],
    ]
    rows += [["FP64 GFLOPs", float("inf")], ["FP64 GFLOPs", -4], ["FP64 GFLOPs", 10**400]]
    (machine,) = read_text(tmp_path, document(rows)).machines

    assert best(machine.ceilings) == [("fp64", 7e9), ("fp32", 14e9)]
    assert machine.ceilings[0].condition == "format not named, double assumed"
    assert any("XY9" in note for note in machine.notes)


@pytest.mark.parametrize(
    "text",
    [
        '{"empirical": {"gflops": {"data": [["FP64 GFL',
        '{"empirical": [], "gflops": 1}',
        '{"empirical": {"gbytes": ' + "[" * 50_000,
        '{"empirical": {"gbytes": ' + "9" * 5_000 + "}}",
    ],
)
def test_a_document_that_is_broken_is_refused_with_a_word(text, tmp_path):
    path = tmp_path / "roofline.json"
    path.write_text(text, encoding="utf-8")
    assert READER.recognises(text[:65536].encode(), "x")
    with pytest.raises(MeasurementError, match=r"whole JSON document|no object “empirical”"):
        READER.read(path)


# likwid-bench ---------------------------------------------------------------------------------------------------------


def test_runs_of_likwid_bench():
    (machine,) = machines("likwid_bench.txt")

    assert best(machine.ceilings) == [("fp64", 160e9)]
    assert best(machine.boundaries) == [("dram", 64e9), ("cache", 150e9)]
    assert machine.boundaries[0].origin == "triad"
    assert (
        machine.boundaries[0].condition
        == "size 2 GB, 500 MB per thread, 4 threads, write-allocate not counted"
    )
    assert machine.boundaries[1].condition == "size 30 kB, 1 thread"
    assert dict(machine.clocks) == {}  # the clock of the time stamps says nothing of the cores


def test_a_working_set_of_unknown_place_is_taken_for_nothing_unasked():
    (machine,) = machines("likwid_bench.txt")
    rows = {row.reading.origin: row for row in propose(machine, None).rows}

    assert rows["load_avx"].target == ""
    assert not rows["load_avx"].taken
    assert rows["triad"].taken


TOPOLOGY = (
    "CPU name:\tExample CPU\nLevel:\t\t\t1\nSize:\t\t\t32 kB\nLevel:\t\t\t2\nSize:\t\t\t1 MB\n"
    "Level:\t\t\t3\nSize:\t\t\t32 MB\n"
)


@pytest.mark.parametrize(
    ("whole", "each", "boundary"),
    [
        (64_000, 16_000, "l1"),  # 4 threads
        (1_000_000, 250_000, "l2"),
        (16_000_000, 4_000_000, "l3"),
        (4_000_000, 1_000_000, "cache"),  # on the border between two
        (60_000_000, 15_000_000, "cache"),  # beyond the last cache, but not far
        (2_000_000_000, 500_000_000, "dram"),
    ],
)
def test_sizes_of_caches_in_the_file_decide(whole, each, boundary, tmp_path):
    run = (
        f"LIKWID MICRO BENCHMARK\nTest: load\nUsing 1 work groups\nUsing 4 threads\nSize (Byte):\t\t{whole}\n"
        f"Size per thread:\t{each}\nMByte/s:\t\t50000.00\n"
    )
    (machine,) = read_text(tmp_path, TOPOLOGY + run).machines

    assert machine.device == "Example CPU"
    assert best(machine.boundaries) == [(boundary, 50e9)]


def test_groups_of_threads_share_the_size_and_single_precision_is_told(tmp_path):
    run = "LIKWID MICRO BENCHMARK\nTest: {}\nUsing 2 work groups\nUsing 8 threads\nSize (Byte):\t{}\n{}\n"
    text = run.format("copy", 100_000_000, "MByte/s:\t9000.00") + run.format(
        "peakflops_sp", 1, "MFlops/s:\t80.00"
    )
    (machine,) = read_text(tmp_path, text).machines

    assert best(machine.boundaries) == [("cache", 9e9)]  # 50 MB for each group, below 64 MiB
    assert best(machine.ceilings) == [("fp32", 80e6)]


def test_a_rate_without_its_decimals_is_cut_off(tmp_path):
    file = read_text(
        tmp_path, "LIKWID MICRO BENCHMARK\nTest: load\nSize (Byte):\t2000000000\nMByte/s:\t\t640"
    )

    assert file.machines == ()

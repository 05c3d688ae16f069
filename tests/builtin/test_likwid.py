"""Tables of likwid-perfctr against figures worked out by hand."""

from __future__ import annotations

import pytest

from plugins_builtin.likwid import LikwidTables
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError
from tests.builtin.other_tools import FIXTURES, written


def test_csv_of_a_region_gives_work_and_traffic_over_all_threads():
    (triad,) = LikwidTables().read(FIXTURES / "likwid.csv").measurements

    assert triad.kernel == "Triad"
    assert triad.device == "Example CPU @ 2.40GHz"
    assert triad.time_s == 2  # the slowest thread
    assert triad.work == {"fp64": 1000e6 * 2 + 2000e6 * 1.5}  # AVX DP is a part of it
    assert triad.dram_bytes == 8e9
    assert triad.traffic["dram"].read_bytes == 6e9
    assert triad.traffic["dram"].write_bytes == 2e9
    assert triad.intensity_dram == pytest.approx(0.625)
    assert "MEM_DP" in triad.notes[0]
    assert triad.plotted


def test_drawn_tables_are_read_and_a_rate_without_volume_serves():
    (sweep,) = LikwidTables().read(FIXTURES / "likwid.txt").measurements

    assert sweep.kernel == "sweep"
    assert sweep.time_s == 0.5
    assert sweep.work == {"fp32": 2e9}
    assert sweep.dram_bytes is None
    assert sweep.bytes_per_s("dram") == 16e9
    assert sweep.intensity_dram == 0.25  # 4 GFLOP/s over 16 GB/s
    assert sweep.plotted


def test_regions_and_groups_stay_apart(tmp_path):
    table = "TABLE,Region {},Group {} Metric,{},2\nMetric,HWThread 0\nRuntime (RDTSC) [s],{}\n"
    text = table.format("a", 1, "MEM", 1) + table.format("a", 2, "L2", 2) + table.format("b", 1, "MEM", 3)
    found = LikwidTables().read(written(tmp_path, text)).measurements

    assert [(one.kernel, one.time_s) for one in found] == [("a", 1), ("a", 2), ("b", 3)]
    assert "MEM_DP" in found[0].reason


def test_statistics_alone_give_an_estimate(tmp_path):
    text = (
        "TABLE,Group 1 Metric STAT,MEM_DP,3\nMetric,Sum,Min,Max,Avg\nRuntime (RDTSC) [s] STAT,3,1,2,1.5\n"
        "DP MFLOP/s STAT,500,200,300,250\nMemory data volume [GBytes] STAT,4,0,4,2\n"
    )
    (run,) = LikwidTables().read(written(tmp_path, text)).measurements

    assert run.kernel == "whole run"
    assert run.time_s == 2
    assert run.work == {"fp64": 500e6 * 2}
    assert run.figures["work.fp64"].quality == "estimated"
    assert run.dram_bytes == 4e9


def test_raw_events_alone_are_answered_and_other_text_refused(tmp_path):
    raw = LikwidTables().read(
        written(tmp_path, "TABLE,Group 1 Raw,MEM,1\nEvent,Counter,HWThread 0\nINSTR_RETIRED_ANY,FIXC0,5\n")
    )

    assert not raw.measurements
    assert "only raw events" in raw.warnings[0]
    with pytest.raises(MeasurementError, match="no table of LIKWID"):
        LikwidTables().read(written(tmp_path, "hello\n"))
    with pytest.raises(MeasurementCancelled):
        LikwidTables().read(FIXTURES / "likwid.csv", lambda share: False)

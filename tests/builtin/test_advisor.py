"""Tables of Intel Advisor, as far as their columns are known, against figures worked out by hand."""

from __future__ import annotations

import pytest

from plugins_builtin.advisor import AdvisorCsv
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError
from tests.builtin.other_tools import FIXTURES, written


def test_loops_have_their_own_time_work_and_traffic():
    file = AdvisorCsv().read(FIXTURES / "advisor.csv")
    stencil, copy = file.measurements

    assert stencil.kernel == "[loop in stencil at grid.cpp:42]"
    assert stencil.time_s == 0.5
    assert stencil.work == {"fp32": 10e9}
    assert stencil.dram_bytes == 4e9
    assert stencil.l1_bytes == 40e9
    assert stencil.intensity_dram == 2.5
    assert stencil.intensity("l1") == 0.25
    assert stencil.plotted
    assert copy.work == {}  # an empty cell is no zero
    assert "--flop" in copy.reason
    assert file.warnings == ("Left out: 1 rows without any figure.",)


def test_columns_are_told_in_any_spelling_and_with_tabs(tmp_path):
    text = "function_call_sites_and_loops\tself_time\tself_gflops\tself_ai\nf\t2\t3\t0.5\n"
    (found,) = AdvisorCsv().read(written(tmp_path, text)).measurements

    assert found.work == {"fp64": 6e9}
    assert "fp64 is assumed" in found.notes[0]
    assert "no memory traffic" in found.reason  # an intensity needs work that was counted


def test_traffic_follows_from_rate_or_intensity(tmp_path):
    text = "self_elapsed_time,self_gflop,self_gb_s,self_ai\n2,3,5,\n2,3,,0.25\n"
    by_rate, by_intensity = AdvisorCsv().read(written(tmp_path, text)).measurements

    assert by_rate.l1_bytes == 10e9
    assert by_intensity.l1_bytes == 12e9


def test_tables_without_figures_are_answered_and_others_refused(tmp_path):
    empty = AdvisorCsv().read(written(tmp_path, "self_gflop,self_elapsed_time\n,\n"))

    assert "No row has a time" in empty.warnings[-1]
    with pytest.raises(MeasurementError, match="Intel Advisor"):
        AdvisorCsv().read(written(tmp_path, "a,b\n"))
    with pytest.raises(MeasurementCancelled):
        AdvisorCsv().read(FIXTURES / "advisor.csv", lambda share: False)

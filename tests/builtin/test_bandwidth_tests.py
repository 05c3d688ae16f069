"""BabelStream and nvbandwidth against figures worked out by hand."""

from __future__ import annotations

import pytest

from plugins_builtin.bandwidth_tests import BandwidthTests
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError
from tests.builtin.other_tools import FIXTURES, written


def test_kernels_of_babelstream_are_placed_by_their_definition():
    file = BandwidthTests().read(FIXTURES / "babelstream.txt")
    copy, triad = file.measurements

    assert triad.device == "Example GPU"
    assert triad.dram_bytes == pytest.approx(240e6)  # three arrays of 80 MB
    assert triad.time_s == pytest.approx(0.5e-3)  # at 480 GB/s
    assert triad.work["fp64"] == pytest.approx(20e6)  # 2 FLOP for each of 10 million elements
    assert triad.intensity_dram == pytest.approx(1 / 12)
    assert triad.bytes_per_s("dram") == pytest.approx(480e9)
    assert triad.plotted
    assert copy.work_flop == 0
    assert "no arithmetic" in copy.reason
    assert file.warnings == ("Best rates, decimal: Copy 400.000 GB/s, Triad 480.000 GB/s.",)


def test_without_the_size_of_the_arrays_rates_serve(tmp_path):
    text = "BabelStream\nPrecision: float\nFunction MiBytes/sec Min (sec)\nAdd 1000 0.1 0.1 0.1\n"
    (add,) = BandwidthTests().read(written(tmp_path, text)).measurements

    assert add.bytes_per_s("dram") == 1000 * 2**20
    assert add.intensity_dram == pytest.approx(1 / 12)  # 1 FLOP for three floats
    assert add.time_s is None
    assert add.plotted


def test_csv_of_babelstream_has_the_exact_size(tmp_path):
    text = (
        "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime\n"
        "Copy,100,1000000,4,80000,0.0001,0.0002,0.00015\nTriad,100,1000000,4,120000,0.0001,0.0002,0.00015\n"
        "done,1\n"
    )
    path = written(tmp_path, text)
    assert BandwidthTests().recognises(path.read_bytes(), "x")
    copy, triad = BandwidthTests().read(path).measurements

    assert copy.dram_bytes == 8_000_000
    assert triad.dram_bytes == 12_000_000
    assert triad.time_s == pytest.approx(1e-4)  # 12 MB at 120 GB/s
    assert triad.work["fp32"] == pytest.approx(2e6)
    assert triad.figures["dram_bytes"].quality == "exact"


def test_links_are_slopes_and_zeros_were_not_measured():
    file = BandwidthTests().read(FIXTURES / "nvbandwidth.txt")
    (links,) = file.machines
    slopes = {one.id: one for one in links.boundaries}

    assert [one.kernel for one in file.measurements[:2]] == [
        "memcpy CE GPU 0 <- GPU 1",
        "memcpy CE GPU 1 <- GPU 0",
    ]
    assert file.measurements[0].bytes_per_s("nvlink") == 200.5e9
    assert file.measurements[2].bytes_per_s("pcie") == 18e9
    assert len(file.measurements) == 4
    assert "a copy does no arithmetic" in file.measurements[0].reason
    assert file.warnings[0] == (
        "device_to_device_memcpy_write_ce: 2 pairs, 200.50 to 201.50 GB/s, mean 201.00; 2 not measured."
    )
    assert "per direction, mean 19.00" in file.warnings[1]
    assert slopes["nvlink"].best == 201e9
    assert (slopes["nvlink"].low, slopes["nvlink"].high) == (200.5e9, 201.5e9)
    assert "pcie" not in slopes  # both directions at once are no slope


def test_a_test_without_results_is_answered_and_other_text_refused(tmp_path):
    assert "no result" in BandwidthTests().read(written(tmp_path, "BabelStream\n")).warnings[-1]
    with pytest.raises(MeasurementError, match="known test"):
        BandwidthTests().read(written(tmp_path, "hello\n"))
    with pytest.raises(MeasurementCancelled):
        BandwidthTests().read(FIXTURES / "nvbandwidth.txt", lambda share: False)

"""Real files of other tools, where a folder with them is at hand; the answers were worked out by hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rooflinestudio.plugins.reading import read_measurements
from tests.builtin.other_tools import READERS

FOLDER = os.environ.get("ROOFLINESTUDIO_OTHER_FILES", "")

pytestmark = pytest.mark.skipif(
    not FOLDER or not Path(FOLDER, "INDEX.md").is_file(),
    reason="ROOFLINESTUDIO_OTHER_FILES names no folder with real files and INDEX.md",
)


def path_of(number):
    (path,) = Path(FOLDER).glob(f"{number}-*")
    return path


def read(number):
    return read_measurements(path_of(number), READERS)


def test_ceilings_of_rocprof_compute():
    (reader,) = (one for one in READERS if one.id == "rocprof-csv")
    (roofs,) = reader.read(path_of("01")).machines

    slopes = {one.id: one.best / 1e9 for one in roofs.boundaries}
    rates = {one.id: one.best / 1e9 for one in roofs.ceilings}
    assert slopes == pytest.approx({"dram": 1388.7948, "l2": 5016.1738, "l1": 9226.4229, "shared": 17715.307})
    assert rates == pytest.approx({
        "fp32": 20942.453, "fp64": 20272.682, "bf16-tensor": 170487.92, "fp16-tensor": 164932.06,
        "fp32-tensor": 41438.844, "fp64-tensor": 41498.918, "int8-tensor": 166413.58,
    })  # fmt: skip
    assert rates["fp64"] / slopes["dram"] == pytest.approx(14.597, abs=5e-4)
    assert all(one.low <= one.best <= one.high for one in (*roofs.ceilings, *roofs.boundaries))


def test_counters_of_rocprof_compute():
    (copy,) = read("03").measurements

    assert copy.kernel_short == "vecCopy"
    assert copy.time_s == pytest.approx(2.016e-5)
    assert copy.dram_bytes == 16_777_728
    assert copy.bytes_per_s("dram") == pytest.approx(832.2e9, rel=1e-4)
    assert copy.l1_bytes == 33_554_432
    assert copy.work_flop == 0
    assert not copy.plotted
    assert "W = 0" in copy.reason


def test_babelstream():
    found = {one.kernel: one for one in read("04").measurements}

    rates = {name: one.bytes_per_s("dram") / 1e9 for name, one in found.items()}
    right = {"Copy": 433.182, "Mul": 431.745, "Add": 436.451, "Triad": 436.491, "Dot": 435.969}
    assert rates == pytest.approx(right, abs=6e-4)
    assert found["Copy"].dram_bytes == pytest.approx(2 * 8 * 2**25, rel=2e-4)


def test_nvbandwidth():
    pairs = read("14").measurements

    links = [one.bytes_per_s("nvlink") / 1e9 for one in pairs if "nvlink" in one.traffic_rates]
    bus = [one.bytes_per_s("pcie") / 1e9 for one in pairs if "pcie" in one.traffic_rates]
    assert len(links) == 56  # the diagonal was not measured
    assert sum(links) / 56 == pytest.approx(276.3, abs=0.1)
    assert (min(bus[:8]), max(bus[:8])) == pytest.approx((25.94, 26.19))
    assert (min(bus[8:]), max(bus[8:])) == pytest.approx((18.37, 19.59))


def test_a_trace_with_one_kernel():
    (kernel,) = read("09").measurements

    assert (kernel.kernel, kernel.grid) == ("Kernel", (1, 1, 1))
    assert kernel.time_s == pytest.approx(0.02e-6)
    assert (kernel.work_flop, kernel.dram_bytes) == (None, None)


def test_a_trace_of_small_products():
    kernels = read("15").measurements
    first = next(one for one in kernels if one.work)

    assert len(kernels) == 60
    assert sum(one.time_s for one in kernels) == pytest.approx(307.197e-6)
    assert first.work_flop == 73_924_608
    assert first.time_s == pytest.approx(5.824e-6)
    assert first.achieved_flop_per_s == pytest.approx(12.693e12, rel=1e-4)
    assert first.dram_bytes == 814_080
    assert first.intensity_dram == pytest.approx(90.8, abs=0.05)
    assert first.figures["dram_bytes"].quality == "lower"
    assert first.figures["dram_bytes"].recipe.startswith("model, not measured")


def test_a_trace_of_large_products():
    kernels = read("16").measurements
    first = next(one for one in kernels if one.work)

    assert len(kernels) == 12
    assert sum(one.time_s for one in kernels) == pytest.approx(12_549.021e-6)
    assert first.work_flop == 274_877_906_944
    assert first.time_s == pytest.approx(597.526e-6)
    assert first.achieved_flop_per_s == pytest.approx(460.03e12, rel=1e-5)
    assert first.grid == (350_208 // first.block[0], 1, 1)  # the file counts work-items

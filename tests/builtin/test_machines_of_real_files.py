"""Ceilings in real files of benchmarks, where a folder with them is at hand; the answers were worked out by hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rooflinestudio.plugins.reading import read_measurements
from tests.builtin.benchmark_files import ALL_READERS

FOLDER = os.environ.get("ROOFLINESTUDIO_OTHER_FILES", "")

pytestmark = pytest.mark.skipif(
    not FOLDER or not Path(FOLDER, "INDEX.md").is_file(),
    reason="ROOFLINESTUDIO_OTHER_FILES names no folder with real files and INDEX.md",
)


def machine_of(number):
    (path,) = Path(FOLDER).glob(f"{number}-*")
    (machine,) = read_measurements(path, ALL_READERS).machines
    return machine


def test_ceilings_of_rocprof_compute():
    machine = machine_of("01")

    slopes = {one.id: one.best / 1e9 for one in machine.boundaries}
    rates = {one.id: one.best / 1e9 for one in machine.ceilings}
    assert slopes == pytest.approx({"dram": 1388.7948, "l2": 5016.1738, "l1": 9226.4229, "shared": 17715.307})
    assert rates == pytest.approx({
        "fp32": 20942.453, "fp64": 20272.682, "bf16-tensor": 170487.92, "fp16-tensor": 164932.06,
        "fp32-tensor": 41438.844, "fp64-tensor": 41498.918, "int8-tensor": 166413.58,
    })  # fmt: skip
    assert all(one.low is not None and one.high is not None for one in machine.boundaries)


def test_slopes_of_babelstream():
    rates = {one.origin: one.best / 1e9 for one in machine_of("04").boundaries}

    right = {"Copy": 433.182, "Mul": 431.745, "Add": 436.451, "Triad": 436.491, "Dot": 435.969}
    assert rates == pytest.approx(right, abs=6e-4)


def test_links_of_nvbandwidth():
    links = {one.id: one for one in machine_of("14").boundaries}

    assert links["nvlink"].best / 1e9 == pytest.approx(276.3, abs=0.1)
    assert (links["pcie"].low, links["pcie"].high) == pytest.approx((25.94e9, 26.19e9))

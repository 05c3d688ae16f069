"""Measured kernels in little memory: what goes in comes out, one by one and as columns."""

from __future__ import annotations

import pickle
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core import measurement_packed, measurement_texts
from rooflinestudio.core.measurement import (
    MeasuredFigure,
    MeasuredTraffic,
    Measurement,
    MeasurementError,
    MeasurementFile,
    to_json,
)
from rooflinestudio.core.measurement_packed import MeasurementPacker, PackedMeasurements
from rooflinestudio.core.measurement_records import to_record
from rooflinestudio.core.measurement_table import Overlay
from tests.core.test_measurement_overlay import measurements

FULL = Measurement(
    launch=0,
    kernel="void ns::axpy<float>(float*)",
    count=3,
    time_s=2e-6,
    work={"fp32": 4.0, "fp64": 0.0},
    traffic={"dram": MeasuredTraffic(5.0, 6.0, 11.0), "l2": MeasuredTraffic(None, None, 7.0)},
    device="GPU 1",
    compute_capability="8.0",
    clock_hz=1.4e9,
    grid=(2, 3, 4),
    block=(128, 1, 1),
    source_line=17,
    figures={
        "time_s": MeasuredFigure(2e-6, "gpu__time_duration.sum", "exact"),
        "work.fp32": MeasuredFigure(4.0, "2 × ffma", "lower"),
        "dram_bytes": MeasuredFigure(11.0, "read + write", "rounded"),
        "l2_hit_share": MeasuredFigure(0.25, "lts hit rate", "exact"),
    },
    notes=("one", "two"),
)
RATES = Measurement(
    launch=1,
    kernel="copy",
    work_rates={"fp16": 1e12},
    traffic_rates={"dram": 2e12},
    figures={"work_rate.fp16": MeasuredFigure(1e12, "rate", "estimated")},
    reason="no time: add gpu__time_duration.sum",
)
BARE = Measurement(launch=2, kernel="", kernel_short="own short name")
ODD = (FULL, RATES, BARE, replace(RATES, launch=9), replace(FULL, launch=4, count=1, kernel="copy"))


def packed(kernels) -> PackedMeasurements:
    packer = MeasurementPacker()
    for kernel in kernels:
        packer.add(kernel)
    return packer.packed()


def overlay(kernels) -> Overlay:
    return Overlay.from_file(MeasurementFile("/data/a.csv", "x", (), kernels, "0" * 64))


def same_columns(kernels, as_objects) -> None:
    """Hold the overlay of packed kernels against the one of the same kernels as objects."""
    mine, theirs = overlay(kernels), overlay(tuple(as_objects))
    assert set(mine.record_keys) == set(theirs.record_keys)
    for key in theirs.record_keys:
        if theirs.is_number(key):
            assert np.array_equal(mine.numbers(key), theirs.numbers(key), equal_nan=True), key
        else:
            (codes, texts), (others, words) = mine.texts(key), theirs.texts(key)
            assert [texts[c] if c >= 0 else None for c in codes] == [
                words[c] if c >= 0 else None for c in others
            ]
            assert len(set(texts)) == len(texts)


def test_what_goes_in_comes_out():
    kernels = packed(ODD)
    assert len(kernels) == 5
    assert kernels == ODD
    assert list(kernels) == list(ODD)
    assert kernels[1] == RATES
    assert kernels[-1] == ODD[-1]
    assert kernels[1:3] == (RATES, BARE)
    assert kernels != ODD[:4]
    assert kernels != (*ODD[:4], FULL)
    assert [to_record(one) for one in kernels] == [to_record(one) for one in ODD]
    with pytest.raises(IndexError):
        kernels[5]


@given(st.lists(measurements(), max_size=5))
def test_any_kernels_come_out_and_give_the_columns_of_their_objects(found):
    assert packed(found) == found
    same_columns(packed(found), found)


def test_nothing_is_a_sequence_too():
    assert packed(()) == ()
    assert not packed(())
    assert len(overlay(packed(()))) == 0


def test_an_overlay_takes_the_columns_over():
    same_columns(packed(ODD), ODD)


def test_a_file_that_was_sent_to_another_process_is_the_same():
    assert pickle.loads(pickle.dumps(packed(ODD))) == ODD


def test_a_file_prints_the_same():
    files = [MeasurementFile("/data/a.csv", "x", (), kernels, "0" * 64) for kernels in (packed(ODD), ODD)]
    assert to_json(files[0]) == to_json(files[1])


def test_kernels_may_come_out_of_their_order_but_none_may_be_missing():
    packer = MeasurementPacker()
    packer.put(1, RATES)
    with pytest.raises(MeasurementError, match="kernel 0 of 2 is missing"):
        packer.packed()
    packer.put(0, FULL)
    assert packer.packed() == (FULL, RATES)


def columns(packer, positions, **numbers):
    texts = {"kernel": "void f(int)", "recipe.time_s": "Duration", "quality.time_s": "exact"}
    packer.put_columns(positions, {"time_s": 1e-3, **numbers}, texts)


def test_many_kernels_go_in_as_columns():
    packer = MeasurementPacker()
    packer.put(1, replace(BARE, launch=1))
    figures = {"recipe.time_s": "Duration", "quality.time_s": "rounded"}
    packer.put_columns(
        [2, 0],
        {"time_s": np.array([3.0, 4.0]), "work.fp32": 8.0},
        {"kernel": ["void f(int)", "g"], "grid": "1 2 3", **figures},
    )
    kernels = packer.packed()
    assert [one.launch for one in kernels] == [0, 1, 2]
    assert [one.kernel_short for one in kernels] == ["g", "own short name", "f"]
    assert [one.time_s for one in kernels] == [4.0, None, 3.0]
    assert kernels[2].figures == {"time_s": MeasuredFigure(3.0, "Duration", "rounded")}
    assert (kernels[0].work, kernels[0].grid, kernels[0].count) == ({"fp32": 8.0}, (1, 2, 3), 1)
    same_columns(kernels, kernels)


@pytest.mark.parametrize("number", [np.inf, np.nan, -1.0, 0.0])
def test_columns_with_an_impossible_number_are_refused(number):
    packer = MeasurementPacker()
    with pytest.raises(MeasurementError, match="time_s"):
        columns(packer, [0, 1], time_s=np.array([1.0, number]))
    assert len(packer) == 0


def test_texts_of_which_every_kernel_has_its_own_come_out_too(monkeypatch):
    monkeypatch.setattr(measurement_texts, "_MOST_KEPT", 7)
    monkeypatch.setattr(measurement_texts, "_MOST_RECENT", 3)
    monkeypatch.setattr(measurement_packed, "_MOST_SHAPES", 4)
    names = [f"käsekernel_{n % 40}\ud800" for n in range(100)]
    kernels = [
        replace(
            RATES, launch=n, kernel=name, kernel_short="", device=f"device {n}", notes=(f"note {n % 30}",)
        )
        for n, name in enumerate(names)
    ]
    assert packed(kernels) == kernels
    same_columns(packed(kernels), kernels)


def test_twenty_thousand_kernels_take_some_dozen_bytes_each():
    packer = MeasurementPacker()
    packer.add(FULL)
    tracemalloc.start()
    try:
        for n in range(1, 20_001):
            packer.add(replace(FULL, launch=n, time_s=float(n)))
        kernels = packer.packed()
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert kernels[500].time_s == 500.0
    assert taken < 5_000_000  # 18 numbers and the code of a name; as objects they take over 30 MB


@pytest.mark.parametrize("as_packed", [True, False])
def test_kernels_that_share_no_figure_are_no_table(as_packed):
    found = [Measurement(launch=n, kernel="k", work={f"p{n}": 1.0}) for n in range(1_200)]
    with pytest.raises(
        MeasurementError, match=r"different pipes, boundaries and figures; expected at most 1,000"
    ):
        overlay(packed(found) if as_packed else tuple(found))

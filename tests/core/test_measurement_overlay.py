"""Overlays: measured kernels as shared columns, in study documents and in the file beside a study."""

from __future__ import annotations

import gzip
import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.core.measurement import (
    QUALITIES,
    MeasuredFigure,
    MeasuredTraffic,
    Measurement,
    MeasurementError,
    MeasurementFile,
)
from rooflinestudio.core.measurement_overlay import Overlay, overlay_from_document, overlay_to_document

DIGEST = "ab" * 32


def measured_file(*measurements: Measurement, digest: str = DIGEST) -> MeasurementFile:
    return MeasurementFile("/data/run 1.csv", "ncu-csv-wide", ("one", "two"), measurements, digest)


GEMM = Measurement(
    launch=0, kernel="void gemm<(int)128>(float *)", time_s=2e-3, clock_hz=1.41e9, device="GPU", grid=(8, 4, 1),
    block=(256, 1, 1), compute_capability="8.0", work={"fp32": 4e9, "fp64": 0.0},
    traffic={"dram": MeasuredTraffic(6e6, 2e6, 8e6), "l2": MeasuredTraffic(None, None, 32e6)},
    figures={
        "time_s": MeasuredFigure(2e-3, "gpu__time_duration.sum", "exact"),
        "work.fp32": MeasuredFigure(4e9, "2 × ffma", "lower"),
        "dram_bytes": MeasuredFigure(8e6, "read + write", "rounded"),
        "a figure of its own": MeasuredFigure(0.25, "hits / requests", "exact"),
    },
    notes=("careful", "really"),
)  # fmt: skip
ROOFLINE = Measurement(
    launch=1, kernel="saxpy", work_rates={"fp32": 3e12}, traffic_rates={"dram": 1.5e12}, count=3, source_line=12,
    figures={"work_rate.fp32": MeasuredFigure(3e12, "per cycle × clock", "rounded"),
             "dram_bytes_per_s": MeasuredFigure(1.5e12, "DRAM Bandwidth", "rounded")},
)  # fmt: skip
NOTHING = Measurement(
    launch=2, kernel='odd "name",\nwith a \\ and a line break', reason="no FLOP counters collected"
)
KERNELS = (GEMM, ROOFLINE, NOTHING)

_amounts = st.floats(0, 1e30, allow_nan=False)
_texts = st.text(max_size=20)
_names = st.text(st.characters(codec="ascii", categories=["Ll", "Nd"]), min_size=1, max_size=8)


@st.composite
def measurements(draw: st.DrawFn, launch: int = 0) -> Measurement:
    """Any launch that a reader may give."""
    work = draw(st.dictionaries(_names, _amounts, max_size=3))
    totals = draw(
        st.dictionaries(_names, st.tuples(st.none() | _amounts, st.none() | _amounts, _amounts), max_size=3)
    )
    figures = {f"work.{pipe}": value for pipe, value in work.items()}
    figures |= {f"{boundary}_bytes": traffic[2] for boundary, traffic in totals.items()}
    figures |= draw(st.dictionaries(_names, _amounts, max_size=2))
    return Measurement(
        launch=launch,
        kernel=draw(st.text(min_size=1, max_size=20)),
        kernel_short=draw(st.text(min_size=1, max_size=5)),
        count=draw(st.integers(1, 2**40)),
        time_s=draw(st.none() | st.floats(1e-12, 1e6)),
        work=work,
        work_rates=draw(st.dictionaries(_names, _amounts, max_size=2)),
        traffic={boundary: MeasuredTraffic(*traffic) for boundary, traffic in totals.items()},
        traffic_rates=draw(st.dictionaries(_names, _amounts, max_size=2)),
        device=draw(st.none() | st.text(min_size=1, max_size=9)),
        grid=draw(st.none() | st.tuples(*[st.integers(0, 2**31)] * 3)),
        source_line=draw(st.none() | st.integers(0, 10**6)),
        figures={
            name: MeasuredFigure(
                value, draw(st.text(min_size=1, max_size=9)), draw(st.sampled_from(QUALITIES))
            )
            for name, value in figures.items()
        },
        reason=draw(st.none() | st.text(min_size=1, max_size=20)),
    )


# ------------------------------------------------------------------------------------------- as a sequence


def test_each_kernel_comes_back_as_it_was_read():
    overlay = Overlay.from_file(measured_file(*KERNELS))

    assert len(overlay) == 3
    assert tuple(map(overlay.measurement, range(3))) == KERNELS
    assert overlay.name == "run 1.csv"
    assert overlay.warnings == ("one", "two")
    with pytest.raises(IndexError):
        overlay.measurement(3)


def test_overlays_of_one_content_are_equal_and_share_a_hash():
    overlay = Overlay.from_file(measured_file(*KERNELS))
    again = Overlay.from_file(measured_file(*KERNELS), name="after")
    other = Overlay.from_file(measured_file(*KERNELS, digest="cd" * 32))

    assert overlay == again
    assert hash(overlay) == hash(again)
    assert overlay != other
    assert again.name == "after"
    renamed = overlay.renamed("before")
    assert renamed == overlay
    assert renamed.numbers("time_s") is overlay.numbers("time_s")  # shared, not copied


def test_columns_are_read_only_also_after_a_pickle():
    overlay = pickle.loads(pickle.dumps(Overlay.from_file(measured_file(*KERNELS))))

    assert tuple(map(overlay.measurement, range(3))) == KERNELS
    for column in (*overlay.columns.values(), overlay.numbers("time_s"), overlay.texts("kernel")[0]):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_columns_hold_the_figures_of_each_kernel():
    columns = Overlay.from_file(measured_file(*KERNELS)).columns

    np.testing.assert_array_equal(columns["time_s"], [2e-3, np.nan, np.nan])
    np.testing.assert_array_equal(columns["work_flop"], [4e9, np.nan, np.nan])
    np.testing.assert_array_equal(columns["achieved_flop_per_s"], [2e12, 3e12, np.nan])
    np.testing.assert_array_equal(columns["dram_bytes"], [8e6, np.nan, np.nan])
    np.testing.assert_array_equal(columns["dram_bytes_per_s"], [4e9, 1.5e12, np.nan])
    np.testing.assert_array_equal(columns["intensity_dram"], [500, 2, np.nan])
    np.testing.assert_array_equal(columns["intensity_l2"], [125, np.nan, np.nan])
    np.testing.assert_array_equal(columns["count"], [1, 3, 1])


@given(st.lists(measurements(), max_size=4))
def test_columns_agree_with_the_figures_of_every_launch(found):
    overlay = Overlay.from_file(measured_file(*found))
    columns = overlay.columns

    def same(column: str, row: int, value: float | None) -> bool:
        cell = columns[column][row]
        return (
            math.isnan(cell) if value is None else math.isclose(cell, value, rel_tol=1e-12) or cell == value
        )

    for row in range(len(found)):
        one = overlay.measurement(row)
        assert one == found[row]
        assert same("work_flop", row, one.work_flop)
        assert same("achieved_flop_per_s", row, one.achieved_flop_per_s)
        for boundary in overlay.boundaries:
            assert same(f"{boundary}_bytes", row, one.traffic_bytes(boundary))
            assert same(f"{boundary}_bytes_per_s", row, one.bytes_per_s(boundary))
            assert same(f"intensity_{boundary}", row, one.intensity(boundary))


def test_an_overlay_without_kernels_is_one():
    overlay = Overlay.from_file(measured_file())

    assert len(overlay) == 0
    assert overlay.pipes == ()
    assert len(overlay.columns["work_flop"]) == 0
    assert overlay_from_document(overlay_to_document(overlay)) == overlay


# ---------------------------------------------------------------------------------------------- documents


def test_a_document_is_plain_data_and_gives_the_same_overlay():
    overlay = Overlay.from_file(measured_file(*KERNELS))
    document = json.loads(json.dumps(overlay_to_document(overlay)))

    again = overlay_from_document(document)

    assert again == overlay
    assert again.meta() == overlay.meta()
    assert tuple(map(again.measurement, range(3))) == KERNELS
    assert document["recipes"].count("2 × ffma") == 1


def test_many_kernels_stand_beside_the_study(tmp_path):
    overlay = Overlay.from_file(measured_file(*KERNELS), name="mine")
    document = overlay_to_document(overlay, data_folder="study.data", inline_limit=2)

    assert document["rows"] == f"study.data/{DIGEST}.csv.gz"
    assert "kernels" not in document
    with pytest.raises(MeasurementError, match=r"is missing"):
        overlay_from_document(document, folder=tmp_path)
    (tmp_path / "study.data").mkdir()
    overlay.write_rows(tmp_path / document["rows"])
    again = overlay_from_document(document, folder=tmp_path)
    assert again.name == "mine"
    assert tuple(map(again.measurement, range(3))) == KERNELS


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"digest": "short"}, "64 hexadecimal"),
        ({"name": 5}, "name is 5"),
        ({"warnings": "all"}, "warnings"),
        ({"kernels": {"a": 1}}, "list of at most"),
        ({"kernels": [3]}, "kernel 0 must be a mapping"),
        ({"kernels": [{"launch": 0}]}, "kernel 0: 'kernel' is missing"),
        ({"kernels": [{"launch": 0, "kernel": "k", "time_s": "fast"}]}, "time_s is 'fast'; expected a finite number"),
        ({"kernels": [{"launch": 0, "kernel": "k", "time_s": float("inf")}]}, "time_s is inf"),
        ({"kernels": [{"launch": 0, "kernel": "k", "time_s": -1.0}]}, "time_s is -1.0"),
        ({"kernels": [{"launch": 0.5, "kernel": "k"}]}, "launch is 0.5; expected a whole number"),
        ({"kernels": [{"launch": True, "kernel": "k"}]}, "launch is True"),
        ({"kernels": [{"launch": 0, "kernel": "k", "colour": "red"}]}, "'colour' is no key"),
        ({"kernels": [{"launch": 0, "kernel": "k", "grid": "8 by 4"}]}, "three whole numbers"),
        ({"kernels": [{"launch": 0, "kernel": "k", "recipe.time_s": 7}]}, "number of one of the recipes"),
        ({"kernels": [{"launch": 0, "kernel": "k", "time_s": 1.0, "recipe.time_s": 0, "quality.time_s": "good"}]},
         "exact, rounded, estimated, lower, upper"),
        ({"kernels": None, "rows": "../../etc/" + DIGEST + ".csv.gz"}, "beside the study"),
        ({"kernels": None, "rows": "/etc/passwd"}, "beside the study"),
        ({"kernels": None, "rows": f"../{DIGEST}.csv.gz"}, "beside the study"),
    ],
)  # fmt: skip
def test_a_wrong_document_is_refused_with_place_value_and_mend(change, said, tmp_path):
    document = {**overlay_to_document(Overlay.from_file(measured_file(GEMM))), **change}

    with pytest.raises(MeasurementError) as caught:
        overlay_from_document(document, folder=tmp_path)

    assert said in str(caught.value)


# -------------------------------------------------------------------------------------------------- rows


@settings(max_examples=60)
@given(st.lists(measurements(), max_size=4))
def test_rows_give_back_every_kernel(found):
    import tempfile

    overlay = Overlay.from_file(measured_file(*found))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{DIGEST}.csv.gz")
        overlay.write_rows(path)
        again = Overlay.read_rows(path)

    assert again.meta() == overlay.meta()
    assert [again.measurement(row) for row in range(len(again))] == found


def test_rows_are_written_atomically_and_only_once(tmp_path, monkeypatch):
    overlay = Overlay.from_file(measured_file(*KERNELS))
    path = tmp_path / f"{DIGEST}.csv.gz"
    overlay.write_rows(path)
    content, written = path.read_bytes(), path.stat().st_mtime_ns

    overlay.write_rows(path)
    assert path.stat().st_mtime_ns == written
    path.write_bytes(b"damaged")
    overlay.write_rows(path)
    assert path.read_bytes() == content  # the same bytes for the same overlay

    def fails(self: Path, target: Path) -> None:
        raise OSError("no space left")

    path.write_bytes(b"before")
    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError, match="no space"):
        overlay.write_rows(path)
    assert path.read_bytes() == b"before"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]  # nothing left behind


def _lines(tmp_path: Path) -> tuple[Path, list[str]]:
    path = tmp_path / f"{DIGEST}.csv.gz"
    Overlay.from_file(measured_file(*KERNELS)).write_rows(path)
    return path, gzip.decompress(path.read_bytes()).decode().splitlines()


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: [],
        lambda lines: ["hello", *lines[1:]],
        lambda lines: [lines[0].replace(",1,", ",99,", 1), *lines[1:]],
        lambda lines: [lines[0].replace('""count"": 3', '""count"": 9'), *lines[1:]],
        lambda lines: [lines[0].replace('""count"": 3', '""count"": 99999999999'), *lines[1:]],
        lambda lines: lines[:-1],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [lines[0], lines[1].replace("time_s", "time_h", 1), *lines[2:]],
        lambda lines: [lines[0], lines[1], lines[2] + ",1", *lines[3:]],
        lambda lines: [line.replace("0.002", "-1") for line in lines],
        lambda lines: [line.replace("0.002", "inf") for line in lines],
        lambda lines: [line.replace("0.002", "soon") for line in lines],
        lambda lines: [line.replace("exact", "perfect") for line in lines],
        lambda lines: [line.replace("8 4 1", "8x4") for line in lines],
        lambda lines: [line.replace("read + write", "") for line in lines],
        lambda lines: [line.replace("saxpy", "") for line in lines],
    ],
)
def test_damaged_rows_are_refused_with_the_file_named(damage, tmp_path):
    path, lines = _lines(tmp_path)
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in damage(lines)).encode()))

    with pytest.raises(MeasurementError) as caught:
        Overlay.read_rows(path)

    assert path.name in str(caught.value) or "run 1.csv" in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"plain", b"\x1f\x8b\x08\0broken"])
def test_a_file_that_is_no_gzip_or_cut_is_refused(content, tmp_path):
    path, _ = _lines(tmp_path)
    for bad in (content, path.read_bytes()[:-20]):
        path.write_bytes(bad)
        with pytest.raises(MeasurementError):
            Overlay.read_rows(path)


def test_a_bomb_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    from rooflinestudio.core import measurement_rows

    path, lines = _lines(tmp_path)
    monkeypatch.setattr(measurement_rows, "_MOST_CHARACTERS", 5_000)
    lines[0] = lines[0].replace('""count"": 3', '""count"": 2000000')
    path.write_bytes(
        gzip.compress(("\n".join([*lines[:2], *["," * lines[1].count(",")] * 10_000]) + "\n").encode())
    )

    with pytest.raises(MeasurementError, match="larger than any overlay"):
        Overlay.read_rows(path)

"""Plain CSV of points and JSON of the studio's own form, against figures worked out by hand."""

from __future__ import annotations

import json

import pytest

from plugins_builtin.points import PointsCsv, PointsJson
from rooflinestudio.core.importing.questions import UndecidedMarkError
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError
from tests.builtin.other_tools import FIXTURES, written


def rows(folder, text, **options):
    return PointsCsv(**options).read(written(folder, text, "p.csv"))


def document(folder, *measurements, **others):
    whole = {"format": "rooflinestudio-measurements/1", "measurements": list(measurements), **others}
    return PointsJson().read(written(folder, json.dumps(whole), "m.json"))


# ------------------------------------------------------------------------------------------------- CSV


def test_a_table_with_units_in_its_heads():
    file = PointsCsv().read(FIXTURES / "points.csv")
    axpy, gemm, copy = file.measurements

    assert axpy.time_s == 1e-4
    assert axpy.work == {"fp64": 0.05e9}
    assert axpy.dram_bytes == 200e6
    assert axpy.intensity_dram == 0.25
    assert gemm.kernel == "gemm<float, 128>"
    assert gemm.work == {"bf16-tensor": 1e12}
    assert gemm.achieved_flop_per_s == pytest.approx(5e14)
    assert copy.reason == "W = 0 on fp32: no place on a FLOP roofline"
    assert "time = “time [us]” in µs" in file.warnings[0]


@pytest.mark.parametrize(
    ("heads", "cells", "intensity", "achieved"),
    [
        ("AI,GFLOP/s", "0.5,200", 0.5, 200e9),
        ("Arithmetic Intensity,Performance (GFLOPS)", "4,1000", 4, 1e12),
        ("intensity,bandwidth [GB/s]", "2,100", 2, 200e9),
        ("time_ms,gflop,MB", "2,1,500", 2, 5e11),
        ("intensity,time [s],bytes", "4,2,1000000", 4, 2e6),
        ("TFLOPS,bw (GiB/s)", "2,1000", 2e12 / (1000 * 2**30), 2e12),
        ("rate,intensity", "5000000,0.25", 0.25, 5e6),
        ("flops,runtime [ns],traffic [KiB]", "2048,10,1", 2, 2.048e11),
    ],
)
def test_two_figures_give_the_rest(heads, cells, intensity, achieved, tmp_path):
    (point,) = rows(tmp_path, f"name,{heads}\nk,{cells}\n").measurements

    assert point.intensity_dram == pytest.approx(intensity)
    assert point.achieved_flop_per_s == pytest.approx(achieved)
    assert point.plotted


def test_boundary_format_device_and_count_have_columns(tmp_path):
    (point,) = rows(
        tmp_path, "name;GFLOP/s;AI;level;dtype;gpu;calls\nk;1,5;2,25;HBM;BF16_tensor;Mine;7\n"
    ).measurements

    assert point.intensity("dram") == pytest.approx(2.25)  # with a decimal comma, by its evidence
    assert point.work_rates == {"bf16-tensor": 1.5e9}
    assert (point.device, point.count) == ("Mine", 7)


def test_numbers_of_two_readings_are_asked_for(tmp_path):
    text = "name;GFLOP/s;AI\nk;1.500;2.250\n"

    with pytest.raises(UndecidedMarkError, match="--decimal-mark") as caught:
        rows(tmp_path, text)
    question = caught.value.question
    assert (question.sample, question.point, question.comma) == ("1.500", 1.5, 1500.0)
    assert question.where == "column GFLOP/s, line 2"
    assert rows(tmp_path, text, decimal_mark=",").measurements[0].work_rates == {"fp32": 1500e9}
    assert rows(tmp_path, text, decimal_mark=".").measurements[0].work_rates == {"fp32": 1.5e9}
    assert rows(tmp_path, text.replace(";", ",")).measurements[0].work_rates == {"fp32": 1.5e9}


def test_columns_can_be_stated(tmp_path):
    text = "a,b,c,time\nk,4,8,99\n"
    stated = (("kernel", "a", ""), ("time", "b", "us"), ("work", "c", "MFLOP"))
    (point,) = rows(tmp_path, text, columns=stated).measurements

    assert point.time_s == 4e-6
    assert point.work == {"fp32": 8e6}
    assert "no Q" in point.reason
    for wrong, word in (
        (("time", "nope", ""), "no column 'nope'"),
        (("times", "b", ""), "no figure"),
        (("time", "b", "GB"), "no unit of time"),
    ):
        with pytest.raises(MeasurementError, match=word):
            rows(tmp_path, text, columns=(("kernel", "a", ""), wrong))
    with pytest.raises(MeasurementError, match="the stated heads"):
        rows(tmp_path, text, columns=(("time", "nowhere", ""),))


def test_a_dialog_can_begin_with_what_was_recognised():
    proposal = PointsCsv().propose(FIXTURES / "points.csv")

    assert proposal.heads == ("kernel", "time [us]", "work [GFLOP]", "traffic [MB]", "precision")
    assert proposal.columns == (
        ("kernel", "kernel", ""),
        ("time", "time [us]", "µs"),
        ("work", "work [GFLOP]", "GFLOP"),
        ("traffic", "traffic [MB]", "MB"),
        ("pipe", "precision", ""),
    )
    assert proposal.rows[1] == ("gemm<float, 128>", "2000", "1000", "50", "bf16-tensor")
    assert proposal.doubts == ()


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("kernel,time,flop,bytes\nk,1,2,4\n", "“time” names no unit."),
        (
            "kernel,time [us],duration [ms],flop,bytes\nk,1,2,4,8\n",
            "Time may be “time [us]” or “duration [ms]”.",
        ),
        ("kernel,GFLOP/s,moved\nk,1,2\n", "No head says which column is the traffic or the intensity."),
        ("what,dur (us),b\nk,1,2\n", "Guessed: “dur (us)” as time, “what” as kernel name."),
        ("what,a,b\nk,1,2\n", "No head says which column is the work or the rate."),
    ],
)
def test_what_is_not_sure_is_a_doubt(text, doubt, tmp_path):
    assert doubt in PointsCsv().propose(written(tmp_path, text, "p.csv")).doubts


def test_columns_without_a_head_of_their_own_are_stated_by_number(tmp_path):
    text = "axpy;100;0,5\ngemm;200;1,5\n"
    proposal = PointsCsv().propose(written(tmp_path, text, "p.csv"))
    stated = (("kernel", "#1", ""), ("time", "#2", "us"), ("work", "#3", "GFLOP"))

    assert (proposal.has_heads, proposal.heads[1], proposal.names) == (False, "column 2", ("#1", "#2", "#3"))
    assert proposal.text() == text
    first, second = rows(tmp_path, text, columns=stated).measurements
    assert (first.kernel, first.time_s, first.work) == ("axpy", 1e-4, {"fp32": 0.5e9})
    assert second.work == {"fp32": 1.5e9}
    twice = rows(tmp_path, "t,t,k\n7,100,axpy\n", columns=(("time", "#2", "us"), ("kernel", "k", "")))
    assert twice.measurements[0].time_s == 1e-4


def test_traffic_at_inner_boundaries_and_the_order_of_launch_have_columns(tmp_path):
    text = "name,time_us,gflop,dram_bytes,l2 traffic [MB],launch\nlate,1,1,1e6,4,9\nearly,1,1,2e6,8,2\n"
    early, late = rows(tmp_path, text).measurements

    assert (early.kernel, early.launch, late.kernel) == ("early", 0, "late")
    assert (early.traffic_bytes("dram"), early.traffic_bytes("l2")) == (2e6, 8e6)


def test_one_value_can_hold_for_all_rows(tmp_path):
    text = "name,time_us,gflop,MB\na,1,1,1\nb,2,1,1\n"
    stated = (("kernel", "name", ""), ("time", "time_us", ""), ("work", "gflop", ""), ("traffic", "MB", ""))
    file = rows(tmp_path, text, columns=(*stated, ("pipe", "=bf16-tensor", ""), ("device", "=My GPU", "")))

    assert [one.work for one in file.measurements] == [{"bf16-tensor": 1e9}] * 2
    assert {one.device for one in file.measurements} == {"My GPU"}
    with pytest.raises(MeasurementError, match="no column '=7'"):
        rows(tmp_path, text, columns=(*stated, ("count", "=7", "")))


def test_a_file_that_is_read_otherwise_has_another_digest(tmp_path):
    text = "name;GFLOP/s;AI\nk;1.500;2.250\n"
    digests = {rows(tmp_path, text, decimal_mark=mark).digest for mark in ".,"}

    assert len(digests) == 2


def test_what_was_assumed_or_unreadable_is_said(tmp_path):
    file = rows(tmp_path, "name,time,flop,bytes\nk,1,2,4\nj,-1,lots,1e300\n")

    assert file.measurements[0].intensity_dram == 0.5
    assert "no W" in file.measurements[1].reason
    assert any("No unit in the head of time" in text for text in file.warnings)
    assert any(
        "3 cells are no usable number; the first: time = “-1” (line 3)" in text for text in file.warnings
    )
    assert any("work is put on fp32" in text for text in file.warnings)


@pytest.mark.parametrize(
    "head",
    [
        "m,n,k,time_us",
        '"ID","Kernel Name","Metric Name","Metric Value"',
        "Kernel Name,gpu__time_duration.sum,dram__bytes.sum",
        "Start,Duration,Name,Throughput",
        "just words",
    ],
)
def test_tables_of_other_things_are_not_taken(head):
    assert not PointsCsv().recognises(f"{head}\n1,2,3,4\n".encode(), "x.csv")


def test_a_table_without_rows_or_columns(tmp_path):
    assert "no row below" in rows(tmp_path, "AI,GFLOP/s\n").warnings[-1]
    with pytest.raises(MeasurementError, match=r"p\.csv: no row of its 2 lines.*first row names its columns"):
        rows(tmp_path, "a,b\n1,2\n")
    with pytest.raises(MeasurementCancelled):
        PointsCsv().read(FIXTURES / "points.csv", lambda share: False)


# ------------------------------------------------------------------------------------------------- JSON


def test_a_document_of_the_own_form():
    axpy, rates, lacking = PointsJson().read(FIXTURES / "measurements.json").measurements

    assert axpy.work == {"fp32": 2e9}
    assert axpy.traffic["dram"] == (8e9, 4e9, 12e9)
    assert axpy.l2_bytes == 13e9
    assert axpy.figures["dram_bytes"].recipe == "counted by hand"
    assert (axpy.grid, axpy.block, axpy.notes) == ((256, 1, 1), (128, 1, 1), ("warm",))
    assert rates.intensity_dram == 2
    assert rates.figures["work_rate.fp64"].quality == "lower"
    assert rates.plotted
    assert '"work_flop"' in lacking.reason


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"time_s": -1}, "time_s is -1"),
        ({"time_s": 0}, "time_s is 0"),
        ({"time_s": "1"}, "time_s is '1'"),
        ({"time_s": 1e999}, "time_s is inf"),
        ({"work_flop": 3}, "work_flop is 3"),
        ({"work_flop": {"fp32": True}}, r"work_flop\.fp32 is True"),
        ({"work_flop": {"?": 1}}, "no name of a pipe"),
        ({"traffic_bytes": {"dram": {"read": 1}}}, r"traffic_bytes\.dram"),
        ({"count": 0}, "count is 0"),
        ({"grid": [1, 2]}, "grid is"),
        ({"quality": "good"}, "quality is 'good'"),
        ({"notes": "x"}, "notes are 'x'"),
        ({"device": 5}, "device is 5"),
        ({"kernel": ""}, "kernel is missing"),
        ({"work": {}}, "'work' is not known"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(wrong, words, tmp_path):
    with pytest.raises(MeasurementError, match=rf"m\.json, measurements\[1\]: .*{words}"):
        document(tmp_path, {"kernel": "a", "time_s": 1}, {"kernel": "k", **wrong})


def test_documents_of_another_form_are_refused(tmp_path):
    assert document(tmp_path).warnings == ("The list of measurements is empty.",)
    with pytest.raises(MeasurementError, match="no measurement"):
        document(tmp_path, 5)
    with pytest.raises(MeasurementError, match="format is 'other'"):
        document(tmp_path, format="other")
    with pytest.raises(MeasurementError, match="no list of measurements"):
        document(tmp_path, measurements={})
    with pytest.raises(MeasurementError, match="no whole JSON document"):
        PointsJson().read(written(tmp_path, FIXTURES.joinpath("measurements.json").read_bytes()[:-9]))


def test_a_word_of_its_own_in_each_row_is_no_format(tmp_path):
    text = "kernel,time,work,traffic,type,level\n" + "".join(
        f"k,1,8,2,case{n},level{n}\n" for n in range(100)
    )
    file = rows(tmp_path, text)

    assert len(file.measurements) == 100
    assert file.measurements[31].work == {"case31": 8.0}
    assert file.measurements[99].work == {"fp32": 8.0}
    assert file.measurements[99].dram_bytes == 2.0
    assert len({pipe for one in file.measurements for pipe in one.work}) == 33
    assert any("136 cells name one pipe or boundary too many" in warning for warning in file.warnings)


def test_a_document_names_a_hundred_pipes_and_boundaries_at_most(tmp_path):
    many = [{"kernel": "k", "time_s": 1, "work_flop": {f"pipe{n}": 1}} for n in range(101)]

    assert len(document(tmp_path, *many[:100]).measurements) == 100
    with pytest.raises(MeasurementError, match=r"measurements\[100\]: .* one pipe or boundary too many"):
        document(tmp_path, *many)


MESSY = (
    "Kernelname;Laufzeit [µs];Arbeit (GFLOP);DRAM-Bytes [MB]\n"
    "a;12,5;3,25;40,5\nb;0;1,5;20\nc;;2,25;10,1\nd;-3,5;2,0;11\ne;7,25;1,1;n/a\n"
)
STATED = tuple((figure, f"#{at}", "") for at, figure in enumerate(("kernel", "time", "work", "traffic"), 1))


def test_a_stated_column_without_a_unit_takes_that_of_its_head_in_any_language(tmp_path):
    first = rows(tmp_path, MESSY, columns=STATED).measurements[0]

    assert first.time_s == pytest.approx(12.5e-6)
    assert first.work == {"fp32": pytest.approx(3.25e9)}
    assert first.dram_bytes == pytest.approx(40.5e6)


def test_a_cell_that_gives_nothing_is_named_instead_of_a_column_to_add(tmp_path):
    first, zero, empty, negative, absent = rows(tmp_path, MESSY, columns=STATED).measurements

    assert first.reason is None
    assert zero.reason == "no time: the cell under “Laufzeit [µs]” is 0, correct it"
    assert empty.reason == "no time: the cell under “Laufzeit [µs]” is empty, fill it in"
    assert negative.reason == "no time: the cell under “Laufzeit [µs]” is no usable number, correct it"
    assert absent.reason == "no Q: the cell under “DRAM-Bytes [MB]” is empty, fill it in"


def test_a_title_above_the_heads_is_none_of_them(tmp_path):
    titled = rows(tmp_path, f"Messreihe;;;\n{MESSY}", columns=STATED)
    plain = rows(tmp_path, MESSY, columns=STATED)

    assert (
        [one.kernel for one in titled.measurements]
        == [one.kernel for one in plain.measurements]
        == list("abcde")
    )
    assert titled.measurements[0].time_s == plain.measurements[0].time_s

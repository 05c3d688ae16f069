"""Measured against predicted. The machine has round figures and the operator is a formula: all numbers are by hand."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core import validation as validation_module
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.hardware import Achievable, Boundary, ComputeCeiling
from rooflinestudio.core.operators import Estimate, Launch, OperatorBase, Parameter, Part, Tensor
from rooflinestudio.core.shapes.columns import Wishes
from rooflinestudio.core.shapes.table import read_shapes
from rooflinestudio.core.subject import CHUNK
from rooflinestudio.core.validation import Against, ValidationStoppedError, validate_table
from rooflinestudio.core.validation.causes import usual_causes
from rooflinestudio.core.validation.document import validation_csv, validation_document
from rooflinestudio.core.validation.limits import STEPS
from rooflinestudio.core.validation.summary import summarise
from rooflinestudio.core.validation.words import validation_lines
from tests.core.profiles import TINY, figure, without
from tests.support import Source

BYTE = DTYPES["fp8"]


class Piece(OperatorBase):
    """``work`` FLOP and ``size`` bytes; ``blocks`` tiles, padded to ``padded`` FLOP; odd ``refuse`` is refused."""

    id = "piece"
    label = "Piece"
    parameters = (
        Parameter("work", "work", 1, low=0),
        Parameter("size", "size", 1, low=0),
        Parameter("blocks", "blocks", 4),
        Parameter("padded", "padded", 0, low=0),
        Parameter("flight", "bytes in flight", 1000),
        Parameter("refuse", "refuse", 0, low=0),
        Parameter("special", "special", 0, low=0),
        Parameter("kind", "kind", "plain", choices=("plain", "gather", "twice", "inside", "twice inside")),
    )

    def estimate(self, parameters, dtypes):
        work, size = 1.0 * parameters["work"], 1.0 * parameters["size"]
        if np.any(np.asarray(parameters["refuse"]) % 2):
            raise RefusedError("refuse is odd")
        slope = "gather" if parameters["kind"] == "gather" else ""
        pipe = f"{dtypes['compute'].pipe}-tensor"
        one = Estimate(
            {pipe: work, "special": 1.0 * parameters["special"]},
            pipe,
            (Tensor("x", size, BYTE, 1, 0, "input", slope),),
            padded_work={pipe: np.maximum(work, parameters["padded"])},
            home="l2" if "inside" in parameters["kind"] else "dram",
            launch=Launch(blocks=parameters["blocks"], bytes_in_flight=parameters["flight"]),
        )
        if "twice" not in parameters["kind"]:
            return one
        part = Part("half", "piece", {}, {}, 2, one)
        return Estimate({}, pipe, (), parts=(part,))


PIECE = Piece()
SOURCE = Source(PIECE)
WISHES = Wishes({}, fixed=())


def table(text):
    return read_shapes(text.encode(), PIECE, WISHES)


def compare(text, profile=TINY, **more):
    return validate_table(table(text), Against(SOURCE, "piece", profile, **more))


# tiny: 1000 FLOP/s, 10 bytes/s with 5 s of latency, 4 SMs, 3 s per launch. The special pipe does 50 FLOP/s.


def test_the_bound_is_compute_or_compulsory_traffic():
    found = compare("work,size,time_s\n5000,10,10\n1000,100,12\n")
    assert found.bound_s.tolist() == [5.0, 10.0]  # 5000 / 1000 against 10 / 10; 1000 / 1000 against 100 / 10
    assert found.ratio.tolist() == [2.0, 1.2]
    assert [found.bound_words(at) for at in (0, 1)] == [("compute", "bf16-tensor"), ("memory", "dram")]
    assert found.boundary == "dram" and not found.violated.any()


def test_the_distance_is_told_apart_in_seconds_that_add_up():
    # compute: 4000 FLOP = 4 s; padded to 6000: 6 s; 6 tiles on 4 SMs are 2 waves of 4: × 8/6 = 8 s; launch 3 s: 11 s
    found = compare("work,size,blocks,padded,time_s\n4000,10,6,6000,14\n")
    parts = {id_: values.tolist() for id_, values in found.parts_s().items()}
    assert parts == {
        "figures": [0.0], "tiles": [2.0], "waves": [2.0], "latency": [0.0], "launch": [3.0], "rates": [0.0],
        "rest": [3.0],
    }  # fmt: skip
    assert sum(values[0] for values in parts.values()) == 14 - 4


def test_latency_and_the_rates_that_are_reached_are_apart():
    # memory: 100 bytes = 10 s. 25 bytes in flight over 5 s carry 5 bytes/s: 20 s. Launch: 23 s.
    # With 80 % of the bandwidth, 8 bytes/s, still above 5: the latency hides it.
    dram = replace(TINY.boundaries["dram"], achievable=Achievable(figure(0.8, "measured")))
    profile = replace(TINY, boundaries={**TINY.boundaries, "dram": dram})
    found = compare("work,size,flight,time_s\n10,100,25,30\n10,100,1000,30\n", profile)
    parts = found.parts_s()
    assert parts["latency"].tolist() == [10.0, 0.0] and parts["launch"].tolist() == [3.0, 3.0]
    assert parts["rates"].tolist() == [0.0, 2.5]  # 100 / 8 - 100 / 10
    assert parts["rest"].tolist() == [7.0, 14.5]


def test_factors_multiply_and_shares_add_up():
    found = compare("work,size,blocks,padded,time_s\n4000,10,6,6000,14\n4000,10,4,4000,7\n")
    distance = summarise(found).distance
    assert distance is not None
    assert distance.rows == 2 and distance.factor == pytest.approx(math.sqrt(14 / 4 * 7 / 4))
    assert distance.distance_s == 10 + 3
    factors = {id_: one.factor for id_, one in distance.groups.items()}
    assert factors["quantisation"] == pytest.approx(math.sqrt(8 / 4 * 1))
    assert factors["launch"] == pytest.approx(math.sqrt(11 / 8 * 7 / 4))
    assert factors["rest"] == pytest.approx(math.sqrt(14 / 11 * 1))
    assert math.prod(factors.values()) == pytest.approx(distance.factor)
    assert sum(one.share for one in distance.groups.values()) == pytest.approx(1)
    assert {id_: one.time_share for id_, one in distance.groups.items()} == pytest.approx(
        {"quantisation": 4 / 13, "launch": 6 / 13, "rest": 3 / 13}
    )
    assert {id_: one.rows for id_, one in distance.groups.items()} == {
        "quantisation": 0,
        "launch": 2,
        "rest": 0,
    }
    assert distance.steps["tiles"].factor == pytest.approx(math.sqrt(1.5))
    assert distance.steps["waves"].factor == pytest.approx(math.sqrt(8 / 6))


def test_a_forecast_above_the_measurement_is_said():
    distance = summarise(compare("work,size,time_s\n4000,10,6\n")).distance  # 4 + 3 s expected
    assert distance is not None and distance.over == 1
    assert distance.steps["rest"].time_share == pytest.approx(-1 / 2)


def test_the_distribution():
    rows = "".join(f"1000,1,{1 + at / 10}\n" for at in range(11))  # bound 1 s: ratios 1.0, 1.1, … 2.0
    found = summarise(compare("work,size,time_s\n" + rows), top=3)
    one = found.all
    assert (one.rows, one.least, one.most) == (11, 1.0, 2.0)
    assert (one.lower_quartile, one.median, one.upper_quartile, one.ninety_percent) == pytest.approx(
        (1.25, 1.5, 1.75, 1.9)
    )
    assert one.geometric_mean == pytest.approx(math.prod(1 + at / 10 for at in range(11)) ** (1 / 11))
    assert [row.ratio for row in found.farthest] == pytest.approx([2.0, 1.9, 1.8])
    assert [row.line for row in found.farthest] == [12, 11, 10]
    counts = {(one.low, one.high): one.rows for one in found.histogram}
    assert (
        counts[0.0, 1.0] == 0 and counts[1.0, 1.05] == 1 and counts[1.25, 1.5] == 2 and counts[1.5, 2.0] == 5
    )
    assert counts[2.0, 3.0] == 1 and sum(counts.values()) == 11
    assert list(found.by_bound) == ["compute at bf16-tensor"]


def test_every_violation_is_named_the_worst_first():
    found = compare("work,size,time_s\n5000,10,4\n1000,100,20\n1000,100,5\n")
    broken = summarise(found).violations
    assert [(one.row.line, one.row.ratio) for one in broken] == [(4, 0.5), (2, 0.8)]
    assert (broken[0].needed_per_s, broken[0].given_per_s, broken[0].unit) == (20.0, 10.0, "B/s")
    assert (broken[1].needed_per_s, broken[1].given_per_s, broken[1].unit) == (1250.0, 1000.0, "FLOP/s")
    assert broken[0].row.parameters == {"work": 1000, "size": 100}
    distance = summarise(found).distance
    assert distance is not None and distance.rows == 1  # only the row that keeps its bound has a distance


def test_a_bound_that_is_met_exactly_is_not_broken():
    found = compare("work,size,time_s\n1000,100,10\n1000,100,9.9999\n")
    assert found.violated.tolist() == [False, True]
    assert summarise(compare("work,size,time_s\n1000,100,10\n")).distance.groups["rest"].share is None


def test_where_every_row_breaks_its_bound_there_is_no_distance():
    assert summarise(compare("work,size,time_s\n1000,100,5\n")).distance is None


# ------------------------------------------------------------------------------------------ what is a bound


def test_a_derived_ceiling_bounds_nothing_and_is_told():
    derived = ComputeCeiling("special", figure(50, "derived"))
    profile = replace(TINY, ceilings={**TINY.ceilings, "special": derived})
    text = "work,size,special,time_s\n1000,10,500,5\n"  # special 10 s, product 1 s, memory 1 s
    strict = compare(text, profile)
    assert strict.bound_s.tolist() == [1.0] and strict.parts_s()["figures"].tolist() == [9.0]
    assert any("special (derived)" in note for note in strict.notes) and not strict.violated.any()
    published = compare(text)
    assert published.bound_s.tolist() == [10.0] and published.violated.tolist() == [True]
    assert not any("special" in note for note in compare("work,size,time_s\n1000,10,5\n", profile).notes)


def test_assumed_slopes_bound_nothing():
    dram = replace(TINY.boundaries["dram"], slopes={"gather": figure(1, "assumed")})
    profile = replace(TINY, boundaries={**TINY.boundaries, "dram": dram})
    found = compare(
        "work,size,kind,time_s\n10,100,gather,50\n", profile
    )  # 100 s at the slope, 10 s published
    assert found.bound_s.tolist() == [10.0] and not found.violated.any()
    assert found.parts_s()["figures"].tolist() == [90.0]


def test_a_measured_bandwidth_is_a_bound_and_an_assumed_one_is_not():
    for provenance, bound in (("measured", 10.0), ("assumed", 0.001), ("derived", 0.001)):
        dram = Boundary("dram", "Memory", figure(10, provenance))
        profile = replace(TINY, boundaries={**TINY.boundaries, "dram": dram})
        assert compare("work,size,time_s\n1,100,20\n", profile).bound_s.tolist() == [bound]


@pytest.mark.parametrize("boundary", ["l2", "shared", "register", "all"])
def test_what_rests_on_a_tile_is_never_held_against(boundary):
    with pytest.raises(ParameterError, match=r"bounds nothing in the strict sense"):
        compare("work,size,time_s\n1,100,20\n", boundary=boundary)


@pytest.mark.parametrize("kind", ["inside", "twice inside"])
def test_a_kernel_at_home_on_the_chip_has_no_bound_there(kind):
    with pytest.raises(ParameterError, match=r"l2 bounds nothing in the strict sense"):
        compare(f"work,size,kind,time_s\n1000,10,{kind},5\n")
    assert compare(f"work,size,kind,time_s\n1000,10,{kind},5\n", boundary="dram").boundary == "dram"


def test_limits_that_cannot_be_judged_are_told():
    found = compare("work,size,time_s\n1000,10,5\n", without(TINY, sms=None, launch_overhead=None))
    assert any(note.startswith("Not judged: waves") for note in found.notes)
    assert any(note.startswith("Not judged: launch") for note in found.notes)
    assert any("rates reached" in note and "bf16-tensor" in note for note in found.notes)
    assert found.parts_s()["launch"].tolist() == [0.0]


# ------------------------------------------------------------------------------------------ many kinds of rows


def test_formats_and_choices_come_from_the_table():
    ceilings = {**TINY.ceilings, "fp8-tensor": ComputeCeiling("fp8-tensor", figure(2000))}
    text = (
        "work,size,dtype,kind,time_s\n4000,10,fp8,plain,8\n4000,10,bf16,plain,8\n"
        "4000,10,fp8,twice,8\n4000,10,bf16,twice,10\n"
    )
    found = compare(text, replace(TINY, ceilings=ceilings))
    assert found.bound_s.tolist() == [2.0, 4.0, 4.0, 8.0]
    assert found.table.line.tolist() == [2, 3, 4, 5]
    assert [row.dtype for row in found.table.rows()] == ["fp8", "bf16", "fp8", "bf16"]
    assert set(summarise(found).by_bound) == {"compute at fp8-tensor", "compute at bf16-tensor"}


def test_parameters_and_formats_for_all_rows():
    found = validate_table(table("work,time_s\n1000,20\n"), Against(SOURCE, "piece", TINY, {"size": "100"}))
    assert found.bound_s.tolist() == [10.0]


def test_rows_without_a_time_and_refused_rows_are_counted_and_left_out():
    found = compare(
        "work,size,refuse,time_s\n1000,10,0,2\n1000,10,1,2\n1000,10,0,\n1000,10,2,3\n1000,10,3,3\n"
    )
    assert found.ratio.tolist() == [2.0, 3.0] and found.table.line.tolist() == [2, 5]
    assert (found.untimed, found.refusal_count) == (1, 2)
    assert [(one.line, one.reason) for one in found.refusals] == [(3, "refuse is odd"), (6, "refuse is odd")]


def test_tables_that_cannot_be_held_against_anything():
    with pytest.raises(ParameterError, match=r"no column is a time"):
        compare("work,size\n1,2\n")
    with pytest.raises(ParameterError, match=r"empty in all 2 rows"):
        compare("work,size,time_s\n1,2,\n1,2,-\n")
    with pytest.raises(ParameterError, match=r"every row is refused. The first, line 2: refuse is odd"):
        compare("work,size,refuse,time_s\n1,2,1,3\n")
    with pytest.raises(ParameterError, match=r"shapes of piece, not of gemm"):
        validate_table(table("work,size,time_s\n1,2,3\n"), Against(SOURCE, "gemm", TINY))


def test_refusals_here_and_there_end_at_some_thousands(monkeypatch):
    monkeypatch.setattr(validation_module, "MOST_REFUSED", 10)
    text = "work,size,refuse,time_s\n" + "".join(f"1000,10,{at % 2},2\n" for at in range(100))
    with pytest.raises(ParameterError, match=r"more than 10 rows here and there. The first, line 3"):
        compare(text)


def test_a_large_table_is_asked_for_in_few_calls_and_can_be_stopped():
    rows = CHUNK + 100
    text = "work,size,time_s\n" + "".join(f"{1000 + at},1,9999999\n" for at in range(rows))
    large, source, seen = table(text), Source(PIECE), []
    found = validate_table(large, Against(source, "piece", TINY), seen.append)
    assert len(found) == rows and source.asked == 2 and seen == [CHUNK / rows, 1.0]
    assert found.bound_s[[0, -1]].tolist() == [1.0, (1000 + rows - 1) / 1000]
    with pytest.raises(ValidationStoppedError):
        validate_table(large, Against(source, "piece", TINY), lambda _: False)


def test_a_fixed_cost_shows_where_unlike_shapes_keep_the_same_rest():
    # bounds of 1, 10, 100, 1000 s; each takes its bound, 3 s of launch and 500 s that nothing explains
    text = "work,size,time_s\n" + "".join(f"{bound * 1000},1,{bound + 503}\n" for bound in (1, 10, 100, 1000))
    distance = summarise(compare(text)).distance
    assert distance is not None and distance.fixed is not None
    assert (distance.fixed.rows, distance.fixed.time_s) == (
        3,
        500.0,
    )  # in the longest row it is no longer most of it
    same = "work,size,time_s\n" + "1000,1,504\n" * 4
    assert summarise(compare(same)).distance.fixed is None


# ------------------------------------------------------------------------------------------ causes and words


def causes(binding, ratio, traffic=1e4, profile=TINY):
    return usual_causes(profile, binding, ratio=ratio, traffic_bytes=traffic)


def test_warm_caches_come_first_where_the_data_fits():
    l2 = replace(TINY.boundaries["l2"], capacity=figure(200))
    profile = replace(TINY, boundaries={**TINY.boundaries, "l2": l2})
    assert causes("dram", 0.5, 150, profile)[0].startswith("warm caches: its 150 B fit into the L2 of 200 B")
    larger = causes("dram", 0.9, 1000, profile)  # 100 bytes too many, and the cache holds 200
    assert larger[0].startswith("another part") and "100 B of 1.00 kB would account" in larger[1]
    assert not any("warm" in one for one in causes("dram", 0.5, 1000, profile))  # 500 bytes do not fit
    assert not any("warm" in one for one in causes("dram", 0.5))  # no capacity known


def test_the_causes_name_the_rate_that_would_be_needed():
    assert "takes 12.50 B/s where Tiny has 10.00 B/s at Memory" in causes("dram", 0.8)[0]
    assert "takes 1.250 kFLOP/s where Tiny has 1.000 kFLOP/s" in causes("bf16-tensor", 0.8)[0]


def test_the_size_of_the_breach_tells_the_unit_from_the_timer():
    assert "unit" in causes("dram", 0.001)[0] and not any("unit" in one for one in causes("dram", 0.5))
    assert causes("dram", 0.99)[-1].startswith(
        "the timer's resolution, or rounding in the file: it is 1.0% short"
    )
    assert "does not wait" in causes("bf16-tensor", 0.5)[-1]


def test_the_report_says_it_in_words():
    found = compare("work,size,blocks,padded,time_s\n4000,10,6,6000,14\n1000,100,4,0,8\n")
    told = "\n".join(validation_lines(found, summarise(found), top=5, holds=("Tiny 2",)))
    assert "piece on Tiny, compulsory at dram: 2 rows of the table" in told
    assert "1 row below the bound" in told and "1 row between 3 and 5 times the bound" in told
    assert "line 3: work=1000 size=100 blocks=4 padded=0: 8.000 s measured, 10.00 s bound, 0.8000×" in told
    assert "no row is faster than its bound on Tiny 2" in told
    assert "where the distance comes from: 3.500× over 1 row" in told
    for words in ("quantisation", "tiles", "waves", "launch and latency", "the rest", "unexplained"):
        assert words in told
    whole = compare("work,size,time_s\n4000,10,14\n")
    assert "no row is faster than its bound; the nearest is 3.500× of it" in "\n".join(
        validation_lines(whole, summarise(whole), top=5)
    )


def test_the_document_is_strict_and_whole():
    read = table("work,size,blocks,padded,time_s\n4000,10,6,6000,14\n1000,100,4,0,8\nx,1,1,1,1\n")
    found = validate_table(read, Against(SOURCE, "piece", TINY))
    document = validation_document(
        found, summarise(found), file="a.csv", faults=(read.faults, read.fault_count)
    )
    again = json.loads(json.dumps(document, allow_nan=False))
    assert again["rows"] == {"compared": 2, "violated": 1, "without_time": 0, "refused": 0, "faults": 1}
    assert (again["model"], again["policy"], again["boundary"], again["hardware"]) == (
        "bound", "compulsory", "dram", "tiny",
    )  # fmt: skip
    (broken,) = again["violations"]
    assert (broken["line"], broken["ratio"], broken["needed_per_s"], broken["unit"]) == (3, 0.8, 12.5, "B/s")
    assert again["distance"]["quantisation"]["factor"] == pytest.approx(2)
    assert again["distance"]["quantisation"]["steps"]["tiles"]["factor"] == pytest.approx(1.5)
    assert again["distance"]["launch"]["factor"] == pytest.approx(11 / 8)
    assert again["distance"]["rest"]["factor"] == pytest.approx(14 / 11)
    assert again["histogram"][-1]["high"] is None
    assert again["faults"][0]["line"] == 4 and again["faults"][0]["column"] == "'work'"


def test_the_table_of_rows_adds_up():
    found = compare("work,size,dtype,kind,time_s\n4000,10,bf16,plain,14\n1000,100,bf16,twice,45\n")
    rows = list(csv.DictReader(io.StringIO(validation_csv(found))))
    assert [(row["line"], row["work"], row["kind"], row["dtype"]) for row in rows] == [
        ("2", "4000", "plain", "bf16"), ("3", "1000", "twice", "bf16"),
    ]  # fmt: skip
    assert [float(row["bound_s"]) for row in rows] == [4.0, 20.0]
    for row in rows:
        parts = sum(float(row[f"{step.id}_s"]) for step in STEPS)
        assert parts == pytest.approx(float(row["measured_s"]) - float(row["bound_s"]))

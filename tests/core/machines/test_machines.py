"""Machines against each other, over the years, and with rates that are not there yet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.hardware import Boundary
from rooflinestudio.core.machines.difference import differences
from rooflinestudio.core.machines.gains import gains_of
from rooflinestudio.core.machines.trend import trend_of
from rooflinestudio.core.machines.what_if import changed_machine, factors_of, flips
from tests.core.profiles import TINY, figure, machine
from tests.ui.canvas.samples import FAST, SLOW, Source, entry, placed

# Figure by figure -----------------------------------------------------------------------------------------------------


def rows_of(*machines):
    return {one.key: one for one in differences(machines)}


def test_every_figure_is_held_against_the_first_machine():
    rows = rows_of(FAST, SLOW)
    bf16 = rows["ceilings.bf16-tensor"]
    assert [one.value for one in bf16.cells] == [1000e12, 300e12]
    assert bf16.cells[1].ratio == pytest.approx(0.3)
    assert rows["bandwidths.dram"].cells[1].ratio == pytest.approx(0.5)
    # Ridges: 1000e12 / 4e12 and 300e12 / 2e12.
    assert [one.value for one in rows["ridges.dram"].cells] == pytest.approx([250.0, 150.0])
    assert rows["ridges.dram"].more_is_better is None


def test_what_one_machine_does_not_know_is_absent_and_differs():
    rows = rows_of(FAST, SLOW)
    fp8 = rows["ceilings.fp8-tensor"]
    assert (fp8.cells[1].value, fp8.cells[1].ratio, fp8.differs) == (None, None, True)
    assert "capacities.dram" not in rows  # known of neither


def test_equal_machines_do_not_differ():
    assert not any(one.differs for one in differences((FAST, replace(FAST, id="other"))))


def test_boundaries_with_words_of_their_own_go_by_the_usual_one():
    hbm, ddr = (
        machine(word, ceilings={"fp32": 1.0}, boundaries={"dram": Boundary("dram", word, figure(1))})
        for word in ("HBM", "DDR")
    )  # fmt: skip
    assert rows_of(hbm, ddr)["bandwidths.dram"].label == "DRAM"
    assert rows_of(hbm, hbm)["bandwidths.dram"].label == "HBM"


def test_integer_rates_are_operations():
    rows = rows_of(machine("m", ceilings={"int8-tensor": 2.0, "bf16-tensor": 1.0}, boundaries={"dram": 1.0}))
    assert (rows["ceilings.int8-tensor"].unit, rows["ceilings.bf16-tensor"].unit) == ("OP/s", "FLOP/s")


def test_less_latency_and_overhead_is_better():
    rows = rows_of(TINY)
    assert rows["latencies.dram"].more_is_better is False
    assert rows["ceilings.fp32"].more_is_better is True


# What if --------------------------------------------------------------------------------------------------------------


def test_factors_are_read_leniently():
    setting = {
        "dram": 2,
        "clock": 0.5,
        "gone": 3,
        "l2": "fast",
        "fp32": True,
        "bf16-tensor": 1.0,
        "nvlink": 99,
    }
    assert factors_of(FAST, setting) == {"dram": 2.0, "clock": 0.5}
    assert factors_of(FAST, None) == {}


def test_a_changed_machine_says_what_it_is():
    changed = changed_machine(FAST, {"dram": 2.0})
    assert changed.boundary("dram").bytes_per_s == 8e12
    assert changed.boundary("dram").bandwidth.provenance == "assumed"
    assert changed.boundary("l2") is FAST.boundary("l2")
    assert changed.ceilings["fp32"] is FAST.ceilings["fp32"]
    assert (changed.id, changed.based_on) == ("fast-what-if", "fast")
    assert "HBM × 2" in changed.notes[-1]


def test_the_clock_moves_ceilings_and_caches_but_neither_memory_nor_links():
    changed = changed_machine(FAST, {"clock": 0.5, "fp32": 4.0})
    assert changed.ceilings["bf16-tensor"].flop_per_s == 500e12
    assert changed.ceilings["fp32"].flop_per_s == 100e12  # 50e12 x 4 x 0.5
    assert changed.boundary("l2").bytes_per_s == 5e12
    assert changed.boundary("dram").bytes_per_s == 4e12
    assert changed.boundary("nvlink").bytes_per_s == 400e9


def test_a_changed_machine_changed_again_keeps_its_id():
    assert changed_machine(changed_machine(FAST, {}), {"dram": 2.0}).id == "fast-what-if"


def test_verdicts_flip_where_another_capacity_runs_out():
    # 300 FLOP/byte is right of the ridge of 250, and left of it (500) with twice the ceiling.
    study = placed(entry("near", work=3e12, traffic=1e10), entry("far", work=1e14, traffic=1e10))
    near, far = flips(study, FAST, changed_machine(FAST, {"bf16-tensor": 2.0}), Source())
    assert (near.before.bound, near.after.bound, near.flips) == ("compute", "memory", True)
    # 3 ms of arithmetic before, 2.5 ms of traffic after.
    assert near.speedup == pytest.approx(3e12 / 1000e12 / (1e10 / 4e12))
    assert (far.flips, far.speedup) == (False, pytest.approx(2.0))


def test_hidden_entries_and_other_machines_are_left_out():
    study = placed(
        entry("shown"), entry("hidden", visible=False), entry("other", machines=("slow",)), machines=(FAST, SLOW)
    )  # fmt: skip
    assert [one.entry for one in flips(study, FAST, changed_machine(FAST, {}), Source())] == ["shown"]


# Gains ----------------------------------------------------------------------------------------------------------------


def test_the_resource_that_binds_buys_a_tenth_and_the_others_nothing():
    # 1 000 FLOP/byte: 10 ms on the tensor pipe. A tenth more of it saves 1 - 1/1.1 = 9.09%.
    gains = {one.id: one for one in gains_of(placed(entry(work=1e13, traffic=1e10)), FAST, Source())}
    assert gains["bf16-tensor"].saved == pytest.approx(1 - 1 / 1.1)
    assert gains["bf16-tensor"].helped == ("one",)
    assert gains["clock"].saved == pytest.approx(1 - 1 / 1.1)
    assert gains["dram"].saved == 0
    assert gains["launch"].saved == 0  # the pure bound knows no launches


def test_with_two_bounds_each_resource_buys_its_part_and_the_largest_comes_first():
    # 10 ms of arithmetic and 5 ms of traffic: together 15 ms.
    study = placed(entry("product", work=1e13, traffic=1e10), entry("stream", work=1e9, traffic=2e10))
    gains = gains_of(study, FAST, Source())
    by_id = {one.id: one for one in gains}
    assert by_id["bf16-tensor"].time_s == pytest.approx(15e-3)
    assert by_id["bf16-tensor"].saved == pytest.approx(10 / 15 * (1 - 1 / 1.1))
    assert by_id["dram"].saved == pytest.approx(5 / 15 * (1 - 1 / 1.1))
    assert [one.id for one in gains][:3] == ["bf16-tensor", "clock", "dram"]
    assert by_id["dram"].helped == ("stream",)


def test_a_forecast_sees_launches():
    # 1 µs of overhead beside 10 µs of arithmetic: a tenth off saves 1/11 µs of 11.
    gains = gains_of(placed(entry(work=1e10, traffic=1e4), forecast=True), FAST, Source())
    launch = next(one for one in gains if one.id == "launch")
    assert launch.saved == pytest.approx((1e-6 - 1e-6 / 1.1) / 11e-6)


def test_nothing_placed_nothing_gained():
    assert gains_of(placed(), FAST, Source()) == ()


# Over the years -------------------------------------------------------------------------------------------------------


def in_year(year, peak, bandwidth, link=None):
    boundaries = {"dram": bandwidth, **({"nvlink": link} if link else {})}
    made = machine(f"m{year}", ceilings={"bf16-tensor": peak}, boundaries=boundaries)
    return replace(made, year=year)


def test_the_fitted_growth_is_per_two_years():
    # The peak doubles each year, the bandwidth every two years: ridge 4 / 2 = 2 per two years.
    machines = [in_year(2016 + n, 100e12 * 2**n, 1e12 * 2 ** (n / 2)) for n in range(5)]
    trend = trend_of(reversed(machines))
    found = {one.id: one for one in trend.series}
    assert found["peak"].growth == pytest.approx(4.0)
    assert found["bandwidth"].growth == pytest.approx(2.0)
    assert found["ridge"].growth == pytest.approx(2.0)
    assert found["peak"].at(2018) == pytest.approx(400e12)
    assert "link" not in found
    assert (trend.first_year, trend.last_year) == (2016, 2020)
    assert [one.year for one in found["peak"].points] == [2016, 2017, 2018, 2019, 2020]


def test_two_machines_or_one_year_have_no_growth():
    assert trend_of([in_year(2020, 1e12, 1e12), in_year(2022, 2e12, 1e12)]).series[0].growth is None
    same = [replace(in_year(2020, 1e12 * n, 1e12), id=f"x{n}") for n in (1, 2, 3)]
    assert trend_of(same).series[0].growth is None
    assert trend_of([]) is None


def test_the_fastest_link_counts():
    series = trend_of([in_year(2020, 1e12, 1e12, link=3e11)]).series
    assert [one.points[0].value for one in series if one.id == "link"] == [3e11]


def test_sram_at_the_place_of_the_memory_is_no_device_memory():
    wafer = replace(
        in_year(2024, 1e15, 1.0), boundaries={"dram": Boundary("dram", "SRAM on the wafer", figure(21e15))}
    )
    found = {one.id: one for one in trend_of([in_year(2022, 1e15, 3e12), wafer]).series}
    assert {key: len(one.points) for key, one in found.items()} == {"peak": 2, "bandwidth": 1, "ridge": 1}

"""Every number explains itself, and the arithmetic shown comes to the figure."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.explain import explain, explanation_lines
from rooflinestudio.core.explain_arithmetic import agrees, value_of
from rooflinestudio.core.explain_words import amount
from rooflinestudio.core.operators import Formula, Launch, Tensor
from rooflinestudio.core.placement import Settings, place_estimate
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.profile_files import shipped_profiles
from rooflinestudio.plugins.host import PluginHost
from tests.core.kernels import composite, kernel
from tests.core.profiles import TINY

PREFIX = {
    "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
    "m": 1e-3, "µ": 1e-6, "n": 1e-9, "p": 1e-12,
}  # fmt: skip


def worked_out(text: str) -> float:
    """Work the arithmetic of a substitution out with Python's own arithmetic: an independent reading of it."""
    text = re.sub(r"(?<=\d) ([kMGTPEmµnp]?)(FLOP/s|FLOP/byte|FLOP|B/s|B|s)(?![A-Za-z])",
                  lambda match: f"*{PREFIX[match[1]]!r}", text)  # fmt: skip
    # "a / 3 TB/s" divides by all of 3e12: each number with its prefix goes into parentheses.
    text = re.sub(r"(\d[\d.]*(?:e[+\-−]?\d+)?)\*([\d.e+-]+)", r"(\1*\2)", text)
    text = text.replace("·", "*").replace("−", "-")
    text = re.sub(r"⌈", "math.ceil(", text).replace("⌉", ")")
    assert re.fullmatch(r"[0-9.e+*/(), -]*", re.sub(r"math\.ceil|max|min", "", text)), text
    return float(eval(text, {"math": math, "max": max, "min": min}))  # digits, operators, three functions


@pytest.fixture(scope="module")
def machines():
    return {entry.id: entry.load() for entry in shipped_profiles()}


def _built_in():
    host = PluginHost.discover()
    host.load_builtins()
    return host.registry


REGISTRY = _built_in()
OPERATORS = [operator.id for operator in REGISTRY.operators]
HELD = [
    Settings(boundary=boundary, policy=policy, forecast=forecast)
    for boundary in (None, "all", "l2", "shared", "nvlink")
    for policy in ("compulsory", "tiled", "modelled")
    for forecast in (False, True)
]


@pytest.mark.parametrize("id_", OPERATORS)
def test_what_is_shown_comes_to_the_figure_at_every_boundary_under_every_policy(id_, machines) -> None:
    checked = 0
    for settings in HELD:
        for dtype in ({}, {"all": DTYPES["fp32"]}):
            try:
                placement = evaluate(REGISTRY, id_, {}, dtype, machines["nvidia-h100-sxm5"], settings)
            except StudioError:  # nothing crosses there, or no such pipe
                continue
            for one in explain(placement):
                assert one.symbols and one.convention + one.source, one
                if not one.values:
                    assert one.result is None or math.isinf(one.result), one
                    continue
                assert worked_out(one.values) == pytest.approx(one.result, rel=3e-5, abs=1e-300), one
                checked += 1
    assert checked > 50


def by_figure(placement):
    return {one.figure: one for one in explain(placement)}


def test_the_results_are_the_figures_of_the_placement() -> None:
    placement = place_estimate(
        kernel(2000, 30, 20, blocked={"dram": (60.0, 20.0), "l2": (300.0, 0.0)}, more_work={"fp32": 50.0}),
        TINY, Settings(policy="modelled", absorption=0.5, overlap=0.25),
    )  # fmt: skip
    found = by_figure(placement)

    assert found["work"].result == 2050 and found["work"].values == "2 kFLOP + 50 FLOP"
    assert (found["traffic dram compulsory"].result, found["traffic dram tiled"].result) == (50, 80)
    assert found["traffic dram modelled"].values == "50 B + (1 − 0.5)·(80 B − 50 B)"
    assert found["traffic dram modelled"].result == placement.traffic_bytes == 65
    assert found["traffic l2"].result == 300
    assert found["ridge dram"].result == 100 and found["ridge l2"].result == 10
    # Compute 2000/1000 = 2 s, memory 65/10 = 6.5 s, a quarter of the shorter one hidden: 6.5 + 0.75 · 2.
    assert found["time"].result == placement.time_s == 8.0
    assert found["time"].values == "max(2 s, 6.5 s) + (1 − 0.25)·min(2 s, 6.5 s)"
    assert found["attainable"].result == pytest.approx(2050 / 8)
    assert found["fraction of peak"].result == pytest.approx(2000 / 8 / 1000)


def test_every_machine_figure_names_provenance_and_source(machines) -> None:
    placement = place_estimate(kernel(1e12, 1e9), machines["nvidia-h100-sxm5"])
    ridge = by_figure(placement)["ridge dram"]

    assert "bf16-tensor, dense rate" in ridge.convention and "HBM3" in ridge.convention
    assert "published (dense, fp32 accumulation, 1.83 GHz)" in ridge.source and "2026-11-29" in ridge.source


def test_the_conventions_are_said() -> None:
    found = by_figure(place_estimate(kernel(1000, 30, 20), TINY))

    assert "FMA = 2" in found["work"].convention
    assert "1 GB = 1e9 B" in found["traffic dram compulsory"].convention
    assert "cold caches" in found["traffic dram compulsory"].convention


def test_a_formula_whose_arithmetic_does_not_give_the_figure_is_not_shown() -> None:
    wrong = (Formula("work", "W = 3·n", "3·7", "a slip"), Formula("compulsory", "Q = n", "50", "bytes"))
    found = by_figure(place_estimate(kernel(1000, 30, 20, formulas=lambda: wrong), TINY))

    assert found["work"].values == "1 kFLOP" and "slip" not in found["work"].source
    assert found["traffic dram compulsory"].values == "50"


def test_a_formula_without_values_keeps_its_symbols() -> None:
    bare = (Formula("work", "W = Σ visible keys", "", "counted row by row"),)
    work = by_figure(place_estimate(kernel(1000, 30, 20, formulas=lambda: bare), TINY))["work"]

    assert (work.symbols, work.values, work.source) == ("W = Σ visible keys", "1 kFLOP", "counted row by row")


def test_the_terms_of_a_forecast_are_explained() -> None:
    estimate = kernel(
        900, 20, padded_work={"bf16-tensor": 1000.0}, launch=Launch(blocks=5, bytes_in_flight=10, kernels=2)
    )
    found = by_figure(place_estimate(estimate, TINY, Settings(forecast=True)))

    assert found["tiles"].result == 0.9
    assert found["waves"].values == "5 / (⌈5/4⌉·4)" and found["waves"].result == 0.625
    assert found["time compute"].result == pytest.approx(1 / 0.625)
    # 10 bytes in flight over 5 s of latency sustain 2 of 10 bytes per second.
    assert found["bandwidth dram"].result == 2 and found["time dram with latency"].result == 10
    assert found["launch"].values == "2·3 s" and found["time"].result == 16


def test_tensors_on_a_slope_of_their_own_are_told_apart(machines) -> None:
    tensors = (
        Tensor("rows", 1e9, DTYPES["fp8"], 1, 0, "input", "gather"),
        Tensor("out", 1e9, DTYPES["fp8"], 0, 1, "output"),
    )
    placement = place_estimate(kernel(1e9, tensors=tensors), machines["nvidia-h100-sxm5"])
    time = by_figure(placement)["time dram"]

    assert time.values == "1 GB / 3.35 TB/s + 1 GB / 418.75 GB/s"
    assert time.result == pytest.approx(1e9 / 3.35e12 + 1e9 / 418.75e9)


def test_a_composite_explains_its_sums_and_its_kernels() -> None:
    whole = composite(("a", 3, kernel(1000, 10)), ("b", 1, kernel(10, 50)))
    found = by_figure(place_estimate(whole, TINY))

    assert found["work"].values == "3·1 kFLOP + 10 FLOP" and found["work"].result == 3010
    assert found["traffic dram"].values == "3·10 B + 50 B"
    assert found["time"].values == "3·1 s + 5 s" and found["time"].result == 8
    assert found["a: work"].result == 1000 and found["b: time"].result == 5


def test_a_boundary_that_is_not_crossed_is_explained_as_what_would_be() -> None:
    found = by_figure(place_estimate(kernel(1000, 30, 20), TINY, Settings(boundary="nvlink")))

    assert "if every tensor crossed it once" in found["traffic nvlink"].symbols
    assert "time nvlink" not in found and found["time"].result == 1.0


def test_what_must_fit_is_held_against_the_capacity() -> None:
    found = by_figure(place_estimate(kernel(1000, 30, 20, footprint_bytes=50.0), TINY))

    assert found["footprint"].result == 50 and "Memory holds 5 kB" in found["footprint"].source


def test_zero_work_and_zero_traffic_are_explained_without_division() -> None:
    none = by_figure(place_estimate(kernel(0, 30, 20), TINY))
    endless = by_figure(place_estimate(kernel(1000), TINY))

    assert none["intensity dram"].result == 0 and none["attainable"].result == 0
    assert endless["intensity dram"].result == math.inf and endless["intensity dram"].values == ""


def test_several_points_at_once_have_formulas_without_values() -> None:
    formulas = (Formula("work", "W = n", "", "counted"),)
    many = place_estimate(kernel(np.array([1.0, 2.0]), 10, formulas=lambda: formulas), TINY)

    assert [(one.figure, one.values, one.result) for one in explain(many)] == [("work", "", None)]


def test_the_lines_are_aligned_and_repeat_no_source(machines) -> None:
    placement = place_estimate(kernel(1e12, 1e9), machines["nvidia-h100-sxm5"])
    lines = explanation_lines(explain(placement))

    assert max(map(len, lines)) <= 112
    assert {line[26:27].isspace() for line in lines} == {True} and not any(
        line[27:28].isspace() for line in lines[:1]
    )
    assert sum("HPCTech distributor page" in line for line in lines) <= 3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2·4096", 8192), ("100 MB / 2 GB/s", 0.05), ("⌈140/132⌉·132/140", 264 / 140),
        ("max(1 s, 3 ms) − min(2, 1)", 0),
        ("1.5e−3·2", 0.003), ("50 %", 0.5), ("(2 + 3)·-4", -20), ("3 FLOP/byte", 3),
        ("", None), ("2·", None), ("2 2", None), ("abc", None), ("1/0", None), ("__import__('os')", None),
        ("max()", None), ("(" * 200 + "1" + ")" * 200, None), ("1 " * 30000, None), ("2 parsecs", None),
    ],
)  # fmt: skip
def test_arithmetic_is_read_and_nothing_else(text: str, value: float | None) -> None:
    assert value_of(text) == (value if value is None else pytest.approx(value))


def test_agreement_allows_for_six_digits_and_no_more() -> None:
    assert agrees("1.23457 GB", 1.2345678e9) and not agrees("1.23 GB", 1.2345678e9) and not agrees("?", 1)


@pytest.mark.parametrize("value", [3.35e12, 1.0, 999.9996e9, 1.23456789e-9, 0.1, 4.2e20])
@pytest.mark.parametrize("unit", ["B", "s", "FLOP/s"])
def test_amounts_read_back_to_six_digits(value: float, unit: str) -> None:
    if unit == "s" or value >= 0.1:
        assert agrees(amount(value, unit), value)

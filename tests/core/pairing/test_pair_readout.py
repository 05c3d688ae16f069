from dataclasses import replace

import pytest

from rooflinestudio.core.pairing.edits import with_pair
from rooflinestudio.core.pairing.readout import read_pair, row_for_pair
from rooflinestudio.core.pairing.words import drop_words, full_label, pair_lines, pair_rows, quiet_label
from rooflinestudio.core.study import Entry
from tests.core.diagnosing import measured
from tests.core.pairing.desk import ONE, PRODUCT, add_kernel, held, product, profile, study_with
from tests.ui.shell_helpers import A100, H100, gemm

WHERE = "W from gemm m = 4096, n = 4096, k = 4096"
# modelled, absorption 0.85: 100.66 MB compulsory, 33.55 MB · (32 + 32 + 1) tiled
PREDICTED = 100.663296e6 + 0.15 * (33.554432e6 * 65 - 100.663296e6)


def read(kernel, entry="gemm-1", study=None, **view):
    placed = held(study or study_with(kernel, policy="modelled", **view))
    return read_pair(kernel, row_for_pair(placed, entry, H100), profile(), "dram", placed.study.overlays[0])


def test_work_that_the_counters_are_blind_to_is_the_operators_and_says_so():
    pair = read(product())
    assert pair.is_lent and (pair.work_flop, pair.pipe) == (PRODUCT, "bf16-tensor")
    assert pair.intensity == pytest.approx(PRODUCT / 588e6)
    assert pair.achieved_flop_per_s == pytest.approx(PRODUCT / 196e-6)
    assert list(pair_lines(pair))[-1] == f"{WHERE}: the tensor pipe was not counted"
    assert full_label(pair)[-1] == WHERE


def test_arithmetic_of_the_epilogue_is_not_taken_for_the_work_of_the_product():
    pair = read(product(work={"fp32": 2.0 * 4096 * 4096}))  # one multiply-add for each element of C
    assert pair.is_lent and pair.work_flop == PRODUCT


def test_work_that_was_counted_stays():
    pair = read(product(work={"bf16-tensor": 1e11}))
    assert not pair.is_lent and pair.work_flop == 1e11 and pair.intensity == pytest.approx(1e11 / 588e6)
    assert not any("W from" in line for line in (*pair_lines(pair), *full_label(pair)))


def test_the_ratios_of_time_traffic_and_headroom():
    pair = read(product())
    assert pair.bound_ratio == pytest.approx(196e-6 / (PRODUCT / 989.4e12))  # 1.411
    assert pair.traffic_ratio == pytest.approx(588e6 / PREDICTED)  # 1.425
    # at 233.7 FLOP/byte the slope allows 783.0 TFLOP/s; 701.2 are achieved
    assert pair.headroom == pytest.approx((PRODUCT / 588e6) * 3.35e12 / (PRODUCT / 196e-6))
    assert pair.headroom_ratio == pair.headroom and pair.predicted_headroom == 1
    assert [(one.id, one.text) for one in pair_rows(pair)] == [
        ("bound", "1.41× slower"), ("traffic", "1.42×"), ("headroom", "1.12×")
    ]  # fmt: skip
    assert quiet_label(pair) == "measured 1.41× slower"
    assert full_label(pair)[:2] == ("measured 1.41× slower", "Q 1.42× · headroom 1.12×")


def test_under_a_forecast_the_pair_is_held_against_that_and_against_the_bound():
    bound, pair = read(product()), read(product(), forecast=True)
    assert bound.forecast_ratio is None and bound.time_ratio == bound.bound_ratio
    assert pair.forecast_s > pair.bound_s == pytest.approx(PRODUCT / 989.4e12)
    assert pair.time_ratio == pair.forecast_ratio == pytest.approx(196e-6 / pair.forecast_s)
    # the predicted point lies below the roof by as much as it takes longer
    assert pair.predicted_headroom == pytest.approx(pair.forecast_s / pair.bound_s)
    assert pair.headroom_ratio == pytest.approx(pair.headroom / pair.predicted_headroom)
    assert [one.id for one in pair_rows(pair)] == ["forecast", "bound", "traffic", "headroom"]


def test_what_was_not_measured_is_left_out():
    pair = read(product(dram=None))
    assert not pair.has_place and [one.id for one in pair_rows(pair)] == ["bound"]
    pair = read(product(time=None))
    assert (
        pair.time_ratio is None
        and quiet_label(pair) == ""
        and [one.id for one in pair_rows(pair)] == ["traffic"]
    )


def test_a_kernel_below_the_bound_is_doubted_in_the_words_of_its_row():
    row = next(pair_rows(read(product(time=100e-6))))
    assert row.text == "1.39× faster" and "nothing is faster" in row.tip


def test_a_composite_lends_no_work():
    layer = Entry("layer", "transformer_layer", label="Layer")
    kernel = product()
    pair = read(kernel, "layer", study_with(kernel, entries=(layer,)))
    assert not pair.is_lent and pair.work_flop is None


def test_the_row_on_the_machine_in_view_counts_else_the_first():
    study = study_with(
        product(), entries=(gemm("gemm-1"), gemm("gemm-2", machines=(A100,))), machines=(H100, A100)
    )
    placed = held(study)
    assert row_for_pair(placed, "gemm-1", A100).machine == A100
    assert row_for_pair(placed, "gemm-2", H100).machine == A100
    assert row_for_pair(placed, "nothing", H100) is None


def test_before_it_is_let_go_a_kernel_is_told_what_will_happen():
    made = study_with(product(), add_kernel(), measured(launch=2, kernel="k", time=None))
    placed = held(made)
    assert drop_words(placed, [(ONE, 0)], "gemm-1", H100) == f"Pair with GEMM: {WHERE}, 1.41× slower"
    # 536.9 MFLOP were counted; 1.1 ms against 961.5 µs
    assert drop_words(placed, [(ONE, 1)], "add-1", H100) == "Pair with Add: W was counted, 1.14× slower"
    assert drop_words(placed, [(ONE, 0), (ONE, 1)], "add-1", H100) == "Pair 2 kernels with Add"
    assert drop_words(placed, [(ONE, 2)], "gemm-1", H100) == f"Pair with GEMM: {WHERE}"
    paired = held(with_pair(made, ONE, 0, "gemm-1"))
    assert drop_words(paired, [(ONE, 0)], "gemm-1", H100) == "Paired with GEMM already"
    assert drop_words(paired, [(ONE, 0)], "add-1", H100).startswith("Pair with Add, instead of GEMM: ")
    assert drop_words(placed, [("f" * 64, 0), (ONE, 9)], "gemm-1", H100) == ""


def test_an_entry_that_is_not_placed_says_so():
    made = study_with(product(), entries=(gemm("gemm-1"), Entry("gone", "acme.none", label="Gone")))
    assert "not placed" in drop_words(held(made), [(ONE, 0)], "gone", H100)


def test_hidden_policies_of_the_view_are_those_of_the_row():
    pair = read(product(), study=replace(study_with(product(), policy="compulsory")))
    assert pair.predicted_bytes == pytest.approx(100.663296e6)

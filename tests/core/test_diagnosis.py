"""Verdict, roofs, gap to the prediction, and points that cannot be."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rooflinestudio.core.diagnosis.device import matching_profile, relation
from rooflinestudio.core.diagnosis.report import diagnosis_document, diagnosis_lines
from rooflinestudio.core.hardware import Achievable, ComputeCeiling
from tests.core.diagnosing import GEMM_WORK, asked, gemm, measured
from tests.core.profiles import A100, H100, H200, figure, machine

IDLE = {"bf16-tensor": 0.0}


def paired():
    """Diagnose the product of three 4096 in 196 µs with 588 MB, its matrix work not counted."""
    return asked(measured(time=196e-6, dram=588e6), placement=gemm(policy="modelled"))


# ------------------------------------------------------------------------------------------- what holds it


def test_a_kernel_at_the_memory_roof_is_memory_bound_there() -> None:
    # 300 MB in 100 µs are 3.0 TB/s of 3.35, 1.117 to the roof: 89.55 µs there, 10.4 to be won.
    found = asked(measured(work={"fp32": 1e8, **IDLE}, dram=300e6))
    assert found.kind == "memory" and found.standing is not None
    assert found.standing.headroom == pytest.approx(3.35 / 3.0)
    assert found.standing.roof_s == pytest.approx(300e6 / 3.35e12)
    assert found.standing.won_s == pytest.approx(100e-6 - 300e6 / 3.35e12)
    # 1 TFLOP/s at 1/3 FLOP/byte; the slope allows 3.35e12 / 3.
    assert found.standing.attainable_flop_per_s == pytest.approx(3.35e12 / 3)
    assert found.verdict == "Memory-bound at HBM3, measured: 1.12× to the roof where it stands."


def test_of_two_pipes_the_slower_one_is_the_point_and_binds() -> None:
    # In 100 µs 7 GFLOP on the matrix pipe take 7.1% of it, 6 GFLOP in fp32 89.7%.
    found = asked(measured(work={"bf16-tensor": 7e9, "fp32": 6e9}, dram=1e7))
    assert found.numbers[0].value == 6e9 and found.standing is not None
    assert found.measurement.pipe == "fp32"
    assert found.standing.achieved_flop_per_s == pytest.approx(6e13)
    assert (found.kind, found.standing.binding.id) == ("compute", "fp32")
    assert found.standing.attainable_flop_per_s == pytest.approx(66.9e12)
    assert found.answers[0].sentence == (
        "54% of the arithmetic runs on them, but fp32 takes longer for its part. The ceiling is fp32, 66.9 TFLOP/s."
    )


def test_what_is_reachable_of_a_measured_rate_follows_from_the_share_of_the_stated_one() -> None:
    # Half of the stated 100 TFLOP/s is 62.5% of the measured 80.
    known = Achievable(figure(0.5))
    ceiling = ComputeCeiling("fp32", figure(100e12), known, measured=figure(80e12, "measured"))
    for use, reachable in (("stated", 0.5), ("measured", 0.625)):
        judged = replace(H100, ceilings={**H100.ceilings, "fp32": ceiling.using(use)})
        found = asked(measured(work={"fp32": 4e9, **IDLE}, dram=1e7), judged)
        assert found.standing is not None
        assert found.standing.side("fp32").reachable == pytest.approx(reachable)


def test_a_kernel_at_its_ceiling_is_compute_bound() -> None:
    found = asked(measured(work={"fp32": 6e9, **IDLE}, dram=1e7))
    assert found.kind == "compute" and found.standing is not None
    assert found.standing.binding.id == "fp32" and found.standing.headroom == pytest.approx(66.9 / 60)


def test_the_ceiling_of_a_slow_clock_is_the_roof_that_is_near() -> None:
    # At 40% of the boost clock 2.4 GFLOP in 100 µs are 24 of the 26.76 TFLOP/s that this clock allows.
    clocked = replace(H100, clocks={"boost": figure(1.98e9)})
    slow = asked(measured(work={"fp32": 2.4e9, **IDLE}, dram=1e7, clock_hz=0.792e9), clocked)
    assert slow.kind == "compute"
    assert any("40% of the clock" in note and "26.8 TFLOP/s" in note and "90%" in note for note in slow.notes)
    full = asked(measured(work={"fp32": 2.4e9, **IDLE}, dram=1e7, clock_hz=1.98e9), clocked)
    assert full.kind == "unexplained"


def test_the_ceiling_of_a_slow_clock_holds_although_memory_is_nearer_by_the_data_sheet() -> None:
    # 24 of 66.9 TFLOP/s is 36%, and 90% at 40% of the clock; 1.5 of 3.35 TB/s is 45%.
    clocked = replace(H100, clocks={"boost": figure(1.98e9)})
    slow = asked(measured(work={"fp32": 2.4e9, **IDLE}, dram=150e6, clock_hz=0.792e9), clocked)
    assert slow.standing is not None and slow.standing.binding.id == "dram"
    assert slow.kind == "compute" and slow.verdict.startswith("Compute-bound at fp32")


def test_what_real_kernels_reach_moves_what_is_near() -> None:
    # 25 of 66.9 TFLOP/s is far from a ceiling of which 85% is reached, and near to one of which 45% is.
    reached = ComputeCeiling("fp32", figure(66.9e12), Achievable(typical=figure(0.45, "measured")))
    known = replace(H100, ceilings={**H100.ceilings, "fp32": reached})
    kernel_ = measured(work={"fp32": 2.5e9, **IDLE}, dram=1e7)
    assert (asked(kernel_).kind, asked(kernel_, known).kind) == ("unexplained", "compute")


def low(**more):
    return measured(work={"fp32": 602.1e6, **IDLE}, dram=33.5e6, **more)


@pytest.mark.parametrize(
    ("kernel_", "kind", "head"),
    [
        (low(extra={"active_warps": 8.0}), "latency", "Latency-bound, measured: no roof is near (HBM3 10%, fp32 9.0%)"),
        (replace(low(extra={"active_warps": 64.0}), time_s=19e-6, work={"fp32": 127e6, **IDLE}), "launch", "Too small"),
        (low(extra={"active_warps": 64.0}, grid=(140, 1, 1)), "quantisation", "Held by its last wave"),
        (low(extra={"active_warps": 64.0}), "unexplained", "Below both roofs"),
        (measured(time=None, work={"fp32": 1e9}, dram=1e8), "unknown", "Not judged: without t"),
        (measured(dram=1e8), "unknown", "Not judged: without W it cannot be held against both roofs (HBM3 30%)."),
    ],
)  # fmt: skip
def test_below_both_roofs_the_first_question_that_found_something_names_the_class(
    kernel_, kind, head
) -> None:
    found = asked(kernel_)
    assert found.kind == kind and found.verdict.startswith(head)


def test_the_order_of_questions_decides_where_several_found_something() -> None:
    # In 15 µs 4 MB and 80 MFLOP are 8% of both roofs; 4 warps on each SM, 140 blocks.
    small = measured(
        time=15e-6, work={"fp32": 80e6, **IDLE}, dram=4e6, extra={"active_warps": 4.0}, grid=(140, 1, 1)
    )
    found = asked(small)
    assert [found.answer(one).outcome for one in ("parallelism", "size", "quantisation")] == ["found"] * 3
    assert found.kind == "latency"


def test_an_integer_kernel_is_held_against_memory_alone() -> None:
    found = asked(measured(work={"fp32": 0.0, **IDLE}, dram=300e6))
    assert found.kind == "memory" and found.standing is not None
    assert found.standing.attainable_flop_per_s is None and found.numbers[0].value == 0


def test_an_upper_bound_of_traffic_never_binds() -> None:
    found = asked(measured(work={"fp32": 6e9, **IDLE}, dram=330e6, quality="upper"))
    assert found.standing is not None and found.standing.binding.id == "fp32"
    assert any("upper bound" in note for note in found.notes)


# ------------------------------------------------------------------------------------ against the prediction


def test_work_that_the_counters_miss_is_that_of_the_operator_and_said_so() -> None:
    work, traffic, time = paired().numbers
    assert (work.value, work.origin) == (GEMM_WORK, "paired")
    assert "gemm m = 4096, n = 4096, k = 4096" in work.recipe and "not counted" in work.recipe
    assert (traffic.value, traffic.origin, time.value) == (588e6, "counter", 196e-6)


def test_work_that_was_counted_is_never_replaced() -> None:
    counted = measured(time=196e-6, work={"bf16-tensor": 100e9}, dram=588e6)
    assert asked(counted, placement=gemm()).numbers[0].value == 100e9
    on_vectors = measured(time=5e-3, work={"fp32": 137e9}, dram=588e6)
    assert asked(on_vectors, placement=gemm()).numbers[0].value == 137e9


def test_the_gap_is_a_roof_that_moved_times_the_distance_to_it() -> None:
    # Predicted: 137.4 GFLOP / 989.4 TFLOP/s = 138.9 µs. Measured: 196, and 588 MB / 3.35 TB/s = 175.5 µs at the roof.
    gap = paired().gap
    assert gap is not None
    assert gap.predicted_s == pytest.approx(138.91e-6, rel=1e-4)
    assert gap.time == pytest.approx(196 / 138.91, rel=1e-4)
    assert gap.traffic == pytest.approx(588 / 412.72, rel=1e-4)
    assert gap.roof == pytest.approx(175.522 / 138.91, rel=1e-4)
    assert gap.headroom == pytest.approx(196 / 175.522, rel=1e-4)
    assert gap.roof * gap.headroom == pytest.approx(gap.time)
    assert gap.work is None  # it is the operator's own
    assert "1.41× slower" in gap.text and "1.42×" in gap.text


def test_the_verdict_names_roof_distance_prediction_and_prize() -> None:
    assert paired().verdict == (
        "Memory-bound at HBM3, measured: 1.12× to the roof where it stands, 1.41× slower than predicted. "
        "The re-reads are the prize, 57.1 µs of 196 µs."
    )


def test_counted_work_has_its_ratio_in_the_gap() -> None:
    gap = asked(
        measured(time=196e-6, work={"bf16-tensor": GEMM_WORK * 1.25}, dram=588e6), placement=gemm()
    ).gap
    assert gap is not None and gap.work == pytest.approx(1.25)


def test_a_pair_on_another_machine_is_placed_on_this_one() -> None:
    found = asked(measured(time=196e-6, dram=588e6), placement=gemm(H200))
    assert found.placement is not None and found.placement.profile == H100


# --------------------------------------------------------------------------------------------- above a roof


def causes(found):
    (above,) = found.above
    return above, [one.id for one in above.causes]


def test_a_point_on_the_roof_within_rounding_is_no_fault() -> None:
    assert asked(measured(work={"fp32": 6.69e9 * 1.04, **IDLE}, dram=1e7)).above == ()
    assert asked(measured(work={"fp32": 6.69e9 * 1.06, **IDLE}, dram=1e7)).kind == "impossible"


def test_nearly_twice_a_matrix_ceiling_is_most_likely_the_sparse_one() -> None:
    # 180 GFLOP in 100 µs is 1800 TFLOP/s: 1.82 times the dense bf16 ceiling, below that of fp8.
    found = asked(measured(work={"bf16-tensor": 180e9}, dram=1e7))
    above, ids = causes(found)
    assert above.ratio == pytest.approx(1800 / 989.4)
    assert ids[0] == "sparse" and above.causes[0].likely
    assert "pipe" in ids and "fp8 tensor" in next(one.words for one in above.causes if one.id == "pipe")
    assert found.verdict.startswith("Above the roof: 1.82× bf16 tensor")


def test_a_clock_above_that_of_the_ceiling_comes_first_where_it_explains_it() -> None:
    clocked = replace(H100, clocks={"boost": figure(1.5e9)})
    kernel_ = measured(work={"fp32": 6.69e9 * 1.2, **IDLE}, dram=1e7)
    above, ids = causes(asked(replace(kernel_, clock_hz=1.8e9), clocked))
    assert ids[0] == "clock" and above.causes[0].likely and "120%" in above.causes[0].words
    _, ids = causes(asked(replace(kernel_, clock_hz=1.5e9), clocked))
    assert "clock" not in ids  # ruled out


def test_a_factor_of_a_thousand_is_a_unit() -> None:
    above, ids = causes(asked(measured(work={"fp32": 1e8, **IDLE}, dram=335e6 * 1000)))
    assert above.kind == "memory" and ids[0] == "units" and above.causes[0].likely


def test_estimated_bytes_above_the_slope_are_most_likely_hits_in_a_cache() -> None:
    _, ids = causes(asked(measured(work={"fp32": 1e8, **IDLE}, dram=400e6, quality="estimated")))
    assert ids[0] == "cache"
    _, counted = causes(asked(measured(work={"fp32": 1e8, **IDLE}, dram=400e6)))
    assert "cache" not in counted and counted[-1] == "uncounted"


def test_another_part_than_that_of_the_profile_comes_first() -> None:
    found = asked(measured(work={"fp32": 1e8, **IDLE}, dram=480e6, device="NVIDIA H200"))
    assert causes(found)[1][0] == "machine"
    assert any("is not H100 SXM5 80 GB" in note for note in found.notes)


def test_the_work_of_the_operator_is_suspected_before_the_machine() -> None:
    # 137.4 GFLOP in 100 µs: 1374 TFLOP/s.
    _, ids = causes(asked(measured(dram=105e6), placement=gemm()))
    assert ids[:2] == ["sparse", "pair"]


def test_faster_than_the_bound_with_fewer_bytes_is_a_cache() -> None:
    # The compulsory 100.66 MB take 30.0 µs. 50 MB in 20 µs are 2.5 TB/s: below every roof, and faster than the bound.
    small = gemm(
        replace(H100, ceilings={**H100.ceilings, "bf16-tensor": ComputeCeiling("bf16-tensor", figure(1e17))})
    )
    found = asked(measured(time=20e-6, dram=50e6), small.profile, placement=small)
    above, ids = causes(found)
    assert above.kind == "bound" and above.ratio == pytest.approx(100.663296e6 / 3.35e12 / 20e-6)
    assert ids[0] == "cache" and found.kind != "impossible"


# ------------------------------------------------------------------------------------------------- devices


def test_devices_find_their_profile_by_chip_form_and_capacity() -> None:
    large = replace(A100, name="A100 SXM4 80 GB")
    small = replace(A100, id="nvidia-a100-sxm4-40gb", name="A100 SXM4 40 GB")
    ada = machine(
        "nvidia-rtx-4090", name="GeForce RTX 4090 24 GB", ceilings={"fp32": 1}, boundaries={"dram": 1}
    )
    # In the order of a list, the board with the longer name comes first.
    board = replace(H100, id="nvidia-h100-pcie", name="H100 PCIe 80 GB")
    card = replace(ada, id="nvidia-rtx-6000-ada", name="RTX 6000 Ada 48 GB")
    pro = replace(ada, id="nvidia-rtx-pro-6000-blackwell", name="RTX PRO 6000 Blackwell 96 GB")
    package = replace(ada, id="amd-mi250x", name="Instinct MI250X 128 GB")
    die = replace(ada, id="amd-mi250x-gcd", name="Instinct MI250X, one GCD")
    known = (large, small, board, H100, ada, card, pro, package, die)

    def match(device):
        found = matching_profile(known, device)
        return None if found is None else (found.entry.id, found.differs)

    assert match("NVIDIA A100-SXM4-80GB") == (large.id, "")
    assert match("NVIDIA A100-PCIE-40GB") == (small.id, "SXM instead of PCIE")
    assert match("NVIDIA H100 80GB HBM3") == (H100.id, "")  # no form named: the module
    assert match("NVIDIA H100 PCIe") == (board.id, "")
    assert match("NVIDIA RTX 6000 Ada Generation") == (card.id, "")
    assert match("NVIDIA RTX PRO 6000 Blackwell Workstation Edition") == (pro.id, "")
    assert match("AMD Instinct MI250X") == (die.id, "")  # a driver shows each die
    assert match("NVIDIA GeForce RTX 4090") == (ada.id, "")
    for other in (
        "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA H200",
        "NVIDIA GH100",
        "Tesla K40c",
        "",
        None,
    ):
        assert match(other) is None


def test_a_part_with_another_form_is_related_and_another_chip_is_not() -> None:
    assert relation("NVIDIA H100 PCIe", "H100 SXM5 80 GB") == "SXM instead of PCIE"
    assert relation("NVIDIA H200", "H100 SXM5 80 GB") is None


# -------------------------------------------------------------------------------------------------- report


def test_the_document_is_strict_json_with_all_six_answers() -> None:
    for found in (paired(), asked(measured(time=None, grid=None)), asked(measured(dram=400e6))):
        document = json.loads(json.dumps(diagnosis_document(found), allow_nan=False))
        assert [one["number"] for one in document["questions"]] == [1, 2, 3, 4, 5, 6]
        assert document["kind"] == found.kind and document["verdict"] == found.verdict
    ratios = diagnosis_document(paired())["prediction"]["ratios"]
    assert ratios["time"] == pytest.approx(1.411, abs=1e-3)


def test_lines_are_short_and_have_every_answer_and_the_command() -> None:
    lines = diagnosis_lines(asked(measured(work={"fp32": 1e8}, dram=400e6, grid=None)))
    text = "\n".join(lines)
    for number, outcome in ((1, "[ok]"), (2, "[!!]"), (6, "[??]")):
        assert f"{outcome} {number}  " in text
    assert "above HBM3, which cannot be" in text and "    ncu --kernel-name saxpy" in text
    assert max(len(line) for line in lines if "ncu " not in line) <= 112


def test_the_verdict_says_at_once_that_the_roofs_are_those_of_another_chip() -> None:
    given = {"work": {"fp32": 2e9}, "dram": 33e6}
    other = asked(measured(**given, device="NVIDIA A100-PCIE-40GB"))
    assert other.verdict.endswith(
        "But it was measured on NVIDIA A100-PCIE-40GB, and these are the roofs of H100 SXM5 80 GB."
    )
    own = asked(measured(**given, device="NVIDIA H100 80GB HBM3"))
    assert "But it was measured" not in own.verdict


def test_what_a_reader_made_from_shapes_is_a_model_and_never_called_measured() -> None:
    counted = measured(work={"fp32": 2e9}, dram=33e6)
    figures = {
        name: replace(figure, recipe=f"model, not measured: {name} from shapes", quality=quality)
        for name, quality in (("work.fp32", "estimated"), ("dram_bytes", "lower"))
        for figure in (counted.figures[name],)
    }
    found = asked(replace(counted, figures={**counted.figures, **figures}))
    assert [one.origin for one in found.numbers] == ["model", "model", "counter"]
    assert found.numbers[0].recipe == "work.fp32 from shapes"
    assert "by a model of W and Q" in found.verdict and "measured" not in found.verdict
    assert "measured:" in asked(counted).verdict


def test_a_lower_bound_of_the_traffic_does_not_show_that_memory_is_idle() -> None:
    least = asked(measured(work={"fp32": 2e9}, dram=33e6, quality="lower")).answer("saturation")
    assert least.outcome == "cannot be answered" and "lower bound: at least 330 GB/s" in least.text
    exact = asked(measured(work={"fp32": 2e9}, dram=33e6)).answer("saturation")
    assert exact.outcome == "no problem"
    # 3.1 of 3.35 TB/s are near the roof whatever crossed it besides.
    near = asked(measured(work={"fp32": 2e9}, dram=310e6, quality="lower")).answer("saturation")
    assert near.outcome == "found"


def test_a_figure_of_somebodys_table_is_no_counter() -> None:
    counted = measured(work={"fp32": 2e9}, dram=33e6)
    stated = replace(counted.figures["dram_bytes"], recipe="column traffic [MB] × 1e+06")
    found = asked(replace(counted, figures={**counted.figures, "dram_bytes": stated}))
    assert [one.origin for one in found.numbers] == ["counter", "table", "counter"]

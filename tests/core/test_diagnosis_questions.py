"""The six questions, each in all three answers, with figures worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.diagnosis import QUESTIONS
from rooflinestudio.core.hardware import Boundary
from rooflinestudio.core.measurement import MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from tests.core.diagnosing import GEMM_WORK, answer, asked, gemm, measured, placed
from tests.core.kernels import kernel
from tests.core.profiles import H100, figure, without

OK, FOUND, OPEN = "no problem", "found", "cannot be answered"


def values(one):
    return {datum.label: datum.value for datum in one.figures}


def test_questions_come_in_their_order_whatever_the_file_holds() -> None:
    for kernel_ in (measured(time=None, grid=None), measured(work={"fp32": 1e9}, dram=3e8)):
        answers = asked(kernel_).answers
        assert tuple(one.id for one in answers) == QUESTIONS
        assert [one.number for one in answers] == [1, 2, 3, 4, 5, 6]


# ------------------------------------------------------------------------------------ 1 the matrix pipe


def test_tensor_operations_that_were_counted_answer_the_first_question() -> None:
    found = answer("tensor", measured(work={"bf16-tensor": 9.6e9, "fp32": 0.4e9}, dram=1e8))
    assert found.outcome == OK
    assert values(found)["share of the tensor pipe"] == pytest.approx(0.96)
    assert "989 TFLOP/s" in found.sentence


def test_tensor_operations_that_are_the_lesser_part_are_found() -> None:
    found = answer("tensor", measured(work={"bf16-tensor": 1e9, "fp32": 4e9}, dram=1e8))
    assert found.outcome == FOUND and "20%" in found.sentence and found.remedy


def test_a_busy_tensor_pipe_is_one_that_is_used() -> None:
    found = answer("tensor", measured(dram=1e8, extra={"tensor_active_share": 0.712}))
    assert found.outcome == OK and "71%" in found.sentence


def test_compute_on_the_vector_pipe_without_matrix_instructions_is_found_with_the_ratio_of_ceilings() -> None:
    # 6 GFLOP in 100 µs is 60 of 66.9 TFLOP/s; tf32 tensor has 494.7 / 66.9 = 7.39 times as much.
    found = answer("tensor", measured(work={"fp32": 6e9, "bf16-tensor": 0.0}, dram=1e7))
    assert found.outcome == FOUND
    assert "7.39×" in found.sentence and "66.9 TFLOP/s" in found.sentence


def test_unused_matrix_pipes_are_no_problem_where_memory_runs_out_first() -> None:
    found = answer("tensor", measured(work={"fp32": 1e8, "bf16-tensor": 0.0}, dram=2e8))
    assert found.outcome == OK and "HBM3 runs out before fp32" in found.sentence


def test_a_product_that_was_meant_for_the_matrix_pipe_and_ran_without_is_found() -> None:
    kernel_ = measured(time=10e-3, work={"fp32": float(GEMM_WORK)}, dram=2e8)
    found = answer("tensor", kernel_, placement=gemm())
    assert found.outcome == FOUND and "bf16-tensor" in found.sentence and "m = 4096" in found.sentence


def test_an_idle_matrix_pipe_says_nothing_of_the_others() -> None:
    found = answer("tensor", measured(dram=1e8, extra={"tensor_active_share": 0.0}))
    assert found.outcome == OK and "was not counted" in found.sentence
    none = answer("tensor", measured(work={"fp32": 0.0, "bf16-tensor": 0.0}, dram=1e8))
    assert none.outcome == OK and "nothing to compute" in none.headline


def test_vector_pipes_that_do_the_work_of_the_operator_leave_none_for_the_matrix_pipe() -> None:
    placement = placed(kernel(600e6, 2e7, 1.35e7, pipe="fp32"))
    whole = asked(
        measured(work={"fp32": 600e6}, dram=33.5e6, extra={"active_warps": 8.0}), placement=placement
    )
    assert whole.answer("tensor").outcome == OK and whole.answer("parallelism").outcome == FOUND
    part = answer("tensor", measured(work={"fp32": 60e6}, dram=33.5e6), placement=placement)
    assert part.outcome == OPEN


def test_a_rate_that_no_vector_pipe_has_shows_that_the_matrix_pipe_ran() -> None:
    # 137.4 GFLOP in 196 µs is 701 TFLOP/s; the fastest vector pipe of the H100 has 133.8.
    found = answer("tensor", measured(time=196e-6, dram=588e6), placement=gemm())
    assert found.outcome == OK
    assert "701 TFLOP/s" in found.sentence and "134 TFLOP/s" in found.sentence


def test_a_rate_that_a_vector_pipe_could_have_shows_nothing() -> None:
    # In 2 ms the same work is 69 TFLOP/s, below the 133.8 of packed half arithmetic.
    found = answer("tensor", measured(time=2e-3, dram=588e6), placement=gemm())
    assert found.outcome == OPEN


def test_without_counters_of_the_matrix_pipe_the_first_question_names_them() -> None:
    found = answer("tensor", measured(work={"fp32": 1e8}, dram=1e8))
    assert found.outcome == OPEN
    assert "sm__inst_executed_pipe_tensor.sum" in found.collect
    assert found.command.startswith(
        "ncu --kernel-name saxpy --section SpeedOfLight_HierarchicalTensorRooflineChart "
    )
    assert found.command.endswith(" -o report APP")


def test_a_machine_without_matrix_pipes_has_none_to_use() -> None:
    vectors = without(
        H100, ceilings=[id_ for id_ in H100.ceilings if "tensor" in id_], reference_ceiling="fp32"
    )
    assert answer("tensor", measured(work={"fp32": 1e9}, dram=1e8), vectors).outcome == OK


# ------------------------------------------------------------------------------------ 2 saturation


def with_stream(bytes_per_s, provenance):
    dram = H100.boundaries["dram"]
    streaming = {"streaming": figure(bytes_per_s, provenance)}
    boundaries = {**H100.boundaries, "dram": replace(dram, slopes=streaming)}
    return replace(H100, boundaries=boundaries)


@pytest.mark.parametrize(
    ("mega", "outcome", "headline"),
    [
        (241, OK, "No."), (243, FOUND, "Nearly."), (284, FOUND, "Nearly."), (286, FOUND, "Yes."),
        (360, FOUND, "More than it can be."),
    ],
)  # fmt: skip
def test_saturation_is_measured_against_a_stream(mega, outcome, headline) -> None:
    # Without a stream rate 85% of 3.35 TB/s stand for it: 284.75 MB in 100 µs; saturated from 85% of that: 242.0 MB.
    found = answer("saturation", measured(work={"fp32": 1e8}, dram=mega * 1e6))
    assert (found.outcome, found.headline) == (outcome, headline)


def test_a_measured_stream_rate_is_what_counts() -> None:
    # 200 MB in 100 µs are 2.0 TB/s: 60% of the published rate, all of a stream that reaches 2.0 TB/s.
    found = answer("saturation", measured(work={"fp32": 1e8}, dram=200e6), with_stream(2.0e12, "measured"))
    assert found.outcome == FOUND and found.headline == "Yes."
    assert values(found)["of the bandwidth"] == pytest.approx(2.0 / 3.35)
    assert values(found)["of a stream"] == pytest.approx(1.0)
    assert "is measured" in found.sentence
    assumed = answer("saturation", measured(work={"fp32": 1e8}, dram=200e6), with_stream(2.0e12, "assumed"))
    assert "a measured one would settle it" in assumed.sentence


def test_sectors_fetched_in_vain_change_the_remedy() -> None:
    plain = answer("saturation", measured(dram=300e6))
    found = answer("saturation", measured(dram=300e6, extra={"sector_use_share": 0.125}))
    assert "12%" in found.sentence or "13%" in found.sentence
    assert "access pattern" in found.remedy and "access pattern" not in plain.remedy


def test_a_share_of_the_peak_stands_in_for_bytes_that_were_not_counted() -> None:
    assert answer("saturation", measured(extra={"dram_busy_share": 0.9})).headline == "Yes."
    assert answer("saturation", measured(extra={"dram_busy_share": 0.3})).outcome == OK


@pytest.mark.parametrize(
    ("kernel_", "metric"),
    [(measured(work={"fp32": 1e9}), "dram__bytes_read.sum"), (measured(time=None, dram=1e8), "gpu__time_duration.sum")],
)  # fmt: skip
def test_saturation_names_what_it_lacks(kernel_, metric) -> None:
    found = answer("saturation", kernel_)
    assert found.outcome == OPEN and metric in found.collect and metric in found.command


# ------------------------------------------------------------------------------------ 3 parallelism


def low(**extra):
    """Return a kernel at 10% of both roofs: 33.5 MB and 669 MFLOP in 100 µs, no matrix instructions."""
    return measured(work={"fp32": 669e6, "bf16-tensor": 0.0}, dram=33.5e6, extra=extra)


def test_a_kernel_near_a_roof_has_enough_in_flight() -> None:
    found = answer("parallelism", measured(work={"fp32": 1e8}, dram=300e6))
    assert found.outcome == OK and "90%" in found.sentence


def test_few_warps_are_too_little_by_littles_law() -> None:
    # Both roofs are at 10%, so the roof is 3.35 TB/s: 3.35e12 × 600 ns = 2.01 MB must be in flight, 0.201 MB were.
    # 8 warps × 32 × 132 SMs = 33 792 threads: 59.5 B each, more than the 16 of the widest load.
    found = answer("parallelism", low(active_warps=8.0))
    assert found.outcome == FOUND and found.remedy
    assert values(found)["needed in flight"] == pytest.approx(2.01e6)
    assert values(found)["sustained in flight"] == pytest.approx(0.201e6)
    assert values(found)["per thread"] == pytest.approx(2.01e6 / 33792)
    assert "33\u202f792 threads" in found.sentence


def test_many_warps_are_enough_and_the_cause_is_elsewhere() -> None:
    # 64 warps: 270 336 threads, 7.44 B each.
    found = answer("parallelism", low(active_warps=64.0))
    assert found.outcome == OK and values(found)["per thread"] == pytest.approx(7.435, abs=1e-3)


def test_occupancy_counts_against_what_the_sm_holds() -> None:
    # 25% of 2048 threads on 132 SMs: 67 584 threads, 29.7 B each. On compute capability 8.9 an SM holds 1536.
    quarter = answer("parallelism", low(occupancy_share=0.25))
    assert quarter.outcome == FOUND and values(quarter)["per thread"] == pytest.approx(2.01e6 / 67584)
    ada = answer("parallelism", replace(low(occupancy_share=0.25), compute_capability="8.9"))
    assert values(ada)["per thread"] == pytest.approx(2.01e6 / (0.25 * 1536 * 132))


def test_a_grid_that_cannot_hold_enough_needs_no_occupancy() -> None:
    # 64 blocks of 128 threads are 8192 threads at most: 245 B each.
    found = answer("parallelism", replace(low(), grid=(64, 1, 1), block=(128, 1, 1)))
    assert found.outcome == FOUND and "at most 8\u202f192 threads" in found.sentence


def test_warps_that_wait_for_memory_below_both_roofs_are_found() -> None:
    found = answer("parallelism", low(memory_stall_share=0.6))
    assert found.outcome == FOUND and "60%" in found.sentence


def test_a_large_grid_without_occupancy_leaves_it_open_and_says_what_is_asked_for() -> None:
    found = answer("parallelism", low())
    assert found.outcome == OPEN
    assert "sm__warps_active.avg.per_cycle_active" in found.collect
    assert "--section Occupancy" in found.command and "--section WarpStateStats" in found.command
    assert "2.01 MB in flight at a latency of 600 ns" in found.sentence


def test_a_kernel_without_a_byte_at_device_memory_is_not_judged_by_bytes_in_flight() -> None:
    found = answer("parallelism", measured(work={"fp32": 669e6, "bf16-tensor": 0.0}, dram=0.0))
    assert found.outcome == OPEN and "in flight" not in found.sentence


def test_a_matrix_pipe_that_was_not_counted_may_be_the_near_roof() -> None:
    blind = measured(work={"fp32": 669e6}, dram=33.5e6, extra={"active_warps": 8.0})
    found = answer("parallelism", blind)
    assert found.outcome == OPEN and "sm__inst_executed_pipe_tensor.sum" in found.collect
    unknown = answer(
        "parallelism", measured(dram=33.5e6, extra={"active_warps": 8.0, "tensor_active_share": 0.0})
    )
    assert unknown.outcome == OPEN and "sm__inst_executed_pipe_tensor.sum" not in unknown.collect
    assert "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum" in unknown.collect
    idle = replace(blind, figures={**blind.figures, **low(tensor_active_share=0.0).figures})
    assert answer("parallelism", idle).outcome == FOUND


# ------------------------------------------------------------------------------------ 4 size


def test_a_time_below_twenty_microseconds_partly_measures_the_launch() -> None:
    assert answer("size", measured(time=19.9e-6, dram=1e6)).outcome == FOUND
    long = answer("size", measured(time=196e-6, dram=1e6))
    assert long.outcome == OK and "65 launches of 3.00 µs (assumed)" in long.sentence
    lacks = answer("size", measured(time=None, dram=1e6))
    assert lacks.outcome == OPEN and lacks.collect == ("gpu__time_duration.sum",)


def test_the_other_launches_of_the_file_are_counted_with_their_share_of_the_time() -> None:
    # 3 launches of 10 µs and one of 70 µs: 30 of 100 µs.
    kernels = [measured(time=10e-6, launch=at, dram=1e6) for at in range(3)]
    kernels.append(measured(time=70e-6, launch=3, dram=1e6))
    overlay = Overlay.from_file(MeasurementFile("a.csv", "ncu-csv-long", (), tuple(kernels), "0" * 64))
    assert (
        "Of 4 launches in the file 3 are shorter, with 30% of its time."
        in answer("size", kernels[0], overlay=overlay).sentence
    )


@pytest.mark.parametrize(
    ("short", "words"),
    [
        (0, "None of the 3 launches in the file is shorter."),
        (1, "Of 3 launches in the file 1 is shorter, with "),
    ],
)
def test_none_and_one_are_said_as_people_say_them(short, words) -> None:
    times = [10e-6] * short + [70e-6] * (3 - short)
    kernels = [measured(time=time, launch=at, dram=1e6) for at, time in enumerate(times)]
    overlay = Overlay.from_file(
        MeasurementFile("a.csv", "ncu-csv-long", (), tuple(kernels), f"{short + 5}" * 64)
    )
    assert words in answer("size", kernels[2], overlay=overlay).sentence


# ------------------------------------------------------------------------------------ 5 reuse


def test_reuse_as_assumed_is_no_problem() -> None:
    # compulsory 3 × 2 × 4096² = 100.66 MB
    found = answer("reuse", measured(time=196e-6, dram=105e6), placement=gemm())
    assert found.outcome == OK and "1.04×" in found.sentence


def test_more_traffic_than_assumed_is_found_with_absorption_and_prize() -> None:
    found = answer("reuse", measured(time=196e-6, dram=588e6), placement=gemm(policy="modelled"))
    assert found.outcome == FOUND and found.headline == "Less than assumed."
    # 100.66 + 0.15 × (2181.04 − 100.66) = 412.72 MB; 588 is 1.42 times that and 5.84 times the compulsory traffic;
    # 1 − (588 − 100.66) / 2080.37 = 0.766 was absorbed. At 412.7 MB compute binds: 138.9 µs, so 57.1 µs are to be won.
    assert values(found)["assumed (modelled with absorption 0.85)"] == pytest.approx(412.72e6, rel=1e-4)
    assert values(found)["absorption"] == pytest.approx(0.76575, rel=1e-4)
    for words in ("1.42×", "5.84×", "77%", "57.1 µs of 196 µs"):
        assert words in found.sentence


def test_less_than_the_compulsory_traffic_cannot_be() -> None:
    found = answer("reuse", measured(time=196e-6, dram=50e6), placement=gemm())
    assert found.outcome == FOUND and found.headline == "More than there can be."
    assert "50%" in found.sentence and "cache" in found.sentence
    half = answer("reuse", measured(time=196e-6, dram=50e6, quality="lower"), placement=gemm())
    assert "not all of the traffic was counted" in half.sentence


def test_more_than_the_tiles_ask_for_says_so() -> None:
    found = answer("reuse", measured(time=2e-3, dram=3e9), placement=gemm())
    assert "more than the tiles ask for" in found.sentence


def test_reuse_is_open_without_a_pair_without_bytes_and_with_half_of_them() -> None:
    unpaired = answer("reuse", measured(dram=1e8))
    assert unpaired.outcome == OPEN and unpaired.collect == () and "Pair the kernel" in unpaired.sentence
    unmeasured = answer("reuse", measured(time=196e-6), placement=gemm())
    assert unmeasured.outcome == OPEN and "dram__bytes_write.sum" in unmeasured.collect
    half = answer("reuse", measured(time=196e-6, dram=101e6, quality="lower"), placement=gemm())
    assert half.outcome == OPEN and "dram__bytes_write.sum" in half.collect


# ------------------------------------------------------------------------------------ 6 quantisation


def test_whole_waves_lose_nothing_and_a_last_wave_with_few_blocks_half_of_the_machine() -> None:
    # 140 blocks on 132 SMs: two waves with 264 places, 124 of them empty, 47%.
    found = answer("quantisation", replace(low(), grid=(140, 1, 1)))
    assert found.outcome == FOUND and found.remedy
    assert values(found)["lost"] == pytest.approx(124 / 264)
    assert "1.06 waves; the last is 6.1% full, 47% lost" in found.sentence
    whole = answer("quantisation", replace(low(), grid=(264, 1, 1)))
    assert whole.outcome == OK and values(whole)["lost"] == 0


def test_many_waves_hide_the_last_one() -> None:
    # 1024 blocks are 7.76 waves: the eighth is 76% full, 32 of 1056 places are empty.
    found = answer("quantisation", replace(low(), grid=(32, 32, 1)))
    assert found.outcome == OK
    assert "7.76 waves; the last is 76% full, 3.0% lost" in found.sentence


def test_sms_without_a_block_are_found_and_one_block_each_may_be_persistent() -> None:
    few = answer("quantisation", replace(low(), grid=(64, 1, 1)))
    assert few.outcome == FOUND and "leave 68 of 132 SMs without work" in few.sentence
    assert "persistent" in answer("quantisation", replace(low(), grid=(132, 1, 1))).sentence


def test_a_bad_last_wave_does_not_matter_at_the_roof() -> None:
    found = answer("quantisation", measured(work={"fp32": 1e8}, dram=300e6, grid=(140, 1, 1)))
    assert found.outcome == OK and found.headline == "Not so that it shows."


def test_the_number_of_sms_is_that_of_the_file_and_never_that_of_another_part() -> None:
    counted = answer("quantisation", replace(low(sms=70.0), grid=(140, 1, 1)))
    assert counted.outcome == OK and values(counted)["waves"] == 2
    other = answer("quantisation", replace(low(), grid=(140, 1, 1), device="NVIDIA H100 PCIe"))
    assert other.outcome == OPEN and other.collect == ("device__attribute_multiprocessor_count",)


def test_without_a_grid_there_are_no_waves() -> None:
    for grid in (None, (0, 0, 0)):
        found = answer("quantisation", replace(low(), grid=grid))
        assert found.outcome == OPEN and "launch__grid_size" in found.collect


# ------------------------------------------------------------------------------------ commands


def test_one_command_collects_all_that_is_missing_once() -> None:
    diagnosis = asked(measured(kernel="void ns::k<float>(int)"))
    missing = {metric for one in diagnosis.answers for metric in one.collect}
    assert missing
    for metric in missing:
        assert diagnosis.command.count(metric) == 1
    assert diagnosis.command.startswith("ncu --kernel-name k ")
    assert "--kernel-name" not in asked(measured(kernel="ns::f::operator()(int)")).command


def test_a_file_of_nvprof_is_told_the_metrics_of_nvprof() -> None:
    kernel_ = measured(work={"fp32": 669e6}, dram=33.5e6)
    overlay = Overlay.from_file(MeasurementFile("a.csv", "nvprof-metrics", (), (kernel_,), "0" * 64))
    found = answer("parallelism", kernel_, overlay=overlay)
    assert "stall_memory_dependency" in found.collect
    assert found.command.startswith("nvprof --csv --kernels saxpy --metrics ")


def test_a_machine_without_a_latency_leaves_parallelism_open() -> None:
    boundaries = {**H100.boundaries, "dram": Boundary("dram", "HBM3", figure(3.35e12))}
    found = answer("parallelism", low(active_warps=8.0), replace(H100, boundaries=boundaries))
    assert found.outcome == OPEN and "no latency" in found.sentence


def test_an_operator_that_does_not_cross_memory_assumed_nothing_there() -> None:
    placement = placed(kernel(1e9, 1e6, 1e6, crosses=frozenset({"shared", "l2"})), boundary="l2")
    found = answer("reuse", measured(dram=1e8), placement=placement)
    assert found.outcome == OPEN and "does not cross" in found.sentence

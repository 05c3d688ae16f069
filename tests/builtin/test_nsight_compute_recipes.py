"""Recipes of the Nsight Compute reader: which counters give work, traffic and time, and which do not."""

from __future__ import annotations

import pytest

from plugins_builtin._ncu.tensor import tensor_work
from plugins_builtin._ncu.values import Value, best
from tests.builtin.nsight_tables import DRAM, SASS, TIME, long_text, one_launch, read_text, vector

# --------------------------------------------------------------------------------------------------- time


@pytest.mark.parametrize(
    ("metrics", "time_s"),
    [
        ([("gpu__time_duration.sum", "us", "6.75"), ("sm__cycles_elapsed.avg", "cycle", "9")], 6.75e-6),
        ([("gpu__time_duration", "nsecond", "500")], 500e-9),  # 2019: no roll-up
        ([("smsp__cycles_elapsed.avg", "cycle", "3,000"), ("smsp__cycles_elapsed.avg.per_second", "Ghz", "1.50")],
         2e-6),
        ([("gpc__cycles_elapsed.max", "cycle", "3,000"), ("gpc__cycles_elapsed.max.per_second", "Ghz", "1.50")],
         2e-6),
        ([("dram__bytes.sum", "byte", "6,000"), ("dram__bytes.sum.per_second", "byte/s", "3,000,000")], 2e-3),
        # The largest cycle count over an average clock, or another unit's clock, is no time.
        ([("gpc__cycles_elapsed.max", "cycle", "3,000"), ("gpc__cycles_elapsed.avg.per_second", "Ghz", "1.50")],
         None),
        ([("sm__cycles_elapsed.avg", "cycle", "3,000"), ("dram__cycles_elapsed.avg.per_second", "Ghz", "1.50")],
         None),
        ([("gpu__time_duration.sum", "byte", "500")], None),
        ([("gpu__time_duration.sum", "ns", "0")], None),
    ],
)  # fmt: skip
def test_time_from_duration_else_cycles_over_clock_else_amount_over_rate(metrics, time_s, tmp_path):
    found = one_launch(metrics, tmp_path).time_s

    assert found == (None if time_s is None else pytest.approx(time_s))


# --------------------------------------------------------------------------------------------------- work


def test_a_multiply_add_counts_two_and_half_instructions_count_as_pairs(tmp_path):
    metrics = [*vector("f", "1", "10", "100"), *vector("d", "2", "20", "200"), *vector("h", "3", "30", "300")]

    assert one_launch(metrics, tmp_path).work == {
        "fp32": 211,  # 1 + 10 + 2 x 100
        "fp64": 422,  # 2 + 20 + 2 x 200
        "fp16": 1266,  # 2 x 3 + 2 x 30 + 4 x 300
    }


def test_packed_single_precision_of_blackwell_is_added(tmp_path):
    packed = [
        (SASS.format(f"f{op}2"), "inst", value) for op, value in (("add", "1"), ("mul", "1"), ("fma", "10"))
    ]

    # 1 + 10 + 2 x 100, and 2 x 1 + 2 x 1 + 4 x 10
    assert one_launch([*vector("f", "1", "10", "100"), *packed], tmp_path, cc="10.0").work_flop == 255


def test_rates_per_cycle_and_operations_that_are_already_doubled(tmp_path):
    stem = "smsp__sass_thread_inst_executed_op_{}_pred_on"
    metrics = [
        TIME,
        ("smsp__cycles_elapsed.avg", "cycle", "1,000"),
        (stem.format("fadd") + ".sum.per_cycle_elapsed", "inst/cycle", "3.00"),
        (stem.format("fmul") + ".sum.per_cycle_elapsed", "inst/cycle", "4.00"),
        ("derived__" + stem.format("ffma") + "_x2", "thread", "20.00"),
    ]

    assert one_launch(metrics, tmp_path).work_flop == pytest.approx(27_000)  # (3 + 4 + 20) x 1,000


def test_averages_and_extremes_over_units_are_no_amounts(tmp_path):
    metrics = [(name.replace(".sum", f".{roll}"), unit, "999") for roll in ("avg", "min", "max")
               for name, unit, _ in (*vector("f", "", "", ""), DRAM)]  # fmt: skip

    launch = one_launch(metrics, tmp_path)

    assert (launch.work, launch.traffic) == ({}, {})


def test_a_counter_of_adds_and_multiply_adds_together_is_a_lower_bound(tmp_path):
    metrics = [("smsp__sass_thread_inst_executed_ops_fadd_fmul_ffma_pred_on.sum", "inst", "1,000")]

    figure = one_launch(metrics, tmp_path).figure("work_flop")

    assert (figure.value, figure.quality) == (1000, "lower")
    assert "up to twice" in figure.recipe


def test_no_counter_is_told_from_a_counter_that_reads_zero(tmp_path):
    without = one_launch([TIME, DRAM], tmp_path)
    zero = one_launch([TIME, DRAM, *vector("f", "0", "0", "0")], tmp_path)
    in_part = one_launch([TIME, DRAM, *vector("f", "0", "0", "n/a")], tmp_path)

    assert without.work_flop is None
    assert "no FLOP counters collected" in without.reason
    assert zero.work_flop == 0
    assert "W = 0 measured" in zero.reason
    assert in_part.work_flop is None  # all that was not counted may be there
    assert "fp32 in part" in in_part.reason
    assert not any(launch.plotted for launch in (without, zero, in_part))


# ------------------------------------------------------------------------------------------- tensor cores

TENSOR = ("sm__inst_executed_pipe_tensor.sum", "inst", "2,000")


def test_tensor_instructions_become_work_on_volta_alone(tmp_path):
    volta = one_launch([TIME, DRAM, TENSOR], tmp_path, cc="7.0")

    assert volta.work == {"fp16-tensor": 1_024_000}  # 2,000 x 512
    assert "HMMA.884" in volta.figure("work_flop").recipe


@pytest.mark.parametrize("cc", ["7.5", "8.0", "9.0", ""])
def test_elsewhere_tensor_instructions_are_named_but_not_converted(cc, tmp_path):
    file = read_text(long_text([TIME, DRAM, TENSOR, *vector("f", "0", "0", "0")], cc=cc), tmp_path)
    (launch,) = file.measurements

    assert launch.work == {}
    assert not launch.plotted
    assert "tensor cores" in launch.reason
    assert "sm__ops_path_tensor" in launch.reason


def test_counted_tensor_operations_are_work_by_source_type(tmp_path):
    metrics = [
        TIME, DRAM,
        ("sm__ops_path_tensor_src_bf16_dst_fp32.sum", "", "8,000"),
        ("sm__ops_path_tensor_src_fp16_dst_fp16.sum", "", "100"),
        ("sm__ops_path_tensor_src_fp16_dst_fp32.sum", "", "200"),
        ("sm__ops_path_tensor_src_tf32_dst_fp32.sum", "", "n/a"),
        ("sm__ops_path_tensor_op_hgmma_src_fp8_dst_fp32_sparsity_off.sum", "", "50"),
        *vector("f", "10", "0", "0"),
    ]  # fmt: skip
    launch = one_launch(metrics, tmp_path, cc="9.0")

    assert launch.work == {"fp32": 10, "bf16-tensor": 8000, "fp16-tensor": 300, "fp8-tensor": 50}
    assert launch.pipe == "bf16-tensor"
    assert launch.intensity_dram == 0.002  # 8,000 / 4,000,000


def _tensor(counts: dict[str, float], cc: str = "9.0") -> dict[str, float]:
    counted = [(f"sm__ops_path_tensor{name}", Value(value, 0.0, name)) for name, value in counts.items()]
    return {pipe: value.value for pipe, value in tensor_work(counted, cc).items()}


@pytest.mark.parametrize(
    ("counts", "work"),
    [
        # A total and its parts are not added.
        ({"": 100.0, "_src_fp16_dst_fp32": 100.0}, {"fp16-tensor": 100.0}),
        ({"_src_fp16": 100.0, "_src_fp16_dst_fp32": 60.0, "_src_fp16_dst_fp16": 40.0}, {"fp16-tensor": 100.0}),
        ({"_op_hmma_src_fp16": 30.0, "_op_hgmma_src_fp16": 70.0}, {"fp16-tensor": 100.0}),
        ({"_op_hmma_src_fp16": 30.0, "_op_hmma_src_fp16_dst_fp32_sparsity_off": 30.0}, {"fp16-tensor": 30.0}),
        # What the typed counters leave over has no type.
        ({"": 100.0, "_src_fp16_dst_fp32": 70.0}, {"fp16-tensor": 70.0, "tensor": 30.0}),
        ({"_op_hgmma": 100.0}, {"tensor": 100.0}),
        ({"_op_dmma": 100.0}, {"fp64-tensor": 100.0}),
        # Sparse operations are counted as dense ones and belong under another ceiling.
        ({"_src_fp16_dst_fp32": 90.0, "_src_fp16_dst_fp32_sparsity_off": 30.0,
          "_src_fp16_dst_fp32_sparsity_on": 60.0}, {"fp16-tensor": 30.0, "fp16-tensor-sparse": 60.0}),
        ({"_src_fp16_bf16_dst_fp32": 5.0}, {"bf16-tensor": 5.0}),
        ({"_src_fp16_bf16_tf32_dst_fp32": 5.0}, {"tensor": 5.0}),
        ({}, {}),
    ],
)  # fmt: skip
def test_the_hierarchy_of_tensor_counters_is_not_counted_twice(counts, work):
    assert _tensor(counts) == work


def test_turing_has_one_floating_point_source_type():
    assert _tensor({"_src_fp16_bf16_tf32_dst_fp32": 5.0}, cc="7.5") == {"fp16-tensor": 5.0}


# ------------------------------------------------------------------------------------------------ traffic


@pytest.mark.parametrize(
    ("metrics", "dram"),
    [
        ([("dram__bytes_read.sum", "byte", "10"), ("dram__bytes_write.sum", "byte", "5")], (10, 5, 15)),
        ([("dram__bytes_op_read.sum", "byte", "10"), ("dram__bytes_op_write.sum", "byte", "5")], (10, 5, 15)),
        ([("dram__sectors_read.sum", "sector", "10"), ("dram__sectors_write.sum", "sector", "5")], (320, 160, 480)),
        ([("dram__read_bytes.sum", "byte", "10"), ("dram__write_bytes.sum", "byte", "5")], (10, 5, 15)),
        ([TIME, ("dram__bytes.sum.per_second", "Gbyte/s", "2.00")], (None, None, 2e6)),  # x 1 ms
        ([TIME, ("dram__bytes_per_sec", "Gbyte/s", "2.00")], (None, None, 2e6)),  # 2019
        ([("dram__bytes.sum", "byte", "16"), ("dram__bytes_read.sum", "byte", "10"),
          ("dram__bytes_write.sum", "byte", "5")], (10, 5, 16)),
    ],
)  # fmt: skip
def test_dram_traffic_by_the_first_recipe_that_is_there(metrics, dram, tmp_path):
    assert one_launch(metrics, tmp_path).traffic["dram"] == pytest.approx(dram)


@pytest.mark.parametrize(
    "width",
    [
        ("dram__bytes.sum.peak_sustained", "byte/cycle", "96"),
        ("device__attribute_global_memory_bus_width", "", "384"),
    ],
)
def test_dram_traffic_from_a_percentage_is_an_estimate(width, tmp_path):
    metrics = [
        TIME, width,
        ("dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", "50.00"),
        ("dram__cycles_elapsed.avg.per_second", "Ghz", "10.00"),
    ]  # fmt: skip
    figure = one_launch(metrics, tmp_path).figure("dram_bytes")

    assert figure.value == pytest.approx(480e6)  # 50 % x 96 bytes x 10 GHz x 1 ms; 384 bits are 2 x 48 bytes
    assert figure.quality == "estimated"


@pytest.mark.parametrize(
    ("metrics", "value", "quality"),
    [
        ([("lts__t_bytes.sum", "byte", "900"), ("lts__t_sectors_srcunit_tex.sum", "sector", "10")], 320, "exact"),
        ([("l1tex__m_xbar2l1tex_read_bytes.sum", "byte", "70"), ("l1tex__m_l1tex2xbar_write_bytes.sum", "byte", "30"),
          ("lts__t_bytes.sum", "byte", "900")], 100, "exact"),
        ([("lts__t_bytes.sum", "byte", "900")], 900, "upper"),  # all clients, the fabric included
        ([("l1tex__m_xbar2l1tex_read_bytes.sum", "byte", "70")], 70, "lower"),  # 0 for a kernel that only writes
        ([TIME, ("derived__lts__lts2xbar_bytes.sum.per_second", "byte", "5,000")], 5, "lower"),  # the unit is wrong
    ],
)  # fmt: skip
def test_l2_traffic_says_whose_it_is(metrics, value, quality, tmp_path):
    figure = one_launch(metrics, tmp_path).figure("l2_bytes")

    assert (figure.value, figure.quality) == (pytest.approx(value), quality)


@pytest.mark.parametrize(
    ("metrics", "value", "quality"),
    [
        ([("l1tex__t_bytes.sum", "byte", "77"), ("l1tex__lsu_writeback_active_mem_lg.sum", "cycle", "9")], 77, "exact"),
        ([("l1tex__lsu_writeback_active_mem_lg.sum", "cycle", "2")], 256, "estimated"),
        ([("l1tex__lsu_writeback_active_mem_lgds.sum", "cycle", "2")], 256, "estimated"),
        ([(f"l1tex__t_sectors_pipe_lsu_mem_{space}_op_{way}.sum", "sector", "1") for space in ("global", "local")
          for way in ("ld", "st")], 128, "exact"),
        ([("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "1")], 32, "lower"),
    ],
)  # fmt: skip
def test_l1_traffic_says_how_it_was_counted(metrics, value, quality, tmp_path):
    figure = one_launch(metrics, tmp_path).figure("l1_bytes")

    assert (figure.value, figure.quality) == (value, quality)


# ------------------------------------------------------------------------------------------ not plotted


def test_a_launch_that_is_not_plotted_names_the_metric_to_add(tmp_path):
    work = vector("f", "1", "1", "1")
    no_time = one_launch([DRAM, *work], tmp_path)
    no_traffic = one_launch([TIME, *work], tmp_path)
    no_work = one_launch([TIME, DRAM], tmp_path)

    assert "gpu__time_duration.sum" in no_time.reason
    assert "dram__bytes_read.sum and dram__bytes_write.sum" in no_traffic.reason
    assert SASS.format("{fadd,fmul,ffma}") in no_work.reason
    assert not any(launch.plotted for launch in (no_time, no_traffic, no_work))


def test_a_launch_of_nan_was_interrupted(tmp_path):
    launch = one_launch([(TIME[0], "ns", "(!) nan"), (DRAM[0], "byte", "nan")], tmp_path)

    assert "nan" in launch.reason
    assert "interrupted" in launch.reason


# ------------------------------------------------------------------------------------------------ rounding


def test_the_better_printed_of_two_readings_is_taken(tmp_path):
    # 1.18 Mbyte is good to 0.4 %; 1,179,648 bytes/s x 1 s would be exact, 118.00 Mbyte/s to 0.004 %.
    metrics = [
        ("gpu__time_duration.sum", "ns", "10,000,000"),
        ("dram__bytes.sum", "Mbyte", "1.18"),
        ("dram__bytes.sum.per_second", "Mbyte/s", "117.96"),
    ]
    figure = one_launch(metrics, tmp_path).figure("dram_bytes")

    assert figure.value == pytest.approx(1_179_600)
    assert figure.recipe == "dram__bytes.sum.per_second × time"


def test_of_equally_good_readings_the_preferred_one_is_taken():
    first, second, exact = Value(10, 0.1, "first"), Value(11, 0.06, "second"), Value(12, 0.0, "exact")

    assert best((first, second)) is first
    assert best((None, first, exact)) is exact
    assert best((exact, first)) is exact
    assert best(()) is None


@pytest.mark.parametrize(
    ("instructions", "fmas", "cc", "tensor"),
    [
        ("0", "0", "8.0", 0.0),  # none was executed: a finding
        ("0", "0", "9.0", None),  # that counter may not see the matrix instructions of later chips
        (
            "2,000",
            "64,000",
            "8.0",
            0.0,
        ),  # 2,000 x 32 threads: the HFMA2 of GA100, which pass through that pipe
        ("2,000", "0", "8.0", None),  # matrix work of unknown size
    ],
)
def test_a_tensor_pipe_that_ran_no_matrix_instruction_did_no_tensor_work(
    instructions, fmas, cc, tensor, tmp_path
):
    pipe = ("sm__inst_executed_pipe_tensor.sum", "inst", instructions)
    found = one_launch(
        [TIME, DRAM, *vector("f", "1", "1", "1"), *vector("h", "0", "0", fmas), pipe], tmp_path, cc=cc
    )

    assert found.work.get("tensor") == tensor
    assert found.work_flop == max(4.0, 4.0 * float(fmas.replace(",", "")))


@pytest.mark.parametrize(
    ("cc", "counter"), [("8.0", "dram__bytes_read.sum"), ("12.0", "dram__bytes_op_read.sum")]
)
def test_what_to_add_bears_the_name_that_the_chip_has_for_it(cc, counter, tmp_path):
    assert f"add {counter}" in one_launch([TIME, *vector("f", "1,000", "1", "1")], tmp_path, cc=cc).reason

"""Traps of real files that no other test names: each with a table of its own."""

from __future__ import annotations

import pytest

from plugins_builtin.nsight_compute import NsightComputeCsv
from tests.builtin.nsight_tables import (
    DRAM,
    FIXTURES,
    LONG,
    TIME,
    csv_text,
    fixture,
    long_rows,
    long_text,
    one_launch,
    read_text,
    vector,
)


def test_columns_of_nvtx_ranges_and_short_metric_rows_among_long_rule_rows():
    first, second = fixture("long_nvtx_18_columns.csv").measurements

    assert first.kernel.startswith(
        'void run<"tile", (anonymous namespace)::Op<128, 4>>'
    )  # quotes were doubled
    assert first.kernel.endswith("::[lambda(float) (instance 1)]")
    assert first.compute_capability == "10.0"  # a text, not the number 10
    assert (first.grid, first.block) == ((96, 1, 1), (512, 1, 1))  # the file has the block first
    assert (first.time_s, first.dram_bytes) == (2e-6, 65_536)
    assert first.work_flop == 132_072  # 1,000 + 2 x 65,536
    assert (second.time_s, second.dram_bytes) == (4e-6, 131_072)


def test_seven_columns_with_semicolons_and_the_thousandfold_trap():
    first, second = fixture("long_7_columns.csv").measurements

    assert first.time_s == 117_344 / 1e9  # and not 117.344 ns
    assert first.dram_bytes == 27_595_520
    assert second.time_s == 14_912 / 1e9


def test_powershell_wrote_utf_16():
    assert fixture("powershell_utf16.csv").measurements == fixture("long_live.csv").measurements


def test_cells_of_the_raw_page_that_are_no_plain_numbers():
    first, second = fixture("wide_traps.csv").measurements

    # "1,000,000 (400,000; 600,000)": the sum, not its instances; and not .avg, .min or .max
    assert first.dram_bytes == 1_000_000
    # 31,000 of 30,000 sectors: counters of different passes need not agree
    assert first.l2_bytes == 31_000 * 32
    assert (
        first.work_flop == 2_000
    )  # 1,000 + 0 + 2 x 500; the count without predicates and "no data" are no use
    assert first.device == "Imaginary GPU 8000"
    assert first.plotted
    # -nan(ind), (!) n/a, inf, (!) nan: missing, never 0
    assert second.dram_bytes is None
    assert second.figure("work_flop").quality == "lower"


def test_a_row_that_breaks_off_is_read_up_to_its_last_whole_cell():
    file = fixture("wide_cut.csv")

    assert len(file.measurements) == 2
    assert file.measurements[1].time_s == 2e-6
    assert file.measurements[1].l2_bytes is None or file.measurements[1].l2_bytes == 960_000
    assert any("cut off (line 4)" in warning for warning in file.warnings)


def test_a_row_that_breaks_off_between_two_cells_is_told_of_too(tmp_path):
    text = (FIXTURES / "wide_cut.csv").read_text()
    file = read_text(text[: text.rindex(',"')], tmp_path)

    assert file.measurements[1].time_s == 2e-6
    assert any("cut off (line 4)" in warning for warning in file.warnings)


def test_a_long_table_that_breaks_off_names_the_line():
    assert any("cut off (line" in warning for warning in fixture("cut_off.csv").warnings)


def test_program_output_may_break_a_progress_line(tmp_path):
    text = '==PROF== Profiling "k" - 0: 0%epoch, 1, loss\n....50%....100% - 2 passes\n' + long_text(
        [TIME, DRAM]
    )

    assert read_text(text, tmp_path).measurements[0].time_s == 0.001


def test_a_metric_by_its_name_and_by_its_label_is_one_figure(tmp_path):
    rows = long_rows([("gpu__time_duration.sum", "ns", "1,000,000")])
    rows += [(*row[:11], "GPU Speed Of Light Throughput", "Duration", "ms", "1.00") for row in rows]

    (launch,) = read_text(csv_text([LONG, *rows]), tmp_path).measurements

    assert launch.figure("time_s").recipe == "gpu__time_duration.sum"
    assert launch.figure("time_s").quality == "exact"


@pytest.mark.parametrize("gap", ["\u00a0", "\u202f", "\u2009", " ", "'"])
def test_thousands_may_be_parted_by_blanks(gap, tmp_path):
    metrics = [
        ("gpu__time_duration.sum", "ns", f"1{gap}000{gap}000"),
        ("dram__bytes.sum", "byte", f"4{gap}000,00"),
    ]

    launch = one_launch(metrics, tmp_path)

    assert launch.time_s == 0.001
    assert launch.dram_bytes == 4000


def test_a_percentage_over_100_and_a_negative_counter_stop_nothing(tmp_path):
    metrics = [
        TIME,
        DRAM,
        ("lts__t_sector_hit_rate.pct", "%", "100.39"),
        ("l1tex__data_bank_conflicts_x.sum", "", "-12"),
    ]

    assert one_launch(metrics, tmp_path).dram_bytes == 4e6


def test_rates_of_derived_metrics_carry_the_unit_of_the_amount(tmp_path):
    metrics = [
        TIME,
        ("smsp__cycles_elapsed.avg", "cycle", "1,000"),
        ("derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", "thread", "50.0"),
        ("derived__lts__lts2xbar_bytes.sum.per_second", "byte", "2,000,000,000"),
    ]

    launch = one_launch(metrics, tmp_path)

    assert launch.work_flop == 50_000  # 50 per cycle, doubled already
    assert launch.l2_bytes == 2_000_000


def test_launches_of_one_kernel_with_different_sizes_stay_apart(tmp_path):
    rows = long_rows([TIME, DRAM], launch=0)
    rows += [
        (*row[:8], "(128, 1, 1)", *row[9:])
        for row in long_rows([("gpu__time_duration.sum", "ns", "9")], launch=1)
    ]

    first, second = read_text(csv_text([LONG, *rows]), tmp_path).measurements

    assert (first.grid, second.grid) == ((64, 1, 1), (128, 1, 1))
    assert (first.time_s, second.time_s) == (0.001, 9e-9)


def test_predicated_off_work_and_warp_instructions_are_no_work(tmp_path):
    metrics = [
        TIME,
        DRAM,
        ("smsp__sass_thread_inst_executed_op_ffma.sum", "inst", "5,000"),
        ("smsp__inst_executed_pipe_fma.sum", "inst", "5,000"),
        ("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "%", "88.00"),
        ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "77.00"),
    ]

    launch = one_launch(metrics, tmp_path)

    assert launch.work == {}
    assert "no FLOP counters collected" in launch.reason


def test_sparse_tensor_work_is_kept_apart(tmp_path):
    metrics = [
        TIME,
        DRAM,
        ("sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_off.sum", "", "1,000"),
        ("sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_on.sum", "", "2,000"),
    ]

    assert one_launch(metrics, tmp_path).work == {"fp16-tensor": 1000.0, "fp16-tensor-sparse": 2000.0}


def test_a_short_kernel_with_little_traffic_says_how_little_that_means(tmp_path):
    metrics = [
        ("gpu__time_duration.sum", "ns", "800"),
        ("dram__bytes.sum", "byte", "128"),
        *vector("f", "1", "1", "1"),
    ]

    notes = " ".join(one_launch(metrics, tmp_path).notes)

    assert "less than 64 KiB" in notes
    assert "shorter than 1 µs" in notes


def test_a_rate_on_another_pipe_than_the_main_one_gives_no_place_without_a_time(tmp_path):
    metrics = [
        ("dram__bytes.sum.per_second", "byte/s", "1,000"),
        ("smsp__cycles_elapsed.avg.per_second", "hz", "1,000"),
        ("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum.per_cycle_elapsed", "inst/cycle", "2"),
        ("sm__inst_executed_pipe_tensor.sum", "inst", "4"),
    ]

    launch = one_launch(metrics, tmp_path, cc="7.0")

    assert launch.work == {"fp16-tensor": 2048.0}
    assert not launch.plotted
    assert "no time" in launch.reason


def test_a_file_without_peaks_has_the_clock_alone():
    (one,) = NsightComputeCsv().read(FIXTURES / "text_page.txt").machines

    assert one.clocks["sm"] == (2.23e9 + 2.2e9) / 2
    assert one.ceilings == one.boundaries == ()

"""Every form of table that the Nsight Compute reader takes, against figures worked out by hand."""

from __future__ import annotations

import pickle

import pytest

from plugins_builtin.nsight_compute import NsightComputeCsv, rooflinestudio_measurement_readers
from rooflinestudio.core.measurement import MeasurementReader, to_json
from tests.builtin.nsight_tables import (
    DRAM,
    FIXTURES,
    LONG,
    SASS,
    TIME,
    csv_text,
    fixture,
    long_rows,
    read_text,
    vector,
)


def test_the_plugin_brings_one_reader_that_keeps_the_contract():
    (reader,) = rooflinestudio_measurement_readers()

    assert isinstance(reader, MeasurementReader)
    assert reader.id == "ncu-csv"
    assert ".csv" in reader.extensions
    assert pickle.loads(pickle.dumps(reader)) == reader


# ------------------------------------------------------------------------------------------ the long form


def test_a_live_metric_list_gives_a_full_point_at_four_boundaries():
    gemm = fixture("long_live.csv").measurements[0]

    assert gemm.kernel == "void gemm_tiled<(int)32, float>(const float *, const float *, float *, int)"
    assert gemm.kernel_short == "gemm_tiled"
    assert (gemm.grid, gemm.block) == ((32, 32, 1), (32, 32, 1))
    assert gemm.compute_capability == "8.0"
    assert gemm.time_s == 0.001048576  # 1,048,576 ns
    assert gemm.pipe == "fp32"
    assert gemm.work_flop == 2_148_532_224  # 1,048,576 + 0 + 2 x 1,073,741,824
    assert gemm.traffic["dram"] == (8_388_608, 4_194_304, 12_582_912)
    assert gemm.intensity_dram == 170.75  # 2,148,532,224 / 12,582,912
    assert gemm.achieved_flop_per_s == pytest.approx(2.049e12, rel=1e-12)  # / 0.001048576 s
    assert gemm.l2_bytes == 32_000_000  # 1,000,000 sectors of 32 bytes: by the SMs, not by all clients
    assert gemm.l1_bytes == 64_000_000
    assert gemm.shared_bytes == 64_000_000  # 500,000 wavefronts of 128 bytes
    assert gemm.clock_hz == 1_410_000_000
    assert gemm.plotted
    assert gemm.reason is None


def test_every_figure_says_which_counters_gave_it_and_how_good_it_is():
    gemm = fixture("long_live.csv").measurements[0]

    assert gemm.figure("time_s").recipe == "gpu__time_duration.sum"
    assert gemm.figure("dram_bytes").recipe == "dram__bytes_read.sum + dram__bytes_write.sum"
    assert gemm.figure("l2_bytes").recipe == "lts__t_sectors_srcunit_tex.sum × 32"
    work = gemm.figure("work_flop").recipe
    assert "fadd + fmul + 2 × ffma" in work
    assert SASS.format("*") in work
    exact = ("time_s", "work_flop", "dram_bytes", "l2_bytes", "intensity_dram", "achieved_flop_per_s")
    assert {name: gemm.figure(name).quality for name in exact} == dict.fromkeys(exact, "exact")
    assert gemm.figure("shared_bytes").quality == "upper"  # replays count as traffic


def test_what_stands_around_the_table_is_no_part_of_it():
    # A byte-order mark, carriage returns, progress lines, a lone quote and a table of the program itself.
    file = fixture("long_live.csv")

    assert len(file.measurements) == 3
    assert file.warnings == ()
    assert file.format == "ncu-csv-long"


def test_a_kernel_without_arithmetic_is_listed_with_w_zero_and_not_plotted():
    copy = fixture("long_live.csv").measurements[1]

    assert copy.kernel_short == "copy_kernel"  # the name is cut at the front: unnamed>::copy_kernel(...)
    assert copy.work == {"fp32": 0.0}
    assert copy.intensity_dram == 0.0
    assert not copy.plotted
    assert "W = 0 measured" in copy.reason
    assert "sm__ops_path_tensor" in copy.reason  # tensor cores could still hide


def test_half_of_the_counters_give_lower_bounds_and_time_comes_from_cycles():
    half = fixture("long_live.csv").measurements[2]

    assert half.time_s == 0.002  # 1,000,000 cycles (average, not the maximum) at 500 MHz
    assert half.work_flop == 4_000_000  # 2 x 2,000,000 FFMA; FADD and FMUL were not collected
    assert half.figure("work_flop").quality == "lower"
    assert "fadd, fmul not collected" in half.figure("work_flop").recipe
    assert half.traffic["dram"] == (2_000_000, None, 2_000_000)  # the write counter reads n/a, which is not 0
    assert half.figure("dram_bytes").quality == "lower"
    assert (
        half.figure("intensity_dram").quality == "estimated"
    )  # a lower bound over a lower bound bounds nothing


def test_the_oldest_twelve_columns_are_read_and_hfma_on_the_tensor_pipe_is_no_tensor_work():
    file = fixture("long_12_columns.csv")
    (reduce,) = file.measurements

    assert reduce.kernel_short == "reduce"
    assert reduce.time_s == pytest.approx(5e-6)  # 5,000 cycles at 1 GHz; "Kernel Time" is a date
    assert reduce.work == {
        "fp32": 378_880.0,  # 40,960 + 10,240 + 2 x 163,840
        "fp64": 0.0,
        "fp16": 262_144.0,  # 4 x 65,536 HFMA, each a packed pair
        "tensor": 0.0,  # a finding: what ran on that pipe is the HFMA
    }
    assert reduce.figure("work.fp16").quality == "upper"
    assert reduce.intensity_dram == 2960.0  # 378,880 / 128
    # 2,048 tensor instructions x 32 threads are the 65,536 HFMA: x 512 would invent a million FLOP.
    assert any("equal HFMA / 32" in warning for warning in file.warnings)
    assert any("less than 64 KiB" in warning for warning in file.warnings)


def test_rule_rows_between_metrics_and_no_dram_traffic():
    (reduce,) = fixture("long_15_columns_with_rules.csv").measurements

    assert reduce.time_s == pytest.approx(10e-6)  # label Duration, "usecond"
    assert reduce.work_flop == 1_000_000  # 1,000 + 2,000 + 2 x 498,500
    assert reduce.dram_bytes == 0
    assert reduce.intensity_dram == float("inf")
    assert reduce.intensity("l2") == 1.0
    assert reduce.plotted_at == ("l2",)
    assert "no DRAM traffic measured" in reduce.reason
    launch = to_json(fixture("long_15_columns_with_rules.csv"))["launches"][0]
    assert launch["intensity_dram"] is None
    assert launch["plotted"] is True


def test_the_details_page_is_read_by_label_section_and_unit():
    (saxpy,) = fixture("details_20_columns.csv").measurements

    assert saxpy.time_s == pytest.approx(8e-6)
    # "Memory Throughput" is 50 % in one section and 250 GB/s in another; 250.00 has five digits where the
    # 1.99 Mbyte of the counters have three, so the rate times 8.00 us is taken.
    assert saxpy.dram_bytes == pytest.approx(2e6)
    assert saxpy.figure("dram_bytes").quality == "rounded"
    assert saxpy.clock_hz == 2e9
    assert not saxpy.plotted
    assert "no FLOP counters collected" in saxpy.reason
    assert SASS.format("{fadd,fmul,ffma}") in saxpy.reason


def test_the_roofline_section_gives_a_point_without_a_time():
    (saxpy,) = fixture("roofline_21_columns.csv").measurements

    # 100 (FFMA operations, already doubled) + 20 + 5 per cycle at 2 GHz. Adding the 50 unscaled FFMA of the
    # header would double-count, the 2.5 GHz belong to the roof.
    assert saxpy.achieved_flop_per_s == pytest.approx(250e9)
    assert saxpy.intensity_dram == pytest.approx(0.5)  # / 500 GB/s
    assert saxpy.time_s is None
    assert saxpy.work == {}
    assert saxpy.pipe == "fp32"
    assert saxpy.work_rates["fp64"] == 0
    assert saxpy.plotted
    assert saxpy.reason is None
    assert saxpy.figure("achieved_flop_per_s").quality == "rounded"


@pytest.mark.parametrize("columns", [("Metric Unit", "Kernel Name", "Metric Value", "ID", "Metric Name")])
def test_columns_are_found_by_name_in_any_order_and_number(columns, tmp_path):
    metrics = [TIME, DRAM, *vector("f", "0", "0", "1,000,000")]
    cells = [dict(zip(LONG, row, strict=True)) for row in long_rows(metrics)]
    text = csv_text([columns, *([row[name] for name in columns] for row in cells)])

    (launch,) = read_text(text, tmp_path).measurements

    assert launch.intensity_dram == 0.5  # 2 x 1,000,000 / 4,000,000


def test_without_an_id_column_a_metric_that_comes_again_starts_a_new_launch(tmp_path):
    columns = ("Kernel Name", "Metric Name", "Metric Unit", "Metric Value")
    rows = [("k", *TIME), ("k", *DRAM), ("k", "gpu__time_duration.sum", "ns", "2,000,000"), ("other", *TIME)]

    file = read_text(csv_text([columns, *rows]), tmp_path)

    assert [(m.kernel, m.time_s, m.dram_bytes) for m in file.measurements] == [
        ("k", 0.001, 4e6),
        ("k", 0.002, None),
        ("other", 0.001, None),
    ]


# ------------------------------------------------------------------------------------------ the wide form


def test_the_raw_page_has_a_row_of_units_and_one_row_per_launch():
    energy, failed = fixture("wide_raw.csv").measurements

    assert energy.time_s == 0.002  # .sum of the duration, not .avg
    # (10 + 6 + 2 x 32) per cycle x 3,000,000.5 cycles; .avg of FFMA is per sub-unit and no use.
    assert energy.work_flop == pytest.approx(240_000_040)
    assert energy.figure("work_flop").quality == "rounded"
    assert energy.dram_bytes == 8_000_000  # 6,000,000 + 2,000,000, whole numbers before any rate
    assert energy.l2_bytes == 9_600_000  # 300,000 x 32
    assert energy.l1_bytes == 16_000_000  # 125,000 writeback cycles x 128
    assert energy.figure("l1_bytes").quality == "estimated"
    assert energy.device == "Imaginary GPU 9000"
    assert energy.grid == (128, 2, 1)
    assert "fp16" not in energy.work  # HFMA reads 0, but HADD and HMUL have no data: 0 would be invented

    assert failed.time_s == 0.002  # the duration is nan; 3,000,000 cycles at 1.5 GHz
    assert not failed.plotted


def test_an_error_before_the_table_is_kept_as_a_warning():
    file = fixture("wide_raw.csv")

    assert len(file.measurements) == 2
    assert any("LaunchFailed" in warning for warning in file.warnings)
    assert file.format == "ncu-csv-wide"


def test_long_and_wide_form_of_one_report_give_the_same_figures(tmp_path):
    metrics = [TIME, ("dram__bytes.sum", "Mbyte", "4.00"), *vector("f", "10", "20", "1,000,000")]
    rows = long_rows(metrics)
    wide = [
        (*LONG[:11], *(m[0] for m in metrics)),
        (*[""] * 11, *(m[1] for m in metrics)),
        (*rows[0][:11], *(m[2] for m in metrics)),
    ]

    (a,) = read_text(csv_text([LONG, *rows]), tmp_path, "long.csv").measurements
    (b,) = read_text(csv_text(wide), tmp_path, "wide.csv").measurements

    assert a == b
    assert a.work_flop == 2_000_030


# -------------------------------------------------------------------------------------------- other tables


def test_the_summary_page_gives_means_and_says_so():
    file = fixture("summary.csv")
    saxpy, occupancy = file.measurements

    assert saxpy.count == 14
    assert (saxpy.time_s, saxpy.dram_bytes) == (4e-6, 2000)  # the Average column
    assert saxpy.work_flop == 40  # 10 + 10 + 2 x 10
    assert "mean of 14 launches" in saxpy.figure("time_s").recipe
    assert occupancy.count == 2
    assert not occupancy.plotted
    assert occupancy.reason
    assert any("summary page" in warning for warning in file.warnings)


def test_a_second_header_starts_a_new_table_with_its_own_columns_and_ids():
    first, second = fixture("two_tables.csv").measurements

    assert (first.kernel_short, first.time_s, first.launch) == ("first", 0.001, 0)
    assert (second.kernel_short, second.time_s, second.launch) == ("second", 0.0025, 1)  # 2.50 ms


def test_interleaved_processes_with_the_same_ids_are_two_launches():
    first, second = fixture("two_processes.csv").measurements

    assert (first.time_s, first.dram_bytes, first.device) == (0.001, 1111, "device 0")
    assert (second.time_s, second.dram_bytes, second.device) == (0.002, 2222, "device 1")


# ------------------------------------------------------------------------------------- files without launches


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("application_error.txt", "exited with an error before any kernel was measured"),
        ("no_permission.txt", "No permission to read the GPU performance counters (ERR_NVGPUCTRPERM)"),
        ("source_page.csv", "source page"),
    ],
)
def test_output_without_launches_is_answered_with_the_reason(name, said):
    file = fixture(name)

    assert file.measurements == ()
    assert said in file.warnings[0]


def test_a_run_that_was_killed_keeps_what_is_whole():
    file = fixture("cut_off.csv")  # ends inside the value of the last row

    (launch,) = file.measurements
    assert launch.traffic["dram"] == (54_207_744, None, 54_207_744)
    assert any("cut off" in warning for warning in file.warnings)


def test_a_header_without_rows_is_answered(tmp_path):
    file = read_text(csv_text([LONG]), tmp_path)

    assert file.measurements == ()
    assert "no launch" in file.warnings[0]


@pytest.mark.parametrize("path", sorted(FIXTURES.iterdir()), ids=lambda path: path.name)
def test_every_fixture_is_recognised_by_its_content(path):
    assert NsightComputeCsv().recognises(path.read_bytes()[:65536], "data.bin")


@pytest.mark.parametrize(
    "head",
    [b"", b"\x89PNG\r\n\x1a\n\x00\x00", b"m,n,k,time\n1,2,3,4\n", b"plain words", bytes(range(256)) * 4],
)
def test_other_files_are_left_to_other_readers(head):
    assert not NsightComputeCsv().recognises(head, "report.csv")


def test_binary_reports_and_nvprof_are_left_to_their_own_readers():
    reader = NsightComputeCsv()

    assert not reader.recognises(b"NVR\0rest", "report.ncu-rep")
    assert not reader.recognises(b"\x28\xb5\x2f\xfdrest", "report.ncu-repz")
    for path in (FIXTURES.parent / "nvprof").iterdir():
        assert not reader.recognises(path.read_bytes(), path.name), path.name

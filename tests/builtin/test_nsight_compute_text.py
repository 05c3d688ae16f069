"""Text pages: what the profiler prints to a terminal, with the program's own output around it."""

from __future__ import annotations

import pytest

from plugins_builtin._ncu.ruled import Row, RuledTable
from plugins_builtin._ncu.text_page import launch_heading
from plugins_builtin.nsight_compute import NsightComputeCsv
from rooflinestudio.core.measurement import MeasurementError
from tests.builtin.nsight_tables import FIXTURES, fixture, read_text

PAGE = (FIXTURES / "text_page.txt").read_text()


def test_a_page_gives_each_launch_with_its_shape_and_figures():
    triad, sort = fixture("text_page.txt").measurements

    assert triad.kernel == "void triad_kernel<float, (int)4>(const T1 *, const T1 *, T1 *, T1)"
    assert (triad.grid, triad.block) == ((4096, 2, 1), (256, 1, 1))
    assert triad.compute_capability == "8.9"
    assert triad.time_s == pytest.approx(50e-6)
    assert triad.clock_hz == 2.23e9
    assert triad.work_flop == 8_388_608  # 2 x 4,194,304
    # 800.00 Gbyte/s has five digits, the two amounts in Mbyte have four: the rate times 50.00 us, and by chance
    # the same 40.00 MB.
    assert triad.dram_bytes == pytest.approx(40e6)
    assert triad.plotted
    assert (sort.kernel, sort.grid, sort.block) == ("sort_step(unsigned int *, int)", (64, 1, 1), (128, 1, 1))
    assert sort.time_s == pytest.approx(1.25e-3)
    assert sort.dram_bytes == pytest.approx(500e3)  # 400.00 Mbyte/s x 1.25 ms


def test_figures_of_a_page_are_rounded_and_the_file_says_where_they_are_whole():
    file = fixture("text_page.txt")

    triad = file.measurements[0]
    assert triad.figure("time_s").quality == "rounded"
    assert triad.figure("dram_bytes").quality == "rounded"
    assert triad.figure("work_flop").quality == "exact"  # 4,194,304 is printed in full
    assert any("--page raw" in warning for warning in file.warnings)
    assert file.format == "ncu-text"


def test_numbers_in_advice_and_in_program_output_are_no_figures():
    # "123.45 Gbyte/s", "7.00 us" and "40.0%" stand in a paragraph, "step, residual" and "Device 0" in the output.
    triad, _ = fixture("text_page.txt").measurements

    assert triad.time_s == pytest.approx(50e-6)
    assert triad.bytes_per_s("dram") == pytest.approx(800e9)


def test_a_kernel_of_which_the_rule_says_0_percent_has_no_place_and_one_with_counters_keeps_them():
    triad, sort = fixture("text_page.txt").measurements

    assert sort.work == {"fp32": 0.0, "fp64": 0.0}
    assert sort.figure("work_flop").quality == "rounded"  # whole percents
    assert "0% of the fp32 peak" in sort.figure("work_flop").recipe
    assert not sort.plotted
    assert "by the roofline rule" in sort.reason
    assert triad.work["fp64"] == 0.0
    assert triad.work["fp32"] == 8_388_608  # 2% in the rule is not used


def test_the_rule_says_the_same_in_a_table(tmp_path):
    columns = "ID,Kernel Name,CC,Section Name,Metric Name,Metric Unit,Metric Value,Rule Name,Rule Type,Rule Description"
    advice = (
        "The ratio of peak float (fp32) to double (fp64) performance on this device is 32:1. The kernel achieved 0% of "
        "this device's fp32 peak performance and 0% of its fp64 peak performance."
    )
    text = f'{columns}\n0,k,8.6,Speed,Duration,ms,1.25\n0,k,8.6,Roof,,,,SOLFPRoofline,INF,"{advice}"\n'

    (launch,) = read_text(text, tmp_path).measurements

    assert launch.work == {"fp32": 0.0, "fp64": 0.0}


def test_a_share_that_is_not_0_gives_no_work(tmp_path):
    (launch,) = read_text(
        PAGE[PAGE.index("  sort_step") :].replace("0% of this", "3% of this"), tmp_path
    ).measurements

    assert "fp32" not in launch.work
    assert "no FLOP counters collected" in launch.reason


def test_old_pages_have_long_units_a_date_and_tables_without_names():
    scale, other = fixture("text_page_old.txt").measurements

    assert scale.kernel.startswith("void lib::<unnamed>::scale_kernel<float, (int)4")
    assert scale.kernel.endswith("(int, lib::State, T3)")  # the date is no part of it
    assert scale.time_s == pytest.approx(20.5e-6)
    assert scale.clock_hz == 1.5e9
    assert other.time_s == pytest.approx(10.85e-6)
    assert other.dram_bytes == pytest.approx(1.085e6)  # decimal prefixes: 100e9 byte/s x 10.85 us


def test_a_failed_launch_reads_nan_and_is_refused():
    file = fixture("text_page_failed.txt")

    (launch,) = file.measurements
    assert not launch.plotted
    assert "failed or was interrupted" in launch.reason
    assert any("LaunchFailed" in warning for warning in file.warnings)


def test_a_summary_page_gives_means():
    file = fixture("text_summary.txt")

    (saxpy,) = file.measurements
    assert (saxpy.count, saxpy.time_s) == (14, pytest.approx(4e-6))
    assert saxpy.dram_bytes == pytest.approx(2000)
    assert "mean of 14 launches" in saxpy.figure("time_s").recipe
    assert any("summary page" in warning for warning in file.warnings)


def test_several_forms_in_one_file_are_all_read():
    file = fixture("several_forms.txt")

    assert [launch.count for launch in file.measurements] == [14, 2, 14, 1, 1]
    assert [launch.launch for launch in file.measurements] == [0, 1, 2, 3, 4]


def test_a_page_that_breaks_off_says_where_and_keeps_what_is_whole():
    file = fixture("text_page_cut.txt")  # ends inside "1.25", which would read 1.2

    triad, sort = file.measurements
    assert triad.work_flop == 8_388_608
    assert sort.time_s is None
    said = " ".join(file.warnings)
    assert "inside the table “GPU Speed Of Light Throughput” of launch 1 (line 59)" in said


def test_figures_without_the_name_of_their_kernel_are_kept_and_said():
    file = fixture("text_page_headless.txt")

    unnamed, sort = file.measurements
    assert unnamed.kernel == "(kernel not named)"
    assert unnamed.work_flop == 8_388_608
    assert sort.kernel_short == "sort_step"
    assert any("no line that names their kernel" in warning for warning in file.warnings)


def test_sections_that_come_again_without_a_name_are_several_launches(tmp_path):
    one = PAGE[PAGE.index("    Section: GPU Speed") : PAGE.index("    OPT")]

    file = read_text(one + one.replace("50.00", "60.00"), tmp_path)

    assert [launch.time_s for launch in file.measurements] == [pytest.approx(50e-6), pytest.approx(60e-6)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_and_line_ends_make_no_difference(encoding, end, tmp_path):
    plain = fixture("text_page.txt")

    file = read_text(PAGE.replace("\n", end).encode(encoding), tmp_path)

    assert file.measurements == plain.measurements


def test_a_page_of_another_locale_is_read_by_its_evidence(tmp_path):
    german = PAGE.translate(str.maketrans(",.", ".,"))
    heads = [line for line in PAGE.splitlines() if "Stream 7" in line]
    for head in heads:  # only the numbers follow the locale
        german = german.replace(head.translate(str.maketrans(",.", ".,")), head)
    german = german.replace("op_ffma_pred_on,sum", "op_ffma_pred_on.sum")

    file = read_text(german, tmp_path)

    assert file.measurements[0].time_s == pytest.approx(50e-6)
    assert any("decimal comma" in warning for warning in file.warnings)


def test_colours_of_a_terminal_do_not_matter(tmp_path):
    text = PAGE.replace("    Duration", "\x1b[32m    Duration\x1b[0m")

    assert read_text(text, tmp_path).measurements[0].time_s == pytest.approx(50e-6)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("  k(int) (1, 2, 3)x(4, 5, 6), Context 1, Stream 7, Device 0, CC 10.0",
         ("k(int)", "(1, 2, 3)", "(4, 5, 6)", "10.0")),
        ("k<(int)2, f<a, b>>(T1, T2) (1, 1, 1)x(1, 1, 1), Context 1, Stream 13, Device 3, CC 9.0",
         ("k<(int)2, f<a, b>>(T1, T2)", "(1, 1, 1)", "(1, 1, 1)", "9.0")),
        ("  k, 2019-Oct-02 10:11:12, Context 1, Stream 7", ("k", "", "", None)),
        ("  k(int) (1, 1, 1)x(1, 1, 1), Device 0, CC 8.0, Invocations 3", ("k(int)", "(1, 1, 1)", "(1, 1, 1)", "8.0")),
    ],
)  # fmt: skip
def test_launch_lines_are_taken_apart_from_the_right(line, found):
    heading = launch_heading(line)

    assert (heading.kernel, heading.grid, heading.block, heading.properties.get("CC")) == found


@pytest.mark.parametrize(
    "line", ["", "epoch 1, loss 0.5", "using Device 0, CC 8.0 of the host", ", Context x", "a, Stream 7"]
)
def test_other_lines_start_no_launch(line):
    assert launch_heading(line) is None


def test_one_blank_between_unit_and_value_is_enough():
    table = RuledTable()
    ruler = "  ----------- ----------- ------------"
    for line in (ruler, "  Metric Name Metric Unit Metric Value", ruler):
        assert table.take(line, in_section=True) is True

    narrow = table.take("  SM Active         cycle 2,260,610.93", in_section=True)
    # A cell that is wider than its column: by gaps of two blanks.
    wide = table.take("  Enabled TPCs   list  all", in_section=True)

    assert narrow == Row("SM Active", "cycle", "2,260,610.93")
    assert wide == Row("Enabled TPCs", "list", "all")


def test_tables_of_the_program_itself_are_left_alone(tmp_path):
    table = (
        "----- ------ -----\nname  count  time\n----- ------ -----\nDuration us 9.99\n----- ------ -----\n"
    )

    with pytest.raises(MeasurementError, match="no Nsight Compute table"):
        read_text(table, tmp_path)
    file = read_text(table + PAGE, tmp_path)
    assert len(file.measurements) == 2


def test_recognition_by_content_alone():
    reader = NsightComputeCsv()

    assert reader.recognises(PAGE.encode()[:65536], "data.bin")
    assert reader.recognises(PAGE[PAGE.index("  sort_step") :].encode(), "data.bin")
    assert not reader.recognises(b"a log, Device 0, CC 8.0, of a program\n", "notes.txt")

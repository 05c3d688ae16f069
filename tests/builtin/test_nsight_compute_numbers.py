"""Number formats, units and encodings of Nsight Compute tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugins_builtin._ncu.numbers import FormatEvidence, ambiguous, is_missing, read_number
from plugins_builtin._ncu.units import read_unit
from tests.builtin.nsight_tables import DRAM, fixture, long_text, one_launch, read_text, vector

# ------------------------------------------------------------------------------------------------- formats


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("9,589,248", ".", 9_589_248),
        ("5,318,969,728.00", ".", 5_318_969_728),
        ("1234.5", ".", 1234.5),
        ("27.595.520", ",", 27_595_520),
        ("65,77", ",", 65.77),
        ("1.234,5", ",", 1234.5),
        ("117.344", ".", 117.344),
        ("117.344", ",", 117_344),
        ("1\u202f234,5", ",", 1234.5),
        ("1\u00a0234", ".", 1234),
        ("1'234.5", ".", 1234.5),
        ("12 (4; 8)", ".", 12),
        ("1.5e+09", ".", 1.5e9),
        ("-12", ".", -12),
    ],
)
def test_a_number_is_read_in_the_format_of_its_file(text, mark, value):
    assert read_number(text, mark).value == value


@pytest.mark.parametrize(
    ("text", "mark"),
    [("12,34", "."), ("1,2345", "."), ("0,123", "."), ("1.23", ","), ("1,234,5", "."), ("", "."), ("abc", "."),
     ("1.2.3", "."), ("9" * 70, "."), ("1e999", "."), ("1.5e+999", ".")],
)  # fmt: skip
def test_wrong_grouping_and_words_are_no_numbers(text, mark):
    assert read_number(text, mark) is None


@pytest.mark.parametrize(
    "text", ["n/a", "nan", "(!) nan", "(!) n/a", "no data", "", "inf", "-nan(ind)", "NaN", " n/a "]
)
def test_words_for_a_missing_value_are_known(text):
    assert is_missing(text)


@given(st.decimals(min_value=0, max_value=10**12, places=2), st.sampled_from([(",", "."), (".", ",")]))
def test_any_number_comes_back_from_either_format(number, style):
    group, mark = style
    text = f"{number:,.2f}".replace(",", "\0").replace(".", mark).replace("\0", group)

    assert read_number(text, mark).value == pytest.approx(float(number), rel=1e-12)


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["27.595.520", "117.344"], ","),
        (["65,77", "117.344"], ","),
        (["1.234,5"], ","),
        (["1,234.5", "9,920"], "."),
        (["97.32", "117.344"], "."),
        (["0.123"], "."),
        (["1234.567"], "."),
        (["123", "45"], "."),
        (["9,920"], "."),  # a locale with a decimal comma prints two decimals, never three
        (["117.344"], None),
        (["117.344", "27595520"], "."),  # the file does not group thousands, so the dot is no group
        (["65,77", "1.5"], None),  # contradiction
        (["65,77", *["1.5"] * 40], "."),  # one stray cell is none
    ],
)
def test_the_decimal_mark_follows_from_what_the_cells_leave_possible(cells, mark):
    evidence = FormatEvidence()
    for cell in cells:
        evidence.add(cell, integer=False)

    assert evidence.decide() == mark


def test_an_integer_counter_with_three_digits_behind_its_dot_shows_grouping():
    evidence = FormatEvidence()
    evidence.add("27.595", integer=True)

    assert evidence.decide() == ","


def test_only_cells_with_two_readings_are_ambiguous():
    assert ambiguous("117.344")
    assert ambiguous("9,920")
    assert not any(map(ambiguous, ("117", "1.5", "27.595.520", "0.123", "1,234.5")))


# ------------------------------------------------------------------------------------ formats of whole files


def test_a_decimal_comma_is_found_and_said():
    file = fixture("comma_decimal.csv")
    (sgemm,) = file.measurements

    assert sgemm.time_s == pytest.approx(117_344e-9)  # not 117.344 ns
    assert sgemm.dram_bytes == 27_595_520
    assert any("decimal comma" in warning and "27.595.520" in warning for warning in file.warnings)


def test_an_undecided_file_is_not_guessed_but_asked_about():
    file = fixture("undecided_dots.csv")
    (sgemm,) = file.measurements

    assert sgemm.time_s is None
    assert not sgemm.plotted
    assert "two ways" in sgemm.reason
    (question,) = file.warnings
    assert "117.344 ns with a decimal point and 117,344 ns with a decimal comma" in question
    # 27 MB in 117.344 ns or in 117,344 ns: no memory moves 230 TB/s.
    assert "230 TB/s" in question
    assert "230 GB/s" in question


@pytest.mark.parametrize(("mark", "time_s"), [(".", 117.344e-9), (",", 117_344e-9)])
def test_the_answer_to_the_question_is_taken(mark, time_s, tmp_path):
    metrics = [("gpu__time_duration.sum", "ns", "117.344")]
    unanswered = read_text(long_text(metrics), tmp_path)
    file = read_text(long_text(metrics), tmp_path, decimal_mark=mark)

    assert file.measurements[0].time_s == pytest.approx(time_s)
    assert not any("number format" in warning for warning in file.warnings)
    assert file.digest != unanswered.digest  # the same bytes read otherwise are other measurements


def test_contradicting_cells_are_said_and_the_open_ones_left_out(tmp_path):
    metrics = [
        ("gpu__time_duration.sum", "ns", "117.344"),
        ("dram__bytes.sum", "Mbyte", "1.50"),
        ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "65,77"),
    ]
    file = read_text(long_text(metrics), tmp_path)

    assert file.measurements[0].time_s is None
    assert file.measurements[0].dram_bytes == 1.5e6
    assert "mixes" in file.warnings[0]


# --------------------------------------------------------------------------------------------------- units


@pytest.mark.parametrize(
    ("text", "kind", "base_units"),
    [
        ("byte", "byte", 1), ("Kbyte", "byte", 1e3), ("Mbyte", "byte", 1e6), ("Gbyte", "byte", 1e9),
        ("Tbyte", "byte", 1e12), ("byte/s", "byte/s", 1), ("byte/second", "byte/s", 1), ("Gbyte/s", "byte/s", 1e9),
        ("Tbyte/second", "byte/s", 1e12), ("byte/cycle", "per_cycle", 1), ("Kbyte/cycle", "per_cycle", 1e3),
        ("ns", "time", 1e-9), ("nsecond", "time", 1e-9), ("us", "time", 1e-6), ("usecond", "time", 1e-6),
        ("ms", "time", 1e-3), ("msecond", "time", 1e-3), ("s", "time", 1), ("second", "time", 1),
        ("hz", "frequency", 1), ("Mhz", "frequency", 1e6), ("Ghz", "frequency", 1e9),
        ("cycle/second", "frequency", 1), ("cycle/usecond", "frequency", 1e6), ("cycle/nsecond", "frequency", 1e9),
        ("inst", "count", 1), ("inst/cycle", "per_cycle", 1), ("sectors", "count", 1), ("sector/s", "count/s", 1),
        ("%", "percent", 1), ("", "none", 1), ("register/thread", "count", 1), ("BYTE", "byte", 1),
    ],
)  # fmt: skip
def test_old_and_new_unit_words_are_decimal(text, kind, base_units):
    unit = read_unit(text)

    assert unit.kind == kind
    assert unit.factor / unit.divisor == pytest.approx(base_units, rel=1e-15)


def test_an_unknown_unit_is_not_guessed(tmp_path):
    file = read_text(long_text([("dram__bytes.sum", "furlong", "12")]), tmp_path)

    assert file.measurements[0].dram_bytes is None
    assert any("furlong" in warning for warning in file.warnings)


def test_each_cell_has_its_own_unit():
    first, second, third = fixture("units_per_cell.csv").measurements

    assert (first.dram_bytes, first.l1_bytes) == (977_500, 640)
    assert (second.dram_bytes, second.l1_bytes) == (pytest.approx(30.14e6), 1.5e9)
    assert (third.dram_bytes, third.l1_bytes) == (2e9, 0.25e12)
    assert first.figure("dram_bytes").quality == "rounded"  # two decimals of a Kbyte
    assert first.figure("l1_bytes").quality == "exact"  # whole bytes


def test_nanoseconds_come_out_as_the_nearest_float(tmp_path):
    assert one_launch([("gpu__time_duration.sum", "ns", "9,589,248")], tmp_path).time_s == 0.009589248


def test_a_value_that_does_not_fit_is_counted_with_its_place(tmp_path):
    file = read_text(long_text([DRAM, *vector("f", "1", "1,2.3,4", "2.50")]), tmp_path)

    assert any("1,2.3,4" in warning and "line 2" in warning for warning in file.warnings)


# ----------------------------------------------------------------------------------------------- encodings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_powershell_and_windows_files_read_the_same(encoding, end, tmp_path):
    text = "==PROF== Connected\n" + long_text([DRAM, ("gpu__time_duration.sum", "ns", "1,000")])
    file = read_text(text.replace("\n", end).encode(encoding), tmp_path)

    assert file.measurements[0].dram_bytes == 4e6
    assert file.measurements[0].time_s == 1e-6


def test_bytes_that_are_no_utf_8_do_not_stop_the_import(tmp_path):
    text = long_text([DRAM]).replace("kernel(", "k\udce9rnel(").encode("utf-8", "surrogateescape")

    (launch,) = read_text(text, tmp_path).measurements

    assert launch.dram_bytes == 4e6


def test_semicolons_of_a_spreadsheet_are_read(tmp_path):
    text = long_text([DRAM]).replace('","', '";"')

    assert read_text(text, tmp_path).measurements[0].dram_bytes == 4e6

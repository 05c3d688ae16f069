"""Files that are broken, of another kind, or made to hurt."""

from __future__ import annotations

import hashlib
import json
import pickle

import pytest

from plugins_builtin._ncu import lines
from plugins_builtin.nsight_compute import NsightComputeCsv
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError, to_json
from tests.builtin.nsight_tables import DRAM, FIXTURES, LONG, TIME, csv_text, long_rows, long_text, read_text

# ------------------------------------------------------------------------------------------ of another kind


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"  \n ", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG picture"),
        (b"PK\x03\x04\0\0\0", "ZIP archive"),
        (b"NVR\0\x04\0\0\0", "binary report of Nsight Compute"),
        (b"SQLite format 3\0", "SQLite"),
        (bytes(range(256)), "binary file"),
        (b"m,n,k,time\n1,2,3,4\n", "no Nsight Compute table"),
        (b"Dear colleague,\nplease find attached\n", "no Nsight Compute table"),
    ],
)
def test_a_file_dropped_by_mistake_is_named_with_what_it_is_and_the_mend(content, said, tmp_path):
    with pytest.raises(MeasurementError) as caught:
        read_text(content, tmp_path, "dropped.csv")

    assert said in str(caught.value)
    assert "dropped.csv" in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for path in (tmp_path / "gone.csv", tmp_path):
        with pytest.raises(MeasurementError, match="cannot be read"):
            NsightComputeCsv().read(path)


# ------------------------------------------------------------------------------------- progress and digest


def test_progress_rises_to_the_end_and_false_cancels(tmp_path):
    rows = [row for launch in range(1500) for row in long_rows([TIME, DRAM], launch=launch)]
    path = tmp_path / "report.csv"
    path.write_text(csv_text([LONG, *rows]))
    shares: list[float] = []

    def note(share: float) -> bool:
        shares.append(share)
        return True

    file = NsightComputeCsv().read(path, note)

    assert len(file.measurements) == 1500
    assert len(shares) >= 6  # about every 500 rows
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1
    with pytest.raises(MeasurementCancelled):
        NsightComputeCsv().read(path, lambda share: share < 0.3)


def test_the_digest_is_that_of_the_content(tmp_path):
    text = long_text([TIME])
    first, second = read_text(text, tmp_path, "a.csv"), read_text(text, tmp_path, "b.csv")

    assert first.digest == second.digest == hashlib.sha256(text.encode()).hexdigest()
    assert read_text(long_text([DRAM]), tmp_path).digest != first.digest


def test_what_was_read_can_be_sent_to_another_process():
    file = NsightComputeCsv().read(FIXTURES / "wide_raw.csv")

    assert pickle.loads(pickle.dumps(file)) == file


# ---------------------------------------------------------------------------------------------- bad shapes


def test_rows_of_program_output_among_the_rows_are_passed_over(tmp_path):
    rows = csv_text(long_rows([TIME, DRAM])).splitlines()
    noise = [
        "1,2,3",
        '"not","a","row"',
        "",
        ",,,,",
        'half a "quote',
        '"',
        "epoch 1, loss 0.5",
        "==PROF== still there",
    ]
    text = "\n".join([csv_text([LONG]).strip(), rows[0], *noise, rows[1], *noise])

    (launch,) = read_text(text, tmp_path).measurements

    assert (launch.time_s, launch.dram_bytes) == (0.001, 4e6)


def test_a_row_with_line_breaks_inside_its_quotes_is_one_row(tmp_path):
    text = long_text([TIME, DRAM]).replace("kernel(float *)", "kernel(float *,\n  int)")

    (launch,) = read_text(text, tmp_path).measurements

    assert launch.kernel == "kernel(float *,\n  int)"
    assert launch.dram_bytes == 4e6


def test_an_open_quote_swallows_no_other_row(tmp_path):
    rows = csv_text(long_rows([TIME, DRAM])).splitlines()
    text = "\n".join([csv_text([LONG]).strip(), rows[0][:-3], rows[0], rows[1]])

    file = read_text(text, tmp_path)

    assert (file.measurements[0].time_s, file.measurements[0].dram_bytes) == (0.001, 4e6)
    assert any("cut off" in warning for warning in file.warnings)


def test_a_line_longer_than_any_table_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "_LONGEST_LINE", 1000)
    rows = csv_text(long_rows([TIME, DRAM])).splitlines()
    text = "\n".join([csv_text([LONG]).strip(), rows[0], "x" * 5000, rows[1]]) + "\n"

    file = read_text(text, tmp_path)

    assert file.measurements[0].dram_bytes == 4e6
    assert any("Left out: 1 line" in warning for warning in file.warnings)


@pytest.mark.parametrize(
    "value", ["1e99", "9" * 60, "9" * 5000, "-5", "0x10", "1" + ",000" * 12, "1 (" + "4; " * 9999]
)
def test_impossible_numbers_are_left_out_and_nothing_else(value, tmp_path):
    file = read_text(long_text([TIME, ("dram__bytes.sum", "byte", value)]), tmp_path)

    assert file.measurements[0].time_s == 0.001
    assert file.measurements[0].dram_bytes in (None, 1.0)
    json.dumps(to_json(file), allow_nan=False)


def test_errors_and_remarks_are_bounded(tmp_path):
    text = "".join(f"==ERROR== number {i} {'x' * 2000}\n" for i in range(500)) + long_text([TIME])

    file = read_text(text, tmp_path)

    assert len(file.warnings) < 30
    assert max(map(len, file.warnings)) < 1000

"""Files that are broken, of another kind, or made to hurt."""

from __future__ import annotations

import hashlib
import json
import pickle
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plugins_builtin._ncu import lines
from plugins_builtin.nsight_compute import NsightComputeCsv
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError, to_json
from tests.builtin.nsight_tables import DRAM, FIXTURES, LONG, TIME, csv_text, long_rows, long_text, read_text

SECONDS = 5.0
"""No input of a few kilobytes may take longer."""

ALL = {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir())}


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


# ---------------------------------------------------------------------------------------------------- fuzz


def _survives(content: bytes, folder) -> None:
    """Read it: an answer that can be printed, or a MeasurementError, and soon."""
    path = folder / "fuzzed.csv"
    path.write_bytes(content)
    began = time.perf_counter()
    NsightComputeCsv().recognises(content[:65536], path.name)
    try:
        file = NsightComputeCsv().read(path)
    except MeasurementError as error:
        assert str(path) in str(error)
    else:
        json.dumps(to_json(file), allow_nan=False)
        for measurement in file.measurements:
            assert measurement.plotted or measurement.reason
        assert file.measurements or file.warnings
    assert time.perf_counter() - began < SECONDS


@st.composite
def _mutated(draw: st.DrawFn) -> bytes:
    """One of the fixtures after a few of the accidents that happen to files."""
    content = bytearray(ALL[draw(st.sampled_from(sorted(ALL)))])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content)))
        kind = draw(
            st.sampled_from(["cut", "flip", "insert", "repeat", "lines", "number", "cells", "encoding"])
        )
        if kind == "cut":
            del content[at : at + draw(st.integers(1, 500))]
        elif kind == "flip" and at < len(content):
            content[at] ^= draw(st.integers(1, 255))
        elif kind == "insert":
            content[at:at] = draw(st.binary(max_size=20))
        elif kind == "repeat":
            content[at:at] = content[at : at + 300] * draw(st.integers(1, 20))
        elif kind == "lines":
            parts = bytes(content).split(b"\n")
            content = bytearray(b"\n".join(draw(st.permutations(parts))))
        elif kind == "number":
            hostile = draw(
                st.sampled_from([b"1e99", b"-1", b"1.1.1", b"inf", b"9" * 90, b"", b"\xff\xfe", b'""'])
            )
            content = bytearray(bytes(content).replace(b"0", hostile, draw(st.integers(1, 3))))
        elif kind == "cells":
            content = bytearray(
                bytes(content).replace(b'","', draw(st.sampled_from([b'";"', b'"', b",", b'",,"'])))
            )
        elif kind == "encoding":
            content = bytearray(
                bytes(content).decode("utf-8", "replace").encode(draw(st.sampled_from(["utf-16", "utf-32"])))
            )
    return bytes(content)


_QUICK = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@_QUICK
@given(content=_mutated())
def test_mutated_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    _survives(content, tmp_path_factory.mktemp("fuzz"))


@_QUICK
@given(content=st.binary(max_size=400))
def test_any_bytes_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    _survives(content, tmp_path_factory.mktemp("fuzz"))


_NAMES = st.sampled_from([
    "dram__bytes.sum", "dram__bytes_read.sum", "dram__bytes.sum.per_second", "gpu__time_duration.sum",
    "smsp__cycles_elapsed.avg", "smsp__cycles_elapsed.avg.per_second", "sm__inst_executed_pipe_tensor.sum",
    "sm__ops_path_tensor.sum", "sm__ops_path_tensor_src_fp16_dst_fp32.sum.per_cycle_elapsed",
    "sm__ops_path_tensor_op_hmma_src_bf16_sparsity_on.sum", "l1tex__t_bytes.sum", "lts__t_sectors.sum",
    *(f"smsp__sass_thread_inst_executed_op_{p}{o}_pred_on.sum{r}" for p in "fdh" for o in ("add", "mul", "fma")
      for r in ("", ".per_cycle_elapsed")),
    "dram__throughput.avg.pct_of_peak_sustained_elapsed", "dram__cycles_elapsed.avg.per_second",
    "dram__bytes.sum.peak_sustained", "derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2",
])  # fmt: skip
_UNITS = st.sampled_from(
    ["", "byte", "Kbyte", "Gbyte/s", "ns", "ms", "%", "hz", "Ghz", "inst", "inst/cycle", "?"]
)
_VALUES = st.one_of(
    st.sampled_from(["0", "0.00", "n/a", "nan", "117.344", "9,920", "65,77", "1e29", "1e-99", "-3", "1.5"]),
    st.integers(0, 10**12).map(lambda number: f"{number:,}"),
)


@_QUICK
@given(
    metrics=st.lists(st.tuples(_NAMES, _UNITS, _VALUES), max_size=25),
    cc=st.sampled_from(["7.0", "8.0", "10.0", "", "x"]),
)
def test_any_set_of_counters_gives_consistent_figures(metrics, cc, tmp_path_factory):
    content = csv_text([LONG, *long_rows(metrics, cc=cc)]).encode()

    _survives(content, tmp_path_factory.mktemp("fuzz"))


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(content=st.one_of(_mutated(), st.binary(max_size=2000)))
def test_many_mutated_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    _survives(content, tmp_path_factory.getbasetemp())

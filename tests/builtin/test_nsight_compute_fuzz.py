"""Broken and hostile text: an answer or a clear error, soon, and within a bounded memory.

The inputs are the fixtures of all text readers after the accidents that happen to files and the tricks that are played
on readers, bytes of any kind, and tables with any set of counters.
"""

from __future__ import annotations

import json
import time
import tracemalloc
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plugins_builtin.nsight_compute import NsightComputeCsv
from plugins_builtin.nvprof import NvprofCsv
from rooflinestudio.core.measurement import MeasurementError, to_json
from tests.builtin.nsight_tables import FIXTURES, LONG, csv_text, long_rows

CPU_SECONDS = 5.0
MEMORY_TIMES = 10
MEMORY_BYTES = 32_000_000
READERS = (NsightComputeCsv(), NvprofCsv())
ALL = {
    path.name: path.read_bytes()
    for folder in (FIXTURES, FIXTURES.parent / "nvprof")
    for path in sorted(folder.iterdir())
}
LONGEST = 2_000_000  # bytes of one input


@cache
def _warm() -> None:
    """Import what the readers import when they first read, so that it counts for no input."""
    import numpy as np

    np.unique(np.zeros(1))
    for name in ("wide_raw.csv", "text_page.txt"):
        NsightComputeCsv().read(FIXTURES / name)


def _read(reader, path):
    """Read a file: what was found, or None after a clear error."""
    try:
        return reader.read(path)
    except MeasurementError as error:
        assert str(path) in str(error)
        return None


def survives(content: bytes, folder) -> None:
    """Hold all readers against one input."""
    _warm()
    path = folder / "fuzzed.csv"
    path.write_bytes(content)
    for reader in READERS:
        began = time.process_time()
        tracemalloc.start()
        try:
            reader.recognises(content[:65536], path.name)
            file = _read(reader, path)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert time.process_time() - began < CPU_SECONDS
        assert peak < MEMORY_TIMES * len(content) + MEMORY_BYTES
        if file is not None:
            json.dumps(to_json(file), allow_nan=False)
            assert all(one.plotted or one.reason for one in file.measurements)
            assert file.measurements or file.warnings
            assert len(file.warnings) < 60
            assert max(map(len, file.warnings), default=0) < 2_000


# --------------------------------------------------------------------------------------------- accidents


def _cut(content: bytes, at: int, draw) -> bytes:
    return content[:at]


def _gap(content: bytes, at: int, draw) -> bytes:
    return content[:at] + content[at + draw(st.integers(1, 500)) :]


def _flip(content: bytes, at: int, draw) -> bytes:
    if at == len(content):
        return content
    return content[:at] + bytes([content[at] ^ draw(st.integers(1, 255))]) + content[at + 1 :]


def _insert(content: bytes, at: int, draw) -> bytes:
    return content[:at] + draw(st.binary(max_size=20)) + content[at:]


def _repeat(content: bytes, at: int, draw) -> bytes:
    return content[:at] + content[at : at + 300] * draw(st.integers(1, 20)) + content[at:]


def _shuffle(content: bytes, at: int, draw) -> bytes:
    return b"\n".join(draw(st.permutations(content.split(b"\n"))))


def _numbers(content: bytes, at: int, draw) -> bytes:
    hostile = draw(
        st.sampled_from([b"1e99", b"-1", b"1.1.1", b"inf", b"9" * 90, b"", b"\xff\xfe", b'""', b"\x1f"])
    )
    return content.replace(b"0", hostile, draw(st.integers(1, 3)))


def _quotes(content: bytes, at: int, draw) -> bytes:
    return content.replace(b'","', draw(st.sampled_from([b'";"', b'"', b",", b'",,"', b'"\t"'])))


def _encoding(content: bytes, at: int, draw) -> bytes:
    text = content.decode("utf-8", "replace")
    return text.encode(draw(st.sampled_from(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])))


def _swap_columns(content: bytes, at: int, draw) -> bytes:
    """Exchange two columns in some rows, the header among them or not."""
    lines = content.split(b"\n")
    first, second = draw(st.integers(0, 20)), draw(st.integers(0, 20))
    start = draw(st.integers(0, len(lines)))
    for number in range(start, len(lines)):
        cells = lines[number].split(b",")
        if max(first, second) < len(cells):
            cells[first], cells[second] = cells[second], cells[first]
            lines[number] = b",".join(cells)
    return b"\n".join(lines)


def _lengthen(content: bytes, at: int, draw) -> bytes:
    """Make a cell, a row, a name or the space between two lines very long."""
    piece = draw(
        st.sampled_from([b"9", b"9,", b'"",', b"-", b" ", b"\n", b"x", b'"', b"--- ", b"1,234", b"\0"])
    )
    return content[:at] + piece * draw(st.sampled_from([1_000, 20_000, 100_000])) + content[at:]


def _nest(content: bytes, at: int, draw) -> bytes:
    opener = draw(
        st.sampled_from([b"<", b"(", b"[", b"{", b"::", b"operator (", b'""', b"(1, 1, 1)x(", b"_ZN"])
    )
    return content[:at] + opener * draw(st.sampled_from([100, 5_000, 50_000])) + content[at:]


def _many_rows(content: bytes, at: int, draw) -> bytes:
    lines = content.split(b"\n")
    number = draw(st.integers(0, len(lines) - 1))
    return b"\n".join(
        lines[:number] + [lines[number]] * draw(st.sampled_from([10, 200, 2_000])) + lines[number:]
    )


def _join(content: bytes, at: int, draw) -> bytes:
    return content[:at] + ALL[draw(st.sampled_from(sorted(ALL)))] + content[at:]


ACCIDENTS = (
    _cut, _gap, _flip, _insert, _repeat, _shuffle, _numbers, _quotes, _encoding, _swap_columns, _lengthen, _nest,
    _many_rows, _join,
)  # fmt: skip


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """One of the fixtures after a few accidents."""
    content = ALL[draw(st.sampled_from(sorted(ALL)))]
    for accident in draw(st.lists(st.sampled_from(ACCIDENTS), min_size=1, max_size=4)):
        content = accident(content, draw(st.integers(0, len(content))), draw)[:LONGEST]
    return content


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


@st.composite
def counted(draw: st.DrawFn) -> bytes:
    """A long table with any set of counters."""
    metrics = draw(st.lists(st.tuples(_NAMES, _UNITS, _VALUES), max_size=25))
    cc = draw(st.sampled_from(["7.0", "8.0", "10.0", "", "x"]))
    return csv_text([LONG, *long_rows(metrics, cc=cc)]).encode()


# ----------------------------------------------------------------------------------------------- 500 inputs


def _examples(count: int) -> settings:
    return settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.timeout(600)
@_examples(340)
@given(content=broken())
def test_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@_examples(80)
@given(content=st.binary(max_size=400))
def test_any_bytes_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@_examples(80)
@given(content=counted())
def test_any_set_of_counters_gives_consistent_figures(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_beginning_of_a_file_gives_an_answer_or_a_clear_error(name, tmp_path):
    content = ALL[name]
    for length in range(0, len(content), max(len(content) // 12, 1)):
        survives(content[:length], tmp_path)


# -------------------------------------------------------------------------------------------- 20,000 inputs


@pytest.mark.slow
@pytest.mark.timeout(7200)
@_examples(20_000)
@given(content=st.one_of(broken(), broken(), broken(), counted(), st.binary(max_size=2000)))
def test_many_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())

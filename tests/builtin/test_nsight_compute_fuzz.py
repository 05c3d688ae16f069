"""Broken and hostile text: an answer or a clear error, soon, and within a bounded memory.

The inputs are the fixtures of all text readers after the accidents that happen to files and the tricks that are played
on readers, bytes of any kind, and tables with any set of counters.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugins_builtin.nsight_compute import NsightComputeCsv
from plugins_builtin.nvprof import NvprofCsv
from tests.builtin import fuzzing
from tests.builtin.fuzzing import broken, examples
from tests.builtin.nsight_tables import FIXTURES, LONG, csv_text, long_rows

READERS = (NsightComputeCsv(), NvprofCsv())
ALL = {
    path.name: path.read_bytes()
    for folder in (FIXTURES, FIXTURES.parent / "nvprof")
    for path in sorted(folder.iterdir())
}


@cache
def _warm() -> None:
    """Import what the readers import when they first read, so that it counts for no input."""
    import numpy as np

    np.unique(np.zeros(1))
    for name in ("wide_raw.csv", "text_page.txt"):
        NsightComputeCsv().read(FIXTURES / name)


def survives(content: bytes, folder) -> None:
    """Hold all readers against one input."""
    _warm()
    fuzzing.survives(READERS, content, folder / "fuzzed.csv")


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


@pytest.mark.timeout(600)
@examples(340)
@given(content=broken(ALL))
def test_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@examples(80)
@given(content=st.binary(max_size=400))
def test_any_bytes_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@examples(80)
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
@examples(20_000)
@given(content=st.one_of(broken(ALL), broken(ALL), broken(ALL), counted(), st.binary(max_size=2000)))
def test_many_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())

"""Which metrics and labels are wanted, and the metric behind each label of the details page.

A metric of the profiler is called ``unit__counter.rollup.submetric``. Only sums are amounts: every counter also comes
as ``.avg``, ``.min`` and ``.max`` over the units of the chip, which are wanted for cycles alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from plugins_builtin._ncu.activity import ACTIVITY_LABELS, ACTIVITY_METRICS
from plugins_builtin._ncu.units import read_unit

__all__ = ["is_integer_counter", "label_metric", "wanted_metric"]

SASS: Final = "sass_thread_inst_executed_op"
DRAM_PERCENT: Final = (
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
)
DEVICE_NAME: Final = "device__attribute_display_name"
BUS_WIDTH: Final = "device__attribute_global_memory_bus_width"
DURATION: Final = "gpu__time_duration.sum"

_ACTIVE: Final = r"l1tex__lsu_writeback_active(?:_mem_lg|_mem_lgds)?"
_STEMS: Final = "|".join((
    r"dram__bytes(?:_read|_write|_op_read|_op_write)?",
    r"dram__sectors_(?:read|write)",
    r"lts__t_(?:bytes|sectors)(?:_srcunit_tex)?",
    r"lts__lts2xbar_cycles_active",
    r"derived__lts__lts2xbar_bytes",
    r"l1tex__m_(?:xbar2l1tex_read|l1tex2xbar_write)_bytes",
    r"l1tex__t_bytes",
    _ACTIVE,
    r"derived__l1tex__lsu_writeback_bytes(?:_mem_lg|_mem_lgds)?",
    r"l1tex__t_sectors_pipe_lsu_mem_(?:global|local)_op_(?:ld|st)",
    r"l1tex__data_pipe_lsu_wavefronts_mem_shared",
    r"nvl[rt]x__bytes",
    rf"sm(?:sp)?__{SASS}_(?:[fdh](?:add|mul|fma)2?)_pred_on",
    rf"sm(?:sp)?__{SASS}s_(?:fadd_fmul_ffma|dadd_dmul_dfma|hadd_hmul_hfma)_pred_on",
    r"sm(?:sp)?__inst_executed_pipe_tensor",
    r"sm__ops_path_tensor\w*",
))  # fmt: skip
_WANTED: Final = re.compile("|".join((
    r"gpu__time_duration\.sum",
    r"(?:sm|smsp|gpc|dram)__cycles_elapsed\.(?:avg|max)(?:\.per_second)?",
    # Clocks and peaks that make the roofs of the run.
    r"(?:lts|l1tex)__cycles_elapsed\.avg\.per_second",
    r"(?:derived__)?lts__lts2xbar_bytes\.sum\.peak_sustained",
    r"(?:derived__)?l1tex__lsu_writeback_bytes(?:_mem_lg|_mem_lgds)?\.sum\.peak_sustained",
    rf"derived__sm__{SASS}_[fdh]fma_pred_on_x[24]",
    rf"(?:{_STEMS})\.sum(?:\.per_second|\.per_cycle_elapsed|\.peak_sustained)?",
    rf"derived__smsp__{SASS}_[fdh](?:add|mul|fma)_pred_on_x[24]",
    *map(re.escape, (*DRAM_PERCENT, DEVICE_NAME, BUS_WIDTH, *sorted(ACTIVITY_METRICS))),
)) + r"\Z")  # fmt: skip
_BARE: Final = re.compile(rf"(?:gpu__time_duration|{_STEMS})\Z")
# Names of 2018 and 2019.
_OLD_NAMES: Final = {
    "dram__bytes_per_sec": "dram__bytes.sum.per_second",
    "dram__read_bytes.sum": "dram__bytes_read.sum",
    "dram__write_bytes.sum": "dram__bytes_write.sum",
    "dram__read_bytes": "dram__bytes_read.sum",
    "dram__write_bytes": "dram__bytes_write.sum",
}

_LABELS: Final = {
    **ACTIVITY_LABELS,
    "Duration": DURATION,
    "DRAM Frequency": "dram__cycles_elapsed.avg.per_second",
    "DRAM Throughput": DRAM_PERCENT[0],
    "SOL DRAM": DRAM_PERCENT[0],
    "DRAM Bandwidth": "dram__bytes.sum.per_second",
    "Theoretical DRAM Bytes Accessible": "dram__bytes.sum.peak_sustained",
    "Theoretical Predicated-On FFMA Operations": f"derived__sm__{SASS}_ffma_pred_on_x2",
    "Theoretical Predicated-On DFMA Operations": f"derived__sm__{SASS}_dfma_pred_on_x2",
    # Reads over the crossbar in older versions, all that L2 sends in newer ones: one direction in both.
    "L2 Cache Bandwidth": "derived__lts__lts2xbar_bytes.sum.per_second",
    "L1 Cache Bandwidth (Global/Local)": "derived__l1tex__lsu_writeback_bytes_mem_lg.sum.per_second",
    "Tensor Instructions Executed Per Cycle": "smsp__inst_executed_pipe_tensor.sum.per_cycle_elapsed",
}
_PER_CYCLE: Final = re.compile(
    r"Predicated-On ([FDH])(ADD|MUL|FMA) (Operations|Thread Instructions Executed) Per Cycle\Z"
)
_TENSOR_BODY: Final = re.compile(r"\(Op:(\w+)\s+Src:(\w+)(?:\s+Dst:(\w+))?(?:\s+Sparsity:(on|off))?\)\Z")
_WHOLE: Final = re.compile(
    r"(?:launch__(?:block|grid)_size|launch__thread_count|sm(?:sp)?__sass_thread_inst\w*|sm__ops_path\w*|\w+__inst_executed\w*"
    r"|\w+__t_(?:bytes|sectors|requests)\w*|dram__(?:bytes|sectors)\w*)(?:\.sum)?\Z"
)


@lru_cache(maxsize=8192)
def wanted_metric(name: str) -> str | None:
    """Metric that a column or row with this metric name gives, in its present spelling; None if not needed."""
    if _WANTED.match(name):
        return name
    if name in _OLD_NAMES:
        return _OLD_NAMES[name]
    return f"{name}.sum" if _BARE.match(name) else None


@lru_cache(maxsize=8192)
def label_metric(section: str, body: str, label: str, unit: str) -> str | None:
    """Metric behind a label of the details page; None if it is not needed.

    The same label can mean different things: "Memory Throughput" is a percentage in one section and a bandwidth in
    another, "SM Frequency" is the clock of each roofline item, so section, item and unit decide together.
    """
    roofline = "Roofline" in section
    if label == "SM Frequency":
        achieved = "Achieved" in body or not body
        prefix = "gpc" if not roofline else "smsp" if achieved else "sm"
        return f"{prefix}__cycles_elapsed.avg.per_second"
    if label == "Memory Throughput":
        kind = read_unit(unit)
        return "dram__bytes.sum.per_second" if kind is not None and kind.kind == "byte/s" else None
    if label == "Tensor Operations Per Cycle":
        return _tensor_metric(body)
    match = _PER_CYCLE.match(label)
    return _LABELS.get(label) if match is None else _per_cycle_metric(*match.groups())


def _per_cycle_metric(precision: str, operation: str, counted: str) -> str:
    stem = f"smsp__{SASS}_{precision.lower()}{operation.lower()}_pred_on"
    if counted != "Operations":
        return f"{stem}.sum.per_cycle_elapsed"
    # Labelled operations, not instructions: the section has multiplied already.
    return f"derived__{stem}_x{4 if (precision, operation) == ('H', 'FMA') else 2}"


def _tensor_metric(body: str) -> str | None:
    match = _TENSOR_BODY.search(body)
    if match is None:
        return None
    operation, source, target, sparsity = match.groups()
    parts = [f"op_{operation}", f"src_{source}"]
    parts += [f"dst_{target}"] if target else []
    parts += [f"sparsity_{sparsity}"] if sparsity else []
    return f"sm__ops_path_tensor_{'_'.join(parts)}.sum.per_cycle_elapsed"


@lru_cache(maxsize=8192)
def is_integer_counter(name: str, unit: str) -> bool:
    """Whether a cell of this counter has no fractions: an amount of whole things, in a unit without prefix."""
    kind = read_unit(unit)
    return kind is not None and not kind.prefixed and _WHOLE.match(name) is not None

"""What a diagnosis asks a file for beside work, traffic and time, and the command that collects what is missing.

A reader gives these as further entries of :attr:`Measurement.figures`, under the names of :data:`COUNTERS`; shares are
numbers from 0 to 1 (a profiler may print slightly more), the others are counts. What a file does not hold is absent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.measurement import Measurement

__all__ = ["COUNTERS", "Counter", "command_for", "counter_names"]


@dataclass(frozen=True, slots=True)
class Counter:
    """A figure that a profiler can be asked for.

    Attributes
    ----------
    name
        Key in ``Measurement.figures``.
    label, unit
        In words; the unit is ``""`` for a count and ``%`` for a share.
    metrics
        Metrics of Nsight Compute that give it, all of them needed.
    sections
        Sections of Nsight Compute that hold these metrics.
    nvprof
        Metrics of nvprof that give it; empty where nvprof has none.
    """

    name: str
    label: str
    unit: str
    metrics: tuple[str, ...]
    sections: tuple[str, ...] = ()
    nvprof: tuple[str, ...] = ()


_SASS: Final = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
_ALL: Final = (
    Counter("time_s", "time", "s", ("gpu__time_duration.sum",)),
    Counter(
        "dram_bytes", "traffic at device memory", "B", ("dram__bytes_read.sum", "dram__bytes_write.sum"),
        nvprof=("dram_read_transactions", "dram_write_transactions"),
    ),
    Counter(
        "work", "arithmetic", "FLOP", tuple(_SASS.format(one) for one in ("fadd", "fmul", "ffma")),
        nvprof=("flop_count_sp", "flop_count_dp", "flop_count_hp"),
    ),
    Counter(
        "tensor_work", "operations of the tensor pipe", "FLOP", ("sm__inst_executed_pipe_tensor.sum",),
        ("SpeedOfLight_HierarchicalTensorRooflineChart",), ("tensor_precision_fu_utilization",),
    ),
    Counter(
        "tensor_active_share", "cycles with the tensor pipe active", "%",
        ("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",),
    ),
    Counter(
        "dram_busy_share", "device memory busy", "%", ("dram__throughput.avg.pct_of_peak_sustained_elapsed",),
        nvprof=("dram_utilization",),
    ),
    Counter(
        "sector_use_share", "bytes used of each sector loaded", "%",
        ("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",),
        ("MemoryWorkloadAnalysis_Tables",), ("gld_efficiency",),
    ),
    Counter(
        "active_warps", "warps active per SM", "", ("sm__warps_active.avg.per_cycle_active",), ("Occupancy",),
    ),
    Counter(
        "occupancy_share", "occupancy", "%", ("sm__warps_active.avg.pct_of_peak_sustained_active",),
        ("Occupancy",), ("achieved_occupancy",),
    ),
    Counter(
        "memory_stall_share", "waiting that is for memory", "%",
        (
            "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
            "smsp__average_warp_latency_per_inst_issued.ratio",
        ),
        ("WarpStateStats",), ("stall_memory_dependency",),
    ),
    Counter("sms", "SMs", "", ("device__attribute_multiprocessor_count",), ("LaunchStats",)),
    Counter("grid", "blocks of the grid", "", ("launch__grid_size",), ("LaunchStats",)),
    Counter("l2_hit_share", "hits in L2", "%", ("lts__t_sector_hit_rate.pct",), ("MemoryWorkloadAnalysis",),
            ("l2_tex_read_hit_rate",)),
)  # fmt: skip

COUNTERS: Final[Mapping[str, Counter]] = MappingProxyType({one.name: one for one in _ALL})
"""By the name of the figure."""

_PLAIN_NAME: Final = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_PLACEHOLDER: Final = "APP"


def counter_names(names: Iterable[str], *, nvprof: bool = False) -> tuple[str, ...]:
    """Metrics behind figures, in their order; of nvprof where asked for and where it has one."""
    found: list[str] = []
    for name in names:
        counter = COUNTERS[name]
        found += counter.nvprof if nvprof else counter.metrics
    return tuple(dict.fromkeys(found))


def command_for(names: Iterable[str], measurement: Measurement, *, nvprof: bool = False) -> str:
    """Command that collects the counters of some figures for this kernel; ``APP`` stands for the program.

    Parameters
    ----------
    names
        Keys of :data:`COUNTERS`.
    nvprof
        Whether the file is of nvprof, whose GPUs Nsight Compute may not know.
    """
    wanted = [COUNTERS[name] for name in dict.fromkeys(names)]
    if not wanted:
        return ""
    # Only a plain function name can be put on a command line without quoting.
    kernel = measurement.kernel_short if _PLAIN_NAME.match(measurement.kernel_short) else ""
    metrics = ",".join(counter_names((one.name for one in wanted), nvprof=nvprof))
    if nvprof:
        return _nvprof_command(kernel, metrics)
    sections = dict.fromkeys(section for one in wanted for section in one.sections)
    parts = ["ncu", f"--kernel-name {kernel}" if kernel else ""]
    parts += [f"--section {section}" for section in sections]
    parts += [f"--metrics {metrics}", "-o report", _PLACEHOLDER]
    return " ".join(filter(None, parts))


def _nvprof_command(kernel: str, metrics: str) -> str:
    if not metrics:  # time, grid and block stand in the trace
        return f"nvprof --csv --print-gpu-trace --log-file report.csv {_PLACEHOLDER}"
    only = f"--kernels {kernel} " if kernel else ""
    return f"nvprof --csv {only}--metrics {metrics} --log-file report.csv {_PLACEHOLDER}"

"""The profilers that a diagnosis can send a user to: what each one counts, and the command that collects it.

Only counters are asked for that a reader of the studio makes figures of, so that the file which the command gives has
the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement import Measurement

__all__ = ["Tool", "command_for", "counter_names", "tool_for"]

_PLAIN_NAME: Final = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_APP: Final = "APP"
"""Stands for the program and its arguments."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A profiler.

    Attributes
    ----------
    label
        Its name for the user.
    counters
        What it counts for a figure (a key of :data:`COUNTERS`), all of it needed, by its own names; empty for what
        stands in its files in any case. Figures that it cannot give have no entry.
    command
        Makes the command of the names of figures and the kernel's name, which is empty where it cannot stand on a
        command line.
    """

    label: str
    counters: Mapping[str, tuple[str, ...]]
    command: Callable[[tuple[str, ...], str, Measurement], str]

    def gives(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of the figures that it can give."""
        return tuple(name for name in dict.fromkeys(names) if name in self.counters)


def counter_names(names: Iterable[str], tool: Tool) -> tuple[str, ...]:
    """Give what a tool counts for figures, in their order and each once."""
    return tuple(dict.fromkeys(one for name in tool.gives(names) for one in tool.counters[name]))


def command_for(names: Iterable[str], measurement: Measurement, tool: Tool) -> str:
    """Give the command that collects figures of this kernel, with ``APP`` for the program; empty if there is none."""
    wanted = tool.gives(names)
    # Only a plain function name can be put on a command line without quoting.
    kernel = measurement.kernel_short if _PLAIN_NAME.match(measurement.kernel_short) else ""
    return tool.command(wanted, kernel, measurement) if wanted else ""


def tool_for(format_: str, profile: HardwareProfile) -> Tool:
    """Find the tool that counts what a file lacks: its own, or that of the machine where its own counts nothing.

    Parameters
    ----------
    format_
        As of the file, such as ``nvprof-metrics``; empty without one.
    """
    for start, tool in _BY_FORMAT.items():
        if format_.startswith(start):
            return tool
    if profile.kind == "cpu":
        return _LIKWID
    if profile.kind == "accelerator":
        return _NONE
    return _BY_VENDOR.get(profile.vendor, _NSIGHT)


# ------------------------------------------------------------------------------------------------- NVIDIA

_SASS: Final = tuple(
    f"smsp__sass_thread_inst_executed_op_{one}_pred_on.sum" for one in ("fadd", "fmul", "ffma")
)
_SECTIONS: Final = MappingProxyType({
    "tensor_work": "SpeedOfLight_HierarchicalTensorRooflineChart", "sector_use_share": "MemoryWorkloadAnalysis_Tables",
    "active_warps": "Occupancy", "occupancy_share": "Occupancy", "memory_stall_share": "WarpStateStats",
    "sms": "LaunchStats", "grid": "LaunchStats", "l2_hit_share": "MemoryWorkloadAnalysis",
})  # fmt: skip
"""Sections of Nsight Compute that hold the metrics of a figure."""


_RENAMED_DRAM: Final = "12."
"""Compute capability on which the counters of device memory have other names."""


def _nsight_command(names: tuple[str, ...], kernel: str, measurement: Measurement) -> str:
    sections = dict.fromkeys(_SECTIONS[name] for name in names if name in _SECTIONS)
    parts = ["ncu", f"--kernel-name {kernel}" if kernel else ""]
    parts += [f"--section {section}" for section in sections]
    metrics = ",".join(counter_names(names, _NSIGHT))
    if (measurement.compute_capability or "").startswith(_RENAMED_DRAM):
        metrics = metrics.replace("dram__bytes_", "dram__bytes_op_")
    parts += [f"--metrics {metrics}", "-o report", _APP]
    return " ".join(filter(None, parts))


_NSIGHT: Final = Tool(
    "Nsight Compute",
    MappingProxyType({
        "time_s": ("gpu__time_duration.sum",),
        "dram_bytes": ("dram__bytes_read.sum", "dram__bytes_write.sum"),
        "work": _SASS,
        "tensor_work": ("sm__inst_executed_pipe_tensor.sum",),
        "tensor_active_share": ("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",),
        "dram_busy_share": ("dram__throughput.avg.pct_of_peak_sustained_elapsed",),
        "sector_use_share": ("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",),
        "active_warps": ("sm__warps_active.avg.per_cycle_active",),
        "occupancy_share": ("sm__warps_active.avg.pct_of_peak_sustained_active",),
        "memory_stall_share": (
            "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
            "smsp__average_warp_latency_per_inst_issued.ratio",
        ),
        "sms": ("device__attribute_multiprocessor_count",),
        "grid": ("launch__grid_size",),
        "l2_hit_share": ("lts__t_sector_hit_rate.pct",),
    }),
    _nsight_command,
)  # fmt: skip


def _nvprof_command(names: tuple[str, ...], kernel: str, measurement: Measurement) -> str:
    metrics = ",".join(counter_names(names, _NVPROF))
    if not metrics:  # time, grid and block stand in the trace
        return f"nvprof --csv --print-gpu-trace --log-file report.csv {_APP}"
    only = f"--kernels {kernel} " if kernel else ""
    return f"nvprof --csv {only}--metrics {metrics} --log-file report.csv {_APP}"


_NVPROF: Final = Tool(
    "nvprof",
    MappingProxyType({
        "time_s": (),
        "dram_bytes": ("dram_read_transactions", "dram_write_transactions"),
        "work": ("flop_count_sp", "flop_count_dp", "flop_count_hp"),
        "tensor_active_share": ("tensor_precision_fu_utilization",),
        "dram_busy_share": ("dram_utilization",),
        "sector_use_share": ("gld_efficiency",),
        "occupancy_share": ("achieved_occupancy",),
        "memory_stall_share": ("stall_memory_dependency",),
        "grid": (),
        "l2_hit_share": ("l2_tex_read_hit_rate",),
    }),
    _nvprof_command,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- AMD


def _rocprof_command(names: tuple[str, ...], kernel: str, measurement: Measurement) -> str:
    only = f"-k {kernel} " if kernel else ""
    return f"rocprof-compute profile -n report {only}-- {_APP}"


_VALU: Final = "SQ_INSTS_VALU_"
_ROCPROF: Final = Tool(
    "rocprof-compute",
    MappingProxyType({
        "time_s": (),
        "dram_bytes": ("TCC_EA_RDREQ", "TCC_EA_RDREQ_32B", "TCC_EA_WRREQ", "TCC_EA_WRREQ_64B"),
        "work": tuple(f"{_VALU}{kind}_F32" for kind in ("ADD", "MUL", "TRANS", "FMA")),
        "tensor_work": tuple(f"{_VALU}MFMA_MOPS_{form}" for form in ("F64", "F32", "F16", "BF16", "I8")),
        "grid": (),
    }),
    _rocprof_command,
)  # fmt: skip

# ------------------------------------------------------------------------------------------ processors


def _likwid_command(names: tuple[str, ...], kernel: str, measurement: Measurement) -> str:
    # The groups count one format each; what the region computed in is known where something was counted.
    group = "MEM_SP" if measurement.pipe == "fp32" else "MEM_DP"
    # Regions are there where the program marks them; without marks the run as a whole is measured.
    marks = "" if measurement.kernel == "whole run" else "-m "
    return f"likwid-perfctr -C CORES -g {group} {marks}-O {_APP} > report.csv"


_LIKWID: Final = Tool(
    "LIKWID",
    MappingProxyType({
        "time_s": ("Runtime (RDTSC) [s]",),
        "dram_bytes": ("Memory data volume [GBytes]",),
        "work": ("DP [MFLOP/s]",),
    }),
    _likwid_command,
)  # fmt: skip


def _advisor_command(names: tuple[str, ...], kernel: str, measurement: Measurement) -> str:
    return (
        f"advisor --collect=roofline --enable-cache-simulation --project-dir=report -- {_APP} && "
        "advisor --report survey --format=csv --show-all-columns --project-dir=report --report-output=report.csv"
    )


_ADVISOR: Final = Tool(
    "Intel Advisor",
    MappingProxyType({
        "time_s": ("self_elapsed_time",), "dram_bytes": ("self_dram_gb",), "work": ("self_gflop",),
    }),
    _advisor_command,
)  # fmt: skip

_NONE: Final = Tool("A profiler that the studio reads", MappingProxyType({}), lambda *_: "")

_BY_FORMAT: Final[Mapping[str, Tool]] = MappingProxyType(
    {
        "ncu": _NSIGHT, "nvprof": _NVPROF, "rocprof": _ROCPROF, "likwid": _LIKWID, "advisor": _ADVISOR,
    }
)  # fmt: skip
"""By the beginning of the format of a file; a trace of PyTorch and a table of points are of no profiler that counts."""
_BY_VENDOR: Final[Mapping[str, Tool]] = MappingProxyType({"AMD": _ROCPROF, "Intel": _ADVISOR, "Apple": _NONE})

"""Machines with readings of our own making, and a profile of round figures that they are held against."""

from __future__ import annotations

from dataclasses import replace

from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure
from rooflinestudio.core.measured.ceilings import CeilingReading, MeasuredMachine
from tests.core.profiles import figure, machine

__all__ = ["PART", "STREAM", "measured", "profiled", "reading"]

PART = replace(
    machine(
        "test-part-40gb",
        name="Part A7 SXM 40 GB",
        ceilings={"bf16-tensor": 312e12, "fp32": 19.5e12, "special": 10e12},
        boundaries={"dram": 1.5e12, "nvlink": 300e9},
    ),
    ceilings={
        "bf16-tensor": ComputeCeiling(
            "bf16-tensor", figure(312e12, condition="dense, 1.5 GHz", source="sheet")
        ),
        "fp32": ComputeCeiling("fp32", figure(20e12, condition="2 GHz")),
        "fp64": ComputeCeiling("fp64", figure(10e12)),
        "fp16": ComputeCeiling("fp16", figure(40e12, "measured", condition="a long product")),
    },
    boundaries={
        "register": Boundary("register", "registers", figure(80e12, "derived", condition="2 GHz")),
        "l2": Boundary("l2", "L2", figure(8e12, "derived"), slopes={"strided": figure(4e12, "assumed")}),
        "dram": Boundary("dram", "HBM2", figure(1.5e12, condition="at 1.2 GHz")),
        "nvlink": Boundary("nvlink", "NVLink 3", figure(300e9)),
    },
    clocks={"base": figure(1e9), "boost": figure(2e9), "tensor": figure(1.5e9)},
)
"""Ridge of bf16 at memory: 312e12 / 1.5e12 = 208; of fp32: 13.3."""


def reading(id_, best, **more):
    return CeilingReading(id_, best, **more)


def profiled(clock_hz=1.8e9, **more):
    """A machine as a profiler's report tells of it: one pipe, memory, and the clocks of the run."""
    return MeasuredMachine(
        more.pop("device", "Vendor A7-SXM-40GB"),
        more.pop("tool", "Profiler"),
        more.pop("ceilings", (reading("fp32", 18e12, origin="ffma"),)),
        more.pop("boundaries", (reading("dram", 1.44e12, origin="dram__bytes"),)),
        clocks=more.pop("clocks", {"sm": clock_hz, "dram": 1.2e9}),
        **more,
    )


STREAM = MeasuredMachine(
    "Vendor A7-SXM-40GB",
    "StreamTest 3.3",
    boundaries=(
        reading("dram", 1.35e12, median=1.3e12, low=1.2e12, high=1.35e12, samples=100, origin="Copy"),
        reading("dram", 1.41e12, median=1.38e12, low=1.3e12, high=1.41e12, samples=100, origin="Triad"),
        reading("dram", 1.65e12, median=1.5e12, samples=100, origin="Dot"),
    ),
    host="node 7",
    date="2026-11-30",
    conditions="arrays of 268 MB",
)
"""Triad is 94 % of the published 1.5 TB/s; Dot is 110 %, its median exactly 100 %."""


def measured(value, **more):
    return Figure(value, "measured", **more)

"""Machines for tests, built here so that no test depends on a shipped profile.

The H100's figures are the ones that its data sheet and the roofline literature give; ``tiny`` is made up of round
numbers, so that expected values can be worked out in the head.
"""

from __future__ import annotations

from dataclasses import replace

from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile

__all__ = ["A100", "H100", "H200", "MI300X", "TINY", "figure", "machine", "without"]


def figure(value, provenance="published", **more):
    return Figure(float(value), provenance, **more)


def machine(id_, *, ceilings, boundaries, reference=None, **more):
    """Build a machine from rates: ``ceilings`` FLOP/s by id, ``boundaries`` bytes/s (or Boundary) by id."""
    return HardwareProfile(
        id=id_,
        name=more.pop("name", id_),
        short_name=id_,
        vendor="Test",
        architecture="T1",
        year=2026,
        ceilings={one: ComputeCeiling(one, figure(rate)) for one, rate in ceilings.items()},
        boundaries={
            one: what if isinstance(what, Boundary) else Boundary(one, one.upper(), figure(what))
            for one, what in boundaries.items()
        },
        reference_ceiling=reference or next(iter(ceilings)),
        **more,
    )


H100 = machine(
    "nvidia-h100-sxm5",
    name="H100 SXM5 80 GB",
    ceilings={
        "bf16-tensor": 989.4e12, "fp16-tensor": 989.4e12, "fp8-tensor": 1978.9e12, "int8-tensor": 1978.9e12,
        "tf32-tensor": 494.7e12, "fp64-tensor": 66.9e12, "fp64": 33.5e12, "fp32": 66.9e12, "fp32-no-fma": 33.45e12,
        "fp16": 133.8e12, "bf16": 133.8e12,
        "special": 132 * 16 * 1.98e9 * 4,  # 16 results per SM and clock, 4 FLOP each
    },
    boundaries={
        "register": Boundary("register", "Registers", figure(300e12, "derived"), approximate=True),
        "shared": Boundary("shared", "Shared memory", figure(30e12, "derived"), approximate=True),
        "l2": Boundary("l2", "L2", figure(9e12, "derived"), figure(50 * 2**20), approximate=True),
        "dram": Boundary("dram", "HBM3", figure(3.35e12), figure(80e9), figure(600e-9, "assumed")),
        "nvlink": Boundary("nvlink", "NVLink 4", figure(450e9)),
        "pcie": Boundary("pcie", "PCIe 5", figure(64e9)),
        "network": Boundary("network", "Network", figure(50e9)),
    },
    sms=figure(132),
    launch_overhead=figure(3e-6, "assumed"),
    matrix_tile={"tile_m": 128, "tile_n": 256, "warp_m": 64, "warp_n": 256},
)  # fmt: skip

A100 = machine(
    "nvidia-a100-sxm4-80gb", ceilings={"bf16-tensor": 312e12, "fp32": 19.5e12}, boundaries={"dram": 2.04e12}
)
H200 = machine(
    "nvidia-h200-sxm", ceilings={"bf16-tensor": 989.4e12, "fp32": 66.9e12}, boundaries={"dram": 4.8e12}
)
MI300X = machine(
    "amd-mi300x", ceilings={"bf16-tensor": 1307e12, "fp32": 163.4e12}, boundaries={"dram": 5.3e12}
)

TINY = machine(
    "tiny",
    name="Tiny",
    ceilings={"bf16-tensor": 1000.0, "fp32": 100.0, "special": 50.0},
    boundaries={
        "shared": Boundary("shared", "Scratchpad", figure(1000)),
        "l2": Boundary("l2", "L2", figure(100), latency=figure(2)),
        "dram": Boundary("dram", "Memory", figure(10), capacity=figure(5000), latency=figure(5)),
        "nvlink": Boundary("nvlink", "Link", figure(1)),
    },
    sms=figure(4),
    launch_overhead=figure(3),
)


def without(profile, *, ceilings=(), boundaries=(), **changes):
    """Return a machine that lacks some ceilings, boundaries or figures."""
    return replace(
        profile,
        ceilings={id_: one for id_, one in profile.ceilings.items() if id_ not in ceilings},
        boundaries={id_: one for id_, one in profile.boundaries.items() if id_ not in boundaries},
        **changes,
    )

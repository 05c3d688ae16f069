"""Machines for the self-check: a made-up good one, and real parts that do not come with the studio.

The figures of the real parts are those of their makers' data sheets, dense and in one direction.
"""

from __future__ import annotations

from dataclasses import replace

from rooflinestudio.core.hardware import Achievable, Boundary, ComputeCeiling, Figure, HardwareProfile
from rooflinestudio.core.profile_check import check_profile, figure_at, shipped_neighbours, with_value

__all__ = [
    "ACME", "DRAM", "GOOD", "HONEST", "SHIPPED", "SLOWED", "bandwidth", "figure", "found", "noted", "part", "scaled",
    "the_one",
]  # fmt: skip


def figure(value, provenance="published", **more):
    return Figure(float(value), provenance, **more)


def bandwidth(id_, label, value, **more):
    sizes = {key: figure(more.pop(key)) for key in ("capacity", "latency") if key in more}
    return Boundary(id_, label, figure(value), **sizes, **more)


def part(id_, *, vendor="NVIDIA", architecture, year, rates, bounds, sms=None, clocks=(), **more):
    """Build a machine: ``rates`` in TFLOP/s by ceiling, ``bounds`` as (id, label, bytes/s) or boundaries."""
    boundaries = [one if isinstance(one, Boundary) else bandwidth(*one) for one in bounds]
    reference = next((one for one in ("bf16-tensor", "fp16-tensor") if one in rates), next(iter(rates)))
    name = more.pop("name", id_)
    return HardwareProfile(
        id=id_, name=name, short_name=name, vendor=vendor, architecture=architecture, year=year,
        ceilings={one: ComputeCeiling(one, figure(rate * 1e12)) for one, rate in rates.items()},
        boundaries={one.id: one for one in boundaries},
        reference_ceiling=reference, sms=figure(sms) if sms else None,
        clocks={key: figure(value * 1e9) for key, value in dict(clocks).items()}, **more,
    )  # fmt: skip


# A part of an architecture that is known, with round numbers: 100 multiprocessors at 2 GHz are 200 GHz, times the
# 4096 dense FLOP per clock of Hopper 819.2 TFLOP/s, times 128 lanes × 2 FLOP 51.2 TFLOP/s, times 128 B 25.6 TB/s.
GOOD = part(
    "good-hopper", name="Good Hopper", architecture="Hopper GH100", year=2023, sms=100, clocks={"boost": 2.0},
    rates={
        "bf16-tensor": 819.2, "fp16-tensor": 819.2, "tf32-tensor": 409.6, "fp8-tensor": 1638.4, "int8-tensor": 1638.4,
        "fp64-tensor": 51.2, "fp64": 25.6, "fp32": 51.2, "fp32-no-fma": 25.6, "fp16": 102.4, "special": 12.8,
    },
    bounds=(
        bandwidth("register", "registers", 204.8e12, capacity=100 * 65536 * 4),
        bandwidth("shared", "shared memory", 25.6e12, capacity=100 * 233472, latency=20e-9),
        bandwidth("l2", "L2", 7e12, capacity=50 * 2**20, latency=150e-9),
        replace(
            bandwidth("dram", "HBM3", 3.35e12, capacity=80e9, latency=600e-9),
            slopes={"streaming": figure(3.0e12, "measured")},
        ),
        ("nvlink", "NVLink 4", 450e9),
        ("pcie", "PCIe Gen5 x16", 64e9),
        ("network", "network", 50e9),
    ),
    tdp=figure(700), launch_overhead=figure(3e-6, "assumed"), registers_per_sm=figure(65536),
    shared_bytes_per_sm=figure(233472),
)  # fmt: skip

# A part of an architecture that nobody knows, with the least that a profile has.
ACME = part(
    "acme-npu", name="Acme NPU", vendor="Acme", architecture="N1", year=2026,
    rates={"bf16-tensor": 200, "fp16-tensor": 200, "fp8-tensor": 400, "fp32": 12.5},
    bounds=(("shared", "scratchpad", 17.2e12), ("dram", "LPDDR5X", 410e9), ("network", "Ethernet", 50e9)),
)  # fmt: skip

# With a measured figure beside the stated one, and shares.
_MEASURED = replace(
    GOOD,
    id="good-measured",
    ceilings=GOOD.ceilings
    | {
        "bf16-tensor": replace(
            GOOD.ceilings["bf16-tensor"],
            achievable=Achievable(typical=figure(0.8, "measured"), low=figure(0.5, "assumed")),
            measured=figure(7e14, "measured"),
        )
    },
)

# Measured on one machine, nothing stated: memory a little above the l3, formats that no library does fast.
_LAB = HardwareProfile(
    id="lab-cpu",
    name="Lab",
    short_name="lab",
    vendor="Acme",
    architecture="",
    year=2026,
    kind="cpu",
    ceilings={
        one: ComputeCeiling(one, figure(rate, "measured"))
        for one, rate in (("fp32", 9e11), ("fp64", 4.5e11), ("fp16", 1.1e9), ("int8", 1.2e9))
    },
    boundaries={
        one: Boundary(one, one, figure(rate, "measured"))
        for one, rate in (("l2", 310e9), ("l3", 20e9), ("dram", 21e9))
    },
    reference_ceiling="fp32",
)

HONEST = (
    GOOD,
    ACME,
    _MEASURED,
    part(  # held back for one market: far below what its units could do
        "nvidia-h20", architecture="Hopper GH100", year=2023, sms=78, clocks={"boost": 1.98},
        rates={"bf16-tensor": 148, "fp16-tensor": 148, "tf32-tensor": 74, "fp8-tensor": 296, "int8-tensor": 296,
               "fp32": 44, "fp64": 1},
        bounds=(bandwidth("dram", "HBM3", 4.0e12, capacity=96e9), ("nvlink", "NVLink 4", 450e9),
                ("pcie", "PCIe Gen5 x16", 64e9)),
    ),
    part(  # half of its sister's rate at the same width
        "nvidia-l40", architecture="Ada AD102", year=2022, sms=142, clocks={"boost": 2.49},
        rates={"bf16-tensor": 181, "fp16-tensor": 181, "tf32-tensor": 90.5, "fp8-tensor": 362, "int8-tensor": 362,
               "fp32": 90.5},
        bounds=(bandwidth("dram", "GDDR6", 864e9, capacity=48e9), ("pcie", "PCIe Gen4 x16", 32e9)),
    ),
    part(
        "nvidia-a40", architecture="Ampere GA102", year=2020, sms=84, clocks={"boost": 1.74},
        rates={"bf16-tensor": 149.7, "fp16-tensor": 149.7, "tf32-tensor": 74.8, "int8-tensor": 299.3, "fp32": 37.4},
        bounds=(bandwidth("dram", "GDDR6", 696e9, capacity=48e9), ("nvlink", "NVLink 3", 56.25e9),
                ("pcie", "PCIe Gen4 x16", 32e9)),
    ),
    part(  # a small card: eight lanes, 8 GB
        "nvidia-rtx-4060", name="GeForce RTX 4060", architecture="Ada AD107", year=2023, sms=24, clocks={"boost": 2.46},
        rates={"bf16-tensor": 30.2, "fp16-tensor": 30.2, "fp16-tensor-fp16acc": 60.5, "fp8-tensor": 60.5,
               "int8-tensor": 121, "fp32": 15.1},
        bounds=(bandwidth("l2", "L2", 1.5e12, capacity=24 * 2**20), bandwidth("dram", "GDDR6", 272e9, capacity=8e9),
                ("pcie", "PCIe Gen4 x8", 16e9)),
    ),
    part(
        "amd-rx-9070-xt", vendor="AMD", architecture="RDNA 4 Navi 48", year=2025, sms=64, clocks={"boost": 2.97},
        rates={"fp16-tensor": 195, "bf16-tensor": 195, "fp8-tensor": 389, "int8-tensor": 389, "int4-tensor": 779,
               "fp32": 48.7},
        bounds=(bandwidth("l3", "Infinity Cache", 3e12, capacity=64 * 2**20),
                bandwidth("dram", "GDDR6", 640e9, capacity=16e9), ("pcie", "PCIe Gen5 x16", 64e9)),
    ),
    part(  # its l2 is larger than its victim l3
        "intel-xeon-w9", vendor="Intel", architecture="Sapphire Rapids", year=2023, kind="cpu", sms=56,
        clocks={"base": 1.9, "boost": 4.8}, rates={"fp32": 6.8, "fp64": 3.4},
        bounds=(bandwidth("l2", "L2", 6e12, capacity=112 * 2**20), bandwidth("l3", "L3", 1.5e12, capacity=105 * 2**20),
                ("dram", "DDR5-4800", 307.2e9), ("pcie", "PCIe Gen5 x16", 64e9)),
    ),
    _LAB,
    replace(  # a small board
        _LAB,
        id="lab-board",
        boundaries={
            one: Boundary(one, one, figure(rate, "measured")) for one, rate in (("l2", 11e9), ("dram", 3.1e9))
        },
        ceilings={"fp32": ComputeCeiling("fp32", figure(9e9, "measured"))},
    ),
)  # fmt: skip
"""Profiles in which nothing is wrong."""


def noted(profile, place, **words):
    """Return the profile with other words beside the figure of a ceiling or bandwidth."""
    group, id_, *_ = place
    name = "figure" if group == "ceilings" else "bandwidth"
    whole = getattr(profile, group)[id_]
    changed = replace(whole, **{name: replace(getattr(whole, name), **words)})
    return replace(profile, **{group: {**getattr(profile, group), id_: changed}})


DRAM = ("boundaries", "dram", "bandwidth")
SHIPPED = {one.id: one for one in shipped_neighbours()}
SLOWED = ("nvidia-a100-sxm4-80gb", "nvidia-h100-sxm5", "amd-mi300x", "nvidia-p100-sxm2-16gb")


def found(profile, neighbours=()):
    return {one.place: one for one in check_profile(profile, neighbours) if one.open}


def the_one(profile, neighbours=()):
    """Return the only finding."""
    (one,) = found(profile, neighbours).values()
    return one


def scaled(profile, place, factor):
    return with_value(profile, place, figure_at(profile, place).value * factor)

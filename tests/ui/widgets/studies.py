"""Studies to show in tests of the panels: real operators and machines, entries, refused rows, measured kernels."""

from __future__ import annotations

from dataclasses import replace

from rooflinestudio.core.measurement import MeasuredFigure, MeasuredTraffic, Measurement, MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.operators import OperatorOrigin
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry, Pair, PluginRef, Study, View
from tests.ui.shell_helpers import A100, H100, registry

__all__ = [
    "A100", "H100", "example", "hundred", "long_name", "machine", "measurement", "operators", "overlay", "placed",
    "registry", "with_overlay",
]  # fmt: skip

long_name = (
    "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_128x256_32x3_tn_align8>"
    "(cutlass_80_tensorop_Params)"
)


def machine(id_=H100):
    """A shipped profile."""
    return registry().load_profile(id_)


def operators(*, foreign=()):
    """All built-in operators with their origin; ids in ``foreign`` come from a stranger's plugin."""
    for operator in registry().operators:
        stranger = operator.id in foreign
        yield (
            operator,
            OperatorOrigin("acme-kernels", "0.3", True) if stranger else registry().origin(operator.id),
        )


def example(*, machines=(H100,), view=None, extra=()):
    """A GEMM, a GEMV, attention, Adam, a cast without arithmetic, and two that cannot be placed."""
    entries = (
        Entry("gemm-1", "gemm", label="GEMM 4096³", slot=0, group="Llama 70B layer"),
        Entry("gemm-2", "gemm", parameters={"m": 1}, label="Decode GEMV, batch 1", slot=1, group="Decode"),
        Entry("attention-1", "attention", label="Attention, flash", slot=2, group="Llama 70B layer"),
        Entry("adam-1", "adam", label="Adam, 7 B parameters", slot=4),
        Entry("cast-1", "cast", label="Cast to fp32", slot=7, visible=False),
        Entry("gemm-3", "gemm", parameters={"m": 0}, label="Nothing to do", slot=5),
        Entry(
            "flash-1",
            "acme.flash_mla",
            PluginRef("acme-kernels", "0.3"),
            {"batch": 8},
            label="Flash MLA",
            slot=6,
        ),
        *extra,
    )
    profiles = {id_: machine(id_) for id_ in machines}
    return Study(entries=entries, profiles=profiles, view=view or View(machines=tuple(machines)))


def hundred():
    """A hundred placed GEMMs."""
    entries = tuple(
        Entry(f"gemm-{n}", "gemm", parameters={"m": 64 * n}, label=f"GEMM {n}", slot=n - 1)
        for n in range(1, 101)
    )
    return Study(entries=entries, profiles={H100: machine()}, view=View(machines=(H100,)))


def placed(study):
    """The study held against its machines."""
    return place(study, {}, registry())


def measurement(launch, kernel=long_name, **changes):
    """A kernel of 137.4 GFLOP in 196 µs that moved 588 MB."""
    values = {
        "time_s": 196e-6,
        "work": {"bf16-tensor": 137.4e9},
        "traffic": {"dram": MeasuredTraffic(400e6, 188e6, 588e6)},
        "device": "NVIDIA H100 80GB HBM3",
        "grid": (32, 32, 1),
        "block": (128, 1, 1),
        "figures": {
            "time_s": MeasuredFigure(196e-6, "gpu__time_duration.sum", "exact"),
            "work.bf16-tensor": MeasuredFigure(137.4e9, "ops × 512", "estimated"),
            "dram_bytes": MeasuredFigure(588e6, "dram__bytes.sum", "rounded"),
        },
    }
    return Measurement(launch=launch, kernel=kernel, **{**values, **changes})


def overlay(*measurements, name="layer.csv", digest="a" * 64):
    """A file of kernels; three of them where none is given, the second without work."""
    found = measurements or (
        measurement(0),
        measurement(
            1,
            "gemv2T_kernel_val<int, int, __nv_bfloat16, float>",
            time_s=71e-6,
            work={},
            figures={},
            reason="No FLOP counter was collected.",
        ),
        measurement(2, "copy", time_s=5e-6, traffic={"dram": MeasuredTraffic(None, None, 12e6)}),
    )
    return Overlay.from_file(MeasurementFile(f"/data/{name}", "ncu-csv-long", (), tuple(found), digest))


def with_overlay(study, *measurements, paired=True, **options):
    """The study with a file of kernels over it, the first held against the GEMM."""
    one = overlay(*measurements, **options)
    pairs = (Pair(one.digest, "kernel", 0, "gemm-1"),) if paired else ()
    return replace(study, overlays=(*study.overlays, one), pairs=pairs)

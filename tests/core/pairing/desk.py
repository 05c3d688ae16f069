"""A study of real operators on the H100, and measured kernels whose figures can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from rooflinestudio.core.measurement import MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry
from tests.core.diagnosing import measured
from tests.ui.shell_helpers import H100, gemm, registry, study

__all__ = [
    "ADD", "DEVICE", "FLASH", "GEMM_NAME", "ONE", "PRODUCT", "SIDE", "add_kernel", "file_of", "held", "product",
    "profile", "study_with",
]  # fmt: skip

ONE = "a" * 64
DEVICE = "NVIDIA H100 80GB HBM3"
SIDE = 4096
PRODUCT = 2.0 * SIDE**3  # FLOP; 138.9 µs at 989.4 TFLOP/s, and at least 3 · 2 · 4096² = 100.7 MB
GEMM_NAME = "void sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64(int)"
FLASH = "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 64, 64, 4, false, cutlass::bfloat16_t>>"
ADD = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>>"


def product(launch=0, **more):
    """The product of two 4096 by 4096 matrices: 32 by 16 tiles of 128 by 256; its tensor work was not counted."""
    given = {"time": 196e-6, "dram": 588e6, "grid": (512, 1, 1), "kernel": GEMM_NAME, "device": DEVICE}
    return measured(launch=launch, **{**given, **more})


def add_kernel(launch=1, **more):
    """x + y of 65 536 rows of 8192 in bf16: 536.9 MFLOP, 3 · 2 · 536.9 M = 3.221 GB, 961.5 µs."""
    elements = 65536 * 8192
    given = {"time": 1.1e-3, "dram": 6.0 * elements, "work": {"fp32": 1.0 * elements}, "kernel": ADD}
    grid = {"grid": (elements // 512, 1, 1), "block": (128, 1, 1), "device": DEVICE}
    return measured(launch=launch, **{**given, **grid, **more})


def file_of(*kernels, name="layer.csv", digest=ONE):
    return Overlay.from_file(MeasurementFile(f"/data/{name}", "ncu-csv-long", (), kernels, digest))


def study_with(*kernels, entries=None, **view):
    """The study of a product, attention and an addition, with one file over it."""
    found = entries or (
        gemm("gemm-1"),
        Entry("attention-1", "attention", label="Attention", slot=1),
        Entry("add-1", "add", label="Add", slot=2),
    )
    return replace(study(*found, **view), overlays=(file_of(*kernels),))


def held(made):
    """A study held against its machines."""
    return place(made, {}, registry())


def profile():
    return registry().load_profile(H100)

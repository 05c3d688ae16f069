"""Worked examples of the roofline literature, each expected figure written out as its arithmetic.

Fat and thin matrix products, the floor that elementwise kernels cannot leave, attention stored and streamed,
decoding, and the optimizer, on an H100 unless another machine is named.
"""

from __future__ import annotations

import pytest

from rooflinestudio.core.placement import Settings
from tests.builtin.evaluating import placed
from tests.core.profiles import A100, H100, H200, MI300X

PI, BETA = 989.4e12, 3.35e12  # bf16 on the tensor cores, HBM3
FP8, TF32 = 1978.9e12, 494.7e12
SPECIAL = 132 * 16 * 1.98e9 * 4
RIDGE = PI / BETA


def call(operator, **parameters):
    return {"operator": operator, **parameters}


def gemm(m, n, k, **more):
    return call("gemm", m=m, n=n, k=k, **more)


def bound_by_memory(work, traffic, beta=BETA, peak=PI):
    return {
        "work_flop": work, "traffic_bytes": traffic, "intensity": work / traffic, "time_s": traffic / beta,
        "attainable_flop_per_s": work / traffic * beta, "fraction_of_peak": work / traffic * beta / peak,
        "bound": "memory", "binding": "dram",
    }  # fmt: skip


def bound_by_compute(work, traffic, peak=PI, ceiling="bf16-tensor"):
    return {
        "work_flop": work, "traffic_bytes": traffic, "intensity": work / traffic, "time_s": work / peak,
        "attainable_flop_per_s": peak, "fraction_of_peak": 1.0, "bound": "compute", "binding": ceiling,
    }  # fmt: skip


N = 4096
CUBE = 2 * N**3
D = 8192
LONG = 2**20
ELEMENTS = 65536 * 8192
GEMM_64K = 2 * 65536**3

MATRIX_PRODUCTS = {
    # A square product of side n has intensity n/3 in bf16, and meets the ridge of 295 at n = 886.
    "4096 cube": (gemm(N, N, N), bound_by_compute(CUBE, 3 * 2 * N**2)),
    "885 cube is just memory-bound": (gemm(885, 885, 885), bound_by_memory(2 * 885**3, 6 * 885**2)),
    "887 cube is just compute-bound": (gemm(887, 887, 887), bound_by_compute(2 * 887**3, 6 * 887**2)),
    "the smallest dimension rules": (
        gemm(8, 65536, 65536),
        bound_by_memory(2 * 8 * 65536**2, 2 * (8 * 65536 + 65536**2 + 8 * 65536)),
    ),
    # The same weights in four regimes: W = 2·t·d², Q = 2·(2·t·d + d²).
    "prefill, 32768 tokens": (gemm(32768, D, D), bound_by_compute(2 * 32768 * D**2, 2 * (2 * 32768 * D + D**2))),
    "prefill, 512 tokens": (gemm(512, D, D), bound_by_compute(2 * 512 * D**2, 2 * (2 * 512 * D + D**2))),
    "decode, batch 64": (gemm(64, D, D), bound_by_memory(2 * 64 * D**2, 2 * (2 * 64 * D + D**2))),
    "decode, batch 1": (gemm(1, D, D), bound_by_memory(2 * D**2, 2 * (2 * D + D**2))),
    "long k": (gemm(128, 128, LONG), bound_by_memory(2 * 128**2 * LONG, 2 * (2 * 128 * LONG + 128**2))),
    "fp8 halves bytes and doubles the peak": (
        gemm(N, N, N, dtype="fp8"), bound_by_compute(CUBE, 3 * N**2, FP8, "fp8-tensor")),
    "tf32 is stored in 32 bits": (
        gemm(N, N, N, dtype="tf32"), bound_by_compute(CUBE, 12 * N**2, TF32, "tf32-tensor")),
    # The same kernel on machines with other ridges: 206 and 153 instead of 295.
    "256 tokens, H200": (gemm(256, D, D, on=H200), bound_by_compute(2 * 256 * D**2, 2 * (512 * D + D**2))),
    "256 tokens, A100": (gemm(256, D, D, on=A100), bound_by_compute(2 * 256 * D**2, 2 * (512 * D + D**2), 312e12)),
    "MI300X, 128 tokens": (
        gemm(128, D, D, on=MI300X), {"work_flop": 2 * 128 * D**2, "traffic_bytes": 2 * (2 * 128 * D + D**2)}),
    "MI300X, key projection": (
        gemm(16384, 1024, D, on=MI300X),
        {"work_flop": 2 * 16384 * 1024 * D, "traffic_bytes": 2 * (16384 * D + D * 1024 + 16384 * 1024)},
    ),
    "MI300X, gate projection": (
        gemm(16384, 28672, D, on=MI300X),
        {"work_flop": 2 * 16384 * 28672 * D, "traffic_bytes": 2 * (16384 * D + D * 28672 + 16384 * 28672)},
    ),
    # int4 in groups of 128 with an fp16 scale and a 4-bit zero point: 4 + 20/128 bits.
    "int4 weights run on the bf16 pipe": (
        gemm(64, N, N, dtype="bf16,weight=int4"),
        bound_by_memory(2 * 64 * N**2, 2 * 64 * N + (4 + 20 / 128) / 8 * N**2 + 2 * 64 * N),
    ),
}  # fmt: skip

# A tiled product reads A once per column of tiles and B once per row of them: I tends to T/2 in bf16.
TILED_4096 = 2 * N**2 * (N / 128 + N / 128 + 1)
TILED = {
    "128 × 128": (
        gemm(65536, 65536, 65536, tile_m=128, tile_n=128), bound_by_memory(GEMM_64K, 2 * 65536**2 * (2 * 512 + 1))),
    "256 × 256": (
        gemm(65536, 65536, 65536, tile_m=256, tile_n=256), bound_by_memory(GEMM_64K, 2 * 65536**2 * (2 * 256 + 1))),
    "4096 cube": (gemm(N, N, N), bound_by_memory(CUBE, TILED_4096)),
    "one row is never below compulsory": (
        gemm(1, 65536, 65536), bound_by_memory(2 * 65536**2, 2 * (65536 * 512 + 65536**2 + 65536))),
    "short k: the output weighs": (
        gemm(8192, 8192, 256), bound_by_memory(2 * 8192**2 * 256, 2 * (2 * 8192 * 256 * 64 + 8192**2))),
    "flash attention, 4096": (
        call("attention", heads=1, kv_heads=1, seq_q=N, seq_kv=N),
        bound_by_memory(4 * N**2 * 128, 2 * (2 * N * 128 + 2 * 32 * N * 128)),
    ),
    "flash attention tends to 2·128/2": (
        call("attention", heads=1, kv_heads=1, seq_q=LONG, seq_kv=LONG),
        bound_by_memory(4 * LONG**2 * 128, 2 * (2 * LONG * 128 + 2 * LONG / 128 * LONG * 128)),
    ),
}  # fmt: skip


def elementwise(operator, flop, bytes_per_element, **more):
    work, traffic = flop * ELEMENTS, bytes_per_element * ELEMENTS
    # The floor is told against the tensor cores' peak.
    settings = Settings(boundary="dram", ceiling="bf16-tensor")
    one = call(operator, tokens=65536, width=8192, settings=settings, **more)
    return one, bound_by_memory(work, traffic)


FLOOR = {
    "cast": elementwise("cast", 0, 2 + 4, to="fp32"),
    "residual add": elementwise("add", 1, 3 * 2),
    "swiglu": elementwise("swiglu", 6, 3 * 2),
    "rmsnorm": elementwise("rmsnorm", 5, 2 * 2),
    "softmax": elementwise("softmax", 6, 2 * 2),
    "layernorm": elementwise("layernorm", 9, 2 * 2),
    "gelu": elementwise("gelu", 12, 2 * 2),
}
NAIVE = call("attention", heads=1, kv_heads=1, implementation="naive")
ATTENTION = {
    # Four passes over the n² scores, and Q, K, V and O once: the intensity tends to head_dim/2 = 64.
    "naive, 4096": (
        dict(**NAIVE, seq_q=N, seq_kv=N), bound_by_memory(4 * N**2 * 128, 2 * 4 * (N * 128 + N**2))),
    "naive, a million": (
        dict(**NAIVE, seq_q=LONG, seq_kv=LONG), bound_by_memory(4 * LONG**2 * 128, 8 * (LONG * 128 + LONG**2))),
    "naive, causal": (
        dict(**NAIVE, seq_q=N, seq_kv=N, causal=True),
        bound_by_memory(4 * 128 * N * (N + 1) / 2, 8 * (N * 128 + N * (N + 1) / 2)),
    ),
    "flash, 2048: intensity n/2": (
        call("attention", heads=1, kv_heads=1, seq_q=2048, seq_kv=2048),
        bound_by_compute(4 * 2048**2 * 128, 4 * 2 * 2048 * 128),
    ),
    "causal, 64 query heads over 8": (
        call("attention", heads=64, kv_heads=8, seq_q=2048, seq_kv=2048, causal=True),
        bound_by_compute(4 * 128 * 64 * 2048 * 2049 / 2, 2 * 2048 * 128 * (64 + 8 + 8 + 64)),
    ),
    # The last 512 of 4096: query i sees 3584 + i + 1 keys.
    "causal, a chunk of a prompt": (
        call("attention", heads=32, kv_heads=8, seq_q=512, seq_kv=4096, causal=True),
        {
            "work_flop": 4 * 128 * 32 * (512 * 3584 + 512 * 513 / 2),
            "traffic_bytes": 2 * 128 * (2 * 32 * 512 + 2 * 8 * 4096),
        },
    ),
    "exponentials bind in fp8": (
        call("attention", heads=32, kv_heads=8, seq_q=8192, seq_kv=8192, head_dim=64, dtype="fp8"),
        {
            "work_flop": 4 * 64 * 32 * 8192**2, "bound": "compute", "binding": "special",
            "time_s": 4 * 32 * 8192**2 / SPECIAL, "fraction_of_peak": 64 * SPECIAL / FP8,
        },
    ),
}  # fmt: skip


def decode(kv_heads):
    one = call("attention_decode", batch=16, heads=64, kv_heads=kv_heads, context=8192, head_dim=128)
    cache, query = 2 * 2 * 16 * kv_heads * 8192 * 128, 2 * 2 * 16 * 64 * 128
    return one, bound_by_memory(4 * 128 * 64 * 16 * 8192, cache + query)


DECODE = {"as many KV heads": decode(64), "groups of 8": decode(8), "one KV head": decode(1)}

OTHERS = {
    "adam, 7 B parameters": (
        call("adam", parameter_count=7e9, dtype=None),
        bound_by_memory(12 * 7e9, 30 * 7e9, peak=66.9e12),
    ),
    "one rmsnorm takes 0.64 ms": (
        call("rmsnorm", tokens=65536, width=8192),
        {"time_s": 4 * ELEMENTS / BETA, "traffic_bytes": 4 * ELEMENTS},
    ),
}  # fmt: skip

COMPULSORY = {**MATRIX_PRODUCTS, **FLOOR, **ATTENTION, **DECODE, **OTHERS}


def run(example, **more):
    return placed(
        example["operator"], **{key: value for key, value in (example | more).items() if key != "operator"}
    )


def check(result, expected, rel=1e-4):
    for name, value in expected.items():
        assert getattr(result, name) == (
            value if isinstance(value, str) else pytest.approx(value, rel=rel)
        ), name


@pytest.mark.parametrize(("example", "expected"), COMPULSORY.values(), ids=COMPULSORY.keys())
def test_compulsory_figures_are_those_of_the_worked_example(example, expected):
    check(run(example), expected)


@pytest.mark.parametrize(("example", "expected"), TILED.values(), ids=TILED.keys())
def test_tiled_figures_are_those_of_the_worked_example(example, expected):
    check(run(example, settings=Settings(policy="tiled")), expected)


@pytest.mark.parametrize("absorption", [0.0, 0.85, 1.0])
def test_the_cache_absorbs_its_share_of_the_rereads(absorption):
    compulsory = 3 * 2 * N**2
    traffic = compulsory + (1 - absorption) * (TILED_4096 - compulsory)

    result = placed("gemm", m=N, n=N, k=N, settings=Settings(policy="modelled", absorption=absorption))

    check(result, {"traffic_bytes": traffic, "fraction_of_peak": min(1.0, CUBE / traffic / RIDGE)})


def test_l2_caps_a_large_product_at_three_quarters_of_the_peak():
    result = placed("gemm", m=N, n=N, k=N, tile_m=256, tile_n=128, settings=Settings(boundary="all"))

    # Tiles of 256 × 128: A is read n/128 times, B m/256 times; operand tiles of 64 × 64.
    l2, shared = 2 * N**2 * (32 + 16 + 1), 2 * N**2 * (64 + 64 + 1)
    check(result, bound_by_memory(CUBE, l2, beta=9e12) | {"binding": "l2"})
    assert result.fraction_of_peak == pytest.approx(0.760, abs=0.001)
    assert result.at("shared").intensity == pytest.approx(CUBE / shared)
    assert result.at("dram").intensity == pytest.approx(N / 3)


def test_without_overlap_the_times_add():
    work, traffic = 2 * 885**3, 6 * 885**2

    result = placed("gemm", m=885, n=885, k=885, settings=Settings(overlap=0.0))

    check(
        result,
        {"time_s": work / PI + traffic / BETA, "attainable_flop_per_s": work / (work / PI + traffic / BETA)},
    )


RIDGES = {
    "H100, bf16": (H100, "bf16-tensor", 295.34),
    "H100, fp8": (H100, "fp8-tensor", 590.7),
    "H100, fp32": (H100, "fp32", 19.97),
    "H200, bf16": (H200, "bf16-tensor", 206.1),
    "A100, bf16": (A100, "bf16-tensor", 152.9),
    "A100, fp32": (A100, "fp32", 9.56),
    "MI300X, bf16": (MI300X, "bf16-tensor", 246.6),
}


@pytest.mark.parametrize(("machine", "ceiling", "ridge"), RIDGES.values(), ids=RIDGES.keys())
def test_ceiling_and_slope_meet_at_the_published_ridge(machine, ceiling, ridge):
    result = placed("gemm", on=machine, m=64, n=64, k=64, settings=Settings(ceiling=ceiling))

    assert result.at("dram").ridge == pytest.approx(ridge, rel=1e-3)


BOUNDARY_RIDGES = {
    "register": 3.298, "shared": 32.98, "l2": 109.93, "dram": 295.34, "nvlink": 2198.7, "pcie": 15459, "network": 19788,
}  # fmt: skip


@pytest.mark.parametrize(("boundary", "ridge"), BOUNDARY_RIDGES.items())
def test_every_boundary_of_the_h100_has_a_ridge_of_its_own(boundary, ridge):
    assert placed("gemm", m=64, n=64, k=64).at(boundary).ridge == pytest.approx(ridge, rel=1e-3)

"""The matrix product: work, what each blocking level moves, tiles, clusters, splits and the backward pass."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes, crossing_bytes
from tests.builtin.evaluating import estimate_of, formulas_of, placed, value_of
from tests.core.profiles import A100, H100

SIDES = st.integers(1, 3000)
TILES = st.sampled_from((1, 16, 64, 100, 128, 256))


def bytes_at(estimate, boundary, policy="compulsory"):
    return sum(crossing_bytes(estimate, boundary, policy=policy))


def test_a_multiply_add_counts_two_and_every_matrix_crosses_once():
    estimate = estimate_of("gemm", m=3, n=5, k=7, batch=2)

    assert estimate.work == {"bf16-tensor": 2 * 2 * 3 * 5 * 7}
    assert compulsory_bytes(estimate) == (2 * 2 * (3 * 7 + 7 * 5), 2 * 2 * 3 * 5)
    assert [(one.name, one.role) for one in estimate.tensors] == [
        ("A", "input"),
        ("B", "weight"),
        ("C", "output"),
    ]
    assert estimate.footprint_bytes == 2 * 2 * (3 * 7 + 7 * 5 + 3 * 5)


def test_every_blocking_level_reads_a_once_per_column_of_tiles_and_b_once_per_row():
    estimate = estimate_of("gemm", m=512, n=768, k=64, tile_m=256, tile_n=128, warp_m=64, warp_n=32)
    a, b, c = 2 * 512 * 64, 2 * 64 * 768, 2 * 512 * 768

    assert bytes_at(estimate, "dram", "tiled") == a * 6 + b * 2 + c
    assert bytes_at(estimate, "l2") == a * 6 + b * 2 + c
    assert bytes_at(estimate, "shared") == a * 24 + b * 8 + c
    # Fragments of a 16 × 8 instruction: A again for every 8 columns, B for every 16 rows; accumulators stay.
    assert bytes_at(estimate, "register") == (2 / 8 + 2 / 16) * 512 * 768 * 64


def test_ragged_edges_are_read_by_a_whole_row_of_tiles():
    estimate = estimate_of("gemm", m=129, n=257, k=10)

    assert bytes_at(estimate, "dram", "tiled") == 2 * (129 * 10 * 3 + 10 * 257 * 2 + 129 * 257)


def test_blocks_of_a_cluster_share_their_loads():
    alone = estimate_of("gemm", m=1024, n=1024, k=1024)
    shared = estimate_of("gemm", m=1024, n=1024, k=1024, cluster_m=2, cluster_n=4)
    matrix = 2 * 1024**2

    assert bytes_at(alone, "dram", "tiled") == matrix * (8 + 8 + 1)
    assert bytes_at(shared, "dram", "tiled") == matrix * (8 / 4 + 8 / 2 + 1)
    assert bytes_at(shared, "shared") == bytes_at(alone, "shared")


@given(SIDES, SIDES, SIDES, TILES, TILES, st.integers(1, 4))
def test_no_blocking_level_moves_less_than_compulsory(m, n, k, tile_m, tile_n, cluster):
    estimate = estimate_of(
        "gemm", m=m, n=n, k=k, tile_m=tile_m, tile_n=tile_n, warp_m=tile_m, warp_n=tile_n, cluster_m=cluster
    )
    least = sum(compulsory_bytes(estimate))

    for boundary in ("register", "shared", "l2"):
        assert bytes_at(estimate, boundary) >= least
    assert bytes_at(estimate, "dram", "tiled") >= bytes_at(estimate, "dram", "modelled") >= least


def test_auto_takes_the_tile_that_the_machine_names():
    hinted = placed("gemm", on=H100, tile_m="auto", tile_n="auto", warp_m="auto", warp_n="auto")
    plain = placed("gemm", on=A100, tile_m="auto", tile_n="auto", warp_m="auto", warp_n="auto")

    names = ("tile_m", "tile_n", "warp_m", "warp_n")
    assert [hinted.parameters[name] for name in names] == [128, 256, 64, 256]
    assert [plain.parameters[name] for name in names] == [128, 128, 64, 64]


def test_formats_of_the_operands_are_counted_apart():
    estimate = estimate_of("gemm", m=100, n=200, k=300, dtype="bf16,weight=fp8,output=fp32")

    assert compulsory_bytes(estimate) == (2 * 100 * 300 + 1 * 300 * 200, 4 * 100 * 200)
    assert estimate.main_pipe == "bf16-tensor"  # the widest operand; the output has no say


@pytest.mark.parametrize(
    ("dtype", "pipe"),
    [
        ("fp8", "fp8-tensor"), ("mxfp8", "fp8-tensor"), ("nvfp4", "fp4-tensor"), ("fp16", "fp16-tensor"),
        ("bf16,weight=int4", "bf16-tensor"), ("bf16,weight=fp16", "bf16-tensor"), ("fp8,compute=bf16", "bf16-tensor"),
        ("int8", "int8-tensor"),
    ],
)  # fmt: skip
def test_the_widest_operand_chooses_the_pipe(dtype, pipe):
    assert estimate_of("gemm", dtype=dtype).main_pipe == pipe


def test_fp32_runs_on_the_vector_pipe_and_never_on_tf32():
    result = placed("gemm", dtype="fp32")

    assert result.ceiling_id == "fp32"
    assert "H100 SXM5 80 GB has no fp32 tensor pipe: the product runs on vector fp32." in result.notes


def test_a_forecast_pays_for_whole_tiles_and_whole_waves():
    result = placed("gemm", m=257, n=4096, k=8192, settings=Settings(forecast=True))

    # 3 × 32 tiles of 128 × 128 on 132 SMs: one wave, 96 of 132 busy; 257 rows cost 384.
    tiles, waves = result.limits.judged["tiles"], result.limits.judged["waves"]
    assert tiles["padded_work_flop"] == 2 * 384 * 4096 * 8192
    assert tiles["efficiency"] == pytest.approx(257 / 384)
    assert (waves["tiles"], waves["waves"]) == (96, 1)
    assert result.compute_s == pytest.approx(2 * 384 * 4096 * 8192 / 989.4e12 * 132 / 96)
    assert result.time_s == pytest.approx(result.compute_s + 3e-6)


def test_split_k_brings_blocks_and_costs_partial_sums():
    whole = estimate_of("gemm", m=128, n=128, k=65536)
    split = estimate_of("gemm", m=128, n=128, k=65536, split_k=16)
    partial = 16 * 4 * 128 * 128

    assert compulsory_bytes(split) == compulsory_bytes(whole)
    assert (whole.launch.blocks, whole.launch.kernels) == (1, 1)
    assert (split.launch.blocks, split.launch.kernels) == (16, 2)
    assert bytes_at(split, "dram", "tiled") == bytes_at(whole, "dram", "tiled") + 2 * partial
    assert any(note.startswith("Split-K") for note in split.notes())


def test_stream_k_leaves_no_waves_to_judge():
    result = placed("gemm", m=1792, n=1280, k=4096, stream_k=True, settings=Settings(forecast=True))

    assert "waves" not in result.limits.judged
    assert "tiles" in result.limits.judged
    assert any(note.startswith("Stream-K") for note in result.notes)


def test_a_tile_whose_accumulators_do_not_fit_is_said_to_be_impossible():
    fits, wide = estimate_of("gemm", tile_m=256, tile_n=256), estimate_of("gemm", tile_m=512, tile_n=256)

    assert fits.notes() == ()
    assert "keeps 512 KiB of accumulators on chip" in wide.notes()[0]


def test_the_backward_pass_is_two_products_that_bind_on_their_own():
    result = placed("gemm", m=64, n=8192, k=4096, direction="backward", dtype="bf16,output=fp32")

    to_a, to_b = result.parts
    assert [part.label for part in result.parts] == ["dA = dC·Bᵀ", "dB = Aᵀ·dC"]
    assert result.work_flop == 2 * 2 * 64 * 8192 * 4096
    # dC in fp32 and B make dA in bf16; A and dC make dB in bf16.
    assert to_a.placement.traffic_bytes == 4 * 64 * 8192 + 2 * 8192 * 4096 + 2 * 64 * 4096
    assert to_b.placement.traffic_bytes == 2 * 64 * 4096 + 4 * 64 * 8192 + 2 * 4096 * 8192
    assert result.time_s == pytest.approx(to_a.placement.time_s + to_b.placement.time_s)
    assert result.bound == "memory"


@pytest.mark.parametrize(
    ("direction", "matrices"), [("backward", "dC B dA A dB"), ("both", "A B C dC dA dB")]
)
def test_a_training_step_holds_every_matrix_of_its_products(direction, matrices):
    estimate = estimate_of("gemm", m=3, n=5, k=7, batch=2, direction=direction)
    elements = {"A": 21, "dA": 21, "B": 35, "dB": 35, "C": 15, "dC": 15}

    split = estimate_of("gemm", m=3, n=5, k=7, batch=2, direction=direction, split_k=4)
    assert estimate.footprint_bytes == 2 * 2 * sum(elements[name] for name in matrices.split())
    assert (
        split.footprint_bytes == estimate.footprint_bytes + 4 * 4 * 2 * 35
    )  # partial sums of dB, the largest result
    assert estimate.formulas()[0].symbols == f"W = {6 if direction == 'both' else 4}·batch·m·n·k"


def test_forward_and_backward_take_three_products():
    result = placed("gemm", direction="both")

    assert len(result.parts) == 3
    assert result.work_flop == 3 * 2 * 4096**3


@pytest.mark.parametrize(
    "parameters",
    [{}, {"batch": 3}, {"cluster_m": 2, "cluster_n": 4}, {"split_k": 4}, {"batch": 2, "split_k": 2, "dtype": "fp8"}],
)  # fmt: skip
def test_the_formulas_give_the_figures(parameters):
    estimate = estimate_of("gemm", m=1000, n=2000, k=512, **parameters)
    formulas = formulas_of(estimate)

    assert value_of(formulas["work"]) == estimate.work[estimate.main_pipe]
    assert value_of(formulas["compulsory"]) == sum(compulsory_bytes(estimate))
    assert value_of(formulas["tiled"]) == bytes_at(estimate, "dram", "tiled")
    assert value_of(formulas["shared"]) == bytes_at(estimate, "shared")
    assert value_of(formulas["register"]) == bytes_at(estimate, "register")


def test_formulas_of_a_sweep_show_symbols_alone():
    estimate = estimate_of("gemm", m=np.array([1.0, 2.0]))

    assert {one.symbols for one in estimate.formulas()} >= {"W = 2·m·n·k"}
    assert all(one.values == "" for one in estimate.formulas() if "m" in one.symbols.split("=")[1])
    assert estimate.notes() == ()

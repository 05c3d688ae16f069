"""The classical kernels: streams, sparse products, stencils against a brute-force count, Fourier transforms."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes, crossing_bytes, tiled_bytes
from tests.builtin.evaluating import estimate_of, formulas_of, placed, value_of


@pytest.mark.parametrize(
    ("id_", "read", "written"), [("stream_triad", 16, 8), ("axpy", 16, 8), ("dot", 16, 0)]
)
def test_vector_kernels_do_one_multiply_add_per_element(id_, read, written):
    estimate = estimate_of(id_, elements=1000)

    assert estimate.work == {"fp64": 2000}
    assert compulsory_bytes(estimate) == (1000 * read, 1000 * written + (8 if id_ == "dot" else 0))


def test_the_triad_of_a_hundred_million_elements_takes_716_microseconds_on_an_h100():
    result = placed("stream_triad", elements=1e8, dtype=None)

    assert result.time_s == pytest.approx(2.4e9 / 3.35e12)
    assert result.intensity == 1 / 12
    assert (result.bound, result.ceiling_id) == ("memory", "fp64")


def test_in_32_bits_and_less_vectors_are_worked_on_in_fp32():
    assert estimate_of("axpy", dtype="fp32").main_pipe == "fp32"
    assert estimate_of("axpy", dtype="bf16").main_pipe == "fp32"
    assert compulsory_bytes(estimate_of("axpy", elements=10, dtype="fp64,x=fp32")) == (
        4 * 10 + 8 * 10,
        8 * 10,
    )


def test_a_sparse_product_reads_values_indices_and_the_vector():
    estimate = estimate_of("spmv", rows=1000, columns=500, nonzeros_per_row=27)

    assert estimate.work == {"fp64": 2 * 27_000}
    assert compulsory_bytes(estimate) == (27_000 * (8 + 4) + 1001 * 4 + 500 * 8, 1000 * 8)
    # As if no cache held any of x, every stored element asks for one of its own.
    assert tiled_bytes(estimate) == (27_000 * (8 + 4) + 1001 * 4 + 27_000 * 8, 1000 * 8)
    assert [one.slope for one in estimate.tensors if one.slope] == ["gather"]


def test_no_more_of_the_vector_is_read_than_there_are_elements_to_multiply_it_with():
    estimate = estimate_of("spmv", rows=10, columns=1_000_000, nonzeros_per_row=3)

    assert estimate.tensors[0].elements == 30
    assert compulsory_bytes(estimate) == tiled_bytes(estimate)
    assert estimate.footprint_bytes == 30 * 12 + 11 * 4 + 8e6 + 80


def test_a_sparse_product_stays_under_a_quarter_flop_per_byte():
    assert placed("spmv", dtype="fp64").intensity < 0.2
    assert placed("spmv", dtype="fp32").intensity < 0.25
    assert (
        placed("spmv", dtype="fp64,column indices=int8").traffic_bytes
        < placed("spmv", dtype="fp64").traffic_bytes
    )


@pytest.mark.parametrize(
    ("shape", "sizes", "neighbours"),
    [("star", (9, 9, 9), 7), ("star", (9, 9, 1), 5), ("star", (9, 1, 1), 3), ("box", (9, 9, 9), 27),
     ("box", (9, 9, 1), 9), ("box", (1, 1, 1), 1)],
)  # fmt: skip
def test_a_stencil_sums_its_neighbours(shape, sizes, neighbours):
    nx, ny, nz = sizes

    estimate = estimate_of("stencil", nx=nx, ny=ny, nz=nz, shape=shape)

    points = nx * ny * nz
    assert estimate.work == {"fp64": (2 * neighbours - 1) * points}
    assert compulsory_bytes(estimate) == (8 * points, 8 * points)
    assert crossing_bytes(estimate, "shared") == (neighbours * 8 * points, 8 * points)


def loaded(sizes, tiles, radius, shape):
    """Count what all blocks of a grid load, point by point."""
    axes = [range(0, size, tile) for size, tile in zip(sizes, tiles, strict=True)]
    total = 0
    for corner in itertools.product(*axes):
        own = [
            (start, min(start + tile, size)) for start, tile, size in zip(corner, tiles, sizes, strict=True)
        ]
        wide = [
            min(stop + radius, size) - max(start - radius, 0)
            for (start, stop), size in zip(own, sizes, strict=True)
        ]
        inner = [stop - start for start, stop in own]
        if shape == "box":
            total += math.prod(wide)
        else:
            total += math.prod(inner) + sum(
                (wide[axis] - inner[axis]) * math.prod(inner[:axis] + inner[axis + 1 :]) for axis in range(3)
            )
    return total


@given(
    sizes=st.tuples(*[st.integers(1, 30)] * 3), tiles=st.tuples(*[st.integers(3, 12)] * 3),
    radius=st.integers(1, 3), shape=st.sampled_from(("star", "box")),
)  # fmt: skip
def test_blocks_of_a_stencil_load_their_halos(sizes, tiles, radius, shape):
    names = dict(zip(("nx", "ny", "nz"), sizes, strict=True)) | dict(
        zip(("tile_x", "tile_y", "tile_z"), tiles, strict=True)
    )

    count = tiled_bytes(estimate_of("stencil", **names, radius=radius, shape=shape))[0] / 8

    exact = loaded(sizes, tiles, radius, shape)
    # Exact as long as the last block of an axis is at least as wide as the halo; else a little over it.
    whole = all(size % tile == 0 or size % tile >= radius for size, tile in zip(sizes, tiles, strict=True))
    assert count >= exact * (1 - 1e-12)
    if whole:
        assert count == pytest.approx(exact)


@pytest.mark.parametrize(
    ("n", "block", "passes"),
    [
        (1, 4096, 1),
        (4096, 4096, 1),
        (4097, 4096, 2),
        (2**24, 4096, 2),
        (1000**2, 1000, 2),
        (1000**3 + 1, 1000, 4),
    ],
)
def test_a_long_transform_takes_several_passes(n, block, passes):
    estimate = estimate_of("fft", n=n, block=block)

    assert compulsory_bytes(estimate) == (16 * n, 16 * n)
    assert tiled_bytes(estimate) == (16 * n * passes, 16 * n * passes)
    assert estimate.launch.kernels == passes
    arrays = estimate_of("fft", n=np.array([n, n]), block=block)
    assert list(arrays.launch.kernels) == [passes, passes]


def test_a_transform_counts_five_n_log_n():
    estimate = estimate_of("fft", n=1024, batch=3)

    assert estimate.work == {"fp64": 5 * 3 * 1024 * 10}


def test_a_real_transform_does_half_and_writes_half_a_spectrum():
    estimate = estimate_of("fft", n=1024, kind="real", dtype="fp32")

    assert estimate.work == {"fp32": 2.5 * 1024 * 10}
    assert compulsory_bytes(estimate) == (4 * 1024, 4 * 2 * 513)


def test_a_transform_of_one_point_is_a_copy():
    result = placed("fft", n=1, batch=10, dtype="fp64")

    assert (result.work_flop, result.traffic_bytes, result.bound) == (0, 320, "memory")


CASES = [
    ("stream_triad", {}), ("axpy", {}), ("dot", {}), ("spmv", {}), ("spmv", {"columns": 1e8}),
    ("stencil", {}), ("stencil", {"shape": "box", "nz": 1}), ("fft", {}), ("fft", {"kind": "real", "n": 1000}),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "parameters"), CASES)
@pytest.mark.parametrize("dtype", ["fp64", "fp32"])
def test_the_formulas_give_the_figures(id_, parameters, dtype):
    estimate = estimate_of(id_, **parameters, dtype=dtype)
    formulas = formulas_of(estimate)

    assert value_of(formulas["work"]) == pytest.approx(sum(estimate.work.values()), rel=1e-5)
    assert value_of(formulas["compulsory"]) == pytest.approx(sum(compulsory_bytes(estimate)), rel=1e-5)
    if "tiled" in formulas:
        assert value_of(formulas["tiled"]) == pytest.approx(sum(tiled_bytes(estimate)), rel=1e-5)
    if "shared" in formulas:
        assert value_of(formulas["shared"]) == pytest.approx(sum(crossing_bytes(estimate, "shared")))


@pytest.mark.parametrize("id_", ["stream_triad", "axpy", "dot", "spmv", "stencil", "fft"])
@pytest.mark.parametrize("policy", ["compulsory", "tiled", "modelled"])
def test_classical_kernels_are_bound_by_memory_on_an_h100(id_, policy):
    result = placed(id_, dtype="fp64", settings=Settings(policy=policy))

    assert (result.bound, result.binding) == ("memory", "dram")

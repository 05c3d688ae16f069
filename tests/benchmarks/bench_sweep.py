"""How fast sweeps are: a million GEMM shapes against the bare arithmetic of the same figures. Printed, not judged."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

import pytest

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.subject import CHUNK, Subject
from rooflinestudio.core.sweep import sweep
from rooflinestudio.core.sweep.axes import spaced_axis
from rooflinestudio.core.thresholds import bound_flip

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.benchmark

BF16 = parse_dtypes("bf16")
SIDE = 1000


@pytest.fixture(scope="module")
def registry():
    from rooflinestudio.cli.catalog import registry

    return registry()


@pytest.fixture(scope="module")
def h100():
    from rooflinestudio.cli.catalog import find_machine

    return find_machine("nvidia-h100-sxm5")


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the median of several runs, after one to warm up."""
    work()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def bare(m, n):
    """The figures of a sweep, without anything around the arithmetic."""
    import numpy as np

    k = 4096.0
    work = 2 * m * n * k
    traffic = 2 * (m * k + k * n + m * n)
    intensity = work / traffic
    compute_s, memory_s = work / 989.4e12, traffic / 3.35e12
    time_s = np.maximum(compute_s, memory_s)
    attainable = work / time_s
    return (
        work,
        traffic,
        intensity,
        time_s,
        attainable,
        attainable / 989.4e12,
        np.where(memory_s > compute_s, 1, 0),
    )


def test_bench_a_million_shapes(registry, h100) -> None:
    import numpy as np

    sizes = np.arange(1.0, SIDE + 1)
    m, n = np.repeat(sizes, SIDE), np.tile(sizes, SIDE)
    subject = Subject(registry, "gemm", h100, {"k": 4096}, BF16, Settings(boundary="dram"))
    axes = [spaced_axis(subject.operator, name, low=1, high=SIDE) for name in ("m", "n")]

    def chunked() -> None:
        for start in range(0, m.size, CHUNK):
            bare(m[start : start + CHUNK], n[start : start + CHUNK])

    ours, whole, in_chunks = [], [], []
    for _ in range(5):  # in turns, so that a busy machine is busy for all of them
        ours.append(seconds(lambda: sweep(subject, axes), 3))
        whole.append(seconds(lambda: bare(m, n), 3))
        in_chunks.append(seconds(chunked, 3))
    ratio = statistics.median(a / b for a, b in zip(ours, whole, strict=True))
    chunk_ratio = statistics.median(a / b for a, b in zip(ours, in_chunks, strict=True))
    print(
        f"\n1,000,000 GEMM shapes: {1e3 * min(ours):.0f} ms; bare NumPy {1e3 * min(whole):.0f} ms, "
        f"ratio {ratio:.1f} (bar: 10); the same in chunks of {CHUNK} {1e3 * min(in_chunks):.0f} ms, "
        f"ratio {chunk_ratio:.1f}"
    )


def test_bench_a_million_shapes_at_every_boundary(registry, h100) -> None:
    settings = Settings(boundary="all", policy="modelled", forecast=True)
    subject = Subject(registry, "gemm", h100, {"k": 4096}, BF16, settings)
    axes = [spaced_axis(subject.operator, name, low=1, high=SIDE) for name in ("m", "n")]
    taken = seconds(lambda: sweep(subject, axes), 3)
    print(
        f"\n1,000,000 GEMM shapes, all boundaries, forecast: {1e3 * taken:.0f} ms, {1 / taken:.1f} M shapes/s"
    )


def test_bench_a_threshold(registry, h100) -> None:
    subject = Subject(registry, "gemm", h100, {}, BF16, Settings(boundary="dram"))
    taken = seconds(lambda: bound_flip(subject, ("m", "n", "k")), 9)
    print(f"\nthe ridge of a cube, looked for from 1 to 10^12: {1e3 * taken:.1f} ms")

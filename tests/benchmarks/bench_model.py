"""How fast the model is, as figures on the machine at hand and as ratios in one run. Printed, not judged."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

import pytest

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.benchmark

BF16 = parse_dtypes("bf16")


@pytest.fixture(scope="module")
def registry():
    from rooflinestudio.cli.catalog import registry

    return registry()


@pytest.fixture(scope="module")
def h100():
    from rooflinestudio.cli.catalog import find_machine

    return find_machine("nvidia-h100-sxm5")


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the median of several runs, after one to warm up."""
    work()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def test_bench_a_thousand_single_evaluations(registry, h100) -> None:
    settings = Settings(boundary="dram", policy="modelled")
    operators = ("gemm", "add", "softmax", "attention", "attention_decode", "adam")

    def one(operator: str) -> float:
        name = registry.operator(operator).parameters[0].name
        return seconds(
            lambda: [evaluate(registry, operator, {name: 64 + i}, BF16, h100, settings) for i in range(1000)],
            5,
        )

    for operator in operators:
        print(f"\n1,000 evaluations of {operator}: {1e3 * one(operator):.1f} ms (bar: 60 ms)", end="")


def test_bench_a_thousand_shapes_in_one_call(registry, h100) -> None:
    import numpy as np

    m = np.arange(1.0, 1001.0)

    def bare() -> tuple[object, ...]:
        n = k = 4096.0
        work = 2 * m * n * k
        traffic = 2 * (m * k + k * n + m * n)
        intensity = work / traffic
        compute_s, memory_s = work / 989.4e12, traffic / 3.35e12
        time_s = np.maximum(compute_s, memory_s)
        attainable = work / time_s
        return intensity, attainable, attainable / 989.4e12, np.where(memory_s > compute_s, 1, 0)

    def ours() -> object:
        return evaluate(registry, "gemm", {"m": m}, BF16, h100, Settings(boundary="dram"))

    rounds = [(seconds(ours, 40), seconds(bare, 40)) for _ in range(7)]
    ratio = statistics.median(a / b for a, b in rounds)
    ours_us, bare_us = 1e6 * min(a for a, _ in rounds), 1e6 * min(b for _, b in rounds)
    print(
        f"\n1,000 GEMM shapes in one call: {ours_us:.0f} µs, bare NumPy {bare_us:.0f} µs, ratio {ratio:.1f} (bar: 10)"
    )

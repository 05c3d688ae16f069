"""A process that times trials: one JSON line in, one out, until its input ends.

``python -m rooflinestudio.core.measuring.worker`` is started with the number of BLAS threads in its environment.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from rooflinestudio.core.measuring.trials import Trial

__all__ = ["Bench", "main"]

_RUN_S: Final = 0.03
"""A run repeats its pass until it takes about so long: a call of NumPy costs a microsecond, a clock tick less."""


class Bench:
    """Times one trial; its arrays are made and touched before, and the pass is repeated as the first run says."""

    def __init__(self, trial: Trial) -> None:
        passes = _passes(trial)
        self._barrier = threading.Barrier(len(passes))
        self._passes = passes
        self.repeats = 1
        once = self.seconds()
        self.repeats = max(1, int(_RUN_S / max(once, 1e-7)))
        if self.repeats > 1:  # the first pass also fetched pages
            self.repeats = max(1, int(_RUN_S / max(self.seconds(), 1e-7)))

    def seconds(self) -> float:
        """Return the time of one pass: of the slowest thread, all started together."""
        repeats, passes = self.repeats, self._passes
        spans: list[tuple[float, float]] = [(0.0, 0.0)] * len(passes)

        def run(at: int) -> None:
            one = passes[at]
            self._barrier.wait()
            start = time.perf_counter()
            for _ in range(repeats):
                one()
            spans[at] = start, time.perf_counter()

        threads = [threading.Thread(target=run, args=(at,)) for at in range(1, len(passes))]
        for thread in threads:
            thread.start()
        run(0)
        for thread in threads:
            thread.join()
        return (max(end for _, end in spans) - min(start for start, _ in spans)) / repeats


def _passes(trial: Trial) -> list[Callable[[], Any]]:
    """Return what each thread does once; a product is one call, whose threads the BLAS makes itself."""
    import numpy as np

    if trial.kind == "gemm":
        generator = np.random.default_rng(1)
        a, b = (generator.random((trial.size, trial.size)).astype(trial.dtype) for _ in range(2))
        c = np.empty_like(a)
        return [lambda: np.matmul(a, b, out=c)]
    return [_stream(trial, np) for _ in range(trial.threads)]


def _stream(trial: Trial, np: Any) -> Callable[[], Any]:
    item = np.dtype(trial.dtype).itemsize
    arrays = 2 if trial.kind == "copy" else 3
    elements = max(1, trial.size // (arrays * item * trial.threads))
    a, b = np.full(elements, 1.5, trial.dtype), np.full(elements, 2.5, trial.dtype)
    if trial.kind == "copy":  # not np.copyto: some C libraries write past the cache there, and some do not
        return lambda: np.multiply(a, 1.0, out=b)
    c = np.zeros(elements, trial.dtype)
    return lambda: np.add(a, b, out=c)


def main() -> int:
    """Answer trials on stdin with their seconds on stdout; the last trial's arrays are kept until the next."""
    from rooflinestudio.core.measuring.trials import Trial

    repeats: dict[str, int] = {}
    for line in sys.stdin:
        trial = Trial(**json.loads(line))
        try:
            bench = Bench(trial)
            bench.repeats = repeats.setdefault(trial.key, bench.repeats)
            answer: dict[str, Any] = {"seconds": bench.seconds()}
        except MemoryError:
            answer = {"error": "not enough memory"}
        try:
            print(json.dumps(answer), flush=True)
        except BrokenPipeError:  # nobody waits for it any more: it was cancelled
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            break
        del bench
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

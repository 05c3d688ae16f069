"""Which files are of a benchmark: told by the head, and left to the readers of other tools where they know it."""

from __future__ import annotations

import re
from typing import Final

from plugins_builtin._bandwidth.reading import looks_like as looks_like_bandwidth
from plugins_builtin._benchmarks.clpeak import SIGN as CLPEAK
from plugins_builtin._benchmarks.ert import looks_like_ert
from plugins_builtin._benchmarks.gpu_benches import SIGN_CACHES, SIGN_ROOFLINE, SIGN_STREAMS
from plugins_builtin._benchmarks.likwid_bench import SIGN as LIKWID
from plugins_builtin._benchmarks.mixbench import SIGN as MIXBENCH
from plugins_builtin._benchmarks.opencl_benchmark import SIGN as OPENCL
from plugins_builtin._benchmarks.stream import SIGN as STREAM
from plugins_builtin._likwid.tables import looks_like_likwid
from plugins_builtin._ncu.lines import decoded_head

__all__ = ["OPENING", "looks_like"]

OPENING: Final = re.compile(
    r"[ \t]*(?:\"?Function|Array size|This system uses|Number of Threads|Each kernel will|Experiment ID|"
    r"Operations ratio|mixbench|-+ Device specifications|[bB]lock|[gG]rid|threads|data set|"
    r"\d{1,3}[ \t]{1,10}\d{1,9} blocks|\||LIKWID MICRO|CPU name:|Level:|Platform:|Backend:|Kernel launch latency|"
    r"[A-Z][\w /.()-]{2,80} \(G[BFIO])",
    re.IGNORECASE,
)
"""Beginning of a line that some tool may take though it waits for none: all other lines are passed over."""

_SIGNS: Final = (STREAM, MIXBENCH, CLPEAK, OPENCL, SIGN_STREAMS, SIGN_CACHES, SIGN_ROOFLINE, LIKWID)


def looks_like(head: bytes) -> bool:
    """Whether a file begins like output of one of the benchmarks, and of no other tool that has a reader."""
    if looks_like_ert(head):
        return True
    text = decoded_head(head)
    if text is None or not any(sign.search(text) for sign in _SIGNS):
        return False
    return not looks_like_likwid(text) and not looks_like_bandwidth(head)

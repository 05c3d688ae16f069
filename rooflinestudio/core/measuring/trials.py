"""What is measured: a plan of trials, as plain data that a worker process can be sent."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.measuring.host import Host

__all__ = ["FAR", "ROUNDS", "SMALLEST_BYTES", "STREAMS", "Trial", "plan"]

Kind = Literal["copy", "add", "gemm"]

ROUNDS: Final = 7
"""How often each trial is run; rounds go over all trials, so that a disturbance hits none of them alone."""

STREAMS: Final = {"copy": 3, "add": 4}
"""Bytes that cross per byte of one array: b = 1·a reads a and b's line before it is written, and writes b back."""

SMALLEST_BYTES: Final = 256 * 2**10
FAR: Final = 8
"""A working set of so many times the last cache finds next to nothing of itself there."""
_LARGEST_BYTES: Final = 2**31
_WITHOUT_CACHES: Final = 256 * 2**20
_PRODUCTS: Final = (1024, 2048)


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing to time.

    Attributes
    ----------
    kind
        ``copy`` (b = 1·a), ``add`` (c = a + b), or ``gemm`` (c = a·b through the BLAS of NumPy).
    threads
        How many run at once; the working set is shared out among them.
    size
        Working set in bytes, all arrays of all threads together; or rows and columns of the matrices.
    dtype
        NumPy's name of the format.
    """

    kind: Kind
    threads: int
    size: int
    dtype: str = "float64"

    @property
    def key(self) -> str:
        """A name of its own: ``add-2x1048576``."""
        tail = "" if self.kind != "gemm" else f"-{self.dtype}"
        return f"{self.kind}-{self.threads}x{self.size}{tail}"

    @property
    def amount(self) -> float:
        """What one pass does: bytes that cross the boundary (write-allocate counted), or FLOP of the product."""
        if self.kind == "gemm":
            return 2.0 * self.size**3
        arrays = 2 if self.kind == "copy" else 3
        return self.size / arrays * STREAMS[self.kind]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def plan(host: Host, *, largest_bytes: int | None = None) -> tuple[Trial, ...]:
    """Return all trials for a machine, for one thread and for all cores.

    Working sets double from 256 KiB to sixteen times the last cache, as far as an eighth of the memory.
    """
    counts = dict.fromkeys((1, host.cores))
    sizes = tuple(_sizes(host, largest_bytes))
    return tuple(
        trial
        for threads in counts
        for trial in (
            *(Trial(kind, threads, size) for size in sizes for kind in ("copy", "add")),
            *(Trial("gemm", threads, n, dtype) for dtype in ("float32", "float64") for n in _PRODUCTS),
        )
    )


def _sizes(host: Host, largest_bytes: int | None) -> Iterator[int]:
    last_cache = max((one.reach(host.cores) for one in host.caches.values()), default=0)
    largest = 2 * FAR * last_cache if last_cache else _WITHOUT_CACHES
    if host.memory_bytes:
        largest = min(largest, host.memory_bytes // 8)
    largest = min(largest_bytes or largest, _LARGEST_BYTES)
    size = SMALLEST_BYTES
    while size <= largest:
        yield size
        size *= 2

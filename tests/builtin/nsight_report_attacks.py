"""Reports that claim much with few bytes, about a megabyte each; run as a program, it tells what reading them costs.

Each file is read in a process of its own, forked from one that has read a report already, so that the memory counted
is that of this file: all of it, not only what Python knows of.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plugins_builtin.nsight_compute_report import NsightComputeReport
from rooflinestudio.core.measurement import MeasurementError
from tests.builtin.nsight_reports import (
    TIME,
    Kernel,
    block,
    framed,
    head,
    metric,
    nested,
    report,
    scalar,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ATTACKS", "deep"]

SIZE: Final = 1_000_000
NAMES: Final = ("gpu__time_duration.sum", "dram__bytes.sum")
TINY: Final = nested(13, whole(1, 0) + nested(2, whole(4, 9)))
"""A time of 9 ns, as short as it can be written."""
OPCODE: Final = "sass__inst_executed_per_opcode"
ATTRIBUTE: Final = nested(3, nested(1, "y") + nested(2, scalar(1)))
TENSOR: Final = [f"sm__ops_path_tensor_op_x{number}.sum" for number in range(500)]


def deep(levels: int) -> bytes:
    """A message in a message in a message."""
    content = b""
    for _ in range(levels):
        content = nested(13, content)
    return content


def _opcodes() -> bytes:
    instances = [(f"HMMA.{number}", 1.0) for number in range(SIZE // 30)]
    return block(results=[nested(13, metric(0, 1.0, instances))], names=[OPCODE])


def _tensor_counters() -> bytes:
    result = b"".join(nested(13, metric(number, 1.0)) for number in range(500))
    return block(results=[result] * (SIZE // 10_000), names=TENSOR)


def _named(count: int, name: str) -> bytes:
    return block(results=[nested(6, name.format(number)) + TINY for number in range(count)], names=NAMES)


ATTACKS: Final[dict[str, Callable[[], bytes]]] = {
    "launches": lambda: block(results=[TINY] * (SIZE // 12), names=NAMES),
    "named launches": lambda: _named(SIZE // 20, "{}"),
    "wide names": lambda: _named(250, "\U0001f600{:05}" + "x" * 4000),
    "launches of a likely size": lambda: block(
        results=[Kernel(TIME, device={}).message({NAMES[0]: 0})] * (SIZE // 130), names=NAMES
    ),
    "empty results": lambda: block(results=[b""] * (SIZE // 4)),
    "empty sources": lambda: block(sources=[b""] * (SIZE // 4)),
    "empty blocks": lambda: framed(whole(1, 0)) * (SIZE // 6),
    "blocks": lambda: block() * (SIZE // 50),
    "blocks with a launch": lambda: block(names=NAMES) + block(results=[TINY]) * (SIZE // 70),
    "names": lambda: block(names=[""] * (SIZE // 2)),
    "short names": lambda: block(names=["ab"] * (SIZE // 4)),
    "wanted names": lambda: block(names=NAMES * (SIZE // 40)),
    "a long name": lambda: block(names=["x" * SIZE]),
    "tensor names": lambda: block(
        names=[f"sm__ops_path_tensor_{number}.sum" for number in range(SIZE // 32)]
    ),
    "tensor counters": _tensor_counters,
    "devices": lambda: block(session=nested(6, nested(2, "x")) * (SIZE // 6)),
    "attributes": lambda: block(session=nested(6, ATTRIBUTE * (SIZE // 10))),
    "fields": lambda: block(results=[whole(1, 0) * (SIZE // 2)]),
    "metrics": lambda: block(results=[TINY * (SIZE // 10)], names=NAMES),
    "opcodes": _opcodes,
    "opcodes again": lambda: block(
        results=[nested(13, metric(0, 1.0, [("HMMA.16816.F32", 1.0)])) * (SIZE // 50)], names=[OPCODE]
    ),
    "ranges": lambda: framed(whole(7, 1 << 63) + whole(5, 1)) + b"x",
    "depth": lambda: block(results=[deep(20_000)], session=deep(20_000)),
    "zeros": lambda: b"\0" * SIZE,
    "ones": lambda: b"\xff" * SIZE,
}


def _cost(path: Path, kind: str) -> dict[str, object]:
    """Read a file, and say what it cost in seconds of the processor and bytes of memory."""
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    error, launches, warnings = None, 0, 0
    try:
        file = NsightComputeReport().read(path)
        launches, warnings = len(file.measurements), len(file.warnings)
    except MeasurementError:
        warnings = 1
    except Exception as raised:
        error = repr(raised)
    seconds = time.process_time() - began
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return {"kind": kind, "size": path.stat().st_size, "seconds": seconds, "memory": memory, "error": error,
            "launches": launches, "warnings": warnings}  # fmt: skip


def main(folder: Path) -> None:
    """Print one line of JSON for each attack."""
    path = folder / "attack.ncu-rep"
    path.write_bytes(report(Kernel(TIME)))
    NsightComputeReport().read(path)
    for kind, content in ATTACKS.items():
        path.write_bytes(head() + content())
        if os.fork() == 0:
            print(json.dumps(_cost(path, kind)), flush=True)
            os._exit(0)
        os.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

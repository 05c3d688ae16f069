"""What the rows of the form consist of."""

from __future__ import annotations

from functools import partial
from typing import Final

from rooflinestudio.core.custom.document import BLOCKED, PIPES
from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.quantities import UNITS
from rooflinestudio.ui.custom_kernel.cells import (
    ChoiceCell,
    FlagCell,
    FormulaCell,
    ListCell,
    TextCell,
    ValueCell,
)
from rooflinestudio.ui.custom_kernel.sections import Column

__all__ = ["FORMATS", "LAUNCH_WORDS", "PARAMETERS", "TENSORS", "TRAFFIC", "TRAFFIC_WORDS", "WORK"]

_PIPE_WORDS: Final = {"compute": "matrix products", "vector": "vector units", "special": "special functions"}
_PIPE_OPTIONS: Final = [(pipe, _PIPE_WORDS.get(pipe, pipe.replace("-", " "))) for pipe in PIPES]
_ROLE_OPTIONS: Final = [
    (role, role) for role in ("input", "weight", "output", "state", "cache", "intermediate")
]
_DTYPE_OPTIONS: Final = [(id_, id_) for id_ in DTYPES]
_UNIT_OPTIONS: Final = [("", "count"), *((unit, unit) for unit in UNITS if unit)]
TRAFFIC_WORDS: Final = {
    "dram_tiled": "dram, tiled", "l2": "L2", "l1": "L1", "shared": "shared memory", "register": "registers",
}  # fmt: skip
_TRAFFIC_OPTIONS: Final = [(key, TRAFFIC_WORDS[key]) for key in BLOCKED]

PARAMETERS: Final = (
    (
        Column("name", "name", 11, partial(TextCell, hint="n")),
        Column("label", "label", 15, partial(TextCell, hint="as the name")),
        Column("default", "default", 14, partial(ValueCell, hint="4096")),
        Column("low", "from", 9, partial(ValueCell, hint="1")),
        Column("high", "to", 10, partial(ValueCell, hint="1e12")),
        Column("unit", "unit", 11, partial(ChoiceCell, options=_UNIT_OPTIONS)),
    ),
    (
        Column("choices", "choices", 26, partial(ListCell, hint="choices, if it is no number")),
        Column("help", "help", 45, partial(TextCell, hint="one sentence about it")),
    ),
)
FORMATS: Final = (
    (
        Column("role", "role", 26, partial(TextCell, hint="activation")),
        Column("dtype", "format", 18, partial(ChoiceCell, options=_DTYPE_OPTIONS, default="bf16")),
        Column("pinned", "pinned", 26,
               partial(FlagCell, tip="Stays when a format is set for the whole kernel")),
    ),
)  # fmt: skip
WORK: Final = (
    (
        Column("pipe", "pipe", 20, partial(ChoiceCell, options=_PIPE_OPTIONS, default="vector")),
        Column("formula", "FLOP", 50, partial(FormulaCell, hint="2 * n")),
    ),
)
TENSORS: Final = (
    (
        Column("name", "name", 11, partial(TextCell, hint="x")),
        Column("elements", "elements", 21, partial(FormulaCell, hint="m * n")),
        Column("role", "role", 14, partial(ChoiceCell, options=_ROLE_OPTIONS, default="input")),
        Column("dtype", "format", 13, partial(TextCell, hint="by role")),
        Column("reads", "reads", 8, partial(FormulaCell, hint="…")),
        Column("writes", "writes", 8, partial(FormulaCell, hint="…")),
    ),
)
TRAFFIC: Final = (
    (
        Column(
            "boundary", "boundary", 16, partial(ChoiceCell, options=_TRAFFIC_OPTIONS, default="dram_tiled")
        ),
        Column("read_bytes", "bytes read", 28, partial(FormulaCell, hint="bytes(activation) * n")),
        Column("write_bytes", "bytes written", 28, partial(FormulaCell, hint="bytes(output) * n")),
    ),
)
LAUNCH_WORDS: Final = {
    "blocks": "blocks", "threads": "threads in a block", "registers_per_thread": "registers of a thread",
    "shared_bytes": "shared bytes of a block", "bytes_in_flight": "bytes in flight", "kernels": "kernels started",
}  # fmt: skip

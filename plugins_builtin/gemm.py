"""The matrix product C = A·B, with its tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.plugins import Estimate, Formula, Launch, OperatorBase, Parameter, Tensor, hookimpl
from rooflinestudio.plugins.arithmetic import ceil_div, is_number, larger

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes

FRAGMENT_M, FRAGMENT_N = 16.0, 8.0
"""Rows and columns of C that one matrix instruction (m16n8) produces: A is read once per 8 columns, B once per 16 rows."""

_TILE_HELP = "A better tile of the machine is taken with auto."


class Gemm(OperatorBase):
    """Dense matrix product, m x k times k x n, ``batch`` times over."""

    id = "gemm"
    label = "GEMM"
    category = "Matrix products"
    summary = "Matrix product C = A·B, dense, accumulated in fp32"
    parameters = (
        Parameter("m", "m", 4096, help="Rows of A and C."),
        Parameter("n", "n", 4096, help="Columns of B and C."),
        Parameter("k", "k", 4096, help="Columns of A, rows of B: the summed dimension."),
        Parameter("batch", "batch", 1, help="Independent products of this shape."),
        Parameter("tile_m", "tile m", 128, high=4096, auto="tile_m", help=f"Rows of C that a block computes. {_TILE_HELP}"),
        Parameter("tile_n", "tile n", 128, high=4096, auto="tile_n", help=f"Columns of C that a block computes. {_TILE_HELP}"),
        Parameter("warp_m", "operand tile m", 64, high=4096, auto="warp_m", help=f"Rows of C that share one read of B from shared memory. {_TILE_HELP}"),
        Parameter("warp_n", "operand tile n", 64, high=4096, auto="warp_n", help=f"Columns of C that share one read of A from shared memory. {_TILE_HELP}"),
        Parameter("cluster_m", "cluster m", 1, high=16, help="Blocks along m that share their loads of B."),
        Parameter("cluster_n", "cluster n", 1, high=16, help="Blocks along n that share their loads of A."),
    )
    dtype_roles = {"activation": "bf16", "weight": "bf16", "output": "bf16", "accumulate": "fp32"}  # noqa: RUF012 - read only

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        """Count W = 2mnk and the traffic of each blocking level (MODEL 3)."""
        p = parameters
        m, n, k, batch = p["m"], p["n"], p["k"], 1.0 * p["batch"]
        a_type, b_type, c_type = dtypes["activation"], dtypes["weight"], dtypes["output"]
        a, b, c = batch * m * k, batch * k * n, batch * m * n
        a_bytes, b_bytes = a * (a_type.storage_bits / 8), b * (b_type.storage_bits / 8)
        c_bytes = c * (c_type.storage_bits / 8)
        tile_m, tile_n = p["tile_m"], p["tile_n"]
        rows, columns = ceil_div(m, tile_m), ceil_div(n, tile_n)
        loads_m, loads_n = ceil_div(rows, p["cluster_m"]), ceil_div(columns, p["cluster_n"])
        work = 2.0 * c * k
        pipe = f"{dtypes['compute'].pipe}-tensor"
        blocked = {
            # Accumulators stay put and are not counted; a product too small to fill a fragment still crosses once.
            "register": (larger(a_bytes * n / FRAGMENT_N + b_bytes * m / FRAGMENT_M, a_bytes + b_bytes + c_bytes), 0.0),
            "shared": (a_bytes * ceil_div(n, p["warp_n"]) + b_bytes * ceil_div(m, p["warp_m"]), c_bytes),
            "dram": (a_bytes * loads_n + b_bytes * loads_m, c_bytes),
        }
        return Estimate(
            {pipe: work},
            pipe,
            (
                Tensor("A", a, a_type, 1, 0, "input"),
                Tensor("B", b, b_type, 1, 0, "weight"),
                Tensor("C", c, c_type, 0, 1, "output"),
            ),
            blocked,
            footprint_bytes=a_bytes + b_bytes + c_bytes,
            launch=Launch(blocks=rows * columns * batch),
            padded_work={pipe: 2.0 * batch * k * (rows * tile_m) * (columns * tile_n)},
            formulas=lambda: _formulas(p, dtypes),
        )


def _formulas(p: Mapping[str, Any], dtypes: Dtypes) -> tuple[Formula, ...]:
    shape = [p[name] for name in ("m", "n", "k", "batch", "tile_m", "tile_n")]
    if not all(is_number(value) for value in shape):
        shape = list("mnk") + ["batch", "tile_m", "tile_n"]
    m, n, k, batch, tile_m, tile_n = shape
    s_a, s_b, s_c = (dtypes[role].bytes for role in ("activation", "weight", "output"))
    times = f" · {batch}" if batch != 1 else ""
    return (
        Formula("work", "W = 2·m·n·k", f"2·{m}·{n}·{k}{times}", "a multiply-add counts 2"),
        Formula("compulsory", "Qc = s_A·m·k + s_B·k·n + s_C·m·n", f"{s_a:g}·{m}·{k} + {s_b:g}·{k}·{n} + {s_c:g}·{m}·{n}{times}", "each tensor once"),
        Formula(
            "tiled",
            "Qt = s_A·m·k·⌈n/tile_n⌉ + s_B·k·n·⌈m/tile_m⌉ + s_C·m·n",
            f"{s_a:g}·{m}·{k}·⌈{n}/{tile_n}⌉ + {s_b:g}·{k}·{n}·⌈{m}/{tile_m}⌉ + {s_c:g}·{m}·{n}{times}",
            "every block of C reads its rows of A and columns of B",
        ),
    )


@hookimpl
def rooflinestudio_operators() -> list[Gemm]:
    """Bring the matrix product."""
    return [Gemm()]

"""The matrix product C = A·B, with its tiles, and the two products of its backward pass."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._convolution import Conv2d
from plugins_builtin._text import put
from rooflinestudio.plugins import (
    Dtypes,
    Estimate,
    Formula,
    Launch,
    OnDemand,
    OperatorBase,
    Parameter,
    Part,
    Tensor,
    hookimpl,
)
from rooflinestudio.plugins.arithmetic import ceil_div, is_number, larger, where

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.plugins import DType
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["DEFAULTS", "TILES", "product", "product_formulas"]

FRAGMENT_M, FRAGMENT_N = 16.0, 8.0
"""Rows and columns of C that one matrix instruction makes: A is read once per 8 columns, B once per 16 rows."""

REGISTER_FILE_BYTES: Final = 262_144
"""What one SM keeps accumulators in: 256 KiB of registers, or as much tensor memory."""

_AUTO = "auto takes the machine's own."

TILES: Final = (
    Parameter("tile_m", "tile m", 128, high=4096, auto="tile_m",
              help=f"Rows of C that a block computes; {_AUTO}"),
    Parameter("tile_n", "tile n", 128, high=4096, auto="tile_n",
              help=f"Columns of C that a block computes; {_AUTO}"),
    Parameter("warp_m", "operand tile m", 64, high=4096, auto="warp_m",
              help=f"Rows of C that share one read of B from shared memory; {_AUTO}"),
    Parameter("warp_n", "operand tile n", 64, high=4096, auto="warp_n",
              help=f"Columns of C that share one read of A from shared memory; {_AUTO}"),
)  # fmt: skip
"""The blocking of a product, for operators that have one at their core."""


class Gemm(OperatorBase):
    """Dense matrix product, m × k times k × n, ``batch`` times over."""

    id = "gemm"
    label = "GEMM"
    category = "Matrix products"
    summary = "Matrix product C = A·B, dense, accumulated in fp32"
    parameters = (
        Parameter("m", "m", 4096, help="Rows of A and C."),
        Parameter("n", "n", 4096, help="Columns of B and C."),
        Parameter("k", "k", 4096, help="Columns of A, rows of B: the summed dimension."),
        Parameter("batch", "batch", 1, help="Independent products of this shape."),
        *TILES,
        Parameter("cluster_m", "cluster m", 1, high=16, help="Blocks along m that share their loads of B."),
        Parameter("cluster_n", "cluster n", 1, high=16, help="Blocks along n that share their loads of A."),
        Parameter("split_k", "split k", 1, high=1024,
                  help="Slices of k that are summed apart: more blocks, and partial sums that cross dram."),
        Parameter("stream_k", "stream k", default=False,
                  help="Deal the work out evenly over the SMs instead of tile by tile: no wave quantisation."),
        Parameter("direction", "direction", "forward", choices=("forward", "backward", "both"),
                  help="The backward pass is two products: dA = dC·Bᵀ and dB = Aᵀ·dC."),
    )  # fmt: skip
    dtype_roles = MappingProxyType(
        {"activation": "bf16", "weight": "bf16", "output": "bf16", "accumulate": "fp32"}
    )
    tensor_roles = MappingProxyType({"A": "activation", "B": "weight", "C": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        if parameters["direction"] == "forward":
            return product(parameters, dtypes)
        return _passes(parameters, dtypes)


DEFAULTS: Final = MappingProxyType({one.name: one.default for one in Gemm.parameters})
"""What :func:`product` takes where its caller does not say otherwise."""


def _formats(dtypes: Dtypes) -> tuple[DType, DType, DType]:
    """Return the formats of A, B and C: as named, else those of their roles."""
    return dtypes.of("A", "activation"), dtypes.of("B", "weight"), dtypes.of("C", "output")


def product(p: Mapping[str, Any], dtypes: Dtypes, names: tuple[str, str, str] = ("A", "B", "C")) -> Estimate:
    """Count W = 2mnk, each tensor once, and the re-reads of each blocking level.

    Parameters
    ----------
    p
        Every parameter of :class:`Gemm`; the direction does not count.
    names
        What the tensors are called where this is the core of another operator; formats go by A, B and C.
    """
    m, n, k, batch = p["m"], p["n"], p["k"], 1.0 * p["batch"]
    a_type, b_type, c_type = _formats(dtypes)
    a, b, c = batch * m * k, batch * k * n, batch * m * n
    a_bytes, b_bytes, c_bytes = a * a_type.bytes, b * b_type.bytes, c * c_type.bytes
    tile_m, tile_n, split_k = p["tile_m"], p["tile_n"], p["split_k"]
    rows, columns = ceil_div(m, tile_m), ceil_div(n, tile_n)
    partial = _partial_bytes(c, split_k, dtypes)
    pipe = f"{dtypes['compute'].pipe}-tensor"

    def registers() -> tuple[Num, Num]:
        # Accumulators stay put and are not counted; a product too small for a fragment still crosses once.
        read = a_bytes * n / FRAGMENT_N + b_bytes * m / FRAGMENT_M
        return larger(read, a_bytes + b_bytes + c_bytes), 0.0

    def shared() -> tuple[Num, Num]:
        return a_bytes * ceil_div(n, p["warp_n"]) + b_bytes * ceil_div(m, p["warp_m"]), c_bytes

    def tiled() -> tuple[Num, Num]:
        a_loads, b_loads = ceil_div(columns, p["cluster_n"]), ceil_div(rows, p["cluster_m"])
        return a_bytes * a_loads + b_bytes * b_loads + partial, c_bytes + partial

    def padded() -> Num:
        flop: Num = 2.0 * batch * k * (rows * tile_m) * (columns * tile_n)
        return flop

    return Estimate(
        {pipe: 2.0 * c * k},
        pipe,
        (
            Tensor(names[0], a, a_type, 1, 0, "input"),
            Tensor(names[1], b, b_type, 1, 0, "weight"),
            Tensor(names[2], c, c_type, 0, 1, "output"),
        ),
        OnDemand({"register": registers, "shared": shared, "dram": tiled}),
        footprint_bytes=a_bytes + b_bytes + c_bytes + partial,
        launch=Launch(
            blocks=None if p["stream_k"] else rows * columns * batch * split_k,
            kernels=where(split_k > 1, 2, 1),
        ),
        padded_work=OnDemand({pipe: padded}),
        formulas=lambda: product_formulas(p, dtypes),
        notes=lambda: tuple(_notes(p, dtypes)),
    )


def _partial_bytes(elements: Num, split_k: Num, dtypes: Dtypes) -> Num:
    """Return the bytes of the partial sums of a result whose k is split."""
    if _is_one(split_k):
        return 0.0
    return where(split_k > 1, elements * split_k * dtypes["accumulate"].bytes, 0.0)


def _passes(p: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
    """Return the products of the backward pass, after the forward one for ``both``; each binds on its own."""
    m, n, k = p["m"], p["n"], p["k"]
    a_type, b_type, c_type = _formats(dtypes)
    roles = {name: one for name, one in dtypes.items() if name not in Gemm.tensor_roles}
    products: list[tuple[str, dict[str, Any], tuple[DType, DType, DType]]] = [
        ("dA = dC·Bᵀ", {"m": m, "n": k, "k": n}, (c_type, b_type, a_type)),
        ("dB = Aᵀ·dC", {"m": k, "n": n, "k": m}, (a_type, c_type, b_type)),
    ]
    if p["direction"] == "both":
        products.insert(0, ("C = A·B", {}, (a_type, b_type, c_type)))
    parts = []
    for label, shape, types in products:
        own = {**p, **shape, "direction": "forward"}
        formats = Dtypes({**roles, **dict(zip(("activation", "weight", "output"), types, strict=True))})
        parts.append(Part(label, "gemm", own, formats, 1, product(own, formats)))
    return Estimate(
        {},
        parts[0].estimate.main_pipe,
        (),
        footprint_bytes=_bytes_held(p, dtypes),
        parts=tuple(parts),
        formulas=lambda: _pass_formulas(p),
    )


def _bytes_held(p: Mapping[str, Any], dtypes: Dtypes) -> Num:
    """Return what is in dram at once during a pass: A, B, dA, dB and dC, and C where the pass makes it too."""
    batch = 1.0 * p["batch"]
    a, b, c = batch * p["m"] * p["k"], batch * p["k"] * p["n"], batch * p["m"] * p["n"]
    results = 2.0 if p["direction"] == "both" else 1.0
    a_type, b_type, c_type = _formats(dtypes)
    held: Num = 2.0 * (a * a_type.bytes + b * b_type.bytes) + results * c * c_type.bytes
    largest = larger(larger(a, b), c) if p["direction"] == "both" else larger(a, b)
    return held + _partial_bytes(largest, p["split_k"], dtypes)


def product_formulas(p: Mapping[str, Any], dtypes: Dtypes) -> tuple[Formula, ...]:
    """Return how the figures of a product come about, in the symbols of C = A·B."""
    values = {name: p[name] for name in ("m", "n", "k", "batch", "warp_m", "warp_n", "split_k")}
    values |= dict(zip("abc", (one.bytes for one in _formats(dtypes)), strict=True))
    values |= {"acc": dtypes["accumulate"].bytes}
    values |= {"wide": p["tile_n"] * p["cluster_n"], "tall": p["tile_m"] * p["cluster_m"]}
    batched, split = not _is_one(p["batch"]), not _is_one(p["split_k"])
    wide = "tile_n" if _is_one(p["cluster_n"]) else "(tile_n·cluster_n)"
    tall = "tile_m" if _is_one(p["cluster_m"]) else "(tile_m·cluster_m)"
    sums = (" + 2·s_acc·split_k·m·n", " + 2·{acc}·{split_k}·{m}·{n}") if split else ("", "")

    def formula(figure: str, name: str, symbols: str, template: str, source: str) -> Formula:
        if batched:
            symbols, template = f"batch·({symbols})", f"{{batch}}·({template})"
        return Formula(figure, f"{name} = {symbols}", put(template, **values), source)

    return (
        formula("work", "W", "2·m·n·k", "2·{m}·{n}·{k}", "a multiply-add counts 2"),
        formula(
            "compulsory", "Qc", "s_A·m·k + s_B·k·n + s_C·m·n",
            "{a}·{m}·{k} + {b}·{k}·{n} + {c}·{m}·{n}", "each tensor once",
        ),
        formula(
            "tiled", "Qt", f"s_A·m·k·⌈n/{wide}⌉ + s_B·k·n·⌈m/{tall}⌉ + s_C·m·n{sums[0]}",
            "{a}·{m}·{k}·⌈{n}/{wide}⌉ + {b}·{k}·{n}·⌈{m}/{tall}⌉ + {c}·{m}·{n}" + sums[1],
            "every block of C reads its rows of A and columns of B; L2 serves the same count",
        ),
        formula(
            "shared", "Q_shared", "s_A·m·k·⌈n/warp_n⌉ + s_B·k·n·⌈m/warp_m⌉ + s_C·m·n",
            "{a}·{m}·{k}·⌈{n}/{warp_n}⌉ + {b}·{k}·{n}·⌈{m}/{warp_m}⌉ + {c}·{m}·{n}",
            "the same with the operand tile",
        ),
        formula(
            "register", "Q_register", "(s_A/8 + s_B/16)·m·n·k", "({a}/8 + {b}/16)·{m}·{n}·{k}",
            "operand fragments of a 16 × 8 instruction; accumulators stay put; never below Qc",
        ),
    )  # fmt: skip


def _is_one(value: Num) -> bool:
    return is_number(value) and value == 1


def _pass_formulas(p: Mapping[str, Any]) -> tuple[Formula, ...]:
    products = 3 if p["direction"] == "both" else 2
    values = {name: p[name] for name in ("batch", "m", "n", "k")}
    template = f"{2 * products}·{{batch}}·{{m}}·{{n}}·{{k}}"
    source = f"{products} products of 2·m·n·k each; traffic and time are theirs, summed"
    return (Formula("work", f"W = {2 * products}·batch·m·n·k", put(template, **values), source),)


def _notes(p: Mapping[str, Any], dtypes: Dtypes) -> Iterator[str]:
    accumulators = p["tile_m"] * p["tile_n"] * dtypes["accumulate"].bytes
    if is_number(accumulators) and accumulators > REGISTER_FILE_BYTES:
        yield (
            f"A tile of {p['tile_m']:g} × {p['tile_n']:g} keeps {accumulators / 1024:g} KiB of accumulators on chip, "
            "more than the 256 KiB that an SM has for them: such a tile cannot be run."
        )
    if p["stream_k"]:
        yield "Stream-K deals the work out evenly over the SMs: there are no waves, and its fix-up is not counted."
    if is_number(p["split_k"]) and p["split_k"] > 1:
        yield "Split-K: partial sums are written and read back in the accumulate format, and a second kernel adds them."


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring the matrix product and the convolution."""
    return [Gemm(), Conv2d()]

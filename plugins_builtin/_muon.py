"""Muon: the momentum of a matrix is made orthogonal by a Newton-Schulz iteration before it is applied."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from plugins_builtin._sharding import RANKS, sharded
from plugins_builtin._text import put
from rooflinestudio.plugins import Estimate, Formula, Launch, OnDemand, OperatorBase, Parameter, Tensor
from rooflinestudio.plugins.arithmetic import ceil_div, is_number, larger, smaller

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["Muon"]


class Muon(OperatorBase):
    """The update of a weight matrix by a polynomial of degree 5 in its momentum, three products an iteration."""

    id = "muon"
    label = "Muon"
    category = "Optimizers"
    summary = "Muon update: the momentum of a matrix, made orthogonal by Newton-Schulz products"
    parameters = (
        Parameter("rows", "rows", 4096, high=1e6, help="Rows of the weight matrix."),
        Parameter("columns", "columns", 4096, high=1e6, help="Columns of the weight matrix."),
        Parameter("iterations", "iterations", 5, high=1000, help="Newton-Schulz iterations, three products each."),
        Parameter("tile_m", "tile m", 128, high=4096, auto="tile_m",
                  help="Rows of a product that a block computes; auto takes the machine's own."),
        Parameter("tile_n", "tile n", 128, high=4096, auto="tile_n",
                  help="Columns of a product that a block computes; auto takes the machine's own."),
        RANKS,
    )  # fmt: skip
    dtype_roles = MappingProxyType({"activation": "bf16", "output": "bf16", "accumulate": "fp32"})
    # The momentum is usually kept in fp32: momentum=fp32 says so.
    tensor_roles = MappingProxyType({"gradient": "activation", "momentum": "", "update": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        ranks = parameters["ranks"]
        if is_number(ranks) and ranks <= 1:
            return _update(parameters, dtypes, 1.0)
        gradient, update = dtypes.of("gradient", "activation"), dtypes.of("update", "output")
        return sharded(
            _Share(1.0 / ranks), {**parameters, "ranks": 1}, dtypes,
            elements=1.0 * parameters["rows"] * parameters["columns"], ranks=ranks, formats=(gradient, update),
        )  # fmt: skip


class _Share:
    """The matrices of one rank: on average a share of each."""

    id = Muon.id

    def __init__(self, share: Num) -> None:
        self.share = share

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        return _update(parameters, dtypes, self.share)


def _update(p: Mapping[str, Any], dtypes: Dtypes, share: Num) -> Estimate:
    """Count W = iterations·(4r²c + 2r³) with r the shorter side, and the state once; tiled, every product."""
    short, long = smaller(p["rows"], p["columns"]), larger(p["rows"], p["columns"])
    elements = share * p["rows"] * p["columns"]
    gradient, update = dtypes.of("gradient", "activation"), dtypes.of("update", "output")
    momentum = dtypes.of("momentum", "activation")
    pipe = f"{dtypes['compute'].pipe}-tensor"
    times = share * p["iterations"]
    square = 1.0 * short * short

    def tiled() -> tuple[Num, Num]:
        read, write = _products_elements(p, short, long)
        size = times * dtypes["activation"].bytes
        once = elements * momentum.bytes
        return (
            larger(size * read, elements * gradient.bytes + once),
            larger(size * write, elements * update.bytes + once),
        )

    def padded() -> Num:
        wide, tall = _whole(short, p["tile_n"]), _whole(short, p["tile_m"])
        flop: Num = (
            times * 2.0 * (tall * wide * (1.0 * long + short) + tall * _whole(long, p["tile_n"]) * short)
        )
        return flop

    tensors = (
        Tensor("gradient", elements, gradient, 1, 0, "input"),
        Tensor("momentum", elements, momentum, 1, 1, "state"),
        Tensor("update", elements, update, 0, 1, "output"),
    )
    return Estimate(
        {pipe: times * (4.0 * square * long + 2.0 * square * short)},
        pipe,
        tensors,
        OnDemand({"dram": tiled}),
        footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors) / share
        + 2.0 * square * dtypes["activation"].bytes,
        launch=Launch(kernels=share * (3.0 * p["iterations"] + 2.0)),
        padded_work=OnDemand({pipe: padded}),
        formulas=lambda: _formulas(p, dtypes, share),
        notes=lambda: _notes(share),
    )


def _whole(size: Num, tile: Num) -> Num:
    return ceil_div(size, tile) * tile


def _products_elements(p: Mapping[str, Any], short: Num, long: Num) -> tuple[Num, Num]:
    """Return the elements that the three products of an iteration read and write, block by block.

    A = X·Xᵀ and its square B are short × short, and X ← a·X + (b·A + c·B)·X is short × long.
    """
    tall, wide, across = (
        ceil_div(short, p["tile_m"]),
        ceil_div(short, p["tile_n"]),
        ceil_div(long, p["tile_n"]),
    )
    matrix, square = 1.0 * short * long, 1.0 * short * short
    read = matrix * (wide + tall) + square * (wide + tall) + square * across + matrix * tall
    return read, 2.0 * square + matrix


def _formulas(p: Mapping[str, Any], dtypes: Dtypes, share: Num) -> tuple[Formula, ...]:
    values = {
        "r": smaller(p["rows"], p["columns"]),
        "c": larger(p["rows"], p["columns"]),
        "i": p["iterations"],
    }
    values |= {"tm": p["tile_m"], "tn": p["tile_n"], "share": share, "x": dtypes["activation"].bytes}
    values |= {"g": dtypes.of("gradient", "activation").bytes, "m": dtypes.of("momentum", "activation").bytes}
    values |= {"u": dtypes.of("update", "output").bytes}
    whole = is_number(share) and share == 1
    symbol, factor = ("", "") if whole else ("/p", "{share}·")
    return (
        Formula(
            "work", f"W = iterations·(4·r²·c + 2·r³){symbol}",
            put(factor + "{i}·(4·{r}·{r}·{c} + 2·{r}·{r}·{r})", **values),
            "r the shorter side, c the longer: X·Xᵀ and the last product 2·r²·c each, the square 2·r³",
        ),
        Formula(
            "compulsory", f"Qc = (s_gradient + 2·s_momentum + s_update)·r·c{symbol}",
            put(factor + "({g} + 2·{m} + {u})·{r}·{c}", **values),
            "gradient read, momentum read and written, update written; the iteration stays on chip",
        ),
        Formula(
            "tiled",
            "Qt = s·iterations·(r·c·(⌈r/tile_n⌉ + 2·⌈r/tile_m⌉ + 1) + r²·(⌈r/tile_n⌉ + ⌈r/tile_m⌉ + ⌈c/tile_n⌉ + 2))"
            + symbol,
            put(
                factor + "{x}·{i}·({r}·{c}·(⌈{r}/{tn}⌉ + 2·⌈{r}/{tm}⌉ + 1)"
                " + {r}·{r}·(⌈{r}/{tn}⌉ + ⌈{r}/{tm}⌉ + ⌈{c}/{tn}⌉ + 2))", **values,
            ),
            "every product of every iteration reads its operands block by block; never below Qc",
        ),
    )  # fmt: skip


def _notes(share: Num) -> tuple[str, ...]:
    usual = (
        "Compute-bound where other optimizers move bytes: it spends arithmetic that stood idle.",
        "Norm, polynomial sums and the step on the weights themselves are not counted: two passes over the matrix.",
        "The momentum follows the shorthand; where it is kept in fp32, set momentum=fp32.",
    )
    if is_number(share) and share == 1:
        return usual
    return (
        *usual,
        "Whole matrices are dealt out over the ranks; the figures are the average for one of them.",
    )

"""Work and traffic of attention over whole sequences, forward and backward, naive and flash."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from plugins_builtin._attention_words import (
    backward_formulas,
    backward_notes,
    both_formulas,
    forward_formulas,
    forward_notes,
)
from plugins_builtin._masks import Band, band, key_rows_touched, query_keys_touched, visible_pairs
from rooflinestudio.plugins import Estimate, Launch, ParameterError, Part, Tensor
from rooflinestudio.plugins.arithmetic import ceil_div, is_number, larger

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import DType, Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["NAMES", "Shape", "backward", "both", "check_heads", "forward"]

NAMES: Final = MappingProxyType({
    "Q": "activation", "K": "kv", "V": "kv", "O": "output",
    "scores": "activation", "probabilities": "activation", "dO": "output",
    # Gradients follow their tensors; they are no operands of the forward pass.
    "dQ": "", "dK": "", "dV": "", "dP": "", "dS": "",
})  # fmt: skip
"""Tensors whose format can be named, with the roles that they follow."""

EXP_FLOP = 4.0
"""What one exponential counts on the pipe ``special``."""


class Shape(NamedTuple):
    """Element counts that all passes share.

    Attributes
    ----------
    rows
        Query heads of all sequences.
    queries, cached
        Elements of Q (and O), and of K (and V).
    pairs
        Visible (query, key) pairs of all query heads.
    """

    mask: Band
    rows: Num
    queries: Num
    cached: Num
    pairs: Num

    @classmethod
    def of(cls, p: Mapping[str, Any]) -> Shape:
        """Return the counts of a set of parameters."""
        mask = band(p["seq_q"], p["seq_kv"], causal=p["causal"], window=p["window"])
        batch, head_dim = 1.0 * p["batch"], p["head_dim"]
        rows = batch * p["heads"]
        cached = batch * p["kv_heads"] * p["seq_kv"] * head_dim
        return cls(mask, rows, rows * p["seq_q"] * head_dim, cached, rows * visible_pairs(mask))


def check_heads(operator: str, heads: Num, kv_heads: Num) -> None:
    """Refuse query heads that cannot be dealt out evenly over the key-value heads.

    Raises
    ------
    ParameterError
        With the nearest numbers that fit.
    """
    rest: Any = heads % kv_heads
    if is_number(rest):
        if rest:
            raise _uneven(operator, float(heads), float(kv_heads))
    elif rest.any():
        import numpy as np

        at = int((rest != 0).argmax())
        first, shared = (float(one.flat[at]) for one in np.broadcast_arrays(heads, kv_heads))
        raise _uneven(operator, first, shared)


def _uneven(operator: str, heads: float, kv_heads: float) -> ParameterError:
    fitting = max(1, round(heads / kv_heads)) * kv_heads
    outward = (one for step in range(int(kv_heads)) for one in (kv_heads - step, kv_heads + step))
    nearest = next((one for one in outward if one <= heads and heads % one == 0), 1)
    return ParameterError(
        f"{operator}: heads = {heads:g} is not a multiple of kv_heads = {kv_heads:g}. "
        f"Set heads to {fitting:g}, or kv_heads to {nearest:g}."
    )


def forward(p: Mapping[str, Any], dtypes: Dtypes, shape: Shape) -> Estimate:
    """Return the forward pass: W = 4·head_dim per visible pair."""
    flash = p["implementation"] == "flash"
    pipe = f"{dtypes['compute'].pipe}-tensor"
    per_pair = {pipe: 4.0 * p["head_dim"], "special": EXP_FLOP}
    tensors = _forward_tensors(dtypes, shape, flash=flash)
    touched = _keys_touched(p, shape, p["seq_kv"]) if flash else 0.0
    return Estimate(
        _times(per_pair, shape.pairs),
        pipe,
        tensors,
        {"dram": _forward_tiled(p, dtypes, shape, touched)} if flash else {},
        footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
        launch=Launch(blocks=_even_blocks(p, shape, "seq_q", "block_q"), kernels=1 if flash else 3),
        padded_work=_times(per_pair, _padded_pairs(p, shape, touched)) if flash else None,
        formulas=lambda: forward_formulas(p, dtypes, shape.pairs),
        notes=lambda: forward_notes(p, shape.mask),
    )


def _forward_tensors(dtypes: Dtypes, shape: Shape, *, flash: bool) -> tuple[Tensor, ...]:
    formats = Formats.of(dtypes)
    q = Tensor("Q", shape.queries, formats.q, 1, 0, "input")
    k, v = (
        Tensor("K", shape.cached, formats.k, 1, 0, "input"),
        Tensor("V", shape.cached, formats.v, 1, 0, "input"),
    )
    o = Tensor("O", shape.queries, formats.o, 0, 1, "output")
    if flash:
        return q, k, v, o
    scores, probabilities = dtypes.of("scores", "activation"), dtypes.of("probabilities", "activation")
    return (
        q, k, v,
        Tensor("scores", shape.pairs, scores, 1, 1, "intermediate"),
        Tensor("probabilities", shape.pairs, probabilities, 1, 1, "intermediate"),
        o,
    )  # fmt: skip


class Formats(NamedTuple):
    """Formats of the four tensors that every pass has."""

    q: DType
    k: DType
    v: DType
    o: DType

    @classmethod
    def of(cls, dtypes: Dtypes) -> Formats:
        """Return them as named, else those of their roles."""
        return cls(
            dtypes.of("Q", "activation"), dtypes.of("K", "kv"), dtypes.of("V", "kv"), dtypes.of("O", "output")
        )


def _keys_touched(p: Mapping[str, Any], shape: Shape, keys: Num) -> Num:
    return query_keys_touched(shape.mask, block_q=p["block_q"], block_kv=p["block_kv"], keys=keys)


def _forward_tiled(p: Mapping[str, Any], dtypes: Dtypes, shape: Shape, touched: Num) -> tuple[Num, Num]:
    """Return (read, write) bytes when every block of queries loads the keys and values that it sees."""
    q, k, v, o = Formats.of(dtypes)
    loaded = larger(shape.rows * p["head_dim"] * touched, shape.cached)
    return shape.queries * q.bytes + loaded * (k.bytes + v.bytes), shape.queries * o.bytes


def backward(p: Mapping[str, Any], dtypes: Dtypes, shape: Shape) -> Estimate:
    """Return the backward pass: W = 10·head_dim per visible pair for flash, which makes the scores again, 8 for naive.

    Naive follows the textbook: dV = Pᵀ·dO reads P; dP = dO·Vᵀ is written; the gradient of the softmax reads P and dP
    and writes dS; dQ = dS·K and dK = dSᵀ·Q read it once each. That makes seven passes over the scores.
    """
    flash = p["implementation"] == "flash"
    pipe = f"{dtypes['compute'].pipe}-tensor"
    per_pair = {pipe: (10.0 if flash else 8.0) * p["head_dim"]}
    if flash:
        per_pair["special"] = EXP_FLOP
    tensors = _backward_tensors(dtypes, shape, flash=flash)
    return Estimate(
        _times(per_pair, shape.pairs),
        pipe,
        tensors,
        {"dram": _backward_tiled(p, dtypes, shape, tensors)} if flash else {},
        footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
        launch=Launch(blocks=_even_blocks(p, shape, "seq_kv", "block_kv"), kernels=3 if flash else 5),
        padded_work=_times(per_pair, _padded_pairs(p, shape)) if flash else None,
        formulas=lambda: backward_formulas(p, dtypes, shape.pairs),
        notes=lambda: backward_notes(p, shape.mask),
    )


def _backward_tensors(dtypes: Dtypes, shape: Shape, *, flash: bool) -> tuple[Tensor, ...]:
    _, _, queries, cached, pairs = shape
    q, k, v, o = Formats.of(dtypes)
    gradient = {name: dtypes.get(name) or own for name, own in (("dO", o), ("dQ", q), ("dK", k), ("dV", v))}
    kept = dtypes["activation"]
    scores = (
        Tensor("probabilities", pairs, dtypes.get("probabilities") or kept, 2, 0, "intermediate"),
        Tensor("dP", pairs, dtypes.get("dP") or kept, 1, 1, "intermediate"),
        Tensor("dS", pairs, dtypes.get("dS") or kept, 2, 1, "intermediate"),
    )
    return (
        Tensor("dO", queries, gradient["dO"], 1, 0, "input"),
        Tensor("Q", queries, q, 1, 0, "input"),
        Tensor("K", cached, k, 1, 0, "input"),
        Tensor("V", cached, v, 1, 0, "input"),
        Tensor("O", queries, o, 1, 0, "input"),
        *(() if flash else scores),
        Tensor("dK", cached, gradient["dK"], 0, 1, "output"),
        Tensor("dV", cached, gradient["dV"], 0, 1, "output"),
        Tensor("dQ", queries, gradient["dQ"], 0, 1, "output"),
    )


def _backward_tiled(
    p: Mapping[str, Any], dtypes: Dtypes, shape: Shape, tensors: tuple[Tensor, ...]
) -> tuple[Num, Num]:
    """Return (read, write) bytes when each block of keys stays on chip and goes over the queries that see it.

    Per block of keys Q and dO are read, and partial sums of dQ read and written in the accumulate format. Before
    that, dO and O are read for the row sums; after it, dQ is brought into its own format.
    """
    mask, rows, queries, _, _ = shape
    size = {one.name: one.dtype.bytes for one in tensors}
    whole = {one.name: one.elements * one.dtype.bytes for one in tensors}
    sum_bytes = dtypes["accumulate"].bytes
    touched = key_rows_touched(mask, block_q=p["block_q"], block_kv=p["block_kv"])
    loaded = larger(rows * p["head_dim"] * touched, queries)
    keys = rows * p["seq_kv"] * p["head_dim"]
    row_sums = whole["dO"] + whole["O"]
    main_loop = keys * (size["K"] + size["V"]) + loaded * (size["Q"] + size["dO"] + sum_bytes)
    read = row_sums + main_loop + queries * sum_bytes
    return read, loaded * sum_bytes + whole["dK"] + whole["dV"] + whole["dQ"]


def both(p: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
    """Return forward and backward pass as two kernels, one after the other."""
    parts = []
    for label, make in (("Forward", forward), ("Backward", backward)):
        own = {**p, "direction": label.lower()}
        parts.append(Part(label, "attention", own, dtypes, 1, make(own, dtypes, Shape.of(own))))
    last = parts[-1].estimate
    return Estimate(
        {},
        last.main_pipe,
        (),
        footprint_bytes=last.footprint_bytes,  # every tensor of the forward pass is still there
        parts=tuple(parts),
        formulas=lambda: both_formulas(p, Shape.of(p).pairs),
    )


def _times(per_pair: Mapping[str, Num], pairs: Num) -> dict[str, Num]:
    return {pipe: flop * pairs for pipe, flop in per_pair.items()}


def _padded_pairs(p: Mapping[str, Any], shape: Shape, touched: Num | None = None) -> Num:
    """Return the pairs that are worked out when every visible block is worked out whole.

    ``touched`` are the keys loaded up to the end of the sequence, where they are known already.
    """
    whole = ceil_div(p["seq_kv"], p["block_kv"]) * p["block_kv"]
    if touched is None or not is_number(whole) or whole != p["seq_kv"]:
        touched = _keys_touched(p, shape, whole)
    pairs: Num = shape.rows * p["block_q"] * touched
    return pairs


def _even_blocks(p: Mapping[str, Any], shape: Shape, length: str, block: str) -> Num | None:
    """Return the blocks of a flash kernel where all have the same to do; else waves of them mean nothing.

    In a sweep over windows the blocks of some points are unequal, so that none of its points is judged.
    """
    if p["implementation"] == "flash" and shape.mask.full:
        return ceil_div(p[length], p[block]) * shape.rows
    return None

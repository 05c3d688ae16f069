"""Formulas and notes of attention over whole sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plugins_builtin._text import put, shown
from rooflinestudio.plugins import Formula
from rooflinestudio.plugins.arithmetic import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from plugins_builtin._masks import Band
    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["backward_formulas", "backward_notes", "both_formulas", "forward_formulas", "forward_notes"]

_PAIRS = "all batch·heads together; every visible (query, key) pair counts, no other"


def _values(p: Mapping[str, Any], dtypes: Dtypes, pairs: Num) -> dict[str, Any]:
    names = ("batch", "heads", "kv_heads", "seq_q", "seq_kv", "head_dim", "block_q", "block_kv")
    return {**{name: p[name] for name in names}, **_sizes(p, dtypes), "pairs": pairs}


def _sizes(p: Mapping[str, Any], dtypes: Dtypes) -> dict[str, float]:
    """Return bytes per element; where tensors that a formula takes together have several formats, their mean."""

    def size(*names: str) -> float:
        return dtypes.of(*names).bytes

    q, k = size("Q", "activation"), size("K", "kv")
    v, o = size("V", "kv"), size("O", "output")
    if p["direction"] == "backward":
        scores = (
            2 * size("probabilities", "activation")
            + 2 * size("dP", "activation")
            + 3 * size("dS", "activation")
        )
        return {
            "q": (q + size("dQ", "Q", "activation")) / 2,
            "kv": (k + v + size("dK", "K", "kv") + size("dV", "V", "kv")) / 4,
            "o": (o + size("dO", "O", "output")) / 2,
            "p": scores / 7,
        }  # fmt: skip
    scores = size("scores", "activation") + size("probabilities", "activation")
    return {"q": q, "kv": (k + v) / 2, "o": o, "p": scores / 2}


def _scores(values: Mapping[str, Any]) -> str:
    """Return the symbol of a score's bytes: those of Q, unless one of them was set by name."""
    return "s_Q" if values["p"] == values["q"] else "s_S"


def _means(dtypes: Dtypes) -> str:
    named = {
        "Q",
        "K",
        "V",
        "O",
        "dQ",
        "dK",
        "dV",
        "dO",
        "scores",
        "probabilities",
        "dP",
        "dS",
    } & dtypes.keys()
    return (
        "; where formats of single tensors are set, s_x is the mean over those that it stands for"
        if named
        else ""
    )


def _pairs_formula(p: Mapping[str, Any], pairs: Num) -> Formula:
    if _masked(p):
        return Formula(
            "pairs", "pairs = batch·heads·Σ visible keys of each query", put("{x}", x=pairs), _PAIRS
        )
    values = {name: p[name] for name in ("batch", "heads", "seq_q", "seq_kv")}
    symbols = "pairs = batch·heads·seq_q·seq_kv"
    return Formula(
        "pairs", symbols, put("{batch}·{heads}·{seq_q}·{seq_kv}", **values), "every query sees every key"
    )


def _masked(p: Mapping[str, Any]) -> bool:
    return bool(p["causal"]) or not is_number(p["window"]) or p["window"] > 0


def forward_formulas(p: Mapping[str, Any], dtypes: Dtypes, pairs: Num) -> tuple[Formula, ...]:
    """Return how the figures of a forward pass come about."""
    values = _values(p, dtypes, pairs)
    naive = p["implementation"] == "naive"
    once = "batch·head_dim·((s_Q + s_O)·heads·seq_q + 2·s_kv·kv_heads·seq_kv)"
    put_once = "{batch}·{head_dim}·(({q} + {o})·{heads}·{seq_q} + 2·{kv}·{kv_heads}·{seq_kv})"
    rows = [
        _pairs_formula(p, pairs),
        Formula("work", "W = 4·head_dim·pairs", put("4·{head_dim}·{pairs}", **values), "Q·Kᵀ and P·V, 2 FLOP each"),
        Formula(
            "compulsory", f"Qc = {once}{f' + 4·{_scores(values)}·pairs' if naive else ''}",
            put(put_once + (" + 4·{p}·{pairs}" if naive else ""), **values),
            "Q, K, V and O cross whole" + (", scores and probabilities are written and read" if naive else "")
            + _means(dtypes),
        ),
    ]  # fmt: skip
    if not naive:
        loads = "Σ visible keys of each block of queries" if _masked(p) else "⌈seq_q/block_q⌉·seq_kv"
        template = "" if _masked(p) else (
            "{batch}·{head_dim}·(({q} + {o})·{heads}·{seq_q} + 2·{kv}·{heads}·⌈{seq_q}/{block_q}⌉·{seq_kv})"
        )  # fmt: skip
        rows.append(Formula(
            "tiled", f"Qt = batch·head_dim·((s_Q + s_O)·heads·seq_q + 2·s_kv·heads·{loads})", put(template, **values),
            "K and V are read again by every block of queries of every query head: too many where heads share"
            + ("; visible blocks of keys only, rounded up to whole ones" if _masked(p) else ""),
        ))  # fmt: skip
    rows.append(_special_formula(values))
    return tuple(rows)


def _special_formula(values: Mapping[str, Any]) -> Formula:
    source = "one exponential per visible pair, 4 FLOP each, beside the work"
    return Formula("special", "W_special = 4·pairs", put("4·{pairs}", pairs=values["pairs"]), source)


def backward_formulas(p: Mapping[str, Any], dtypes: Dtypes, pairs: Num) -> tuple[Formula, ...]:
    """Return how the figures of a backward pass come about."""
    values = _values(p, dtypes, pairs)
    naive = p["implementation"] == "naive"
    products = 8 if naive else 10
    once = "batch·head_dim·(2·(s_Q + s_O)·heads·seq_q + 4·s_kv·kv_heads·seq_kv)"
    put_once = "{batch}·{head_dim}·(2·({q} + {o})·{heads}·{seq_q} + 4·{kv}·{kv_heads}·{seq_kv})"
    rows = [
        _pairs_formula(p, pairs),
        Formula(
            "work", f"W = {products}·head_dim·pairs", put(f"{products}·{{head_dim}}·{{pairs}}", **values),
            "dV, dP, dQ and dK, 2 FLOP each" + ("" if naive else ", and the scores made again"),
        ),
        Formula(
            "compulsory", f"Qc = {once}{f' + 7·{_scores(values)}·pairs' if naive else ''}",
            put(put_once + (" + 7·{p}·{pairs}" if naive else ""), **values),
            "Q, K, V, O and dO are read, dQ, dK and dV written"
            + ("; P read twice, dP written and read, dS written and read twice" if naive else "") + _means(dtypes),
        ),
    ]  # fmt: skip
    if naive:
        return tuple(rows)
    rows.append(Formula(
        "tiled",
        "Qt = batch·heads·head_dim·(loads·(s_Q + s_O + 2·s_acc) + seq_q·(s_Q + 2·s_O + s_acc) + 2·s_kv·seq_kv)"
        " + 2·s_kv·batch·kv_heads·seq_kv·head_dim",
        "",
        "loads: the queries that each block of keys goes over; it reads Q and dO and adds to dQ",
    ))  # fmt: skip
    return (*rows, _special_formula(values))


def both_formulas(p: Mapping[str, Any], pairs: Num) -> tuple[Formula, ...]:
    """Return how the work of both passes comes about; their figures are those of the parts, summed."""
    products = 12 if p["implementation"] == "naive" else 14
    values = put(f"{products}·{{head_dim}}·{{pairs}}", head_dim=p["head_dim"], pairs=pairs)
    source = f"4 forward and {products - 4} backward; traffic and time are those of the parts, summed"
    return _pairs_formula(p, pairs), Formula("work", f"W = {products}·head_dim·pairs", values, source)


def forward_notes(p: Mapping[str, Any], mask: Band) -> tuple[str, ...]:
    """Return what a reader of a forward pass should know."""
    own = (
        "Three kernels; scores and probabilities are stored in the format of the activations."
        if p["implementation"] == "naive"
        else "The running maximum and sum of each row, two numbers, are not counted."
    )
    return (*_mask_notes(p, mask), own)


def backward_notes(p: Mapping[str, Any], mask: Band) -> tuple[str, ...]:
    """Return what a reader of a backward pass should know."""
    own = (
        "Five kernels; seven passes over the scores, in the format of the activations."
        if p["implementation"] == "naive"
        else "Three kernels: row sums of dO·O, the main loop over blocks of keys, and dQ brought into its own format."
    )
    return (*_mask_notes(p, mask), own)


def _mask_notes(p: Mapping[str, Any], mask: Band) -> Iterator[str]:
    if p["causal"]:
        yield "The mask thins out the pairs, not the tensors: Q, K, V and O cross whole."
    if mask.full or not (is_number(mask.offset) and is_number(mask.back) and is_number(mask.ahead)):
        return
    blind, unseen = -mask.offset - mask.ahead, mask.offset - mask.back
    if blind > 0:
        yield f"The first {shown(blind)} queries stand before the first key and see nothing."
    if unseen > 0:
        yield f"No query sees the first {shown(unseen)} keys, yet they are counted; a smaller seq_kv leaves them out."

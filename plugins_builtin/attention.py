"""Attention over whole sequences, and over a cache when one token is decoded."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from plugins_builtin._attention import NAMES, Shape, backward, both, check_heads, forward
from plugins_builtin._cache import PAGE, WINDOW, read_tokens, seen_tokens, token_words
from plugins_builtin._mla import MlaDecode
from plugins_builtin._text import put
from rooflinestudio.plugins import Estimate, Formula, Launch, OperatorBase, Parameter, Tensor, hookimpl
from rooflinestudio.plugins.arithmetic import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

CATEGORY = "Attention"

_HEADS = Parameter("heads", "heads", 32, high=1e6, help="Query heads; a multiple of the key-value heads.")
_KV_HEADS = Parameter(
    "kv_heads", "KV heads", 8, high=1e6, help="Key-value heads, each shared by heads / KV heads."
)
_HEAD_DIM = Parameter(
    "head_dim", "head dim", 128, high=65536, help="Elements of one head's query, key and value."
)


class Attention(OperatorBase):
    """softmax(Q·Kᵀ)·V for whole sequences: prefill, training, encoders."""

    id = "attention"
    label = "Attention"
    category = CATEGORY
    summary = "softmax(Q·Kᵀ)·V over whole sequences, naive or as one flash kernel"
    parameters = (
        Parameter("batch", "batch", 1, high=1e6, help="Sequences."),
        _HEADS,
        _KV_HEADS,
        Parameter("seq_q", "queries", 4096, high=1e9, help="Queries per sequence."),
        Parameter("seq_kv", "keys", 4096, high=1e9, help="Keys and values per sequence."),
        _HEAD_DIM,
        Parameter("causal", "causal", default=False,
                  help="A query sees no later keys; the last query stands at the last key."),
        Parameter("window", "window", 0, low=0, high=1e9,
                  help="A query sees the keys less than this many positions away, its own counted; 0: no window."),
        Parameter("implementation", "implementation", "flash", choices=("flash", "naive"),
                  help="flash keeps the scores on chip; naive writes and reads them in four passes."),
        Parameter("block_q", "block of queries", 128, high=65536, help="Queries that a flash block holds on chip."),
        Parameter("block_kv", "block of keys", 128, high=65536, help="Keys that a flash block loads at a time."),
        Parameter("direction", "direction", "forward", choices=("forward", "backward", "both"),
                  help="Forward pass, backward pass, or one after the other."),
    )  # fmt: skip
    dtype_roles = MappingProxyType(
        {"activation": "bf16", "kv": "bf16", "output": "bf16", "accumulate": "fp32"}
    )
    tensor_roles = NAMES

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        check_heads(self.id, parameters["heads"], parameters["kv_heads"])
        if parameters["direction"] == "both":
            return both(parameters, dtypes)
        shape = Shape.of(parameters)
        if parameters["direction"] == "forward":
            return forward(parameters, dtypes, shape)
        return backward(parameters, dtypes, shape)


class AttentionDecode(OperatorBase):
    """One query per sequence against its own cache of keys and values."""

    id = "attention_decode"
    label = "Decode attention"
    category = CATEGORY
    summary = "One new token per sequence against its cached keys and values"
    parameters = (
        Parameter("batch", "batch", 16, high=1e6, help="Sequences, each with a cache of its own."),
        _HEADS,
        _KV_HEADS,
        Parameter("context", "context", 8192, low=0, high=1e9, help="Cached tokens per sequence."),
        _HEAD_DIM,
        WINDOW,
        PAGE,
    )  # fmt: skip
    dtype_roles = MappingProxyType({"activation": "bf16", "kv": "bf16", "output": "bf16"})
    tensor_roles = MappingProxyType({"Q": "activation", "K": "kv", "V": "kv", "O": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        check_heads(self.id, p["heads"], p["kv_heads"])
        rows = 1.0 * p["batch"] * p["heads"]
        seen = seen_tokens(p["context"], p["window"])
        cached = 1.0 * p["batch"] * p["kv_heads"] * p["head_dim"] * read_tokens(seen, p["page"])
        query = rows * p["head_dim"]
        pairs = rows * seen
        pipe = f"{dtypes['compute'].pipe}-tensor"
        tensors = (
            Tensor("Q", query, dtypes.of("Q", "activation"), 1, 0, "input"),
            Tensor("K", cached, dtypes.of("K", "kv"), 1, 0, "cache"),
            Tensor("V", cached, dtypes.of("V", "kv"), 1, 0, "cache"),
            Tensor("O", query, dtypes.of("O", "output"), 0, 1, "output"),
        )
        return Estimate(
            {pipe: 4.0 * p["head_dim"] * pairs, "special": 4.0 * pairs},
            pipe,
            tensors,
            footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
            launch=Launch(),
            formulas=lambda: _decode_formulas(p, tensors, seen),
            notes=lambda: tuple(_decode_notes(p)),
        )


def _decode_formulas(p: Mapping[str, Any], tensors: tuple[Tensor, ...], seen: Num) -> tuple[Formula, ...]:
    values = {name: p[name] for name in ("batch", "heads", "kv_heads", "head_dim")}
    values |= {"seen": seen, "read": read_tokens(seen, p["page"])}
    values |= dict(zip("qkvo", (one.dtype.bytes for one in tensors), strict=True))
    tokens, cached = token_words(p)
    same = tensors[1].dtype.id == tensors[2].dtype.id
    sizes, put_sizes = ("2·s_kv", "2·{k}") if same else ("(s_K + s_V)", "({k} + {v})")
    return (
        Formula(
            "work", f"W = 4·head_dim·heads·batch·{tokens}",
            put("4·{head_dim}·{heads}·{batch}·{seen}", **values), "one product with K and one with V per token",
        ),
        Formula(
            "compulsory", f"Q = batch·head_dim·({sizes}·kv_heads·{cached} + (s_Q + s_O)·heads)",
            put(f"{{batch}}·{{head_dim}}·({put_sizes}·{{kv_heads}}·{{read}} + ({{q}} + {{o}})·{{heads}})", **values),
            "each sequence reads a cache of its own, once; the query and the result cross too",
        ),
        Formula(
            "special", f"W_special = 4·heads·batch·{tokens}", put("4·{heads}·{batch}·{seen}", **values),
            "one exponential per token and head, 4 FLOP each, beside the work",
        ),
    )  # fmt: skip


def _decode_notes(p: Mapping[str, Any]) -> Iterator[str]:
    if is_number(p["heads"]) and is_number(p["kv_heads"]):
        yield (
            f"{p['heads'] / p['kv_heads']:g} query heads share each cached key and value: intensity grows with that, "
            "never with batch or context."
        )
    if is_number(p["page"]) and p["page"] > 0:
        yield "Pages are read whole, the partly filled last one too."


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring attention over sequences and over a cache, plain and latent."""
    return [Attention(), AttentionDecode(), MlaDecode()]

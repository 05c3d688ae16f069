"""Multi-head latent attention while decoding: one compressed vector per cached token, shared by all heads.

After DeepSeek-V2 (2024): keys and values of all heads are made from a latent of a few hundred elements, beside a
short key that carries the position. Either the matrices that make them are folded into the query and the output
projection, so that all heads work on the latent itself, or keys and values are made again for every token.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from plugins_builtin._cache import PAGE, WINDOW, read_tokens, seen_tokens, token_words
from plugins_builtin._text import put, shown
from rooflinestudio.plugins import Estimate, Formula, Launch, OperatorBase, Parameter, Tensor
from rooflinestudio.plugins.arithmetic import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["MlaDecode"]


class MlaDecode(OperatorBase):
    """One query per sequence against its cache of latents."""

    id = "mla_decode"
    label = "MLA decode attention"
    category = "Attention"
    summary = "One new token per sequence against a cache of latents that all heads share"
    parameters = (
        Parameter("batch", "batch", 16, high=1e6, help="Sequences, each with a cache of its own."),
        Parameter("heads", "heads", 128, high=1e6, help="Query heads; all of them share one latent per token."),
        Parameter("context", "context", 8192, low=0, high=1e9, help="Cached tokens per sequence."),
        Parameter("latent_width", "latent width", 512, high=65536, help="Elements of the latent of a token."),
        Parameter("rope_width", "rope width", 64, low=0, high=65536,
                  help="Elements of the key that carries the position, cached beside the latent."),
        Parameter("head_dim", "head dim", 128, high=65536,
                  help="Elements of one head's key (without position) and value; matters where not absorbed."),
        Parameter("absorbed", "absorbed", default=True,
                  help="The heads work on the latent; otherwise their keys and values are made from it again."),
        WINDOW,
        PAGE,
    )  # fmt: skip
    dtype_roles = MappingProxyType({"activation": "bf16", "weight": "bf16", "kv": "bf16", "output": "bf16"})
    tensor_roles = MappingProxyType(
        {"Q": "activation", "latents": "kv", "W_K": "weight", "W_V": "weight", "O": "output"}
    )

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        absorbed = p["absorbed"]
        rows = 1.0 * p["batch"] * p["heads"]
        seen = seen_tokens(p["context"], p["window"])
        result = p["latent_width"] if absorbed else p["head_dim"]
        cached = 1.0 * p["batch"] * (p["latent_width"] + p["rope_width"]) * read_tokens(seen, p["page"])
        projection = 1.0 * p["heads"] * p["head_dim"] * p["latent_width"]
        weights = () if absorbed else tuple(
            Tensor(name, projection, dtypes.of(name, "weight"), 1, 0, "weight") for name in ("W_K", "W_V")
        )  # fmt: skip
        tensors = (
            Tensor("Q", rows * (result + p["rope_width"]), dtypes.of("Q", "activation"), 1, 0, "input"),
            Tensor("latents", cached, dtypes.of("latents", "kv"), 1, 0, "cache"),
            *weights,
            Tensor("O", rows * result, dtypes.of("O", "output"), 0, 1, "output"),
        )
        pipe = f"{dtypes['compute'].pipe}-tensor"
        pairs = rows * seen
        return Estimate(
            {pipe: _flop_per_pair(p) * pairs, "special": 4.0 * pairs},
            pipe,
            tensors,
            footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
            launch=Launch(),
            formulas=lambda: _formulas(p, tensors, seen),
            notes=lambda: tuple(_notes(p)),
        )


def _flop_per_pair(p: Mapping[str, Any]) -> Num:
    """Return FLOP per head and token: score, weighted sum, and the key and value made again where needed."""
    width = p["latent_width"] if p["absorbed"] else p["head_dim"]
    flop: Num = 2.0 * (2.0 * width + p["rope_width"])
    return flop if p["absorbed"] else flop + 4.0 * p["latent_width"] * p["head_dim"]


def _formulas(p: Mapping[str, Any], tensors: tuple[Tensor, ...], seen: Num) -> tuple[Formula, ...]:
    names = ("batch", "heads", "latent_width", "rope_width", "head_dim")
    values = {name: p[name] for name in names} | {"seen": seen, "read": read_tokens(seen, p["page"])}
    values |= {one.name: one.dtype.bytes for one in tensors}
    tokens, cached = token_words(p)
    width = "latent" if p["absorbed"] else "head_dim"
    own = "{latent_width}" if p["absorbed"] else "{head_dim}"
    made = ("", "") if p["absorbed"] else (" + 4·latent·head_dim", " + 4·{latent_width}·{head_dim}")
    once = f"batch·((latent + rope)·s_latents·{cached} + heads·(s_Q·({width} + rope) + s_O·{width}))"
    put_once = (
        "{batch}·(({latent_width} + {rope_width})·{latents}·{read}"
        f" + {{heads}}·({{Q}}·({own} + {{rope_width}}) + {{O}}·{own}))"
    )
    if not p["absorbed"]:
        once += " + (s_W_K + s_W_V)·heads·head_dim·latent"
        put_once += " + ({W_K} + {W_V})·{heads}·{head_dim}·{latent_width}"
    return (
        Formula(
            "work", f"W = (2·(2·{width} + rope){made[0]})·heads·batch·{tokens}",
            put(f"(2·(2·{own} + {{rope_width}}){made[1]})·{{heads}}·{{batch}}·{{seen}}", **values),
            "score and weighted sum per head and token"
            + ("" if p["absorbed"] else ", and its key and value made from the latent"),
        ),
        Formula("compulsory", f"Q = {once}", put(put_once, **values),
                "each sequence reads its latents once for all heads; the query and the result cross too"),
        Formula("special", f"W_special = 4·heads·batch·{tokens}", put("4·{heads}·{batch}·{seen}", **values),
                "one exponential per token and head, 4 FLOP each, beside the work"),
    )  # fmt: skip


def _notes(p: Mapping[str, Any]) -> Iterator[str]:
    if p["absorbed"]:
        yield "The products that fold keys and values into query and output belong to the projections before and after."
    else:
        yield "Keys and values that are made again stay on chip: a kernel that stores them moves far more."
    if is_number(p["heads"]):
        yield f"{shown(p['heads'])} heads share every cached token: it buys fewer bytes with more FLOP."
    if is_number(p["page"]) and p["page"] > 0:
        yield "Pages are read whole, the partly filled last one too."

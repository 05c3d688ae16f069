"""What follows from the shape of a model: parameters, bytes of weights, bytes of cache.

Numbers may be arrays wherever tokens, contexts or batches are: all functions broadcast.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from rooflinestudio.core.arithmetic import ceil_div, is_number, smaller, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.arithmetic import Num
    from rooflinestudio.core.dtypes import DType
    from rooflinestudio.core.models.cards import ModelCard

__all__ = [
    "active_parameters", "cached_tokens", "expected_experts", "kv_bytes_per_sequence", "kv_bytes_per_token",
    "kv_values_per_layer", "matrix_parameters_per_token", "parameter_count", "weight_bytes", "weight_groups",
]  # fmt: skip

WEIGHTS, EXPERTS, OTHER = "weights", "experts", "other"
"""Groups that a checkpoint can store in formats of their own: matrices, experts' matrices, and all the rest."""


@lru_cache(maxsize=256)
def weight_groups(card: ModelCard) -> Mapping[str, int]:
    """Return the parameters of a model by what they belong to; their sum is the parameter count.

    ``embedding``, ``positions``, ``attention`` (with norms of queries and keys), ``mlp`` (dense layers), ``routers``,
    ``experts``, ``shared experts``, ``biases`` (all), ``norms`` (over the width) and ``head`` (0 where it is tied).
    """
    table = card.vocabulary * card.width
    norm = card.width * (2 if card.norm == "layernorm" else 1)
    groups = {
        "embedding": table,
        "positions": card.positions * card.width,
        "attention": card.layers * _attention(card),
        "mlp": card.dense_layers * _mlp(card, card.ffn_width),
        "biases": _biases(card),
        "norms": (card.norms_per_layer * card.layers + 1) * norm,
        "head": 0 if card.tied_embeddings else table,
    }
    if card.mixture is not None:
        one, layers = card.mixture, card.moe_layers
        groups["routers"] = layers * one.experts * card.width
        groups["experts"] = layers * one.experts * _mlp(card, one.expert_width)
        groups["shared experts"] = layers * _mlp(card, one.shared_width)
    return MappingProxyType(groups)


def _attention(card: ModelCard) -> int:
    """Return the weights of one layer's attention, norms of queries and keys included, biases not."""
    width, heads = card.width, card.heads
    latent = card.latent
    if latent is None:
        own = width * card.head_dim * (2 * heads + 2 * card.kv_heads)
        return own + (2 * card.head_dim if card.qk_norm else 0)
    head = latent.nope_dim + latent.rope_dim
    query = width * heads * head
    if latent.query_rank is not None:
        query = width * latent.query_rank + latent.query_rank + latent.query_rank * heads * head
    keys = width * latent.cached + latent.rank + latent.rank * heads * (latent.nope_dim + latent.value_dim)
    return query + keys + heads * latent.value_dim * width


def _mlp(card: ModelCard, ffn_width: int) -> int:
    return (3 if card.gated else 2) * card.width * ffn_width


def _biases(card: ModelCard) -> int:
    layer = 0
    if card.qkv_bias:
        layer += (card.heads + 2 * card.kv_heads) * card.head_dim
    if card.output_bias:
        layer += card.width
    if card.sinks:
        layer += card.heads
    total = card.layers * layer
    if card.mlp_bias:
        total += card.dense_layers * (card.ffn_width * (2 if card.gated else 1) + card.width)
    if card.mixture is not None:
        one = card.mixture
        each = (1 if one.router_bias else 0) + (2 * one.expert_width + card.width if one.expert_bias else 0)
        total += card.moe_layers * one.experts * each
    return total


def parameter_count(card: ModelCard) -> int:
    """Return how many parameters the language model has, embedding and head included."""
    return sum(weight_groups(card).values())


def active_parameters(card: ModelCard) -> int:
    """Return the parameters that one token meets: those of the experts that it takes instead of all."""
    if card.mixture is None:
        return parameter_count(card)
    one, groups = card.mixture, weight_groups(card)
    idle = one.experts - one.top_k
    bias = card.moe_layers * (2 * one.expert_width + card.width) * idle if one.expert_bias else 0
    return parameter_count(card) - groups["experts"] * idle // one.experts - bias


def matrix_parameters_per_token(card: ModelCard) -> int:
    """Return the weights that one token is multiplied with, head included: half the FLOP of a forward pass.

    Attention's products with keys and values come on top; look-ups, norms, biases and sinks are no products.
    """
    groups = weight_groups(card)
    latent = card.latent
    norms = 2 * card.head_dim if card.qk_norm else 0
    if latent is not None:
        norms = latent.rank + (latent.query_rank or 0)
    matrices = groups["attention"] - card.layers * norms + groups["mlp"] + card.vocabulary * card.width
    if card.mixture is not None:
        taken = groups["experts"] * card.mixture.top_k // card.mixture.experts
        matrices += groups["routers"] + groups["shared experts"] + taken
    return matrices


def weight_bytes(card: ModelCard, formats: Mapping[str, DType]) -> float:
    """Return the bytes of all parameters.

    Parameters
    ----------
    formats
        The format of ``weights``; ``experts`` and ``other`` (tables, routers, norms, biases) where theirs differ.
    """
    matrices = formats[WEIGHTS]
    experts, other = formats.get(EXPERTS, matrices), formats.get(OTHER, matrices)
    groups = weight_groups(card)
    by_format = {"attention": matrices, "mlp": matrices, "shared experts": matrices, "experts": experts}
    return float(sum(count * by_format.get(name, other).bytes for name, count in groups.items()))


def expected_experts(experts: Num, top_k: Num, tokens: Num) -> Num:
    """Return how many different experts some tokens need, on average, when each takes ``top_k`` at random.

    Each expert is missed by one token with probability 1 - top_k/experts, and by all of them with that to the power
    of the tokens.
    """
    missed: Num = (1.0 - top_k / experts) ** tokens
    return experts * (1.0 - missed)


def kv_values_per_layer(card: ModelCard) -> int:
    """Return the elements that one token adds to the cache of one layer."""
    return card.latent.cached if card.latent is not None else 2 * card.kv_heads * card.head_dim


def kv_bytes_per_token(card: ModelCard, kv: DType) -> float:
    """Return the bytes that one token adds to the cache of all layers, while no window is full."""
    return card.layers * kv_values_per_layer(card) * kv.bytes


def cached_tokens(card: ModelCard, context: Num, *, page: Num = 0) -> tuple[Num, Num]:
    """Return the tokens whose keys and values are kept by a (layer that sees all, sliding layer).

    Parameters
    ----------
    page
        Tokens in a page of the cache, which is kept whole; 0: no pages.
    """
    seen = context if card.sliding is None else smaller(context, card.sliding.window)
    return _paged(context, page), _paged(seen, page)


def _paged(tokens: Num, page: Num) -> Num:
    if is_number(page) and page == 0:
        return tokens
    size = where(page > 0, page, 1.0)
    return ceil_div(tokens, size) * size


def kv_bytes_per_sequence(card: ModelCard, context: Num, kv: DType, *, page: Num = 0) -> Num:
    """Return the bytes of one sequence's cache over all layers."""
    everything, windowed = cached_tokens(card, context, page=page)
    sliding = card.sliding.layers if card.sliding is not None else 0
    tokens = everything * (card.layers - sliding) + windowed * sliding
    return tokens * (kv_values_per_layer(card) * kv.bytes)

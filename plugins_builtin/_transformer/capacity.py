"""What must fit into the memory of one device at once: weights, cache, activations alive together, logits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._transformer.shared_cache import shared_bytes
from rooflinestudio.plugins import kv_bytes_per_sequence, weight_groups
from rooflinestudio.plugins.arithmetic import ceil_div, larger

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plugins_builtin._transformer.split import Split
    from rooflinestudio.plugins import DType, ModelCard
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["Footprint", "Formats", "Load", "activations_per_token", "footprint_of", "held_weight_bytes"]

LOGIT_BYTES: Final = 4.0
"""Logits are sampled from in fp32."""


class Footprint(NamedTuple):
    """Bytes on one device.

    Attributes
    ----------
    weights
        Every parameter that the device holds, whatever is streamed.
    cache, activations, logits
        Of one sequence.
    shared
        The start of the cache that all sequences have in common.
    """

    weights: Num
    cache: Num
    activations: Num
    logits: Num
    shared: Num = 0

    @property
    def per_sequence(self) -> Num:
        """All that one more sequence takes."""
        return self.cache + self.activations + self.logits

    def total(self, sequences: Num) -> Num:
        """Return what some sequences take together with the weights."""
        return self.weights + self.shared + sequences * self.per_sequence

    def most(self, capacity_bytes: float) -> Num:
        """Return how many sequences find room, none where the weights alone do not."""
        return larger((capacity_bytes - self.weights - self.shared) / self.per_sequence, 0.0) // 1.0


class Load(NamedTuple):
    """What one sequence brings into memory.

    Attributes
    ----------
    context, page
        Tokens that are in the cache once the pass is over; tokens in a page of it, or 0.
    tokens, rows
        New tokens, and rows of logits.
    scores
        Elements of the attention scores that are written out.
    shared
        Tokens of the context that all sequences have in common.
    """

    context: Num
    tokens: Num
    rows: Num
    page: Num = 0
    scores: Num = 0
    shared: Num = 0


class Formats(NamedTuple):
    """Formats of the weights by group, of the cache and of the activations."""

    stored: Mapping[str, DType]
    kv: DType
    activation: DType


def footprint_of(card: ModelCard, split: Split, load: Load, formats: Formats) -> Footprint:
    """Return the footprint of a pass on the fullest device."""
    stored, kv, activation = formats
    _, kv_heads = split.heads(card.heads, card.kv_heads)
    share = 1.0 if card.latent is not None else kv_heads / card.kv_heads  # a latent is held by every device
    shared = shared_bytes(card, split, {"shared": load.shared, "context": load.context}, kv)
    return Footprint(
        held_weight_bytes(card, split, stored),
        kv_bytes_per_sequence(card, load.context, kv, page=load.page) * share - shared,
        (load.tokens * activations_per_token(card, split) + load.scores) * activation.bytes,
        load.rows * split.share(card.vocabulary) * LOGIT_BYTES,
        shared,
    )


def held_weight_bytes(card: ModelCard, split: Split, stored: Mapping[str, DType]) -> Num:
    """Return the bytes of the weights on the fullest device.

    Matrices, experts and tables are dealt out; norms, routers, positions and biases are on every device.
    """
    matrices = stored["weights"].bytes
    experts, other = (stored[one].bytes if one in stored else matrices for one in ("experts", "other"))
    groups = dict(weight_groups(card))
    dealt = _dealt_attention(card, split, groups["attention"]) + groups["mlp"] / split.tensor
    held = dealt * matrices + (groups["embedding"] + groups["head"]) / split.tensor * other
    if card.mixture is not None:
        count = card.mixture.experts
        held = held + groups["shared experts"] / split.tensor * matrices
        share = ceil_div(count, split.expert) / count / split.expert_slices
        held = held + groups["experts"] * share * experts
    rest = sum(groups[one] for one in ("positions", "norms", "biases", "routers") if one in groups)
    return held + rest * other


def _dealt_attention(card: ModelCard, split: Split, whole: float) -> Num:
    latent = card.latent
    if latent is None:
        heads, kv_heads = split.heads(card.heads, card.kv_heads)
        all_heads = 2.0 * (card.heads + card.kv_heads)
        return whole * (2.0 * (heads + kv_heads) / all_heads)
    down = latent.cached + latent.rank / card.width + (latent.query_rank or 0) * (1 + 1 / card.width)
    everywhere = card.layers * card.width * down
    return everywhere + (whole - everywhere) / split.tensor


def activations_per_token(card: ModelCard, split: Split) -> Num:
    """Return the elements alive at once in the widest step of a layer: what comes in, what goes out, the residual."""
    heads, kv_heads = split.heads(card.heads, card.kv_heads)
    width, latent = card.width, card.latent
    if latent is None:
        qkv, out = (heads + 2 * kv_heads) * card.head_dim, heads * card.head_dim
    else:
        qkv = heads * (2 * (latent.nope_dim + latent.rope_dim) + latent.value_dim)
        out = heads * latent.value_dim
    widest = larger(width + qkv, qkv + out)
    wide = 3 if card.gated else 2
    if card.dense_layers:
        inner = split.share(card.ffn_width)
        widest = larger(widest, larger(width + (wide - 1) * inner, wide * inner))
    if card.mixture is not None:
        one = card.mixture
        inner = one.expert_width / split.expert_slices
        routed = one.top_k * larger(width + (wide - 1) * inner, wide * inner)
        shared = wide * split.share(one.shared_width) if one.shared_width else 0
        widest = larger(widest, larger(1.0 * routed, 1.0 * shared))
    return width + widest

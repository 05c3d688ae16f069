"""The kernels of a whole model on one device: each kind once, run as often as the model has layers of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from plugins_builtin._transformer.cached_attention import Seen
from plugins_builtin._transformer.experts import Experts, expert_parts
from plugins_builtin._transformer.kernels import Kernels
from plugins_builtin._transformer.shared_cache import read_per_sequence
from plugins_builtin._transformer.split import Split, certainly, exchange
from rooflinestudio.plugins import DTYPES, Dtypes, ModelCard, Part, cached_tokens
from rooflinestudio.plugins.arithmetic import smaller

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.plugins import DType, Estimate
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["CachedTokens", "Pass", "WholeSequences", "kernels_of", "model_parts", "stored_formats"]


class CachedTokens(NamedTuple):
    """A few new tokens per sequence over a cache: decoding, or the check of drafted tokens.

    Attributes
    ----------
    queries
        New tokens of each sequence.
    context, page
        Cached tokens of each sequence; tokens in a page of the cache, or 0.
    shared
        Tokens at their start that all sequences have in common.
    """

    queries: Num
    context: Num
    page: Num
    shared: Num = 0


class WholeSequences(NamedTuple):
    """New tokens of whole prompts, after tokens that are cached already."""

    queries: Num
    cached: Num
    implementation: str


class Pass(NamedTuple):
    """One forward pass of one device.

    Attributes
    ----------
    sequences
        Sequences of a data-parallel group.
    what
        What each of them brings.
    head_rows
        Rows that logits are made for.
    whole_table
        Whether the whole embedding is read, and not only the rows that are looked up.
    routing
        How many experts the tokens need.
    """

    sequences: Num
    what: CachedTokens | WholeSequences
    head_rows: Num
    whole_table: bool = False
    routing: str = "expected"

    @property
    def tokens(self) -> Num:
        """New tokens together."""
        return self.sequences * self.what.queries


def stored_formats(card: ModelCard, dtypes: Mapping[str, DType], *, native: bool) -> dict[str, DType]:
    """Return the formats of a model's weights by group: as asked for, or as the checkpoint has them."""
    if not native:
        return {"weights": dtypes["weight"]}
    return {group: DTYPES[name] for group, name in card.native.items()}


def kernels_of(
    card: ModelCard, dtypes: Dtypes, *, native: bool, keep: Callable[[Estimate], Estimate] | None = None
) -> Kernels:
    """Return the maker of a model's kernels, with its formats."""
    stored = stored_formats(card, dtypes, native=native)
    return Kernels(
        dtypes, weight=stored["weights"], experts=stored.get("experts"), other=stored.get("other"), keep=keep
    )


def model_parts(card: ModelCard, k: Kernels, split: Split, one: Pass) -> tuple[Part, ...]:
    """Return the kernels in the order in which a layer runs them."""
    tokens, width = one.tokens, card.width
    norm = card.norm
    attention = _latent if card.latent is not None else _heads
    head = (one.head_rows, split.share(card.vocabulary), width)
    table = split.share(card.vocabulary) * width
    return (
        k.rows_of_table("embedding", tokens, width, whole=_table_read(card, one, table)),
        *_exchanges(card, k, split, tokens),
        k.simple("norm", norm, tokens, width, count=card.norms_per_layer * card.layers),
        *attention(card, k, split, one),
        k.simple("add", "add", tokens, width, count=2 * card.layers),
        *_dense(card, k, split, tokens),
        *_mixture(card, k, split, one),
        k.simple("final norm", norm, one.head_rows, width),
        k.product("head", head, weight=k.other),
        *exchange("gather logits", "all_gather", k.activation, elements=1.0 * one.head_rows * card.vocabulary,
                  ranks=split.tensor),
    )  # fmt: skip


def _table_read(card: ModelCard, one: Pass, table: Num) -> Num:
    """Return the elements of the tables that are read besides the rows looked up: a tied one is read by the head."""
    if not one.whole_table:
        return 0
    own = 0 if card.tied_embeddings else table
    return own + card.positions * card.width


def _exchanges(card: ModelCard, k: Kernels, split: Split, tokens: Num) -> tuple[Part, ...]:
    """Return what a tensor-parallel group exchanges: partial sums after attention and feed-forward, and the tables.

    Where the experts are dealt out, each device combines results for its share of the tokens; then the shares are
    gathered.
    """
    if certainly(split.tensor, 1):
        return ()
    elements = 1.0 * tokens * card.width
    dealt = split.expert > 1
    sums: Num = 1 + 2 * card.layers
    if card.mixture is None:
        return exchange(
            "all-reduce", "all_reduce", k.activation, elements=elements, ranks=split.tensor, count=sums
        )
    if not card.mixture.shared_width:  # whose halves are added up like those of a dense block
        sums = sums - card.moe_layers * (1.0 * dealt)
    slices = split.expert_slices
    return (
        *exchange("all-reduce", "all_reduce", k.activation, elements=elements, ranks=split.tensor, count=sums),
        *exchange("gather tokens", "all_gather", k.activation, elements=elements, ranks=split.token_slices,
                  count=card.moe_layers),
        *exchange("all-reduce of slices", "all_reduce", k.activation,
                  elements=elements / split.token_slices * card.mixture.top_k, ranks=slices,
                  count=card.moe_layers * (1.0 * dealt)),
    )  # fmt: skip


def _heads(card: ModelCard, k: Kernels, split: Split, one: Pass) -> tuple[Part, ...]:
    """Return attention with heads of keys and values."""
    heads, kv_heads = split.heads(card.heads, card.kv_heads)
    tokens, layers, size = one.tokens, card.layers, card.head_dim
    turned = (heads + kv_heads) * size
    qkv = (heads + 2 * kv_heads) * size
    parts = [k.product("qkv", (tokens, qkv, card.width), count=layers, bias=qkv if card.qkv_bias else 0)]
    if card.qk_norm:
        parts.append(
            k.simple("qk norm", card.norm, tokens * (heads + kv_heads), size, count=layers, gains=size)
        )
    if not card.positions:
        parts.append(k.simple("rope", "rope", tokens, turned, count=layers))
    shape: dict[str, Any] = {"heads": heads, "kv_heads": kv_heads, "head_dim": size}
    return (
        *parts,
        *_scores(card, k, one, shape, heads if card.sinks else 0),
        k.product("out", (tokens, card.width, heads * size), count=layers, bias=card.width if card.output_bias else 0),
    )  # fmt: skip


def _scores(card: ModelCard, k: Kernels, one: Pass, shape: dict[str, Any], sinks: Num) -> list[Part]:
    """Return the attention kernels: of layers that see everything, and of those with a window."""
    sliding = card.sliding.layers if card.sliding is not None else 0
    window = card.sliding.window if card.sliding is not None else 0
    kinds = [("attention", card.layers - sliding, 0), ("window attention", sliding, window)]
    parts = []
    for label, count, seen in kinds:
        if not count:
            continue
        if isinstance(one.what, CachedTokens):
            view = _view(card, one, windowed=bool(seen))
            parts.append(k.cached_attention(label, view, shape, count=count, sinks=sinks))
        else:
            parts.append(k.attention(label, count=count, window=seen, **_sequences(one), **shape))
    return parts


def _view(card: ModelCard, one: Pass, *, windowed: bool) -> Seen:
    what = one.what
    assert isinstance(what, CachedTokens)
    tokens = what.context
    everything, few = cached_tokens(card, tokens, page=what.page)
    if windowed and card.sliding is not None:
        return Seen(one.sequences, what.queries, smaller(tokens, card.sliding.window), few)
    if certainly(what.shared, 0):
        return Seen(one.sequences, what.queries, tokens, everything)
    return Seen(
        one.sequences, what.queries, tokens, read_per_sequence(everything, what.shared, one.sequences)
    )


def _sequences(one: Pass) -> dict[str, Any]:
    what = one.what
    assert isinstance(what, WholeSequences)
    return {
        "batch": one.sequences, "seq_q": what.queries, "seq_kv": what.queries + what.cached, "causal": True,
        "implementation": what.implementation,
    }  # fmt: skip


def _latent(card: ModelCard, k: Kernels, split: Split, one: Pass) -> tuple[Part, ...]:
    """Return latent attention: absorbed over a cache, with keys and values written out over whole sequences."""
    latent = card.latent
    assert latent is not None
    heads, _ = split.heads(card.heads, card.heads)
    tokens, layers, width = one.tokens, card.layers, card.width
    head = latent.nope_dim + latent.rope_dim
    parts = []
    if latent.query_rank is None:
        parts.append(k.product("query", (tokens, heads * head, width), count=layers))
    else:
        rank = latent.query_rank
        parts += [
            k.product("query down", (tokens, rank, width), count=layers),
            k.simple("query norm", card.norm, tokens, rank, count=layers),
            k.product("query up", (tokens, heads * head, rank), count=layers),
        ]
    parts += [
        k.product("latent down", (tokens, latent.cached, width), count=layers),
        k.simple("latent norm", card.norm, tokens, latent.rank, count=layers),
        k.simple("rope", "rope", tokens, (heads + 1) * latent.rope_dim, count=layers),
    ]
    if isinstance(one.what, CachedTokens):
        view = _view(card, one, windowed=False)
        rank, value = latent.rank, latent.value_dim
        parts += [
            k.product("absorb keys", (tokens, rank, latent.nope_dim), batch=heads, count=layers),
            k.latent_attention("attention", view, heads=heads, rank=rank, rope_dim=latent.rope_dim, count=layers),
            k.product("absorb values", (tokens, value, rank), batch=heads, count=layers),
        ]  # fmt: skip
    else:
        keys = one.sequences * (one.what.queries + one.what.cached)
        up = (keys, heads * (latent.nope_dim + latent.value_dim), latent.rank)
        parts += [
            k.product("latent up", up, count=layers),
            k.attention("attention", count=layers, heads=heads, kv_heads=heads, head_dim=head,
                        value_dim=latent.value_dim, **_sequences(one)),
        ]  # fmt: skip
    return (*parts, k.product("out", (tokens, width, heads * latent.value_dim), count=layers))


def _dense(card: ModelCard, k: Kernels, split: Split, tokens: Num) -> tuple[Part, ...]:
    """Return the feed-forward block of the layers without experts."""
    layers = card.dense_layers
    if not layers:
        return ()
    inner = split.share(card.ffn_width)
    up = inner * (2 if card.gated else 1)
    return (
        k.product("gate_up" if card.gated else "up", (tokens, up, card.width), count=layers,
                  bias=up if card.mlp_bias else 0),
        k.activated(tokens, inner, gated=card.gated, activation=card.activation, count=layers),
        k.product("down", (tokens, card.width, inner), count=layers, bias=card.width if card.mlp_bias else 0),
    )  # fmt: skip


def _mixture(card: ModelCard, k: Kernels, split: Split, one: Pass) -> tuple[Part, ...]:
    mixture = card.mixture
    if mixture is None:
        return ()
    experts = Experts(
        card.width, mixture.expert_width, mixture.experts, mixture.top_k, mixture.shared_width, card.gated,
        card.activation, mixture.expert_bias, mixture.router_bias,
    )  # fmt: skip
    return expert_parts(k, experts, split, tokens=one.tokens, routing=one.routing, layers=card.moe_layers)

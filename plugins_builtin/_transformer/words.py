"""Formulas and notes of a model's pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plugins_builtin._text import put, shown
from plugins_builtin._transformer.figures import activation_bytes, link_bytes, part_work, read_bytes
from plugins_builtin._transformer.split import certainly
from rooflinestudio.plugins import Formula
from rooflinestudio.plugins.arithmetic import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from plugins_builtin._transformer.split import Split
    from rooflinestudio.plugins import ModelCard, Part

__all__ = ["formulas", "notes"]

_ATTENTION = ("attention", "attention_decode", "mla_decode")


def formulas(
    p: Mapping[str, Any], card: ModelCard, parts: tuple[Part, ...], *, cached: bool
) -> Iterator[Formula]:
    """Yield how work and traffic come about; the values are those of one device, summed over its parts."""
    products, scores = part_work(parts, "gemm"), part_work(parts, *_ATTENTION)
    rest = part_work(parts, "gemm", *_ATTENTION, others=True)
    yield Formula(
        "work", "W = Σ layers·(W_products + W_attention + W_vector)",
        put("{a} + {b} + {c}", a=products, b=scores, c=rest),
        "2 FLOP per token and weight that is multiplied with; 4·head_dim per (query, key) pair and head; vector work",
    )  # fmt: skip
    weights, cache = read_bytes(parts, "weight"), read_bytes(parts, "cache")
    tied = "; the tied table is read as the head" if card.tied_embeddings else ""
    whole = bool(tied) or p.get("weights") == "resident"
    what = (
        "every parameter once"
        if whole
        else "each weight once; of the input embedding only the rows looked up"
    )
    yield Formula(
        "weights", f"Q_weights = s_w·{'parameters' if whole else '(parameters - input embedding)'}",
        put("{w}", w=weights), f"{what}{tied}; of experts those that the tokens need",
    )  # fmt: skip
    if cached:
        yield Formula(
            "cache", "Q_cache = batch·context·layers·2·s_kv·kv_heads·head_dim", put("{c}", c=cache),
            "each sequence reads its own cache once; windows and latents read what they keep; a shared start is read "
            "once for all",
        )  # fmt: skip
        yield Formula(
            "compulsory", "Q_dram = Q_weights + Q_cache", put("{w} + {c}", w=weights, c=cache),
            "the activations of so few tokens stay in L2, where they are counted",
        )  # fmt: skip
    else:
        yield Formula(
            "compulsory", "Q_dram = Q_weights + Σ layers·Q_activations",
            put("{w} + {a}", w=weights, a=activation_bytes(parts)),
            "every kernel reads its inputs and writes its result once; the new cache is part of that",
        )  # fmt: skip
    link = link_bytes(parts)
    if not (is_number(link) and link == 0):
        yield Formula(
            "link", "Q_link = Σ sent", put("{b}", b=link), "what one device sends in its collectives"
        )


def notes(p: Mapping[str, Any], card: ModelCard, split: Split, *, cached: bool) -> Iterator[str]:
    """Yield what a reader should know beside the figures."""
    yield (
        "Kernels run one after the other at their own bounds. Real decoding reaches 60 to 85 % of that, "
        "for launch gaps, imperfect overlap and tiles."
        if cached
        else "Kernels run one after the other at their own bounds; real layers take 1.3 to 2 times as long."
    )
    yield from (f"{card.name}: {one}" for one in card.assumed)
    if card.mixture is not None:
        yield "Routing is taken as uniform; the details give the times under best and worst routing."
    yield from _context_notes(p, card)
    if not split.alone:
        yield (
            "The figures are those of the fullest device; tokens per second, price and batch are those of all. "
            "Shares are rounded up where they are uneven."
        )
    if not certainly(split.expert, 1):
        yield "A token is sent once for each expert that it takes, even where two of them are on one device."


def _context_notes(p: Mapping[str, Any], card: ModelCard) -> Iterator[str]:
    length = p["context"] + p.get("cached", 0)
    if card.max_context is not None and is_number(length) and length > card.max_context:
        yield (
            f"{shown(length)} tokens are more than the {card.max_context} that {card.name} was trained for. "
            "The figures are those it would have."
        )

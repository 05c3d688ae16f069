"""What is set about a model's cache: its heads of keys and values, and a start that all sequences share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.plugins import Parameter, ParameterError, kv_bytes_per_token, load_model
from rooflinestudio.plugins.arithmetic import smaller, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plugins_builtin._transformer.split import Split
    from rooflinestudio.plugins import DType, ModelCard
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["KV_HEADS", "SHARED", "card_of", "read_per_sequence", "shared_bytes"]

OWN: Final = "own"
KV_HEADS = Parameter(
    "kv_heads", "KV heads", OWN, choices=(OWN, "1", "2", "4", "8", "16", "32"), open_choices=True,
    help="Heads of keys and values in each layer: the model's own, as many as it has query heads (MHA), "
    "fewer (GQA) or one (MQA); the weights that make them change along.",
)  # fmt: skip
SHARED = Parameter(
    "shared", "shared prefix", 0, low=0, high=1e9,
    help="Tokens at the start that all sequences of a device have in common: kept once, and read once per step.",
)  # fmt: skip


def card_of(p: Mapping[str, Any]) -> ModelCard:
    """Return the card of the model asked for, with the heads of keys and values asked for.

    Raises
    ------
    ParameterError
        If the model caches a latent, or its query heads are no multiple of them.
    """
    card, asked = load_model(p["model"]), str(p.get("kv_heads", OWN)).strip()
    if asked == OWN:
        return card
    if not asked.isdecimal() or not int(asked):
        raise ParameterError(f"kv_heads = {asked!r} must be {OWN} or a whole number of at least 1.")
    number = int(asked)
    if card.latent is not None:
        raise ParameterError(f"{card.name} caches a latent and has no KV heads: leave kv_heads at {OWN}.")
    if card.heads % number:
        raise ParameterError(f"{card.name}: {card.heads} query heads are no multiple of {number} KV heads.")
    return replace(card, kv_heads=number)


def read_per_sequence(kept: Num, shared: Num, sequences: Num) -> Num:
    """Return the cached tokens that cross for each sequence, where a shared start crosses once for all."""
    return kept - smaller(shared, kept) * (1.0 - 1.0 / where(sequences > 0, sequences, 1.0))


def shared_bytes(card: ModelCard, split: Split, p: Mapping[str, Any], kv: DType) -> Num:
    """Return the bytes of the shared start on one device; layers with a window keep their own."""
    sliding = card.sliding.layers if card.sliding is not None else 0
    _, kv_heads = split.heads(card.heads, card.kv_heads)
    share = 1.0 if card.latent is not None else kv_heads / card.kv_heads
    tokens = smaller(p.get("shared", 0), p["context"])
    return 1.0 * tokens * kv_bytes_per_token(card, kv) * ((card.layers - sliding) / card.layers) * share

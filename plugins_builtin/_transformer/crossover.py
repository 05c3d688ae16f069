"""The batch from which on the caches are more bytes than the weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plugins_builtin._transformer.experts import touched
from plugins_builtin._transformer.figures import read_bytes, solved
from plugins_builtin._transformer.shared_cache import card_of, shared_bytes
from plugins_builtin._transformer.split import Split
from rooflinestudio.plugins.arithmetic import larger, smaller, where

if TYPE_CHECKING:
    from rooflinestudio.plugins import ModelCard, Placement
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["crossover_batch"]


def crossover_batch(placement: Placement, queries: Num) -> Any:
    """Return the batch whose caches are as many bytes as the weights read; more tokens may need more experts.

    A shared start is read once, whatever the batch: weights = shared + batch·(the rest of a cache).
    """
    p, parts = placement.parameters, placement.estimate.parts
    card = card_of(p)
    split = Split.of(placement.operator, p)
    once = shared_bytes(card, split, p, placement.dtypes["kv"])
    cache = (read_bytes(parts, "cache") - once) / split.of_batch(p["batch"])
    if (cache > 0) is False:
        return None
    seen = where(cache > 0, cache, 1.0)
    weights = read_bytes(parts, "weight")
    batch = larger(weights - once, 0.0) / seen
    if card.mixture is not None:
        batch = _with_experts(placement, card, split, (weights - once, seen), queries)
    return where(cache > 0, batch * split.data, float("inf"))


def _with_experts(
    placement: Placement, card: ModelCard, split: Split, bytes_: tuple[Num, Num], queries: Num
) -> Num:
    p, mixture = placement.parameters, card.mixture
    assert mixture is not None
    weights, cache = bytes_
    reach = queries * (split.expert / split.token_slices)

    def needed(batch: Num) -> Num:
        return touched(mixture.experts, mixture.top_k, batch * reach, p["routing"])

    routed = read_bytes(placement.estimate.parts, "weight", "experts")
    rest = weights - routed
    each = routed / needed(1.0 * split.of_batch(p["batch"]))

    def excess(batch: Num) -> Num:
        return batch * cache - rest - each * smaller(needed(batch), 1.0 * mixture.experts)

    return solved(excess, 0.0 * cache, (rest + each * mixture.experts) / cache)

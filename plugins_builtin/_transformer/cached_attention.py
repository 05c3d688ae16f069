"""Attention of a few new tokens over a cache: what their queries see, and the work and traffic of seeing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.plugins import Estimate, Launch, Tensor
from rooflinestudio.plugins.arithmetic import where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["EXP_FLOP", "Seen", "over_keys_and_values", "over_latents"]

EXP_FLOP: Final = 4.0
"""What one exponential counts on the pipe ``special``."""


class Seen(NamedTuple):
    """What the queries of one decoding step see.

    Attributes
    ----------
    sequences, queries
        Sequences, and new tokens of each.
    tokens
        Cached tokens that a query sees.
    read
        Cached tokens that cross, whole pages.
    """

    sequences: Num
    queries: Num
    tokens: Num
    read: Num

    @property
    def pairs(self) -> Num:
        """(query, key) pairs of one head: with the cache, and with the new tokens before it."""
        among = self.queries * (self.queries - 1.0) / 2.0
        return self.sequences * (self.queries * self.tokens + among)


def over_keys_and_values(
    seen: Seen, shape: Mapping[str, Num], formats: Dtypes, sinks: tuple[Tensor, ...] = ()
) -> Estimate:
    """Return the estimate of attention over cached keys and values.

    Parameters
    ----------
    shape
        ``heads``, ``kv_heads`` and ``head_dim``.
    formats
        Formats of ``activation`` and ``kv``, and ``compute``.
    sinks
        Learned weights that are read besides the cache.
    """
    heads, kv_heads, head_dim = shape["heads"], shape["kv_heads"], shape["head_dim"]
    queries = 1.0 * seen.sequences * seen.queries * heads * head_dim
    cached = 1.0 * seen.sequences * kv_heads * head_dim * seen.read
    tensors = (
        Tensor("K", cached, formats["kv"], 1, 0, "cache"),
        Tensor("V", cached, formats["kv"], 1, 0, "cache"),
        *sinks,
    )
    return _over_cache(heads * seen.pairs, 4.0 * head_dim, (queries, queries), tensors, formats)


def over_latents(seen: Seen, formats: Dtypes, *, heads: Num, rank: Num, rope_dim: Num) -> Estimate:
    """Return the estimate of attention over cached latents, keys and values absorbed into queries and results."""
    rows = 1.0 * seen.sequences * seen.queries * heads
    latent = 1.0 * seen.sequences * (rank + rope_dim) * seen.read
    ends = (rows * (rank + rope_dim), rows * rank)
    tensors = (Tensor("latent", latent, formats["kv"], 1, 0, "cache"),)
    return _over_cache(heads * seen.pairs, 2.0 * (2.0 * rank + rope_dim), ends, tensors, formats)


def _over_cache(
    pairs: Num, per_pair: Num, ends: tuple[Num, Num], tensors: tuple[Tensor, ...], formats: Dtypes
) -> Estimate:
    pipe = f"{formats['compute'].pipe}-tensor"
    return Estimate(
        {pipe: per_pair * pairs, "special": EXP_FLOP * pairs},
        pipe,
        (
            Tensor("Q", ends[0], formats["activation"], 1, 0, "input"),
            *tensors,
            Tensor("O", ends[1], formats["activation"], 0, 1, "output"),
        ),
        launch=Launch(kernels=where(pairs > 0, 1, 0)),  # over an empty cache there is nothing to start
    )

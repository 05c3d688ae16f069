"""Curves of decoding: bytes of a step over batch or context, tokens per second over the batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rooflinestudio.core.serving.decode import Decoding

__all__ = ["RateCurve", "TrafficCurve", "rates", "traffic"]

POINTS: Final = 121
_BATCH_END, _CONTEXT_END, _MOST = 512, 131_072, 1e9


@dataclass(frozen=True, eq=False)
class TrafficCurve:
    """Bytes of a step over batch or context.

    Attributes
    ----------
    over
        ``batch`` or ``context``.
    values, weight_bytes, kv_bytes
        The points.
    here
        The value that the step has.
    crossover
        Where the two are equal, or None.
    most
        The largest value that fits, or None where that is not known.
    """

    over: str
    values: NDArray[Any]
    weight_bytes: NDArray[Any]
    kv_bytes: NDArray[Any]
    here: int
    crossover: float | None
    most: int | None


@dataclass(frozen=True, eq=False)
class RateCurve:
    """Tokens per second over the batch, with the cache and without it.

    Attributes
    ----------
    most
        The largest batch that fits, or None where the capacity is not known.
    ridge_batch, ridge_rate
        Where the step without its cache meets the ridge, and its rate there; or None.
    here, here_rate, here_without
        The batch of the step, its rate, and the rate it would have without the cache.
    """

    values: NDArray[Any]
    with_cache: NDArray[Any]
    without_cache: NDArray[Any]
    most: int | None
    ridge_batch: int | None
    ridge_rate: float | None
    here: int
    here_rate: float
    here_without: float


def traffic(decoding: Decoding, over: str) -> TrafficCurve:
    """Return weights and cache per step, over the batch or over the context."""
    import numpy as np

    if over == "batch":
        here, crossover, most = decoding.batch, decoding.crossover_batch, decoding.max_batch
        end = _BATCH_END
    else:
        found = decoding.crossover_context
        here, crossover, most = (
            decoding.context,
            None if found is None else float(found),
            decoding.max_context,
        )
        end = _CONTEXT_END
    reached = [one for one in (here, most, crossover) if one is not None]
    values = _values(max(end, *(2.0 * one for one in reached if one < 1e6)))
    details = decoding.details_at({over: values})
    shape = values.shape
    weights, cache = (np.broadcast_to(details[name], shape) for name in ("weight_bytes", "kv_bytes"))
    return TrafficCurve(over, values, weights, cache, here, crossover, most)


def rates(decoding: Decoding) -> RateCurve:
    """Return tokens per second over the batch."""
    import numpy as np

    alone, most, ridge = decoding.without_cache, decoding.max_batch, decoding.ridge_batch
    reached = [one for one in (decoding.batch, most, ridge) if one is not None and one < 1e6]
    values = _values(max(_BATCH_END, *(1.5 * one for one in reached)))
    given = {"batch": values}
    with_cache, without = (
        np.broadcast_to(one.details_at(given)["tokens_per_s"], values.shape) for one in (decoding, alone)
    )
    return RateCurve(
        values,
        with_cache,
        without,
        most,
        ridge,
        None if ridge is None else alone.rate_at(ridge),
        decoding.batch,
        decoding.tokens_per_s,
        alone.rate_at(decoding.batch),
    )


def _values(end: float) -> NDArray[Any]:
    import numpy as np

    return np.unique(np.rint(np.geomspace(1.0, min(end, _MOST), POINTS)))

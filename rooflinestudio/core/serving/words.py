"""Sentences about decoding: what ends the batch, and which bytes a change must touch to matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.models.cards import load_model
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from rooflinestudio.core.serving.decode import Decoding

__all__ = ["decode_verdict"]


def decode_verdict(step: Decoding) -> str:
    """Return what ends the batch and what streams most, in one or two sentences."""
    return f"{_end(step)} {_share(step)}"


def _end(step: Decoding) -> str:
    most, ridge = step.max_batch, step.ridge_batch
    words = f"the ridge at {_count(ridge)}" if ridge is not None else ""
    if most is None:
        return (
            f"The capacity of the machine is not known; without a cache the batch meets {words}."
            if words
            else ("The capacity of the machine is not known.")
        )
    if not most:
        return "Nothing fits: the weights and one sequence are more than the memory holds."
    if step.batch > most:
        return f"A batch of {_count(step.batch)} does not fit: capacity ends it at {_count(most)}."
    if ridge is None:
        return f"Capacity ends the batch at {_count(most)}."
    if most < ridge:
        return f"Capacity ends the batch at {_count(most)}, before {words}."
    return f"Without a cache the batch meets {words}, before capacity ends it at {_count(most)}."


def _share(step: Decoding) -> str:
    share = step.kv_share
    if share > 0.5:
        return f"{share:.0%} of the bytes are cache: faster products touch the other {1 - share:.0%}."
    shared = "a larger batch shares them"
    if load_model(str(step.parameter("model"))).mixture is not None:
        shared += ", once it has touched all experts"
    return f"{1 - share:.0%} of the bytes are weights: {shared}."


def _count(value: float) -> str:
    return format_number(value) if value >= 100 else f"{value:.0f}"

"""The figures that an operator adds to a placement, in words and with units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Detail", "detail_rows"]

_WORDS: Final = {
    "tokens_per_s": "tokens per second",
    "time_to_first_token_s": "time to first token",
    "tokens_per_pass": "tokens per pass",
    "fits": "fits into memory",
    "max_batch": "largest batch that fits",
    "footprint_bytes": "memory needed",
    "weight_bytes": "weights read",
    "kv_bytes": "KV cache read",
    "kv_bytes_per_token": "KV cache per token",
    "crossover_batch": "batch where KV equals weights",
    "cost_per_million_tokens": "cost of a million tokens",
    "tokens_per_currency": "tokens per currency unit",
    "kv_written_bytes": "KV cache written",
    "activation_bytes": "activations",
    "logits_bytes": "logits",
    "link_bytes": "sent over the link",
    "sent_bytes": "sent by one rank",
    "bytes_per_step": "sent in one step",
    "steps": "steps",
    "parameters": "model parameters",
    "weights": "weights",
    "devices": "devices",
    "heads": "heads",
    "head_dim": "width of a head",
    "ffn_width": "width of the FFN",
    "experts_expected": "experts read, expected",
    "experts_best": "experts read, at best",
    "experts_worst": "experts read, at worst",
    "expert_weight_bytes_expected": "their weights, expected",
    "expert_weight_bytes_best": "their weights, at best",
    "expert_weight_bytes_worst": "their weights, at worst",
    "tokens_per_expert": "tokens per expert",
    "time_s_best_routing": "time, best routing",
    "time_s_worst_routing": "time, worst routing",
}
"""Known figures, in the order in which one looks for them; others follow as they come."""

_RANK: Final = {key: at for at, key in enumerate(_WORDS)}
_WHOLE_BELOW: Final = 1e6
_SHORT: Final = (
    ("_bytes_per_s", "B/s"), ("_flop_per_s", "FLOP/s"), ("_per_s", "/s"), ("_bytes", "B"), ("_flop", "FLOP"),
    ("_s", "s"),
)  # fmt: skip
"""What the end of a name says about its unit; the longest that fits comes first."""


@dataclass(frozen=True, slots=True)
class Detail:
    """One figure: its name in the answer, its words, its value as text, and the colour token of the value."""

    key: str
    label: str
    value: str
    token: str = "text"


def detail_rows(details: Mapping[str, Any], *, without: Iterable[str] = ()) -> tuple[Detail, ...]:
    """Return the figures that can be shown in one line each: known ones first, then others by their plain names.

    Parameters
    ----------
    details
        As an operator answers. What is nested, missing (None) or of several points at once is left out.
    without
        Names to leave out.
    """
    skipped = frozenset(without)
    keys = sorted((key for key in details if key not in skipped), key=lambda key: _RANK.get(key, len(_RANK)))
    rows = ((key, _value_text(key, details[key])) for key in keys)
    return tuple(
        Detail(key, _label(key), text, "warn" if details[key] is False and key == "fits" else "text")
        for key, text in rows
        if text
    )


def _label(key: str) -> str:
    if key in _WORDS:
        return _WORDS[key]
    ending, unit = _unit(key)
    stem = key.removesuffix(ending) if unit not in ("", "/s") else key.removesuffix("_per_s")
    return (stem or key).replace("_", " ").strip() or key


def _unit(key: str) -> tuple[str, str]:
    """Return the ending that tells the unit of a figure, and the unit; empty for a plain number."""
    return next((pair for pair in _SHORT if key.endswith(pair[0])), ("", _inner_unit(key)))


def _inner_unit(key: str) -> str:
    """Return the unit of names that go on behind it: ``kv_bytes_per_token``, ``time_s_best_routing``."""
    words = key.split("_")
    if "bytes" in words:
        return "B"
    return "s" if "s" in words and "per" not in words else ""


def _value_text(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        return _value_text(key, value.item())
    if not isinstance(value, int | float):
        return ""
    unit = _unit(key)[1]
    if unit == "/s":
        return f"{_plain(value)}/s" if key not in _WORDS else _plain(value)
    return format_quantity(float(value), unit, digits=4) if unit else _plain(value)


def _plain(value: float) -> str:
    """Return a count or a ratio: whole numbers whole, very large ones in words."""
    if not math.isfinite(value):
        return format_number(value)
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if abs(value) >= size:
            return f"{format_number(value / size)} {word}"
    if float(value).is_integer() and abs(value) < _WHOLE_BELOW:
        return format_number(float(value), digits=max(1, len(str(abs(int(value))))))
    return format_number(float(value))

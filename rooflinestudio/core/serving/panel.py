"""What the serving view is set to, read from a study: machines, prices, and how long prompts and answers are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.quick import nothing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.study import Study

__all__ = ["OVER", "PANEL", "ServingPanel", "serving_panel"]

PANEL: Final = "serving"
"""Name under which a study keeps it."""

OVER: Final = ("rate", "batch", "context")
_LONGEST: Final = 10**9


@dataclass(frozen=True, slots=True)
class ServingPanel:
    """The settings, each with its default.

    Attributes
    ----------
    entry
        Id of the decode step; empty: the selected one, else the first.
    over
        What is drawn: the ``rate`` over the batch, or the traffic over ``batch`` or ``context``. Where there is room
        for both, the rate always is.
    prefill_on, decode_on
        Ids of machines; empty: the machine of the decode step.
    prompt_tokens
        Tokens of a prompt; 0: the context of the decode step.
    output_tokens, prefill_batch
        Tokens of an answer, and prompts read together.
    price_per_hour
        What one device of a machine costs for an hour, by machine id; a machine without one has no cost.
    currency
        The user's word for it.
    """

    entry: str = ""
    over: str = "rate"
    prefill_on: str = ""
    decode_on: str = ""
    prompt_tokens: int = 0
    output_tokens: int = 256
    prefill_batch: int = 1
    price_per_hour: Mapping[str, float] = field(default_factory=nothing)
    currency: str = "USD"


def serving_panel(study: Study) -> ServingPanel:
    """Return the settings that a study keeps; what is not of the expected kind takes its default."""
    kept = study.panels.get(PANEL, {})
    over = _text(kept, "over")
    return ServingPanel(
        entry=_text(kept, "entry"),
        over=over if over in OVER else "rate",
        prefill_on=_text(kept, "prefill_on"),
        decode_on=_text(kept, "decode_on"),
        prompt_tokens=_count(kept, "prompt_tokens", 0),
        output_tokens=_count(kept, "output_tokens", 256),
        prefill_batch=_count(kept, "prefill_batch", 1),
        price_per_hour=_prices(kept.get("price_per_hour")),
        currency=_text(kept, "currency") or "USD",
    )


def _text(kept: Mapping[str, Any], name: str) -> str:
    value = kept.get(name)
    return value.strip() if isinstance(value, str) else ""


def _count(kept: Mapping[str, Any], name: str, default: int) -> int:
    value = kept.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return default
    return int(value) if 1 <= value <= _LONGEST and value == int(value) else default


def _prices(value: Any) -> Mapping[str, float]:
    if not hasattr(value, "items"):
        return nothing()
    return {
        id_: float(price)
        for id_, price in value.items()
        if isinstance(id_, str)
        and isinstance(price, int | float)
        and not isinstance(price, bool)
        and 0 < price < math.inf
    }

"""Serving as the JSON document and the lines of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rooflinestudio.core.evaluation import plain
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.serving.what_if import what_ifs
from rooflinestudio.core.serving.words import decode_verdict

if TYPE_CHECKING:
    from rooflinestudio.core.serving import Costs, SplitServing
    from rooflinestudio.core.serving.decode import Decoding
    from rooflinestudio.core.serving.what_if import WhatIf

__all__ = ["serving_document", "serving_lines"]


def serving_document(
    served: SplitServing, costs: Costs, step: Decoding, *, currency: str = "", what_if: bool = False
) -> dict[str, Any]:
    """Return the document: the two passes, what tokens cost, the decode step, and its changes where asked for."""
    forecast = served.prefill.settings.forecast
    document = {
        "prefill_on": served.prefill.profile.id,
        "decode_on": served.decode.profile.id,
        "link": served.link or None,
        "transfer_bytes": 0.0 if served.on_one else served.transfer_bytes,
        "transfer_s": served.transfer_s,
        "time_to_first_token_s": served.time_to_first_token_s,
        "time_to_second_token_s": served.time_to_second_token_s,
        "seconds_per_token": served.seconds_per_token,
        "prefill_requests_per_s": served.prefill_requests_per_s,
        "decode_requests_per_s": served.decode_requests_per_s,
        "requests_per_s": served.requests_per_s,
        "prefill_machines_per_decode_machine": served.prefill_machines_per_decode_machine,
        "prefill_bound": served.prefill.bound,
        "decode_bound": served.decode.bound,
        "prefill_fits": served.prefill_fits,
        "decode_fits": served.decode_fits,
        "cost": {
            "currency": currency,
            "per_million_input_tokens": costs.input_per_million,
            "per_million_output_tokens": costs.output_per_million,
            "per_request": costs.request,
        },
        "decode": _decode(step),
        **({"what_if": [_what_if(one) for one in what_ifs(step)]} if what_if else {}),
        "notes": [
            "Times are forecasts."
            if forecast
            else "All times are bounds; real prefill and decoding take longer."
        ],
    }
    found: dict[str, Any] = plain(document)
    return found


def _decode(step: Decoding) -> dict[str, Any]:
    return {
        "batch": step.batch,
        "context": step.context,
        "time_s": step.placement.time_s,
        "tokens_per_s": step.tokens_per_s,
        "tokens_per_s_without_cache": step.without_cache.tokens_per_s,
        "weight_bytes": step.weight_bytes,
        "kv_bytes": step.kv_bytes,
        "max_batch": step.max_batch,
        "tokens_per_s_at_max_batch": step.rate_at_most,
        "crossover_batch": step.crossover_batch,
        "crossover_context": step.crossover_context,
        "ridge_batch": step.ridge_batch,
    }


def _what_if(one: WhatIf) -> dict[str, Any]:
    return {
        "id": one.change.id,
        "label": one.change.label,
        "why": one.refusal or one.change.why,
        "refused": bool(one.refusal),
        "tokens_per_s": one.tokens_per_s,
        "fits": one.fits,
        "gain": one.gain,
        "max_batch": one.max_batch,
        "tokens_per_s_at_max_batch": one.max_tokens_per_s,
        "gain_at_max_batch": one.max_gain,
        "crossover_batch": one.crossover_batch,
    }


def serving_lines(
    served: SplitServing, costs: Costs, step: Decoding, *, currency: str = "", what_if: bool = False
) -> list[str]:
    """Return the same in words."""
    prefill, decode = served.prefill, served.decode
    kind = "forecasts" if prefill.settings.forecast else "bounds, not forecasts"
    where = (
        f"prompts and tokens in turn on {prefill.profile.name}"
        if served.on_one
        else f"prompts on {prefill.profile.name}, tokens on {decode.profile.name}"
    )
    crossing = f"{format_quantity(served.transfer_bytes, 'B')} of keys and values"
    lines = [
        f"{where}; {kind}",
        f"  first token   {format_quantity(served.time_to_first_token_s, 's')}, {prefill.bound} at {prefill.binding}",
        *(
            ()
            if served.on_one
            else (
                f"  transfer      {format_quantity(served.transfer_s, 's')}: {crossing} over the {served.link}",
            )
        ),
        f"  second token  {format_quantity(served.time_to_second_token_s, 's')} after the request",
        f"  each token    {format_quantity(served.seconds_per_token, 's')}, {decode.bound} at {decode.binding}",
        f"  requests      {format_number(served.prefill_requests_per_s)} per second can be read, "
        f"{format_number(served.decode_requests_per_s)} answered; together {format_number(served.requests_per_s)}",
        *(
            ()
            if served.on_one
            else (
                f"  balance       {format_number(served.prefill_machines_per_decode_machine)} machines that read "
                "for each that answers",
            )
        ),
        *_cost_lines(costs, currency),
        f"  decoding      {decode_verdict(step)}",
    ]
    if what_if:
        lines += ["", *_table(what_ifs(step))]
    return lines


def _cost_lines(costs: Costs, currency: str) -> list[str]:
    named = (
        (costs.input_per_million, "a million input tokens"),
        (costs.output_per_million, "a million output tokens"),
    )
    words = [f"{format_number(value)} {currency} for {what}" for value, what in named if value is not None]
    return [f"  cost          {', '.join(words)}"] if words else []


def _table(found: tuple[WhatIf, ...]) -> list[str]:
    rows = [("what if", "tok/s", "vs now", "largest", "tok/s there", "vs now", "crossover")]
    for one in found:
        if one.refusal:
            rows.append((one.change.label, one.refusal, "", "", "", "", ""))
            continue
        rows.append((
            one.change.label, _shown(one.tokens_per_s) if one.fits is not False else "does not fit", _times(one.gain),
            _shown(one.max_batch), _shown(one.max_tokens_per_s), _times(one.max_gain), _shown(one.crossover_batch),
        ))  # fmt: skip
    widths = [max(len(row[at]) for row in rows if not row[1].endswith(".")) for at in range(7)]
    return [
        "  " + "  ".join(
            text.ljust(width) if at == 0 else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]  # fmt: skip


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f}" if value == int(value) and value < 100 else format_number(value)


def _times(gain: float | None) -> str:
    return "-" if gain is None else f"{gain:.2f}x"

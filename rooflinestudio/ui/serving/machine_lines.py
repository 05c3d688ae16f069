"""The figures of one machine or two as captions and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooflinestudio.core.quantities import format_number, format_quantity

if TYPE_CHECKING:
    from rooflinestudio.core.serving import SplitServing
    from rooflinestudio.core.serving.view import ServingPicture

__all__ = ["machine_lines"]

_UNPAID = "give a price"


def machine_lines(shown: ServingPicture) -> tuple[tuple[str, str, str, str], ...] | str:
    """Return (caption, value, colour token, tip) of each figure, or why there are none."""
    served = shown.served
    if isinstance(served, str):
        return served
    costs, word = shown.costs, shown.panel.currency
    reads, makes = served.prefill_requests_per_s, served.decode_requests_per_s
    balance = (
        ("time for prompts", f"{served.requests_per_s / reads:.0%}", "text", "Share of its time that reads prompts")
        if served.on_one
        else ("readers for one decoder", format_number(served.prefill_machines_per_decode_machine), "text",
              "Machines that read prompts for each that makes tokens")
    )  # fmt: skip
    return (
        ("first token", _time(served.time_to_first_token_s), *_fit(served.prefill_fits, "Reading the prompts")),
        ("transfer", "none" if served.on_one else _time(served.transfer_s), "text", _transfer(served)),
        ("second token", _time(served.time_to_second_token_s), "text", "Prefill, transfer, one step"),
        ("each token", _time(served.seconds_per_token), *_fit(served.decode_fits, "A step halfway through the answer")),
        ("requests", f"{format_number(served.requests_per_s)} per s", "text", "What the machines serve together"),
        balance,
        ("prompts read, answers made", f"{format_number(reads)} and {format_number(makes)} per s", "text",
         "What each pass keeps up with alone"),
        *(
            (caption, *_cost(value, word), tip)
            for caption, value, tip in (
                ("million input tokens", costs.input_per_million, "Price per hour over the prompts read in it"),
                ("million output tokens", costs.output_per_million, "Price per hour over the tokens made in it"),
                ("a thousand requests", None if costs.request is None else 1000 * costs.request,
                 "Prompt and answer together"),
            )
        ),
    )  # fmt: skip


def _time(seconds: float) -> str:
    return format_quantity(seconds, "s")


def _fit(fits: bool | None, what: str) -> tuple[str, str]:
    return ("warn", f"{what}: more than the memory holds") if fits is False else ("text", what)


def _transfer(served: SplitServing) -> str:
    if served.on_one:
        return "Keys and values stay where they are"
    return (
        f"{format_quantity(served.transfer_bytes, 'B')} of keys and values of a prompt over the {served.link}"
    )


def _cost(value: float | None, currency: str) -> tuple[str, str]:
    return (_UNPAID, "muted") if value is None else (f"{format_number(value)} {currency}", "text")

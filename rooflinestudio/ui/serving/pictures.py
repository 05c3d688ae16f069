"""The two plots of the serving view as pictures: traffic of a step, tokens per second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.ui.serving.plot_model import Curve, Mark, PlotPicture, Shade, value_at
from rooflinestudio.ui.serving.words import count_text

if TYPE_CHECKING:
    from rooflinestudio.core.serving.view import ServingPicture

__all__ = ["rate_picture", "traffic_picture"]

_GIGA: Final = 1e9
_DASH: Final = (6.0, 4.0)
_LEAST_SHARE: Final = 2e-3
"""Where the cache is this little of the weights, the axis ends."""

_WORDS: Final = {
    "batch": ("batch", "batch, sequences", "sequences"),
    "context": ("context", "context, tokens", "tokens"),
}


def traffic_picture(shown: ServingPicture) -> PlotPicture:
    """Return weights and cache of a step, with the value at which they are equal."""
    curve, slot = shown.traffic, shown.row.entry.slot
    word, title, unit = _WORDS[curve.over]
    x = tuple(map(float, curve.values))
    weights, cache = (
        tuple(float(one) / _GIGA for one in each) for each in (curve.weight_bytes, curve.kv_bytes)
    )
    both = tuple(a + b for a, b in zip(weights, cache, strict=True))
    low = max(min(weights) * _LEAST_SHARE, min((one for one in cache if one > 0), default=min(weights)))
    faint = None if curve.most is None else float(curve.most)
    here = value_at(x, both, float(curve.here))
    marks = []
    if here is not None:
        share = f"{shown.decoding.kv_share:.0%} of bytes: KV cache" if shown.decoding is not None else ""
        label = f"{word} {count_text(curve.here)}: {format_quantity(here * _GIGA, 'B')}"
        marks.append(Mark(float(curve.here), here, "dot", (label, share), slot, slot=True))
    if curve.crossover is not None and x[0] <= curve.crossover <= x[-1]:
        height = value_at(x, weights, curve.crossover)
        marks.append(
            Mark(curve.crossover, height or weights[0], "cross",
                 (f"crossover {count_text(curve.crossover)}", "then the cache is more"), drop=True)
        )  # fmt: skip
    curves = (
        Curve("weights", x, weights, "text2", 1.6, _DASH),
        Curve("KV cache", x, cache, slot, 2.4, (), faint, slot=True),
        Curve("both", x, both, "muted", 1.2, (2.0, 2.0)),
    )
    return PlotPicture(
        f"Traffic of a step over the {word}",
        _subtitle(shown, without=curve.over),
        title,
        "GB a step",
        (x[0], x[-1]),
        (low * 0.8, max(both) * 1.5),
        curves,
        tuple(marks),
        _shade(shown, curve.most, unit, x[-1]),
        "; ".join(line for mark in marks for line in mark.lines),
    )


def rate_picture(shown: ServingPicture) -> PlotPicture:
    """Return tokens per second over the batch, with the cache and without it."""
    curve, slot = shown.rates, shown.row.entry.slot
    x = tuple(map(float, curve.values))
    given, alone = (tuple(map(float, each)) for each in (curve.with_cache, curve.without_cache))
    faint = None if curve.most is None else float(curve.most)
    step = shown.decoding
    marks = [
        Mark(
            float(curve.here), curve.here_rate, "dot",
            (f"batch {count_text(curve.here)}: {format_number(curve.here_rate)} tok/s",
             f"{format_quantity(float(step.placement.time_s), 's')} a step" if step is not None else ""),
            slot, slot=True,
        )
    ]  # fmt: skip
    if curve.here_without > 1.005 * curve.here_rate:
        words = f"{format_number(curve.here_without)} without the cache"
        marks.append(Mark(float(curve.here), curve.here_without, "ring", (words,)))
    if curve.ridge_batch is not None and curve.ridge_rate is not None and curve.ridge_batch <= x[-1]:
        marks.append(
            Mark(
                float(curve.ridge_batch),
                curve.ridge_rate,
                "triangle",
                (f"ridge {count_text(curve.ridge_batch)}",),
            )
        )
    return PlotPicture(
        "Tokens per second over the batch",
        _subtitle(shown, without="batch"),
        "batch, sequences",
        "tokens/s, all sequences",
        (x[0], x[-1]),
        (given[0] * 0.7, max(*given, *alone) * 1.6),
        (
            Curve("with KV cache", x, given, slot, 2.4, (), faint, slot=True),
            Curve("weights only", x, alone, "text2", 1.6, _DASH),
        ),
        tuple(marks),
        _shade(shown, curve.most, "sequences", x[-1]),
        "; ".join(line for mark in marks for line in mark.lines),
    )


def _subtitle(shown: ServingPicture, *, without: str) -> str:
    step = shown.decoding
    if step is None:
        return ""
    other = f"context {count_text(step.context)}" if without == "batch" else f"batch {count_text(step.batch)}"
    formats = step.subject.formats
    stored = {formats["weight"].id, formats["kv"].id}
    words = stored.pop() if len(stored) == 1 else f"{formats['weight'].id} weights, {formats['kv'].id} cache"
    return f"{step.parameter('model')}, {other}, {words}, {step.subject.profile.short_name}"


def _shade(shown: ServingPicture, most: int | None, unit: str, end: float) -> Shade | None:
    if most is None or most >= end or shown.row.profile is None:
        return None
    capacity = shown.row.profile.boundaries["dram"].capacity
    size = f" in {format_quantity(capacity.value, 'B', digits=2)}" if capacity is not None else ""
    more = f"more than {count_text(most)} {unit}" if most else "the weights alone are more"
    return Shade(max(float(most), 1e-3), (f"does not fit{size}", more))

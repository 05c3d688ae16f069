"""The comparison of two measured files in words: what became of a kernel, and of the whole."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.core.variant_ratios import factor_words, time_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.series.figures import SeriesFigures, SeriesTotal
    from rooflinestudio.core.series.matching import SeriesMatch

__all__ = [
    "BY_NAME", "CHANGES", "arrow_words", "counts_words", "file_words", "kernel_name", "line_words", "ratio_or_dash",
    "total_words",
]  # fmt: skip

CHANGES: Final = ("matched", "new", "gone")
BY_NAME: Final = "Matched by name: grid or block differ."
_SPACE: Final = "\u202f"


def ratio_or_dash(ratio: float) -> str:
    """Return a ratio of times with its direction, a dash where there is none."""
    return "–" if math.isnan(ratio) else time_words(ratio)


def kernel_name(match: SeriesMatch, line_of: SeriesFigures, line: int) -> str:
    """Return the full name of the kernel of a line, as the file from after has it, else the one from before."""
    for overlay, side in ((match.after, line_of.after), (match.before, line_of.before)):
        first = int(side.first[line])
        if first >= 0:
            return _text(overlay, "kernel", first)
    return ""


def _text(overlay: Overlay, key: str, index: int) -> str:
    codes, texts = overlay.texts(key)
    code = int(codes[index])
    return texts[code] if code >= 0 else ""


def arrow_words(figures: SeriesFigures, line: int) -> tuple[str, str]:
    """Return what an arrow says, and the same in short: the ratio of times, and for how many launches it holds."""
    ratio = ratio_or_dash(float(figures.ratio("time_s")[line]))
    if ratio == "–":
        return "", ""
    many = int(figures.kernels[line])
    return (f"{ratio}, {_counted(many)} launches" if many > 1 else ratio), ratio


def line_words(figures: SeriesFigures, line: int, boundary: str) -> tuple[str, ...]:
    """Return everything about a matched line, one fact in each text; the first is the full name."""
    return (kernel_name(figures.match, figures, line), *_facts(figures, line, boundary))


def _facts(figures: SeriesFigures, line: int, boundary: str) -> Iterator[str]:
    match, before, after = figures.match, figures.before, figures.after
    yield f"{match.before.name} to {match.after.name}"
    many = int(figures.kernels[line])
    of = f" (sums of {_counted(many)} launches)" if many > 1 else ""
    ratio = float(figures.ratio("time_s")[line])
    if not math.isnan(ratio):
        yield f"{time_words(ratio)}{of}: {_change(before.time_s[line], after.time_s[line], 's')}"
    traffic = float(figures.ratio("traffic_bytes")[line])
    if not math.isnan(traffic):
        amounts = _change(before.traffic_bytes[line], after.traffic_bytes[line], "B")
        yield f"{factor_words('Q', traffic, digits=3)} at {boundary}: {amounts}"
    rate = float(figures.ratio("rate_flop_per_s")[line])
    if not math.isnan(rate):
        rates = _change(before.rate_flop_per_s[line], after.rate_flop_per_s[line], "FLOP/s")
        yield f"{factor_words('rate', rate, digits=3)}: {rates}{_pipe_words(figures, line)}"
    if before.launches[line] != after.launches[line] and not math.isnan(ratio):
        each = ratio * float(before.launches[line]) / float(after.launches[line])
        yield (
            f"{_counted(before.launches[line])} launches before, {_counted(after.launches[line])} after: "
            f"{time_words(each)} per launch"
        )
    if bool(match.by_name[line]):
        yield BY_NAME


def _pipe_words(figures: SeriesFigures, line: int) -> str:
    """Return on which pipes rates are compared, where it is not the main one of both files."""
    was, now, own = figures.pipes_of(line)
    if was != now:
        return f", on {was} before and {now} after"
    return f", on {now} (before, {own} was the main pipe)" if own != was else ""


def _change(before: float, after: float, unit: str) -> str:
    return f"{format_quantity(float(before), unit)} to {format_quantity(float(after), unit)}"


def file_words(figures: SeriesFigures, digest: str, index: int) -> tuple[str, ...]:
    """Return for the tool tip of a kernel which file it is of, and what became of it."""
    match = figures.match
    line = match.line_of(digest, index)
    if line < 0:
        return ()
    is_before = digest == match.before.digest
    role, file = ("before", match.before) if is_before else ("after", match.after)
    if not figures.total.matched:
        return (f"in {file.name}",)
    words = f"{role}: {file.name}"
    if match.change[line]:
        only = "gone from the file after" if is_before else "new: not in the file before"
        return (f"{words}, {only}",)
    ratio = float(figures.ratio("time_s")[line])
    if math.isnan(ratio):
        return (f"{words}, matched",)
    many = int(figures.kernels[line])
    of = f" over {_counted(many)} launches" if many > 1 else ""
    return (
        f"{words}, after is {time_words(ratio)}{of}"
        if abs(ratio - 1) >= 0.005
        else f"{words}, same time{of}",
    )


def counts_words(total: SeriesTotal) -> str:
    """Return how many kernels matched, are new and are gone; what there is none of is not told."""
    alone = f" ({_counted(total.by_name)} by name)" if total.by_name else ""
    parts = [f"{_counted(total.matched)} matched{alone}"]
    parts += [
        f"{_counted(count)} {word}" for count, word in ((total.new, "new"), (total.gone, "gone")) if count
    ]
    return " · ".join(parts)


def total_words(total: SeriesTotal) -> str:
    """Return the time of both files and the ratio; empty where none was measured, or no kernel is in both."""
    if math.isnan(total.ratio) or not total.matched:
        return ""
    times = _change(total.time_before_s, total.time_after_s, "s")
    return f"Σt {times}: {time_words(total.ratio)}"


def _counted(count: float) -> str:
    return f"{count:,.0f}".replace(",", _SPACE)

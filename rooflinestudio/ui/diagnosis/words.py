"""A diagnosis in the words of this view: small texts of its rows, and the whole of it in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.diagnosis.words import times
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.diagnosis import Answer, Datum, Diagnosis, Gap, Reuse, Side, Standing

__all__ = [
    "LETTERS", "diagnosis_markdown", "distance_text", "gap_rows", "outcome_text", "rate_text", "standing_rows",
    "takeable_absorption", "value_text",
]  # fmt: skip

LETTERS: Final = ("W", "Q", "t")
"""What the three numbers are called."""

_SAME: Final = 0.005
"""Two absorptions that are shown alike are the same."""


def outcome_text(answer: Answer) -> str:
    """Return the outcome as a chip says it."""
    return answer.outcome if answer.outcome == "cannot be answered" else f"answered: {answer.outcome}"


def value_text(datum: Datum) -> str:
    """Return a figure without its label."""
    return datum.text.removeprefix(f"{datum.label} ")


def rate_text(side: Side) -> str:
    """Return what was achieved of a roof: ``3 TB/s of 3.35 TB/s``."""
    unit = "FLOP/s" if side.kind == "compute" else "B/s"
    return f"{format_quantity(side.achieved, unit)} of {format_quantity(side.limit, unit)}"


def distance_text(side: Side) -> str:
    """Return how far a roof is: ``1.12× to it``; what weakens the statement stands behind it."""
    if not side.share:
        return "idle"
    weak = "" if side.strict else ", rough" if side.binds else ", an upper bound: never binds"
    return (
        f"{times(1 / side.share)} to it{weak}" if side.share <= 1 else f"{times(side.share)} above it{weak}"
    )


def standing_rows(standing: Standing) -> Iterator[tuple[str, str]]:
    """Yield caption and value of what there is to win."""
    achieved, attainable = standing.achieved_flop_per_s, standing.attainable_flop_per_s
    if achieved is not None and attainable is not None:
        yield "achieved", format_quantity(achieved, "FLOP/s")
        yield "attainable", format_quantity(attainable, "FLOP/s")
    if standing.headroom < 1:
        return  # above its roof: there is nothing to win, and a figure is wrong
    yield "headroom", times(standing.headroom)
    if standing.won_s is not None and standing.time_s is not None:
        yield (
            "time to win",
            f"{format_quantity(standing.won_s, 's')} of {format_quantity(standing.time_s, 's')}",
        )


def gap_rows(gap: Gap) -> Iterator[tuple[str, str]]:
    """Yield caption and value of each ratio, measured over predicted."""
    ratios = (
        ("time", gap.time),
        (f"traffic Q at {gap.label}", gap.traffic),
        ("work W", gap.work),
        ("roof that lies elsewhere", gap.roof),
        ("distance to that roof", gap.headroom),
    )
    yield from ((caption, times(ratio)) for caption, ratio in ratios if ratio is not None)


def takeable_absorption(diagnosis: Diagnosis) -> float | None:
    """Return the absorption that the measured traffic tells, with two digits; None where it cannot, or is set."""
    reuse: Reuse | None = diagnosis.reuse
    if reuse is None or reuse.absorption is None or diagnosis.placement is None:
        return None
    found = round(reuse.absorption, 2)
    settings = diagnosis.placement.settings
    if not 0 <= found <= 1 or (settings.policy == "modelled" and abs(settings.absorption - found) < _SAME):
        return None
    return found


def diagnosis_markdown(diagnosis: Diagnosis) -> str:
    """Return all of a diagnosis in Markdown."""
    measurement = diagnosis.measurement
    blocks = [
        f"## `{measurement.kernel}`",
        f"Launch {measurement.launch} on {diagnosis.profile.name}",
        f"**{diagnosis.verdict}**",
        "\n".join(_number_lines(diagnosis)),
    ]
    for above in diagnosis.above:
        causes = [
            f"{at}. {one.words}{' (likely)' if one.likely else ''}" for at, one in enumerate(above.causes, 1)
        ]
        blocks += [above.text, "\n".join(causes)]
    for answer in diagnosis.answers:
        blocks += _answer_blocks(answer)
    if diagnosis.standing is not None:
        blocks += ["### Where it stands", "\n".join(_standing_lines(diagnosis.standing))]
    if diagnosis.gap is not None:
        blocks += ["### Against the prediction", diagnosis.gap.text]
    if diagnosis.notes:
        blocks.append("\n".join(f"- {note}" for note in diagnosis.notes))
    if diagnosis.command:
        blocks += ["To answer what is open:", f"```sh\n{diagnosis.command}\n```"]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _number_lines(diagnosis: Diagnosis) -> Iterator[str]:
    yield "| | value | from |"
    yield "| --- | ---: | --- |"
    for letter, datum in zip(LETTERS, diagnosis.numbers, strict=True):
        origin = f"{datum.origin}: {datum.recipe}" if datum.recipe else datum.origin
        yield f"| {letter} | {value_text(datum)} | {origin.replace('|', '&#124;')} |"


def _standing_lines(standing: Standing) -> Iterator[str]:
    for side in standing.sides:
        yield f"- {side.label}: {rate_text(side)}, {distance_text(side)}"
    yield from (f"- {caption}: {value}" for caption, value in standing_rows(standing))


def _answer_blocks(answer: Answer) -> Iterator[str]:
    yield f"### {answer.number}. {answer.question} ({outcome_text(answer)})"
    yield " ".join(filter(None, (answer.text, answer.remedy)))
    yield "; ".join(one.text for one in answer.figures)
    if answer.collect:
        yield f"Missing: {', '.join(answer.collect)}"

"""A diagnosis as lines of text, and as plain data for JSON."""

from __future__ import annotations

import math
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.diagnosis.words import times
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.diagnosis import Above, Answer, Datum, Diagnosis, Side, Standing

__all__ = ["diagnosis_document", "diagnosis_lines"]

_WIDTH: Final = 110
_MARKS: Final = {"no problem": "[ok]", "found": "[!!]", "cannot be answered": "[??]"}


# --------------------------------------------------------------------------------------------- as text


def diagnosis_lines(diagnosis: Diagnosis) -> list[str]:
    """Return a diagnosis for a terminal."""
    measurement = diagnosis.measurement
    lines = [measurement.kernel_short, f"  launch {measurement.launch} on {diagnosis.profile.name}"]
    lines += _wrapped(diagnosis.verdict, "  ")
    lines.append("")
    for datum in diagnosis.numbers:
        origin = f"({datum.origin}: {datum.recipe})" if datum.recipe else f"({datum.origin})"
        lines += _wrapped(f"{datum.text}  {origin}", "  ")
    lines += _roof_lines(diagnosis.standing)
    for above in diagnosis.above:
        lines += ["", *_above_lines(above)]
    for answer in diagnosis.answers:
        lines += ["", *_answer_lines(answer)]
    if diagnosis.gap is not None:
        lines += ["", *_wrapped(f"Against the prediction: {diagnosis.gap.text}", "  ")]
    if diagnosis.notes:
        lines.append("")
    for note in diagnosis.notes:
        lines += _wrapped(f"Note: {note}", "  ")
    if diagnosis.command:
        lines += ["", "  To answer what is open:", f"    {diagnosis.command}"]
    return lines


def _wrapped(text: str, indent: str) -> list[str]:
    return wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def _roof_lines(standing: Standing | None) -> Iterator[str]:
    if standing is None:
        return
    attainable = standing.attainable_flop_per_s
    if attainable is not None and standing.achieved_flop_per_s is not None:
        achieved = format_quantity(standing.achieved_flop_per_s, "FLOP/s")
        yield f"  P {achieved} of {format_quantity(attainable, 'FLOP/s')} attainable"
    for side in standing.sides:
        unit = "FLOP/s" if side.kind == "compute" else "B/s"
        rough = "" if side.strict else " (rough)" if side.binds else " (an upper bound: never binds)"
        yield (
            f"  {side.label:<16} {format_quantity(side.achieved, unit):>14} of {format_quantity(side.limit, unit):<14} "
            f"{times(1 / side.share) + ' to it' if side.share else 'idle'}{rough}"
        )


def _above_lines(above: Above) -> Iterator[str]:
    yield from _wrapped(f"[!!] {above.text}", "  ")
    for place, cause in enumerate(above.causes, 1):
        likely = " (likely)" if cause.likely else ""
        yield from _wrapped(f"{place}. {cause.words}{likely}", "       ")


def _answer_lines(answer: Answer) -> Iterator[str]:
    yield f"  {_MARKS[answer.outcome]} {answer.number}  {answer.question}  {answer.outcome}"
    yield from _wrapped(answer.text, "       ")
    if answer.figures:
        yield from _wrapped("; ".join(one.text for one in answer.figures), "       ")
    if answer.remedy:
        yield from _wrapped(answer.remedy, "       ")
    if answer.collect:
        yield from _wrapped("collect: " + ", ".join(answer.collect), "       ")


# --------------------------------------------------------------------------------------------- as data


def diagnosis_document(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return a diagnosis as plain data; absent and infinite figures are None."""
    measurement, placement = diagnosis.measurement, diagnosis.placement
    return {
        "launch": measurement.launch,
        "kernel": measurement.kernel,
        "hardware": diagnosis.profile.id,
        "kind": diagnosis.kind,
        "verdict": diagnosis.verdict,
        "numbers": dict(zip(("work", "traffic", "time"), map(_datum, diagnosis.numbers), strict=True)),
        "roofs": _standing(diagnosis.standing),
        "questions": [_answer(one) for one in diagnosis.answers],
        "above": [_above(one) for one in diagnosis.above],
        "prediction": None if placement is None else _prediction(diagnosis),
        "notes": list(diagnosis.notes),
        "command": diagnosis.command or None,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _datum(datum: Datum) -> dict[str, Any]:
    return {
        "label": datum.label,
        "value": _finite(datum.value),
        "unit": datum.unit,
        "origin": datum.origin,
        "recipe": datum.recipe,
        "quality": datum.quality if datum.value is not None else None,
    }


def _standing(standing: Standing | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    return {
        "binding": standing.binding.id,
        "bound": standing.binding.kind,
        "near": standing.binding.near,
        "headroom": standing.headroom,
        "achieved_flop_per_s": standing.achieved_flop_per_s,
        "attainable_flop_per_s": standing.attainable_flop_per_s,
        "roof_s": standing.roof_s,
        "to_win_s": standing.won_s,
        "sides": [_side(one) for one in standing.sides],
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "id": side.id,
        "label": side.label,
        "kind": side.kind,
        "limit": side.limit,
        "achieved": side.achieved,
        "share": side.share,
        "reachable": side.reachable,
        "clock": side.clock,
        "near": side.near,
        "binds": side.binds,
        "rough": not side.strict,
    }


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "number": answer.number,
        "id": answer.id,
        "question": answer.question,
        "answer": answer.outcome,
        "headline": answer.headline,
        "sentence": answer.sentence,
        "figures": [_datum(one) for one in answer.figures],
        "remedy": answer.remedy or None,
        "collect": list(answer.collect),
        "command": answer.command or None,
    }


def _above(above: Above) -> dict[str, Any]:
    return {
        "kind": above.kind,
        "id": above.id,
        "label": above.label,
        "ratio": above.ratio,
        "text": above.text,
        "causes": [{"id": one.id, "words": one.words, "likely": one.likely} for one in above.causes],
    }


def _prediction(diagnosis: Diagnosis) -> dict[str, Any]:
    placement, gap, reuse = diagnosis.placement, diagnosis.gap, diagnosis.reuse
    return {
        "operator": placement.operator if placement is not None else None,
        "time_s": _finite(float(placement.time_s)) if placement is not None else None,
        "ratios": None
        if gap is None
        else {
            "time": gap.time,
            "traffic": gap.traffic,
            "work": gap.work,
            "roof": gap.roof,
            "headroom": gap.headroom,
            "boundary": gap.boundary,
        },
        "traffic": None
        if reuse is None
        else {
            "measured_bytes": reuse.measured_bytes,
            "compulsory_bytes": reuse.compulsory_bytes,
            "tiled_bytes": reuse.tiled_bytes,
            "assumed_bytes": reuse.assumed_bytes,
            "assumption": reuse.assumption,
            "absorption": reuse.absorption,
            "prize_s": reuse.prize_s,
        },
    }

"""Compute ceilings: sparse taken for dense, halved once too often, multiply-adds counted otherwise, a slip of 1000."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.core.profile_check.subject import near, shown
from rooflinestudio.core.quantities import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.places import Place
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = ["matrix_findings", "vector_findings"]

_AGREE: Final = 1.25
"""Formats of one pipe agree in their clock within this factor."""
_LOWEST: Final = 5e12
"""A matrix pipe below this is no reason to doubt the others."""
_TENSOR: Final = "-tensor"
_HALF: Final = "-fp16acc"
_GENERIC: Final = {
    "bf16": (1.0,), "fp16": (1.0,), "tf32": (0.25, 0.5, 1.0), "fp8": (1.0, 2.0), "int8": (1.0, 2.0),
    "fp6": (1.0, 2.0, 4.0), "fp4": (1.0, 2.0, 4.0, 6.0, 8.0), "int4": (1.0, 2.0, 4.0),
}  # fmt: skip
# Of the fp32 vector rate, what other vector formats can be; wide, to find slips of 1000 only.
_OF_FP32: Final = {
    "fp64": (1 / 80, 2.0), "fp16": (1 / 80, 8.0), "bf16": (1 / 4, 8.0), "int32": (1 / 16, 4.0), "int8": (1 / 4, 16.0),
    "special": (1 / 64, 4.0), "fp32-no-fma": (1 / 4, 1.0), "fp64-tensor": (1 / 200, 8.0),
    "fp32-tensor": (1 / 4, 64.0), "tf32-tensor": (1 / 4, 100.0),
}  # fmt: skip
_BY_BLAS: Final = ("fp32", "fp64")
"""What libraries do at full rate on a processor; fp16 and integers can really run at a thousandth there."""
_ANY_TENSOR: Final = (0.2, 500.0)


class _Pipe(NamedTuple):
    """A matrix ceiling: its rate, and the rate divided by what a multiprocessor does per clock."""

    id: str
    place: Place
    rate: float
    unit: float


def slip_of(factor: float) -> float:
    """Return the slip that a factor to the expected rate looks like: 2, 4, 1/2, 1/4, 1000, 1/1000; else 1."""
    for slip, low, high in ((2.0, 1.7, 2.4), (4.0, 3.4, 4.8), (1000.0, 500.0, 2500.0)):
        if low <= factor <= high:
            return slip
        if 1 / high <= factor <= 1 / low:
            return 1 / slip
    return 1.0


def matrix_findings(subject: Subject) -> Iterator[Finding]:
    """Look at the matrix pipes: against clock and multiprocessors, against each other, against relatives."""
    pipes = _pipes(subject)
    if not pipes:
        yield from _formats_of_unknown(subject)
        return
    common = _agreed(pipes)
    anchor, words = _anchor(subject)
    for pipe in pipes:
        slip, by = _slip(pipe, anchor, common)
        if slip == 1.0 and anchor is None:
            slip, by = _slip_by_relatives(subject, pipe), "relatives"
        if slip != 1.0:
            yield _rate_finding(subject, pipe, slip, words if by == "anchor" else by)


def _pipes(subject: Subject) -> list[_Pipe]:
    family = subject.family
    if family is None or not family.ratios:
        return []
    pipes = []
    for id_, place, figure in subject.stated_rates():
        per_clock = (family.tensor or 1.0) * _multiple(subject, id_)
        if per_clock:
            pipes.append(_Pipe(id_, place, figure.value, figure.value / per_clock))
    return pipes


def _multiple(subject: Subject, id_: str) -> float:
    """Return the rate of a matrix format as a multiple of the 16-bit one; 0 for what is not judged."""
    assert subject.family is not None
    dtype, tensor, variant = id_.partition(_TENSOR)
    ratio = subject.family.ratios.get(dtype, 0.0) if tensor and variant in ("", _HALF) else 0.0
    halved = subject.geforce and not variant and dtype in ("bf16", "fp16", "tf32", "fp8")
    return ratio / 2 if halved else ratio


def _agreed(pipes: list[_Pipe]) -> float | None:
    """Return the multiprocessors × clock that most formats agree on; the lower where as many agree on two."""
    if len(pipes) < 2:
        return None
    ordered = sorted(pipes, key=lambda pipe: pipe.unit)
    counts = [
        (sum(1 / _AGREE < one.unit / pipe.unit < _AGREE for one in ordered), pipe.rate > _LOWEST)
        for pipe in ordered
    ]
    return ordered[counts.index(max(counts))].unit


def _anchor(subject: Subject) -> tuple[float | None, str]:
    """Return multiprocessors × clock, from the figures themselves or from the fp32 rate, and which it was."""
    family = subject.family
    assert family is not None
    if not family.tensor:
        return None, ""
    if subject.unit_clock is not None:
        return subject.unit_clock, "clock"
    fp32 = subject.profile.ceilings.get("fp32")
    if fp32 is None or fp32.stated is None or len(family.vector) != 1:
        return None, ""
    return fp32.stated.value / family.vector[0], "fp32"


def _slip(pipe: _Pipe, anchor: float | None, common: float | None) -> tuple[float, str]:
    """Return the slip of a format and what it was held against.

    Too high counts against the anchor; too low only against the other formats, since a part may be held back.
    """
    if anchor is not None:
        factor = pipe.unit / anchor
        slip = slip_of(factor)
        if slip not in (1.0, 0.5, 0.25):
            return slip, "anchor"
        if factor > 1 / _AGREE:
            return 1.0, "anchor"
    return (slip_of(pipe.unit / common) if common is not None else 1.0), "formats"


def _slip_by_relatives(subject: Subject, pipe: _Pipe) -> float:
    known = subject.values(("ceilings", pipe.id))
    if not known or pipe.rate <= known[-1] * _AGREE:
        return 1.0
    for slip in (2.0, 4.0, 1000.0):
        if any(near(pipe.rate / slip, one, 0.06) for one in known):
            return slip
    return 1.0


def _rate_finding(subject: Subject, pipe: _Pipe, slip: float, words: str) -> Finding:
    likely = pipe.rate / slip
    why = _why(subject, pipe, slip, words)
    if slip in (1000.0, 1 / 1000.0):
        return _thousand(subject, pipe.place, likely, why)
    if slip > 1:
        accumulates = " GeForce cards reach it only when they accumulate in fp16." if subject.geforce else ""
        mend = (
            f"Data sheets print rates with 2:4 sparsity, at twice the dense one.{accumulates} "
            f"Enter the dense rate, {shown(likely, pipe.place)}."
        )
        return subject.finding("sparse", pipe.place, why, mend, likely=likely, severity="wrong")
    mend = f"A dense rate may have been halved again: {shown(likely, pipe.place)} is likely."
    return subject.finding("halved", pipe.place, why, mend, likely=likely)


def _why(subject: Subject, pipe: _Pipe, slip: float, words: str) -> str:
    family = subject.family
    assert family is not None
    times = times_words(slip)
    per_clock = family.tensor * _multiple(subject, pipe.id)
    if words == "clock" and subject.unit_clock:
        found = format_number(round(pipe.rate / subject.unit_clock), digits=1)
        return (
            f", which is {found} FLOP per clock and multiprocessor: {times} the dense "
            f"{format_number(per_clock, digits=1)} of {family.name}."
        )
    if words == "fp32":
        return f", {times} what {family.name} does at the clock that its fp32 rate implies."
    if words == "relatives":
        known = subject.values(("ceilings", pipe.id))
        return f", above every other {family.name} part known here (up to {shown(known[-1], pipe.place)})."
    return f", {times} what the other matrix formats of {family.name} imply."


def times_words(slip: float) -> str:
    """Say a factor in words that go before "the …"."""
    words = {
        2.0: "twice", 4.0: "four times", 8.0: "eight times", 16.0: "sixteen times", 1000.0: "a thousand times",
        0.5: "half of", 0.25: "a quarter of", 0.125: "an eighth of", 0.001: "a thousandth of",
    }  # fmt: skip
    known = next((text for factor, text in words.items() if near(slip, factor, 1e-9)), None)
    return known or (f"{slip:.3g} times" if slip > 1 else f"1/{1 / slip:.3g} of")


def _formats_of_unknown(subject: Subject) -> Iterator[Finding]:
    """Hold the matrix formats of an architecture that is not known against the 16-bit one, and against relatives."""
    rates = {id_: (place, figure.value) for id_, place, figure in subject.stated_rates()}
    sixteen = [rates[id_][1] for id_ in ("bf16-tensor", "fp16-tensor") if id_ in rates]
    for id_, (place, rate) in rates.items():
        allowed = _GENERIC.get(id_.removesuffix(_TENSOR)) if id_.endswith(_TENSOR) else None
        if not sixteen or not allowed:
            continue
        ratio = rate / min(sixteen)
        slip = next(
            (one for one in (2.0, 4.0) if any(near(ratio / one, usual, 0.03) for usual in allowed)), 1.0
        )
        if slip == 1.0 or any(near(ratio, usual, 0.1) for usual in allowed):
            continue
        why = f", {format_number(ratio)} times the 16-bit matrix rate; {times_words(slip)} what is usual."
        mend = f"If that is with 2:4 sparsity, enter the dense rate, {shown(rate / slip, place)}."
        yield subject.finding("sparse", place, why, mend, likely=rate / slip)


def vector_findings(subject: Subject) -> Iterator[Finding]:
    """Look at fp32 against clock and multiprocessors, and at every other rate against fp32."""
    rates = {
        id_: (place, figure.value)
        for id_, place, figure in subject.rates_in_use()
        if not (figure.provenance == "measured" and subject.profile.kind == "cpu" and id_ not in _BY_BLAS)
    }
    if "fp32" not in rates:
        return
    found = _fp32_finding(subject) or _slip_of_fp32(subject, rates)
    if found is not None:
        yield found
    else:
        yield from _slips_against_fp32(subject, rates)


def _fp32_finding(subject: Subject) -> Finding | None:
    family = subject.family
    stated = next(((place, one) for id_, place, one in subject.stated_rates() if id_ == "fp32"), None)
    clock = subject.clock_of(stated[1]) if stated is not None else None
    if family is None or not family.vector or clock is None or stated is None:
        return None
    place, value = stated[0], stated[1].value
    if any(0.8 < value / (clock * one) < _AGREE for one in family.vector):
        return None
    slip = slip_of(value / (clock * family.vector[0]))
    if slip in (1.0, 4.0, 0.25) or (slip == 0.5 and _are_all_low(subject)):
        return None
    usual = format_number(family.vector[0])
    why = f", {times_words(slip)} the {usual} FLOP per clock and multiprocessor of {family.name}."
    likely = shown(value / slip, place)
    if slip not in (2.0, 0.5):
        return _thousand(subject, place, value / slip, why)
    mend = f"A multiply-add counts as two here: {likely} is likely."
    return subject.finding("counting", place, why, mend, likely=value / slip)


def _are_all_low(subject: Subject) -> bool:
    """Whether the matrix formats are as far below what the units do: then it is the clock, not the count."""
    common, clock = _agreed(_pipes(subject)), subject.unit_clock
    return common is not None and clock is not None and common < clock / _AGREE


def _thousand(subject: Subject, place: Place, likely: float, why: str) -> Finding:
    mend = f"A unit is off by a thousand: {shown(likely, place)} is likely."
    return subject.finding("thousand", place, why, mend, likely=likely, severity="wrong")


_Rates = dict[str, tuple["Place", float]]


def _slips_of(rates: _Rates) -> dict[str, float]:
    """Return, for each rate that is judged by fp32, its slip: 1, 1000 or 1/1000."""
    fp32, slips = rates["fp32"][1], {}
    for id_, (_, rate) in rates.items():
        low, high = _OF_FP32.get(id_, _ANY_TENSOR if _TENSOR in id_ else (0.0, 0.0))
        if high:
            ratio = rate / fp32
            slip = 1.0 if low <= ratio <= high else 1000.0 if ratio > high else 1 / 1000.0
            slips[id_] = slip if low <= ratio / slip <= high else 1.0
    return slips


def _slip_of_fp32(subject: Subject, rates: _Rates) -> Finding | None:
    """Return the finding that fp32 itself has slipped, where most other rates say so."""
    slips = list(_slips_of(rates).values())
    slip = max(slips, key=slips.count, default=1.0)
    if slip == 1.0 or slips.count(slip) < 2 or slips.count(slip) * 2 <= len(slips):
        return None
    place, value = rates["fp32"]
    why = ", a thousand times too " + ("little" if slip > 1 else "much") + " beside the other rates."
    return _thousand(subject, place, value * slip, why)


def _slips_against_fp32(subject: Subject, rates: _Rates) -> Iterator[Finding]:
    fp32 = rates["fp32"][1]
    if "fp32-no-fma" in rates and near(rates["fp32-no-fma"][1] / fp32, 1.0, 0.02):
        why = ", as much as with multiply-adds, but one operation per clock is half of two."
        mend = f"Enter {shown(fp32 / 2, rates['fp32-no-fma'][0])}."
        yield subject.finding("counting", rates["fp32-no-fma"][0], why, mend, likely=fp32 / 2)
    judged = {pipe.id for pipe in _pipes(subject)}
    for id_, slip in _slips_of(rates).items():
        if slip != 1.0 and id_ not in judged:
            place, rate = rates[id_]
            why = f", {format_number(rate / fp32)} times the fp32 rate."
            yield _thousand(subject, place, rate / slip, why)

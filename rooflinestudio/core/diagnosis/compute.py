"""First question: whether the matrix pipes are used, and under which ceiling the kernel stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.diagnosis.answer import Answer, found, no_problem, unanswered
from rooflinestudio.core.diagnosis.case import BUSY, Datum, paired_words
from rooflinestudio.core.diagnosis.roofs import matrix_ceiling
from rooflinestudio.core.diagnosis.words import percent, times
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis.case import Case
    from rooflinestudio.core.diagnosis.roofs import Standing

__all__ = ["tensor_answer"]

ID: Final = "tensor"
QUESTION: Final = "Are the tensor cores used at all?"
MOST: Final = 0.5
"""Share of the arithmetic below which the matrix pipe does the lesser part."""
_REMEDY: Final = "Use a kernel with matrix instructions, or judge this one by the ceiling that it runs under."


def tensor_answer(case: Case, standing: Standing | None) -> Answer:
    """Answer from operations counted on the matrix pipe, else from its activity, else from what is possible at all."""
    if not any(id_.endswith("-tensor") for id_ in case.profile.ceilings):
        return no_problem(
            ID, QUESTION, "There are none.", f"{case.profile.name} has vector pipes only: {_under(case)}"
        )
    tensor = {pipe: rate for pipe, rate in case.rates.items() if "tensor" in pipe}
    vector = {pipe: rate for pipe, rate in case.rates.items() if "tensor" not in pipe}
    if tensor:
        return _counted(case, tensor, vector)
    active = case.extra("tensor_active_share")
    if active is not None and active >= BUSY:
        return no_problem(
            ID, QUESTION, "Yes.", f"The tensor pipe was active for {percent(active)} of the cycles. {_under(case)}",
            (_active(case),),
        )  # fmt: skip
    if case.tensor_counted or active is not None:
        return _unused(case, standing, vector)
    return _not_counted(case, standing, vector)


def _active(case: Case) -> Datum:
    return case.datum("tensor_active_share", "tensor pipe active", "%")


def _under(case: Case) -> str:
    """Say which ceiling the kernel is held against."""
    ceiling = case.ceiling_of(case.pipe) if case.pipe is not None else None
    if ceiling is None:
        return "Which ceiling it stands under is not known without its arithmetic."
    figure = case.profile.ceilings[ceiling]
    return f"The ceiling is {figure.label}, {format_quantity(figure.flop_per_s, 'FLOP/s')}."


def _counted(case: Case, tensor: dict[str, float], vector: dict[str, float]) -> Answer:
    total = sum(tensor.values()) + sum(vector.values())
    share = sum(tensor.values()) / total
    figures = (
        *(_rate(pipe, rate) for pipe, rate in (tensor | vector).items()),
        Datum("share of the tensor pipe", share, "%", "worked out", "operations on it / all operations"),
        _active(case),
    )
    if share >= MOST:
        longer = f", but {case.pipe} takes longer for its part" if case.pipe in vector else ""
        sentence = f"{percent(share)} of the arithmetic runs on them{longer}. {_under(case)}"
        return no_problem(ID, QUESTION, "Yes.", sentence, figures)
    sentence = f"Only {percent(share)} of the arithmetic runs on them, the rest on {', '.join(vector)}. {_under(case)}"
    return found(ID, QUESTION, "For the lesser part.", sentence, figures, remedy=_REMEDY)


def _rate(pipe: str, rate: float) -> Datum:
    return Datum(pipe, rate, "FLOP/s", "counter", f"work on {pipe} / time")


def _unused(case: Case, standing: Standing | None, vector: dict[str, float]) -> Answer:
    """Judge a kernel that is known to run without matrix instructions."""
    figures = (*(_rate(*one) for one in vector.items()), _active(case))
    wanted = case.placement is not None and case.placement.estimate.main_pipe.endswith("-tensor")
    if wanted and case.placement is not None:
        sentence = (
            f"{paired_words(case.placement)} was predicted on {case.placement.estimate.main_pipe}, and the kernel runs "
            f"without. {_against(case)}"
        )
        return found(ID, QUESTION, "No, although they were expected.", sentence, figures, remedy=_REMEDY)
    if not vector and case.work.value is None:
        sentence = "The tensor pipe was idle. Arithmetic on the other pipes was not counted."
        return no_problem(ID, QUESTION, "No.", sentence, figures)
    if not vector:
        sentence = (
            "No floating-point work was counted on any pipe: only bytes and time speak for this kernel."
        )
        return no_problem(ID, QUESTION, "No, and nothing to compute.", sentence, figures)
    if standing is None or standing.binding.kind == "compute":
        return found(ID, QUESTION, "No.", _against(case), figures, remedy=_REMEDY)
    sentence = (
        f"Not needed: {standing.binding.label} runs out before {case.pipe} does, so another pipe would change nothing. "
        f"{_under(case)}"
    )
    return no_problem(ID, QUESTION, "No.", sentence, figures)


def _against(case: Case) -> str:
    """Compare the ceiling that the kernel runs under with that of the matrix pipe."""
    pipe = case.pipe
    matrix = matrix_ceiling(case.profile, pipe) if pipe is not None else None
    ceiling = case.ceiling_of(pipe) if pipe is not None else None
    if matrix is None or ceiling is None:
        return _under(case)
    other = case.profile.ceilings[matrix]
    ratio = other.flop_per_s / case.profile.ceilings[ceiling].flop_per_s
    return f"It runs on {pipe}, whose ceiling is {times(ratio)} below {other.label}. {_under(case)}"


def _not_counted(case: Case, standing: Standing | None, vector: dict[str, float]) -> Answer:
    """Conclude from rates and roofs where no counter of the matrix pipe is there."""
    if case.takes_paired_work and case.rate is not None:
        fastest = max(
            (one.flop_per_s for id_, one in case.profile.ceilings.items() if not id_.endswith("-tensor")),
            default=0.0,
        )
        if case.rate > fastest:
            sentence = (
                f"They must be: {format_quantity(case.rate, 'FLOP/s')} is more than any vector pipe has "
                f"({format_quantity(fastest, 'FLOP/s')}). {_under(case)}"
            )
            rate = Datum("rate", case.rate, "FLOP/s", "paired", case.work.recipe)
            return no_problem(ID, QUESTION, "Yes.", sentence, (rate,))
    elif case.vectors_do_all:
        return _unused(case, standing, vector)
    near = standing is not None and standing.binding.kind == "memory" and standing.binding.near
    if near and standing is not None:
        sentence = f"Their operations were not counted, and need not be: the kernel stands at {standing.binding.label}."
        return no_problem(ID, QUESTION, "No matter.", sentence, tuple(_rate(*one) for one in vector.items()))
    return unanswered(
        ID,
        QUESTION,
        ("tensor_work", "tensor_active_share"),
        case,
        "Pairing it with an operator gives its work as well.",
    )

"""The answer to one question of a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.diagnosis_counters import COUNTERS, command_for, counter_names
from rooflinestudio.core.diagnosis_words import listed

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis_case import Case, Datum

__all__ = ["QUESTIONS", "Answer", "Outcome", "found", "no_problem", "unanswered"]

Outcome = Literal["no problem", "found", "cannot be answered"]

QUESTIONS: Final = ("tensor", "saturation", "parallelism", "size", "reuse", "quantisation")
"""Ids in their order, which never changes: each is cheaper to check than the next, and may explain all of a gap."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the data says to one question.

    Attributes
    ----------
    id
        One of :data:`QUESTIONS`.
    question
        In words, with the machine's own word for its memory.
    outcome
        ``no problem``, ``found`` or ``cannot be answered``.
    headline, sentence
        The answer in a few words; then one or two sentences with the figures.
    figures
        What the answer rests on.
    missing
        Names of the figures (:data:`COUNTERS`) without which there is no answer.
    collect, command
        What is missing, as the profiler calls it, and the command that collects it.
    remedy
        What to do about what was found, or empty.
    """

    id: str
    question: str
    outcome: Outcome
    headline: str
    sentence: str
    figures: tuple[Datum, ...] = ()
    missing: tuple[str, ...] = ()
    collect: tuple[str, ...] = ()
    command: str = ""
    remedy: str = ""

    @property
    def number(self) -> int:
        """Place in the order, from 1."""
        return QUESTIONS.index(self.id) + 1

    @property
    def text(self) -> str:
        """Headline and sentence."""
        return " ".join(filter(None, (self.headline, self.sentence)))


def no_problem(
    id_: str, question: str, headline: str, sentence: str, figures: tuple[Datum, ...] = ()
) -> Answer:
    """Answer that the question does not explain anything."""
    return Answer(id_, question, "no problem", headline, sentence, _there(figures))


def found(
    id_: str, question: str, headline: str, sentence: str, figures: tuple[Datum, ...] = (), *, remedy: str
) -> Answer:
    """Answer that something was found."""
    return Answer(id_, question, "found", headline, sentence, _there(figures), remedy=remedy)


def unanswered(
    id_: str,
    question: str,
    missing: tuple[str, ...],
    case: Case,
    sentence: str = "",
    figures: tuple[Datum, ...] = (),
) -> Answer:
    """Say that the data has no answer, and what would have one.

    Parameters
    ----------
    missing
        Names of figures to collect; empty where no profiler has what is missing, and the sentence says what has.
    """
    nvprof = case.is_nvprof
    collect = counter_names(missing, nvprof=nvprof)
    labels = listed([COUNTERS[one].label for one in missing], "or")
    lacks = f"The file gives no {labels}." if labels else ""
    return Answer(
        id_, question, "cannot be answered", "Not from this file." if missing else "Not yet.",
        " ".join(filter(None, (lacks, sentence))), _there(figures), missing, collect,
        command_for(missing, case.measurement, nvprof=nvprof),
    )  # fmt: skip


def _there(figures: tuple[Datum, ...]) -> tuple[Datum, ...]:
    return tuple(one for one in figures if one.value is not None)

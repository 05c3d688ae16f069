"""The answer to one question of a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.diagnosis.counters import COUNTERS
from rooflinestudio.core.diagnosis.tools import command_for, counter_names
from rooflinestudio.core.diagnosis.words import listed

if TYPE_CHECKING:
    from rooflinestudio.core.diagnosis.case import Case, Datum

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
    lacks = f"The file gives no {_labels(missing, 'or')}." if missing else ""
    needed = counter_names(missing, case.tool)
    there = tuple(one for one in needed if one in case.counters)
    said = " ".join(filter(None, (lacks, _has(needed, there), _beyond(missing, case), sentence)))
    return Answer(
        id_, question, "cannot be answered", "Not from this file." if missing else "Not yet.",
        said, _there(figures), missing,
        tuple(one for one in needed if one not in there) or needed,
        command_for(missing, case.measurement, case.tool),
    )  # fmt: skip


def _labels(names: tuple[str, ...], link: str) -> str:
    return listed([COUNTERS[one].label for one in names], link)


def _has(needed: tuple[str, ...], there: tuple[str, ...]) -> str:
    """Say which of the needed counters the file has after all."""
    if not there:
        return ""
    if len(there) < len(needed):
        return f"Of what is needed it has {listed(there)} alone."
    return f"It has {listed(there)}, but no value for this kernel that can be used."


def _beyond(missing: tuple[str, ...], case: Case) -> str:
    """Say what the tool cannot count."""
    never = tuple(name for name in missing if name not in case.tool.gives(missing))
    if not never:
        return ""
    if not case.tool.counters:
        return "No profiler of this machine is read."
    return f"{case.tool.label} counts no {_labels(never, 'or')}."


def _there(figures: tuple[Datum, ...]) -> tuple[Datum, ...]:
    return tuple(one for one in figures if one.value is not None)

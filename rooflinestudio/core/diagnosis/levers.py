"""What to try for what a diagnosis found: of the levers of the paired entry, those that answer a question's finding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.diagnosis import Diagnosis
    from rooflinestudio.core.levers import Lever, LeverKind
    from rooflinestudio.core.placing import EstimateSource, PlacedRow

__all__ = ["levers_by_question", "tried_levers"]

_KINDS: Final[Mapping[str, tuple[LeverKind, ...]]] = {
    "tensor": ("choice", "dtype"),
    "saturation": ("dtype", "choice", "size"),
    "parallelism": ("size", "choice"),
    "size": ("size",),
    "reuse": ("tile", "choice"),
    "quantisation": ("tile", "choice"),
}
"""Kinds of levers that work on what a question finds, the nearest first."""


def levers_by_question(diagnosis: Diagnosis, levers: Iterable[Lever]) -> dict[str, Lever]:
    """Return one lever for each question that found something, by the id of the question.

    The levers are those of the model, ranked by what they gain there; a fusion is no variant and is left out.
    """
    known = [one for one in levers if not one.change.chain]
    found: dict[str, Lever] = {}
    for answer in diagnosis.answers:
        if answer.outcome != "found":
            continue
        for kind in _KINDS.get(answer.id, ()):
            lever = next((one for one in known if one.kind == kind), None)
            if lever is not None:
                found[answer.id] = lever
                break
    return found


def tried_levers(diagnosis: Diagnosis, row: PlacedRow, source: EstimateSource) -> dict[str, Lever]:
    """Try the levers of the paired entry, and return those that answer what was found.

    They are tried with the absorption that the measured traffic tells, where it tells one: what the kernel really
    re-reads is what a larger tile saves.

    Parameters
    ----------
    row
        The entry that the kernel is paired with, placed on the machine of the diagnosis.
    """
    from rooflinestudio.core.levers import LeverContext, levers

    if row.placement is None or row.profile is None:
        return {}
    context = LeverContext.of_row(row)
    absorption = diagnosis.reuse.absorption if diagnosis.reuse is not None else None
    if absorption is not None and 0 <= absorption <= 1:
        settings = replace(row.settings, policy="modelled", absorption=absorption)
        placement = row.varied(policy="modelled", absorption=absorption)
        context = replace(context, settings=settings, placement=placement)
    return levers_by_question(diagnosis, levers(context, source))

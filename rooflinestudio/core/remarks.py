"""Remarks: the trap, nuance or approximation that applies to a placement, attached by rule.

The rules follow what the roofline literature warns of; each looks at the figures of the placement alone and says
nothing where they do not call for it. Made when somebody asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.remarks_approximations import APPROXIMATIONS, ASIDES
from rooflinestudio.core.remarks_facts import Facts, Kind, Remark, Rule, numbers_only
from rooflinestudio.core.remarks_nuances import NUANCES
from rooflinestudio.core.remarks_traps import GENERAL_TRAPS, TRAPS

if TYPE_CHECKING:
    from rooflinestudio.core.placement import Placement

__all__ = ["RULES", "Kind", "Remark", "Rule", "remarks", "remarks_and_notes"]

RULES: Final[tuple[Rule, ...]] = (*TRAPS, *NUANCES, *GENERAL_TRAPS, *APPROXIMATIONS, *ASIDES)
"""All rules, in the order in which their remarks are shown."""


def remarks(placement: Placement) -> tuple[Remark, ...]:
    """Return the remarks that apply to a placement, the first that applies first; none for several points at once."""
    if not numbers_only(placement):
        return ()
    facts = Facts(placement)
    found = ((rule, rule.applies(facts)) for rule in RULES)
    return tuple(Remark(rule.kind, text, rule.id) for rule, text in found if text)


def remarks_and_notes(placement: Placement) -> tuple[str, ...]:
    """Return remarks, each with its kind before it, then the notes that say something else."""
    made = remarks(placement)
    told = {one.text for one in made}
    return (
        *(f"{one.kind}: {one.text}" for one in made),
        *(note for note in placement.notes if note not in told),
    )

"""Variants of a placed row: every sensible change, tried, as an entry to be placed beside its baseline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.chains import chain_of, with_chains
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.placing import PendingError, PlacedRow, evaluate
from rooflinestudio.core.study import settings_of
from rooflinestudio.core.variant_options import KIND_WORDS, Option, VariantKind, options
from rooflinestudio.core.variant_ratios import ratios, same_settings

if TYPE_CHECKING:
    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import EstimateSource, PlacedStudy
    from rooflinestudio.core.study import Entry

__all__ = ["KIND_WORDS", "Variant", "VariantKind", "copy_of", "variants"]

NOTHING_TWICE: Final = "Nothing is read twice here, so every policy counts the same."


@dataclass(frozen=True, slots=True)
class Variant:
    """One change of a placed row.

    Attributes
    ----------
    kind, words
        What is varied, and the change in a phrase: ``fp8``, ``at L2``, ``m 8 192 (×2)``.
    entry
        The variant, without an id yet; ``variant_of`` names the baseline, never another variant.
    cuts
        For a chain: where its kernel boundaries then stand; the entry still names the chain as it is.
    reason
        Why it cannot be placed, or would change nothing; empty where it can.
    ratio
        Its time over the time of the row that it is made from, on that row's machine unless the machine is what
        changes; None where it is not known.
    per_work
        The ratio is per FLOP, since the variant does more or less of the same.
    crossed
        Whether its data crosses the boundary that it is shown at.
    """

    kind: VariantKind
    words: str
    entry: Entry
    cuts: tuple[int, ...] | None = None
    reason: str = ""
    ratio: float | None = None
    per_work: bool = False
    crossed: bool = True


def variants(row: PlacedRow, placed: PlacedStudy, source: EstimateSource) -> tuple[Variant, ...]:
    """Return the variants of a row by kind; empty where its operator is not there.

    Every one is placed once, which takes about as long as the same number of slider steps: for a menu that opens,
    not for what is shown all the time.
    """
    source = with_chains(source, placed.study.chains)
    try:
        operator = source.operator(row.entry.operator, row.entry.plugin.id)
    except StudioError:
        return ()
    tried = (_tried(option, row, placed, source) for option in options(row, placed, operator))
    return tuple(one for one in tried if one is not None)


def copy_of(entry: Entry, placed: PlacedStudy) -> Entry:
    """Return a variant that differs in nothing yet, for values of the user's own."""
    return _entry(entry, placed, "own values")


def _entry(entry: Entry, placed: PlacedStudy, words: str) -> Entry:
    """Return the start of a variant: linked to the baseline, in its colour, with a name that says what it is."""
    base = entry.variant_of
    linked = base is not None and placed.study.has_entry(base)
    label = f"{entry.label or entry.operator}{', ' if linked else ': '}{words}"
    return replace(entry, id="", variant_of=base if linked else entry.id, label=label, visible=True)


def _tried(option: Option, row: PlacedRow, placed: PlacedStudy, source: EstimateSource) -> Variant | None:
    """Place an option; None where it is none for this operator."""
    entry = replace(_entry(row.entry, placed, option.words), **option.changes)
    if option.cuts is None and entry.machines == row.entry.machines and same_settings(entry, row.entry):
        return None
    known = _twin(entry, placed) if option.cuts is None else ""
    profile = (
        placed.profiles.get(entry.machines[0]) if option.kind == "profile" and entry.machines else row.profile
    )
    if profile is None:
        return None
    try:
        placement = _placed(option, entry, (placed, profile), source)
    except PendingError:
        return Variant(option.kind, option.words, entry, option.cuts, known)
    except StudioError as error:
        return Variant(option.kind, option.words, entry, option.cuts, str(error))
    if option.stored_only and row.placement is not None and _same_counts(placement, row.placement):
        return None
    reason = known
    if option.kind == "policy" and row.placement is not None and _same_counts(placement, row.placement):
        reason = NOTHING_TWICE
    made = PlacedRow(entry, profile.id, profile, placement.settings, "placed", placement)
    crossed = placement.at(placement.boundary_id).crosses
    found = ratios(made, row)
    ratio, per_work = (found.time, False) if found is not None else (None, False)
    if found is not None and option.kind == "batch" and found.work is not None:
        ratio, per_work = found.time / found.work, True
    return Variant(option.kind, option.words, entry, option.cuts, reason, ratio, per_work, crossed)


def _placed(
    option: Option, entry: Entry, ground: tuple[PlacedStudy, HardwareProfile], source: EstimateSource
) -> Placement:
    placed, profile = ground
    if option.cuts is not None:
        chain = chain_of(placed.study, entry)
        if chain is not None:
            source = with_chains(source, (replace(chain, cuts=option.cuts),))
    settings = settings_of(entry, placed.study.view)
    return evaluate(source, entry.operator, entry.parameters, parse_dtypes(entry.dtypes), profile, settings)


def _twin(entry: Entry, placed: PlacedStudy) -> str:
    """Say which entry of the same family asks for just this already, or nothing."""
    family = entry.variant_of
    for one in placed.study.entries:
        if (
            family in (one.id, one.variant_of)
            and one.machines == entry.machines
            and same_settings(one, entry)
        ):
            return f"It is there already: {one.label or one.operator}."
    return ""


def _same_counts(first: Placement, second: Placement) -> bool:
    """Tell whether two placements on one machine move and compute the same."""
    if first.work_flop != second.work_flop or first.time_s != second.time_s:
        return False
    return all(
        first.at(id_).traffic_bytes == second.at(id_).traffic_bytes for id_ in first.profile.boundaries
    ) and bool(first.estimate.footprint_bytes == second.estimate.footprint_bytes)

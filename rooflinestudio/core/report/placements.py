"""The placements of a report: figures, verdicts, what could not be placed, variants, and what to know about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.comparison import ratio_text, what_differs
from rooflinestudio.core.grid.words import bound_text
from rooflinestudio.core.judged import judged_notes, judged_words
from rooflinestudio.core.pairing.readout import entry_name
from rooflinestudio.core.remarks import remarks
from rooflinestudio.core.report.document import Column, Facts, Prose, Section, Table
from rooflinestudio.core.report.words import (
    NOTHING,
    amount,
    counted_at,
    intensity_text,
    percent,
    policy_words,
    row_machine,
    row_name,
    row_title,
    set_up,
    whom,
)
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.variant_ratios import ratios, time_words, variant_pairs
from rooflinestudio.core.wording import CANNOT_SEE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.variant_ratios import VariantRatios

__all__ = ["placements_section", "refused_section", "remarks_section", "unseen_section", "variants_section"]

_COLUMNS: Final = (
    Column("Entry"), Column("Machine"), Column("Set up, or what differs"), Column("Q at"), Column("W", True),
    Column("Q", True), Column("I, FLOP/byte", True), Column("Attainable", True), Column("Time", True),
    Column("Of peak", True), Column("Bound"),
)  # fmt: skip
_KINDS: Final = {
    "Trap": "Traps", "Nuance": "Nuances", "Approximation": "Approximations", "": "Notes",
}  # fmt: skip


def placements_section(placed: PlacedStudy) -> Section:
    """Return a row for each entry on each machine, then the verdicts."""
    title = "Placements"
    rows = [row for row in placed.rows if row.placement is not None]
    if not rows:
        told = "Nothing is placed." if not placed.rows else "Nothing could be placed; see below why."
        return Section("placements", title, (Prose(told),))
    bases = {id(row): base for row, base in variant_pairs(placed)}
    view = placed.study.view
    usual = policy_words(Settings(policy=view.policy, absorption=view.absorption))
    table = Table(
        f"Every entry on every machine, traffic {usual} where nothing else is said; time is that of one run",
        _COLUMNS,
        tuple(
            _row(row, row.placement, bases.get(id(row)), usual) for row in rows if row.placement is not None
        ),
        _model_note(placed),
    )
    verdicts = Facts(
        tuple((row_title(row), _verdict(row.placement)) for row in rows if row.placement is not None)
    )
    return Section("placements", title, (table,), (Section("verdicts", "Verdicts", (verdicts,)),))


def _row(row: PlacedRow, placement: Placement, base: PlacedRow | None, usual: str) -> tuple[str, ...]:
    return (
        row_name(row),
        row_machine(row),
        set_up(placement, row.entry.parameters, row.entry.dtypes) if base is None else _differs(row, base),
        counted_at(placement, usual),
        amount(placement.work_flop, "FLOP"),
        amount(placement.traffic_bytes, "B"),
        intensity_text(placement.intensity),
        amount(placement.attainable_flop_per_s, "FLOP/s", digits=3),
        amount(placement.time_s, "s"),
        percent(float(placement.fraction_of_peak)),
        bound_text(placement),
    )


def _differs(row: PlacedRow, base: PlacedRow) -> str:
    return f"as {entry_name(base.entry)}, but {what_differs(row, base)}"


def _model_note(placed: PlacedStudy) -> str:
    if placed.study.view.forecast:
        return "Forecasts: latency, launches, and uneven tiles and waves are added to the pure bound."
    return (
        "Pure bounds: what compute and memory allow, without latency and launches. Real kernels take longer."
    )


def _verdict(placement: Placement) -> str:
    told = f"{placement.verdict} Judged against {judged_words(placement)}."
    expected = placement.expected
    if expected is None:
        return told
    low, time, high = (
        amount(one, "s", digits=3) for one in (expected.low_s, expected.time_s, expected.high_s)
    )
    return f"{told} Expected time {time}, from {low} to {high}."


# What could not be placed -----------------------------------------------------------------------------------------


def refused_section(placed: PlacedStudy) -> Section | None:
    """Return the rows that are refused, unavailable or still pending, with their reasons; None where all are placed."""
    rows = tuple(
        (row_name(row), row_machine(row), row.state, row.reason or NOTHING)
        for row in placed.rows
        if row.placement is None
    )
    if not rows:
        return None
    columns = (Column("Entry"), Column("Machine"), Column("State"), Column("Reason"))
    return Section("refused", "Not placed", (Table("Entries without figures, and why", columns, rows),))


# Variants ---------------------------------------------------------------------------------------------------------

_VARIANT_COLUMNS: Final = (
    Column("Variant"), Column("Held against"), Column("What differs"), Column("Time", True), Column("Q", True),
    Column("I", True), Column("W", True),
)  # fmt: skip


def variants_section(placed: PlacedStudy) -> Section | None:
    """Return the variants with their ratios to the baseline; None where there are none."""
    rows = [_variant(row, base, ratios(row, base)) for row, base in variant_pairs(placed)]
    if not rows:
        return None
    table = Table("Ratios to the baseline", _VARIANT_COLUMNS, tuple(rows))
    return Section("variants", "Variants", (table,))


def _variant(row: PlacedRow, base: PlacedRow, found: VariantRatios | None) -> tuple[str, ...]:
    names = (row_title(row), row_title(base), what_differs(row, base))
    if found is None:
        return (*names, *(NOTHING,) * 4)
    return (
        *names,
        time_words(found.time),
        ratio_text(found.traffic, "more", "less"),
        ratio_text(found.intensity, "higher", "lower"),
        ratio_text(found.work, "more", "less"),
    )


# What to know -----------------------------------------------------------------------------------------------------


def remarks_section(placed: PlacedStudy) -> Section | None:
    """Return traps, nuances and notes, each once with the rows that it is about; None where there are none.

    Asides are left to the window, and against which roof a row was judged stands with its verdict.
    """
    rows = [row for row in placed.rows if row.placement is not None]
    found: dict[str, dict[str, list[PlacedRow]]] = {kind: {} for kind in _KINDS}
    for row in rows:
        if row.placement is not None:
            for kind, text in _told(row.placement):
                found[kind].setdefault(text, []).append(row)
    machines = len({row.machine for row in rows})
    parts = tuple(
        Section(
            f"remarks-{title.lower()}",
            title,
            (Facts(tuple((_whom(about, rows, machines), text) for text, about in found[kind].items())),),
        )
        for kind, title in _KINDS.items()
        if found[kind]
    )
    return Section("remarks", "What to know about these figures", (), parts) if parts else None


def _told(placement: Placement) -> Iterator[tuple[str, str]]:
    made = remarks(placement)
    left_out = {one.text for one in made} | {CANNOT_SEE, *judged_notes(placement)}
    yield from ((one.kind, one.text) for one in made if one.kind in _KINDS)
    yield from (("", note) for note in placement.notes if note not in left_out)


def _whom(about: list[PlacedRow], rows: list[PlacedRow], machines: int) -> str:
    return "All placements" if len(about) == len(rows) > 1 else whom(about, machines)


def unseen_section() -> Section:
    """Return what the model cannot see."""
    return Section("unseen", "What the model cannot see", (Prose(CANNOT_SEE),))

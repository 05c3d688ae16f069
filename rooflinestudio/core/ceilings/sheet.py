"""The texts of a proposal: what the table of the dialog says, line by line, and what it says about one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooflinestudio.core.ceilings.words import rate_text, ratio_text
from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from rooflinestudio.core.ceilings.proposal import CeilingRow, Proposal

__all__ = ["SheetLine", "about_line", "heading_of", "sheet_of"]


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One reading in words.

    Attributes
    ----------
    number
        Of the reading.
    taken, doubted, is_new
        As of the row.
    origin, target
        The tool's word, and the figure that it becomes.
    best, median, spread
        Its rates; a dash where the file has none.
    stated, provenance
        What documents say, and how they know.
    share, ratio
        Of the published figure: as a number (None without) and as text.
    """

    number: int
    taken: bool
    doubted: bool
    is_new: bool
    origin: str
    target: str
    best: str
    median: str
    spread: str
    stated: str
    provenance: str
    share: float | None
    ratio: str


def sheet_of(proposal: Proposal) -> tuple[SheetLine, ...]:
    """Return the lines of a proposal, in the order of the file."""
    return tuple(_line(row) for row in proposal.rows)


def _line(row: CeilingRow) -> SheetLine:
    reading, stated = row.reading, row.stated
    return SheetLine(
        number=row.number,
        taken=row.taken,
        doubted=row.doubt is not None,
        is_new=row.is_new,
        origin=row.origin,
        target=row.label or "choose…",
        best=_rate(row, reading.best),
        median=_rate(row, reading.median),
        spread=_spread(row),
        stated=_rate(row, stated.value if stated is not None else None),
        provenance=stated.provenance if stated is not None else "",
        share=row.ratio,
        ratio=ratio_text(row.ratio),
    )


def _rate(row: CeilingRow, value: float | None) -> str:
    return rate_text(row.kind, row.target, value)


def _spread(row: CeilingRow) -> str:
    """Write both ends with one unit: ``999 to 1 002 GB/s``."""
    if row.ends is None:
        return "–"
    low, high = (_rate(row, value) for value in row.ends)
    number, _, unit = low.rpartition(" ")
    return f"{number} to {high}" if high.endswith(f" {unit}") else f"{low} to {high}"


def about_line(proposal: Proposal, number: int) -> tuple[str, str, str]:
    """Return a heading, what there is to say about a reading, and its tone (``warn`` or empty)."""
    row = next((one for one in proposal.rows if one.number == number), None)
    if row is None:
        return "", "", ""
    told = [part for part in (row.reading.condition, proposal.machine.conditions) if part]
    if row.reading.samples and row.reading.samples > 1:
        told.append(f"{row.reading.samples} runs")
    measured = f"Measured: {', '.join(told)}." if told else ""
    if row.doubt is not None:
        taken = "It is taken all the same." if row.taken else "It is not taken unless you tick it."
        return (
            f"{row.origin}: {row.doubt.heading}",
            f"{row.doubt.causes_text} {taken} {measured}".rstrip(),
            "warn",
        )
    return row.origin, " ".join(part for part in (_fate(row), measured) if part), ""


def _fate(row: CeilingRow) -> str:
    """Say what becomes of a reading, and why."""
    if not row.target:
        return f"Not taken: no profile has a figure called “{row.reading.id}”. Choose what it becomes."
    stated = ""
    if row.stated is not None:
        source = f", {row.stated.source}" if row.stated.source else ""
        value = _rate(row, row.stated.value)
        stated = f" Held against {value} ({row.stated.provenance}{source})."
    if row.taken:
        new = ", which the profile does not have yet" if row.is_new else ""
        return f"Becomes {row.label}{new}.{stated}"
    if row.rival:
        return f"Not taken: {row.rival} is, for the same figure.{stated}"
    return f"Not taken.{stated}"


def heading_of(proposal: Proposal) -> str:
    """Return tool, host and date in one line."""
    machine = proposal.machine
    parts = [
        machine.tool,
        f"on {machine.host}" if machine.host else "",
        machine.date,
    ]
    for name, word in (("sm", "clock"), ("dram", "memory clock")):
        if name in machine.clocks:
            parts.append(f"{word} {format_quantity(machine.clocks[name], 'Hz', digits=4)}")
    return " · ".join(part for part in parts if part)

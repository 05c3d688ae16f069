"""What has to be said about the launches of a file: each remark once, with the launches it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.build import build
from plugins_builtin._ncu.explain import counted
from plugins_builtin._ncu.numbers import read_number
from rooflinestudio.plugins import MarkQuestion, format_quantity

if TYPE_CHECKING:
    from plugins_builtin._ncu.build import Built
    from plugins_builtin._ncu.counters import Cell
    from plugins_builtin._ncu.launches import RawLaunch
    from plugins_builtin._ncu.numbers import FormatEvidence, Mark

__all__ = ["Remarks"]

_NAMED: Final = 3  # launches that a remark names
_MARKS: Final[tuple[Mark, Mark]] = (".", ",")
_MOST: Final = 20  # different remarks


class _Launches:
    """The first launches that a remark is about, and how many there are."""

    def __init__(self) -> None:
        self._named: list[int] = []
        self._count = 0

    def add(self, launch: int) -> None:
        self._count += 1
        if self._count <= _NAMED:
            self._named.append(launch)

    def words(self) -> str:
        more = f" and {self._count - _NAMED:,} more" if self._count > _NAMED else ""
        return f"Launch{'es' if self._count > 1 else ''} {', '.join(map(str, self._named))}{more}"


class Remarks:
    """Collects remarks while measurements are made.

    Parameters
    ----------
    evidence
        What the cells of the file said about its number format.
    stated
        Decimal mark that the user stated, if any.
    """

    def __init__(self, evidence: FormatEvidence, stated: Mark | None) -> None:
        self._evidence = evidence
        self._stated = stated
        self._notes: dict[str, _Launches] = {}
        self._unreadable = 0
        self._first_unreadable = ""
        self._undecided = 0
        self._question = ""
        self.question: MarkQuestion | None = None

    def add(self, built: Built, raw: RawLaunch) -> None:
        """Take what one launch has to say; ``raw`` still has its cells."""
        counters, launch = built.counters, built.measurement.launch
        self.add_notes(built.measurement.notes, launch)
        if counters.unreadable:
            if not self._unreadable:
                place = f"launch {launch}, line {raw.line}"
                self._first_unreadable = f"{_printed(counters.unreadable[0])} ({place})"
            self._unreadable += len(counters.unreadable)
        if counters.undecided:
            if not self._undecided:
                self._question = _both_readings(counters.undecided[0], raw)
                self.question = _asked(counters.undecided[0], raw, mixed=self._evidence.mixed)
            self._undecided += 1

    def add_notes(self, notes: tuple[str, ...], launch: int) -> None:
        """Take the notes of one launch."""
        for note in notes:
            about = self._notes.get(note)
            if about is None and len(self._notes) < _MOST:
                about = self._notes[note] = _Launches()
            if about is not None:
                about.add(launch)

    def texts(self) -> list[str]:
        """Sentences, the weightiest first."""
        found = self._about_format()
        if self._unreadable:
            found.append(
                f"{counted(self._unreadable, 'value was', 'values were')} left out, for not fitting the number format "
                f"or having an unknown unit; the first: {self._first_unreadable}."
            )
        found += [f"{about.words()}: {note}." for note, about in self._notes.items()]
        return found

    def _about_format(self) -> list[str]:
        if self._stated is not None:
            return []
        votes, samples = self._evidence.votes, self._evidence.samples
        waiting = (
            f"{counted(self._undecided, 'launch waits', 'launches wait')} for the answer"
            if self._undecided
            else ""
        )
        if self._evidence.mixed:
            both = f"decimal points (“{samples['.'][0]}”) and decimal commas (“{samples[','][0]}”)"
            tail = f": numbers that can be read both ways were left out. {waiting}" if waiting else ""
            return [f"The file mixes {both}{tail}."]
        if self._undecided:
            return [
                f"The number format of the file cannot be told: {self._question}. {waiting}: export the "
                "report again with --print-fp, which prints decimals everywhere, or state the decimal mark."
            ]
        if votes[","] > votes["."]:
            shown = " and ".join(f"“{sample}”" for sample in samples[","])
            return [f"Numbers were read with a decimal comma, because of {shown}."]
        return []


def _printed(cell: Cell) -> str:
    return f"{cell.source.shown} = “{cell.text[:60]}” {cell.source.unit}".rstrip()


def _asked(cell: Cell, raw: RawLaunch, *, mixed: bool) -> MarkQuestion | None:
    """Put the same as a question to the user; None where the cell is no number under one of the marks."""
    point, comma = read_number(cell.text, "."), read_number(cell.text, ",")
    if point is None or comma is None:
        return None
    flows = {mark: build(raw, 0, mark).measurement.bytes_per_s("dram") for mark in _MARKS}
    means = {
        mark: f"dram traffic at {format_quantity(flow, 'B/s')}" if flow else ""
        for mark, flow in flows.items()
    }
    where = f"{cell.source.shown} of {raw.kernel[:80]}, line {raw.line:,}"
    return MarkQuestion(
        cell.text[:60], where, point.value, comma.value, cell.source.unit, means["."], means[","], mixed
    )


def _both_readings(cell: Cell, raw: RawLaunch) -> str:
    """Both values of a cell, and the bandwidth that each implies, which often tells which one is meant."""
    point, comma = read_number(cell.text, "."), read_number(cell.text, ",")
    unit = f" {cell.source.unit}" if cell.source.unit else ""
    text = _printed(cell)
    if point is None or comma is None:
        return text
    text += f" is {point.value:,.10g}{unit} with a decimal point and {comma.value:,.10g}{unit} with a decimal comma"
    rates = [build(raw, 0, mark).measurement.bytes_per_s("dram") for mark in (".", ",")]
    if rates[0] and rates[1]:
        first, second = (format_quantity(rate, "B/s") for rate in rates if rate)
        text += f" (dram traffic at {first} or at {second})"
    return text

"""What a benchmark said of one device, gathered line by line; and what the readers of the tools share."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from plugins_builtin._measured.tables import number_in
from rooflinestudio.plugins import CeilingReading, MeasuredMachine, format_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plugins_builtin._measured.drafts import Draft

__all__ = ["GIGA", "MEGA", "MOST_POINTS", "Device", "Rate", "Tool", "in_words", "number", "rate_in"]

MEGA: Final = 1e6
GIGA: Final = 1e9
MOST_POINTS: Final = 5_000
"""Rows of one tool that become points; a run has some dozens."""

_MOST_DEVICES: Final = 200  # of one tool in one file
_MOST_READINGS: Final = 1_000  # of one device; a dialog shows a part of them
_MOST_NOTES: Final = 12
_LONGEST: Final = 200  # characters of a name or a note
_MOST_NAMED: Final = 12  # figures of a device that a sentence names
_MOST_SENTENCES: Final = 8
_PLAIN: Final = re.compile(r"\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?\Z")


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate with what the file says of it; see :class:`CeilingReading`."""

    best: float
    origin: str
    condition: str = ""
    median: float | None = None
    low: float | None = None
    high: float | None = None
    samples: int | None = None

    def reading(self, id_: str) -> CeilingReading:
        """Return the rate as a reading of a ceiling or boundary."""
        origin, condition = self.origin[:_LONGEST], self.condition[:_LONGEST]
        return CeilingReading(
            id_, self.best, self.median, self.low, self.high, self.samples, condition, origin
        )


@dataclass(slots=True)
class Device:
    """One device of one tool on its way."""

    name: str
    tool: str
    compute_capability: str | None = None
    conditions: str = ""
    date: str = ""
    clocks: dict[str, float] = field(default_factory=dict)
    ceilings: list[CeilingReading] = field(default_factory=list)
    boundaries: list[CeilingReading] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)

    def add_ceiling(self, id_: str, rate: Rate) -> None:
        """Take a rate of arithmetic, in FLOP/s."""
        if len(self.ceilings) < _MOST_READINGS:
            self.ceilings.append(rate.reading(id_))

    def add_boundary(self, id_: str, rate: Rate) -> None:
        """Take a bandwidth, in byte/s."""
        if len(self.boundaries) < _MOST_READINGS:
            self.boundaries.append(rate.reading(id_))

    def note(self, text: str) -> None:
        """Take a sentence about what was odd, or what was not taken."""
        if len(self.notes) < _MOST_NOTES:
            self.notes[text[: 2 * _LONGEST]] = None

    def made(self) -> MeasuredMachine:
        """Return the device as the studio takes it."""
        return MeasuredMachine(
            self.name,
            self.tool,
            tuple(self.ceilings),
            tuple(self.boundaries),
            self.compute_capability,
            dict(self.clocks),
            date=self.date,
            conditions=self.conditions[:_LONGEST],
            notes=tuple(self.notes),
        )


class Tool:
    """Takes the lines of one file that are of one tool; several devices and runs may stand in it.

    Attributes
    ----------
    form
        Id of the form, for ``MeasurementFile.format``.
    seen
        Whether anything of the tool was found.
    drafts
        Kernels of the benchmark whose work and traffic are known: points as well as ceilings.
    """

    form = ""

    def __init__(self) -> None:
        self.seen = False
        self.drafts: list[Draft] = []
        self._devices: dict[tuple[str, str], Device] = {}

    @property
    def busy(self) -> bool:
        """Whether it waits for lines that no opening announces."""
        return False

    def add(self, line: str) -> bool:
        """Take a line; False if it is none of the tool's."""
        raise NotImplementedError

    def end(self) -> None:
        """Take the end of the file."""

    def machines(self) -> Iterator[MeasuredMachine]:
        """Yield the devices of which a rate was found."""
        for device in self._devices.values():
            if device.ceilings or device.boundaries:
                yield device.made()

    def remains(self) -> list[str]:
        """Return the notes of devices of which no rate was found."""
        bare = [one for one in self._devices.values() if not (one.ceilings or one.boundaries)]
        return list(dict.fromkeys(note for one in bare[:_MOST_SENTENCES] for note in one.notes))[:_MOST_NOTES]

    def device(self, name: str, tool: str) -> Device:
        """Return the device of this name, which is made when it is first asked for."""
        key = (name[:_LONGEST], tool[:_LONGEST])
        if key not in self._devices and len(self._devices) >= _MOST_DEVICES:
            return Device(*key)  # of more nothing is kept
        return self._devices.setdefault(key, Device(*key))


def number(text: str) -> float | None:
    """Plain number of a cell; None for words, nan, inf, and what is below zero or beyond any measure."""
    text = text.strip()
    if _PLAIN.match(text) is None:
        return None
    value = number_in(text, "")
    return None if value is None or not math.isfinite(value.value) else value.value


def rate_in(text: str, factor: float) -> float | None:
    """Rate of a cell in its base unit; None where it is no rate above zero."""
    found = number(text)
    if not found:
        return None
    value = found * factor
    return value if math.isfinite(value) else None


def in_words(machines: list[MeasuredMachine]) -> list[str]:
    """One sentence per device with the best of each figure, and the notes; at most some of them."""
    texts = [_sentence(one) for one in machines[:_MOST_SENTENCES]]
    if len(machines) > _MOST_SENTENCES:
        texts.append(f"{len(machines) - _MOST_SENTENCES:,} more devices are not named here.")
    notes = dict.fromkeys(note for one in machines[:_MOST_SENTENCES] for note in one.notes)
    return [*texts, *list(notes)[:_MOST_NOTES]]


def _sentence(one: MeasuredMachine) -> str:
    parts = [*_best(one.boundaries, "B/s"), *_best(one.ceilings, "FLOP/s")]
    more = f" and {len(parts) - _MOST_NAMED} more" if len(parts) > _MOST_NAMED else ""
    named = f"{one.tool} on {one.device[:60]}" if one.device else one.tool
    return f"{named}: {', '.join(parts[:_MOST_NAMED])}{more}."


def _best(readings: tuple[CeilingReading, ...], unit: str) -> list[str]:
    found: dict[str, float] = {}
    for one in readings:
        found[one.id] = max(one.best, found.get(one.id, 0.0))
    return [f"{id_} {format_quantity(value, unit, digits=5)}" for id_, value in found.items()]

"""A measurement on its way: figures with their origin, and the sentence that says what is missing."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from rooflinestudio.plugins import MeasuredTraffic, Measurement

if TYPE_CHECKING:
    from plugins_builtin._ncu.values import Value

__all__ = ["Advice", "Draft", "Traffic", "usable"]

_LARGEST: Final = (
    1e30  # nothing that is measured comes near; products and ratios of two such numbers stay finite
)
_SMALLEST: Final = 1e-30
_LARGEST_COUNT: Final = 2**53 - 1
_LARGEST_DIMENSION: Final = 10**12
_LONGEST_NAME: Final = 20_000  # characters; template names of several thousand occur


class Traffic(NamedTuple):
    """Bytes across one boundary, and the directions where they were counted."""

    total: Value
    read: Value | None = None
    write: Value | None = None


class Advice(NamedTuple):
    """What to say where a figure is missing: why, and what to do about it."""

    work: str
    time: str
    traffic: str


def usable(value: float) -> bool:
    """Whether a number can be a figure: not negative, finite, and of a size that can be measured at all."""
    return value == 0 or _SMALLEST <= value <= _LARGEST


@dataclass(slots=True)
class Draft:
    """One kernel, loop, region or test with what was found out about it.

    Attributes
    ----------
    work, work_rates, traffic, traffic_rates
        By pipe and by boundary, in FLOP, FLOP/s, bytes and bytes/s.
    missing
        Reasons of this kernel alone, said before the general ones.
    instead
        What to say of this kernel where ``work``, ``time`` or ``traffic`` is missing, in place of the general advice.
    """

    kernel: str
    count: int = 1
    time: Value | None = None
    work: dict[str, Value] = field(default_factory=dict)
    work_rates: dict[str, Value] = field(default_factory=dict)
    traffic: dict[str, Traffic] = field(default_factory=dict)
    traffic_rates: dict[str, Value] = field(default_factory=dict)
    device: str | None = None
    compute_capability: str | None = None
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    instead: dict[str, str] = field(default_factory=dict)

    def measurement(self, position: int, advice: Advice) -> Measurement:
        """Measurement at a position of the file; figures of impossible size are left out."""
        self._sift()
        figures = {name: value.figure() for name, value in self._values().items()}
        made = Measurement(
            launch=position,
            kernel=sys.intern(self.kernel[:_LONGEST_NAME] or "(no name)"),
            count=min(max(self.count, 1), _LARGEST_COUNT),
            time_s=None if self.time is None else self.time.value,
            work={pipe: value.value for pipe, value in self.work.items()},
            work_rates={pipe: value.value for pipe, value in self.work_rates.items()},
            traffic={boundary: _amounts(found) for boundary, found in self.traffic.items()},
            traffic_rates={boundary: value.value for boundary, value in self.traffic_rates.items()},
            device=self.device,
            compute_capability=self.compute_capability,
            grid=_dimensions(self.grid),
            block=_dimensions(self.block),
            figures=figures,
            notes=self.notes,
            reason=None,
        )
        if not made.plotted:
            object.__setattr__(made, "reason", self._reason(advice))  # not yet given away
        return made

    def _sift(self) -> None:
        if self.time is not None and not (usable(self.time.value) and self.time.value > 0):
            self.time = None
        for values in (self.work, self.work_rates, self.traffic_rates):
            for name in [name for name, value in values.items() if not usable(value.value)]:
                del values[name]
        for name in [name for name, found in self.traffic.items() if not _all_usable(found)]:
            del self.traffic[name]

    def _values(self) -> dict[str, Value]:
        values: dict[str, Value] = {} if self.time is None else {"time_s": self.time}
        values |= {f"work.{pipe}": value for pipe, value in self.work.items()}
        values |= {f"work_rate.{pipe}": value for pipe, value in self.work_rates.items()}
        values |= {f"{boundary}_bytes": found.total for boundary, found in self.traffic.items()}
        return values | {f"{boundary}_bytes_per_s": value for boundary, value in self.traffic_rates.items()}

    def _reason(self, advice: Advice) -> str:
        reasons = list(self.missing)
        work = self.work or self.work_rates
        if not work:
            reasons += [self._said("work", advice)] if not self.missing else []
        elif not any(value.value for value in work.values()):
            reasons.append(f"W = 0 on {', '.join(work)}: no place on a FLOP roofline")
        if self.time is None and not (self.work_rates or self.traffic_rates):
            reasons.append(self._said("time", advice))
        moved = [found.total.value for found in self.traffic.values()]
        moved += [value.value for value in self.traffic_rates.values()]
        if not moved:
            reasons.append(self._said("traffic", advice))
        elif not any(moved):
            reasons.append("Q = 0 at every boundary: infinite intensity has no place on the canvas")
        return "; ".join(reasons) or f"the figures do not belong together: {advice.time}"

    def _said(self, figure: str, advice: Advice) -> str:
        said: str = self.instead.get(figure) or getattr(advice, figure)
        return said


def _dimensions(dimensions: tuple[int, int, int] | None) -> tuple[int, int, int] | None:
    return None if dimensions is None or max(dimensions) >= _LARGEST_DIMENSION else dimensions


def _all_usable(found: Traffic) -> bool:
    return all(value is None or usable(value.value) for value in found)


def _amounts(found: Traffic) -> MeasuredTraffic:
    read, write = found.read, found.write
    return MeasuredTraffic(
        None if read is None else read.value, None if write is None else write.value, found.total.value
    )

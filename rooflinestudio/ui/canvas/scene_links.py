"""What joins markers on the canvas: variants to baselines, kernels to what they were before, boundaries of a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BoundaryRun", "FileKey", "MarkerNote", "SeriesArrow", "SeriesLinks", "VariantArrow"]


@dataclass(frozen=True, slots=True)
class VariantArrow:
    """From a baseline to one of its variants, with the ratios between them; ends are log10 data coordinates.

    Attributes
    ----------
    key, machine
        Entry id of the variant, and the machine that it was placed on.
    base, base_machine
        The same of the baseline.
    label, short_label
        All ratios; the ratio of times alone.
    """

    key: str
    machine: str
    base: str
    base_machine: str
    slot: int | str
    start: tuple[float, float]
    end: tuple[float, float]
    label: str
    short_label: str
    tip: tuple[str, ...] = ()
    status: str = ""

    def touches(self, key: object) -> bool:
        """Tell whether a key is that of one of its ends."""
        return key is not None and key in (self.key, self.base)


@dataclass(frozen=True, slots=True)
class MarkerNote:
    """Further lines for the tool tip of a marker: how a variant stands to its baseline, and what shares its place."""

    key: str
    machine: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeriesArrow:
    """From a kernel of one file to the same kernel in a later one; ends are log10 data coordinates.

    Attributes
    ----------
    key, base
        The kernel after and before: ``("measured", overlay digest, index)``; of several launches the first.
    label, short_label
        Ratio of times, with how many launches it holds for; the ratio alone.
    name
        Short name of the kernel, for labels.
    forms, slots, radii
        Form, colour and, where areas say something, radius of the marker at its start and at its end.
    """

    key: tuple[str, str, int]
    base: tuple[str, str, int]
    start: tuple[float, float]
    end: tuple[float, float]
    label: str
    short_label: str
    forms: tuple[int, int] = (1, 0)
    slots: tuple[int | str | None, int | str | None] = (None, None)
    radii: tuple[float | None, float | None] = (None, None)
    name: str = ""
    tip: tuple[str, ...] = ()
    status: str = ""

    def touches(self, key: object) -> bool:
        """Tell whether a key is that of one of its ends."""
        return key is not None and key in (self.key, self.base)


@dataclass(frozen=True, eq=False)
class SeriesLinks:
    """The kernels of two files that match.

    Attributes
    ----------
    top
        Arrows of those that take the most time.
    make
        Makes the arrow of any kernel, or answers None; asked for what is selected or pointed at.
    """

    top: tuple[SeriesArrow, ...] = ()
    make: Callable[[Any], SeriesArrow | None] = lambda _key: None
    _made: dict[Any, SeriesArrow | None] = field(default_factory=dict, repr=False)

    def of(self, key: object) -> SeriesArrow | None:
        """Return the arrow of a kernel, None where it has none."""
        if not (isinstance(key, tuple) and key[0] == "measured"):
            return None
        if key not in self._made:
            if len(self._made) >= _KEPT_ARROWS:
                self._made.clear()
            self._made[key] = self.make(key)
        return self._made[key]

    def shown(self, *keys: object) -> tuple[SeriesArrow, ...]:
        """Return the arrows of the most important kernels, and behind them those of what is selected or pointed at."""
        more = (self.of(key) for key in keys)
        return tuple(dict.fromkeys((*self.top, *(one for one in more if one is not None))))


_KEPT_ARROWS = 64


@dataclass(frozen=True, slots=True)
class BoundaryRun:
    """One measured kernel at several boundaries: all at its rate, each at the intensity there (log10, ascending)."""

    key: tuple[str, str, int]
    slot: int | str | None
    log_xs: tuple[float, ...]
    log_y: float


@dataclass(frozen=True, slots=True)
class FileKey:
    """A line of the key of measured files: words behind the diamond of a file, or alone (``form`` None)."""

    words: str
    form: int | None = None
    slot: int | str | None = None

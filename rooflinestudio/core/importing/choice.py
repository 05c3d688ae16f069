"""What the user has chosen for each column of a table so far."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rooflinestudio.core.importing.proposal import StatedColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rooflinestudio.core.importing.proposal import TableProposal

__all__ = ["ColumnsChoice", "unit_in_head"]


@dataclass(frozen=True, slots=True)
class ColumnsChoice:
    """A statement in the making.

    Attributes
    ----------
    figures, units
        By position; an empty figure is a column that is not used.
    constants
        Values for all rows by figure; one whose figure has a column does not count.
    """

    proposal: TableProposal
    figures: tuple[str, ...]
    units: tuple[str, ...]
    constants: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, proposal: TableProposal, columns: Iterable[StatedColumn] | None = None) -> ColumnsChoice:
        """Begin with what was recognised, or with some other statement about the same table."""
        stated = tuple(proposal.columns if columns is None else columns)
        found = [proposal.at(at, stated) for at in range(len(proposal.names))]
        return cls(
            proposal,
            tuple(one.figure if one is not None else "" for one in found),
            tuple(one.unit if one is not None else "" for one in found),
            tuple((one.figure, one.head[1:]) for one in stated if one.head.startswith("=")),
        )

    def with_figure(self, at: int, figure: str) -> ColumnsChoice:
        """Return the choice with another meaning of one column; its unit is that of the head, where that names one."""
        kind = self.proposal.kind(figure)
        units = kind.units if kind is not None else ()
        unit = unit_in_head(self.proposal.heads[at], units) or (units[0] if units else "")
        return replace(self, figures=_put(self.figures, at, figure), units=_put(self.units, at, unit))

    def with_unit(self, at: int, unit: str) -> ColumnsChoice:
        """Return the choice with another unit of one column."""
        return replace(self, units=_put(self.units, at, unit))

    def with_constant(self, figure: str, value: str) -> ColumnsChoice:
        """Return the choice with a value for all rows; an empty one leaves it to the reader."""
        others = tuple(one for one in self.constants if one[0] != figure)
        return replace(self, constants=(*others, (figure, value)) if value else others)

    def constant(self, figure: str) -> str:
        """Return the value that a figure has for all rows, or an empty text."""
        return dict(self.constants).get(figure, "")

    @property
    def columns(self) -> tuple[StatedColumn, ...]:
        """The statement as readers take it."""
        rows = zip(self.figures, self.proposal.names, self.units, strict=True)
        found = [StatedColumn(figure, name, unit) for figure, name, unit in rows if figure]
        found += [StatedColumn(*one) for one in self._constants() if found]
        return tuple(found)

    def _constants(self) -> list[tuple[str, str]]:
        return [(figure, f"={value}") for figure, value in self.constants if figure not in self.figures]

    def shown(self, most: int) -> tuple[int, ...]:
        """Return the positions to show where a table has more columns than that: those in use, and the first."""
        used = [at for at, figure in enumerate(self.figures) if figure][:most]
        others = [at for at, figure in enumerate(self.figures) if not figure][: max(most - len(used), 0)]
        return tuple(sorted((*used, *others)))


def unit_in_head(head: str, units: Sequence[str]) -> str:
    """Return the unit that a head names among others: the ``us`` of ``dur (us)``; empty for none."""
    words = re.split(r"[\s()\[\]{}_,;:]+", head.replace("\u03bc", "\u00b5"))
    plain = {unit.replace("\u00b5", "u").lower(): unit for unit in units}
    return next(
        (plain[key] for word in reversed(words) if (key := word.replace("\u00b5", "u").lower()) in plain), ""
    )


def _put(values: tuple[str, ...], at: int, value: str) -> tuple[str, ...]:
    return (*values[:at], value, *values[at + 1 :])

"""What came of reading a measured file: its kernels, or what has to be asked before they can be taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rooflinestudio.core.importing.proposal import StatedColumn, TableProposal
    from rooflinestudio.core.importing.questions import MarkQuestion
    from rooflinestudio.core.measured.ceilings import MeasuredMachine
    from rooflinestudio.core.measurement_overlay import Overlay

__all__ = ["ImportAnswer", "ImportWish"]


@dataclass(frozen=True, slots=True)
class ImportWish:
    """What is wanted of a file.

    Attributes
    ----------
    decimal_mark, columns
        What the user says about it; see :class:`rooflinestudio.plugins.reading.ReadOptions`.
    only_columns
        Whether the columns are to be proposed and nothing read.
    replaces
        Digest of the overlay of the same file that is exchanged; empty for a new one.
    recalled
        Whether the columns are those of an earlier file with the same heads.
    """

    decimal_mark: str | None = None
    columns: tuple[StatedColumn, ...] = ()
    only_columns: bool = False
    replaces: str = ""
    recalled: bool = False


@dataclass(frozen=True, slots=True)
class ImportAnswer:
    """What was found; where ``overlay`` is None, the user is asked.

    Attributes
    ----------
    warnings
        The reader's sentences.
    machines
        Ceilings that the file carries.
    proposal
        For a table whose columns can be stated.
    question
        For numbers that can be read in two ways.
    """

    overlay: Overlay | None = None
    warnings: tuple[str, ...] = ()
    machines: tuple[MeasuredMachine, ...] = ()
    proposal: TableProposal | None = None
    question: MarkQuestion | None = None

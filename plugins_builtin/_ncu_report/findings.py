"""What is to be said about a report as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from plugins_builtin._ncu.explain import EXPORT, counted
from plugins_builtin._ncu_report.container import KNOWN_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Findings"]


@dataclass(slots=True)
class Findings:
    """Counts what was left out of a report, and why.

    Attributes
    ----------
    problem
        Why the file was not read to its end, completing "The file …"; empty if it was.
    version
        Format version of the file.
    taken
        Launches that were read.
    full
        Whether reading stopped because so small a file cannot hold so many.
    damaged, empty, ranges
        Results that are no messages, hold nothing, or span several kernels.
    nameless
        Values whose name is not in the file.
    unfit, first_unfit
        Launches with an impossible value, and the first one in words.
    """

    problem: str = ""
    version: int = KNOWN_VERSION
    taken: int = 0
    full: bool = False
    damaged: int = 0
    empty: int = 0
    ranges: int = 0
    nameless: int = 0
    unfit: int = 0
    first_unfit: str = ""

    def texts(self) -> list[str]:
        """Sentences, the weightiest first."""
        return [*self._about_file(), *self._about_values()]

    def _about_file(self) -> Iterator[str]:
        if self.problem:
            yield f"The file {self.problem}: {self._kept()}."
        if self.full:
            yield f"Only the first {self.taken:,} launches were read: the file claims more than its size can hold."
        if self.damaged:
            yield f"{counted(self.damaged, 'result was', 'results were')} damaged and left out."
        if self.ranges:
            yield (
                f"Left out: {counted(self.ranges, 'result', 'results')} of range replay, where one result spans "
                f"several kernels. Profile with --replay-mode kernel, or export the report as a table: {EXPORT}"
            )
        if not self.taken:
            yield self._why_empty()

    def _kept(self) -> str:
        if not self.taken:
            return "no launch stands before that point"
        were = "was" if self.taken == 1 else "were"
        return f"{counted(self.taken, 'launch', 'launches')} before that point {were} kept"

    def _why_empty(self) -> str:
        if self.damaged or self.problem:
            return "There is no launch in it that can be read. Copy the file again, or profile again."
        if self.ranges:
            return "There is no result of a single kernel in it."
        return (
            "The report holds no launch: no kernel matched the filters, the program launched none, or profiling "
            "stopped before the first one was measured."
        )

    def _about_values(self) -> Iterator[str]:
        if self.version != KNOWN_VERSION:
            yield (
                f"The report is of format version {self.version}, and {KNOWN_VERSION} is the one that is known: "
                "compare a figure with Nsight Compute."
            )
        if self.empty:
            yield f"{counted(self.empty, 'result was', 'results were')} empty and left out."
        if self.nameless:
            yield (
                f"{counted(self.nameless, 'value was', 'values were')} left out: the part of the file with the names "
                "of these metrics is missing."
            )
        if self.unfit:
            yield (
                f"Impossible values in {counted(self.unfit, 'launch', 'launches')} were left out; the first: "
                f"{self.first_unfit}."
            )

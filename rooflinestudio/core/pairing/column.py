"""The column of pairs in the measured table: the entry of a kernel, or, quietly, the one that it may be."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.series import DRAM
from rooflinestudio.core.pairing.edits import found_pairs
from rooflinestudio.core.pairing.lent import LentWork
from rooflinestudio.core.pairing.readout import entry_name, read_pair, row_for_pair
from rooflinestudio.core.pairing.suggest import Candidates, the_one
from rooflinestudio.core.pairing.words import pair_rows, work_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.series import Series
    from rooflinestudio.core.pairing.edits import FoundPair
    from rooflinestudio.core.pairing.readout import PairReadout
    from rooflinestudio.core.pairing.suggest import Suggestion
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy

__all__ = ["PairedKernel", "PairedKernels", "Suggester", "lent_work"]

_KEPT: Final = 2_000


@dataclass(frozen=True, slots=True)
class PairedKernel:
    """A kernel with the entry that it is held against.

    Attributes
    ----------
    work_from
        ``W from gemm m = …: why`` where the work is the operator's; else empty.
    ratios
        Lines with the ratios of the pair.
    lent
        The work that it has from the operator, or None.
    """

    entry_id: str
    name: str
    slot: int | str
    work_from: str = ""
    ratios: tuple[str, ...] = ()
    lent: LentWork | None = None


class PairedKernels:
    """Makes the paired kernels of series one after the other, and keeps those that did not change."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[tuple[Any, ...], PairedKernel]] = {}

    def of(
        self, placed: PlacedStudy, series: Series, profile: HardwareProfile | None
    ) -> dict[int, PairedKernel]:
        """Return the paired kernels by their number in a series.

        Parameters
        ----------
        profile
            The machine that kernels are held against, or None.
        """
        before, self._known = self._known, {}
        found = {}
        for one in found_pairs(placed.study):
            kernel = series.kernel_of(one.overlay.digest, one.index)
            row = row_for_pair(placed, one.entry.id, profile.id if profile is not None else "")
            made_from = (one.overlay, one.entry, row, profile)
            key = (kernel, id(row))
            known = before.get(key)
            if known is None or any(a is not b for a, b in zip(known[0], made_from, strict=True)):
                known = (made_from, _paired_kernel(one, kernel, row, profile))
            self._known[key] = known
            found[kernel] = known[1]
        return found


def _paired_kernel(
    found: FoundPair, kernel: int, row: PlacedRow | None, profile: HardwareProfile | None
) -> PairedKernel:
    pair = None
    if row is not None and profile is not None and DRAM in profile.boundaries:
        pair = read_pair(found.overlay.measurement(found.index), row, profile, DRAM, found.overlay)
    known = PairedKernel(found.entry.id, entry_name(found.entry), found.entry.slot)
    return known if pair is None else _with_readout(known, kernel, pair)


def _with_readout(known: PairedKernel, kernel: int, pair: PairReadout) -> PairedKernel:
    lent = None
    if pair.is_lent and pair.work_flop is not None and pair.pipe is not None:
        lent = LentWork(kernel, pair.work_flop, pair.intensity, pair.achieved_flop_per_s, pair.pipe)
    why = f"{work_words(pair)}: {pair.work_why}" if pair.is_lent else ""
    ratios = tuple(f"{one.caption} {one.text}" for one in pair_rows(pair))
    return PairedKernel(known.entry_id, known.name, known.slot, why, ratios, lent)


def lent_work(kernels: Mapping[int, PairedKernel]) -> tuple[LentWork, ...]:
    """Return the work that kernels have from operators."""
    return tuple(one.lent for one in kernels.values() if one.lent is not None)


class Suggester:
    """Says of single kernels which entry they may be, when somebody looks at them; it remembers some thousand."""

    def __init__(self) -> None:
        self._placed: PlacedStudy | None = None
        self._machine = ""
        self._candidates: Candidates | None = None
        self._known: OrderedDict[tuple[str, int], tuple[Suggestion, ...]] = OrderedDict()

    def show(self, placed: PlacedStudy, machine: str) -> None:
        """Say which study is meant; what was found for another one is forgotten."""
        old = self._placed
        if old is None or old.rows is not placed.rows or machine != self._machine:
            self._known.clear()
            self._candidates = None
        self._placed, self._machine = placed, machine

    @property
    def has_entries(self) -> bool:
        """Whether there is anything that a kernel may be."""
        return self._placed is not None and bool(self._placed.study.entries)

    def of(self, series: Series, kernel: int) -> tuple[Suggestion, ...]:
        """Return the suggestions for a kernel, the best first."""
        if self._placed is None or not self.has_entries:
            return ()
        overlay, index = series.place_of(kernel)
        key = (overlay.digest, index)
        if key not in self._known:
            if self._candidates is None:
                self._candidates = Candidates(self._placed, self._machine)
            self._known[key] = self._candidates.suggestions(overlay.measurement(index))
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return self._known[key]

    def words(self, series: Series, kernel: int) -> str:
        """Return the quiet words of a table: ``GEMM?``, how many where several fit equally; empty for none."""
        found = self.of(series, kernel)
        best = the_one(found)
        if best is not None:
            return f"{best.name}?"
        return f"{found[0].name} or {len(found) - 1} more?" if found else ""

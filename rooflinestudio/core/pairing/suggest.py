"""Which entry a kernel may be, and which kernels an entry may be, by name and by shape; nothing where nothing fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.pairing.edits import pair_of
from rooflinestudio.core.pairing.evidence import gathered, is_of_same_work, is_refuted, own_work
from rooflinestudio.core.pairing.names import KernelName, read_name, says_own_name
from rooflinestudio.core.pairing.readout import entry_name, row_for_pair
from rooflinestudio.core.study import CHAIN_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.measurement import Measurement
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.pairing.evidence import Evidence
    from rooflinestudio.core.placement import Placement
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import Study

__all__ = [
    "CLEAR",
    "LEAST",
    "Candidates",
    "KernelFit",
    "Suggestion",
    "judged",
    "kernels_for",
    "suggestions",
    "the_one",
]

LEAST: Final = 0.35
"""Below this score nothing is suggested."""
CLEAR: Final = 0.1
"""So much better than the next one the best must be to be the one."""

_NAME: Final = 0.5
_BY_SHAPE_ALONE: Final = 0.3
"""What the shapes must add where the name says nothing: the same work, and more."""
_MOST_KERNELS: Final = 12
_MOST_LOOKED_AT: Final = 400


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An entry that a kernel may be held against.

    Attributes
    ----------
    score
        From 0 to 1.
    reasons
        In words, the weightiest first: ``name says gemm``, ``W agrees to 1% (137.4 GFLOP)``.
    """

    entry_id: str
    name: str
    score: float
    reasons: tuple[str, ...]

    @property
    def words(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons)


@dataclass(frozen=True, slots=True)
class KernelFit:
    """A kernel that may be an entry: its file and position, how many of its kind the file has, score and reasons."""

    digest: str
    index: int
    name: str
    alike: int
    score: float
    reasons: tuple[str, ...]

    @property
    def words(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons)


class Candidates:
    """The entries of a study that are placed, ready to be held against one kernel after the other.

    Parameters
    ----------
    machine
        The machine whose rows count, where an entry has several.
    """

    def __init__(self, placed: PlacedStudy, machine: str = "") -> None:
        self._study = placed.study
        rows: dict[str, PlacedRow] = {}
        for row in placed.rows:
            if row.placement is not None and (row.entry.id not in rows or row.machine == machine):
                rows[row.entry.id] = row
        self._rows = tuple((row, own_work(row)) for row in rows.values())

    def suggestions(self, measurement: Measurement) -> tuple[Suggestion, ...]:
        """Return the entries that a kernel may be, the best first; none where nothing sensible is there."""
        name = read_name(measurement.kernel)
        found = []
        for row, work in self._rows:
            made = self.suggested(measurement, name, row, work)
            if made is not None:
                found.append(made)
        return tuple(sorted(found, key=lambda one: -one.score))

    def suggested(
        self, measurement: Measurement, name: KernelName, row: PlacedRow, work: tuple[str, float]
    ) -> Suggestion | None:
        """Return what speaks for one entry, None where that is not enough."""
        sure, word = _name_fits(self._study, measurement.kernel, name, row.entry.operator)
        if not sure and not is_of_same_work(measurement, *work):
            return None
        result = judged(measurement, name, bound_of(row), (sure, word))
        return None if result is None else Suggestion(row.entry.id, entry_name(row.entry), *result)


def suggestions(
    placed: PlacedStudy, overlay: Overlay, index: int, machine: str = ""
) -> tuple[Suggestion, ...]:
    """Return the entries that a kernel may be; see :class:`Candidates`."""
    return Candidates(placed, machine).suggestions(overlay.measurement(index))


def the_one(found: tuple[Suggestion, ...]) -> Suggestion | None:
    """Return the suggestion that is clearly the best, or None."""
    if not found or (len(found) > 1 and found[0].score - found[1].score < CLEAR):
        return None
    return found[0]


def bound_of(row: PlacedRow) -> Placement:
    """Return a row at its least: compulsory traffic, no forecast."""
    if not row.settings.forecast:
        return row.policies["compulsory"]  # which the row keeps
    return row.varied(policy="compulsory", forecast=False)


def judged(
    measurement: Measurement,
    name: KernelName,
    placement: Placement,
    said: tuple[float, str],
    known: frozenset[str] = frozenset(),
) -> tuple[float, tuple[str, ...]] | None:
    """Score a kernel against an operator at given sizes; None where it is not worth a word.

    Parameters
    ----------
    said
        How sure the name is (0 to 1), and the word for it.
    known
        Figures that the sizes were taken from; see :func:`gathered`.
    """
    sure, word = said
    evidence = gathered(measurement, name, placement, known)
    if is_refuted(evidence):
        return None
    shape = sum(one.weight for one in evidence)
    if not sure and shape < _BY_SHAPE_ALONE:
        return None
    score = min(1.0, max(0.0, _NAME * sure + shape))
    return (score, _reasons(word, evidence)) if score >= LEAST else None


def _reasons(word: str, evidence: tuple[Evidence, ...]) -> tuple[str, ...]:
    told = sorted((one for one in evidence if one.words), key=lambda one: -one.weight)
    said = (f"name says {word}",) if word else ("the name says nothing",)
    return (*said, *(one.words for one in told))


def _name_fits(study: Study, kernel: str, name: KernelName, operator_id: str) -> tuple[float, str]:
    """Return how sure a name is of an operator, and the word: that of a library, or the operator's own."""
    sure = name.operators.get(operator_id, 0.0)
    if operator_id.startswith(CHAIN_PREFIX):
        sure = max(sure, 0.8 * _chain_fits(study, name, operator_id))
    if not sure and says_own_name(kernel, operator_id):
        return 0.9, operator_id
    return sure, name.word if sure else ""


def _chain_fits(study: Study, name: KernelName, operator_id: str) -> float:
    """Return how sure a name is of one of the operators of a chain."""
    id_ = operator_id.removeprefix(CHAIN_PREFIX)
    chain = next((one for one in study.chains if one.id == id_), None)
    if chain is None:
        return 0.0
    steps = (part.rpartition("->")[2].strip().partition("(")[0].rstrip("!") for part in chain.parts)
    return max((name.operators.get(step, 0.0) for step in steps), default=0.0)


# The other way round ----------------------------------------------------------------------------------------------


def kernels_for(placed: PlacedStudy, entry_id: str, machine: str = "") -> tuple[KernelFit, ...]:
    """Return the kernels of all files that an entry may be, the best first; those with a pair are left out.

    Launches of one name and grid are told once, by the best of them.
    """
    row = row_for_pair(placed, entry_id, machine)
    if row is None:
        return ()
    best: dict[tuple[str, str, object], KernelFit] = {}
    candidates, work = Candidates(placed, machine), own_work(row)
    for overlay in placed.study.overlays:
        for index in _worth_a_look(placed.study, overlay, row.entry.operator):
            if pair_of(placed.study, overlay.digest, index) is not None:
                continue
            measurement = overlay.measurement(index)
            made = candidates.suggested(measurement, read_name(measurement.kernel), row, work)
            if made is None:
                continue
            key = (overlay.digest, measurement.kernel, measurement.grid)
            known = best.get(key)
            alike = 1 if known is None else known.alike + 1
            better = known is None or made.score > known.score
            if better or known is None:
                best[key] = KernelFit(
                    overlay.digest, index, measurement.kernel_short, alike, made.score, made.reasons
                )
            else:
                best[key] = KernelFit(
                    known.digest, known.index, known.name, alike, known.score, known.reasons
                )
    return tuple(sorted(best.values(), key=lambda one: -one.score))[:_MOST_KERNELS]


def _worth_a_look(study: Study, overlay: Overlay, operator_id: str) -> Iterator[int]:
    """Yield kernels whose name fits; where none does, those that have work at all. Up to some hundred of a file."""
    import numpy as np

    codes, texts = overlay.texts("kernel")
    fits = np.array(
        [_name_fits(study, text, read_name(text), operator_id)[0] > 0 for text in texts] + [False]
    )
    chosen = np.flatnonzero(fits[codes])
    if not len(chosen):
        chosen = np.flatnonzero(overlay.columns["work_flop"] > 0)
    yield from chosen[:_MOST_LOOKED_AT].tolist()

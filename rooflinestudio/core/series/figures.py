"""Figures of matching kernels: sums before and after over the same launches, and the ratios between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.measured.main import columns_on, main_columns, works_on
from rooflinestudio.core.measured.series import DRAM

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measurement_overlay import Overlay
    from rooflinestudio.core.series.matching import SeriesMatch

    Column = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

__all__ = ["SeriesFigures", "SeriesTotal", "Side", "series_figures"]


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two files, a value for each line, not-a-number where it is not known.

    Attributes
    ----------
    first
        Position of the first kernel in its file, -1 where the line has none here.
    launches
        Launches that the kernels stand for.
    time_s, traffic_bytes
        Sums over those launches of which both files know the figure; on lines that only one file has, over its own.
    rate_flop_per_s, intensity
        Ratios of sums over those launches of which both files know both parts.
    """

    first: Codes
    launches: Column
    time_s: Column
    traffic_bytes: Column
    rate_flop_per_s: Column
    intensity: Column


@dataclass(frozen=True)
class SeriesTotal:
    """How two files stand to each other: kernels that are shown, and the time of all of each file."""

    matched: int
    by_name: int
    new: int
    gone: int
    time_before_s: float
    time_after_s: float

    @property
    def ratio(self) -> float:
        """Time after over time before; not-a-number where one of them is not known."""
        return (
            self.time_after_s / self.time_before_s
            if self.time_before_s > 0 < self.time_after_s
            else float("nan")
        )


@dataclass(frozen=True, eq=False)
class SeriesFigures:
    """What the lines of a match say.

    Attributes
    ----------
    kernels
        How many pairs (on lines of one file: kernels) are shown of each line; lines of none are not listed.
    timed
        Of how many of them the time is known on both sides.
    pipes
        Codes of the pipes of all kernels: those compared before and after, and the main ones before.
    """

    match: SeriesMatch
    kernels: Codes
    timed: Codes
    before: Side
    after: Side
    total: SeriesTotal
    pipes: tuple[Codes, Codes, Codes]

    def pipes_of(self, line: int) -> tuple[str, str, str]:
        """Return the pipes of the first kernels of a matched line: compared before and after, main one before."""
        before, after = self.match.before.pipes, self.match.after.pipes
        first, last = int(self.before.first[line]), int(self.after.first[line])
        found = zip((before, after, before), self.pipes, (first, last, first), strict=True)
        was, now, own = (names[codes[at]] if codes[at] >= 0 else "" for names, codes, at in found)
        return was, now, own

    def ratio(self, figure: str) -> Column:
        """Return a figure after over that before: ``time_s``, ``traffic_bytes``, ``rate_flop_per_s``."""
        if figure not in self._ratios:
            self._ratios[figure] = self._made_ratio(figure)
        return self._ratios[figure]

    @cached_property
    def _ratios(self) -> dict[str, Column]:
        return {}

    def _made_ratio(self, figure: str) -> Column:
        import numpy as np

        ours, theirs = getattr(self.after, figure), getattr(self.before, figure)
        with np.errstate(all="ignore"):
            found: Column = np.where(
                (ours > 0) & (theirs > 0) & (self.match.change == 0), ours / theirs, np.nan
            )
        return found

    @cached_property
    def saved_s(self) -> Column:
        """Time before minus time after; what is new costs all of its time, and what is gone saves all of it."""
        import numpy as np

        change = self.match.change
        before = np.where(change == 1, 0.0, self.before.time_s)
        after = np.where(change == 2, 0.0, self.after.time_s)
        return before - after

    @property
    def weight_s(self) -> Column:
        """The larger of both times: how much a line matters."""
        import numpy as np

        return np.fmax(self.before.time_s, self.after.time_s)


def series_figures(
    match: SeriesMatch,
    hidden: tuple[Mask, Mask],
    profile: HardwareProfile | None = None,
    *,
    boundary: str = DRAM,
) -> SeriesFigures:
    """Return the figures of all lines over the kernels that are not hidden; a pair counts if both ends are shown.

    Work and rate of a pair are those of one pipe in both files: the main pipe of the kernel of the file after.

    Parameters
    ----------
    hidden
        Whether each kernel of the file from before, and of the file from after, is hidden.
    profile
        The machine whose main pipes count; None: the pipes with the largest work.
    boundary
        Where traffic and intensity are taken.
    """
    import numpy as np

    both = ~(hidden[0][match.pairs_before] | hidden[1][match.pairs_after])
    ours, theirs = match.pairs_before[both], match.pairs_after[both]
    lines, size = match.pair_lines[both], match.lines
    gone_shown, new_shown = ~hidden[0][match.gone], ~hidden[1][match.new]
    gone = match.gone[gone_shown], match.gone_lines[gone_shown]
    new = match.new[new_shown], match.new_lines[new_shown]
    own, of_after = main_columns(match.before, profile), main_columns(match.after, profile)
    of_before = _on_the_same_pipes(match, own, of_after)
    parts = _Amounts(match.before, of_before, boundary), _Amounts(match.after, of_after, boundary)
    kernels = np.bincount(np.concatenate([lines, gone[1], new[1]]), minlength=size)
    known = {name: parts[0].has(name)[ours] & parts[1].has(name)[theirs] for name in _NEEDED}
    before = _side(parts[0], ours, lines, known, gone, kernels)
    after = _side(parts[1], theirs, lines, known, new, kernels)
    total = SeriesTotal(
        len(lines), int(match.by_name[lines].sum()), len(new[0]), len(gone[0]),
        # A kernel without a time makes the sum unknown: a part of one file is not held against all of the other.
        *(float(np.sum(part.time_s[~out])) for part, out in zip(parts, hidden, strict=True)),
    )  # fmt: skip
    timed = np.bincount(lines[known["time"]], minlength=size)
    pipes = of_before["pipe"], of_after["pipe"], own["pipe"]
    return SeriesFigures(match, kernels, timed, before, after, total, pipes)


_NEEDED = {
    "time": ("time_s",), "traffic": ("traffic_bytes",), "rate": ("work_flop", "time_s"),
    "intensity": ("work_flop", "traffic_bytes"),
}  # fmt: skip
"""Which amounts a figure is made of."""


def _on_the_same_pipes(
    match: SeriesMatch, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the columns of the file before, with figures of the pipes that are the main ones in the file after.

    A kernel that did nothing on that pipe keeps its own main pipe: there is nothing else to compare with.
    """
    import numpy as np

    pipes = match.before.pipes
    if len(pipes) < 2:
        return before
    places = np.array([*(pipes.index(one) if one in pipes else -1 for one in match.after.pipes), -1])
    own, rows = before["pipe"], match.pairs_before
    wanted = places[after["pipe"][match.pairs_after]]
    codes = own
    for at in np.unique(wanted[(wanted >= 0) & (wanted != own[rows])]).tolist():
        others = rows[wanted == at]
        codes = codes if codes is not own else own.copy()
        codes[others[works_on(match.before, at, others)]] = at
    return before if codes is own else columns_on(match.before, codes)


class _Amounts:
    """Amounts of the kernels of a file over all launches that each is the mean of."""

    def __init__(self, overlay: Overlay, columns: Mapping[str, Any], boundary: str) -> None:
        import numpy as np

        absent = np.full(len(overlay), np.nan)
        self.count = np.fmax(columns["count"], 1.0)
        self.time_s = columns["time_s"] * self.count
        self.work_flop = columns["work_flop"] * self.count
        self.traffic_bytes = columns.get(f"{boundary}_bytes", absent) * self.count
        self.own = {
            "rate": columns["achieved_flop_per_s"], "intensity": columns.get(f"intensity_{boundary}", absent)
        }  # fmt: skip

    def has(self, figure: str) -> Mask:
        import numpy as np

        known = [~np.isnan(getattr(self, name)) for name in _NEEDED[figure]]
        found: Mask = np.logical_and.reduce(known)
        return found


def _side(
    part: _Amounts, kernels: Codes, lines: Codes, known: dict[str, Mask], alone: tuple[Codes, Codes], of_line: Codes
) -> Side:  # fmt: skip
    """Return one file's figures: pairs with what both files know, and kernels that the other file does not have."""
    import numpy as np

    rows, places = np.concatenate([kernels, alone[0]]), np.concatenate([lines, alone[1]])
    size = len(of_line)

    def sums(name: str, figure: str) -> Column:
        mask = np.concatenate([known[figure], part.has(figure)[alone[0]]])
        found = np.bincount(places[mask], getattr(part, name)[rows[mask]], minlength=size)
        return np.where(np.bincount(places[mask], minlength=size) > 0, found, np.nan)

    first = np.full(size, -1, dtype=np.int64)
    first[places[::-1]] = rows[::-1]
    with np.errstate(all="ignore"):
        rate = sums("work_flop", "rate") / sums("time_s", "rate")
        intensity = sums("work_flop", "intensity") / sums("traffic_bytes", "intensity")
    single = (of_line == 1) & (first >= 0)  # such a kernel may have rates without amounts
    rate[single], intensity[single] = part.own["rate"][first[single]], part.own["intensity"][first[single]]
    launches = np.bincount(places, part.count[rows], minlength=size).astype(np.float64)
    return Side(first, launches, sums("time_s", "time"), sums("traffic_bytes", "traffic"), rate, intensity)

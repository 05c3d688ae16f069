"""Kernels of one name (or of one name, grid and block) as one line each: sums, ratios of sums, shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.measured.main import pipe_of_sums, pipe_rates
from rooflinestudio.core.measured.series import DRAM

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.measured.series import Series

    Column = npt.NDArray[np.float64]
    Codes = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

__all__ = ["GroupFigures", "Grouping", "group_figures", "grouping"]


@dataclass(frozen=True, eq=False)
class Grouping:
    """Which kernels belong together; kernels of different files never do.

    Attributes
    ----------
    codes
        Number of the group of each kernel; groups are numbered as their first kernels come.
    first
        First kernel of each group.
    """

    codes: Codes
    first: Codes


@dataclass(frozen=True, eq=False)
class GroupFigures:
    """Figures of groups over the kernels that are listed, one value per group, not-a-number where none has it.

    Attributes
    ----------
    kernels, launches
        How many kernels are listed, and launches, where a kernel stands for several.
    time_s, work_flop, traffic_bytes
        Sums over all launches; work is that of the main pipe of each.
    share
        Part in the time of its file.
    intensity, achieved_flop_per_s
        Ratios of sums over those kernels alone that have both parts.
    timed, worked, carried
        How many of the kernels have a time, work, traffic: below ``kernels``, a sum is not of all.
    pipe
        Main pipe, by the sums of work, -1 without; ``mixed`` tells whether there are others.
    """

    kernels: Codes
    launches: Column
    time_s: Column
    work_flop: Column
    traffic_bytes: Column
    share: Column
    intensity: Column
    achieved_flop_per_s: Column
    timed: Codes
    worked: Codes
    carried: Codes
    pipe: Codes
    mixed: Mask


def grouping(series: Series, mode: str) -> Grouping:
    """Return the groups of all kernels by ``kernel`` name, or by ``launch``: name, grid and block."""
    found: Grouping = series.made_once(f"grouping {mode}", lambda: _grouping(series, mode))
    return found


def _grouping(series: Series, mode: str) -> Grouping:
    import numpy as np

    codes = series.files
    for key in ("kernel", "grid", "block") if mode == "launch" else ("kernel",):
        of_key, texts = series.texts(key)
        codes = _dense(codes * (len(texts) + 1) + of_key + 1)
    first = np.empty(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the last one written is the first there is
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return Grouping(place[codes], first[order])


def _dense(codes: Codes) -> Codes:
    """Return the different codes numbered from 0 on; without sorting where they lie close together."""
    import numpy as np

    most = int(codes.max(initial=-1)) + 1
    if most > 4 * len(codes) + 65_536:
        return np.unique(codes, return_inverse=True)[1].astype(np.int64)
    used = np.zeros(most, dtype=bool)
    used[codes] = True
    return (np.cumsum(used) - 1)[codes]


def group_figures(
    series: Series, groups: Grouping, listed: Mask, profile: HardwareProfile | None = None
) -> GroupFigures:
    """Return the figures of groups over the kernels that are listed; their main pipes are those on the profile."""
    import numpy as np

    rows = np.flatnonzero(listed)
    codes, count = groups.codes[rows], len(groups.first)
    counts = series.counts[rows]
    time_s, work = series.all_launches("time_s")[rows], series.all_launches("work_flop")[rows]
    traffic = series.all_launches(f"{DRAM}_bytes")[rows]

    def number(mask: Mask) -> Codes:
        return np.bincount(codes[mask], minlength=count)

    def total(values: Column, mask: Mask) -> Column:
        sums = np.bincount(codes[mask], values[mask], minlength=count)
        return np.where(number(mask) > 0, sums, np.nan)

    timed, worked, carried = ~np.isnan(time_s), ~np.isnan(work), ~np.isnan(traffic)
    both, timed_work = worked & carried, worked & timed
    pipe, mixed = _pipes(series, rows, codes, count, profile)
    with np.errstate(all="ignore"):
        intensity = total(work, both) / total(traffic, both)
        achieved = total(work, timed_work) / total(time_s, timed_work)
    kernels = np.bincount(codes, minlength=count)
    alone = rows[kernels[codes] == 1]  # such a kernel may have rates without amounts
    intensity[groups.codes[alone]] = series.numbers(f"intensity_{DRAM}")[alone]
    achieved[groups.codes[alone]] = series.numbers("achieved_flop_per_s")[alone]
    share = total(series.shares[rows], timed)
    launches = np.bincount(codes, counts, minlength=count).astype(np.float64)
    return GroupFigures(
        kernels, launches, total(time_s, timed), total(work, worked), total(traffic, carried), share, intensity,
        achieved, number(timed), number(worked), number(carried), pipe, mixed,
    )  # fmt: skip


def _pipes(
    series: Series, rows: Codes, codes: Codes, count: int, profile: HardwareProfile | None
) -> tuple[Any, Any]:
    """Return the pipe with the largest work / ceiling of each group, and whether there are others."""
    import numpy as np

    of_kernel, names = series.texts("pipe")
    pipes = of_kernel[rows]
    known = pipes >= 0
    if not names:
        return np.full(count, -1), np.zeros(count, dtype=bool)
    cells = codes[known] * len(names) + pipes[known]
    size = count * len(names)
    work = np.nan_to_num(series.all_launches("work_flop")[rows][known])
    present = np.bincount(cells, minlength=size).reshape(count, -1) > 0
    amounts = np.bincount(cells, work, minlength=size).reshape(count, -1)
    main = np.where(present, amounts, -1.0).argmax(axis=1)
    held = pipe_of_sums(amounts.T, tuple(pipe_rates(names, profile).values()))
    main = np.where(held < 0, main, held)
    return np.where(present.any(axis=1), main, -1), present.sum(axis=1) > 1

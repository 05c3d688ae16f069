"""In which order the measured table stands: argsort over columns, equals as they came, absent ones last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.measured.series import DRAM

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.measured.table import MeasuredTable

    Column = npt.NDArray[np.float64]
    Lines = npt.NDArray[np.int64]

__all__ = ["NUMBERS", "lines_in_order"]

NUMBERS: Final = {
    "launch": "launch", "time": "time_s", "work": "work_flop", "traffic": f"{DRAM}_bytes",
    "intensity": f"intensity_{DRAM}", "achieved": "achieved_flop_per_s",
}  # fmt: skip
_GROUP_NUMBERS: Final = {
    "launch": "launches", "time": "time_s", "share": "share", "work": "work_flop", "traffic": "traffic_bytes",
    "intensity": "intensity", "achieved": "achieved_flop_per_s",
}  # fmt: skip


def lines_in_order(table: MeasuredTable) -> Lines:
    """Return the lines of a table from top to bottom: groups with the kernels of open ones below them, or kernels."""
    import numpy as np

    kernels = np.flatnonzero(table.listed)
    if table.groups is None or table.figures is None:
        return _sorted(table, kernels)
    there = np.flatnonzero(table.figures.kernels)
    keys = _group_keys(table, table.panel.sort)
    lines = -1 - (there if keys is None else there[_order(keys[there], table.panel.descending)])
    parts, done = [], 0
    for at in np.flatnonzero(np.isin(-1 - lines, list(table.opened))).tolist():
        parts += [lines[done : at + 1], _sorted(table, _members(table, int(-1 - lines[at])))]
        done = at + 1
    return np.concatenate([*parts, lines[done:]])


def _members(table: MeasuredTable, group: int) -> Lines:
    import numpy as np

    codes = table.groups.codes if table.groups is not None else table.series.files
    return np.flatnonzero((codes == group) & table.listed)


def _sorted(table: MeasuredTable, kernels: Lines) -> Lines:
    """Return kernels in the order of the panel."""
    keys = _kernel_keys(table, table.panel.sort)
    return kernels if keys is None else kernels[_order(keys[kernels], table.panel.descending)]


def _order(keys: Column, descending: bool) -> Lines:
    """Return the positions in order; equals stay as they came, and not-a-number is last whichever way."""
    import numpy as np

    return np.argsort(-keys if descending else keys, kind="stable")


def _kernel_keys(table: MeasuredTable, column: str) -> Any:
    series = table.series
    if not column:
        return None
    if column in NUMBERS:
        return series.numbers(NUMBERS[column])
    if column == "share":
        return series.shares
    if column == "bound":
        return table.held.fraction
    if column == "pair":
        return _pair_ranks(table)
    return series.files * 1.0 if column == "file" else series.ranks(column)


def _pair_ranks(table: MeasuredTable) -> Column:
    """Return the place of each kernel's entry in the order of their names; not-a-number without a pair."""
    import numpy as np

    names = sorted({one.name for one in table.paired.values()}, key=str.casefold)
    ranks = np.full(len(table.series), np.nan)
    for kernel, one in table.paired.items():
        ranks[kernel] = names.index(one.name)
    return ranks


def _group_keys(table: MeasuredTable, column: str) -> Any:
    import numpy as np

    if not column or table.groups is None:
        return None
    if column in _GROUP_NUMBERS:
        return getattr(table.figures, _GROUP_NUMBERS[column]) * 1.0
    if column == "bound":
        return table.groups_held.fraction if table.groups_held is not None else None
    if column == "pipe" and table.figures is not None:
        names = table.series.texts("pipe")[1]
        places = {name: float(at) for at, name in enumerate(sorted(names, key=str.casefold))}
        return np.array([*(places[name] for name in names), np.nan])[table.figures.pipe]
    keys = _kernel_keys(table, column)
    if column == "pair":  # of a group the first name that any of its kernels has
        least = np.full(len(table.groups.first), np.inf)
        np.fmin.at(least, table.groups.codes, keys)
        return np.where(np.isinf(least), np.nan, least)
    return keys[table.groups.first]

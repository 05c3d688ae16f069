"""Launches that were read cell by cell and have the same cells, put side by side as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plugins_builtin._ncu.blocks import SEPARATOR, parse_block
from plugins_builtin._ncu.counters import scale_of
from plugins_builtin._ncu.metrics import DEVICE_NAME
from plugins_builtin._ncu.numbers import is_missing
from plugins_builtin._ncu.wide import ABSENT, Wanted, WideColumns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plugins_builtin._ncu.counters import Source
    from plugins_builtin._ncu.launches import RawLaunch
    from plugins_builtin._ncu.numbers import Mark

__all__ = ["gathered"]

_WORTH_IT: Final = 32  # launches with the same cells
_LAUNCHES_PER_BLOCK: Final = 2_000


def gathered(launches: list[RawLaunch], mark: Mark) -> list[WideColumns]:
    """Columns of the launches that share their cells with many others.

    Their ``columns`` and ``row`` are set, and their cells given up. Launches with a cell that is more than a plain
    number, or the mean of several, stay as they are.
    """
    alike: dict[tuple[int, ...], list[RawLaunch]] = {}
    for launch in launches:
        if launch.columns is None and launch.count == 1 and launch.cells:
            # The rows of one table share their sources, so that they need not be compared by content.
            alike.setdefault(tuple(id(cell.source) for cell in launch.cells.values()), []).append(launch)
    return [
        columns for group in alike.values() if len(group) >= _WORTH_IT for columns in _columns(group, mark)
    ]


def _columns(group: list[RawLaunch], mark: Mark) -> Iterator[WideColumns]:
    sources = [cell.source for cell in group[0].cells.values()]
    if any(scale_of(source) is None or source.metric == DEVICE_NAME for source in sources):
        return
    columns = WideColumns(
        tuple(source.metric for source in sources),
        tuple(source.unit for source in sources),
        [Wanted(place, source) for place, source in enumerate(sources)],
    )
    for start in range(0, len(group), _LAUNCHES_PER_BLOCK):
        _add(columns, group[start : start + _LAUNCHES_PER_BLOCK], sources, mark)
    yield columns


def _add(columns: WideColumns, launches: list[RawLaunch], sources: list[Source], mark: Mark) -> None:
    import numpy as np

    rows = [SEPARATOR.join(cell.text for cell in launch.cells.values()) for launch in launches]
    plain = [
        (launch, row)
        for launch, row in zip(launches, rows, strict=True)
        if row.count(SEPARATOR) == len(sources) - 1
    ]
    if not plain:
        return
    block = parse_block("".join(row + SEPARATOR for _, row in plain), len(sources), mark)
    states = block.decimals
    states[np.isnan(block.values)] = ABSENT
    odd = {cell.row for cell in block.odd if not is_missing(cell.text)}
    for row, (launch, _) in enumerate(plain):
        if row not in odd:
            launch.columns, launch.cells = columns, {}
        launch.row = len(columns.launches) + row
    columns.launches += [launch for launch, _ in plain]
    columns.add(block, states)

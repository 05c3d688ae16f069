"""The table of measured kernels: what is listed, in which order, grouped how; made with NumPy, for a million rows.

A line is a number: from 0 on a kernel of the series, below 0 a group (-1 is the first). Lines are not objects, and
nothing is put into words before somebody looks at it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.measured.filter import FilterError, names_matching
from rooflinestudio.core.measured.groups import GroupFigures, Grouping, group_figures, grouping
from rooflinestudio.core.measured.held import Held, held_against
from rooflinestudio.core.measured.main import pipe_rates
from rooflinestudio.core.measured.order import lines_in_order
from rooflinestudio.core.measured.panel import MeasuredPanel, hidden_kernels, kernel_slots
from rooflinestudio.core.measured.series import DRAM, Series
from rooflinestudio.core.pairing.column import PairedKernel, PairedKernels, Suggester, lent_work
from rooflinestudio.core.pairing.lent import LentSeries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    import numpy.typing as npt

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedStudy
    from rooflinestudio.core.study import Study

    Column = npt.NDArray[np.float64]
    Lines = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

__all__ = ["FileTotal", "MeasuredTable", "TableMaker", "group_number", "line_of_group"]


def group_number(line: int) -> int:
    """Return the number of the group of a line, or -1 for a kernel."""
    return -1 - line if line < 0 else -1


def line_of_group(number: int) -> int:
    """Return the line of a group."""
    return -1 - number


@dataclass(frozen=True)
class FileTotal:
    """What is listed of one file, of how much: kernels, launches included in the sums."""

    name: str
    kernels: int
    of_kernels: int
    time_s: float
    work_flop: float
    traffic_bytes: float


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """What the table shows.

    Attributes
    ----------
    listed
        Whether each kernel is in the table: it matches the filter and is not hidden.
    hidden, slots
        For each kernel whether it is hidden, and the colour that was chosen for it (-1: none).
    held, groups_held
        Kernels and groups against the machine.
    opened
        Groups whose kernels stand below them.
    lines
        From top to bottom.
    fault
        Why the filter does not hold; then everything is listed.
    paired
        By number of the kernel, the entries that kernels are held against.
    suggester
        Says which entry a kernel without one may be; asked only for rows that are seen.
    """

    series: Series
    panel: MeasuredPanel
    listed: Mask
    hidden: Mask
    slots: npt.NDArray[np.int8]
    held: Held
    groups: Grouping | None
    figures: GroupFigures | None
    groups_held: Held | None
    opened: frozenset[int]
    lines: Lines
    fault: str = ""
    paired: Mapping[int, PairedKernel] = field(default_factory=dict)
    suggester: Suggester = field(default_factory=Suggester)

    def has_rows_of(self, other: MeasuredTable) -> bool:
        """Whether another table has the same kernels and groups in the same rows."""
        import numpy as np

        return (
            self.series.overlays == other.series.overlays
            and self.panel.group == other.panel.group
            and self.opened == other.opened
            and np.array_equal(self.lines, other.lines)
        )

    def row_of(self, kernel: int) -> int:
        """Return the row of a kernel, or of its group where that is closed; -1 where it is not listed."""
        if not 0 <= kernel < len(self.series) or not self.listed[kernel]:
            return -1
        found = (self.lines == kernel).nonzero()[0]
        if not len(found) and self.groups is not None:
            found = (self.lines == line_of_group(int(self.groups.codes[kernel]))).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def kernels_of(self, lines: Iterable[int]) -> Lines:
        """Return the listed kernels that lines stand for."""
        import numpy as np

        chosen = np.asarray(lines, dtype=np.int64)
        mask = np.zeros(len(self.series), dtype=bool)
        mask[chosen[chosen >= 0]] = True
        if self.groups is not None:
            in_group = np.zeros(len(self.groups.first), dtype=bool)
            in_group[-1 - chosen[chosen < 0]] = True
            mask |= in_group[self.groups.codes] & self.listed
        return np.flatnonzero(mask)

    def kernel_at(self, line: int) -> int:
        """Return the kernel of a line; of a group the first one."""
        if line >= 0 or self.groups is None:
            return line
        return int(self.groups.first[-1 - line])

    @cached_property
    def paired_in(self) -> Mapping[int, Mapping[str, int]]:
        """How many of the listed kernels of a group are held against which entry, by its name."""
        found: dict[int, dict[str, int]] = {}
        for kernel, one in self.paired.items():
            if self.groups is not None and self.listed[kernel]:
                names = found.setdefault(int(self.groups.codes[kernel]), {})
                names[one.name] = names.get(one.name, 0) + 1
        return found

    @property
    def pairs_matter(self) -> bool:
        """Whether there is anything to hold kernels against."""
        return bool(self.paired) or self.suggester.has_entries

    @property
    def lends(self) -> bool:
        """Whether the work of some kernel is that of the operator it is held against."""
        return any(one.lent is not None for one in self.paired.values())

    @cached_property
    def group_slots(self) -> tuple[Any, Any]:
        """For each group the colour that all its kernels wear (-1: none, or several), and whether all are hidden."""
        import numpy as np

        if self.groups is None:
            return np.empty(0, dtype=int), np.empty(0, dtype=bool)
        codes, first = self.groups.codes, self.groups.first
        others = np.bincount(codes, self.slots != self.slots[first][codes], minlength=len(first))
        shown = np.bincount(codes, ~self.hidden, minlength=len(first))
        return np.where(others == 0, self.slots[first], -1), shown == 0

    @cached_property
    def totals(self) -> tuple[FileTotal, ...]:
        """What is listed of each file."""
        import numpy as np

        series = self.series
        files = series.files[self.listed]
        size = len(series.overlays)

        def sums(name: str) -> Any:
            return np.bincount(files, np.nan_to_num(series.all_launches(name)[self.listed]), minlength=size)

        numbers = np.bincount(files, minlength=size)
        times, works, amounts = sums("time_s"), sums("work_flop"), sums(f"{DRAM}_bytes")
        return tuple(
            FileTotal(
                one.name, int(numbers[at]), len(one), float(times[at]), float(works[at]), float(amounts[at])
            )
            for at, one in enumerate(series.overlays)
        )


class TableMaker:
    """Makes tables, and keeps what the next one needs again: columns of files, bounds, masks."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[Any, ...], Any]] = {}
        self._suggester, self._paired = Suggester(), PairedKernels()

    def table(
        self,
        study: Study,
        panel: MeasuredPanel,
        profile: HardwareProfile | None,
        opened: frozenset[int] = frozenset(),
        placed: PlacedStudy | None = None,
    ) -> MeasuredTable:
        """Return the table of a study's overlays; the same object while nothing has changed.

        Parameters
        ----------
        profile
            The machine that kernels are held against, or None.
        opened
            Numbers of the groups that are open.
        placed
            The study held against its machines: then kernels stand with their entries, and those whose work no counter
            saw have it from there.
        """
        files = tuple((one.digest, one.name) for one in study.overlays)
        series = self._once("series", files, lambda: Series(study.overlays))
        rates = tuple(pipe_rates(one.pipes, profile) for one in study.overlays)
        series = self._once("against", (series, rates), lambda of=series: of.against(profile))
        paired: Mapping[int, PairedKernel] = {}
        if placed is not None:
            self._suggester.show(placed, profile.id if profile is not None else "")
            paired = self._paired.of(placed, series, profile)
        lent = lent_work(paired)
        if lent:
            series = self._once("lent", (series, lent), partial(LentSeries, series, lent))
        key = (series, panel, profile, opened, paired)
        found: MeasuredTable = self._once("table", key, lambda: self._made(*key))
        return found

    def _once(self, name: str, key: tuple[Any, ...], make: Any) -> Any:
        kept = self._kept.get(name)
        if kept is None or kept[0] != key:
            kept = self._kept[name] = (key, make())
        return kept[1]

    def _made(
        self,
        series: Series,
        panel: MeasuredPanel,
        profile: HardwareProfile | None,
        opened: frozenset[int],
        paired: Mapping[int, PairedKernel],
    ) -> MeasuredTable:
        import numpy as np

        held = self._once("held", (series, profile), lambda: _held_kernels(series, profile))
        hidden = self._once(
            "hidden", (series, panel.hidden), lambda: _joined(series, hidden_kernels, panel, bool)
        )
        slots = self._once(
            "slots", (series, panel.colours), lambda: _joined(series, kernel_slots, panel, np.int8)
        )
        matching, fault = self._once(
            "filter", (series, panel.filter), lambda: _matching(series, panel.filter)
        )
        listed = matching if panel.list_hidden else matching & ~hidden
        groups = grouping(series, panel.group) if panel.group else None
        figures = groups_held = None
        if groups is not None:
            figures = group_figures(series, groups, listed, profile)
            pipes = (figures.pipe, series.texts("pipe")[1])
            groups_held = held_against(profile, pipes, figures.intensity, figures.achieved_flop_per_s)
        table = MeasuredTable(
            series, panel, listed, hidden, slots, held, groups, figures, groups_held, opened,
            np.empty(0, dtype=np.int64), fault, paired, self._suggester,
        )  # fmt: skip
        object.__setattr__(table, "lines", lines_in_order(table))
        return table


def _held_kernels(series: Series, profile: HardwareProfile | None) -> Held:
    intensity, rate = series.numbers(f"intensity_{DRAM}"), series.numbers("achieved_flop_per_s")
    return held_against(profile, series.texts("pipe"), intensity, rate)


def _joined(series: Series, of_file: Any, panel: MeasuredPanel, kind: Any) -> Any:
    import numpy as np

    return np.concatenate([np.empty(0, dtype=kind), *(of_file(panel, one) for one in series.overlays)])


def _matching(series: Series, pattern: str) -> tuple[Mask, str]:
    """Return which kernels have a matching name, and why not where the filter does not hold: then all."""
    import numpy as np

    if not pattern:
        return np.ones(len(series), dtype=bool), ""
    codes, names = series.texts("kernel")
    try:
        found = names_matching(pattern, names)
    except FilterError as error:
        return np.ones(len(series), dtype=bool), str(error)
    return np.append(found, False)[codes], ""

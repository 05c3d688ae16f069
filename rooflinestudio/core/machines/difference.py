"""The figures of several machines side by side, each held against the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import BOUNDARY_ORDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rooflinestudio.core.hardware import Figure, HardwareProfile

__all__ = ["DifferenceCell", "DifferenceRow", "differences", "ridge_rows"]

_SAME: Final = 1e-9
_OTHERS: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("sms", "multiprocessors", "", "sms"),
    ("tdp", "rated power", "W", "tdp"),
    ("launch_overhead", "launch overhead", "s", "launch_overhead"),
)


@dataclass(frozen=True, slots=True)
class DifferenceCell:
    """A figure of one machine.

    Attributes
    ----------
    value
        In the unit of its row, or None where the profile does not know it.
    ratio
        To the first machine, or None where either is not known.
    provenance
        Of the figure; ``derived`` for a ridge.
    source, condition
        Of the figure.
    """

    value: float | None
    ratio: float | None = None
    provenance: str = ""
    source: str = ""
    condition: str = ""

    @property
    def differs(self) -> bool:
        """Whether it is not what the first machine has."""
        return self.ratio is not None and abs(self.ratio - 1) > _SAME


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One figure of all machines.

    Attributes
    ----------
    group
        ``ceilings``, ``bandwidths``, ``ridges``, ``capacities``, ``latencies``, ``clocks`` or ``rest``.
    key
        Unique among the rows: ``ceilings.bf16-tensor``.
    unit
        As :func:`~rooflinestudio.core.quantities.format_quantity` takes it.
    more_is_better
        None where neither is.
    """

    group: str
    key: str
    label: str
    unit: str
    cells: tuple[DifferenceCell, ...]
    more_is_better: bool | None = True

    @property
    def differs(self) -> bool:
        """Whether any machine differs from the first, or does not know the figure while another does."""
        known = {cell.value is None for cell in self.cells}
        return len(known) > 1 or any(cell.differs for cell in self.cells)


def differences(machines: Sequence[HardwareProfile]) -> tuple[DifferenceRow, ...]:
    """Return every figure that at least one of the machines knows, in the order of the profile.

    Parameters
    ----------
    machines
        The first is what the others are held against.
    """
    return tuple(row for row in _all_rows(machines) if any(cell.value is not None for cell in row.cells))


def _all_rows(machines: Sequence[HardwareProfile]) -> Iterator[DifferenceRow]:
    for id_, label in _named(machines, lambda one: [(c.id, c.label) for c in one.ceilings.values()]):
        unit = "OP/s" if id_.startswith("int") else "FLOP/s"
        yield _row("ceilings", id_, label, unit, [_ceiling(one, id_) for one in machines])
    boundaries = [id_ for id_ in BOUNDARY_ORDER if any(id_ in one.boundaries for one in machines)]
    for id_ in boundaries:
        label = _label(machines, id_)
        yield _row(
            "bandwidths",
            id_,
            label,
            "B/s",
            [_of(one, id_, lambda known: known.bandwidth) for one in machines],
        )
    yield from ridge_rows(machines)
    for id_ in boundaries:
        label = f"capacity of {_label(machines, id_)}"
        yield _row(
            "capacities", id_, label, "B", [_of(one, id_, lambda known: known.capacity) for one in machines]
        )
    for id_ in boundaries:
        label = f"latency of {_label(machines, id_)}"
        figures = [_of(one, id_, lambda known: known.latency) for one in machines]
        yield _row("latencies", id_, label, "s", figures, more_is_better=False)
    for name, _ in _named(machines, lambda one: [(key, key) for key in one.clocks]):
        yield _row("clocks", name, f"{name} clock", "Hz", [one.clocks.get(name) for one in machines])
    for key, label, unit, field in _OTHERS:
        better = {"tdp": None, "launch_overhead": False}.get(key, True)
        figures = [getattr(one, field) for one in machines]
        yield _row("rest", key, label, unit, figures, more_is_better=better)


def ridge_rows(machines: Sequence[HardwareProfile]) -> Iterator[DifferenceRow]:
    """Return the ridge of each machine's reference pipe at every boundary outside registers, in FLOP/byte.

    The lower a ridge, the more kernels reach the ceiling; so neither more nor less is better as such.
    """
    for id_ in BOUNDARY_ORDER[1:]:
        ridges = [
            one.ridge(boundary_id=id_)
            if id_ in one.boundaries and one.reference_ceiling in one.ceilings
            else None
            for one in machines
        ]
        if any(ridge is not None for ridge in ridges):
            first = ridges[0]
            cells = tuple(
                DifferenceCell(ridge, _ratio(ridge, first), "derived", "reference ceiling / bandwidth")
                for ridge in ridges
            )
            yield DifferenceRow(
                "ridges", f"ridges.{id_}", f"ridge at {_label(machines, id_)}", "FLOP/B", cells, None
            )


def _named(
    machines: Sequence[HardwareProfile], names: Callable[[HardwareProfile], Iterable[tuple[str, str]]]
) -> list[tuple[str, str]]:
    """Return the ids of all machines, each once, in the order in which they are met."""
    return list(dict(pair for one in machines for pair in names(one)).items())


def _label(machines: Sequence[HardwareProfile], id_: str) -> str:
    """Return the machines' word for a boundary where they share it, else the usual one."""
    from rooflinestudio.core.ceilings.words import CACHE_LABELS

    words = {one.boundaries[id_].label for one in machines if id_ in one.boundaries}
    return words.pop() if len(words) == 1 else CACHE_LABELS.get(id_, id_)


def _ceiling(machine: HardwareProfile, id_: str) -> Figure | None:
    ceiling = machine.ceilings.get(id_)
    return None if ceiling is None else ceiling.figure


def _of(machine: HardwareProfile, id_: str, figure: Callable[..., Figure | None]) -> Figure | None:
    boundary = machine.boundaries.get(id_)
    return None if boundary is None else figure(boundary)


def _row(
    group: str,
    id_: str,
    label: str,
    unit: str,
    figures: Sequence[Figure | None],
    *,
    more_is_better: bool | None = True,
) -> DifferenceRow:
    first = figures[0].value if figures and figures[0] is not None else None
    cells = tuple(
        DifferenceCell(None)
        if one is None
        else DifferenceCell(one.value, _ratio(one.value, first), one.provenance, one.source, one.condition)
        for one in figures
    )
    return DifferenceRow(group, f"{group}.{id_}", label, unit, cells, more_is_better)


def _ratio(value: float | None, first: float | None) -> float | None:
    return value / first if value is not None and first else None

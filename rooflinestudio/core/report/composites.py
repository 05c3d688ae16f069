"""What composites and chains of a report are made of: kernels with their share of the time, and what fusing buys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.bench import bench_of
from rooflinestudio.core.bench_readouts import boundary_word, counted
from rooflinestudio.core.budget import budget_of
from rooflinestudio.core.budget_words import budget_note
from rooflinestudio.core.chains import ChainOperator, chain_of, is_chain, source_for
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.grid.words import bound_text
from rooflinestudio.core.quantities import format_number
from rooflinestudio.core.report.document import Column, Prose, Section, Table
from rooflinestudio.core.report.words import NOTHING, amount, intensity_text, percent, row_title, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.bench import Bench, BenchKernel
    from rooflinestudio.core.budget import Budget
    from rooflinestudio.core.placing import EstimateSource, PlacedRow, PlacedStudy

__all__ = ["chains_section", "parts_section"]

_PART_COLUMNS: Final = (
    Column("Kernel"), Column("Runs", True), Column("W", True), Column("Q", True), Column("I, FLOP/byte", True),
    Column("Time", True), Column("Share", True), Column("Bound"),
)  # fmt: skip


def parts_section(placed: PlacedStudy) -> Section | None:
    """Return the composites with their kernels; None where there are none."""
    parts = tuple(
        _budget(row, budget_of(row.placement))
        for row in placed.rows
        if row.placement is not None and row.placement.parts and not is_chain(row.entry.operator)
    )
    return Section("parts", "Where the time goes", (), parts) if parts else None


def _budget(row: PlacedRow, budget: Budget) -> Section:
    rows = tuple(
        (
            one.name, format_number(one.count, digits=4) if one.count != int(one.count) else whole(one.count),
            amount(one.work_flop, "FLOP"), amount(one.traffic_bytes, "B"), intensity_text(one.intensity),
            amount(one.time_s, "s"), percent(one.share), bound_text(one.placement),
        )
        for one in budget.parts
    )  # fmt: skip
    total = (
        "Together", NOTHING, amount(budget.work_flop, "FLOP"), amount(budget.traffic_bytes, "B"),
        intensity_text(budget.placement.intensity), amount(budget.time_s, "s"), "100%", NOTHING,
    )  # fmt: skip
    shares = ", ".join(f"{percent(share)} {kind}" for kind, share in budget.shares.items())
    told = (
        f"{amount(budget.time_s, 's')} in all, {percent(budget.mfu)} of {budget.placement.ceiling_id} (MFU). "
        f"Time by bound: {shares}."
    )
    regime = str(budget.placement.parameters.get("regime", ""))
    note = budget_note(forecast=budget.is_forecast, regime=regime)
    table = Table(
        f"Kernels of {row_title(row)}; figures are those of all runs", _PART_COLUMNS, (*rows, total), note
    )
    return Section(f"parts-{row.entry.id}-{row.machine}", row_title(row), (Prose(told), table))


# Chains -----------------------------------------------------------------------------------------------------------

_STAGES: Final = {"split": "All split", "drawn": "As drawn", "fused": "All fused"}
_STAGE_COLUMNS: Final = (
    Column("Cut"), Column("Kernels", True), Column("Q", True), Column("I, FLOP/byte", True), Column("Time", True),
    Column("Speed-up over split", True),
)  # fmt: skip
_KERNEL_COLUMNS: Final = (
    Column("Kernel as drawn"), Column("W", True), Column("Q", True), Column("I, FLOP/byte", True),
    Column("Time", True), Column("Bound"), Column("Stays on chip"),
)  # fmt: skip


def chains_section(placed: PlacedStudy, source: EstimateSource) -> Section | None:
    """Return the chains, each as drawn beside split and fused; None where there are none."""
    known = source_for(source, placed.study)
    parts = tuple(_chains(placed, known))
    return Section("chains", "Chains and fusion", (), parts) if parts else None


def _chains(placed: PlacedStudy, source: Any) -> Iterator[Section]:
    for row in placed.rows:
        if row.placement is None or chain_of(placed.study, row.entry) is None:
            continue
        try:
            operator = source.operator(row.entry.operator)
        except StudioError:
            continue
        if isinstance(operator, ChainOperator):
            yield _chain(row, bench_of(row, operator, source))


def _chain(row: PlacedRow, bench: Bench) -> Section:
    id_, head = f"chain-{row.entry.id}-{row.machine}", f"{bench.spec}. "
    if bench.chain is None:
        return Section(id_, row_title(row), (Prose(head + bench.reason),))
    told = (
        f"{head}{counted(len(bench.cards), 'operator')} in {counted(len(bench.kernels), 'kernel')}, counted at "
        f"{boundary_word(bench)}, compulsory. {amount(bench.saved_bytes, 'B')} no longer cross."
    )
    stages = Table("The chain cut in three ways", _STAGE_COLUMNS, tuple(_stages(bench)))
    kernels = Table("Its kernels as drawn", _KERNEL_COLUMNS, tuple(filter(None, map(_kernel, bench.kernels))))
    return Section(id_, row_title(row), (Prose(told), stages, kernels))


def _stages(bench: Bench) -> Iterator[tuple[str, ...]]:
    for id_, words in _STAGES.items():
        chain = bench.stage(id_)
        yield (
            words,
            whole(len(chain.kernels)),
            amount(chain.traffic_bytes, "B"),
            intensity_text(chain.intensity),
            amount(chain.time_s, "s"),
            f"{format_number(chain.speedup_vs_split)}×",
        )


def _kernel(kernel: BenchKernel) -> tuple[str, ...]:
    one = kernel.kernel
    if one is None:
        return ()
    return (
        kernel.label,
        amount(one.work_flop, "FLOP"),
        amount(one.traffic_bytes, "B"),
        intensity_text(one.intensity),
        amount(one.time_s, "s"),
        bound_text(one.placement),
        ", ".join(tensor.name for tensor in one.kept_on_chip) or NOTHING,
    )

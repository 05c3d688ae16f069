"""Canvas, table, grid, budget, exports and command line give the same figures for the same study: random studies."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import shlex

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooflinestudio.cli import main
from rooflinestudio.core.budget import budget_of
from rooflinestudio.core.export import csv_table
from rooflinestudio.core.fusion import parse_chain
from rooflinestudio.core.grid import grid_of
from rooflinestudio.core.grid.spec import grid_spec
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry
from rooflinestudio.core.study_edits import with_new_chain
from rooflinestudio.ui.comparison.lines import LineMaker
from rooflinestudio.ui.inspector.command import command_of
from rooflinestudio.ui.presenter import scene_of
from tests.ui.shell_helpers import A100, H100, registry, study

CLOSE = 1e-9

_sizes = st.sampled_from([1, 7, 64, 128, 1000, 4096, 8192])


def _entry(operator: str, **parameters: st.SearchStrategy) -> st.SearchStrategy[tuple[str, dict]]:
    return st.tuples(st.just(operator), st.fixed_dictionaries(parameters))


_kernels = st.one_of(
    _entry("gemm", m=_sizes, n=_sizes, k=_sizes),
    _entry("attention", seq_q=_sizes, seq_kv=_sizes, implementation=st.sampled_from(["naive", "flash"])),
    _entry("rmsnorm", tokens=_sizes, width=_sizes),
    _entry("cast", tokens=_sizes, width=_sizes),
    _entry("adam", parameter_count=st.sampled_from([1e6, 7e9])),
    _entry(
        "transformer_layer",
        regime=st.sampled_from(["prefill", "train", "decode"]),
        seq=_sizes,
        batch=st.sampled_from([1, 8, 64]),
    ),
    _entry("decode_step", batch=st.sampled_from([1, 16, 200]), context=_sizes),
)
_own_settings = st.fixed_dictionaries(
    {},
    optional={
        "boundary": st.sampled_from(["dram", "l2", "shared", "all"]),
        "policy": st.sampled_from(["compulsory", "tiled", "modelled"]),
        "absorption": st.sampled_from([0.0, 0.5, 1.0]),
        "overlap": st.sampled_from([0.0, 0.7, 1.0]),
        "dtypes": st.sampled_from([{"all": "fp16"}, {"all": "fp8"}, {"weight": "int4"}, {"all": "fp32"}]),
    },
)
_chains = st.sampled_from(["add + rmsnorm | silu", "x -> layernorm + gelu + add(x)", "gemm + gelu | add"])


@st.composite
def studies(draw):
    """Entries of all kinds on one or two machines, under settings of their own and of the view."""
    machines = draw(st.sampled_from([(H100,), (H100, A100)]))
    made = study(
        machines=machines, forecast=draw(st.booleans()), policy=draw(st.sampled_from(["tiled", "modelled"]))
    )
    for number, (operator, parameters) in enumerate(draw(st.lists(_kernels, min_size=1, max_size=4))):
        own = draw(_own_settings)
        made = made.adding(
            Entry(f"e-{number}", operator, parameters=parameters, label=f"Entry {number}", **own)
        )
    if draw(st.booleans()):
        made, _ = with_new_chain(made, parse_chain(draw(_chains)))
    return made


def placed_rows(placed):
    return [row for row in placed.rows if row.placement is not None]


def many(count):
    return settings(
        max_examples=count, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    )


@many(25)
@given(studies())
def test_the_canvas_shows_the_figures_of_the_rows(made) -> None:
    placed = place(made, {}, registry())
    scene = scene_of(placed)
    markers = {(one.key, one.machine): one for one in scene.markers}
    strips = {(one.key, one.machine) for one in (*scene.strip, *scene.right_strip)}

    for row in placed_rows(placed):
        placement, key = row.placement, (row.entry.id, row.machine)
        if key not in markers:  # the margins show an entry once, on the machine of the strong roof
            assert (row.entry.id, H100) in strips
            assert placement.work_flop == 0 or not math.isfinite(placement.intensity)
            continue
        assert 10 ** markers[key].log_x == pytest.approx(placement.intensity, rel=CLOSE)
        assert 10 ** markers[key].log_y == pytest.approx(placement.attainable_flop_per_s, rel=CLOSE)
    refused = {row.key for row in placed.rows if row.placement is None}
    assert not refused & (markers.keys() | strips)


@many(25)
@given(studies())
def test_table_and_export_show_the_figures_of_the_rows(made) -> None:
    placed = place(made, {}, registry())
    lines = {line.key: line for line in LineMaker().lines(placed, None)}
    exported = {(one["entry"], one["machine"]): one for one in csv.DictReader(io.StringIO(csv_table(placed)))}

    assert lines.keys() == exported.keys() == {row.key for row in placed.rows}
    for row in placed_rows(placed):
        line, cells, placement = lines[row.key], exported[row.key], row.placement
        assert placement.time_s in line.values and placement.traffic_bytes in line.values
        assert line.bound == placement.bound == cells["bound"] and line.fraction == placement.fraction_of_peak
        for figure in ("work_flop", "traffic_bytes", "attainable_flop_per_s", "time_s", "fraction_of_peak"):
            assert float(cells[figure]) == pytest.approx(float(getattr(placement, figure)), rel=CLOSE)


@many(20)
@given(studies())
def test_the_grid_shows_the_figures_of_the_rows(made) -> None:
    placed = place(made, {}, registry())
    for entry in made.entries:
        spec = grid_spec(placed, registry(), entry.id)
        grid = grid_of(placed, registry(), spec)
        present = [cell for cell in grid.cells.values() if cell.is_present]
        for cell in present:
            assert cell.row is placed.by_key[entry.id, cell.key.machine]
        for cell in grid.cells.values():
            if cell.row.placement is None or cell.is_present:
                continue
            # What a cell says is what it becomes when it is placed as a variant.
            alone = made.adding(_as_entry(cell, entry)) if cell.cuts is None else None
            if alone is not None:
                (row,) = [
                    one
                    for one in place(alone, {}, registry()).rows_of("variant")
                    if one.machine == cell.key.machine
                ]
                assert row.placement.time_s == pytest.approx(float(cell.row.placement.time_s), rel=CLOSE)


def _as_entry(cell, base):
    from dataclasses import replace

    return replace(cell.row.entry, id="variant", variant_of=base.id)


@many(20)
@given(studies())
def test_the_budget_adds_up_to_the_row(made) -> None:
    placed = place(made, {}, registry())
    for row in placed_rows(placed):
        if not row.placement.parts:
            continue
        budget = budget_of(row.placement)
        assert budget.time_s == row.placement.time_s and budget.work_flop == row.placement.work_flop
        assert sum(part.time_s for part in budget.parts) == pytest.approx(
            float(row.placement.time_s), rel=CLOSE
        )
        assert sum(part.work_flop for part in budget.parts) == pytest.approx(
            float(row.placement.work_flop), rel=CLOSE
        )
        assert sum(part.share for part in budget.parts) == pytest.approx(1.0, rel=CLOSE)


@many(12)
@given(studies())
def test_the_copied_command_gives_the_figures_of_the_row(made) -> None:
    placed = place(made, {}, registry())
    for row in placed_rows(placed):
        source = registry() if not made.chains else _with_chains(made)
        document = answer(command_of(row, source.operator(row.entry.operator)))
        for figure in ("work_flop", "traffic_bytes", "time_s"):
            assert document[figure] == pytest.approx(float(getattr(row.placement, figure)), rel=CLOSE), figure
        if "bound" in document:
            assert document["bound"] == row.placement.bound and document["binding"] == row.placement.binding


def _with_chains(made):
    from rooflinestudio.core.chains import source_for

    return source_for(registry(), made)


def answer(command: str) -> dict:
    """Run a copied command line with ``--json``."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main([*shlex.split(command)[1:], "--json"]) == 0
    return json.loads(printed.getvalue())

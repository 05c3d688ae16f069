from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.comparison import comparison_rows
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.grid import CellKey, GridMaker, grid_of
from rooflinestudio.core.grid.spec import GridSpec, grid_spec
from rooflinestudio.core.placing import evaluate, place
from rooflinestudio.core.study import Chain, Entry, Study, View
from tests.core.profiles import A100, H100
from tests.support import Copy, Source, machine
from tests.ui.shell_helpers import registry


def studied(*entries: Entry, machines=(H100,), panel=None, chains=(), **view):
    study = Study(
        entries=entries or (Entry("a", "gemm", parameters={"m": 4096, "n": 4096, "k": 4096}),),
        profiles={one.id: one for one in machines},
        view=View(machines=tuple(one.id for one in machines), **view),
        chains=chains,
    )
    return study if panel is None else study.with_panel("grid", panel)


def gridded(study: Study, source=None, selected=None):
    source = source or registry()
    placed = place(study, {}, source)
    spec = grid_spec(placed, source, selected)
    assert spec is not None
    return grid_of(placed, source, spec)


def cell(grid, boundary, dtype="bf16", fusion="drawn", at=H100.id):
    return grid.cells[CellKey(boundary, dtype, fusion, at)]


# What a cell says


def test_the_square_gemm_has_another_verdict_at_each_boundary() -> None:
    # 2·4096³ FLOP; at L2 2.181 GB over 9 TB/s are 242.3 µs, at HBM the tensor pipe takes 138.9 µs.
    grid = gridded(studied())
    l2, dram, link = cell(grid, "l2"), cell(grid, "dram"), cell(grid, "nvlink")
    assert l2.row.placement.time_s == pytest.approx(242.3e-6, rel=1e-3)
    assert dram.row.placement.time_s == pytest.approx(138.9e-6, rel=1e-3)
    assert (l2.row.placement.bound, dram.row.placement.bound) == ("memory", "compute")
    assert l2.time_ratio == pytest.approx(1.745, rel=1e-3)
    assert l2.delta_time_s == pytest.approx(103.4e-6, rel=1e-2)
    assert l2.traffic_ratio == pytest.approx(2181 / 412.7, rel=1e-3)
    assert l2.intensity_ratio == pytest.approx(412.7 / 2181, rel=1e-3)
    assert (l2.crosses, dram.crosses, link.crosses) == (True, True, False)


def test_the_cell_that_is_the_entry_is_its_row_and_the_baseline() -> None:
    study = studied()
    placed = place(study, {}, registry())
    grid = grid_of(placed, registry(), grid_spec(placed, registry()))
    base = cell(grid, "dram")
    assert base.row is placed.rows[0] and base.is_present and base.is_baseline
    assert (base.words, base.time_ratio) == ("baseline", 1.0)
    assert [one.is_baseline for one in grid.cells.values()].count(True) == 1


def test_half_the_bytes_and_twice_the_rate_in_fp8() -> None:
    grid = gridded(studied(panel={"dtypes": ["bf16", "fp8"], "boundaries": ["dram"]}))
    fp8 = cell(grid, "dram", "fp8")
    assert fp8.words == "fp8" and fp8.row.entry.dtypes == {"all": "fp8"}
    assert fp8.traffic_ratio == pytest.approx(0.5) and fp8.time_ratio == pytest.approx(0.5, rel=1e-3)


def test_a_format_that_a_machine_lacks_is_refused_with_the_reason() -> None:
    grid = gridded(studied(machines=(H100, A100), panel={"dtypes": ["bf16", "fp8"]}))
    refused = cell(grid, "dram", "fp8", at=A100.id)
    assert refused.row.state == "refused" and "fp8" in refused.row.reason
    assert refused.time_ratio is None and refused.delta_time_s is None
    assert refused.words == f"fp8, on {A100.short_name}"


def test_a_boundary_that_a_machine_lacks_is_refused_where_it_lacks_and_only_there() -> None:
    grid = gridded(studied(machines=(H100, A100), panel={"boundaries": ["dram", "l2"]}))
    assert cell(grid, "l2").row.state == "placed"
    assert cell(grid, "l2", at=A100.id).row.state == "refused"
    assert "l2" in cell(grid, "l2", at=A100.id).row.reason


def test_what_cannot_be_placed_as_it_is_set_is_placed_elsewhere() -> None:
    # The entry names a boundary that the second machine does not have; dram is still to be seen there.
    entry = Entry("a", "gemm", boundary="l2")
    grid = gridded(studied(entry, machines=(H100, A100), panel={"boundaries": ["l2", "dram"]}))
    assert cell(grid, "dram", at=A100.id).row.state == "placed"
    assert cell(grid, "l2").is_baseline


def test_without_a_source_other_formats_are_pending_and_the_entry_itself_is_there() -> None:
    study = studied(panel={"dtypes": ["bf16", "fp8"], "boundaries": ["dram", "l2"]})
    placed = place(study, {}, registry())
    spec = grid_spec(placed, None)
    grid = grid_of(placed, None, spec)
    assert cell(grid, "dram", "fp8").row.state == "pending"


# Variants


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        (CellKey("l2", "bf16", "drawn", H100.id), {"boundary": "l2", "dtypes": {}}),
        (CellKey("dram", "fp8", "drawn", H100.id), {"boundary": None, "dtypes": {"all": "fp8"}}),
        (CellKey("l2", "fp8", "drawn", H100.id), {"boundary": "l2", "dtypes": {"all": "fp8"}}),
    ],
)
def test_a_cell_placed_as_a_variant_has_the_figures_of_the_cell(key, changes) -> None:
    study = studied()
    found = gridded(study).cells[key]
    entry = replace(found.row.entry, id="a2")
    assert entry.variant_of == "a" and entry.label == found.words
    assert {name: getattr(entry, name) for name in changes} == changes
    again = place(study.adding(entry), {}, registry()).by_key["a2", H100.id]
    assert again.placement.time_s == found.row.placement.time_s
    assert again.placement.traffic_bytes == found.row.placement.traffic_bytes


def test_a_variant_of_a_variant_is_one_of_its_baseline() -> None:
    study = studied(Entry("a", "gemm"), Entry("b", "gemm", variant_of="a", policy="tiled"))
    grid = gridded(study, selected="b")
    assert grid.entry.id == "b"
    assert cell(grid, "l2").row.entry.variant_of == "a"
    assert cell(grid, "l2").row.entry.policy == "tiled"


def test_a_cell_on_a_machine_out_of_view_is_pinned_to_it() -> None:
    study = studied(machines=(H100, A100), panel={"machines": [H100.id, A100.id]}).without_machine(A100.id)
    study = replace(study, profiles={H100.id: H100, A100.id: A100})
    grid = gridded(study)
    other = cell(grid, "dram", at=A100.id)
    assert other.row.entry.machines == (A100.id,) and not other.is_present
    assert other.row.entry.label == f"on {A100.short_name}"
    assert cell(grid, "l2").row.entry.machines is None


# Fusion


CHAIN = Chain("c", ("layernorm", "gelu", "add"), (0,))


def chained(panel=None):
    entry = Entry("x", "chain:c", parameters={"tokens": 8192, "width": 8192}, policy="compulsory")
    return studied(entry, chains=(CHAIN,), panel=panel)


def test_a_chain_is_shown_as_drawn_split_and_fused() -> None:
    # Tensors of 8192² bf16, 134 MB each: fused 3 (input, the add's other one, output), one cut 2 + 3, split 2 + 2 + 3.
    grid = gridded(chained({"boundaries": ["dram"]}))
    size = 8192 * 8192 * 2
    found = {one: cell(grid, "dram", fusion=one) for one in ("drawn", "split", "fused")}
    traffic = {one: each.row.placement.traffic_bytes / size for one, each in found.items()}
    assert traffic == pytest.approx(
        {"drawn": 5, "split": 7, "fused": 3}, rel=1e-3
    )  # row weights are next to nothing
    assert (found["split"].cuts, found["fused"].cuts, found["drawn"].cuts) == ((0, 1), (), None)
    assert found["fused"].words == "all fused"
    assert found["fused"].time_ratio == pytest.approx(3 / 5, rel=1e-3)


def test_a_chain_that_is_fused_already_is_not_shown_twice() -> None:
    study = chained().with_chain(replace(CHAIN, cuts=()))
    assert gridded(study).spec.fusions == ("drawn", "split")


def test_other_kernels_have_one_fusion() -> None:
    assert gridded(studied(panel={"fusions": ["split", "fused"]})).spec.fusions == ("drawn",)


# What is remembered


def test_nothing_is_placed_anew_for_an_edit_of_another_entry() -> None:
    study = studied(Entry("a", "copy"), Entry("b", "copy"), machines=(machine(),))
    source, maker = Source(), GridMaker()
    first = place(study, {}, source)
    spec = grid_spec(first, source, "a")
    grid = maker.grid(first, source, spec)
    asked = source.asked
    changed = study.replacing(replace(study.entry("b"), parameters={"elements": 5.0}))
    second = place(changed, {}, source, previous=first)
    assert source.asked == asked + 1
    assert maker.grid(second, source, grid_spec(second, source, "a")) is grid
    assert source.asked == asked + 1


def test_looking_at_it_in_another_way_keeps_the_cells() -> None:
    study, source, maker = studied(Entry("a", "copy"), machines=(machine(),)), Source(), GridMaker()
    placed = place(study, {}, source)
    spec = grid_spec(placed, source)
    first = maker.grid(placed, source, spec)
    other = maker.grid(placed, source, replace(spec, form="pivot", columns=("dtype",)))
    assert other.cells is first.cells and other.spec.form == "pivot"


@pytest.mark.parametrize("change", [{"boundary": "l2"}, {"policy": "tiled"}, {"forecast": True}])
def test_an_edit_of_the_view_is_seen(change) -> None:
    study, source, maker = studied(), registry(), GridMaker()
    placed = place(study, {}, source)
    first = maker.grid(placed, source, grid_spec(placed, source))
    changed = place(replace(study, view=replace(study.view, **change)), {}, source, previous=placed)
    assert maker.grid(changed, source, grid_spec(changed, source)) is not first


def test_an_operator_is_asked_once_for_each_format_whatever_the_boundaries() -> None:
    study = studied(
        Entry("a", "copy"),
        machines=(machine(),),
        panel={"dtypes": ["bf16", "fp32", "fp8"], "boundaries": ["l2", "dram", "nvlink"]},
    )
    source = Source()
    placed = place(study, {}, source)
    asked = source.asked
    grid = grid_of(placed, source, grid_spec(placed, source))
    assert len(grid.cells) == 9 and source.asked - asked <= 3


# The same figures as everywhere


OPERATORS = ("gemm", "attention", "rmsnorm", "adam", "cast", "all_reduce", "transformer_layer")


@given(
    operator=st.sampled_from(OPERATORS),
    boundary=st.sampled_from((None, "dram", "l2", "all")),
    policy=st.sampled_from(("compulsory", "tiled", "modelled")),
    forecast=st.booleans(),
    dtypes=st.sampled_from(({}, {"all": "bf16"}, {"all": "fp32"}, {"compute": "bf16"})),
    overlap=st.sampled_from((0.0, 0.5, 1.0)),
)
def test_every_cell_agrees_with_evaluating_its_entry(
    operator, boundary, policy, forecast, dtypes, overlap
) -> None:
    entry = Entry("a", operator, dtypes=dtypes, boundary=boundary, overlap=overlap)
    panel = {"boundaries": ["l2", "dram", "nvlink", "all"], "dtypes": ["own", "bf16", "fp8", "fp32"]}
    study = studied(entry, machines=(H100, A100), panel=panel, policy=policy, forecast=forecast)
    source = registry()
    grid = gridded(study)
    for one in grid.cells.values():
        row = one.row
        settings = row.settings
        try:
            alone = evaluate(
                source, operator, row.entry.parameters, parse_dtypes(row.entry.dtypes), row.profile, settings
            )
        except RefusedError as error:
            assert (row.state, row.reason) == ("refused", str(error))
            continue
        assert row.state == "placed", (one.key, row.reason)
        for name in ("time_s", "traffic_bytes", "intensity", "bound", "binding", "fraction_of_peak"):
            ours, theirs = getattr(row.placement, name), getattr(alone, name)
            assert ours == theirs or (math.isnan(ours) and math.isnan(theirs)), (one.key, name)


# What the study suggests, and what it says


def test_a_study_without_entries_has_no_grid() -> None:
    assert grid_spec(place(Study(), {}, registry()), registry()) is None


def test_the_crossed_boundaries_and_the_first_link_are_suggested() -> None:
    grid = gridded(studied())
    assert grid.spec.boundaries == ("register", "shared", "l2", "dram", "nvlink")
    assert grid.spec.dtypes == ("bf16", "fp8") and grid.spec.machines == (H100.id,)
    assert grid.spec.shown == "table" and grid.spec.columns == ("boundary",)


@pytest.mark.parametrize(
    "panel",
    [
        {"entry": 7, "boundaries": "dram", "dtypes": 3, "fusions": None, "machines": {"a": 1}},
        {"boundaries": ["nowhere", 3], "dtypes": ["bf17"], "machines": ["gone"], "shown": "film", "as": []},
        {"columns": ["depth"], "figure": "beauty", "fusions": ["half"], "entry": "nobody"},
    ],
)
def test_values_that_make_no_sense_fall_back_to_what_is_suggested(panel) -> None:
    plain, odd = gridded(studied()).spec, gridded(studied(panel=panel)).spec
    assert replace(odd, columns=plain.columns) == plain


def test_the_panel_is_read() -> None:
    panel = {
        "entry": "a", "boundaries": ["l2", "l2", "dram"], "dtypes": ["fp8"], "machines": [H100.id], "columns": [],
        "shown": "boundaries", "as": "pivot", "figure": "traffic",
    }  # fmt: skip
    spec = gridded(studied(panel=panel)).spec
    expected = GridSpec(
        "a",
        ("l2", "dram"),
        ("fp8",),
        ("drawn",),
        (H100.id,),
        (),
        "traffic",
        "pivot",
        "boundaries",
        follows=False,
        kernel="a",
    )
    assert spec == expected
    assert spec.rows == ("machine", "fusion", "dtype", "boundary")


@pytest.mark.parametrize("selected", ["b", ("part", "b", 0)])
def test_the_selected_entry_is_shown_unless_one_is_named(selected) -> None:
    study = studied(Entry("a", "gemm"), Entry("b", "rmsnorm"))
    assert gridded(study, selected=selected).entry.id == "b"
    assert gridded(study.with_panel("grid", {"entry": "a"}), selected=selected).entry.id == "a"


def test_an_entry_of_several_formats_keeps_them_as_one_value() -> None:
    grid = gridded(studied(Entry("a", "gemm", dtypes={"weight": "fp8"})))
    assert grid.spec.dtypes[0] == "own" and cell(grid, "dram", "own").is_present
    assert grid.label("dtype", "own") == "formats as set"


def test_a_role_that_the_shorthand_does_not_set_is_kept() -> None:
    grid = gridded(studied(Entry("a", "gemm", dtypes={"all": "bf16", "accumulate": "fp16"})))
    assert cell(grid, "dram", "fp8").row.entry.dtypes == {"all": "fp8", "accumulate": "fp16"}


def test_an_operator_that_is_gone_leaves_every_cell_unavailable() -> None:
    grid = gridded(studied(Entry("a", "acme.gone")))
    assert {one.row.state for one in grid.cells.values()} == {"unavailable"}
    assert all("acme.gone" in one.row.reason for one in grid.cells.values())


def test_copy_is_asked_in_the_formats_of_the_test() -> None:
    # 1e9 elements read and written over 2 TB/s: 2 bytes each in bf16, 4 in fp32.
    panel = {"boundaries": ["dram"], "dtypes": ["bf16", "fp32"]}
    grid = gridded(studied(Entry("a", "copy"), machines=(machine(),), panel=panel), Source(Copy()))
    times = [one.row.placement.time_s for one in grid.cells.values()]
    assert times == pytest.approx([2e-3, 4e-3])


def test_no_link_is_suggested_for_what_does_no_arithmetic() -> None:
    grid = gridded(studied(Entry("a", "cast")))
    assert "nvlink" not in grid.spec.boundaries
    assert {one.row.state for one in grid.cells.values()} == {"placed"}


def test_a_cell_that_stands_in_the_study_is_known() -> None:
    study = studied().adding(
        Entry("b", "gemm", parameters={"m": 4096, "n": 4096, "k": 4096}, boundary="l2", variant_of="a")
    )
    grid = gridded(study, selected="a")
    assert cell(grid, "dram").placed_as == "a" and cell(grid, "l2").placed_as == "b"
    assert cell(grid, "shared").placed_as is None and cell(grid, "l2", "fp8").placed_as is None


def test_a_selected_variant_that_is_a_cell_leaves_the_grid_as_it_is() -> None:
    study = studied(
        Entry("a", "gemm"), Entry("b", "gemm", boundary="l2", variant_of="a"),
        Entry("c", "gemm", parameters={"m": 7}, variant_of="a"),
    )  # fmt: skip
    grid = gridded(study, selected="b")
    assert (grid.spec.entry, grid.spec.kernel) == ("a", "b")
    assert gridded(study, selected="c").spec.entry == "c"
    assert gridded(study.with_panel("grid", {"entry": "b"})).spec.entry == "b"


def test_cells_and_compare_table_agree() -> None:
    study = studied()
    grid = gridded(study)
    for at, one in enumerate(list(grid.cells.values())):
        if not one.is_present:
            study = study.adding(replace(one.row.entry, id=f"v{at}"))
    rows = {one.row.entry.id: one for one in comparison_rows(place(study, {}, registry()))}
    for at, one in enumerate(grid.cells.values()):
        ours = rows["a" if one.is_present else f"v{at}"]
        assert (ours.time_ratio, ours.traffic_ratio) == (one.time_ratio, one.traffic_ratio)
        assert ours.intensity_ratio == one.intensity_ratio

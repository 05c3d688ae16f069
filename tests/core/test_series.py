"""Two measured files against each other: which kernels match, and the ratios between them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.measured.panel import hidden_changed, measured_panel
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.series.figures import series_figures
from rooflinestudio.core.series.maker import SeriesMaker
from rooflinestudio.core.series.matching import FEW_LAUNCHES, match_series
from rooflinestudio.core.series.settings import (
    SERIES_SLOTS,
    before_and_after,
    series_changed,
    series_looks,
    swapped,
)
from rooflinestudio.core.series.table import SeriesTableMaker, rows_as_markdown, rows_as_tsv, series_rows
from rooflinestudio.core.series.words import counts_words, file_words, line_words, total_words
from rooflinestudio.core.study import Entry
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.tokens import COLOURS, SLOT_COLOURS
from tests.core.measured_files import A, B, file_of, study_of
from tests.ui.colour_science import delta_e_2000_lab, lab, seen_by

C = "c" * 64


def kernel(name, time_s=1e-3, *, grid="8 1 1", work=1e9, traffic=1e8, **more):
    return {
        "kernel": name, "grid": grid, "block": "128 1 1", "time_s": time_s, "work.fp32": work, "bytes.dram": traffic,
        **more,
    }  # fmt: skip


def files(before, after):
    return (
        file_of(*before, name="base.csv", digest=A),
        file_of(*after, name="tuned.csv", digest=B),
    )


def figures_of(before, after, **panel):
    study = study_of(*files(before, after), **panel)
    found = SeriesMaker().figures(study, measured_panel(study))
    assert found is not None
    return found


# Which kernels are the same


def test_kernels_match_by_their_normal_name_whatever_their_order():
    match = match_series(
        *files(
            [kernel("void ns::add<(int)4>(float *)"), kernel("mul(int)")],
            [kernel("mul(long)"), kernel("ns::add<4>(float *, int)")],
        )
    )
    assert match.pairs_before.tolist() == [0, 1] and match.pairs_after.tolist() == [1, 0]
    assert match.change.tolist() == [0, 0] and not match.by_name.any()


def test_the_nth_launch_belongs_to_the_nth_of_the_same_grid():
    before = [kernel("a", grid="1 1 1"), kernel("a", grid="2 1 1"), kernel("a", grid="1 1 1")]
    after = [kernel("a", grid="1 1 1"), kernel("a", grid="1 1 1"), kernel("a", grid="2 1 1")]
    match = match_series(*files(before, after))
    pairs = sorted(zip(match.pairs_before.tolist(), match.pairs_after.tolist(), strict=True))
    assert pairs == [(0, 0), (1, 2), (2, 1)]


def test_launches_that_only_one_file_has_are_gone_or_new():
    figures = figures_of([kernel("a"), kernel("a"), kernel("old")], [kernel("a"), kernel("fresh")])
    total = figures.total
    assert (total.matched, total.new, total.gone) == (1, 1, 2)
    assert counts_words(total) == "1 matched · 1 new · 2 gone"
    assert sorted(figures.match.change.tolist()) == [0, 1, 2, 2]


def test_a_kernel_on_another_grid_is_the_same_where_each_file_has_one_left_of_that_name():
    match = match_series(*files([kernel("a", grid="8 1 1")], [kernel("a", grid="4 1 1")]))
    assert match.pairs_before.tolist() == [0] and match.by_name.tolist() == [True]
    # With two on other grids nothing says which of them it is.
    other = match_series(*files([kernel("a")], [kernel("a", grid="4 1 1"), kernel("a", grid="2 1 1")]))
    assert not len(other.pairs_before) and len(other.gone) == 1 and len(other.new) == 2


def test_a_file_without_grids_is_matched_by_name_alone():
    bare = {key: value for key, value in kernel("a").items() if key not in ("grid", "block")}
    match = match_series(*files([kernel("a"), kernel("a", grid="4 1 1")], [bare, bare]))
    assert not match.uses_shape
    assert match.pairs_before.tolist() == match.pairs_after.tolist() == [0, 1]


def test_few_launches_are_lines_of_their_own_and_many_are_one():
    few = figures_of([kernel("a")] * FEW_LAUNCHES, [kernel("a")] * FEW_LAUNCHES)
    assert few.kernels.tolist() == [1] * FEW_LAUNCHES
    many = figures_of([kernel("a")] * (FEW_LAUNCHES + 1), [kernel("a")] * (FEW_LAUNCHES + 1))
    assert many.kernels.tolist() == [FEW_LAUNCHES + 1]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("12")), min_size=1, max_size=30),
       st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("12")), min_size=1, max_size=30))  # fmt: skip
def test_every_kernel_is_in_one_line_and_pairs_agree(before, after):
    match = match_series(
        *files(
            [kernel(name, grid=f"{grid} 1 1") for name, grid in before],
            [kernel(name, grid=f"{grid} 1 1") for name, grid in after],
        )
    )
    assert sorted([*match.pairs_before.tolist(), *match.gone.tolist()]) == list(range(len(before)))
    assert sorted([*match.pairs_after.tolist(), *match.new.tolist()]) == list(range(len(after)))
    for ours, theirs, line in zip(match.pairs_before, match.pairs_after, match.pair_lines, strict=True):
        assert before[ours][0] == after[theirs][0]
        assert before[ours][1] == after[theirs][1] or match.by_name[line]
        assert match.line_of(A, int(ours)) == match.line_of(B, int(theirs)) == line
    assert set(match.pair_lines) | set(match.gone_lines) | set(match.new_lines) == set(range(match.lines))


# Ratios


def test_ratios_of_one_kernel_are_those_of_its_figures():
    # 1 ms to 0.5 ms; 100 MB to 25 MB; 1 TFLOP/s to 2 TFLOP/s
    figures = figures_of([kernel("a", 1e-3)], [kernel("a", 0.5e-3, traffic=0.25e8)])
    assert figures.ratio("time_s").tolist() == [pytest.approx(0.5)]
    assert figures.ratio("traffic_bytes").tolist() == [pytest.approx(0.25)]
    assert figures.ratio("rate_flop_per_s").tolist() == [pytest.approx(2.0)]
    assert figures.before.intensity.tolist() == [10.0] and figures.after.intensity.tolist() == [40.0]
    assert line_words(figures, 0, "HBM3") == (
        "a",
        "base.csv to tuned.csv",
        "2.00× faster: 1.00 ms to 500 µs",
        "Q ÷4.00 at HBM3: 100 MB to 25.0 MB",
        "rate ×2.00: 1.00 TFLOP/s to 2.00 TFLOP/s",
    )


def test_of_many_launches_the_sums_are_held_against_each_other():
    # before 1 + 2 + 3 + 4 ms = 10 ms, after 4 × 1 ms = 4 ms; 4 GFLOP in each
    figures = figures_of([kernel("a", n * 1e-3) for n in (1, 2, 3, 4)], [kernel("a", 1e-3)] * 4)
    assert figures.before.time_s.tolist() == [pytest.approx(10e-3)]
    assert figures.ratio("time_s").tolist() == [pytest.approx(0.4)]
    assert figures.before.rate_flop_per_s.tolist() == [pytest.approx(0.4e12)]
    assert "2.50× faster (sums of 4 launches)" in line_words(figures, 0, "HBM3")[2]


def test_rows_that_are_means_count_as_often_as_they_were_launched():
    figures = figures_of([kernel("a", 1e-3, count=10.0)], [kernel("a", 1e-3, count=5.0)])
    assert figures.ratio("time_s").tolist() == [pytest.approx(0.5)]
    assert line_words(figures, 0, "HBM3")[-1] == "10 launches before, 5 after: same time per launch"


def test_a_time_that_one_file_lacks_makes_no_ratio_and_spoils_no_sum():
    figures = figures_of([kernel("a", math.nan)], [kernel("a")])
    assert math.isnan(figures.ratio("time_s")[0])
    lacking = [kernel("a", 1e-3)] * 4
    others = [kernel("a", 2e-3), kernel("a", math.nan), kernel("a", 2e-3), kernel("a", 2e-3)]
    figures = figures_of(lacking, others)
    assert figures.before.time_s.tolist() == [pytest.approx(3e-3)]  # the second launch is in neither sum
    assert figures.ratio("time_s").tolist() == [pytest.approx(2.0)] and figures.timed.tolist() == [3]


def test_totals_are_over_all_kernels_matched_or_not():
    figures = figures_of([kernel("a", 3e-3), kernel("old", 1e-3)], [kernel("a", 1e-3)])
    assert total_words(figures.total) == "Σt 4.00 ms to 1.00 ms: 4.00× faster"
    assert total_words(figures_of([kernel("a", math.nan)], [kernel("a")]).total) == ""


def test_a_hidden_kernel_takes_its_partner_out_of_the_sums():
    before, after = files([kernel("a", n * 1e-3) for n in (1, 2, 3, 4)], [kernel("a", 1e-3)] * 4)
    hidden = (np.array([True, False, False, False]), np.zeros(4, bool))
    figures = series_figures(match_series(before, after), hidden)
    assert figures.kernels.tolist() == [3]
    assert figures.before.time_s.tolist() == [pytest.approx(9e-3)]
    assert figures.after.time_s.tolist() == [pytest.approx(3e-3)]


def test_what_a_kernels_tool_tip_says_of_its_file():
    figures = figures_of([kernel("a", 2e-3), kernel("old")], [kernel("a", 1e-3), kernel("fresh")])
    assert file_words(figures, A, 0) == ("before: base.csv, after is 2.00× faster",)
    assert file_words(figures, A, 1) == ("before: base.csv, gone from the file after",)
    assert file_words(figures, B, 1) == ("after: tuned.csv, new: not in the file before",)
    assert file_words(figures, C, 0) == ()


# Which files, and how they look


def test_before_is_the_first_file_and_after_the_last_unless_the_user_says_otherwise():
    three = (*files([kernel("a")], [kernel("a")]), file_of(kernel("a"), digest=C))
    study = study_of(*three)
    assert before_and_after(study_of(three[0]), measured_panel(study).series) is None

    def chosen(**series):
        one = study_of(*three, series=series)
        return tuple(file.digest for file in before_and_after(one, measured_panel(one).series))

    assert chosen() == (A, C)
    assert chosen(before=B) == (B, C)
    assert chosen(after=A) == (B, A)
    assert chosen(before=C, after=C) == (C, B)
    assert chosen(before="gone", after=7) == (A, C)
    turned = study.with_panel("measured", swapped(study, measured_panel(study).series))
    assert tuple(one.digest for one in before_and_after(turned, measured_panel(turned).series)) == (C, A)


def test_settings_of_files_survive_the_study_file(tmp_path):
    study = study_of(*files([kernel("a")], [kernel("a")]))
    study = study.with_panel("measured", swapped(study, measured_panel(study).series))
    study = study.with_panel("measured", {"mode": "files", "area": True, "points": "all"})
    save_study(study, tmp_path / "s.yaml")
    panel = measured_panel(load_study(tmp_path / "s.yaml"))
    assert (panel.series.before, panel.series.after) == (B, A)
    assert panel.compares and panel.area and panel.every_boundary
    plain = replace(panel.series, before="", after="")
    assert series_changed(plain) == {"series": None}


def test_files_differ_in_form_and_a_single_one_is_plain():
    one, two = files([kernel("a")], [kernel("a")])
    alone = series_looks(study_of(one), measured_panel(study_of(one)))
    assert (alone[A].form, alone[A].slot) == (0, None)
    study = study_of(one, two, file_of(kernel("a"), digest=C), file_of(kernel("a"), digest="d" * 64))
    looks = series_looks(study, measured_panel(study))
    assert len({look.form for look in looks.values()}) == 4
    assert looks[A].slot is None and looks["d" * 64].slot == SERIES_SLOTS[0]


def test_files_take_no_colour_that_an_entry_wears():
    pair = files([kernel("a")], [kernel("a")])
    entries = tuple(Entry(f"e{slot}", "gemm", slot=slot) for slot in SERIES_SLOTS[:2])
    study = replace(study_of(*pair), entries=entries)
    assert series_looks(study, measured_panel(study))[B].slot == SERIES_SLOTS[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", ["normal", "protan", "deutan", "tritan"])
def test_the_colour_of_the_file_after_is_told_from_the_neutral_one(theme, sight):
    neutral = lab(seen_by(COLOURS[theme]["text2"], sight))
    for slot in SERIES_SLOTS:
        assert delta_e_2000_lab(neutral, lab(seen_by(SLOT_COLOURS[theme][slot], sight))) >= 10


# The table


def table_of(before, after, **panel):
    study = study_of(*files(before, after), mode="files", **panel)
    table = SeriesTableMaker().table(study, measured_panel(study))
    assert table is not None
    return table


BEFORE = [kernel("gemm", 4e-3), kernel("add", 1e-3), kernel("old", 2e-3)]
AFTER = [kernel("gemm", 2e-3), kernel("add", 1.5e-3), kernel("fresh", 1e-3)]


def column(table, name):
    return [table.cell_text(line, name) for line in table.lines.tolist()]


def test_rows_stand_as_in_the_file_before_and_can_be_sorted():
    table = table_of(BEFORE, AFTER)
    assert column(table, "kernel") == ["gemm", "add", "old", "fresh"]
    assert column(table, "time_ratio") == ["2.00× faster", "1.50× slower", "–", "–"]
    assert column(table, "saved") == ["2.00 ms", "\u2212500 µs", "2.00 ms", "\u22121.00 ms"]
    assert column(table, "change") == ["matched", "matched", "gone", "new"]
    assert column(table, "launches") == ["1", "1", "1", "1"]

    worst = table_of(BEFORE, AFTER, series={"sort": "time_ratio", "descending": True})
    assert column(worst, "kernel") == ["add", "gemm", "old", "fresh"]  # without a ratio they are last
    by_name = table_of(BEFORE, AFTER, series={"sort": "kernel"})
    assert column(by_name, "kernel") == ["add", "fresh", "gemm", "old"]
    saved = table_of(BEFORE, AFTER, series={"sort": "saved"})
    assert column(saved, "kernel") == ["fresh", "add", "gemm", "old"]


@pytest.mark.parametrize(
    "sort", ["launches", "grid", "block", "change", "rate_ratio", "traffic_before", "rate_after"]
)
def test_every_column_can_be_sorted_by(sort):
    table = table_of(BEFORE, AFTER, series={"sort": sort, "descending": True})
    assert sorted(column(table, "kernel")) == ["add", "fresh", "gemm", "old"]


def test_the_filter_holds_here_too_and_a_bad_one_lists_everything():
    assert column(table_of(BEFORE, AFTER, filter="^ge"), "kernel") == ["gemm"]
    assert len(table_of(BEFORE, AFTER, filter="nothing").lines) == 0


def test_hidden_kernels_vanish_and_can_be_listed():
    assert column(table_of(BEFORE, AFTER, hidden={B: "0"}), "kernel") == ["add", "old", "fresh"]
    listed = table_of(BEFORE, AFTER, hidden={B: "0"}, list_hidden=True)
    assert column(listed, "kernel") == ["gemm", "add", "old", "fresh"]


def test_a_row_stands_for_its_kernels_in_both_files():
    table = table_of([kernel("a")] * 5, [kernel("b"), *[kernel("a")] * 5])
    assert {digest: found.tolist() for digest, found in table.kernels_of([0]).items()} == {
        A: [0, 1, 2, 3, 4],
        B: [1, 2, 3, 4, 5],
    }
    assert table.kernel_of(0) == (B, 1)
    assert table.row_of(A, 3) == table.row_of(B, 4) == 0 and table.row_of(B, 0) == 1
    assert table.row_of(C, 0) == -1


def test_rows_are_copied_with_their_heads():
    table = table_of(BEFORE, AFTER)
    rows = list(series_rows(table, table.lines))
    tsv = rows_as_tsv(rows).splitlines()
    assert tsv[0].startswith("Kernel\tChange\tLaunches") and tsv[1].startswith(
        "gemm\tmatched\t1\t4.000 ms\t2.000 ms"
    )
    assert rows_as_markdown(rows).splitlines()[1].startswith("| --- | --- | ---: |")


def test_the_same_settings_give_the_same_table():
    study = study_of(*files(BEFORE, AFTER))
    maker = SeriesTableMaker()
    first = maker.table(study, measured_panel(study))
    assert maker.table(study, measured_panel(study)) is first
    hidden = study.with_panel(
        "measured", hidden_changed(measured_panel(study), {A: np.array([1, 0, 0], bool)})
    )
    other = maker.table(hidden, measured_panel(hidden))
    assert other is not first and other.figures.match is first.figures.match  # matched once only


def test_a_file_that_is_renamed_is_called_by_its_new_name():
    before, after = files(BEFORE, AFTER)
    maker = SeriesTableMaker()
    study = study_of(before, after)
    maker.table(study, measured_panel(study))
    renamed = replace(study, overlays=(before, after.renamed("final.csv")))
    assert isinstance(renamed.overlays[1], Overlay)
    assert maker.table(renamed, measured_panel(renamed)).figures.match.after.name == "final.csv"


def test_files_without_a_kernel_in_common_are_no_before_and_after():
    figures = figures_of([kernel("a", 3e-3)], [kernel("b", 1e-3)])
    assert total_words(figures.total) == ""  # no ratio between different programs
    assert file_words(figures, A, 0) == ("in base.csv",)
    assert file_words(figures_of([kernel("a")], [kernel("a")]), A, 0)[0].startswith("before: base.csv")


def test_a_kernel_without_a_time_leaves_no_ratio_of_the_whole():
    known = figures_of([kernel("a", 2e-3), kernel("b", 1e-3)], [kernel("a", 1e-3), kernel("b", 1e-3)])
    assert known.total.ratio == pytest.approx(2 / 3)
    blind = figures_of([kernel("a", 2e-3), kernel("b", None)], [kernel("a", 1e-3), kernel("b", 1e-3)])
    assert math.isnan(blind.total.ratio)
    assert total_words(blind.total) == ""

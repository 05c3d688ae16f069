import math

import numpy as np
import pytest

from rooflinestudio.core.measured.panel import COLUMN_IDS, measured_panel
from rooflinestudio.core.measured.table import TableMaker, group_number, line_of_group
from rooflinestudio.core.measured.words import (
    as_markdown,
    as_tsv,
    cell_text,
    cell_tip,
    fraction_of,
    kind_of,
    summary,
)
from tests.core.measured_files import A, B, file_of, large_file, study_of
from tests.core.profiles import H100

GEMM, ADD, SET = "void gemm<bf16>(int)", "add", "memset"


def kernels():
    """Two products, an addition that stands for ten launches, and a kernel without work."""
    gemm = {"kernel": GEMM, "grid": "32 32 1", "block": "128 1 1"}
    return (
        {**gemm, "time_s": 4.0, "work.bf16-tensor": 400.0, "bytes.dram": 10.0},
        {"kernel": ADD, "count": 10, "time_s": 0.5, "work.fp32": 6.0, "bytes.dram": 12.0, "grid": "8 1 1"},
        {**gemm, "time_s": 1.0, "work.bf16-tensor": 200.0, "bytes.dram": 5.0, "grid": "4 4 1"},
        {"kernel": SET, "time_s": 2.0, "bytes.dram": 30.0, "reason": "No FLOP counter."},
    )


def table_of(study, machine=None, opened=()):
    return TableMaker().table(study, measured_panel(study), machine, frozenset(opened))


def column(table, name):
    return [cell_text(table, int(line), name) for line in table.lines]


@pytest.fixture
def run():
    return file_of(*kernels())


# Order


@pytest.mark.parametrize(
    ("sort", "descending", "lines"),
    [
        ("", False, [0, 1, 2, 3]),
        ("time", False, [1, 2, 3, 0]),
        ("time", True, [0, 3, 2, 1]),
        ("achieved", False, [1, 0, 2, 3]),  # 12, 100 and 200 FLOP/s; none stays last
        ("achieved", True, [2, 0, 1, 3]),
        ("intensity", True, [0, 2, 1, 3]),  # 40, 40 as they came, 0.5
        ("share", True, [1, 0, 3, 2]),  # 5 of 12 s, 4, 2, 1
        ("kernel", False, [1, 0, 2, 3]),  # the return type does not count
        ("pipe", True, [1, 0, 2, 3]),
        ("grid", False, [1, 2, 0, 3]),  # 8, 16 and 1024 blocks
        ("note", False, [3, 0, 1, 2]),
        ("file", True, [0, 1, 2, 3]),
    ],
)
def test_columns_sort_with_what_is_absent_last(run, sort, descending, lines):
    assert table_of(study_of(run, sort=sort, descending=descending)).lines.tolist() == lines


@pytest.mark.parametrize("name", COLUMN_IDS)
@pytest.mark.parametrize("group", ["", "kernel", "launch"])
def test_every_column_sorts_and_every_cell_has_words(run, name, group):
    table = table_of(study_of(run, sort=name, group=group), H100, range(4))
    assert sorted(line for line in table.lines.tolist() if line >= 0) == [0, 1, 2, 3]
    for line in table.lines.tolist():
        assert isinstance(cell_text(table, line, name) + cell_tip(table, line, name), str)


# Filter and hiding


def test_a_filter_leaves_the_kernels_whose_names_match(run):
    assert table_of(study_of(run, filter="GEMM|add", sort="time")).lines.tolist() == [1, 2, 0]


def test_hidden_kernels_are_gone_until_they_are_listed(run):
    assert table_of(study_of(run, hidden={A: "0-1"})).lines.tolist() == [2, 3]
    table = table_of(study_of(run, hidden={A: "0-1"}, list_hidden=True))
    assert table.lines.tolist() == [0, 1, 2, 3]
    assert table.hidden.tolist() == [True, True, False, False]


def test_a_study_without_files_is_an_empty_table():
    table = table_of(study_of(group="kernel", sort="time", filter="x"), H100)
    assert (len(table.lines), table.totals, table.row_of(0)) == (0, (), -1)


# Groups


def test_a_group_is_the_sum_of_its_launches(run):
    table = table_of(study_of(run, group="kernel", sort="time", descending=True))
    assert column(table, "kernel") == [GEMM, ADD, SET]
    assert column(table, "launch") == ["2", "10", "1"]
    assert column(table, "time") == ["5.000 s", "5.000 s", "2.000 s"]  # 4 + 1; 10 × 0.5; 2
    assert column(table, "work") == ["600.0 FLOP", "60.00 FLOP", "–"]
    assert column(table, "traffic") == ["15.00 B", "120.0 B", "30.00 B"]
    assert column(table, "intensity") == ["40.0", "0.500", "–"]
    assert column(table, "achieved") == ["120 FLOP/s", "12.0 FLOP/s", "–"]
    assert column(table, "share") == ["42%", "42%", "17%"]  # 5, 5 and 2 of 12 s
    assert column(table, "pipe") == ["bf16-tensor", "fp32", ""]


def test_groups_by_launch_part_what_has_another_grid(run):
    table = table_of(study_of(run, group="launch", sort="kernel"))
    assert column(table, "kernel") == [ADD, GEMM, GEMM, SET]
    assert column(table, "grid") == ["8 × 1 × 1", "32 × 32 × 1", "4 × 4 × 1", ""]


def test_an_open_group_has_its_kernels_below_in_the_same_order(run):
    study = study_of(run, group="kernel", sort="time", descending=False)
    gemm = int(table_of(study).groups.codes[0])
    table = table_of(study, opened=[gemm])
    at = table.lines.tolist().index(line_of_group(gemm))
    assert table.lines.tolist()[at + 1 : at + 3] == [2, 0]
    assert group_number(line_of_group(gemm)) == gemm
    assert (table.row_of(0), table.row_of(1)) == (at + 2, table.lines.tolist().index(line_of_group(1)))


def test_a_sum_says_what_it_leaves_out():
    file = file_of(
        {"kernel": "k", "time_s": 1.0, "work.fp32": 8.0, "bytes.dram": 4.0},
        {"kernel": "k", "time_s": 3.0, "bytes.dram": 4.0},
    )
    table = table_of(study_of(file, group="kernel"))
    assert [cell_text(table, -1, one) for one in ("work", "traffic", "intensity", "achieved")] == [
        "8.000 FLOP", "8.000 B", "2.00", "8.00 FLOP/s",
    ]  # fmt: skip
    assert cell_tip(table, -1, "work").startswith("Of 1 of 2 kernels")
    assert cell_tip(table, -1, "time") == ""


def test_sums_are_over_what_is_listed(run):
    table = table_of(study_of(run, group="kernel", hidden={A: "0"}))
    assert cell_text(table, line_of_group(0), "time") == "1.000 s"
    assert table.kernels_of([line_of_group(0), 3]).tolist() == [2, 3]


def test_a_group_of_several_pipes_says_so():
    file = file_of({"kernel": "k", "work.fp32": 1.0}, {"kernel": "k", "work.fp64": 5.0})
    assert column(table_of(study_of(file, group="kernel")), "pipe") == ["fp64, mixed"]


def test_a_colour_of_all_kernels_is_that_of_their_group(run):
    table = table_of(study_of(run, group="kernel", colours={A: {"3": "0 2", "1": "1"}}))
    assert table.group_slots[0].tolist() == [3, 1, -1]
    assert (
        table_of(study_of(run, group="kernel", colours={A: {"3": "0"}})).group_slots[0].tolist() == [-1] * 3
    )


def test_rates_without_amounts_are_kept_where_a_kernel_is_alone():
    file = file_of({"kernel": "k", "work_rate.fp32": 6.0, "bytes_per_s.dram": 2.0})
    table = table_of(study_of(file, group="kernel"))
    assert [cell_text(table, -1, one) for one in ("intensity", "achieved", "work")] == [
        "3.00",
        "6.00 FLOP/s",
        "–",
    ]


# Several files


def test_files_stand_side_by_side_each_with_its_own_shares_and_sums(run):
    after = file_of(
        {"kernel": GEMM, "time_s": 2.0}, {"kernel": ADD, "time_s": 6.0}, name="after.csv", digest=B
    )
    table = table_of(study_of(run, after, group="kernel", sort="kernel"))
    assert column(table, "file") == ["run.csv", "after.csv", "run.csv", "after.csv", "run.csv"]
    assert column(table, "share") == ["42%", "75%", "42%", "25%", "17%"]
    assert [(one.name, one.kernels, one.time_s) for one in table.totals] == [
        ("run.csv", 4, 12.0), ("after.csv", 2, 8.0),
    ]  # fmt: skip
    assert summary(table).startswith("run.csv: 4 kernels, Σt 12.00 s, ΣW 660.0 FLOP, ΣQ 165.0 B")
    assert "after.csv: 2 kernels, Σt 8.000 s" in summary(table)
    assert table.series.place_of(5) == (after, 1)
    assert (table.series.kernel_of(B, 1), table.series.kernel_of(B, 2)) == (5, -1)


def test_a_summary_tells_what_is_left_out(run):
    assert summary(table_of(study_of(run, filter="gemm", hidden={A: "0"}))) == (
        "1 of 4 kernels, Σt 1.000 s, ΣW 200.0 FLOP, ΣQ 5.000 B   1 hidden"
    )


# Against a machine


def test_a_kernel_is_held_against_the_roof_of_its_pipe():
    machine = H100
    beta = machine.boundary("dram").bytes_per_s
    peak = machine.ceiling("bf16-tensor").flop_per_s
    file = file_of(
        {"kernel": "slope", "time_s": 1.0, "work.bf16-tensor": beta / 4, "bytes.dram": beta / 2},
        {
            "kernel": "flat",
            "time_s": 1.0,
            "work.bf16-tensor": peak / 5,
            "bytes.dram": peak / 5 * beta / peak / 4,
        },
        {"kernel": "above", "time_s": 1.0, "work.bf16-tensor": 1.5 * peak, "bytes.dram": beta / 100},
        {"kernel": "blind", "time_s": 1.0, "bytes.dram": beta},
    )
    table = table_of(study_of(file), machine)
    assert [kind_of(table, line) for line in range(4)] == ["memory", "compute", "compute", ""]
    assert [fraction_of(table, line) for line in range(3)] == pytest.approx([0.5, 0.2, 1.5])
    assert math.isnan(fraction_of(table, 3))
    assert cell_text(table, 0, "bound") == f"50%, memory at {machine.boundary('dram').label}"
    assert "Above the roof" in cell_tip(table, 2, "bound")
    assert column(table_of(study_of(file)), "bound") == ["–"] * 4


@pytest.mark.parametrize(
    ("figures", "why"),
    [
        ({"time_s": 1.0, "bytes.dram": 2.0}, "No work was counted."),
        ({"time_s": 1.0, "work.fp32": 0.0, "bytes.dram": 2.0}, "Its work is 0"),
        ({"work.fp32": 1.0, "bytes.dram": 2.0}, "No time was measured"),
        ({"time_s": 1.0, "work.fp32": 1.0}, "No traffic at device memory was counted."),
        ({"time_s": 1.0, "work.fp32": 1.0, "bytes.dram": 0.0}, "Nothing crossed device memory"),
        ({"time_s": 1.0, "work.fp32": 1.0, "bytes.dram": 2.0}, ""),
    ],
)
def test_what_is_not_plotted_says_why(figures, why):
    text = cell_text(table_of(study_of(file_of({"kernel": "k", **figures}))), 0, "note")
    assert text.startswith(why) and bool(text) == bool(why)


# Copies


def test_rows_are_copied_with_full_names_and_heads(run):
    table = table_of(study_of(run))
    head, first = as_tsv(table, [0]).splitlines()
    assert head.split("\t")[:3] == ["Kernel", "File", "Launch"] and len(head.split("\t")) == len(COLUMN_IDS)
    assert first.split("\t")[:6] == [GEMM, "run.csv", "0", "32 × 32 × 1", "128 × 1 × 1", "4.000 s"]


def test_markdown_keeps_its_columns_whatever_a_name_holds():
    file = file_of({"kernel": "a|b\nc", "time_s": 1.0})
    head, rule, row = as_markdown(table_of(study_of(file)), [0]).splitlines()
    assert row.startswith("| a\\|b c | run.csv |")
    assert head.count("|") == rule.count("|") == row.replace("\\|", "").count("|") == len(COLUMN_IDS) + 1


# Many


def test_a_hundred_thousand_are_sorted_grouped_and_found_again():
    study = study_of(large_file(100_000), sort="time", descending=True)
    table = table_of(study)
    times = table.series.numbers("time_s")[table.lines]
    assert (np.diff(times) <= 0).all()
    assert int(table.lines[table.row_of(31_415)]) == 31_415
    grouped = table_of(study_of(large_file(100_000), group="launch"))
    assert len(grouped.lines) == 800 and int(grouped.figures.kernels.sum()) == 100_000
    assert np.nansum(grouped.figures.time_s) == pytest.approx(table.series.numbers("time_s").sum())
    assert np.nansum(grouped.figures.share) == pytest.approx(1.0)


def test_the_same_settings_again_give_the_same_table(run):
    maker, study = TableMaker(), study_of(run, sort="time")
    first = maker.table(study, measured_panel(study), None)
    assert maker.table(study, measured_panel(study), None) is first
    other = study.with_panel("measured", {"sort": "work"})
    again = maker.table(other, measured_panel(other), None)
    assert again is not first and again.series is first.series


def test_a_file_under_another_name_is_shown_under_it(run):
    maker = TableMaker()
    study = study_of(run)
    maker.table(study, measured_panel(study), None)
    study = study_of(run.renamed("other.csv"))
    assert column(maker.table(study, measured_panel(study), None), "file") == ["other.csv"] * 4

from __future__ import annotations

import csv
import io

import pytest

from rooflinestudio.core.comparison import ratio_text
from rooflinestudio.core.grid.spec import FIGURES
from rooflinestudio.core.grid.tables import (
    COLUMNS,
    CSV_COLUMNS,
    cell_lines,
    grid_csv,
    markdown,
    pivot_of,
    tsv,
)
from rooflinestudio.core.grid.verdicts import boundary_verdicts, verdict_of_all
from rooflinestudio.core.grid.words import FIGURE_WORDS, cell_summary, delta_text
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry
from tests.core.profiles import A100, H100
from tests.core.test_grid import cell, gridded, studied
from tests.ui.shell_helpers import registry

TWO = {"boundaries": ["l2", "dram"], "dtypes": ["bf16", "fp8"]}


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def by_column(line):
    return {column.id: plain(text) for column, text in zip(COLUMNS, line.texts, strict=True)}


# A line for each cell


def test_a_line_says_figures_differences_and_ratios() -> None:
    lines = [by_column(one) for one in cell_lines(gridded(studied(panel=TWO)))]
    assert [(one["boundary"], one["dtype"]) for one in lines] == [
        ("L2", "bf16"), ("L2", "fp8"), ("HBM3", "bf16"), ("HBM3", "fp8"),
    ]  # fmt: skip
    l2, base = lines[0], lines[2]
    assert (l2["time"], l2["delta"], l2["time_ratio"]) == ("242.3 µs", "+103 µs", "1.74× slower")
    assert (l2["traffic_ratio"], l2["intensity_ratio"]) == ("5.28× more", "5.28× lower")
    assert (l2["bound"], l2["fraction"]) == ("memory at L2", "57%")
    assert (base["time_ratio"], base["traffic_ratio"], base["delta"]) == ("baseline", "baseline", "–")
    assert lines[3]["delta"].startswith("−69.") and lines[3]["time_ratio"] == "2.00× faster"


def test_a_refused_cell_has_no_figures_and_sorts_last() -> None:
    lines = cell_lines(gridded(studied(machines=(H100, A100), panel=TWO)))
    refused = [one for one in lines if one.cell.row.placement is None]
    assert len(refused) == 3  # L2 twice, which the second machine lacks, and fp8 at dram
    for line in refused:
        assert set(line.texts[5:]) == {"–"} and set(line.values[4:]) == {None}


def test_values_of_a_dimension_sort_as_the_grid_has_them() -> None:
    line = cell_lines(gridded(studied(panel={"boundaries": ["dram", "l2"]})))[0]
    assert line.values[:2] == (0, 0)


# Pivot


def test_a_pivot_holds_rows_against_columns() -> None:
    grid = gridded(studied(panel={**TWO, "figure": "time_ratio"}))
    pivot = pivot_of(grid)
    assert pivot.table() == [
        ["time against the baseline", "L2", "HBM3"],
        ["bf16", "1.74× slower", "baseline"],
        ["fp8", "1.15× faster", "2.00× faster"],
    ]
    assert pivot.values[0][0] == cell(grid, "l2").time_ratio


def test_any_dimension_can_run_either_way() -> None:
    panel = {**TWO, "columns": ["boundary", "dtype"], "figure": "traffic"}
    table = pivot_of(gridded(studied(panel=panel))).table()
    assert table[0][1:] == ["L2, bf16", "L2, fp8", "HBM3, bf16", "HBM3, fp8"]
    assert [plain(one) for one in table[1]] == [
        "all else as it is",
        "2.181 GB",
        "1.091 GB",
        "412.7 MB",
        "206.4 MB",
    ]
    turned = pivot_of(gridded(studied(panel={**panel, "columns": []}))).table()
    assert [line[1] for line in turned[1:]] == table[1][1:2] + table[1][3:4] + table[1][2:3] + table[1][4:5]


@pytest.mark.parametrize("figure", FIGURES)
def test_each_figure_can_be_shown(figure) -> None:
    pivot = pivot_of(gridded(studied(machines=(H100, A100), panel={**TWO, "figure": figure})))
    assert pivot.corner == FIGURE_WORDS[figure]
    texts, values = sum(pivot.texts, ()), sum(pivot.values, ())
    assert [text == "–" for text in texts] == [value is None for value in values]


# Written down


def test_markdown_keeps_bars_in_their_cells() -> None:
    text = markdown([["a", "b"], ["x|y", "1"]], (1,))
    assert text == "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n"


def test_tsv_has_a_tab_between_cells_and_none_within() -> None:
    assert tsv([["a", "b\tc"], ["1", "2"]]) == "a\tb c\n1\t2\n"


def test_csv_has_every_digit_and_the_reasons() -> None:
    grid = gridded(studied(machines=(H100, A100), panel=TWO))
    rows = list(csv.DictReader(io.StringIO(grid_csv(grid))))
    assert len(rows) == len(grid.cells) and tuple(rows[0]) == CSV_COLUMNS
    first = cell(grid, "l2")
    assert float(rows[0]["time_s"]) == first.row.placement.time_s
    assert float(rows[0]["time_ratio"]) == first.time_ratio
    assert float(rows[0]["delta_time_s"]) == first.delta_time_s
    refused = next(one for one in rows if one["state"] == "refused")
    assert refused["time_s"] == "" and refused["reason"]


# Words


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (2.0, "2.00× more"),
        (0.5, "2.00× less"),
        (1.0, "1.00×"),
        (None, "–"),
        (0.0, "–"),
        (1234.0, "1 234× more"),
    ],
)
def test_a_ratio_says_its_direction(ratio, words) -> None:
    assert plain(ratio_text(ratio, "more", "less")) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(1e-6, "+1.00 µs"), (-2.5e-3, "−2.50 ms"), (0.0, "0"), (None, "–")]
)
def test_a_difference_has_a_sign(seconds, words) -> None:
    assert delta_text(seconds) == words


def test_the_summary_of_a_cell_says_figures_and_verdict() -> None:
    grid = gridded(studied())
    said = " ".join(cell_summary(cell(grid, "l2")))
    assert "at L2" in said and "1.74× slower" in said and "Memory-bound at L2" in said
    assert any("does not cross" in one for one in cell_summary(cell(grid, "nvlink")))


# One kernel, all boundaries


def verdicts(entry: Entry | None = None, **view):
    study = studied(entry, **view) if entry is not None else studied(**view)
    return {one.boundary: one for one in boundary_verdicts(place(study, {}, registry()).rows[0])}


def test_the_square_gemm_is_bound_by_l2_alone() -> None:
    # Intensities and ridges: L2 63.0 against 110, shared 31.8 against 33, HBM 1365 (compulsory) against 295.
    found = verdicts(policy="compulsory")
    assert list(found) == list(H100.boundaries)
    assert [one.boundary for one in found.values() if one.is_binding] == ["l2"]
    assert [one.boundary for one in found.values() if not one.crosses] == ["nvlink", "pcie", "network"]
    assert found["l2"].intensity == pytest.approx(63.0, rel=1e-3) and found["l2"].ridge == pytest.approx(
        109.9, rel=1e-3
    )
    assert found["l2"].fraction == pytest.approx(0.573, abs=1e-3)
    assert found["shared"].fraction == pytest.approx(0.963, abs=1e-3)
    assert found["dram"].intensity == pytest.approx(1365.3, rel=1e-4) and found[
        "dram"
    ].fraction == pytest.approx(1.0)
    # All of its traffic over 450 GB/s: 1365 of the 2199 FLOP/byte that the link would need.
    assert found["nvlink"].fraction == pytest.approx(1365.3 / 2198.7, rel=1e-3)


def test_a_verdict_names_its_boundary_and_a_hollow_one_says_that_it_cannot_bind() -> None:
    found = verdicts()
    assert found["l2"].verdict.startswith("Memory-bound at L2")
    assert found["dram"].verdict.startswith("Compute-bound at HBM3")
    assert found["nvlink"].verdict.startswith("Not crossed, so NVLink 4 cannot bind")


def test_a_collective_crosses_its_link_and_not_the_network() -> None:
    found = verdicts(Entry("r", "all_reduce"))
    assert found["nvlink"].crosses and not found["network"].crosses


def test_a_row_that_was_not_placed_has_no_verdicts() -> None:
    row = place(studied(Entry("a", "acme.gone")), {}, registry()).rows[0]
    assert boundary_verdicts(row) == () and "acme.gone" in verdict_of_all(row)


def test_all_at_once_is_said_by_the_slowest() -> None:
    row = place(studied(), {}, registry()).rows[0]
    assert "L2" in verdict_of_all(row)
    assert verdict_of_all(row) == row.varied(boundary="all").verdict

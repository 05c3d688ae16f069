"""The pairs in the measured table: the column, work that is lent, and what is only suggested."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rooflinestudio.core.measured.panel import measured_panel
from rooflinestudio.core.measured.series import DRAM
from rooflinestudio.core.measured.table import TableMaker
from rooflinestudio.core.measured.words import as_tsv, cell_text, cell_tip, fraction_of, summary
from rooflinestudio.core.pairing.edits import with_pair
from tests.core.diagnosing import measured
from tests.core.pairing.desk import ONE, PRODUCT, add_kernel, held, product, profile, study_with

PRODUCT_ROW, ADD_ROW, OTHER_ROW, SECOND_ROW = range(4)


def made(**panel):
    kernels = (product(0), add_kernel(1), measured(launch=2, kernel="render"), product(3, time=300e-6))
    return study_with(*kernels, policy="modelled").with_panel("measured", panel)


def table_of(study, maker=None):
    placed = held(study)
    return (maker or TableMaker()).table(study, measured_panel(study), profile(), placed=placed)


def column(table, name):
    return [cell_text(table, int(line), name) for line in table.lines]


def test_without_pairs_the_column_only_asks_and_nothing_is_lent():
    table = table_of(made())
    assert column(table, "pair") == ["GEMM?", "Add?", "", "GEMM?"]
    assert column(table, "work") == ["–", "536.9 MFLOP", "–", "–"]
    assert not table.lends and "*" not in summary(table)
    assert "name says gemm" in cell_tip(table, PRODUCT_ROW, "pair")


def test_a_paired_kernel_has_its_work_from_the_operator_and_says_so():
    table = table_of(with_pair(made(), ONE, PRODUCT_ROW, "gemm-1"))
    assert column(table, "pair") == ["GEMM", "Add?", "", "GEMM?"]
    assert column(table, "work")[0] == "137.4 GFLOP*" and column(table, "intensity")[0] == "234*"
    assert column(table, "achieved")[0] == "701 TFLOP/s*" and column(table, "pipe")[0] == "bf16-tensor"
    assert column(table, "note")[0] == ""  # it has a place now
    # 701.2 of 233.7 · 3.35 TB/s
    assert fraction_of(table, PRODUCT_ROW) == pytest.approx(PRODUCT / 196e-6 / (PRODUCT / 588e6 * 3.35e12))
    assert cell_tip(table, PRODUCT_ROW, "work").startswith("W from gemm m = 4096")
    assert "time to bound 1.41× slower" in cell_tip(table, PRODUCT_ROW, "pair")
    assert "* W from the operator of the pair" in summary(table)


def test_a_kernel_whose_work_was_counted_keeps_it():
    table = table_of(with_pair(made(), ONE, ADD_ROW, "add-1"))
    assert column(table, "pair")[1] == "Add" and column(table, "work")[1] == "536.9 MFLOP"
    assert not table.lends


def test_what_the_file_says_is_not_written_over():
    study = with_pair(made(), ONE, PRODUCT_ROW, "gemm-1")
    table_of(study)
    columns = study.overlays[0].columns
    assert math.isnan(columns["work_flop"][0]) and math.isnan(columns[f"intensity_{DRAM}"][0])


def test_work_that_is_lent_sorts_and_sums_like_any_other():
    study = with_pair(made(sort="work", descending=True), ONE, PRODUCT_ROW, "gemm-1")
    assert table_of(study).lines.tolist()[:2] == [PRODUCT_ROW, ADD_ROW]
    study = with_pair(made(group="kernel"), ONE, PRODUCT_ROW, "gemm-1")
    table = table_of(study)
    assert column(table, "work")[0] == "137.4 GFLOP" and column(table, "pair")[0] == "GEMM, 1 of 2"
    both = table_of(with_pair(study, ONE, SECOND_ROW, "gemm-1"))
    assert column(both, "work")[0] == "274.9 GFLOP" and column(both, "pair")[0] == "GEMM"
    mixed = table_of(with_pair(with_pair(study, ONE, SECOND_ROW, "add-1"), ONE, PRODUCT_ROW, "gemm-1"))
    assert column(mixed, "pair")[0] == "GEMM and others"


@pytest.mark.parametrize(("descending", "lines"), [(False, [1, 0, 2, 3]), (True, [0, 1, 2, 3])])
def test_pairs_sort_by_name_and_what_has_none_stays_last(descending, lines):
    study = with_pair(made(sort="pair", descending=descending), ONE, PRODUCT_ROW, "gemm-1")
    assert table_of(with_pair(study, ONE, ADD_ROW, "add-1")).lines.tolist() == lines


def test_a_table_stays_the_same_object_until_a_pair_comes_and_keeps_its_rows_then():
    maker, study = TableMaker(), made()
    first = table_of(study, maker)
    assert table_of(study, maker) is first
    second = table_of(with_pair(study, ONE, PRODUCT_ROW, "gemm-1"), maker)
    assert second is not first and second.has_rows_of(first)
    third = table_of(study, maker)
    assert np.isnan(third.series.numbers("work_flop")[0])  # and it goes again with the pair


def test_what_is_copied_has_the_pair():
    text = as_tsv(table_of(with_pair(made(), ONE, PRODUCT_ROW, "gemm-1")), [0])
    head, row = (line.split("\t") for line in text.splitlines())
    assert row[head.index("Pair")] == "GEMM" and row[head.index("W")] == "137.4 GFLOP*"

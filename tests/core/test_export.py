"""The table of a study as text that other programs, and people, can read."""

from __future__ import annotations

import csv
import io
import math

import pytest

from rooflinestudio.core.export import CSV_COLUMNS, csv_table, markdown_table
from tests.ui.canvas.samples import FAST, SLOW, entry, placed


def rows_of(study):
    return list(csv.DictReader(io.StringIO(csv_table(study))))


def test_a_row_of_the_csv_has_the_figures_of_the_placement_in_base_units():
    # 1e13 FLOP and 1e10 B: 1 000 FLOP/byte, 1 PFLOP/s, 10 ms.
    (row,) = rows_of(placed(entry(work=1e13, traffic=1e10, label='Big, "quoted"'), policy="compulsory"))

    assert tuple(row) == CSV_COLUMNS
    assert (row["name"], row["machine"], row["boundary"], row["state"]) == (
        'Big, "quoted"',
        "fast",
        "dram",
        "placed",
    )
    assert (row["bound"], row["binding"], row["ceiling"]) == ("compute", "bf16-tensor", "bf16-tensor")
    assert float(row["work_flop"]) == 1e13
    assert float(row["traffic_bytes"]) == 1e10
    assert float(row["intensity_flop_per_byte"]) == 1000
    assert float(row["attainable_flop_per_s"]) == pytest.approx(1e15)
    assert float(row["time_s"]) == pytest.approx(0.01)
    assert row["absorption"] == ""


def test_numbers_keep_all_their_digits():
    (row,) = rows_of(placed(entry(work=1e13 / 3, traffic=1e10)))

    assert float(row["work_flop"]) == 1e13 / 3


def test_there_is_a_row_for_each_entry_on_each_machine_in_the_order_of_the_study():
    study = placed(entry("a"), entry("b"), machines=(FAST, SLOW))

    assert [(row["entry"], row["machine"]) for row in rows_of(study)] == [
        ("a", "fast"), ("a", "slow"), ("b", "fast"), ("b", "slow"),
    ]  # fmt: skip


def test_a_row_that_was_not_placed_gives_its_reason_and_no_figures():
    refused, gone = rows_of(placed(entry(dtypes={"all": "fp8"}), entry("two", "acme.gone"), machines=(SLOW,)))

    assert refused["state"] == "refused" and "fp8" in refused["reason"] and refused["time_s"] == ""
    assert gone["state"] == "unavailable" and "acme.gone" in gone["reason"]


def test_an_infinite_intensity_is_written_as_such():
    (row,) = rows_of(placed(entry(work=1e12, traffic=0)))

    assert math.isinf(float(row["intensity_flop_per_byte"]))


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2", "@sum", "\tx"])
def test_a_name_cannot_become_a_formula_of_a_spreadsheet(name):
    (row,) = rows_of(placed(entry(label=name)))

    assert row["name"] == f"'{name}"


def test_the_markdown_table_reads_like_the_screen():
    table = markdown_table(placed(entry(work=1e13, traffic=1e10, label="Big")))

    assert table.splitlines() == [
        "| name | machine | boundary | W | Q | I, FLOP/byte | attainable | time | bound | of peak |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |",
        "| Big | Fast 1 | HBM | 10.0 TFLOP | 10.0 GB | 1\u202f000 | 1.00 PFLOP/s | 10.0 ms | compute at bf16-tensor "
        "| 100% |",
    ]  # fmt: skip


def test_names_cannot_break_the_markdown_table():
    table = markdown_table(placed(entry(label="a | b\nc \\ d")))

    assert "| a \\| b c \\\\ d |" in table
    assert len({line.replace("\\|", "").count("|") for line in table.splitlines()}) == 1


def test_refused_rows_keep_the_shape_of_the_markdown_table_and_say_why():
    table = markdown_table(placed(entry(dtypes={"all": "fp8"}), machines=(SLOW,)))

    assert "refused: " in table
    assert len({line.count("|") for line in table.splitlines()}) == 1

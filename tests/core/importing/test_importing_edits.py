"""A measured file exchanged for itself read in another way, and what is chosen for columns on the way there."""

from __future__ import annotations

from dataclasses import replace

from rooflinestudio.core.importing.choice import ColumnsChoice, unit_in_head
from rooflinestudio.core.importing.edits import with_overlay, with_overlay_exchanged
from rooflinestudio.core.importing.proposal import ColumnKind, StatedColumn, TableProposal
from rooflinestudio.core.measurement import Measurement, MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.study import Entry, Pair, Study

KINDS = (
    ColumnKind("time", "Time", ("s", "ms", "µs")),
    ColumnKind("work", "Work", ("FLOP", "GFLOP")),
    ColumnKind("pipe", "Pipe", (), ("fp32", "fp64")),
)


def overlay(digit, *kernels):
    found = tuple(Measurement(launch=at, kernel=name, time_s=1e-3) for at, name in enumerate(kernels))
    return Overlay.from_file(MeasurementFile("x.csv", "points-csv", (), found, digit * 64))


def test_an_exchanged_overlay_keeps_its_place_its_pairs_and_what_panels_know_of_it():
    old, other, new = overlay("a", "axpy", "gemm"), overlay("b", "dot"), overlay("c", "axpy", "renamed")
    study = Study(
        entries=(Entry("gemm-1", "gemm"),),
        overlays=(old, other),
        pairs=(
            Pair(old.digest, "axpy", 0, "gemm-1"),
            Pair(old.digest, "gemm", 1, "gemm-1"),
            Pair(other.digest, "dot", 0, "gemm-1"),
        ),
        panels={"measured": {"hidden": {old.digest: "0"}, "colours": {other.digest: {"2": "0"}}}},
    )

    made = with_overlay_exchanged(study, old.digest, new)

    assert made.overlays == (new, other)
    assert made.pairs == (Pair(new.digest, "axpy", 0, "gemm-1"), Pair(other.digest, "dot", 0, "gemm-1"))
    assert made.panels == {"measured": {"hidden": {new.digest: "0"}, "colours": {other.digest: {"2": "0"}}}}


def test_an_overlay_that_is_gone_is_added():
    old, new = overlay("a", "axpy"), overlay("c", "axpy")

    assert with_overlay_exchanged(Study(), old.digest, new) == with_overlay(Study(), new)


def proposal(**more):
    return TableProposal(
        ("name", "dur (us)", "x", "x"), ("name", "dur (us)", "#3", "#4"), (("a", "1", "2", "3"),),
        (StatedColumn("time", "dur (us)", "µs"),), KINDS, **more,
    )  # fmt: skip


def test_a_choice_begins_with_what_was_recognised_and_states_columns_by_their_names():
    choice = ColumnsChoice.of(proposal())

    assert choice.columns == (StatedColumn("time", "dur (us)", "µs"),)
    assert choice.with_figure(3, "work").columns[1] == StatedColumn("work", "#4", "FLOP")
    assert choice.with_figure(1, "").columns == ()
    assert choice.with_figure(1, "").with_figure(1, "time").units[1] == "µs"  # as its head says
    again = ColumnsChoice.of(proposal(), choice.with_figure(3, "work").with_unit(3, "GFLOP").columns)
    assert again.units[3] == "GFLOP"


def test_a_value_for_all_rows_gives_way_to_a_column():
    choice = ColumnsChoice.of(proposal()).with_constant("pipe", "fp64")

    assert choice.columns[-1] == StatedColumn("pipe", "=fp64")
    assert ColumnsChoice.of(proposal(), choice.columns).constant("pipe") == "fp64"
    assert choice.with_figure(0, "pipe").columns == (
        StatedColumn("pipe", "name"),
        StatedColumn("time", "dur (us)", "µs"),
    )
    assert choice.with_constant("pipe", "").columns == ColumnsChoice.of(proposal()).columns


def test_of_many_columns_those_in_use_are_shown():
    names = tuple(f"c{at}" for at in range(100))
    wide = replace(proposal(), heads=names, names=names, columns=(StatedColumn("time", "c90", "s"),))

    assert ColumnsChoice.of(wide).shown(10) == (*range(9), 90)


def test_units_are_found_in_heads():
    assert unit_in_head("dur (us)", ("s", "ms", "µs")) == "µs"
    assert unit_in_head("time_ms", ("s", "ms")) == "ms"
    assert unit_in_head("whatever", ("s", "ms")) == ""
    assert unit_in_head("GFLOP [GFLOP]", ("FLOP", "GFLOP")) == "GFLOP"


def test_the_first_rows_are_a_file_of_their_own_on_the_same_lines():
    one = replace(
        proposal(), line=3, delimiter=";", heads=("a;b", "c"), names=("a;b", "c"), rows=(("x", "1"),)
    )

    assert one.text() == '\n\n"a;b";c\nx;1\n'
    assert replace(one, has_heads=False).text() == "\n\nx;1\n"

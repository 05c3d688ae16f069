import pytest

from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.ui.inspector.facts import (
    boundary_rows,
    operator_formulas,
    policy_rows,
    readout,
    result_formulas,
)
from rooflinestudio.ui.inspector.formula import breakable
from rooflinestudio.ui.inspector.notes import notes_of
from tests.ui.widgets.studies import H100, machine, placed

# GEMM 4096³ in bf16, tile 128 x 128, by hand:
#   W = 2·4096³ = 137.439 GFLOP; each matrix is 2·4096² = 33.554 MB
#   Qc = 3 matrices = 100.663 MB; Qt = (2·32 + 1) matrices = 2 181.04 MB; Q(0.85) = Qc + 0.15·(Qt - Qc) = 412.72 MB
#   compute 137.439 G / 989.4 T = 138.9 µs; tiled 2 181.04 MB / 3.35 TB/s = 651.1 µs; at L2 / 9 TB/s = 242.3 µs


def row(entry=None, **view):
    entries = (entry or Entry("g", "gemm"),)
    return placed(
        Study(entries=entries, profiles={H100: machine()}, view=View(machines=(H100,), **view))
    ).rows[0]


def test_all_policies_stand_side_by_side():
    rows = [(one.policy, one.traffic, one.intensity, one.time, one.fraction) for one in policy_rows(row())]
    assert [tuple(cell.replace("\u202f", " ") for cell in one) for one in rows] == [
        ("compulsory", "101 MB", "1 365", "139 µs", "100%"),
        ("tiled", "2.18 GB", "63.0", "651 µs", "21%"),
        ("modelled", "413 MB", "333", "139 µs", "100%"),
    ]
    assert [one.chosen for one in policy_rows(row(policy="tiled"))] == [False, True, False]


def test_every_boundary_is_judged_as_if_it_alone_were_selected():
    rows = {one.id: one for one in boundary_rows(row())}
    assert rows["l2"].fraction == pytest.approx(63.0 * 9e12 / 989.4e12, rel=1e-3)
    assert (rows["l2"].intensity, rows["l2"].ridge, rows["l2"].bound) == ("63.0", "110", "memory")
    assert rows["dram"].chosen and rows["dram"].bound == "compute"
    assert (rows["nvlink"].fraction, rows["nvlink"].intensity) == (None, "–")
    assert rows["l2"].approximate


def test_formulas_have_symbols_and_values():
    lines = result_formulas(row().placement)
    assert lines[0].symbols == "Q = Qc + (1 − a)(Qt − Qc)"
    assert lines[0].values[0].replace("\u202f", " ") == "= 100.7 + 0.15 × (2 181 − 100.7) MB"
    assert lines[1].values == ("= 137.4 GFLOP / 412.7 MB = 333",)
    assert lines[2].values == ("= max(138.9, 123.2) µs",)


@pytest.mark.parametrize(
    ("view", "symbols"),
    [
        ({"policy": "compulsory"}, "Q = Qc, each tensor once"),
        ({"policy": "tiled"}, "Q = Qt, with every re-read"),
        ({"boundary": "l2"}, "Q = Q(L2), as blocked"),
    ],
)
def test_the_formula_says_how_the_traffic_was_counted(view, symbols):
    assert result_formulas(row(**view).placement)[0].symbols == symbols


def test_a_part_overlap_and_a_launch_change_the_formula_of_the_time():
    lines = result_formulas(row(overlap=0.5).placement)
    assert lines[2].symbols == "T = max + (1 − ω)(sum − max)"
    # 138.9 + 0.5·123.2 = 200.5 µs
    assert lines[2].values[0].endswith("= 200.5 µs")
    lines = result_formulas(row(forecast=True).placement)
    assert lines[2].symbols == "T = max(W/π, Q/β) + launches"


def test_what_is_read_once_has_no_absorption_in_its_formula():
    lines = result_formulas(row(Entry("a", "add")).placement)
    assert lines[0].symbols == "Q = Qc = Qt, nothing is read twice"


def test_an_operator_tells_how_it_counts():
    symbols = [one.symbols for one in operator_formulas(row().placement)]
    assert any(one.startswith("W = 2") for one in symbols)


def test_lines_break_behind_operators_only():
    text = breakable("= 100.7 + 0.15 × (2 181 − 100.7) MB")
    assert [piece.replace("\u00a0", " ") for piece in text.split(" ")] == [
        "=",
        "100.7 +",
        "0.15 ×",
        "(2 181 −",
        "100.7) MB",
    ]


def test_readouts_part_number_and_unit():
    assert readout(138.9e-6, "s") == ("138.9", "µs")
    assert readout(989.4e12, "FLOP/s", digits=3) == ("989", "TFLOP/s")


# Notes


def words(one):
    return [(note.word, note.text) for note in notes_of(one)]


def test_a_verdict_that_holds_at_one_boundary_only_is_a_trap():
    word, text = words(row())[0]
    assert word == "Trap"
    assert text == (
        "This verdict holds at HBM3 alone. With every crossed boundary in view L2 binds, at 57.3% of peak: I = 63.0 "
        "against a ridge of 110."
    )


def test_over_all_boundaries_there_is_no_such_trap():
    assert not any("holds at" in text for _, text in words(row(boundary="all")))


def test_policies_that_disagree_are_a_nuance():
    assert any(word == "Nuance" and "depends on how bytes are counted" in text for word, text in words(row()))


def test_a_memory_bound_kernel_warns_of_cutting_arithmetic():
    assert any(
        word == "Trap" and text.startswith("Fewer FLOP would not")
        for word, text in words(row(Entry("a", "add")))
    )


def test_compulsory_traffic_is_called_a_floor():
    assert any(word == "Approximation" and "floor" in text for word, text in words(row(policy="compulsory")))


def test_every_note_of_the_model_is_among_them():
    one = row(boundary="l2")
    told = [text for _, text in words(one)]
    assert set(one.placement.notes) <= set(told)
    assert any(word == "Approximation" and "approximate" in text for word, text in words(one))

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.errors import UnavailableError
from rooflinestudio.core.study import Pair
from rooflinestudio.ui.marking import duplicate_all, names_of, show_or_hide
from rooflinestudio.ui.session import Session
from tests.ui.shell_helpers import A100, H100, gemm, registry, study

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def session(qapp):
    return Session(registry(), study(gemm(), gemm("gemm-2", m=1, label="GEMV")))


EDITS = {
    "place": lambda s: s.add_operator("rmsnorm"),
    "change m": lambda s: s.set_parameter("gemm-1", "m", 512),
    "rename": lambda s: s.change_entry("gemm-1", "Rename", label="Mine"),
    "hide": lambda s: s.change_entry("gemm-1", "Hide", visible=False),
    "policy": lambda s: s.change_view("Change policy", policy="tiled"),
    "boundary": lambda s: s.change_view("Change boundary", boundary="l2"),
    "remove": lambda s: s.remove(("gemm-1",)),
    "duplicate": lambda s: s.duplicate("gemm-1"),
    "add machine": lambda s: s.add_machine(registry().load_profile(A100)),
    "remove machine": lambda s: s.remove_machine(H100),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_every_edit_is_one_step_back_and_one_forward(session, edit, qtbot):
    before = session.study
    with qtbot.waitSignal(session.studyChanged):
        edit(session)
    after = session.study
    assert after != before
    assert session.undo_stack.count() == 1
    assert session.is_modified

    session.undo_stack.undo()
    assert session.study == before
    assert not session.is_modified
    session.undo_stack.redo()
    assert session.study == after


@given(st.lists(st.sampled_from(sorted(EDITS)), max_size=8))
def test_any_row_of_edits_can_be_undone_and_redone(qapp, names):
    session = Session(registry(), study(gemm(), gemm("gemm-2")))
    states = [session.study]
    for name in names:
        try:
            EDITS[name](session)
        except KeyError:
            continue  # the entry is gone already
        if session.study is not states[-1]:
            states.append(session.study)
    for state in reversed(states[:-1]):
        session.undo_stack.undo()
        assert session.study == state
    for state in states[1:]:
        session.undo_stack.redo()
        assert session.study == state


def test_an_edit_that_changes_nothing_leaves_no_step(session, qtbot):
    with qtbot.assertNotEmitted(session.studyChanged):
        session.set_parameter("gemm-1", "m", 4096)

    assert session.undo_stack.count() == 0


def test_the_steps_of_one_drag_are_one_step_back(session):
    for m in (4000, 3000, 2000):
        session.set_parameter("gemm-1", "m", m, dragging=True)
    session.end_gesture()
    session.set_parameter("gemm-1", "m", 100, dragging=True)

    assert session.undo_stack.count() == 2
    session.undo_stack.undo()
    assert session.study.entry("gemm-1").parameters["m"] == 2000
    session.undo_stack.undo()
    assert session.study.entry("gemm-1").parameters["m"] == 4096


def test_drags_of_two_parameters_do_not_mix(session):
    session.set_parameter("gemm-1", "m", 1, dragging=True)
    session.set_parameter("gemm-1", "n", 1, dragging=True)

    assert session.undo_stack.count() == 2


def test_a_drag_back_to_where_it_began_leaves_no_step(session):
    session.set_parameter("gemm-1", "m", 4000, dragging=True)
    session.set_parameter("gemm-1", "m", 4096, dragging=True)

    assert not session.undo_stack.canUndo()


def test_rows_that_did_not_change_are_the_same_objects(session):
    before = session.placed.by_key["gemm-2", H100]

    session.set_parameter("gemm-1", "m", 512)

    assert session.placed.by_key["gemm-2", H100] is before
    assert session.placed.by_key["gemm-1", H100].placement.parameters["m"] == 512


def test_an_operator_that_is_not_there_changes_nothing(session):
    before = session.study

    with pytest.raises(UnavailableError):
        session.add_operator("acme.nothing")

    assert session.study is before
    assert session.undo_stack.count() == 0


def test_a_refused_parameter_is_a_row_with_a_reason_and_can_be_undone(session):
    session.set_parameter("gemm-1", "m", -3)

    row = session.placed.by_key["gemm-1", H100]
    assert row.state == "refused"
    assert "m" in row.reason
    session.undo_stack.undo()
    assert session.placed.by_key["gemm-1", H100].state == "placed"


def test_placing_selects_and_takes_the_next_colour(session):
    id_ = session.add_operator("rmsnorm")

    assert session.selection == id_
    assert session.study.entry(id_).slot == 1


def test_removing_what_is_selected_selects_nothing(session, qtbot):
    session.select("gemm-1")

    with qtbot.waitSignal(session.selectionChanged) as changed:
        session.remove(("gemm-1",))

    assert changed.args == [None]


def test_removing_an_entry_takes_its_pairs_and_frees_its_variants(session):
    variant = session.duplicate("gemm-1")
    session.edit("Pair", replace(session.study, pairs=(Pair("digest", "k", 0, "gemm-1"),)))

    session.remove(("gemm-1",))

    assert session.study.pairs == ()
    assert session.study.entry(variant).variant_of is None


def test_the_strong_machine_stays_in_view(session):
    session.add_machine(registry().load_profile(A100))
    session.select_machine(A100)
    assert session.machine == A100

    session.undo_stack.undo()

    assert session.machine == H100


def test_saving_marks_the_state_that_is_in_the_file(session, qtbot):
    session.set_parameter("gemm-1", "m", 512)
    with qtbot.waitSignal(session.fileChanged) as changed:
        session.mark_saved("/a/b.study")
    assert changed.args == ["/a/b.study", False]

    session.undo_stack.undo()
    assert session.is_modified
    session.undo_stack.redo()
    assert not session.is_modified


def test_another_study_starts_a_new_history(session):
    session.set_parameter("gemm-1", "m", 512)
    session.select("gemm-1")

    session.open(study(), "/a/b.study")

    assert session.undo_stack.count() == 0
    assert session.selection is None
    assert session.path == "/a/b.study"
    assert not session.is_modified


def test_plugins_that_arrive_later_bring_rows_to_life(qapp):
    class Nothing:
        def operator(self, id_, plugin=""):
            raise UnavailableError(f"No operator is called {id_!r}.")

        origin = operator

        def estimate(self, *_):
            raise UnavailableError("nothing")

    session = Session(Nothing(), study(gemm()))
    assert session.placed.rows[0].state == "unavailable"
    before = session.study

    session.refresh(registry())

    assert session.placed.rows[0].state == "placed"
    assert session.study is before
    assert session.undo_stack.count() == 0


# Marks


@pytest.fixture
def three(session):
    session.add_operator("rmsnorm")
    session.select(None)
    return session


def test_marking_keeps_the_selection_where_it_is_marked_too(three):
    three.select("gemm-2")

    three.mark(("rmsnorm-1", "gemm-2"))

    assert three.selection == "gemm-2"
    assert three.marked == ("gemm-2", "rmsnorm-1")  # the order of the study
    assert three.chosen == three.marked


def test_marking_others_moves_the_selection_to_the_first_of_them(three):
    three.select("gemm-1")

    three.mark(("rmsnorm-1", "gemm-2"))

    assert (three.selection, three.marked) == ("gemm-2", ("gemm-2", "rmsnorm-1"))


@pytest.mark.parametrize(("ids", "selected"), [(("gemm-2",), "gemm-2"), ((), None), (("gone",), None)])
def test_one_alone_is_selected_and_of_none_nothing_is(three, ids, selected):
    three.mark(("gemm-1", "rmsnorm-1"))

    three.mark(ids)

    assert (three.selection, three.marked) == (selected, ())
    assert three.chosen == (() if selected is None else (selected,))


def test_selecting_ends_the_marks_also_where_the_selection_stays(three, qtbot):
    three.mark(("gemm-1", "gemm-2"))

    with qtbot.waitSignal(three.markedChanged) as marked, qtbot.assertNotEmitted(three.selectionChanged):
        three.select("gemm-1")

    assert marked.args == [()]
    assert three.selection == "gemm-1"


def test_a_part_of_a_marked_entry_stays_selected(three):
    three.select(("part", "gemm-1", 0))

    three.mark(("gemm-1", "gemm-2"))

    assert three.selection == ("part", "gemm-1", 0)
    assert three.marked == ("gemm-1", "gemm-2")


def test_marks_of_removed_entries_go_and_undo_brings_none_back(three):
    three.mark(("gemm-1", "gemm-2", "rmsnorm-1"))

    three.remove(("gemm-1",))
    assert (three.selection, three.marked) == ("gemm-2", ("gemm-2", "rmsnorm-1"))
    three.remove(("rmsnorm-1",))
    assert (three.selection, three.marked) == ("gemm-2", ())
    three.undo_stack.undo()
    three.undo_stack.undo()

    assert len(three.study.entries) == 3
    assert (three.selection, three.marked) == ("gemm-2", ())


def test_removing_all_that_are_marked_is_one_step_and_selects_nothing(three):
    steps = three.undo_stack.count()
    three.mark(("gemm-1", "gemm-2"))

    three.remove(three.marked)

    assert (three.selection, three.marked) == (None, ())
    assert three.undo_stack.count() == steps + 1
    assert three.undo_stack.undoText() == "Remove GEMM, GEMV"


def test_another_study_has_no_marks(three):
    three.mark(("gemm-1", "gemm-2"))

    three.open(study(gemm(), gemm("gemm-2")))

    assert three.marked == ()


def test_an_edit_keeps_the_marks_and_places_anew_only_what_it_changes(three):
    three.mark(("gemm-1", "gemm-2"))
    before = three.placed.by_key["gemm-2", H100]

    three.set_parameter("gemm-1", "m", 512)

    assert three.marked == ("gemm-1", "gemm-2")
    assert three.placed.by_key["gemm-2", H100] is before


def test_hiding_several_shows_them_again_the_next_time(three):
    show_or_hide(three, ("gemm-1", "gemm-2"))
    assert [one.visible for one in three.study.entries] == [False, False, True]
    show_or_hide(three, ("gemm-1", "gemm-2"))
    assert all(one.visible for one in three.study.entries)

    three.change_entry("gemm-1", "Hide", visible=False)
    show_or_hide(three, ("gemm-1", "gemm-2"))  # one of them is seen
    assert [one.visible for one in three.study.entries] == [False, False, True]
    assert three.undo_stack.undoText() == "Hide GEMM, GEMV"


def test_variants_of_several_are_one_step_and_are_marked(three):
    steps = three.undo_stack.count()

    duplicate_all(three, ("gemm-1", "rmsnorm-1"))

    assert [three.study.entry(id_).variant_of for id_ in three.marked] == ["gemm-1", "rmsnorm-1"]
    assert three.undo_stack.count() == steps + 1
    three.undo_stack.undo()
    assert three.marked == ()
    assert len(three.study.entries) == 3


def test_many_entries_are_counted_and_not_named(three):
    assert names_of(three.study, ("gemm-1", "gemm-2", "rmsnorm-1")) == "GEMM, GEMV, RMSNorm"
    assert names_of(three.study, ("gemm-1",) * 4) == "4 entries"

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.errors import UnavailableError
from rooflinestudio.core.study import Pair
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

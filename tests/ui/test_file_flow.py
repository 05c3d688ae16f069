from __future__ import annotations

import sys

import pytest

from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.file_flow import FileFlow
from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from tests.ui.shell_helpers import Answers, gemm, registry, study


@pytest.fixture
def session(qapp):
    return Session(registry(), study(gemm()))


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def notices(qtbot):
    area = NoticeArea()
    qtbot.addWidget(area)
    return area


@pytest.fixture
def settings(tmp_path):
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def flow(session, notices, settings, answers):
    flow = FileFlow(session, notices, settings, answers)
    yield flow
    flow.cancel_reading()
    flow.wait(10_000)


def done(qtbot, flow):
    qtbot.waitUntil(lambda: not flow.is_busy, timeout=20_000)


def saved_study(path, **changes):
    made = study(gemm(m=8, **changes), policy="tiled")
    save_study(made, path)
    return made


def test_saving_the_first_time_asks_for_a_place_and_adds_the_ending(flow, session, answers, qtbot, tmp_path):
    session.set_parameter("gemm-1", "m", 512)
    answers.save_path = tmp_path / "mine"

    flow.save()
    done(qtbot, flow)

    assert load_study(tmp_path / "mine.study").entries == session.study.entries
    assert session.path == str(tmp_path / "mine.study")
    assert not session.is_modified
    assert flow.name == "mine.study"


def test_saving_again_asks_nothing(flow, session, answers, qtbot, tmp_path):
    answers.save_path = tmp_path / "mine.study"
    flow.save()
    done(qtbot, flow)
    session.set_parameter("gemm-1", "m", 77)
    answers.asked.clear()

    flow.save()
    done(qtbot, flow)

    assert answers.asked == []
    assert load_study(tmp_path / "mine.study").entry("gemm-1").parameters["m"] == 77


def test_thinking_better_of_saving_saves_nothing(flow, session, qtbot, tmp_path):
    session.set_parameter("gemm-1", "m", 512)

    flow.save()

    assert not flow.is_busy
    assert session.is_modified


def test_what_is_edited_while_the_file_is_written_counts_as_unsaved(flow, session, answers, qtbot, tmp_path):
    answers.save_path = tmp_path / "mine.study"
    flow.save()
    session.set_parameter("gemm-1", "m", 99)

    done(qtbot, flow)

    assert session.is_modified
    assert load_study(tmp_path / "mine.study").entry("gemm-1").parameters["m"] == 4096


def test_saving_twice_in_a_row_leaves_the_newer_study_in_the_file(flow, session, answers, qtbot, tmp_path):
    answers.save_path = tmp_path / "mine.study"
    flow.save()
    session.set_parameter("gemm-1", "m", 99)
    session.path = str(tmp_path / "mine.study")
    flow.save()

    done(qtbot, flow)

    assert load_study(tmp_path / "mine.study").entry("gemm-1").parameters["m"] == 99
    assert not session.is_modified


def test_a_place_that_cannot_be_written_says_so_and_keeps_the_edits(
    flow, session, answers, qtbot, tmp_path, notices
):
    session.set_parameter("gemm-1", "m", 512)
    answers.save_path = tmp_path / "no-such-folder" / "mine.study"

    flow.save()
    done(qtbot, flow)

    assert session.is_modified
    assert session.path == ""
    assert [one.title for one in notices.notices] == ["mine.study was not saved"]


def test_work_is_saved_even_where_no_other_process_can_be_started(
    flow, session, answers, qtbot, tmp_path, monkeypatch
):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    answers.save_path = tmp_path / "mine.study"

    flow.save()
    done(qtbot, flow)

    assert load_study(tmp_path / "mine.study").entries == session.study.entries


def test_opening_shows_the_study_and_starts_a_new_history(flow, session, answers, qtbot, tmp_path):
    made = saved_study(tmp_path / "a.study")
    answers.open_path = tmp_path / "a.study"

    with qtbot.waitSignal(flow.opened, timeout=20_000):
        flow.open()

    assert session.study.entries == made.entries
    assert session.study.view == made.view
    assert session.path == str(tmp_path / "a.study")
    assert session.undo_stack.count() == 0
    assert not session.is_modified


@pytest.mark.parametrize(
    "content",
    [
        b"format: rooflinestudio-study/1\nentries:\n- {id: gemm-1, oper",
        bytes(range(256)) * 40,
        b"",
        b"format: rooflinestudio-study/1\nview: {policy: sideways}\n",
        None,
    ],
    ids=["cut in half", "binary", "empty", "wrong value", "gone"],
)
def test_a_study_that_cannot_be_read_leaves_the_open_one_untouched(
    flow, session, qtbot, tmp_path, notices, content
):
    path = tmp_path / "bad.study"
    if content is not None:
        path.write_bytes(content)
    before = session.placed

    flow.load(str(path))
    done(qtbot, flow)

    assert session.placed is before
    (notice,) = notices.notices
    assert notice.title == "bad.study was not opened"
    assert "bad.study" in notice.text


def test_unsaved_edits_are_asked_about_and_cancel_stays(flow, session, answers, qtbot, tmp_path):
    saved_study(tmp_path / "a.study")
    session.set_parameter("gemm-1", "m", 512)
    edited = session.study

    flow.load(str(tmp_path / "a.study"))

    assert answers.asked == [("unsaved", "Untitled study")]
    assert not flow.is_busy
    assert session.study is edited


def test_discarding_unsaved_edits_opens_the_other_study(flow, session, answers, qtbot, tmp_path):
    made = saved_study(tmp_path / "a.study")
    session.set_parameter("gemm-1", "m", 512)
    answers.unsaved = "discard"

    flow.load(str(tmp_path / "a.study"))
    done(qtbot, flow)

    assert session.study.entries == made.entries


def test_saving_unsaved_edits_comes_before_the_other_study(flow, session, answers, qtbot, tmp_path):
    made = saved_study(tmp_path / "a.study")
    session.set_parameter("gemm-1", "m", 512)
    answers.unsaved, answers.save_path = "save", tmp_path / "mine.study"

    with qtbot.waitSignal(flow.opened, timeout=20_000):
        flow.load(str(tmp_path / "a.study"))

    assert load_study(tmp_path / "mine.study").entry("gemm-1").parameters["m"] == 512
    assert session.study.entries == made.entries


def test_edits_made_while_a_study_is_read_are_asked_about_too(flow, session, answers, qtbot, tmp_path):
    saved_study(tmp_path / "a.study")
    flow.load(str(tmp_path / "a.study"))
    session.set_parameter("gemm-1", "m", 512)
    edited = session.study

    done(qtbot, flow)

    assert answers.asked == [("unsaved", "Untitled study")]
    assert session.study is edited


def test_a_new_study_keeps_the_machines_and_how_they_are_looked_at(flow, session):
    session.change_view("Change policy", policy="tiled")
    session.undo_stack.setClean()

    flow.new()

    assert session.study.entries == ()
    assert session.study.view.policy == "tiled"
    assert list(session.study.profiles) == ["nvidia-h100-sxm5"]


def test_recent_files_are_remembered_and_forgotten_when_they_are_gone(
    flow, session, settings, qtbot, tmp_path
):
    saved_study(tmp_path / "a.study")
    flow.load(str(tmp_path / "a.study"))
    done(qtbot, flow)
    assert settings.settings.recent_files == (str(tmp_path / "a.study"),)
    (tmp_path / "a.study").unlink()

    flow.load(str(tmp_path / "a.study"))
    done(qtbot, flow)

    assert settings.settings.recent_files == ()


def test_an_entry_whose_plugin_is_missing_is_saved_back_unchanged(flow, session, answers, qtbot, tmp_path):
    path = tmp_path / "acme.study"
    path.write_text(
        "format: rooflinestudio-study/1\n"
        "view: {machines: []}\n"
        "entries:\n"
        "- {id: x-1, operator: acme.nothing, plugin: {id: acme-kernels, version: '0.3'}, parameters: {depth: 3},\n"
        "   slot: 2, visible: true, shade: dotted}\n"
    )
    flow.load(str(path))
    done(qtbot, flow)
    (entry,) = session.study.entries
    answers.save_path = tmp_path / "again.study"

    flow.save_as()
    done(qtbot, flow)

    assert load_study(tmp_path / "again.study").entries == (entry,)
    assert entry.parameters == {"depth": 3}
    assert entry.unknown == {"shade": "dotted"}

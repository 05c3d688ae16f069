"""Measuring from the window: progress, cancel, and what is told of the end."""

from __future__ import annotations

import json
import sys

import pytest
from PySide6.QtWidgets import QProgressBar

from rooflinestudio.core.profile_files import dump_profile
from rooflinestudio.ui.measuring import MachineMeasuring
from rooflinestudio.ui.notices import NoticeArea, NoticeBanner, ProgressBanner
from tests.core.profiles import machine


@pytest.fixture
def notices(qtbot):
    made = NoticeArea()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def measuring(notices, tmp_path):
    return MachineMeasuring(notices, tmp_path / "profiles", notices)


def titles(notices):
    return [one.notice.title for one in notices.findChildren(NoticeBanner) if not one.isHidden()]


def script(*lines):
    return "-c", "import sys, time\n" + "\n".join(lines)


def test_the_profiles_that_were_written_are_handed_over(measuring, notices, qtbot, tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text(
        dump_profile(machine("lab", name="Lab", ceilings={"fp32": 1e12}, boundaries={"dram": 1e11})),
        encoding="utf-8",
    )
    out = json.dumps({"files": [str(path)], "machines": []})
    with qtbot.waitSignal(measuring.measured) as told:
        measuring.start(sys.executable, script(f"print({out!r})"))
    assert [one.id for one in told.args[0]] == ["lab"]
    assert titles(notices) == []  # the window offers what can be done with them
    assert not measuring.is_busy
    assert (tmp_path / "profiles").is_dir()


def test_a_folder_that_cannot_be_made_is_told_and_nothing_runs(notices, qtbot, tmp_path):
    (tmp_path / "file").write_text("in the way")
    measuring = MachineMeasuring(notices, tmp_path / "file" / "profiles", notices)
    measuring.start()

    qtbot.waitUntil(lambda: titles(notices) == ["This machine was not measured"])
    assert not measuring.is_busy


def test_progress_is_shown_while_it_runs_and_cancelling_ends_it(measuring, notices, qtbot):
    measuring.start(
        sys.executable, script("print('progress 0.5', file=sys.stderr, flush=True)", "time.sleep(60)")
    )
    banner = notices.findChild(ProgressBanner)
    qtbot.waitUntil(lambda: banner.findChild(QProgressBar).value() == 500)
    process = measuring._process
    measuring.start()  # a second one changes nothing
    assert measuring._process is process
    with qtbot.waitSignal(measuring.ended):
        banner.cancelRequested.emit()
    assert process.state() == process.ProcessState.NotRunning
    assert titles(notices) == ["Measuring cancelled"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("print('no room for arrays', file=sys.stderr)", "sys.exit(2)"), "no room for arrays"),
        (("sys.exit(3)",), "code 3"),
        (("print('not json')",), "Expecting value"),
        (('print(\'{"files": ["/nowhere/x.yaml"]}\')',), "x.yaml"),
        (("print('{\"files\": []}')",), "code 0"),
    ],
)
def test_what_went_wrong_is_told(measuring, notices, qtbot, lines, words):
    with qtbot.waitSignal(measuring.ended):
        measuring.start(sys.executable, script(*lines))
    assert titles(notices) == ["This machine was not measured"]
    assert words in notices.findChild(NoticeBanner).notice.full_text


def test_a_program_that_is_not_there_is_told(measuring, notices, qtbot):
    with qtbot.waitSignal(measuring.ended):
        measuring.start("/nowhere/python", ("x",))
    assert titles(notices) == ["This machine was not measured"]

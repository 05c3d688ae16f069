from __future__ import annotations

import pytest

from rooflinestudio.ui.notices import NoticeArea
from rooflinestudio.ui.overlay_import import OverlayImport
from rooflinestudio.ui.session import Session
from tests.builtin.other_tools import FIXTURES
from tests.ui.shell_helpers import NCU_LONG, gemm, registry, study

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def session(qapp):
    return Session(registry(), study(gemm()))


@pytest.fixture
def notices(qtbot):
    area = NoticeArea()
    qtbot.addWidget(area)
    return area


@pytest.fixture
def imports(session, notices, qtbot):
    imports = OverlayImport(session, notices)
    yield imports
    imports.cancel()


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "saxpy.csv"
    path.write_text(NCU_LONG)
    return path


def start(imports, qtbot, *paths):
    with qtbot.waitSignal(imports.idle, timeout=20_000):
        imports.start([str(one) for one in paths])


def test_the_kernels_of_a_file_lie_over_the_study_after_one_edit(imports, session, csv, qtbot, notices):
    before = session.study

    with qtbot.waitSignal(imports.imported, timeout=20_000) as imported:
        imports.start([str(csv)])

    (overlay,) = session.study.overlays
    assert imported.args == [overlay.digest]
    assert overlay.measurement(0).time_s == 6e-6
    assert session.undo_stack.count() == 1
    assert session.undo_stack.undoText() == "Import saxpy.csv"
    assert "1 measured kernel from saxpy.csv" in [one.title for one in notices.notices]
    session.undo_stack.undo()
    assert session.study == before
    session.undo_stack.redo()
    assert session.study.overlays == (overlay,)


def test_the_same_content_twice_says_that_it_is_there(imports, session, csv, qtbot, notices, tmp_path):
    copy = tmp_path / "copy.csv"
    copy.write_text(NCU_LONG)

    start(imports, qtbot, csv, copy)

    assert len(session.study.overlays) == 1
    assert session.undo_stack.count() == 1
    assert "copy.csv is there already" in [one.title for one in notices.notices]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(5000)),
        ("empty.csv", b""),
        ("prose.csv", b"Dear reader,\nthis is no table.\n"),
    ],
)
def test_a_file_that_cannot_be_read_leaves_the_study_untouched(
    imports, session, qtbot, notices, tmp_path, name, content
):
    (tmp_path / name).write_bytes(content)
    before = session.placed

    start(imports, qtbot, tmp_path / name)

    assert session.placed is before
    assert session.undo_stack.count() == 0
    (notice,) = notices.notices
    assert name in notice.title
    assert notice.text
    assert notice.tone in ("error", "warn")


def test_a_table_without_a_launch_says_so_and_leaves_the_study_untouched(
    imports, session, qtbot, notices, tmp_path
):
    (tmp_path / "head.csv").write_text(NCU_LONG.splitlines()[0] + "\n")
    before = session.placed

    start(imports, qtbot, tmp_path / "head.csv")

    assert session.placed is before
    assert [one.title for one in notices.notices] == ["head.csv holds no kernel"]


def test_one_bad_file_does_not_cost_the_others(imports, session, csv, qtbot, tmp_path):
    (tmp_path / "photo.png").write_bytes(bytes(100))

    start(imports, qtbot, tmp_path / "photo.png", csv)

    assert [one.name for one in session.study.overlays] == ["saxpy.csv"]


def test_cancel_in_the_notice_stops_reading_and_leaves_the_study_untouched(
    imports, session, qtbot, notices, csv
):
    before = session.placed
    imports.start([str(csv)])
    banner = next(one for one in notices.findChildren(object) if one.objectName() == "progress")

    with qtbot.waitSignal(imports.idle):
        banner.cancel_button.click()

    assert session.placed is before
    assert imports.job is None
    assert [one.title for one in notices.notices] == ["Import of saxpy.csv cancelled"]


def test_edits_made_while_a_file_is_read_are_kept(imports, session, csv, qtbot):
    imports.start([str(csv)])
    session.set_parameter("gemm-1", "m", 7)

    qtbot.waitSignal(imports.idle, timeout=20_000).wait()

    assert session.study.entry("gemm-1").parameters["m"] == 7
    assert len(session.study.overlays) == 1


@pytest.mark.parametrize(("name", "has_kernels"), [("roofline.csv", False), ("babelstream.csv", True)])
def test_ceilings_that_a_file_carries_are_announced(imports, session, notices, qtbot, name, has_kernels):
    heard = []
    imports.ceilingsFound.connect(lambda path, machines: heard.append((path, machines)))

    start(imports, qtbot, FIXTURES / name)

    ((path, machines),) = heard
    assert path == str(FIXTURES / name)
    assert machines[0].boundaries
    assert bool(session.study.overlays) == has_kernels
    assert "holds no kernel" not in " ".join(one.title for one in notices.notices)


def test_a_file_without_ceilings_announces_none(imports, qtbot, csv):
    with qtbot.assertNotEmitted(imports.ceilingsFound):
        start(imports, qtbot, csv)


def test_cancel_takes_a_question_back_and_forgets_what_waits(imports, session, qtbot, csv, tmp_path):
    (tmp_path / "asked.csv").write_text("what,thing,moved\na,1,2\n")
    imports.start([str(tmp_path / "asked.csv"), str(csv)])
    qtbot.waitUntil(lambda: imports.dialog is not None, timeout=20_000)
    assert imports.is_busy

    with qtbot.waitSignal(imports.idle):
        imports.cancel()

    assert not imports.is_busy
    assert session.study.overlays == ()

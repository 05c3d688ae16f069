from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt

from rooflinestudio.plugins.discovery import Disabled, PluginEntry, installed_entries
from rooflinestudio.plugins.host import PluginHost
from rooflinestudio.plugins.rows import PluginRow
from rooflinestudio.plugins.user_plugins import UserPlugins
from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.plugin_dialog import PluginDialog, PluginTable, brings_text, reason_text
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.theme import LIGHT, ThemeSwitch
from tests.ui.shell_helpers import Answers

GEMM = PluginRow(
    "gemm", "rooflinestudio", "0.1.0", "loaded", foreign=False, import_s=0.0123, operators=("gemm",)
)
BROKEN = PluginRow(
    "acme", "acme-kernels", "0.3", "failed", "It could not be imported: ImportError: no module named 'flash'.",
    problems=("It could not be imported: ImportError: no module named 'flash'.",),
)  # fmt: skip
HALF = PluginRow(
    "half", "half-kernels", "1.2", "partly", "Its operator 'gemm' was refused.", operators=("half.a", "half.b"),
    readers=("half.csv",), problems=("Its operator 'gemm' was refused.", "It took 1.2 s to import."), import_s=1.2,
)  # fmt: skip
OFF = PluginRow("mine", "mine.py", "abc", "disabled", "Not allowed yet.")
ROWS = (GEMM, HALF, OFF, BROKEN)


@pytest.fixture
def dialog(qtbot):
    dialog = PluginDialog()
    qtbot.addWidget(dialog)
    dialog.set_plugins(ROWS, safe_mode=False)
    return dialog


def cells(model, row):
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_what_failed_stands_first_with_its_reason(dialog):
    assert cells(dialog.model, 0) == ["acme (acme-kernels)", "0.3", "failed", "nothing", "", BROKEN.reason]
    assert cells(dialog.model, 1)[:4] == [
        "half (half-kernels)",
        "1.2",
        "partly loaded",
        "2 operators, 1 reader",
    ]
    assert cells(dialog.model, 3) == ["gemm (rooflinestudio)", "0.1.0", "loaded", "1 operator", "12 ms", ""]


def test_the_selected_plugin_is_told_in_full(dialog):
    assert dialog.details.toPlainText() == reason_text(BROKEN)

    dialog.table.selectRow(1)

    text = dialog.details.toPlainText()
    assert "It took 1.2 s to import." in text
    assert "Operators: half.a, half.b" in text


def test_the_summary_counts(dialog):
    assert dialog.summary.text().startswith("4 plugins, 3 of them not the studio's own. 2 failed")


def test_a_safe_start_says_so_and_offers_no_other_one(dialog):
    dialog.set_plugins((GEMM,), safe_mode=True)

    assert "safe start" in dialog.summary.text()
    assert dialog.safe.isHidden()


def test_restarting_safely_is_asked_for(dialog, qtbot):
    with qtbot.waitSignal(dialog.safeModeRequested):
        dialog.safe.click()


def test_the_users_own_files_are_allowed_one_by_one(dialog, qtbot, tmp_path):
    dialog.set_user_plugins((("mine.py", False, "Not allowed yet."), ("ours.py", True, "")), tmp_path)
    dialog.show()
    assert not dialog.box("mine.py").isChecked()
    assert dialog.box("ours.py").isChecked()

    with qtbot.waitSignal(dialog.allowRequested) as allowed:
        qtbot.keyClick(dialog.box("mine.py"), Qt.Key.Key_Space)

    assert allowed.args == ["mine.py", True]


def test_escape_closes(dialog, qtbot):
    dialog.show()

    qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    assert not dialog.isVisible()


def test_what_a_plugin_brings_in_words():
    assert brings_text(GEMM) == "1 operator"
    assert brings_text(BROKEN) == "nothing"
    assert brings_text(PluginRow("p", "p", "1", "loaded", profiles=("a", "b"))) == "2 machines"


def test_the_table_keeps_the_contract_of_qt(qapp, qtmodeltester):
    model = PluginTable(ROWS)
    qtmodeltester.check(model)


# The dialog at work, with a real host -------------------------------------------------------------------------------

OWN = """
from rooflinestudio.plugins import Estimate, OperatorBase, Parameter, Tensor, dtype, hookimpl

class Mine(OperatorBase):
    id = "mine.copy"
    label = "My copy"
    category = "Mine"
    summary = "Copies."
    parameters = (Parameter("n", "n", 1000),)

    def estimate(self, parameters, dtypes):
        return Estimate({}, "fp32", (Tensor("x", parameters["n"], dtypes["activation"], reads=1, writes=1),))

@hookimpl
def rooflinestudio_operators():
    return [Mine()]
"""


def host_with(files, *entries):
    """A host with the studio's own plugins, some others, and the user's files; everything is loaded."""
    own = [one for one in installed_entries() if not one.foreign]
    host = PluginHost([*own, *entries], disabled=Disabled(""), user_plugins=files)
    host.load_foreign()
    return host


def broken():
    raise ImportError("no module named 'flash'")


@pytest.fixture
def inside(qapp, qtbot, tmp_path):
    window = MainWindow(SettingsStore(tmp_path / "settings.json"), "light")
    inside = Furnishing(Frame(window, ThemeSwitch(LIGHT, window)), Session(NoPlugins()), asker=Answers())
    yield inside
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def files(tmp_path):
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "mine.py").write_text(OWN)
    return UserPlugins(tmp_path / "plugins", tmp_path / "allowed.json")


def test_a_failed_plugin_is_a_badge_and_a_row_with_its_reason(inside, files, qtbot):
    host = host_with(files, PluginEntry("acme", "acme-kernels", "0.3", broken))

    inside.show_plugins(host)
    badge = inside.frame.status.plugins
    assert (badge.isHidden(), badge.text()) == (False, "1 plugin failed: acme-kernels 0.3")
    with qtbot.waitSignal(inside.window.pluginsRequested):
        badge.click()

    dialog = inside.open_plugin_dialog(host, files)
    rows = {cells(dialog.model, row)[0]: cells(dialog.model, row) for row in range(dialog.model.rowCount())}
    acme = rows["acme (acme-kernels)"]
    assert acme[2] == "failed"
    assert "no module named 'flash'" in acme[5]
    dialog.close()


def test_a_file_of_the_users_runs_when_it_is_allowed_and_not_before(inside, files, qtbot):
    host = host_with(files)
    inside.show_plugins(host)
    dialog = inside.open_plugin_dialog(host, files)
    assert "mine.copy" not in [one.id for one in inside.wiring.operators]

    dialog.box("mine.py").click()
    assert "mine.copy" in [one.id for one in inside.wiring.operators]
    assert dialog.box("mine.py").isChecked()

    dialog.box("mine.py").click()
    assert [one.permission for one in files.files()] == ["new"]
    assert "mine.py is off from the next start on" in [one.title for one in inside.notices.notices]
    dialog.close()


def test_a_file_that_changed_must_be_allowed_again(inside, files):
    (file,) = files.files()
    files.allow(file)
    (files.folder / "mine.py").write_text(OWN + "# more\n")
    host = host_with(files)

    dialog = inside.open_plugin_dialog(host, files)

    assert not dialog.box("mine.py").isChecked()
    assert dialog.box("mine.py").text() == "mine.py: changed since it was allowed"
    dialog.close()

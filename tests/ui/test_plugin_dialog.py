from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rooflinestudio.plugins.rows import PluginRow
from rooflinestudio.ui.plugin_dialog import PluginDialog, PluginTable, brings_text, reason_text

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

"""The dialog of a custom kernel: typed at the left, seen at the right, and given away as a document."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QLineEdit, QPlainTextEdit

from rooflinestudio.core.custom.kernels import kernel_to_document, load_kernel
from rooflinestudio.core.quantities import format_quantity
from rooflinestudio.core.study import View
from rooflinestudio.ui.custom_kernel.dialog import STARTER, KernelDialog
from rooflinestudio.ui.theme import DARK, LIGHT, apply_theme
from tests.core.custom_kernel_texts import AXPY, GATHER, MATMUL, TEXTS
from tests.core.profiles import H100, TINY, without


@pytest.fixture
def dialog(qtbot):
    made = KernelDialog()
    qtbot.addWidget(made)
    made.set_machine(H100, View(policy="compulsory"))
    made.show()
    return made


def load(dialog, text):
    made = kernel_to_document(load_kernel(text))
    dialog.set_document(made)
    return made


def type_into(qtbot, cell, text):
    """Replace what stands in an entry, key by key."""
    cell.setFocus()
    cell.selectAll()
    qtbot.keyClick(cell, Qt.Key.Key_Delete)
    qtbot.keyClicks(cell, text)


def settle(qtbot, dialog):
    """Wait until what was typed has been looked at."""
    qtbot.waitUntil(lambda: not dialog._timer.isActive(), timeout=20_000)


# ------------------------------------------------------------------------------------- document and form


def test_a_document_that_is_shown_is_given_back_key_for_key(dialog):
    for text in TEXTS.values():
        made = load(dialog, text)

        assert dialog.document() == made


def test_the_form_holds_the_whole_document(dialog):
    for text in TEXTS.values():
        made = load(dialog, text)
        dialog.form.set_document(made, whole=False)  # so that it is built from the entries

        assert dialog.document() == with_defaults(made)


def with_defaults(made):
    """The form writes the role of a tensor out."""
    tensors = [{"role": "input", **one} for one in made.get("tensors", [])]
    return {**made, **({"tensors": tensors} if tensors else {})}


def test_every_entry_shows_its_value(dialog):
    load(dialog, MATMUL)
    form = dialog.form

    assert form.about.cell("id").text() == "acme.matmul"
    assert [row.cell("name").text() for row in form.parameters.rows] == ["m", "n", "k", "tile"]
    assert form.parameters.rows[3].cell("high").text() == "1024"
    assert [row.cell("role").text() for row in form.formats.rows] == ["activation", "weight", "output"]
    assert [row.cell("pipe").value() for row in form.work.rows] == ["compute", "special"]
    assert form.tensors.rows[1].cell("elements").text() == "k * n"
    assert [row.cell("boundary").value() for row in form.blocked.rows] == ["dram_tiled", "shared"]
    assert form.launch.cell("footprint_bytes").text() == "1000000000.0"


def test_plain_bytes_switch_the_form_over(dialog):
    load(dialog, GATHER)

    assert dialog.form.mode.value() == "bytes"
    assert not dialog.form.tensors.isVisible()
    assert dialog.form.least.isVisible()
    assert dialog.form.parameters.rows[4].cell("choices").text() == "row, column"
    assert dialog.form.parameters.rows[3].cell("default").text() == "true"


def test_a_new_kernel_can_be_placed_at_once(dialog):
    assert dialog.document() == STARTER
    assert dialog.use_button.isEnabled()
    assert dialog.preview.row.state == "placed"


# --------------------------------------------------------------------------------- typing, and what follows


def test_a_formula_that_is_typed_moves_the_preview(dialog, qtbot):
    load(dialog, AXPY)
    before = dialog.preview.result.work.value()

    type_into(qtbot, dialog.form.work.rows[0].cell("formula"), "7 * n")
    settle(qtbot, dialog)

    assert before == "2.000 kFLOP"
    assert dialog.preview.result.work.value() == "7.000 kFLOP"
    assert dialog.document()["work"] == {"vector": "7 * n"}


def test_the_preview_says_traffic_time_and_bound(dialog):
    load(dialog, AXPY.replace("1000,", "1000000000,"))
    result = dialog.preview.result

    assert result.traffic.value() == format_quantity(12e9, "B", digits=4)
    assert result.intensity.value() == "0.167 FLOP/byte"
    assert result.readouts.readouts[0].words == "time 3.582 ms"
    assert result.chip.kind() == "memory"


def test_the_preview_follows_the_machine(dialog):
    load(dialog, AXPY)

    dialog.set_machine(TINY, View(policy="compulsory"))

    assert dialog.preview.row.machine == "tiny"
    assert dialog.preview.row.placement.time_s == 1200


def test_a_policy_chosen_in_the_preview_is_taken(dialog):
    load(dialog, MATMUL)

    dialog.preview.result.policies.rowChosen.emit(1)

    assert dialog.preview.row.settings.policy == "tiled"


def test_a_machine_that_cannot_run_it_is_named(dialog):
    load(dialog, MATMUL)

    dialog.set_machine(without(TINY, ceilings=("bf16-tensor",)), View())

    assert dialog.preview.row is None
    assert "bf16" in dialog.preview.reason.text()


def test_without_a_machine_the_preview_asks_for_one(qtbot):
    dialog = KernelDialog()
    qtbot.addWidget(dialog)

    assert "Choose a machine" in dialog.preview.reason.text()
    assert dialog.use_button.isEnabled()


def test_a_kernel_whose_figures_are_impossible_says_so_in_the_preview(dialog, qtbot):
    load(dialog, AXPY)

    type_into(qtbot, dialog.form.work.rows[0].cell("formula"), "n - 5000")
    settle(qtbot, dialog)

    assert "'n - 5000' is -4000 for n = 1000" in dialog.preview.reason.text()


# ------------------------------------------------------------------------------------------------- faults


def test_a_wrong_formula_is_marked_where_it_stands_and_mended(dialog, qtbot):
    load(dialog, AXPY)
    row = dialog.form.work.rows[0]

    type_into(qtbot, row.cell("formula"), "2 * q")
    settle(qtbot, dialog)

    assert row.cell("formula").property("state") == "error"
    assert "At character 5 it names 'q', which is no parameter. There are n." in row.message.text()
    assert row.message.isVisible()
    assert not dialog.use_button.isEnabled()
    assert not dialog.save_button.isEnabled()
    assert not dialog.preview.result.isVisible()

    type_into(qtbot, row.cell("formula"), "2 * n")
    settle(qtbot, dialog)

    assert not row.message.isVisible()
    assert row.cell("formula").property("state") == ""
    assert dialog.use_button.isEnabled()
    assert dialog.preview.result.isVisible()


FAULTS = {
    "id": (lambda form: form.about.cell("id"), "axpy", lambda form: form.about.reason("id"), "my.axpy"),
    "name": (lambda form: form.about.cell("label"), "", lambda form: form.about.reason("label"), "Missing"),
    "range": (
        lambda form: form.parameters.rows[0].cell("low"), "2000",
        lambda form: form.parameters.rows[0].message.text(), "default is 1000, outside its range",
    ),
    "role": (
        lambda form: form.tensors.rows[1].cell("dtype"), "outptu",
        lambda form: form.tensors.rows[1].message.text(), "Did you mean output?",
    ),
    "size": (
        lambda form: form.tensors.rows[0].cell("elements"), "2n",
        lambda form: form.tensors.rows[0].message.text(), "Write the product out",
    ),
    "launch": (
        lambda form: form.launch.cell("blocks"), "open(1)",
        lambda form: form.launch.reason("blocks"), "no function",
    ),
    "footprint": (
        lambda form: form.launch.cell("footprint_bytes"), "n ^ 2",
        lambda form: form.launch.reason("footprint_bytes"), "**",
    ),
}  # fmt: skip


def test_each_fault_stands_below_its_own_entry(dialog):
    for cell, text, reason, words in FAULTS.values():
        load(dialog, AXPY)

        cell(dialog.form).type_text(text)
        dialog.check()

        assert words in reason(dialog.form)
        assert len(dialog.faults) == 1
        marked = [one for one in dialog.form.findChildren(QLineEdit) if one.property("state") == "error"]
        beside = dialog.form.parameters.rows[0].cell(
            "default"
        )  # a range that is too narrow is told at the default
        assert marked == [beside if words.startswith("default") else cell(dialog.form)]


def test_all_faults_are_shown_at_once_and_counted(dialog, qtbot):
    load(dialog, AXPY)

    type_into(qtbot, dialog.form.about.cell("id"), "x")
    type_into(qtbot, dialog.form.work.rows[0].cell("formula"), "q")
    settle(qtbot, dialog)

    assert dialog.form.about.reason("id")
    assert dialog.form.work.rows[0].message.text()
    assert dialog.preview.reason.accessibleName().startswith("2 things to mend")


def test_an_id_that_is_taken_is_refused(dialog):
    load(dialog, AXPY)

    dialog.set_taken({"my.axpy": "the plugin acme-ops"})

    assert "which the plugin acme-ops has already" in dialog.form.about.reason("id")
    assert not dialog.use_button.isEnabled()


def test_the_same_pipe_twice_is_refused(dialog):
    load(dialog, AXPY)
    dialog.form.work.add.click()
    dialog.form.work.rows[1].cell("formula").type_text("3 * n")

    dialog.check()

    assert "given twice" in dialog.form.work.rows[0].message.text()
    assert not dialog.use_button.isEnabled()


# ------------------------------------------------------------------------------------------------- rows


def test_a_parameter_is_added_and_used(dialog, qtbot):
    load(dialog, AXPY)
    qtbot.mouseClick(dialog.form.parameters.add, Qt.MouseButton.LeftButton)
    row = dialog.form.parameters.rows[1]

    type_into(qtbot, row.cell("name"), "repeats")
    type_into(qtbot, row.cell("default"), "3")
    type_into(qtbot, dialog.form.work.rows[0].cell("formula"), "2 * n * repeats")
    settle(qtbot, dialog)

    assert dialog.document()["parameters"][1] == {"name": "repeats", "default": 3}
    assert dialog.preview.result.work.value() == "6.000 kFLOP"


def test_a_row_is_removed(dialog, qtbot):
    load(dialog, AXPY)

    qtbot.mouseClick(dialog.form.tensors.rows[0].remove, Qt.MouseButton.LeftButton)
    settle(qtbot, dialog)

    assert [one["name"] for one in dialog.document()["tensors"]] == ["y"]
    assert dialog.preview.result.traffic.value() == "8.000 kB"


def test_bytes_take_the_place_of_tensors(dialog, qtbot):
    load(dialog, AXPY)

    qtbot.mouseClick(dialog.form.mode.button("bytes"), Qt.MouseButton.LeftButton)
    type_into(qtbot, dialog.form.least.cell("read_bytes"), "8 * n")
    settle(qtbot, dialog)

    document = dialog.document()
    assert "tensors" not in document
    assert document["traffic"] == {"dram": {"read_bytes": "8 * n"}}
    assert dialog.preview.result.traffic.value() == "8.000 kB"

    qtbot.mouseClick(dialog.form.mode.button("tensors"), Qt.MouseButton.LeftButton)
    settle(qtbot, dialog)

    assert dialog.document() == kernel_to_document(load_kernel(AXPY))  # they were not forgotten


def test_a_pinned_format_is_switched_on(dialog, qtbot):
    load(dialog, AXPY)

    qtbot.keyClick(dialog.form.formats.rows[1].cell("pinned").box, Qt.Key.Key_Space)
    settle(qtbot, dialog)

    assert dialog.document()["pinned"] == ["output"]


def test_notes_stand_one_a_line(dialog, qtbot):
    load(dialog, AXPY)

    dialog.form.notes.setPlainText("First.\n\nSecond.")
    settle(qtbot, dialog)

    assert dialog.document()["notes"] == ["First.", "Second."]


# ----------------------------------------------------------------------------------------- what comes of it


def test_use_in_this_study_gives_the_document_away_and_closes(dialog, qtbot):
    made = load(dialog, AXPY)

    with qtbot.waitSignal(dialog.kernelAccepted) as accepted:
        qtbot.mouseClick(dialog.use_button, Qt.MouseButton.LeftButton)

    assert accepted.args == [made, False]
    assert not dialog.isVisible()


def test_save_to_my_kernels_says_that_it_is_for_the_folder(dialog, qtbot):
    made = load(dialog, AXPY)

    with qtbot.waitSignal(dialog.kernelAccepted) as accepted:
        qtbot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)

    assert accepted.args == [made, True]


def test_what_was_typed_a_moment_ago_counts(dialog, qtbot):
    load(dialog, AXPY)
    type_into(qtbot, dialog.form.work.rows[0].cell("formula"), "9 * n")

    with qtbot.waitSignal(dialog.kernelAccepted) as accepted:
        dialog.use_button.click()

    assert accepted.args[0]["work"] == {"vector": "9 * n"}


def test_a_fault_that_was_typed_a_moment_ago_keeps_the_dialog_open(dialog, qtbot):
    load(dialog, AXPY)
    type_into(qtbot, dialog.form.work.rows[0].cell("formula"), "9 * q")

    with qtbot.assertNotEmitted(dialog.kernelAccepted):
        dialog.use_button.click()

    assert dialog.isVisible()


def test_enter_in_an_entry_does_not_end_the_dialog(dialog, qtbot):
    with qtbot.assertNotEmitted(dialog.kernelAccepted):
        qtbot.keyClick(dialog.form.about.cell("id"), Qt.Key.Key_Return)

    assert dialog.isVisible()


def test_escape_closes_without_a_word(dialog, qtbot):
    with qtbot.assertNotEmitted(dialog.kernelAccepted):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    assert not dialog.isVisible()


# ------------------------------------------------------------------------------------------------- files


def test_a_kernel_goes_out_and_comes_in_again(dialog, qtbot, tmp_path, monkeypatch):
    made = load(dialog, MATMUL)
    path = tmp_path / "out.yaml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    dialog.set_document(STARTER)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))

    qtbot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)

    assert kernel_to_document(load_kernel(path)) == made
    assert dialog.document() == made
    assert not dialog.banner.isVisible()


def test_a_file_with_faults_is_shown_with_them(dialog, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(AXPY.replace("2 * n", "2 * q") + "lunch: 3\n")

    dialog.import_file(path)

    assert dialog.banner.isVisible()
    assert "bad.yaml has 2 faults" in dialog.banner.accessibleName()
    assert "lunch" in dialog.banner.text()
    assert "names 'q'" in dialog.form.work.rows[0].message.text()
    assert dialog.form.about.cell("label").text() == "AXPY"


def test_a_file_that_is_no_kernel_leaves_a_reason(dialog, tmp_path):
    path = tmp_path / "odd.yaml"
    contents = (b"", b"[1, 2", b"\xff\xfe", b"- a\n- b\n", b"parameters: 3\ntensors: x\nwork: [1]\n")
    for content in contents:
        path.write_bytes(content)

        dialog.import_file(path)

        assert dialog.banner.isVisible()
        assert "odd.yaml" in dialog.banner.accessibleName()


def test_a_file_that_cannot_be_written_is_told(dialog, tmp_path):
    dialog.export_file(tmp_path / "nowhere" / "x.yaml")

    assert "x.yaml" in dialog.banner.text()


def test_a_good_import_takes_the_reason_away(dialog, tmp_path):
    (tmp_path / "bad.yaml").write_text("x")
    (tmp_path / "good.yaml").write_text(AXPY)
    dialog.import_file(tmp_path / "bad.yaml")

    dialog.import_file(tmp_path / "good.yaml")

    assert not dialog.banner.isVisible()


# -------------------------------------------------------------------------------------------------- looks


def test_every_entry_has_a_name_for_those_who_do_not_see_it(dialog):
    load(dialog, MATMUL)

    entries = [
        one
        for kind in (QLineEdit, QComboBox, QCheckBox, QPlainTextEdit)
        for one in dialog.form.findChildren(kind)
    ]
    assert len(entries) > 40
    assert [one for one in entries if not one.accessibleName()] == []


def test_nothing_is_cut_off_at_the_side_when_the_dialog_is_narrow(dialog, qtbot):
    load(dialog, MATMUL)
    dialog.resize(860, 600)

    qtbot.waitUntil(lambda: dialog.width() == 860)

    area = dialog.form.parentWidget()
    assert dialog.form.width() <= area.width()
    assert dialog.preview.widget().width() <= dialog.preview.viewport().width()


def test_a_change_of_theme_is_taken(dialog, qapp):
    try:
        apply_theme(qapp, DARK)
        dialog.refresh_theme()
        dark = dialog.grab().toImage().pixelColor(4, 4)
    finally:
        apply_theme(qapp, LIGHT)

    assert dark == DARK.qcolor("surface")

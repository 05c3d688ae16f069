"""Kernels without code on the command line: from a file, and from the user's folder."""

from __future__ import annotations

import json

import pytest

from rooflinestudio.cli import catalog, main
from rooflinestudio.ui.settings import kernels_folder
from tests.core.custom_kernel_texts import AXPY, MATMUL


@pytest.fixture(autouse=True)
def _fresh_catalog():
    catalog.source.cache_clear()
    yield
    catalog.source.cache_clear()


@pytest.fixture
def folder():
    made = kernels_folder()
    made.mkdir(parents=True)
    (made / "axpy.yaml").write_text(AXPY)
    return made


def answer(capsys, *arguments):
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_kernel_file_is_evaluated(tmp_path, capsys):
    path = tmp_path / "axpy.yaml"
    path.write_text(AXPY)

    code, out, _ = answer(capsys, "eval", str(path), "n=1e9", "--on", "h100-sxm5", "--explain", "--json")

    document = json.loads(out)
    assert code == 0
    assert document["operator"] == "my.axpy"
    assert document["work_flop"] == 2e9
    assert document["traffic_bytes"] == 12e9
    assert document["formulas"][0] == {
        "figure": "work", "symbols": "W = 2·n", "values": "2·1000000000", "source": "BLAS level 1"
    }  # fmt: skip


def test_a_broken_file_ends_with_its_faults(tmp_path, capsys):
    path = tmp_path / "axpy.yaml"
    path.write_text(AXPY.replace("2 * n", "2 * q").replace("label: AXPY", ""))

    code, out, err = answer(capsys, "eval", str(path), "--on", "h100-sxm5")

    assert (code, out) == (2, "")
    assert "axpy.yaml has 2 faults" in err
    assert "line 9: work.vector" in err


def test_a_file_that_is_not_there_is_told(capsys):
    code, _, err = answer(capsys, "eval", "nowhere.yaml", "--on", "h100-sxm5")

    assert code == 2
    assert "nowhere.yaml cannot be read" in err


def test_a_kernel_of_the_users_folder_goes_by_its_id(folder, capsys):
    code, out, _ = answer(capsys, "eval", "my.axpy", "n=1e9", "--on", "h100-sxm5", "--json")

    assert code == 0
    assert json.loads(out)["traffic_bytes"] == 12e9


def test_a_batch_may_name_files_and_kernels(folder, tmp_path, capsys):
    (tmp_path / "matmul.yaml").write_text(MATMUL)
    batch = tmp_path / "cases.yaml"
    batch.write_text(
        f"- {{operator: '{tmp_path / 'matmul.yaml'}', hardware: h100-sxm5}}\n"
        "- {operator: my.axpy, parameters: {n: 10}, hardware: h100-sxm5}\n"
        "- {operator: my.nothing, hardware: h100-sxm5}\n"
    )

    _, out, _ = answer(capsys, "eval", "--batch", str(batch), "--json")

    first, second, third = json.loads(out)
    assert first["work_flop"] == 2 * 4096**3
    assert second["traffic_bytes"] == 120
    assert "my.nothing" in third["error"]


def test_the_list_of_operators_has_the_users_kernels(folder, capsys):
    (folder / "broken.yaml").write_text("format: 3")

    code, out, err = answer(capsys, "operators")

    assert code == 0
    assert "Custom kernels\n  my.axpy" in out
    assert "kernel broken.yaml is not used" in err


def test_the_list_says_whose_a_kernel_is(folder, capsys):
    _, out, _ = answer(capsys, "operators", "--json")

    (kernel,) = (one for one in json.loads(out) if one["id"] == "my.axpy")
    assert kernel["plugin"] == "your kernels"
    assert kernel["parameters"][0]["help"] == "Elements of x and of y."


def test_each_category_stands_once(folder, capsys):
    (folder / "matmul.yaml").write_text(MATMUL.replace("category: Acme", "category: Matrix products"))

    _, out, _ = answer(capsys, "operators")

    heads = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert len(heads) == len(set(heads))


def test_a_study_is_drawn_with_its_own_kernels(tmp_path, capsys):
    from rooflinestudio.core.custom.kernels import load_kernel, with_kernel
    from rooflinestudio.core.study import Entry, Study, View
    from rooflinestudio.core.study_files import save_study

    machine = catalog.find_machine("nvidia-h100-sxm5")
    study = Study(
        entries=(Entry("axpy-1", "my.axpy", parameters={"n": 1e9}, label="Sum of two"),),
        profiles={machine.id: machine},
        view=View(machines=(machine.id,)),
    )
    save_study(with_kernel(study, load_kernel(AXPY)), tmp_path / "a.study")

    code, _, err = answer(capsys, "render", str(tmp_path / "a.study"), "--out", str(tmp_path / "a.csv"))

    assert (code, err) == (0, "")
    assert "Sum of two" in (tmp_path / "a.csv").read_text()


def test_the_users_kernels_can_be_swept_and_fused(folder, tmp_path, capsys):
    code, out, err = answer(capsys, "sweep", "my.axpy", "n=1e9:2e9:2", "--on", "h100-sxm5", "--json")
    assert code == 0, err
    assert json.loads(out)["points"]["traffic_bytes"] == [12e9, 24e9]

    code, out, err = answer(capsys, "fuse", "my.axpy | my.axpy", "n=1e9", "--on", "h100-sxm5", "--json")
    assert code == 0, err
    assert json.loads(out)["traffic_bytes"] == 24e9

    path = tmp_path / "mine.yaml"
    path.write_text(AXPY)
    assert answer(capsys, "sweep", str(path), "n=1e9:2e9:2", "--on", "h100-sxm5", "--csv")[0] == 0

"""The reference pages: every operator has one, and it says what the operator says."""

from __future__ import annotations

from pathlib import Path

import pytest

from rooflinestudio.plugins import reference
from tests.builtin.evaluating import OPERATORS

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "operators"
MEND = "run: .venv/bin/python -m rooflinestudio.plugins.reference docs/operators"


@pytest.mark.parametrize("name", sorted(reference.pages(OPERATORS.values())))
def test_the_page_is_there_and_up_to_date(name):
    path = FOLDER / name

    assert path.is_file(), f"{path} is missing; {MEND}"
    assert path.read_text(encoding="utf-8") == reference.pages(OPERATORS.values())[name], (
        f"{path} is stale; {MEND}"
    )


def test_there_is_no_page_of_an_operator_that_is_gone():
    assert {path.name for path in FOLDER.iterdir()} == set(reference.pages(OPERATORS.values()))


@pytest.mark.parametrize("id_", sorted(OPERATORS))
def test_a_page_names_every_parameter_format_and_formula(id_):
    operator = OPERATORS[id_]
    page = reference.operator_page(operator)

    assert page.splitlines()[3] == f"# {operator.label}"
    for parameter in operator.parameters:
        assert f"| `{parameter.name}` | {parameter.help} |" in page
    for role in operator.dtype_roles:
        assert f"| `{role}` |" in page
    assert "`W = " in page
    assert f"rooflinestudio eval {id_} " in page


def test_a_page_names_the_tensors_that_can_be_set_by_name():
    page = reference.operator_page(OPERATORS["gemm"])

    assert 'Tensors that can be set by name, as in `--dtype "bf16,A=fp8"`: `A`, `B`, `C`.' in page
    assert "set by name" not in reference.operator_page(OPERATORS["elementwise"])


def test_what_a_choice_changes_stands_under_its_name():
    page = reference.operator_page(OPERATORS["attention"])

    _, naive = page.split("## With implementation=naive")
    assert "+ 4·s_Q·pairs`" in naive.split("##")[0]
    assert "## With implementation=flash" not in page


def test_writing_pages_removes_those_that_nobody_needs(tmp_path):
    (tmp_path / "gone.md").write_text("old")

    names = reference.write_pages([OPERATORS["gemm"]], tmp_path / "new")
    reference.write_pages([OPERATORS["gemm"]], tmp_path)

    assert sorted(names) == sorted(path.name for path in tmp_path.glob("*.md")) == ["README.md", "gemm.md"]
    assert "[GEMM](gemm.md)" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_the_command_writes_the_pages_of_the_built_in_operators(tmp_path, capsys):
    assert reference.main([str(tmp_path)]) == 0

    assert {path.stem for path in tmp_path.iterdir()} == {*OPERATORS, "README"}
    assert f"{len(OPERATORS) + 1} pages" in capsys.readouterr().out


def test_the_command_says_how_it_is_used(capsys):
    assert reference.main([]) == 2
    assert "FOLDER" in capsys.readouterr().err

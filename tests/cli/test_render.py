from __future__ import annotations

import csv
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from rooflinestudio.cli import main
from rooflinestudio.core.study import Entry, Study
from rooflinestudio.core.study_files import save_study
from tests.support import machine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def study(tmp_path: Path) -> Path:
    entry = Entry("gemm-1", "gemm", parameters={"m": 1024}, label="Product")
    path = tmp_path / "mine.study"
    save_study(Study(entries=(entry,)).with_profile(machine()), path)
    return path


def test_a_folder_gets_picture_and_table_of_the_study(qapp, study: Path, tmp_path: Path, capsys) -> None:
    assert main(["render", str(study), "--out", f"{tmp_path}/out/"]) == 0
    assert (tmp_path / "out/mine.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "out/mine.csv").open(encoding="utf-8-sig", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert "Product" in row.values()
    assert capsys.readouterr().out.split() == [str(tmp_path / "out/mine.png"), str(tmp_path / "out/mine.csv")]


@pytest.mark.parametrize(("name", "head"), [("a.svg", b"<?xml"), ("a.pdf", b"%PDF"), ("a.md", b"|")])
def test_the_ending_chooses_the_format(qapp, study: Path, tmp_path: Path, name: str, head: bytes) -> None:
    assert (
        main(["render", str(study), "--out", str(tmp_path / name), "--theme", "dark", "--select", "gemm-1"])
        == 0
    )
    assert (tmp_path / name).read_bytes().lstrip(b"\xef\xbb\xbf").startswith(head)


def test_a_row_that_cannot_be_placed_is_told_and_makes_exit_code_one(qapp, tmp_path: Path, capsys) -> None:
    save_study(Study(entries=(Entry("x", "acme.gone"),)).with_profile(machine()), tmp_path / "x.study")
    assert main(["render", str(tmp_path / "x.study"), "--out", str(tmp_path / "x.csv")]) == 1
    assert "acme.gone" in capsys.readouterr().err and (tmp_path / "x.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "x.png"], "needs a study file, or --example"),
        (["{study}", "--example", "--out", "x.png"], "needs a study file, or --example"),
        (["gone.study", "--out", "x.png"], "gone.study cannot be read"),
        (["{study}", "--out", "nowhere/x.png"], "there is no folder nowhere"),
        (["{study}", "--out", "x.gif"], ".png, .svg, .pdf"),
        (["{study}", "--out", "x.png", "--select", "nobody"], "no entry 'nobody'"),
    ],
)
def test_bad_input_is_said_in_words_and_nothing_is_written(
    qapp, study: Path, tmp_path: Path, monkeypatch, capsys, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["render", *(text.format(study=study) for text in arguments)]) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.glob("x.*"))


def test_the_example_renders_in_a_process_of_its_own_without_a_screen(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rooflinestudio", "render", "--example", "--out", f"{tmp_path}/out/"],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with (tmp_path / "out/example.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) >= 9
    assert (tmp_path / "out/example.png").stat().st_size > 50_000

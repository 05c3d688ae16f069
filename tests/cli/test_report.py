from __future__ import annotations

import csv
import json
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

# 2 · 4096³ FLOP, and three matrices of 4096² in bf16 at 2 TB/s and 1 PFLOP/s: 137.4 GFLOP, 100.7 MB, 137.4 µs.
WORK, TRAFFIC, TIME_S = 2 * 4096**3, 3 * 4096**2 * 2, 2 * 4096**3 / 1e15


@pytest.fixture
def study(tmp_path: Path) -> Path:
    entry = Entry("gemm-1", "gemm", parameters={"m": 4096}, label="Product", policy="compulsory")
    path = tmp_path / "mine.study"
    save_study(Study(entries=(entry,), notes="Measured on Monday").with_profile(machine()), path)
    return path


def run(*arguments: object) -> int:
    return main(["report", *map(str, arguments)])


def test_one_call_writes_all_forms_and_names_every_file(qapp, study: Path, tmp_path: Path, capsys) -> None:
    wanted = [tmp_path / f"out.{ending}" for ending in ("html", "md", "pdf", "json", "csv")]
    assert run(study, "--out", *wanted) == 0
    written = capsys.readouterr().out.splitlines()
    assert written == [
        *map(str, wanted[:2]), str(tmp_path / "out-roofline.svg"), *map(str, wanted[2:]),
    ]  # fmt: skip
    html = wanted[0].read_text(encoding="utf-8")
    assert (
        html.count("<svg") == 2
        and "137.4 GFLOP" in html
        and "137.4 µs" in html
        and "Measured on Monday" in html
    )
    assert "| 137.4 GFLOP | 100.7 MB |" in wanted[1].read_text(encoding="utf-8")
    assert "<out-roofline.svg>" in wanted[1].read_text(encoding="utf-8")
    assert wanted[2].read_bytes().startswith(b"%PDF")
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".")]


def test_the_data_can_be_plotted_again(study: Path, tmp_path: Path) -> None:
    assert run(study, "--out", tmp_path / "a.json", "--out", tmp_path / "a.csv") == 0
    (point,) = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["placements"]
    assert (point["work_flop"], point["traffic_bytes"]) == (WORK, TRAFFIC)
    assert point["time_s"] == pytest.approx(TIME_S)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as stream:
        assert {"ceiling", "boundary", "placement"} == {row["kind"] for row in csv.DictReader(stream)}


def test_title_theme_and_the_selected_entry_can_be_chosen(qapp, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.md"
    assert run(study, "--title", "Layer 7", "--theme", "dark", "--select", "gemm-1", "--out", out) == 0
    assert out.read_text(encoding="utf-8").startswith("# Layer 7\n")
    assert "#181b20" in (tmp_path / "a-roofline.svg").read_text(encoding="utf-8")


def test_rows_without_figures_are_told_and_the_report_is_done_all_the_same(
    qapp, tmp_path: Path, capsys
) -> None:
    save_study(Study(entries=(Entry("x", "acme.gone"),)).with_profile(machine()), tmp_path / "x.study")
    assert run(tmp_path / "x.study", "--out", tmp_path / "x.html") == 0
    assert "acme.gone" in capsys.readouterr().err
    assert "acme.gone" in (tmp_path / "x.html").read_text(encoding="utf-8")


def test_an_empty_study_can_be_reported_in_every_form(qapp, tmp_path: Path) -> None:
    save_study(Study(), tmp_path / "x.study")
    endings = ("html", "md", "pdf", "json", "csv")
    assert run(tmp_path / "x.study", "--out", *(tmp_path / f"x.{one}" for one in endings)) == 0
    assert all((tmp_path / f"x.{one}").stat().st_size > 100 for one in endings)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone.study", "--out", "x.html"], "gone.study cannot be read"),
        (["broken.study", "--out", "x.html"], "is no study"),
        (["{study}", "--out", "x.docx"], "a report ends in .html, .md, .pdf, .json, .csv"),
        (["{study}", "--out", "x.html", "y"], "not in nothing"),
        (["{study}", "--out", "nowhere/x.html"], "there is no folder nowhere"),
        (["{study}", "--out", "folder.html"], "is a folder"),
        (["{study}", "--out", "x.html", "--select", "nobody"], "no entry 'nobody'; it has gemm-1"),
    ],
)
def test_bad_input_is_said_in_words_and_nothing_is_written(
    study: Path, tmp_path: Path, monkeypatch, capsys, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.study").write_text("- 1\n")
    (tmp_path / "folder.html").mkdir()
    before = sorted(tmp_path.iterdir())
    assert run(*(text.format(study=study) for text in arguments)) == 2
    assert words in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_that_cannot_be_written_to_is_said_before_anything_is_done(
    study: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.setattr("rooflinestudio.ui.reporting.files.os.access", lambda *_: False)
    assert run(study, "--out", tmp_path / "x.csv") == 2
    assert "cannot be written to. Choose another place." in capsys.readouterr().err


def test_without_out_it_is_a_wrong_call(study: Path) -> None:
    with pytest.raises(SystemExit) as error:
        run(study)
    assert error.value.code == 2


def test_what_was_there_stays_until_the_new_file_is_whole(
    study: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    out = tmp_path / "x.csv"
    out.write_text("old")

    def fails(*_) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rooflinestudio.ui.reporting.files.os.fsync", fails)
    assert run(study, "--out", out) == 2
    assert "No space left on device. Choose another place." in capsys.readouterr().err
    assert out.read_text() == "old" and not list(tmp_path.glob(".x*"))


def test_it_works_in_a_process_of_its_own_without_a_screen(study: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "rooflinestudio",
            "report",
            str(study),
            "--out",
            f"{tmp_path}/x.html",
            f"{tmp_path}/x.pdf",
        ],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "x.pdf").stat().st_size > 10_000

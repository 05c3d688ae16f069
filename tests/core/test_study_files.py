from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.errors import StudyFileError
from rooflinestudio.core.study import FORMAT, Chain, Entry, Pair, PluginRef, Study, View
from rooflinestudio.core.study_files import load_study, save_study, study_from_text, write_atomically
from tests.support import machine

if TYPE_CHECKING:
    from pathlib import Path

FULL = Study(
    entries=(
        Entry(
            "a", "copy", PluginRef("acme", "1.2"), {"elements": 4096, "flop": 0.1, "kind": "x", "on": True},
            {"all": "bf16"}, "tiled", 0.5, "fp32", 0.25, ("acme-one",), "l2", None, "Name: with × and µ", 3, "Group",
            False, {"later": [1, {"x": None}]},
        ),
        Entry("b", "copy", variant_of="a", slot="#ff8800"),
    ),
    chains=(Chain("c", ("add", "rmsnorm"), (1,), {"z": 1}),),
    pairs=(Pair("digest", "kernel<int, 4>", 2, "a"),),
    kernels={"mine": {"work": "2*n"}},
    view=View(("acme-one",), None, "compulsory", 0.25, 0.5, True, {"zoom": 2}),
    notes="two\nlines",
    unknown={"future": {"deep": [1, 2]}},
).with_profile(machine())  # fmt: skip


def save_and_load(study: Study, folder: Path) -> Study:
    save_study(study, folder / "x.study")
    return load_study(folder / "x.study")


def test_a_study_reads_back_as_it_was_written(tmp_path: Path) -> None:
    back = save_and_load(FULL, tmp_path)
    assert back.made_with.startswith("Roofline Studio ")
    assert back.entries == FULL.entries and back.chains == FULL.chains and back.pairs == FULL.pairs
    assert back.view == FULL.view and back.notes == FULL.notes and back.kernels == FULL.kernels
    assert back.profiles["acme-one"].content_hash == FULL.profiles["acme-one"].content_hash
    assert back.unknown == FULL.unknown


def test_saving_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    save_study(FULL, tmp_path / "a.study")
    save_study(load_study(tmp_path / "a.study"), tmp_path / "b.study")
    assert (tmp_path / "a.study").read_bytes() == (tmp_path / "b.study").read_bytes()


@given(
    st.lists(
        st.builds(
            Entry,
            id=st.uuids().map(str),
            operator=st.sampled_from(["copy", "acme.gone"]),
            parameters=st.dictionaries(
                st.text("abc", min_size=1),
                st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans(),
            ),
            label=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30),
            absorption=st.none() | st.floats(0, 1),
            slot=st.integers(0, 20),
        ),
        max_size=5,
        unique_by=lambda one: one.id,
    )
)
def test_any_entries_survive_the_file(tmp_path_factory: pytest.TempPathFactory, entries: list[Entry]) -> None:
    folder = tmp_path_factory.mktemp("study")
    assert save_and_load(Study(entries=tuple(entries)), folder).entries == tuple(entries)


def test_a_study_cut_anywhere_is_refused_with_the_files_name_or_is_whole(tmp_path: Path) -> None:
    save_study(FULL, tmp_path / "x.study")
    text = (tmp_path / "x.study").read_text(encoding="utf-8")
    refused = 0
    for at in range(0, len(text) - 1, 97):
        try:
            study_from_text(text[:at], name="x.study")
        except StudyFileError as error:
            assert "x.study" in str(error)
            refused += 1
    assert refused > 10


def test_every_wrong_value_is_named_at_once() -> None:
    text = f"""
format: {FORMAT}
view: {{absorption: 2, policy: guess}}
entries:
  - {{id: a, operator: gemm, visible: perhaps}}
  - {{id: "", operator: gemm}}
  - {{operator: gemm}}
"""
    with pytest.raises(StudyFileError) as caught:
        study_from_text(text, name="x.study")
    message = str(caught.value)
    for place in ("view.absorption", "view.policy", "entries.0.visible", "entries.1.id", "entries.2.id"):
        assert place in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- 1\n- 2\n", "no key 'format'"),
        ("just words", "no key 'format'"),
        ("format: rooflinestudio-study/9\n", "rooflinestudio-study/9"),
        (
            f"format: {FORMAT}\nentries: [{{id: a, operator: x}}, {{id: a, operator: y}}]\n",
            "'a' is used twice",
        ),
        (f"format: {FORMAT}\nprofiles: [{{id: broken}}]\n", "broken"),
        (f"format: {FORMAT}\nformat: {FORMAT}\n", "twice"),
    ],
)
def test_what_is_no_study_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(StudyFileError, match=words):
        study_from_text(text, name="x.study")


def test_a_binary_file_is_no_study(tmp_path: Path) -> None:
    (tmp_path / "x.study").write_bytes(b"\x7fELF\xff\xfe\x00")
    with pytest.raises(StudyFileError, match=r"x\.study is not text"):
        load_study(tmp_path / "x.study")


def test_a_missing_file_and_a_folder_that_is_not_there_are_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(StudyFileError, match=r"gone\.study cannot be read"):
        load_study(tmp_path / "gone.study")
    with pytest.raises(StudyFileError, match=r"x\.study cannot be written"):
        save_study(FULL, tmp_path / "nowhere" / "x.study")


def test_a_failed_save_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.study"
    save_study(FULL, file)
    before = file.read_bytes()

    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(StudyFileError, match="No space left"):
        save_study(Study(notes="new"), file)
    assert file.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["x.study"]


@pytest.mark.skipif(os.name != "posix", reason="modes and links are a matter of POSIX file systems")
def test_a_save_keeps_the_files_mode_and_writes_through_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.study", tmp_path / "link.study"
    write_atomically(real, "old")
    real.chmod(0o600)
    link.symlink_to(real)
    write_atomically(link, "new")
    assert link.is_symlink() and real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600

from dataclasses import replace

import pytest

from rooflinestudio.core.pairing.edits import (
    PairingError,
    found_pairs,
    pair_of,
    paired_entry_id,
    with_new,
    with_pair,
    with_pairs,
    without_overlay,
    without_pair,
    without_pairs,
)
from rooflinestudio.core.study import Pair
from rooflinestudio.core.study_files import load_study, save_study
from tests.core.pairing.desk import GEMM_NAME, ONE, add_kernel, file_of, product, study_with

KEY = GEMM_NAME.removeprefix("void ").removesuffix("(int)")


@pytest.fixture
def made():
    # launches as a reader numbers them after it has left some out
    return study_with(product(4), add_kernel(7))


def test_a_kernel_is_held_against_one_entry_by_name_and_launch(made):
    study = with_pair(made, ONE, 0, "gemm-1")
    assert study.pairs == (Pair(ONE, KEY, 4, "gemm-1"),)
    assert paired_entry_id(study, ONE, 0) == "gemm-1" and paired_entry_id(study, ONE, 1) == ""


def test_a_second_entry_takes_the_place_of_the_first(made):
    known = replace(with_pair(made, ONE, 0, "gemm-1"), pairs=(Pair(ONE, KEY, 4, "gemm-1", {"by": "hand"}),))
    study = with_pair(known, ONE, 0, "add-1")
    assert study.pairs == (Pair(ONE, KEY, 4, "add-1", {"by": "hand"}),)


def test_an_entry_may_have_several_kernels_and_they_go_one_by_one_or_together(made):
    study = with_pairs(made, [(ONE, 0), (ONE, 1)], "add-1")
    assert [one.launch for one in study.pairs] == [4, 7] and {one.entry for one in study.pairs} == {"add-1"}
    assert [one.launch for one in without_pair(study, ONE, 0).pairs] == [7]
    assert without_pairs(study, [(ONE, 0), (ONE, 1)]).pairs == ()


def test_what_changes_nothing_is_the_same_study(made):
    study = with_pair(made, ONE, 0, "gemm-1")
    assert with_pair(study, ONE, 0, "gemm-1") is study
    assert without_pair(study, ONE, 1) is study


@pytest.mark.parametrize(
    ("digest", "index", "entry", "words"),
    [
        ("f" * 64, 0, "gemm-1", "not in the study"),
        (ONE, 2, "gemm-1", "none at position 2"),
        (ONE, 0, "gone", "'gone'"),
    ],
)
def test_what_is_not_there_is_refused_in_words(made, digest, index, entry, words):
    with pytest.raises(PairingError, match=words):
        with_pair(made, digest, index, entry)


def test_a_new_entry_comes_with_its_pair(made):
    study, id_ = with_new(made, (ONE, 0), "gemm", {"m": 8, "n": 16, "k": 24}, label="GEMM")
    assert id_ == "gemm-2" and study.entry(id_).parameters == {"m": 8, "n": 16, "k": 24}
    assert study.entry(id_).slot == 3  # the next colour
    assert pair_of(study, ONE, 0) == Pair(ONE, KEY, 4, "gemm-2")


def test_pairs_go_with_their_file_and_with_their_entry_and_the_other_side_stays(made):
    study = with_pairs(made, [(ONE, 0), (ONE, 1)], "gemm-1")
    other = replace(study, overlays=(*study.overlays, file_of(product(), name="b.csv", digest="b" * 64)))
    other = with_pair(other, "b" * 64, 0, "gemm-1")
    left = without_overlay(other, ONE)
    assert [one.overlay for one in left.pairs] == ["b" * 64] and left.has_entry("gemm-1")
    gone = study.without(["gemm-1"])
    assert gone.pairs == () and len(gone.overlays) == 1


def test_a_pair_whose_file_is_missing_is_kept_but_not_told(made):
    study = replace(
        made,
        pairs=(Pair("f" * 64, "k", 0, "gemm-1"), Pair(ONE, KEY, 4, "gemm-1"), Pair(ONE, KEY, 99, "gemm-1")),
    )
    assert [(one.index, one.entry.id) for one in found_pairs(study)] == [(0, "gemm-1")]


def test_a_pair_survives_the_study_file(made, tmp_path):
    path = tmp_path / "a.roofline.yaml"
    save_study(with_pair(made, ONE, 1, "add-1"), path)
    back = load_study(path)
    ((found),) = found_pairs(back)
    assert (found.overlay.digest, found.index, found.entry.id) == (ONE, 1, "add-1")
    assert back.pairs == with_pair(made, ONE, 1, "add-1").pairs

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.measured.filter import FilterError, compiled_filter, names_matching
from rooflinestudio.core.measured.panel import (
    MeasuredPanel,
    colours_changed,
    hidden_changed,
    hidden_kernels,
    kernel_slots,
    measured_panel,
)
from rooflinestudio.core.measured.ranges import ranges_mask, ranges_text
from rooflinestudio.core.study import Study
from rooflinestudio.core.study_files import load_study, save_study
from tests.core.measured_files import A, B, file_of, study_of

# Sets of kernels as texts


def test_positions_are_written_as_ranges_with_both_ends():
    mask = np.array([1, 1, 1, 0, 1, 0, 0, 1, 1], dtype=bool)
    assert ranges_text(mask) == "0-2 4 7-8"
    assert ranges_mask("0-2 4 7-8", 9).tolist() == mask.tolist()


@given(st.lists(st.booleans(), max_size=60))
def test_a_set_comes_back_as_it_was(values):
    mask = np.array(values, dtype=bool)
    assert ranges_mask(ranges_text(mask), len(mask)).tolist() == values


@given(st.text(alphabet="0123456789- x,²", max_size=40), st.integers(0, 20))
def test_no_text_breaks_it(text, length):
    assert len(ranges_mask(text, length)) == length


def test_what_is_no_range_or_lies_outside_counts_for_nothing():
    assert ranges_mask("1 x 5-3 2-99 -4 7- 50 1", 4).tolist() == [False, True, True, True]


# The filter


def test_a_filter_is_found_anywhere_in_a_name_whatever_its_case():
    names = ("void Gemm_bf16", "flash_fwd", "gemm_fp8")
    assert names_matching("gemm.*(bf16|fp8)", names).tolist() == [True, False, True]
    assert names_matching("", names).all()
    assert names_matching("^g", names).tolist() == [False, False, True]


@pytest.mark.parametrize("pattern", ["gemm[", "(", "a{2,1}", "*", "(?P<x>", "x" * 301])
def test_what_is_no_filter_is_refused_with_words(pattern):
    with pytest.raises(FilterError) as caught:
        compiled_filter(pattern)
    assert len(str(caught.value)) > 15


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "((ab)*c)+", "(?:x+y?){2,}"])
def test_what_could_take_for_ever_is_refused(pattern):
    with pytest.raises(FilterError, match="for ever"):
        compiled_filter(pattern)


@pytest.mark.parametrize(
    "pattern", ["(gemm|flash)", "gemm.*tn", r"[(+|*]+", r"\(a+\)+", "(ab)+", "(a+)?", "(a|b){2}"]
)
def test_ordinary_ones_are_not(pattern):
    assert compiled_filter(pattern).flags & re.IGNORECASE


# Settings


def test_a_study_without_settings_has_the_defaults():
    assert measured_panel(Study()) == MeasuredPanel()


@pytest.mark.parametrize(
    "kept",
    [
        {"filter": "gemm["},
        {"filter": 3, "group": "files", "sort": "colour", "descending": "yes", "list_hidden": 1},
        {"group": ["kernel"], "sort": {"time": 1}},
        {"hidden": "all", "colours": [1, 2]},
        {"hidden": {A: [1, 2], 3: "1"}},
        {"colours": {3: {1: "2"}}},
    ],
)
def test_values_of_the_wrong_kind_fall_back_to_their_defaults(kept):
    assert measured_panel(Study().with_panel("measured", kept)) == MeasuredPanel()


def test_slots_that_do_not_exist_are_left_out():
    panel = measured_panel(study_of(colours={A: {"8": "0", "-1": "0", "x": "0", "²": "0", 2: "1"}}))
    assert panel.colours == {A: {2: "1"}}


def test_hidden_and_coloured_kernels_survive_the_file(tmp_path):
    file = file_of(*({"kernel": "k", "time_s": 1.0},) * 4)
    study = study_of(file, filter="k", group="kernel", sort="time", descending=True)
    panel = measured_panel(study)
    study = study.with_panel("measured", hidden_changed(panel, {A: np.array([0, 1, 0, 0], dtype=bool)}))
    worn = np.array([-1, 7, 7, 0], dtype=np.int8)
    study = study.with_panel("measured", colours_changed(panel, {A: worn}))
    save_study(study, tmp_path / "one.study")
    again = measured_panel(load_study(tmp_path / "one.study"))
    assert again == measured_panel(study)
    assert hidden_kernels(again, file).tolist() == [False, True, False, False]
    assert kernel_slots(again, file).tolist() == [-1, 7, 7, 0]
    assert (again.filter, again.group, again.sort, again.descending) == ("k", "kernel", "time", True)


def test_a_change_keeps_what_is_said_of_other_files():
    panel = measured_panel(study_of(hidden={B: "3"}, colours={B: {"1": "3"}}))
    one = np.array([True, False])
    assert hidden_changed(panel, {A: one}) == {"hidden": {B: "3", A: "0"}}
    assert hidden_changed(panel, {A: ~one & one, B: one & ~one}) == {"hidden": None}
    assert colours_changed(panel, {A: np.array([2, -1])}) == {"colours": {B: {"1": "3"}, A: {"2": "0"}}}


def test_all_but_one_of_a_million_is_a_short_text():
    mask = np.ones(1_000_000, dtype=bool)
    mask[500_000] = False
    (text,) = hidden_changed(MeasuredPanel(), {B: mask})["hidden"].values()
    assert text == "0-499999 500001-999999"

"""Arithmetic for numbers and arrays alike."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.arithmetic import any_true, ceil_div, is_number, larger, smaller, total, where


def test_plain_numbers_stay_plain_numbers():
    for value in (larger(2, 3.0), smaller(2.0, 1), ceil_div(7, 2), total([1, 2.5]), where(True, 1.0, 2.0)):
        assert type(value) in (float, int)
        assert is_number(value)
    assert not is_number(np.array([1.0]))
    assert not is_number("1")


def test_arrays_broadcast():
    column, row = np.array([[1.0], [5.0]]), np.array([2.0, 3.0])

    assert larger(column, row).tolist() == [[2, 3], [5, 5]]
    assert smaller(column, row).tolist() == [[1, 1], [2, 3]]
    assert ceil_div(column, row).tolist() == [[1, 1], [3, 2]]
    assert where(row > 2, row, 0.0).tolist() == [0, 3]
    assert total([column, row]).shape == (2, 2)


@given(st.integers(0, 2**60), st.integers(1, 2**30))
def test_rounding_up_is_exact_for_whole_numbers(a, b):
    assert ceil_div(a, b) == float(-(-a // b))


@given(st.integers(0, 2**50), st.integers(1, 2**30))
def test_arrays_round_up_as_numbers_do(a, b):
    assert ceil_div(np.array([a]), b)[0] == ceil_div(a, b)


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_larger_and_smaller_are_max_and_min(a, b):
    assert (larger(a, b), smaller(a, b)) == (max(a, b), min(a, b))
    assert (larger(np.array(a), b), smaller(a, np.array(b))) == (max(a, b), min(a, b))


def test_a_total_of_nothing_is_zero_and_products_of_large_integers_do_not_wrap():
    assert total([]) == 0.0
    assert total([np.array([2**62]), np.array([2**62])]).tolist() == [2.0**63]
    assert math.isclose(ceil_div(2**62 + 1, 2), 2.0**61)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [(True, True), (False, False), (np.array([False, True]), True), (np.array([False]), False)],
)
def test_a_condition_holds_anywhere(condition, holds):
    assert any_true(condition) is holds

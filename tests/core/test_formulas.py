"""Safe formulas: what they compute, for numbers and arrays, and how everything else is refused."""

from __future__ import annotations

import ast
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.formulas import FormulaError, Scope, Worth, compile_formula

SCOPE = Scope(
    numbers=frozenset({"m", "n", "k", "tile"}),
    switches=frozenset({"causal"}),
    choices=(("layout", ("row", "column")),),
    roles=frozenset({"activation", "weight"}),
)
NAMES = {
    "m": 10, "n": 7, "k": 3, "tile": 4, "causal": True, "layout": "row",
    "bytes(activation)": 2.0, "bytes(weight)": 4.15625,
}  # fmt: skip


def value(text, **names):
    return Worth({**NAMES, **names}).number(compile_formula(text, SCOPE))


def faults(text):
    with pytest.raises(FormulaError) as caught:
        compile_formula(text, SCOPE)
    return caught.value.faults


# By hand, with m = 10, n = 7, k = 3, tile = 4.
BY_HAND = {
    "2 * m * n * k": 420,
    "m - n - k": 0,
    "m / tile": 2.5,
    "m // tile": 2,
    "m % tile": 2,
    "k ** 2 ** 2": 81,
    "-k + 5": 2,
    "min(m, n, k)": 3,
    "max(m, n, k)": 10,
    "ceil(m / k)": 4,
    "floor(m / k)": 3,
    "ceil_div(m, tile)": 3,
    "log2(16)": 4,
    "sqrt(n + 2)": 3,
    "abs(k - m)": 7,
    "where(m > n, 1, 2)": 1,
    "m if n > m else k": 3,
    "1 if 3 <= k < 4 else 0": 1,
    "1 if k < n < 5 else 0": 0,
    "1 if causal and not n > m else 0": 1,
    "1 if n > m or causal else 0": 1,
    "5 if layout == 'row' else 6": 5,
    "5 if layout != 'row' else 6": 6,
    "5 if 'column' == layout else 6": 6,
    "bytes(activation) * m": 20,
    "bytes('weight') * 32": 133,
    "m / 0 if k == 0 else 1": 1,
    "where(k == 0, m / 0, 1)": 1,
    "1e3": 1000,
    "  2 *\n  m ": 20,
}


@pytest.mark.parametrize(("text", "expected"), BY_HAND.items())
def test_a_formula_comes_to_what_it_says(text, expected):
    assert value(text) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("text", BY_HAND)
def test_an_array_is_answered_element_by_element(text):
    names = {"m": np.array([10.0, 6.0, 1.0]), "n": np.array([7.0, 9.0, 1.0]), "k": np.array([3.0, 1.0, 8.0])}

    together = np.broadcast_to(value(text, **names), 3)

    alone = [value(text, **{name: float(one[at]) for name, one in names.items()}) for at in range(3)]
    assert together == pytest.approx(alone, rel=1e-14)


def test_two_arrays_broadcast():
    grid = value("m * n + k", m=np.array([[1.0], [2.0]]), n=np.array([10.0, 20.0, 30.0]), k=5)

    assert grid.tolist() == [[15, 25, 35], [25, 45, 65]]


def test_a_branch_that_is_infinite_for_some_elements_is_dropped_without_a_warning():
    answer = value("m / k if k > 0 else 0", k=np.array([0.0, 5.0]))  # NumPy's warnings are errors in tests

    assert answer.tolist() == [0, 2]


def test_conditions_on_arrays_join():
    answer = value("1 if 0 < k <= 4 and m > n or k == 9 else 0", k=np.array([0.0, 4.0, 5.0, 9.0]))

    assert answer.tolist() == [0, 1, 0, 1]


@given(
    m=st.floats(1, 1e9), n=st.floats(1, 1e9), k=st.floats(1, 1e6),
    text=st.sampled_from(["m*n+k", "ceil_div(m, k)*k", "max(m, n)%k", "m//k", "sqrt(m)*log2(n)", "min(m,n)-k**2"]),
)  # fmt: skip
def test_numbers_and_arrays_agree(m, n, k, text):
    alone = value(text, m=m, n=n, k=k)

    together = value(text, m=np.array([m, m]), n=n, k=k)

    assert together == pytest.approx([alone, alone], rel=1e-9, abs=1e-9)


def test_huge_sizes_neither_overflow_nor_lose_the_sign():
    assert value("2 * m * n * k", m=10**9, n=10**9, k=10**9) == 2e27


def test_names_are_told_in_the_order_of_the_text():
    formula = compile_formula("n / k if bytes(weight) > 2 else ceil_div(m, n)", SCOPE)

    assert formula.names == ("n", "k", "bytes(weight)", "m")


def test_a_plain_number_is_a_formula():
    assert Worth({}).number(compile_formula(3, SCOPE)) == 3
    assert Worth({}).number(compile_formula(0.5, SCOPE)) == 0.5


def test_a_formula_is_read_once():
    assert compile_formula("2 * m", SCOPE) is compile_formula(" 2 *  m", SCOPE)


# ---------------------------------------------------------------------------------------------- what is refused

HOSTILE = {
    "__import__('os').system('true')": "attribute",
    "().__class__.__bases__[0]": "takes an element",
    "m.real": "attribute",
    "m.__class__": "attribute",
    "open('/etc/passwd')": "no function",
    "eval('1')": "no function",
    "exec('1')": "no function",
    "getattr(m, 'real')": "no function",
    "(lambda: 1)()": "defines a function",
    "[x for x in (1, 2)]": "loops",
    "{x: 1 for x in (1,)}": "sign '{'",
    "sum(x for x in (1,))": "no function",
    "max(*[1, 2])": "argument",
    "max(m, n, key=abs)": "without names",
    "m[0]": "takes an element",
    "'a' * 1000000000": "text where a number",
    "'%s' % m": "text where a number",
    "b'x'": "no number",
    "m if (n := 3) else k": "assigns with :=",
    "9 ** 9 ** 999": "power 999",
    "m ** -1000": "power -1000",
    "1e999": "largest",
    "9" * 400: "largest",
    "m << 1000": "<<",
    "None": "no number",
    "...": "no number",
    "2j": "no number",
    "[m]": "lists",
    "m, n": "lists",
    "m @ n": "@",
    "m is n": "'is'",
    "m in (1, 2)": "'in'",
    "(yield m)": "yields",
    "m\x00": "cannot be read",
    "import os": "cannot be read",
    "m; n": "cannot be read",
}  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), HOSTILE.items(), ids=range(len(HOSTILE)))
def test_a_hostile_formula_is_refused_with_the_reason(text, reason):
    told = [one.text for one in faults(text)]

    assert any(reason in one for one in told), told
    assert all(one.endswith((".", "?")) for one in told)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 500 + "1" + ")" * 500,
        "-" * 900 + "1",
        "not " * 200 + "m",
        "1" + "+1" * 300,
        "m" * 5000,
        "[" * 900,
    ],
)
def test_size_and_depth_are_limited(text):
    assert len(faults(text)) == 1


def test_a_tower_of_powers_fails_at_once_and_not_after_an_hour():
    with pytest.raises(FormulaError, match="beyond the largest number for m = 10"):
        value("m ** 60 ** 2")


def test_only_whitelisted_syntax_reaches_the_evaluator():
    tree = compile_formula("where(causal, min(m, n), bytes(weight)) + -k", SCOPE).node

    kinds = {type(one) for one in ast.walk(tree)}
    assert kinds == {
        ast.BinOp, ast.Add, ast.UnaryOp, ast.USub, ast.IfExp, ast.Call, ast.Name, ast.Load,
    }  # fmt: skip


MENDS = {
    "2m": (1, "Write the product out"),
    "2 * m + q": (9, "no parameter. There are"),
    "tlie * m": (1, "Did you mean tile?"),
    "ciel(m)": (1, "Did you mean ceil?"),
    "(m": (1, "Close it"),
    "m)": (2, "Leave it out"),
    "m = 3": (3, "=="),
    "m ^ 2": (1, "**"),
    "2·m": (2, "Write *"),
    "m ≤ n": (3, "Write <="),
    "m²": (2, "**2"),
    "1,5": (1, "decimal point"),
    "m +": (4, "ends too early"),
    "": (1, "empty"),
    "min": (1, "min(…)"),
    "min(m)": (1, "min(a, b)"),
    "weight": (1, "bytes(weight)"),
    "bytes(m)": (7, "There are activation, weight"),
    "layout": (1, "layout == 'row'"),
    "5 if layout == 'rows' else 6": (16, "Did you mean row?"),
    "m > n": (1, "1 if n > 3 else 0"),
    "causal * 2": (1, "1 if n > 3 else 0"),
    "m & n": (1, "'and'"),
}


@pytest.mark.parametrize(("text", "expected"), MENDS.items())
def test_a_slip_is_told_with_its_place_and_a_mend(text, expected):
    column, mend = expected

    first = faults(text)[0]

    assert first.column == column
    assert mend in first.text


def test_all_faults_are_told_at_once():
    assert [one.column for one in faults("2 * q + r.real + open(1)")] == [5, 9, 18]


def test_the_place_counts_characters_and_not_bytes():
    assert [one.column for one in faults("é + q")] == [1, 5]


WITHOUT_VALUE = {
    "m / k": ("divides by zero for m = 10, k = 0", "if b > 0 else 0"),
    "m // k": ("divides by zero", ""),
    "m % k": ("divides by zero", ""),
    "k ** -1": ("divides by zero", ""),
    "log2(k)": ("logarithm", "log2"),
    "sqrt(k - 1)": ("root", "max(0, …)"),
    "(k - 1) ** 0.5": ("fractional power", ""),
    "10.0 ** m ** 3": ("beyond the largest", "powers"),
    "1e300 * 1e300 * m": ("beyond the largest", "powers"),
}


@pytest.mark.parametrize(("text", "words"), WITHOUT_VALUE.items())
def test_a_formula_without_a_value_says_so_with_the_values_of_its_names(text, words):
    with pytest.raises(FormulaError) as caught:
        value(text, k=0)

    assert all(one in str(caught.value) for one in (text, *words))


def test_an_array_keeps_what_is_not_finite_for_its_caller_to_refuse():
    assert math.isinf(value("m / k", k=np.array([0.0, 2.0]))[0])


def test_reading_a_formula_loads_neither_numpy_nor_the_evaluator():
    code = (
        "import sys; from rooflinestudio.core.formulas import *\n"
        "compile_formula('2 * n', Scope(numbers=frozenset({'n'})))\n"
        "assert not {'numpy', 'simpleeval', 'yaml'} & set(sys.modules), sorted(sys.modules)\n"
        "assert Worth({'n': 4}).number(compile_formula('2 * n', Scope(numbers=frozenset({'n'})))) == 8\n"
        "assert 'numpy' not in sys.modules"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 0, done.stderr

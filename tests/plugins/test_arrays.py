"""Arrays of parameters: taken as they are where an operator can, asked element by element where it cannot."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.plugins import Estimate, Launch, Part, Tensor
from rooflinestudio.plugins.host import PluginHost
from tests.plugins.operators import FP32, OWN, Row, answering, ask, registry_of

NS = np.array([1.0, 5.0, 7.0])


def counted(answer, **attributes):
    """An operator that keeps what it was asked."""
    asked = []

    def estimate(self, parameters, dtypes):
        asked.append(parameters)
        return answer(self, parameters)

    operator = answering(estimate, **attributes)
    operator.asked = asked
    return operator


def only_numbers(self, parameters):
    """What a plain author writes: works for one number, raises for an array."""
    n = int(parameters["n"]) if parameters["n"] > 2 else 2
    return self.answer(float(n * parameters["m"]))


EXPECTED = 4 * np.array([2.0, 5.0, 7.0])


def test_an_operator_for_arrays_is_asked_once():
    operator = counted(lambda self, p: self.answer(1.0 * p["n"] * p["m"]))

    answer = ask(operator, {"n": NS}, origin=OWN)

    assert len(operator.asked) == 1
    np.testing.assert_array_equal(answer.work["fp32"], 2 * 4 * NS)


def test_an_operator_that_raises_for_arrays_is_asked_element_by_element():
    operator = counted(only_numbers)

    answer = ask(operator, {"n": NS})

    np.testing.assert_array_equal(answer.work["fp32"], 2 * EXPECTED)
    np.testing.assert_array_equal(answer.tensors[0].elements, EXPECTED)
    assert answer.tensors[0].reads == 1
    assert len(operator.asked) == 1 + 3


def test_an_operator_that_declares_it_is_never_asked_with_arrays():
    operator = counted(only_numbers, scalar_only=True)

    ask(operator, {"n": NS})

    assert [given["n"] for given in operator.asked] == [1, 5, 7]


def test_elements_of_arrays_reach_an_operator_as_python_numbers():
    operator = counted(only_numbers, scalar_only=True)

    ask(operator, {"n": NS})

    for given in operator.asked:
        assert type(given["n"]) is int
        assert given["kind"] == "a"


@pytest.mark.parametrize("five", [np.int64(5), np.float64(5), np.array(5.0)])
def test_a_numpy_number_reaches_an_operator_as_a_python_number(five):
    operator = counted(only_numbers)
    parameters = {**resolve_parameters(operator, {}), "n": five}

    answer = registry_of(operator).estimate(operator, parameters, resolve_dtypes(operator, {}))

    assert answer.work == {"fp32": 40.0}
    assert [type(given["n"]) for given in operator.asked] == [int]


def test_arrays_of_two_parameters_broadcast():
    answer = ask(counted(only_numbers), {"n": NS[:, None], "m": np.array([[1.0, 2.0]])})

    np.testing.assert_array_equal(answer.tensors[0].elements, np.outer([2.0, 5.0, 7.0], [1.0, 2.0]))


def test_arrays_that_do_not_fit_each_other_are_refused_with_their_shapes():
    with pytest.raises(RefusedError, match=r"n \(3,\), m \(2,\)"):
        ask(Row(), {"n": NS, "m": np.array([1.0, 2.0])})


def test_an_empty_array_is_refused_by_an_operator_for_single_numbers():
    with pytest.raises(RefusedError, match="empty array"):
        ask(counted(only_numbers), {"n": np.array([])})


NONSENSE = {
    "one number for all": lambda self, p: self.answer(float(np.max(p["n"])) * p["m"]),
    "a list": lambda self, p: self.answer(
        [*np.atleast_1d(p["n"] * 4.0)] if np.ndim(p["n"]) else p["n"] * 4.0
    ),
    "another shape": lambda self, p: self.answer(np.append(p["n"], 9.0) if np.ndim(p["n"]) else p["n"] * 4.0),
    "objects": lambda self, p: self.answer(np.array([object()] * 3) if np.ndim(p["n"]) else p["n"] * 4.0),
    "a figure without its pair": lambda self, p: replace(
        self.answer(4.0 * p["n"]), blocked={"dram": p["n"]} if np.ndim(p["n"]) else {}
    ),
    "no estimate": lambda self, p: self.answer(4.0 * p["n"]) if np.ndim(p["n"]) == 0 else None,
}


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_for_arrays_is_asked_again_element_by_element(answer):
    result = ask(counted(answer), {"n": NS})

    np.testing.assert_array_equal(result.tensors[0].elements, 4 * NS)


def test_other_kinds_of_arrays_become_floats():
    def answer(self, p):
        return self.answer((4 * p["n"]).astype(np.int32))

    result = ask(counted(answer), {"n": NS}, origin=OWN)

    assert result.tensors[0].elements.dtype == np.float64
    np.testing.assert_array_equal(result.tensors[0].elements, 4 * NS)


def test_an_answer_that_does_not_depend_on_the_array_is_accepted_and_spread():
    operator = counted(lambda self, p: self.answer(40.0))

    answer = ask(operator, {"n": np.arange(1.0, 10_001.0)})

    assert len(operator.asked) == 3  # with the array, and for its ends
    assert answer.work["fp32"].shape == (10_000,)
    assert answer.work["fp32"].min() == answer.work["fp32"].max() == 80.0


def test_an_answer_without_any_figure_stays_without_one():
    empty = Estimate({}, "fp32", ())

    assert ask(counted(lambda self, p: empty), {"n": NS}, origin=OWN) == empty


@pytest.mark.parametrize("value", [math.nan, -1.0, math.inf])
@pytest.mark.parametrize("count", [3, 30_000])
def test_one_impossible_element_refuses_the_sweep_and_is_named(value, count):
    def answer(self, p):
        elements = 1.0 * p["n"]
        elements[2] = value
        return self.answer(elements)

    operator = counted(answer)
    with pytest.raises(
        RefusedError, match=rf"acme-ops 1\.2\.0 answered work on fp32 = {2 * value:g} at element 2;"
    ):
        ask(operator, {"n": np.arange(1.0, count + 1)})

    assert len(operator.asked) == 1


def test_a_division_by_zero_in_an_array_is_a_refusal_and_no_warning():
    def answer(self, p):
        return self.answer(1.0 / abs(p["n"] - 5.0))

    with pytest.raises(RefusedError, match="= inf at element 1"):
        ask(counted(answer), {"n": NS})


def test_an_operator_that_fails_for_one_element_says_how():
    def answer(self, p):
        return self.answer(float(10 // int(5 - p["n"])))

    with pytest.raises(RefusedError, match="ZeroDivisionError"):
        ask(counted(answer), {"n": NS})


def test_answers_that_differ_in_more_than_numbers_cannot_be_stacked():
    def answer(self, p):
        n = int(p["n"])
        return replace(self.answer(float(n)), main_pipe="fp32" if n < 6 else "fp16")

    with pytest.raises(
        RefusedError, match="answers element 2 with other pipes, tensors, boundaries or parts"
    ):
        ask(counted(answer), {"n": NS})


def test_everything_that_an_estimate_holds_is_stacked():
    def answer(self, p):
        n = int(p["n"])
        inner = Estimate({"fp32": 2.0 * n}, "fp32", (Tensor("x", n, FP32, 1),), notes=lambda: (f"n = {n}",))
        return Estimate(
            {"fp32": 1.0 * n, "special": 4.0},
            "fp32",
            (Tensor("x", n, FP32, n, 0),),
            {"dram": (3.0 * n, 5.0)},
            footprint_bytes=7.0 * n,
            launch=Launch(blocks=n, kernels=2),
            padded_work={"fp32": 9.0 * n},
            parts=(Part("inner", "acme.row", {"n": n}, {}, 3 * n, inner),),
            formulas=lambda: (f"n = {n}",),
        )

    result = ask(counted(answer), {"n": NS})

    for value, factor in (
        (result.work["fp32"], 1),
        (result.tensors[0].elements, 1),
        (result.tensors[0].reads, 1),
        (result.blocked["dram"][0], 3),
        (result.footprint_bytes, 7),
        (result.launch.blocks, 1),
        (result.padded_work["fp32"], 9),
        (result.parts[0].count, 3),
        (result.parts[0].estimate.work["fp32"], 2),
    ):
        np.testing.assert_array_equal(value, factor * NS)
    assert (result.work["special"], result.blocked["dram"][1], result.launch.kernels) == (4.0, 5.0, 2)
    assert result.launch.threads is None
    assert result.formulas is None  # those of one element would be wrong for the others
    assert result.parts[0].estimate.notes is None


def test_formulas_of_a_stranger_for_arrays_are_guarded():
    def broken():
        raise LookupError("no table")

    answer = ask(counted(lambda self, p: replace(self.answer(p["n"] * 1.0), notes=broken)), {"n": NS})

    assert "LookupError" in answer.notes()[0]


def test_a_refusal_in_the_operators_own_words_passes_for_arrays_too():
    def answer(self, p):
        raise RefusedError("kv_heads must divide heads")

    with pytest.raises(RefusedError, match=r"^kv_heads must divide heads$"):
        ask(counted(answer), {"n": NS})


def test_an_interrupt_while_asking_with_arrays_is_not_swallowed():
    def answer(self, p):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(counted(answer), {"n": NS})


def test_a_sweep_of_a_built_in_operator_equals_its_single_answers():
    registry = PluginHost.discover(disable="all").load_builtins()
    gemm = registry.operator("gemm")
    dtypes = resolve_dtypes(gemm, {})
    ms = np.array([1.0, 100.0, 4096.0])

    together = registry.estimate(gemm, resolve_parameters(gemm, {"m": ms}), dtypes)

    for at, m in enumerate(ms):
        alone = registry.estimate(gemm, resolve_parameters(gemm, {"m": int(m)}), dtypes)
        assert together.work["bf16-tensor"][at] == alone.work["bf16-tensor"] == 2 * m * 4096 * 4096
        assert together.blocked["dram"][0][at] == alone.blocked["dram"][0]


def test_an_operator_that_is_in_no_registry_can_be_asked_too():
    """A custom kernel of a study has no plugin."""
    row = Row()
    parameters, dtypes = resolve_parameters(row, {}), resolve_dtypes(row, {})

    assert registry_of().estimate(row, parameters, dtypes).work == {"fp32": 80.0}
    with pytest.raises(RefusedError, match=r"^acme\.row raised ValueError"):
        broken = answering(lambda self, p, d: int("x"))
        registry_of().estimate(broken, parameters, dtypes)

"""Answers of operators: what is let through, what is put right, what is refused and in which words."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.plugins import Estimate, Formula, Launch, Part, Tensor
from rooflinestudio.plugins.faults import described, shown
from rooflinestudio.plugins.guard import is_sound
from tests.plugins.operators import FP32, OWN, Row, always, answering, ask, registry_of

GOOD = Row().answer(40.0)


def refused(operator, given=None):
    with pytest.raises(RefusedError) as caught:
        ask(operator, given)
    text = str(caught.value)
    assert text.startswith("acme.row of acme-ops 1.2.0 ")
    assert "\n" not in text
    return text


def tensor(**changes):
    return replace(GOOD, tensors=(replace(GOOD.tensors[0], **changes),))


def part(**changes):
    return replace(
        GOOD,
        work={},
        tensors=(),
        parts=(
            Part(
                **{
                    "label": "norm",
                    "operator": "acme.row",
                    "parameters": {},
                    "dtypes": {},
                    "count": 2,
                    "estimate": GOOD,
                    **changes,
                }
            ),
        ),
    )


# ------------------------------------------------------------------------------ raising an exception


def test_an_operator_that_raises_is_refused_with_plugin_exception_and_line():
    def answer(self, parameters, dtypes):
        return 1 / 0

    text = refused(answering(answer))

    assert "raised ZeroDivisionError: division by zero (test_guard.py, line " in text
    assert "tell its author" in text


@pytest.mark.parametrize("error", [SystemExit(2), MemoryError(), RecursionError("too deep"), StopIteration()])
def test_whatever_an_operator_raises_is_caught(error):
    def answer(self, parameters, dtypes):
        raise error

    assert type(error).__name__ in refused(answering(answer))


def test_an_interrupt_during_an_estimate_is_not_swallowed():
    def answer(self, parameters, dtypes):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(answering(answer))


@pytest.mark.parametrize(
    "error", [RefusedError("no fp8 here"), ParameterError("heads must be a multiple of kv_heads")]
)
def test_an_operator_may_refuse_in_its_own_words(error):
    def answer(self, parameters, dtypes):
        raise error

    with pytest.raises(type(error), match=f"^{error}$"):
        ask(answering(answer))


def test_a_built_in_operator_is_not_called_a_plugin_with_an_author():
    def answer(self, parameters, dtypes):
        raise ValueError("oops")

    with pytest.raises(RefusedError) as caught:
        ask(answering(answer), origin=OWN)

    assert "author" not in str(caught.value)


# ------------------------------------------------------------------------------- impossible figures

IMPOSSIBLE = {
    "work nan": (replace(GOOD, work={"fp32": math.nan}), "work on fp32 = nan"),
    "work infinite": (replace(GOOD, work={"fp32": math.inf}), "work on fp32 = inf"),
    "work negative": (replace(GOOD, work={"fp32": -2.5}), "work on fp32 = -2.5"),
    "second pipe negative": (replace(GOOD, work={"fp32": 1.0, "special": -1}), "work on special = -1"),
    "integer beyond floats": (replace(GOOD, work={"fp32": 10**400}), "work on fp32 = 1000"),
    "integer beyond showing": (
        replace(GOOD, work={"fp32": 10**5000}),
        "work on fp32 = a int that cannot be shown",
    ),
    "elements nan": (tensor(elements=math.nan), "elements of x = nan"),
    "elements negative": (tensor(elements=-1), "elements of x = -1"),
    "reads negative": (tensor(reads=-3), "reads of x = -3"),
    "writes infinite": (tensor(writes=math.inf), "writes of x = inf"),
    "blocked negative": (replace(GOOD, blocked={"dram": (8.0, -8.0)}), "bytes written at dram = -8"),
    "blocked nan": (replace(GOOD, blocked={"l2": (math.nan, 0)}), "bytes read at l2 = nan"),
    "footprint negative": (replace(GOOD, footprint_bytes=-1.0), "footprint = -1"),
    "blocks negative": (replace(GOOD, launch=Launch(blocks=-1)), "blocks of the launch = -1"),
    "bytes in flight nan": (
        replace(GOOD, launch=Launch(bytes_in_flight=math.nan)),
        "bytes in flight of the launch = nan",
    ),
    "padded work infinite": (replace(GOOD, padded_work={"fp32": math.inf}), "padded work on fp32 = inf"),
    "count of a part negative": (part(count=-1), "count of norm = -1"),
    "work of a part nan": (part(estimate=replace(GOOD, work={"fp32": math.nan})), "norm: work on fp32 = nan"),
}


@pytest.mark.parametrize(("answer", "words"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_an_impossible_figure_is_refused_with_its_name_and_value(answer, words):
    text = refused(always(answer))

    assert f"answered {words}" in text
    assert "it must be finite and at least 0" in text


WRONG = {
    "nothing": (None, "answered None, a NoneType; estimate must return an Estimate"),
    "a mapping": ({"work": 3}, "answered {'work': 3}, a dict"),
    "the class": (Estimate, "a type; estimate must return an Estimate"),
    "work that is a number": (replace(GOOD, work=80.0), "work = 80.0; it must map"),
    "work without names": (replace(GOOD, work={32: 80.0}), "work = {32: 80.0}"),
    "work that is a text": (
        replace(GOOD, work={"fp32": "80"}),
        "work on fp32 = '80', a str; it must be a number",
    ),
    "work that is None": (replace(GOOD, work={"fp32": None}), "work on fp32 = None, a NoneType"),
    "work that is a Decimal": (replace(GOOD, work={"fp32": Decimal(80)}), "a Decimal; it must be a number"),
    "work that is complex": (replace(GOOD, work={"fp32": 1j}), "work on fp32 = 1j, a complex"),
    "work that is a complex array": (replace(GOOD, work={"fp32": np.array(1j)}), "of dtype complex128"),
    "main pipe that is none": (replace(GOOD, main_pipe=None), "main_pipe = None"),
    "tensors in a list": (replace(GOOD, tensors=[*GOOD.tensors]), "must be a tuple of Tensor"),
    "tensors that are names": (replace(GOOD, tensors=("x", "y")), "tensors = ('x', 'y')"),
    "a dtype that is a text": (tensor(dtype="fp32"), "tensor 'x' with dtype 'fp32'; take it from dtypes"),
    "an unknown role": (tensor(role="temporary"), "tensor 'x' with role 'temporary'; it must be one of"),
    "a slope that is no text": (tensor(slope=["gather"]), "tensor 'x' with slope ['gather']"),
    "an unknown boundary": (
        replace(GOOD, blocked={"hbm": (1.0, 1.0)}),
        "its keys must be boundaries: register",
    ),
    "blocked without writes": (
        replace(GOOD, blocked={"dram": 8.0}),
        "blocked bytes at dram = 8.0; give (bytes read",
    ),
    "blocked of three": (replace(GOOD, blocked={"dram": (1, 2, 3)}), "blocked bytes at dram = (1, 2, 3)"),
    "blocked that is a list": (replace(GOOD, blocked=[("dram", 1)]), "blocked = [('dram', 1)]"),
    "crossing nowhere known": (replace(GOOD, crosses=frozenset({"hbm"})), "crosses = frozenset({'hbm'})"),
    "crossing a text": (replace(GOOD, crosses="dram"), "crosses = 'dram'; it must be a set"),
    "a home that is none": (replace(GOOD, home="hbm"), "home = 'hbm'"),
    "a launch that is a number": (replace(GOOD, launch=132), "launch = 132; it must be a Launch"),
    "formulas that are a text": (
        replace(GOOD, formulas="W = 2n"),
        "formulas = 'W = 2n'; it must be a function",
    ),
    "notes that are a list": (replace(GOOD, notes=["careful"]), "notes = ['careful']; it must be a function"),
    "parts in a list": (replace(GOOD, parts=[]), "parts = []; it must be a tuple of Part"),
    "a part that is none": (replace(GOOD, parts=("norm",)), "parts = ('norm',); it must be a tuple of Part"),
    "a part without estimate": (part(estimate=None), "a part 'norm' whose estimate is None"),
    "a part of a bad form": (part(estimate=replace(GOOD, home="hbm")), "norm: home = 'hbm'"),
    "an array to numbers": (
        replace(GOOD, work={"fp32": np.ones(3)}),
        "work on fp32 of shape (3,) to parameters that are",
    ),
}


@pytest.mark.parametrize(("answer", "words"), WRONG.values(), ids=WRONG.keys())
def test_an_answer_of_the_wrong_type_is_refused_with_what_it_was(answer, words):
    assert words in refused(always(answer))


def test_a_refused_estimate_leaves_other_operators_alone():
    bad = always(None)
    good = type("Other", (Row,), {"id": "acme.other"})()
    registry = registry_of(bad, good)
    parameters, dtypes = resolve_parameters(good, {}), resolve_dtypes(good, {})

    with pytest.raises(RefusedError):
        registry.estimate(bad, parameters, dtypes)

    assert registry.estimate(good, parameters, dtypes).work == {"fp32": 80.0}


# ------------------------------------------------------------------------------------- put right


def test_good_numbers_are_let_through_as_they_are():
    assert is_sound(GOOD)
    assert is_sound(part())
    assert ask(always(GOOD), origin=OWN) is GOOD


def test_zero_work_and_zero_traffic_are_no_fault_of_the_guard():
    empty = replace(GOOD, work={"fp32": 0}, tensors=(Tensor("x", 0, FP32),))

    assert ask(always(empty), origin=OWN) is empty


@pytest.mark.parametrize(
    "value",
    [np.float64(80), np.int64(80), np.float32(80), np.array(80.0), np.array([80.0]), np.array([[80]])],
)
def test_numpy_numbers_become_plain_ones(value):
    answer = ask(always(replace(GOOD, work={"fp32": value})), origin=OWN)

    assert answer.work == {"fp32": 80}
    assert type(answer.work["fp32"]) in (int, float)


def test_switches_as_counts_become_numbers():
    answer = ask(always(tensor(reads=True)), origin=OWN)

    assert answer.tensors[0].reads == 1
    assert type(answer.tensors[0].reads) is int


# -------------------------------------------------------------------------------- formulas and notes


def test_formulas_and_notes_of_a_stranger_that_raise_say_so_instead():
    def broken():
        raise LookupError("no table")

    answer = ask(always(replace(part(), formulas=broken, notes=broken)))

    (formula,) = answer.formulas()
    assert isinstance(formula, Formula)
    for text in (formula.source, *answer.notes()):
        assert text.startswith("acme.row of acme-ops 1.2.0 could not give its ")
        assert "LookupError: no table" in text


def test_formulas_and_notes_in_parts_are_guarded_too():
    def broken():
        raise LookupError("no table")

    answer = ask(always(part(estimate=replace(GOOD, notes=broken))))

    assert "LookupError" in answer.parts[0].estimate.notes()[0]


@pytest.mark.parametrize("notes", [lambda: (3,), lambda: 5, lambda: [Formula("work", "W")]])
def test_notes_of_the_wrong_type_say_so_instead(notes):
    answer = ask(always(replace(GOOD, notes=notes)))

    (note,) = answer.notes()
    assert note.startswith("acme.row of acme-ops 1.2.0 ")


def test_an_interrupt_in_notes_is_not_swallowed():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(always(replace(GOOD, notes=interrupted))).notes()


def test_good_formulas_and_notes_are_what_the_operator_gives():
    formula = Formula("work", "W = 2n", "2·40")
    answer = ask(always(replace(GOOD, formulas=lambda: [formula], notes=lambda: ("a", "b"))))

    assert answer.formulas() == (formula,)
    assert answer.notes() == ("a", "b")


def test_a_stranger_cannot_change_the_parameters_that_others_see():
    def answer(self, parameters, dtypes):
        parameters["n"] = 7
        dtypes.clear()
        return GOOD

    operator = answering(answer)
    parameters, dtypes = resolve_parameters(operator, {}), resolve_dtypes(operator, {})
    registry_of(operator).estimate(operator, parameters, dtypes)

    assert parameters["n"] == 10
    assert dtypes["activation"] is FP32


# ------------------------------------------------------------------------------------------ helpers


def test_a_value_is_shown_short_and_on_one_line():
    class Odd:
        def __repr__(self):
            raise RuntimeError

    assert shown(Odd()) == "a Odd that cannot be shown"
    assert shown("a\nb") == "'a\\nb'"
    assert len(shown("x" * 500)) <= 80


def test_an_exception_is_described_in_one_short_line():
    text = described(ValueError("first\nsecond " + "x" * 1000))

    assert text.startswith("ValueError: first second xxx")
    assert len(text) < 330
    assert "\n" not in text

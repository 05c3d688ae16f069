"""What an operator must say about itself, and that one bad declaration costs only itself."""

from __future__ import annotations

import math

import pytest

from rooflinestudio.plugins import OperatorBase, Parameter
from rooflinestudio.plugins.declarations import operator_faults, profile_faults, reader_faults
from tests.plugins.conftest import GOOD, row_of


class Good(OperatorBase):
    id = "acme.good"
    label = "good"
    category = "Tests"
    summary = "Does nothing wrong"
    parameters = (
        Parameter("n", "n", 8, help="A size."),
        Parameter("kind", "kind", "a", choices=("a", "b"), help="A choice."),
        Parameter("on", "on", False, help="A switch."),
        Parameter("rate", "rate", 0.5, low=0, high=1, integer=False, help="A share."),
    )

    def estimate(self, parameters, dtypes):
        raise NotImplementedError


def operator(**changes):
    one = Good()
    for name, value in changes.items():
        setattr(one, name, value)
    return one


def parameter(name="n", label="n", default=8, **rest):
    return (Parameter(name, label, default, **rest),)


def test_a_good_declaration_has_no_fault():
    assert list(operator_faults(Good())) == []


BAD = {
    "id with capitals": ({"id": "Gemm"}, "has the id 'Gemm'"),
    "id with hyphens": ({"id": "acme-gemm"}, "has the id 'acme-gemm'"),
    "id that ends in a dot": ({"id": "acme."}, "has the id 'acme.'"),
    "id that is no text": ({"id": 7}, "has the id 7"),
    "no id": ({"id": ""}, "has the id ''"),
    "no label": ({"label": " "}, "has the label ' '"),
    "category that is no text": ({"category": None}, "has the category None"),
    "summary over two lines": ({"summary": "one\ntwo"}, "has a summary of 7 characters; it must be one line"),
    "summary without end": ({"summary": "x" * 201}, "has a summary of 201 characters"),
    "estimate that is no method": ({"estimate": 3}, "has no method estimate"),
    "details that are no method": ({"details": {}}, "has details = {}"),
    "parameters in a list": ({"parameters": [Parameter("n", "n", 1)]}, "must be a tuple of Parameter"),
    "parameters of another type": ({"parameters": ("n",)}, "must be a tuple of Parameter"),
    "parameters missing": ({"parameters": None}, "has parameters = None"),
    "two of one name": ({"parameters": parameter() * 2}, "has two parameters called 'n'"),
    "name with a blank": ({"parameters": parameter("tile m")}, "a parameter called 'tile m'"),
    "name that is no text": ({"parameters": parameter(3)}, "a parameter called 3"),
    "parameter without label": ({"parameters": parameter(label="")}, "'n' whose label is ''"),
    "default below its range": (
        {"parameters": parameter(default=0)},
        "default 0 lies outside its range 1 to 1e+12",
    ),
    "default above its range": (
        {"parameters": parameter(default=9, high=8)},
        "default 9 lies outside its range 1 to 8",
    ),
    "default that is not finite": ({"parameters": parameter(default=math.nan)}, "default nan lies outside"),
    "half as an integer": ({"parameters": parameter(default=1.5)}, "default 1.5 is no whole number"),
    "text without choices": (
        {"parameters": parameter(default="auto")},
        "must be numbers (a text needs choices)",
    ),
    "no default": ({"parameters": parameter(default=None)}, "default None and range 1 to 1000000000000.0"),
    "range upside down": ({"parameters": parameter(low=9, high=2)}, "range 9 to 2 is none"),
    "range without end": ({"parameters": parameter(high=math.inf)}, "range 1 to inf is none"),
    "default that is no choice": (
        {"parameters": parameter(default="c", choices=("a", "b"))},
        "'c' is none of its choices a, b",
    ),
    "choices that are no texts": ({"parameters": parameter(default=1, choices=(1, 2))}, "choices are (1, 2)"),
    "choices in a list": ({"parameters": parameter(default="a", choices=["a"])}, "choices are ['a']"),
    "a choice twice": ({"parameters": parameter(default="a", choices=("a", "a"))}, "name one twice"),
    "dtype that does not exist": (
        {"dtype_roles": {"activation": "bf17"}},
        "has the dtype 'bf17' for activation",
    ),
    "dtype that is no text": ({"dtype_roles": {"activation": 16}}, "has the dtype 16 for activation"),
    "roles that are no mapping": ({"dtype_roles": ("bf16",)}, "must map roles or tensor names to dtypes"),
    "a role for all": ({"dtype_roles": {"all": "bf16"}}, "has a dtype role 'all'"),
    "pinned that is a text": ({"pinned": "weight"}, "has pinned = 'weight'"),
    "pinned that is no role": (
        {"pinned": frozenset({"state"})},
        "pins 'state', which is not among its dtype_roles",
    ),
    "tensors that are no mapping": ({"tensor_roles": ("A",)}, "has tensor_roles = ('A',); it must map names"),
    "a tensor for all": ({"tensor_roles": {"all": "activation"}}, "has a tensor 'all'"),
    "a tensor of no role": (
        {"tensor_roles": {"A": "wieght"}},
        "has the role 'wieght' for the tensor 'A'; it must be one of its dtype_roles (activation, weight, output)",
    ),
    "a tensor whose role is no text": ({"tensor_roles": {"A": 16}}, "has the role 16 for the tensor 'A'"),
}


@pytest.mark.parametrize(("changes", "words"), BAD.values(), ids=BAD.keys())
def test_a_bad_declaration_is_named_with_its_value(changes, words):
    (fault,) = operator_faults(operator(**changes))

    assert words in fault


def test_every_fault_of_a_declaration_is_named():
    faults = list(operator_faults(operator(label="", summary="", parameters=parameter(default=0))))

    assert len(faults) == 3


@pytest.mark.parametrize("thing", [None, 3, "gemm", object()])
def test_what_is_no_operator_at_all_is_named_by_its_type(thing):
    (fault,) = operator_faults(thing)

    assert f"a {type(thing).__name__}, and no operator" in fault


def test_a_bad_declaration_costs_only_its_own_operator(site):
    source = GOOD.format(id="acme.axpy") + (
        "\n\nclass Bad(Axpy):\n    id = 'acme.bad'\n"
        "    parameters = (Parameter('elements', 'elements', 0),)\n"
        "\n@hookimpl\ndef rooflinestudio_operators():\n    return [Bad(), Axpy()]\n"
    )
    site.add("acme-ops", source)

    host = site.host()

    row = row_of(host, "acme-ops")
    assert (row.state, row.operators) == ("partly", ("acme.axpy",))
    assert "operator 'acme.bad' was refused" in row.reason
    assert "default 0 lies outside its range 1 to 1e+12" in row.reason


class Source:
    id, label = "acme-npu-1", "Acme NPU-1"

    def load(self):
        raise NotImplementedError


class Reader:
    id, label, extensions = "acme-times", "Acme times", (".times",)

    def recognises(self, head, name):
        return False

    def read(self, path, progress=None):
        raise NotImplementedError


def changed(kind, **changes):
    return type(kind.__name__, (kind,), changes)()


def test_good_sources_and_readers_have_no_fault():
    assert not [*profile_faults(Source()), *reader_faults(Reader())]


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (Source, "is the class Source; return an instance"),
        ("h100.yaml", "is 'h100.yaml', which is no HardwareProfile"),
        (changed(Source, load=None), "no HardwareProfile and has no method load()"),
        (changed(Source, id="Acme NPU"), "has the id 'Acme NPU'"),
        (changed(Source, label=""), "has the label None"),
    ],
)
def test_what_is_wrong_with_a_profile_source_is_named(thing, words):
    (fault,) = profile_faults(thing)

    assert words in fault


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (Reader, "is the class Reader; return an instance, Reader()"),
        (object(), "has no method recognises and no method read"),
        (changed(Reader, read=None), "has no method read"),
        (changed(Reader, id=""), "has the id ''"),
        (changed(Reader, label=3), "has the label 3"),
        (changed(Reader, extensions=".csv"), "has extensions = '.csv'"),
    ],
)
def test_what_is_wrong_with_a_reader_is_named(thing, words):
    (fault,) = reader_faults(thing)

    assert words in fault

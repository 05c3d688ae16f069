import pytest

from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.ui.inspector.formats import MIXED, after_choice, role_formats, shorthand_of
from tests.ui.widgets.studies import H100, machine, placed, registry

GEMM, ATTENTION, ADAM = (registry().operator(id_) for id_ in ("gemm", "attention", "adam"))


def row(operator, **changes):
    entry = Entry("e", operator.id, **changes)
    return placed(Study(entries=(entry,), profiles={H100: machine()}, view=View(machines=(H100,)))).rows[0]


def test_roles_are_named_by_their_tensors_with_their_bytes():
    found = [(one.role, one.label, one.dtype, one.size) for one in role_formats(GEMM, row(GEMM))]
    # 2 bytes · 4096²
    assert found == [
        ("activation", "A", "bf16", "33.6 MB"),
        ("weight", "B", "bf16", "33.6 MB"),
        ("output", "C", "bf16", "33.6 MB"),
        ("accumulate", "acc", "fp32", "on chip"),
        ("compute", "compute", "bf16", "on bf16-tensor"),
    ]


def test_keys_and_values_are_one_role():
    found = {one.role: one.label for one in role_formats(ATTENTION, row(ATTENTION))}
    assert found["kv"] == "K, V"
    assert found["activation"] == "Q"


def test_a_tensor_with_a_format_of_its_own_is_its_own_role():
    found = {one.role: (one.label, one.dtype) for one in role_formats(ADAM, row(ADAM))}
    assert found["master"] == ("master", "fp32")


def test_formats_are_told_even_where_nothing_could_be_placed():
    refused = row(GEMM, parameters={"m": 0}, dtypes={"all": "fp8"})
    assert refused.placement is None
    assert [one.dtype for one in role_formats(GEMM, refused)][:3] == ["fp8"] * 3


def test_the_shorthand_is_what_all_have_in_common():
    assert shorthand_of(GEMM, row(GEMM)) == "bf16"
    assert shorthand_of(GEMM, row(GEMM, dtypes={"all": "fp8"})) == "fp8"
    assert shorthand_of(GEMM, row(GEMM, dtypes={"weight": "int4"})) == MIXED


@pytest.mark.parametrize(
    ("given", "choice", "result"),
    [
        ({}, "int4", {"weight": "int4"}),
        ({}, "bf16", {}),
        ({"weight": "int4"}, "bf16", {}),
        ({"all": "fp8"}, "fp8", {"all": "fp8"}),
        ({"all": "fp8"}, "bf16", {"all": "fp8", "weight": "bf16"}),
    ],
)
def test_a_format_that_a_role_has_anyway_is_not_written_down(given, choice, result):
    assert after_choice(GEMM, given, "weight", choice) == result


def test_a_format_that_nobody_knows_is_survived():
    broken = row(GEMM, dtypes={"all": "fp3"})
    assert broken.state == "refused"
    assert [one.dtype for one in role_formats(GEMM, broken)][:3] == ["bf16"] * 3

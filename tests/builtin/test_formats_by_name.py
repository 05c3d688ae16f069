"""Every tensor can be given a format by its own name, and nothing else follows."""

from __future__ import annotations

import pytest

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.traffic import compulsory_bytes
from tests.builtin.evaluating import OPERATORS, estimate_of, formulas_of, placed, value_of

# Composites of whole models have roles; the generic kernel has any number of tensors.
BY_ROLE = {"elementwise"} | {id_ for id_ in OPERATORS if OPERATORS[id_].category == "Transformer"}
NAMES = [
    (id_, tensor.name)
    for id_ in sorted(OPERATORS)
    if id_ not in BY_ROLE
    for tensor in estimate_of(id_).tensors
]


@pytest.mark.parametrize(("id_", "name"), NAMES)
def test_a_tensor_that_is_named_changes_and_no_other_one_does(id_, name):
    before = estimate_of(id_)
    other = "fp16" if next(one for one in before.tensors if one.name == name).dtype.id != "fp16" else "bf16"

    after = estimate_of(id_, dtype=f"{name}={other}")

    changed = {
        one.name: new.dtype.id
        for one, new in zip(before.tensors, after.tensors, strict=True)
        if one.dtype.id != new.dtype.id
    }
    assert changed == {name: other}


@pytest.mark.parametrize("id_", sorted(set(OPERATORS) - BY_ROLE))
def test_the_names_are_those_of_tensors_that_some_setting_has(id_):
    operator = OPERATORS[id_]
    choices = [{one.name: choice} for one in operator.parameters for choice in one.choices or ()]
    switches = [{one.name: not one.default} for one in operator.parameters if isinstance(one.default, bool)]
    both = [{**choice, **more} for choice in choices for more in choices]
    known = {
        tensor.name
        for given in ({}, *choices, *switches, *both)
        for tensor in estimate_of(id_, **given).tensors
    }

    assert set(operator.tensor_roles) <= known


@pytest.mark.parametrize(
    ("dtype", "sizes", "pipe"),
    [
        ("bf16,A=fp8", (1, 2, 2), "bf16-tensor"),
        ("bf16,B=int4", (2, 4.15625 / 8, 2), "bf16-tensor"),
        ("bf16,C=fp32", (2, 2, 4), "bf16-tensor"),
        ("bf16,A=fp8,B=fp8", (1, 1, 2), "fp8-tensor"),
        ("fp8,A=bf16", (2, 1, 1), "bf16-tensor"),
        ("A=fp8,B=nvfp4,C=bf16", (1, 4.5 / 8, 2), "fp8-tensor"),
        ("A=fp8,B=fp8,compute=bf16", (1, 1, 2), "bf16-tensor"),
    ],
)
def test_a_product_takes_its_formats_tensor_by_tensor(dtype, sizes, pipe):
    estimate = estimate_of("gemm", m=8, n=16, k=128, dtype=dtype)
    a, b, c = sizes

    assert compulsory_bytes(estimate) == (a * 8 * 128 + b * 128 * 16, c * 8 * 16)
    assert estimate.main_pipe == pipe
    # Shown are six digits of a size.
    assert value_of(formulas_of(estimate)["compulsory"]) == pytest.approx(sum(compulsory_bytes(estimate)))
    assert value_of(formulas_of(estimate)["shared"]) == pytest.approx(sum(estimate.blocked["shared"]))


def test_the_backward_pass_takes_them_over():
    dc, db = (
        one.estimate
        for one in estimate_of("gemm", m=8, n=16, k=32, direction="backward", dtype="bf16,A=fp8").parts
    )

    # dA = dC·Bᵀ is 8 × 32 in the format of A; dB = Aᵀ·dC reads A in it.
    assert compulsory_bytes(dc) == (2 * 8 * 16 + 2 * 16 * 32, 1 * 8 * 32)
    assert compulsory_bytes(db) == (1 * 32 * 8 + 2 * 8 * 16, 2 * 32 * 16)


def test_the_document_says_what_was_named():
    result = placed("gemm", dtype="bf16,A=fp8")

    assert (result.dtypes["A"].id, result.dtypes["activation"].id) == ("fp8", "bf16")


def test_a_name_that_the_operator_does_not_have_is_refused_with_those_that_it_has():
    with pytest.raises(ParameterError, match=r"gemm has no tensor or role 'D'; it has .*, A, B, C"):
        estimate_of("gemm", dtype="bf16,D=fp8")

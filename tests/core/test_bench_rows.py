"""Chains of what stands in a study already."""

from __future__ import annotations

import pytest

from rooflinestudio.core.bench_chains import chain_of_rows
from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry
from tests.ui.shell_helpers import gemm, registry, study

SHAPE = {"tokens": 4096, "width": 8192}


def rows(*entries):
    return place(study(*entries), {}, registry()).rows


def entry(operator, parameters=SHAPE, **more):
    return Entry(operator, operator, parameters=parameters, label=operator.upper(), **more)


def test_rows_become_a_chain_that_is_all_split_with_the_sizes_of_the_first() -> None:
    made = chain_of_rows(rows(entry("rmsnorm", dtypes={"all": "fp16"}), entry("silu")), registry())

    assert [step.operator for step in made.spec.steps] == ["rmsnorm", "silu"]
    assert made.spec.cuts == (True,)
    assert (dict(made.parameters), dict(made.dtypes)) == (SHAPE, {"all": "fp16"})
    assert made.label == "RMSNORM + SILU"


def test_behind_a_product_its_shape_is_handed_on() -> None:
    # 4096 x 4096 comes out of the product, whatever the sum was placed with.
    made = chain_of_rows(rows(gemm(), entry("gelu")), registry())

    assert [step.parameters for step in made.spec.steps] == [(), ()]
    assert dict(made.parameters) == {"m": 4096, "n": 4096, "k": 4096}


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ((), "no operator"),
        ((entry("rmsnorm"), entry("transformer_layer", {})), "several kernels"),
        ((entry("rmsnorm"), entry("adam", {})), "adam"),
        ((entry("rmsnorm"), entry("acme.fancy", {})), "acme.fancy"),
    ],
)
def test_what_makes_no_chain_says_why(entries, reason) -> None:
    with pytest.raises(StudioError, match=reason):
        chain_of_rows(rows(*entries), registry())

"""The shorthand of number formats: what it says, and what choosing one leaves."""

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.resolution import resolve_dtypes
from rooflinestudio.core.shorthand import OWN, after_shorthand, common_format
from tests.ui.shell_helpers import registry

GEMM, ADAM = (registry().operator(id_) for id_ in ("gemm", "adam"))


def common(operator, **given):
    return common_format(operator, resolve_dtypes(operator, parse_dtypes(given)))


def test_the_common_format_is_that_of_all_roles_that_follow_the_shorthand():
    assert common(GEMM) == "bf16"
    assert common(GEMM, all="fp8") == "fp8"
    assert common(GEMM, accumulate="fp64") == "bf16"  # it never follows
    assert common(GEMM, weight="int4") is None


def test_choosing_a_shorthand_forgets_what_was_set_by_name_but_what_it_does_not_reach():
    given = {"all": "bf16", "weight": "int4", "compute": "fp16", "accumulate": "fp64"}
    assert after_shorthand(GEMM, given, "fp8") == {"all": "fp8", "accumulate": "fp64"}
    assert after_shorthand(ADAM, {"master": "bf16"}, "fp16") == {"all": "fp16", "master": "bf16"}


def test_choosing_its_own_formats_leaves_nothing():
    assert after_shorthand(GEMM, {"all": "bf16", "accumulate": "fp64"}, OWN) == {}


def test_of_an_unknown_operator_every_role_follows_that_can():
    given = {"weight": "int4", "output": "fp32", "accumulate": "fp64", "master": "fp32"}
    assert after_shorthand(None, given, "fp8") == {"all": "fp8", "accumulate": "fp64", "master": "fp32"}

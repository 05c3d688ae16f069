"""What the user left out: parameters by declaration and machine, formats by role."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rooflinestudio.core.dtypes import DTYPES, parse_dtypes
from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.operators import Parameter
from rooflinestudio.core.resolution import parameter_from_text, resolve_dtypes, resolve_parameters
from tests.core.kernels import operator
from tests.core.profiles import A100, H100

OP = operator(
    Parameter("m", "m", 16, high=1000),
    Parameter("share", "share", 0.5, low=0, high=1, integer=False),
    Parameter("size", "size", 1e6, "B", high=1e12),
    Parameter("causal", "causal", default=False),
    Parameter("kind", "kind", "flash", choices=("flash", "naive")),
    Parameter("tile", "tile", 128, high=4096, auto="tile_n"),
)


def test_what_is_left_out_takes_its_default():
    assert resolve_parameters(OP, {"m": 3}) == {
        "m": 3, "share": 0.5, "size": 1e6, "causal": False, "kind": "flash", "tile": 128,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("m", "0.5k", 500), ("m", " 32 ", 32), ("size", "50 MiB", 50 * 2**20), ("size", "3 kB", 3000),
        ("causal", "true", True), ("causal", "Off", False), ("kind", "naive", "naive"), ("share", "0.25", 0.25),
    ],
)  # fmt: skip
def test_texts_are_read_as_quantities_of_the_parameters_unit(name, text, value):
    assert resolve_parameters(OP, {name: text})[name] == value


def test_auto_takes_the_hint_of_the_machine_or_the_default():
    assert resolve_parameters(OP, {"tile": "auto"}, H100)["tile"] == 256
    assert resolve_parameters(OP, {"tile": "auto"}, A100)["tile"] == 128
    assert resolve_parameters(OP, {"tile": "auto"})["tile"] == 128


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 3}, "op has no parameter 'n'; "),
        ({"casual": True}, r"op has no parameter 'casual'; did you mean 'causal'\?"),
        ({"zzz": 1}, "it has m, share, size, causal, kind, tile"),
        ({"m": 0}, "op: m = 0 must lie between 1 and 1000"),
        ({"m": 1001}, "must lie between 1 and 1000"),
        ({"m": float("nan")}, "must lie between"),
        ({"m": 2.5}, r"op: m = 2.5 must be a whole number"),
        ({"m": True}, "m = True must be a number"),
        ({"m": [1, 2]}, "must be a number"),
        ({"m": np.array([5.0, 2000.0])}, "m = 2000 must lie between 1 and 1000"),
        ({"m": np.array([0.0, 2000.0])}, "m = 0 must lie between 1 and 1000"),
        ({"m": np.array([np.nan])}, "must lie between 1 and 1000"),
        (
            {"m": np.array([[1.0, 2.0], [3.0, 3.5]])},
            r"op: m = 3.5 \(element 3 of the array\) must be a whole number",
        ),
        ({"m": np.array([1.5, 2000.0])}, "m = 2000 must lie between 1 and 1000"),
        ({"causal": 1}, "causal = 1 must be true or false"),
        ({"causal": "perhaps"}, "causal = 'perhaps' must be true or false"),
        ({"kind": "fast"}, "kind = 'fast' must be one of flash, naive"),
        ({"m": "auto"}, "auto"),
        ({"m": "3 GB"}, "m: '3 GB' is not in a plain number"),
    ],
)
def test_what_cannot_be_is_refused_with_its_name_and_range(given, message):
    with pytest.raises(ParameterError, match=message):
        resolve_parameters(OP, given)


def test_arrays_pass_as_floats_and_numpy_scalars_as_plain_numbers():
    resolved = resolve_parameters(
        OP, {"m": np.array([1, 1000]), "share": np.float64(0.25), "tile": np.int64(64)}
    )

    assert resolved["m"].dtype == float
    assert (type(resolved["tile"]), resolved["tile"]) == (int, 64)
    assert (type(resolved["share"]), resolved["share"]) == (float, 0.25)
    assert resolve_parameters(OP, {"m": np.array(7)})["m"] == 7
    assert resolve_parameters(OP, {"m": np.array([])})["m"].size == 0


def test_arrays_of_whole_numbers_and_of_shares_pass():
    whole = resolve_parameters(OP, {"m": np.array([1.0, 2.0, 1000.0]), "share": np.array([0.25, 0.5])})

    assert list(whole["m"]) == [1, 2, 1000]
    assert list(whole["share"]) == [0.25, 0.5]


def test_a_quantity_that_cannot_be_read_names_its_parameter():
    with pytest.raises(ParameterError, match="op: size: '3 Gb' is ambiguous"):
        parameter_from_text(OP, OP.parameters[2], "3 Gb")


def formats(op, text):
    resolved = resolve_dtypes(op, parse_dtypes(text))
    return {role: one.id for role, one in resolved.items()}


PRODUCT = operator(roles={"activation": "bf16", "weight": "bf16", "output": "bf16", "accumulate": "fp32"})
VECTOR = operator(roles={"activation": "bf16", "output": "bf16", "compute": "fp32"})
STATEFUL = operator(roles={"weight": "bf16", "master": "fp32", "compute": "fp32"}, pinned=("master",))
PINNED = operator(roles={"activation": "bf16", "output": "fp32"}, pinned=("output",))


@pytest.mark.parametrize(
    ("op", "text", "expected"),
    [
        (PRODUCT, None, {**dict.fromkeys(("activation", "weight", "output", "compute"), "bf16"), "accumulate": "fp32"}),
        (PRODUCT, "fp8", {**dict.fromkeys(("activation", "weight", "output", "compute"), "fp8"), "accumulate": "fp32"}),
        (PRODUCT, "bf16,weight=int4", {"weight": "int4", "compute": "bf16"}),
        (PRODUCT, "fp8,compute=bf16", {"activation": "fp8", "compute": "bf16"}),
        (PRODUCT, "accumulate=bf16", {"accumulate": "bf16"}),
        (PRODUCT, "bf16,kv=fp8", {"activation": "bf16"}),  # a role that it does not use may be named for a chain
        (VECTOR, "bf16", {"compute": "fp32"}),
        (VECTOR, "fp64", {"compute": "fp64"}),
        (VECTOR, "fp16,compute=fp16", {"compute": "fp16"}),
        (STATEFUL, "fp8", {"weight": "fp8", "master": "fp32"}),
        (STATEFUL, "fp8,master=bf16", {"weight": "fp8", "master": "bf16"}),
        (PINNED, "fp8", {"activation": "fp8", "output": "fp32"}),
        (PINNED, "fp8,output=fp8", {"output": "fp8"}),
    ],
)  # fmt: skip
def test_formats_follow_the_name_then_the_shorthand_then_the_operator(op, text, expected):
    got = formats(op, text)

    assert {role: got[role] for role in expected} == expected


NAMED = operator(roles={"activation": "bf16", "weight": "bf16", "output": "bf16"})
NAMED.tensor_roles = {"A": "activation", "B": "weight", "C": "output", "gradient": ""}
TWO = operator(roles={"activation": "bf16", "output": "bf16"})
TWO.tensor_roles = {"x": "activation", "residual": "activation", "y": "output"}


@pytest.mark.parametrize(
    ("op", "text", "expected"),
    [
        (NAMED, "A=fp8", {"A": "fp8", "activation": "bf16", "compute": "bf16"}),
        (NAMED, "fp8,A=bf16", {"A": "bf16", "activation": "fp8", "weight": "fp8", "compute": "bf16"}),
        (NAMED, "bf16,A=fp8,B=fp8", {"A": "fp8", "B": "fp8", "compute": "fp8"}),
        (NAMED, "bf16,A=fp8,weight=int8", {"A": "fp8", "weight": "int8", "compute": "fp8"}),
        (NAMED, "bf16,C=fp32,gradient=fp32", {"C": "fp32", "gradient": "fp32", "compute": "bf16"}),
        (NAMED, "activation=fp8,A=fp16", {"A": "fp16", "activation": "fp8"}),
        (NAMED, "A=fp8,B=fp8,compute=bf16", {"compute": "bf16"}),
        (TWO, "bf16,x=fp8", {"x": "fp8", "compute": "bf16"}),  # the residual is still bf16
        (TWO, "bf16,x=fp8,residual=fp8", {"compute": "fp8"}),
    ],
)
def test_a_tensor_that_is_named_has_a_format_of_its_own(op, text, expected):
    got = formats(op, text)

    assert {name: got[name] for name in expected} == expected


def test_the_format_of_a_tensor_is_what_it_was_named_else_that_of_its_role():
    resolved = resolve_dtypes(NAMED, parse_dtypes("bf16,A=fp8"))

    assert resolved.of("A", "activation") is DTYPES["fp8"]
    assert resolved.of("B", "weight") is DTYPES["bf16"]
    assert "B" not in resolved
    with pytest.raises(KeyError, match="D or state"):
        resolved.of("D", "state")


def test_a_tensor_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(
        ParameterError, match="no tensor or role 'D'; it has activation, weight, output, A, B, C, gradient"
    ):
        resolve_dtypes(NAMED, parse_dtypes("bf16,D=fp8"))


def test_what_was_named_is_remembered():
    resolved = resolve_dtypes(PRODUCT, parse_dtypes("bf16,weight=int4"))

    assert resolved.explicit == {"weight"}


def test_an_answer_is_remembered_and_still_ones_own():
    first, second = (resolve_dtypes(PRODUCT, parse_dtypes("fp8,weight=bf16")) for _ in range(2))
    first["output"] = DTYPES["fp32"]

    assert second["output"] is DTYPES["fp8"]
    assert first.explicit == second.explicit == {"weight"}


def test_an_operator_that_cannot_be_hashed_is_resolved_all_the_same():
    stranger = SimpleNamespace(id="s", parameters=(), dtype_roles={"activation": "fp16"}, pinned=frozenset())

    assert formats(stranger, "fp8") == {"activation": "fp8", "compute": "fp8"}


def test_an_operator_of_results_alone_names_no_format_to_compute_in():
    assert "compute" not in resolve_dtypes(operator(roles={"output": "bf16"}), {})


def test_a_tensor_that_the_operator_does_not_have_is_refused():
    with pytest.raises(ParameterError, match="op has no tensor or role 'wieght'; it has activation, weight"):
        resolve_dtypes(PRODUCT, parse_dtypes("wieght=int4"))

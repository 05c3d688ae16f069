"""Number formats: stored bits, pipes, order, and how they are read from text."""

from __future__ import annotations

import pytest

from rooflinestudio.core.dtypes import DTYPES, compute_of, dtype, parse_dtypes
from rooflinestudio.core.errors import ParameterError


@pytest.mark.parametrize(
    ("id_", "bits"),
    [
        ("fp64", 64), ("fp32", 32), ("tf32", 32), ("bf16", 16), ("fp16", 16), ("fp8", 8), ("int8", 8),
        ("mxfp8", 8 + 8 / 32),  # one byte of scale for 32 elements
        ("mxfp4", 4 + 8 / 32),
        ("nvfp4", 4 + 8 / 16),
        ("int4", 4 + (16 + 4) / 128),  # an fp16 scale and a 4-bit zero point for 128
    ],
)  # fmt: skip
def test_scales_are_part_of_what_is_stored(id_, bits):
    assert DTYPES[id_].storage_bits == bits
    assert DTYPES[id_].bytes == bits / 8
    assert str(DTYPES[id_]) == id_


@pytest.mark.parametrize(
    ("id_", "pipe"),
    [("mxfp8", "fp8"), ("mxfp4", "fp4"), ("nvfp4", "fp4"), ("tf32", "tf32"), ("bf16", "bf16")],
)
def test_block_formats_run_on_the_pipe_of_their_elements(id_, pipe):
    assert DTYPES[id_].pipe == pipe


@pytest.mark.parametrize(
    ("operands", "widest"),
    [
        (("bf16", "int4"), "bf16"), (("fp16", "bf16"), "bf16"), (("fp8", "bf16", "fp8"), "bf16"),
        (("fp8", "mxfp4"), "fp8"), (("fp32", "fp64"), "fp64"),
    ],
)  # fmt: skip
def test_the_widest_operand_is_what_is_computed_in(operands, widest):
    assert compute_of(DTYPES[one] for one in operands).id == widest


def test_an_unknown_format_is_refused_with_the_nearest():
    with pytest.raises(ParameterError, match=r"unknown dtype 'bf61'; did you mean 'bf16'\?"):
        dtype("bf61")
    with pytest.raises(ParameterError, match="known: fp64, fp32"):
        dtype("quux")
    assert dtype(" BF16 ") is DTYPES["bf16"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, {}),
        ("", {}),
        ("bf16", {"all": "bf16"}),
        ("bf16,weight=int4, kv=fp8", {"all": "bf16", "weight": "int4", "kv": "fp8"}),
        ("weight = fp8", {"weight": "fp8"}),
        ({"all": "bf16", "weight": "int4"}, {"all": "bf16", "weight": "int4"}),
    ],
)
def test_formats_are_read_from_text_or_a_mapping(text, expected):
    assert {role: one.id for role, one in parse_dtypes(text).items()} == expected


@pytest.mark.parametrize("text", ["bf16,fp8", "weight=fp8,weight=bf16"])
def test_a_role_given_twice_is_refused(text):
    with pytest.raises(ParameterError, match="twice; keep one of them"):
        parse_dtypes(text)

"""Shorter forms of kernel names."""

from __future__ import annotations

import pytest

from rooflinestudio.core.measured.display import shorter_names


@pytest.mark.parametrize(
    ("kernel", "forms"),
    [
        (
            "void ns::very::add<float, 4>(float *, int)",
            ("ns::very::add<float,4>", "add<float,4>"),
        ),
        ("copy(float *)", ("copy",)),
        ("copy", ()),
        ("", ()),
        ("a::b<c::d>", ("b<c::d>",)),  # what stands in brackets is no namespace of it
    ],
)
def test_parameters_go_first_then_namespaces(kernel, forms):
    assert shorter_names(kernel) == forms

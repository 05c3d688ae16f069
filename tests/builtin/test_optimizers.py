"""Adam: thirty bytes and twelve FLOP for every parameter, whatever the model."""

from __future__ import annotations

import pytest

from rooflinestudio.core.traffic import compulsory_bytes
from tests.builtin.evaluating import estimate_of, formulas_of, placed, value_of


@pytest.mark.parametrize(
    ("dtype", "gradient", "read", "written"),
    [
        (None, "fp32", 4 + 12, 12 + 2),  # 30 bytes: the usual mixed-precision step
        ("bf16", "fp32", 4 + 12, 12 + 2),
        ("bf16", "bf16", 2 + 12, 12 + 2),
        ("fp8", "bf16", 2 + 12, 12 + 1),
        ("fp32", "fp32", 4 + 12, 12),  # the forward pass reads the master weights: no copy
        ("bf16,weight=fp32", "fp32", 4 + 12, 12),
        ("bf16,m=bf16,v=bf16", "bf16", 2 + 4 + 4, 4 + 4 + 2),
    ],
)
def test_state_is_pinned_to_fp32_and_the_copy_follows_the_shorthand(dtype, gradient, read, written):
    estimate = estimate_of("adam", parameter_count=1000, gradient_dtype=gradient, dtype=dtype)

    assert compulsory_bytes(estimate) == (1000 * read, 1000 * written)
    assert estimate.work == {"fp32": 12_000}


def test_the_gradient_comes_in_first_and_the_weights_go_out_last():
    copied, plain = estimate_of("adam").tensors, estimate_of("adam", dtype="fp32").tensors

    assert (copied[0].name, copied[-1].name) == ("gradient", "weights")
    assert plain[-1].name == "master"
    assert {one.role for one in copied[1:4]} == {"state"}


def test_state_is_held_once_although_it_is_read_and_written():
    assert estimate_of("adam", parameter_count=10).footprint_bytes == 10 * (4 + 12 + 2)


def test_seven_billion_parameters_do_not_fit_into_80_gb():
    assert any(note.startswith("Does not fit: it needs 126 GB at once") for note in placed("adam").notes)
    assert not any("fit" in note for note in placed("adam", parameter_count=1e9).notes)


@pytest.mark.parametrize("dtype", ["bf16", "fp32"])
def test_the_formulas_give_the_figures(dtype):
    estimate = estimate_of("adam", parameter_count=1234, dtype=dtype)

    assert value_of(formulas_of(estimate)["work"]) == estimate.work["fp32"]
    assert value_of(formulas_of(estimate)["compulsory"]) == sum(compulsory_bytes(estimate))

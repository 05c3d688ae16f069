"""Edits of a chain as written: each keeps everything that it is not about."""

from __future__ import annotations

import pytest

from rooflinestudio.core.bench_edit import (
    checked_chain,
    cuts_of,
    step_of,
    with_names,
    with_step,
    with_step_moved,
    with_written,
    without_step,
)
from rooflinestudio.core.errors import ParameterError, UnavailableError
from rooflinestudio.core.fusion_notation import parse_chain
from tests.ui.shell_helpers import registry

CHAIN = "x -> add(r) + rmsnorm | silu! + mul(v)"


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (0, "x -> gelu | add(r) + rmsnorm | silu! + mul(v)"),
        (1, "x -> add(r) + gelu + rmsnorm | silu! + mul(v)"),
        (2, "x -> add(r) + rmsnorm | gelu | silu! + mul(v)"),
        (4, "x -> add(r) + rmsnorm | silu! + mul(v) | gelu"),
        (99, "x -> add(r) + rmsnorm | silu! + mul(v) | gelu"),
    ],
)
def test_an_operator_is_put_in(at, expected) -> None:
    assert str(with_step(parse_chain(CHAIN), at, step_of("gelu"))) == expected


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (0, "x -> rmsnorm | silu! + mul(v)"),
        (1, "x -> add(r) | silu! + mul(v)"),
        (2, "x -> add(r) + rmsnorm | mul(v)"),
        (3, "x -> add(r) + rmsnorm | silu!"),
    ],
)
def test_an_operator_is_taken_out_and_boundaries_stay(at, expected) -> None:
    assert str(without_step(parse_chain(CHAIN), at)) == expected


def test_the_last_operator_stays() -> None:
    with pytest.raises(ParameterError, match="at least one operator"):
        without_step(parse_chain("add"), 0)


def test_what_is_put_in_can_be_taken_out_again() -> None:
    spec = parse_chain(CHAIN)
    for at in range(len(spec.steps) + 1):
        assert without_step(with_step(spec, at, step_of("gelu")), at) == spec


def test_an_operator_moves_and_boundaries_stay_where_they_are() -> None:
    spec = parse_chain(CHAIN)
    moved = with_step_moved(spec, 0, 3)
    assert str(moved) == "x -> rmsnorm + silu! | mul(v) + add(r)"
    assert with_step_moved(moved, 3, 0) == spec


def test_a_result_is_written_and_kept_again() -> None:
    spec = parse_chain(CHAIN)
    assert str(with_written(spec, 0, True)) == "x -> add!(r) + rmsnorm | silu! + mul(v)"
    assert with_written(with_written(spec, 0, True), 0, False) == spec


def test_inputs_are_named_and_parameters_stay() -> None:
    spec = parse_chain("x -> gemm(n=512) + add!")
    assert str(with_names(spec, 1, "x")) == "x -> gemm(n=512) + add!(x)"
    assert str(with_names(spec, 0, " w ")) == "x -> gemm(w, n=512) + add!"
    assert with_names(with_names(spec, 1, "x"), 1, "") == spec
    with pytest.raises(ParameterError, match="no name"):
        with_names(spec, 1, "7")


def test_cuts_are_numbers_of_joints() -> None:
    assert cuts_of(parse_chain("add | relu + gelu | silu")) == (0, 2)


def test_steps_keep_parameters_as_they_are_typed() -> None:
    assert str(step_of("gemm", {"n": 512.0, "stream_k": True, "tile_m": "auto"})) == (
        "gemm(n=512, stream_k=true, tile_m=auto)"
    )


def test_a_typed_chain_needs_known_operators() -> None:
    assert str(checked_chain("add+relu", registry())) == "add + relu"
    with pytest.raises(UnavailableError):
        checked_chain("add + nonsense", registry())
    with pytest.raises(ParameterError):
        checked_chain("add +", registry())

"""Which ceiling a kernel's work runs against, and what happens where a machine lacks it."""

from __future__ import annotations

import numpy as np
import pytest

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.pipes import pipe_times, resolve_pipe
from tests.core.profiles import A100, H100, TINY, machine


@pytest.mark.parametrize(
    ("pipe", "ceiling"),
    [
        ("bf16-tensor", "bf16-tensor"),
        ("fp32", "fp32"),
        ("fp32-tensor", "fp32"),  # never silently tf32-tensor, although the machine has it
        ("fp16", "fp16"),
        ("fp4-tensor", None),
        ("special", "special"),
    ],
)
def test_a_pipe_runs_on_its_own_ceiling_or_on_the_vector_one(pipe, ceiling):
    assert resolve_pipe(pipe, H100) == ceiling


def test_the_slowest_pipe_takes_the_time_and_the_special_one_is_no_work():
    result = pipe_times({"bf16-tensor": 2000.0, "fp32": 100.0, "special": 200.0}, "bf16-tensor", TINY)

    assert result.ids == ("bf16-tensor", "fp32", "special")
    assert (result.compute_s, result.ids[result.at]) == (4.0, "special")
    assert result.work_flop == 2100
    assert (result.main_id, result.main_flop_per_s) == ("bf16-tensor", 1000)


def test_special_work_is_left_out_where_the_machine_has_no_figure_for_it():
    result = pipe_times({"bf16-tensor": 312e12, "special": 1e30}, "bf16-tensor", A100)

    assert result.ids == ("bf16-tensor",)
    assert result.compute_s == 1


def test_a_ceiling_of_choice_replaces_that_of_the_main_pipe_alone():
    result = pipe_times({"bf16-tensor": 1000.0, "special": 100.0}, "bf16-tensor", TINY, ceiling="fp32")

    assert (result.main_id, result.main_flop_per_s, result.compute_s) == ("fp32", 100, 10)
    assert result.ids == ("fp32", "special")


def test_a_machine_without_the_format_is_named_with_what_it_has_instead():
    with pytest.raises(RefusedError) as refused:
        pipe_times({"fp4-tensor": 1.0}, "fp4-tensor", H100)

    text = str(refused.value)
    assert text.startswith(
        "H100 SXM5 80 GB has no fp4 tensor pipe and no vector fp4 rate. It has bf16-tensor"
    )
    assert "Store fp4 and compute in another format (compute=bf16), or choose another machine." in text


def test_a_machine_with_vector_rates_alone_offers_those():
    vector = machine("v", ceilings={"fp32": 1.0}, boundaries={"dram": 1.0})

    with pytest.raises(RefusedError, match=r"It has fp32\. .*compute=fp32"):
        pipe_times({"int8-tensor": 1.0}, "int8-tensor", vector)


def test_a_second_pipe_that_is_missing_is_refused_too():
    with pytest.raises(RefusedError, match="no fp16 pipe"):
        pipe_times({"bf16-tensor": 1.0, "fp16": 1.0}, "bf16-tensor", TINY)


def test_without_work_nothing_is_held_against_any_ceiling():
    result = pipe_times({}, "fp64", TINY)

    assert (result.ids, result.compute_s, result.work_flop) == (("bf16-tensor",), 0.0, 0.0)
    assert result.main_id == TINY.reference_ceiling


def test_arrays_choose_the_slowest_pipe_element_by_element():
    result = pipe_times({"bf16-tensor": np.array([1000.0, 9000.0]), "special": 200.0}, "bf16-tensor", TINY)

    assert result.compute_s.tolist() == [4, 9]
    assert [result.ids[at] for at in result.at] == ["special", "bf16-tensor"]

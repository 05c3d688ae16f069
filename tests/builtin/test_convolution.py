"""Convolution: output sizes against a sliding window, the implied product, true tensors, groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes, tiled_bytes
from tests.builtin.evaluating import estimate_of, formulas_of, placed, value_of

SMALL = {"batch": 2, "in_channels": 8, "out_channels": 16, "height": 12, "width": 10}


def positions(size, kernel, stride, padding, dilation):
    """Count where a filter fits, by sliding it."""
    last_tap = dilation * (kernel - 1)
    return len([at for at in range(-padding, size + padding, stride) if at + last_tap < size + padding])


@given(st.integers(1, 40), st.integers(1, 5), st.integers(1, 4), st.integers(0, 3), st.integers(1, 3))
def test_the_result_has_a_point_wherever_the_filter_fits(size, kernel, stride, padding, dilation):
    own = {"stride": stride, "padding": padding, "dilation": dilation, "kernel_h": kernel, "kernel_w": 1}
    rows = positions(size, kernel, stride, padding, dilation)
    columns = positions(7, 1, stride, padding, dilation)
    shape = {"batch": 1, "in_channels": 1, "out_channels": 1, "height": size, "width": 7}

    if rows == 0:
        with pytest.raises(ParameterError, match="larger than the padded image"):
            estimate_of("conv2d", **shape, **own)
        return

    assert estimate_of("conv2d", **shape, **own).tensors[-1].elements == rows * columns


def test_work_is_that_of_the_implied_product_and_traffic_that_of_the_true_tensors():
    estimate = estimate_of("conv2d", **SMALL)

    assert estimate.work == {"bf16-tensor": 2 * (2 * 12 * 10) * 16 * (8 * 9)}
    assert compulsory_bytes(estimate) == (2 * (2 * 8 * 120 + 16 * 8 * 9), 2 * 2 * 16 * 120)
    assert [one.name for one in estimate.tensors] == ["x", "filters", "y"]


def test_a_convolution_of_single_points_is_a_matrix_product():
    own = {"kernel_h": 1, "kernel_w": 1, "padding": 0}
    convolution = estimate_of("conv2d", **{**SMALL, "height": 120, "width": 100}, **own)
    product = estimate_of("gemm", m=2 * 12_000, n=16, k=8)

    assert convolution.work == product.work
    assert compulsory_bytes(convolution) == compulsory_bytes(product)
    assert tiled_bytes(convolution) == tiled_bytes(product)
    assert convolution.blocked["register"] == product.blocked["register"]
    assert dict(convolution.padded_work) == dict(product.padded_work)
    assert convolution.launch.blocks == product.launch.blocks


def test_blocked_every_column_of_tiles_reads_the_patches_and_every_row_the_filters():
    estimate = estimate_of("conv2d", batch=1, in_channels=64, out_channels=300, height=32, width=32)
    points, taps = 32 * 32, 64 * 9

    assert tiled_bytes(estimate) == (2 * (points * taps * 3 + 300 * taps * 8), 2 * 300 * points)


def test_the_image_is_read_once_at_least_although_a_wide_stride_skips_points():
    estimate = estimate_of("conv2d", **SMALL, stride=5, kernel_h=1, kernel_w=1, padding=0)

    assert compulsory_bytes(estimate)[0] == 2 * (2 * 8 * 120 + 16 * 8)
    assert tiled_bytes(estimate) == compulsory_bytes(estimate)


def test_depthwise_filters_leave_almost_no_reuse():
    dense, depthwise = (
        placed("conv2d", batch=32, in_channels=256, out_channels=256, groups=groups) for groups in (1, 256)
    )

    assert depthwise.work_flop == dense.work_flop / 256
    assert depthwise.bound == "memory"
    assert dense.bound == "compute"
    assert depthwise.intensity == pytest.approx(2 * 9 / 4, rel=0.01)


@pytest.mark.parametrize(
    ("name", "other"), [("in_channels", "out_channels"), ("out_channels", "in_channels")]
)
def test_groups_must_divide_the_channels(name, other):
    with pytest.raises(ParameterError, match=f"conv2d: {name} = 30 is not a multiple of groups = 8"):
        estimate_of("conv2d", **{**SMALL, name: 30, other: 32}, groups=8)


def test_a_sweep_is_refused_where_one_of_its_filters_does_not_fit():
    with pytest.raises(ParameterError, match="larger than the padded image"):
        estimate_of("conv2d", **SMALL, kernel_h=np.array([3.0, 50.0]))


def test_a_forecast_pads_to_whole_tiles():
    result = placed("conv2d", **SMALL, settings=Settings(forecast=True))

    assert result.limits.judged["tiles"]["padded_work_flop"] == 2 * 256 * 128 * 72
    assert result.limits.judged["waves"]["tiles"] == 2


@pytest.mark.parametrize(
    "parameters", [{}, SMALL, {"groups": 4, "stride": 2}, {"kernel_h": 7, "dilation": 2, "padding": 0}]
)
def test_the_formulas_give_the_figures(parameters):
    estimate = estimate_of("conv2d", **parameters, dtype="bf16,filters=fp8")
    formulas = formulas_of(estimate)

    assert value_of(formulas["work"]) == sum(estimate.work.values())
    assert value_of(formulas["compulsory"]) == sum(compulsory_bytes(estimate))
    assert value_of(formulas["tiled"]) == sum(tiled_bytes(estimate))

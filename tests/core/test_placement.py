"""An estimate held against a machine: which boundary binds, what is shown where, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.hardware import Boundary
from rooflinestudio.core.operators import MEMORY_INSIDE_DRAM, Launch, Tensor
from rooflinestudio.core.placement import Settings, place_estimate
from tests.core.kernels import kernel
from tests.core.profiles import TINY, figure, machine, without

# On TINY: 1000 FLOP/s on the matrix pipe, 100 on fp32; shared 1000, l2 100, dram 10, nvlink 1 bytes per second.
ALL = Settings(boundary="all")
EVERY = ("shared", "l2", "dram", "nvlink")


def at(boundary, **more):
    return Settings(boundary=boundary, **more)


# ------------------------------------------------------------------------------------------ selection


def test_alone_dram_and_compute_may_bind():
    memory, compute = place_estimate(kernel(1000, 30, 20), TINY), place_estimate(kernel(9000, 30, 20), TINY)

    assert (memory.time_s, memory.bound, memory.binding, memory.boundary) == (5, "memory", "dram", "dram")
    assert (memory.intensity, memory.attainable_flop_per_s, memory.fraction_of_peak) == (20, 200, 0.2)
    assert (compute.time_s, compute.bound, compute.binding) == (9, "compute", "bf16-tensor")
    assert (compute.ceiling_id, compute.ceiling_flop_per_s) == ("bf16-tensor", 1000)


def test_with_all_the_slowest_crossed_boundary_stands_at_the_top():
    estimate = kernel(1000, 30, 20, blocked={"shared": (2000.0, 0.0), "l2": (900.0, 100.0)})

    result = place_estimate(estimate, TINY, ALL)

    assert (result.time_s, result.bound, result.binding, result.boundary) == (10, "memory", "l2", "l2")
    assert (result.traffic_bytes, result.intensity) == (1000, 1)


def test_a_boundary_selected_alone_hides_the_others():
    estimate = kernel(1000, 30, 20, blocked={"shared": (2000.0, 0.0), "l2": (900.0, 100.0)})

    result = place_estimate(estimate, TINY, at("shared"))

    assert (result.time_s, result.binding, result.traffic_bytes) == (2, "shared", 2000)


def test_a_boundary_that_is_not_crossed_binds_nothing_and_shows_what_it_would_be():
    result = place_estimate(kernel(1000, 30, 20), TINY, at("nvlink"))

    assert (result.time_s, result.bound, result.binding) == (1, "compute", "bf16-tensor")
    assert (result.boundary, result.traffic_bytes, result.intensity) == ("nvlink", 50, 20)
    assert (result.memory_s, result.fraction_of_peak) == (0, 1)
    figures = result.at("nvlink")
    assert (figures.crosses, figures.time_s, figures.traffic_bytes, figures.ridge) == (False, None, 50, 1000)


def test_with_all_a_boundary_that_is_not_crossed_never_binds():
    assert place_estimate(kernel(1, 30, 20), TINY, ALL).binding == "dram"


def test_links_bind_for_those_who_cross_them():
    estimate = kernel(1, 30, 20, crosses=MEMORY_INSIDE_DRAM | {"nvlink"}, blocked={"nvlink": (0.0, 8.0)})

    result = place_estimate(estimate, TINY, ALL)

    assert (result.binding, result.time_s, result.traffic_bytes) == ("nvlink", 8, 8)
    assert result.at("nvlink").write_bytes == 8


@pytest.mark.parametrize("link", ["nvlink", "xgmi", "pcie", "network"])
def test_a_collective_is_at_home_on_the_first_link_of_the_machine(link):
    profile = machine("m", ceilings={"fp32": 10.0}, boundaries={"dram": 10.0, link: 2.0})
    estimate = kernel(
        0, 40, 40, pipe="fp32", crosses=frozenset({"dram", "link"}), blocked={"link": (0.0, 60.0)}, home="link"
    )  # fmt: skip

    result = place_estimate(estimate, profile)

    assert (result.boundary, result.traffic_bytes, result.time_s) == (link, 60, 30)
    assert result.at("dram").traffic_bytes == 80


def test_a_collective_without_a_link_is_refused_with_what_the_machine_has():
    estimate = kernel(0, 4, 4, crosses=frozenset({"link"}), home="link")

    with pytest.raises(
        RefusedError, match="Tiny has no link between devices; its profile knows shared, l2, dram"
    ):
        place_estimate(estimate, without(TINY, boundaries=("nvlink",)))


@pytest.mark.parametrize("boundary", ["all", "dram", "l2"])
def test_what_needs_a_link_is_refused_without_one_wherever_it_is_looked_at(boundary):
    # Left out silently, the link would make the rest of it look like all of it.
    estimate = kernel(0, 4, 4, crosses=frozenset({"dram", "link"}), home="link")

    with pytest.raises(RefusedError, match="needs one of nvlink, xgmi, ici, pcie or network"):
        place_estimate(estimate, without(TINY, boundaries=("nvlink",)), Settings(boundary=boundary))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            at("l3"),
            "Tiny has no boundary 'l3'; its profile knows shared, l2, dram, nvlink. Choose one of these.",
        ),
        (Settings(ceiling="fp64"), "Tiny has no ceiling 'fp64'; it has bf16-tensor, fp32, special."),
    ],
)
def test_what_the_machine_lacks_is_refused_with_what_it_has(settings, message):
    with pytest.raises(RefusedError) as refused:
        place_estimate(kernel(1, 1, 1), TINY, settings)

    assert str(refused.value) == message


def test_a_kernel_that_crosses_nothing_cannot_be_placed_at_all_of_it():
    estimate = kernel(1, 1, 1, crosses=frozenset())

    with pytest.raises(
        RefusedError, match=r"crosses no boundary of Tiny\. Choose one of them alone: shared, l2"
    ):
        place_estimate(estimate, TINY, ALL)
    assert place_estimate(estimate, TINY).bound == "compute"


@pytest.mark.parametrize(
    "wrong",
    [{"policy": "guessed"}, {"absorption": 1.5}, {"absorption": -0.1}, {"overlap": 2}, {"overlap": math.nan}],
)
def test_settings_out_of_range_are_refused(wrong):
    name = next(iter(wrong))
    with pytest.raises(ParameterError, match=f"{name}.* must"):
        Settings(**wrong)


# --------------------------------------------------------------------- boundaries that do not feed the matrix pipe

FED_FROM_L2 = replace(
    TINY,
    boundaries={**TINY.boundaries, "shared": Boundary("shared", "Scratchpad", figure(1), feeds_matrix=False)},
)


def test_a_boundary_that_does_not_feed_the_matrix_pipe_is_shown_and_does_not_bind_for_products():
    product, vector = kernel(1000, 30, 20), kernel(100, 30, 20, pipe="fp32")

    assert place_estimate(product, FED_FROM_L2, ALL).binding == "dram"
    assert place_estimate(vector, FED_FROM_L2, ALL).binding == "shared"
    alone = place_estimate(product, FED_FROM_L2, at("shared"))
    assert (alone.bound, alone.time_s, alone.traffic_bytes) == ("compute", 1, 50)


# ------------------------------------------------------------------------------------------ policy

BLOCKED = kernel(1000, 30, 20, blocked={"dram": (180.0, 20.0)})


@pytest.mark.parametrize(
    ("policy", "absorption", "traffic"),
    [("compulsory", 0.5, 50), ("tiled", 0.5, 200), ("modelled", 0.5, 125), ("modelled", 1.0, 50)],
)
def test_the_policy_moves_dram_and_nothing_inside(policy, absorption, traffic):
    result = place_estimate(BLOCKED, TINY, Settings(policy=policy, absorption=absorption))

    assert result.traffic_bytes == traffic
    assert result.at("l2").traffic_bytes == 200
    assert result.at("nvlink").traffic_bytes == 50


# ------------------------------------------------------------------------------------------ nothing, zero, infinity


def test_zero_work_has_intensity_and_fraction_0_and_is_bound_by_memory():
    result = place_estimate(kernel(0, 30, 20), TINY)

    figures = (result.work_flop, result.intensity, result.attainable_flop_per_s, result.fraction_of_peak)
    assert figures == (0, 0, 0, 0)
    assert (result.time_s, result.bound) == (5, "memory")


def test_zero_traffic_has_infinite_intensity_and_is_bound_by_compute():
    result = place_estimate(kernel(500, 0, 0), TINY)

    assert (result.intensity, result.bound, result.time_s, result.fraction_of_peak) == (
        math.inf,
        "compute",
        0.5,
        1,
    )


def test_neither_work_nor_traffic_is_refused():
    with pytest.raises(RefusedError, match="No work and no traffic on Tiny: nothing to place"):
        place_estimate(kernel(0, 0, 0), TINY)
    with pytest.raises(RefusedError, match="No work and no traffic"):
        place_estimate(kernel(np.array([1.0, 0.0]), np.array([1.0, 0.0])), TINY)


def test_zero_work_at_a_boundary_that_is_not_crossed_is_refused():
    with pytest.raises(
        RefusedError, match=r"does not cross nvlink: nothing to place\. Select dram or another"
    ):
        place_estimate(kernel(0, 30, 20), TINY, at("nvlink"))


# ------------------------------------------------------------------------------------------ ceilings and slopes


def test_a_ceiling_of_choice_holds_for_time_and_fraction():
    result = place_estimate(kernel(1000, 30, 20), TINY, Settings(ceiling="fp32"))

    assert (result.time_s, result.fraction_of_peak, result.ceiling_id) == (10, 1, "fp32")
    assert result.at("dram").ridge == 10


def test_a_tensor_with_a_slope_of_its_own_runs_at_it():
    dram = Boundary("dram", "Memory", figure(10), slopes={"gather": figure(2)})
    profile = replace(TINY, boundaries={"dram": dram})
    byte = DTYPES["fp8"]
    tensors = (
        Tensor("table", 20, byte, 1, slope="gather"),
        Tensor("index", 5, byte, 1),
        Tensor("rows", 15, byte, 0, 1),
    )

    result = place_estimate(kernel(0, tensors=tensors), profile)

    assert result.time_s == 20 / 2 + 20 / 10
    assert place_estimate(kernel(0, tensors=tensors), TINY).time_s == 4  # no such slope: the plain one


@pytest.mark.parametrize(("overlap", "time_s"), [(1.0, 5.0), (0.0, 6.0), (0.25, 5.75)])
def test_what_does_not_overlap_adds_up(overlap, time_s):
    assert place_estimate(kernel(1000, 30, 20), TINY, Settings(overlap=overlap)).time_s == time_s


# ------------------------------------------------------------------------------------------ arrays

NUMBERS = st.lists(st.tuples(*[st.integers(0, 5000)] * 4), min_size=1, max_size=5)


@given(
    NUMBERS,
    st.sampled_from((None, "all", *EVERY)),
    st.sampled_from(("compulsory", "tiled", "modelled")),
    st.sampled_from((0.0, 0.5, 1.0)),
    st.booleans(),
)
def test_arrays_are_placed_like_single_numbers(rows, boundary, policy, overlap, forecast):
    settings = Settings(boundary=boundary, policy=policy, overlap=overlap, forecast=forecast)

    def build(work, read, inner, flight):
        return kernel(
            work + 1.0, read + 1.0, 5.0, more_work={"special": work / 30},
            blocked={"shared": (40.0 * inner, 1.0), "dram": (read + inner, 5.0)},
            launch=Launch(blocks=inner + 1.0, bytes_in_flight=flight + 1.0), padded_work={"bf16-tensor": work + inner},
        )  # fmt: skip

    alone = [place_estimate(build(*map(float, row)), TINY, settings) for row in rows]
    together = place_estimate(build(*np.array(rows, dtype=float).T), TINY, settings)

    for name in (
        "work_flop",
        "traffic_bytes",
        "intensity",
        "attainable_flop_per_s",
        "time_s",
        "fraction_of_peak",
    ):
        assert getattr(together, name).tolist() == pytest.approx([getattr(one, name) for one in alone]), name
    assert together.bound_words() == [one.bound for one in alone]
    assert together.binding_words() == [one.binding for one in alone]
    for id_ in TINY.boundaries:
        traffic = np.broadcast_to(together.at(id_).traffic_bytes, len(rows)).tolist()
        assert traffic == pytest.approx([one.at(id_).traffic_bytes for one in alone])


def test_padding_of_no_work_at_all_is_judged_and_not_divided_by():
    forecast = Settings(forecast=True)
    whole = kernel(0.0, 30.0, 20.0, padded_work={"bf16-tensor": 0.0})
    alone = place_estimate(whole, TINY, forecast)
    assert alone.limits.judged["tiles"]["efficiency"] == 1.0

    works = np.array([0.0, 1000.0])
    padded = {"bf16-tensor": np.array([0.0, 2000.0])}
    both = place_estimate(kernel(works, 30.0, 20.0, padded_work=padded), TINY, forecast)
    assert both.limits.judged["tiles"]["efficiency"].tolist() == [1.0, 0.5]


def test_arrays_broadcast_over_a_grid():
    work, read = np.array([[1000.0], [100000.0]]), np.array([10.0, 100.0, 1000.0])

    result = place_estimate(kernel(work, read), TINY)

    assert result.time_s.tolist() == [[1, 10, 100], [100, 100, 100]]
    assert result.bound.shape == (2, 3)
    assert result.bound_words() == ["compute", "memory", "memory", "compute", "compute", "compute"]


def test_an_array_of_boundaries_names_the_first_one_as_its_own():
    estimate = kernel(
        1.0,
        np.array([100.0, 1.0]),
        blocked={"shared": (np.array([1.0, 5000.0]), 0.0), "dram": (np.array([100.0, 1.0]), 0.0)},
    )

    result = place_estimate(estimate, TINY, ALL)

    assert result.binding_words() == ["dram", "shared"]
    assert result.boundary_id == "dram"
    assert result.traffic_bytes.tolist() == [100, 5000]


def test_numpy_scalars_are_placed_as_words():
    result = place_estimate(kernel(np.float64(1000), np.float64(30), np.float64(20)), TINY)

    assert (result.bound, result.binding, result.boundary) == ("memory", "dram", "dram")


def test_every_boundary_of_the_machine_can_be_looked_at():
    result = place_estimate(kernel(1000, 30, 20), TINY)

    assert tuple(result.boundaries) == EVERY
    assert [one.time_s for one in result.boundaries.values()] == [0.05, 0.5, 5, None]
    assert result.model == "bound"
    with pytest.raises(KeyError, match="no boundary of tiny is called 'drum'; did you mean 'dram'"):
        result.at("drum")

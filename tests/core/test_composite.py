"""Several kernels as one: sums, where they bind, what they share their time with, parts that are nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.operators import MEMORY_INSIDE_DRAM, Launch
from rooflinestudio.core.placement import Settings, place_estimate
from tests.core.kernels import composite, kernel
from tests.core.profiles import TINY

ALL = Settings(boundary="all")
# On TINY: 1000 FLOP/s on the matrix pipe, 100 on fp32; shared 1000, l2 100, dram 10, nvlink 1 bytes per second.
PRODUCT = kernel(20_000, 60, 40)  # 20 s of compute, 10 s of memory
NORM = kernel(100, 30, 20, pipe="fp32")  # 1 s of compute, 5 s of memory
LAYER = composite(("product", 2, PRODUCT), ("norm", 3, NORM))


def test_work_traffic_and_time_are_sums_and_the_rest_follows_from_them():
    result = place_estimate(LAYER, TINY)

    assert (result.work_flop, result.traffic_bytes, result.time_s) == (
        2 * 20_000 + 3 * 100,
        2 * 100 + 3 * 50,
        2 * 20 + 3 * 5,
    )
    assert result.intensity == 40_300 / 350
    assert result.attainable_flop_per_s == pytest.approx(40_300 / 55)
    assert (result.compute_s, result.memory_s) == (2 * 20 + 3 * 1, 2 * 10 + 3 * 5)


def test_the_main_pipe_is_that_of_the_largest_part():
    result = place_estimate(LAYER, TINY)

    assert (result.ceiling_id, result.ceiling_flop_per_s) == ("bf16-tensor", 1000)
    assert result.fraction_of_peak == pytest.approx(40_000 / 55 / 1000)


def test_parts_keep_their_own_bounds_and_the_whole_takes_the_longest():
    result = place_estimate(LAYER, TINY)

    assert [(one.label, one.count, one.placement.bound) for one in result.parts] == [
        ("product", 2, "compute"), ("norm", 3, "memory"),
    ]  # fmt: skip
    assert (result.bound, result.binding) == ("compute", "bf16-tensor")
    assert result.extra["time_by_bound"] == {
        "compute at bf16-tensor": pytest.approx(40 / 55), "memory at dram": pytest.approx(15 / 55),
    }  # fmt: skip
    assert result.extra["mixed"] is True


@pytest.mark.parametrize(("count", "mixed"), [(0, False), (1, False), (100, False), (200, True)])
def test_a_second_bound_counts_above_a_twentieth_of_the_time(count, mixed):
    # 200 s of compute, and 0.1 s of memory for each small part: 0.05%, 4.8%, 9.1%.
    whole = composite(("large", 10, PRODUCT), ("small", count, kernel(1, 1)))

    assert place_estimate(whole, TINY).extra["mixed"] is mixed


def test_with_all_each_part_binds_at_its_own_boundary_and_the_costliest_stands_at_the_top():
    on_l2 = kernel(1, 10, blocked={"l2": (900.0, 0.0), "dram": (10.0, 0.0)})  # l2 9 s, dram 1 s
    on_dram = kernel(1, 30, blocked={"l2": (100.0, 0.0), "dram": (30.0, 0.0)})  # l2 1 s, dram 3 s
    whole = composite(("a", 1, on_l2), ("b", 1, on_dram))

    result = place_estimate(whole, TINY, ALL)

    assert [one.placement.binding for one in result.parts] == ["l2", "dram"]
    assert result.time_s == 9 + 3
    assert (result.boundary, result.traffic_bytes) == ("l2", 1000)  # 10 s at l2 against 4 s at dram
    assert (result.bound, result.binding) == ("memory", "l2")


def test_the_costliest_boundary_is_judged_by_all_parts_that_cross_it():
    # No part is slowest at dram by much, but together they spend most there.
    parts = [(str(i), 1, kernel(1, 40, blocked={"l2": (450.0, 0.0), "dram": (40.0, 0.0)})) for i in range(2)]
    parts.append(("last", 1, kernel(1, 30, blocked={"l2": (0.0, 0.0), "dram": (30.0, 0.0)})))

    result = place_estimate(composite(*parts), TINY, ALL)

    assert result.time_s == 4.5 + 4.5 + 3
    assert (result.boundary, result.traffic_bytes) == ("dram", 110)  # 11 s against 9 s at l2


def test_selected_alone_a_boundary_holds_for_every_part():
    linked = kernel(1, 10, crosses=MEMORY_INSIDE_DRAM | {"nvlink"}, blocked={"nvlink": (0.0, 4.0)})
    whole = composite(("product", 1, PRODUCT), ("send", 1, linked))

    result = place_estimate(whole, TINY, Settings(boundary="nvlink"))

    # The product does not cross the link: it takes its compute time. The link takes 4 s for 4 bytes.
    assert result.time_s == 20 + 4
    assert (result.boundary, result.traffic_bytes) == ("nvlink", 4)
    assert result.at("nvlink").time_s == 4


def test_a_boundary_that_no_part_crosses_binds_nothing_and_shows_what_it_would_be():
    result = place_estimate(LAYER, TINY, Settings(boundary="nvlink"))

    assert result.time_s == 2 * 20 + 3 * 1
    assert (result.bound, result.boundary, result.traffic_bytes) == ("compute", "nvlink", 350)
    assert (result.at("nvlink").crosses, result.at("nvlink").time_s) == (False, None)


def test_by_default_every_part_is_held_at_its_own_home():
    sent = kernel(
        0, 50, 50, crosses=frozenset({"dram", "link"}), blocked={"link": (0.0, 30.0)}, home="link", pipe="fp32"
    )  # fmt: skip
    result = place_estimate(composite(("step", 1, NORM), ("all-gather", 1, sent)), TINY)

    assert result.time_s == 5 + 30
    assert [one.placement.binding for one in result.parts] == ["dram", "nvlink"]
    assert (result.boundary, result.traffic_bytes) == ("nvlink", 30)


def test_parts_without_work_and_traffic_are_left_out():
    whole = composite(("product", 1, PRODUCT), ("nothing", 1, kernel(0, 0, 0)), ("never", 0, NORM))

    assert [one.label for one in place_estimate(whole, TINY).parts] == ["product"]


def test_a_cast_is_left_out_where_it_does_not_cross_and_all_of_nothing_is_refused():
    cast = kernel(0, 10, 20, pipe="fp32")

    result = place_estimate(
        composite(("product", 1, PRODUCT), ("cast", 1, cast)), TINY, Settings(boundary="nvlink")
    )

    assert [one.label for one in result.parts] == ["product"]
    with pytest.raises(RefusedError, match="None of its kernels has work or traffic there on Tiny"):
        place_estimate(composite(("cast", 1, cast)), TINY, Settings(boundary="nvlink"))


def test_a_ceiling_of_choice_is_for_the_parts_on_the_main_pipe():
    result = place_estimate(LAYER, TINY, Settings(ceiling="fp32"))

    assert [one.placement.time_s for one in result.parts] == [200, 5]
    assert result.ceiling_id == "fp32"


def test_a_forecast_adds_a_launch_for_every_kernel():
    launched = composite(
        ("a", 3, kernel(20_000, 10, launch=Launch())), ("b", 1, kernel(1, 10, launch=Launch(kernels=2)))
    )

    result = place_estimate(launched, TINY, Settings(forecast=True))

    assert result.time_s == 3 * (20 + 3) + (1 + 2 * 3)
    assert result.extra["time_by_bound"]["launch at launch"] == pytest.approx(7 / 76)


def test_composites_can_stand_in_composites():
    nested = composite(("layers", 4, LAYER), ("norm", 1, NORM))

    result = place_estimate(nested, TINY)

    assert (result.time_s, result.traffic_bytes, result.work_flop) == (
        4 * 55 + 5,
        4 * 350 + 50,
        4 * 40_300 + 100,
    )
    assert result.at("l2").traffic_bytes == result.traffic_bytes
    assert result.boundary == "dram"


def test_a_part_that_cannot_be_placed_refuses_the_whole():
    with pytest.raises(RefusedError, match="no fp8 tensor pipe"):
        place_estimate(composite(("a", 1, NORM), ("b", 1, kernel(1, 1, pipe="fp8-tensor"))), TINY)
    with pytest.raises(RefusedError, match="no boundary 'l3'"):
        place_estimate(LAYER, TINY, Settings(boundary="l3"))


def test_the_figures_of_a_boundary_are_sums_over_those_who_cross_it():
    linked = kernel(1, 10, 6, crosses=MEMORY_INSIDE_DRAM | {"nvlink"}, blocked={"nvlink": (1.0, 4.0)})
    result = place_estimate(composite(("a", 2, PRODUCT), ("b", 3, linked)), TINY)

    dram, link = result.at("dram"), result.at("nvlink")
    assert (dram.read_bytes, dram.write_bytes, dram.time_s) == (150, 98, pytest.approx(24.8))
    assert (link.read_bytes, link.write_bytes, link.time_s, link.crosses) == (3, 12, 15, True)


def test_traffic_of_nothing_but_work_is_infinite_intensity():
    result = place_estimate(composite(("a", 1, kernel(1000))), TINY)

    assert (result.intensity, result.bound) == (math.inf, "compute")


ROWS = st.lists(st.tuples(*[st.integers(0, 4000)] * 4), min_size=1, max_size=4)


@given(ROWS, st.sampled_from((None, "all", "l2", "nvlink")), st.booleans())
def test_arrays_are_placed_like_single_numbers(rows, boundary, forecast):
    settings = Settings(boundary=boundary, forecast=forecast)

    def build(work, read, inner, count):
        product = kernel(
            work + 1.0, read + 1.0, 5.0, blocked={"l2": (inner, 0.0), "dram": (read + inner, 5.0)}
        )
        norm = kernel(50.0, 30.0, 20.0, pipe="fp32", launch=Launch())
        cast = kernel(0.0, inner, 0.0, pipe="fp32")
        return composite(
            ("product", count + 1.0, product), ("norm", 2, norm), ("cast", 1, cast), main_pipe="bf16-tensor"
        )

    alone = [place_estimate(build(*map(float, row)), TINY, settings) for row in rows]
    together = place_estimate(build(*np.array(rows, dtype=float).T), TINY, settings)

    for name in ("work_flop", "traffic_bytes", "intensity", "attainable_flop_per_s", "time_s"):
        assert np.broadcast_to(getattr(together, name), len(rows)) == pytest.approx(
            [getattr(one, name) for one in alone]
        ), name
    assert together.bound_words() == [one.bound for one in alone]
    assert together.binding_words() == [one.binding for one in alone]
    at = together.boundary
    shown = [at] * len(rows) if isinstance(at, str) else [together.limit_ids[code] for code in at]
    assert shown == [one.boundary for one in alone]
    assert together.boundary_id == alone[0].boundary
    mixed = np.broadcast_to(together.extra["mixed"], len(rows))
    assert mixed.tolist() == [one.extra["mixed"] for one in alone]


def test_the_main_pipe_of_a_swept_composite_is_chosen_point_by_point():
    """At the first point the vector part does more work, at the second the product; each is held to its own ceiling."""
    import numpy as np

    from rooflinestudio.core.dtypes import dtype
    from rooflinestudio.core.operators import Estimate, Part, Tensor
    from rooflinestudio.core.placement import place_estimate
    from tests.support import FP32_PEAK, PEAK, machine

    bf16 = dtype("bf16")

    def part(label, pipe, flop):
        tensors = (Tensor("x", 1.0, bf16, 1, 0, "input"),)
        return Part(label, label, {}, {}, 1, Estimate({pipe: flop}, pipe, tensors))

    def placed(product):
        parts = (part("vector", "fp32", 1e12), part("product", "bf16-tensor", product))
        return place_estimate(Estimate({}, "bf16-tensor", (), parts=parts), machine())

    swept = placed(np.array([1e11, 1e14]))
    vector_s, products_s = 1e12 / FP32_PEAK, np.array([1e11, 1e14]) / PEAK
    times = vector_s + products_s
    assert swept.fraction_of_peak == pytest.approx([vector_s / times[0], products_s[1] / times[1]])
    for at, product in enumerate((1e11, 1e14)):
        assert placed(product).fraction_of_peak == pytest.approx(swept.fraction_of_peak[at])

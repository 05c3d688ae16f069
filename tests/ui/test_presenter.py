"""The scene says what the study says: positions, roofs, words, and what has no place on a log axis."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.study import Pair
from rooflinestudio.ui.presenter import ScenePresenter, scene_of
from tests.ui.canvas.samples import FAST, SLOW, entry, machine, measurement, overlay, placed


def at(marker):
    """Return intensity and rate of a marker as quantities."""
    return 10**marker.log_x, 10**marker.log_y


def only(items):
    (item,) = items
    return item


# ------------------------------------------------------------------------------------------- markers


def test_a_placement_right_of_the_ridge_stands_on_the_ceiling():
    # 1e13 FLOP over 1e10 B is 1 000 FLOP/byte, past the ridge of 250: 1e13 / 1000 TFLOP/s = 10 ms.
    marker = only(scene_of(placed(entry(work=1e13, traffic=1e10))).markers)

    assert at(marker) == pytest.approx((1000.0, 1000e12))
    assert marker.style == "predicted"
    assert marker.detail == "1.00 PFLOP/s · 10.0 ms"


def test_a_placement_left_of_the_ridge_stands_on_the_slope():
    # 10 FLOP/byte at 4 TB/s allows 40 TFLOP/s.
    marker = only(scene_of(placed(entry(work=1e11, traffic=1e10))).markers)

    assert at(marker) == pytest.approx((10.0, 40e12))
    assert marker.status == "I 10.0 FLOP/byte   P 40.0 TFLOP/s   1.00× to the roof"


def test_vector_work_stands_under_its_own_ceiling_and_not_under_the_matrix_pipe():
    # 100 FLOP and 4 bytes per element: 25 FLOP/byte, right of the vector ridge of 12.5.
    scene = scene_of(placed(entry(operator="vector", flop=100)), selected="one")

    assert at(only(scene.markers)) == pytest.approx((25.0, 50e12))
    assert only(one for one in scene.ceilings if one.own).label == "fp32  50 TFLOP/s"
    assert scene.strong_roof.log_flop_per_s == pytest.approx(15.0)


def test_a_faster_pipe_than_the_reference_stands_above_the_strong_roof():
    # fp8: 2 000 TFLOP/s from 500 FLOP/byte on.
    scene = scene_of(placed(entry(work=1e13, traffic=1e10, dtypes={"all": "fp8"})), selected="one")

    assert at(only(scene.markers)) == pytest.approx((1000.0, 2000e12))
    assert only(one for one in scene.ceilings if one.own).log_from == pytest.approx(math.log10(500))


def test_data_that_does_not_cross_the_boundary_makes_a_hollow_marker_at_its_compute_rate():
    scene = scene_of(placed(entry(work=1e11, traffic=1e10), boundary="nvlink"))
    marker = only(scene.markers)

    assert marker.style == "hollow"
    assert at(marker) == pytest.approx((10.0, 1000e12))
    assert marker.detail.endswith("not crossed")


def test_an_entry_on_two_machines_has_a_marker_on_each():
    scene = scene_of(placed(entry(work=1e13, traffic=1e10), machines=(FAST, SLOW)))

    assert {one.machine: 10**one.log_y for one in scene.markers} == pytest.approx(
        {"fast": 1000e12, "slow": 300e12}
    )


def test_rows_that_were_not_placed_and_hidden_entries_have_no_marker():
    refused = entry("refused", dtypes={"all": "fp8"}, machines=("slow",))
    unavailable = entry("gone", "acme.unknown")
    hidden = entry("hidden", visible=False)

    scene = scene_of(placed(refused, unavailable, hidden, machines=(FAST, SLOW)))

    assert scene.markers == ()
    assert scene.corridors == ()
    assert scene.strip == ()


def test_the_ninth_placement_repeats_a_colour_as_a_square():
    scene = scene_of(placed(entry("a", slot=0), entry("b", slot=8), entry("c", slot="#112233")))

    assert [one.square for one in scene.markers] == [False, True, False]


def test_a_forecast_below_the_roof_says_how_far_it_is():
    # Serial: 1 ms of compute and 2.5 ms of traffic, one after the other, against 2.5 ms overlapped: 1.4 times.
    scene = scene_of(placed(entry(work=1e12, traffic=1e10), overlap=0.0))
    marker = only(scene.markers)

    assert 10**marker.log_roof / 10**marker.log_y == pytest.approx(1.4)
    assert "1.40× to the roof" in marker.tip


def test_on_the_roof_there_is_no_distance_to_draw():
    assert only(scene_of(placed(entry())).markers).log_roof is None


# ------------------------------------------------------------------------------------------- margin strips


def test_zero_work_goes_to_the_left_strip_with_its_bandwidth_and_time():
    # 1e9 elements, 2 bytes read and 2 written: 4 GB at 4 TB/s is 1 ms.
    scene = scene_of(placed(entry(operator="vector", flop=0, label="Copy")))
    row = only(scene.strip)

    assert scene.markers == ()
    assert (row.name, row.rate, row.time) == ("Copy", "4.00 TB/s", "1.00 ms")
    assert row.share == pytest.approx(1.0)


def test_zero_traffic_goes_to_the_right_strip_with_its_rate():
    scene = scene_of(placed(entry(work=1e12, traffic=0)))
    row = only(scene.right_strip)

    assert scene.markers == ()
    assert (row.rate, row.time) == ("1.00 PFLOP/s", "1.00 ms")


def test_a_strip_row_is_there_once_even_on_two_machines():
    scene = scene_of(placed(entry(operator="vector", flop=0), machines=(FAST, SLOW)), machine="slow")

    assert [row.machine for row in scene.strip] == ["slow"]


# ------------------------------------------------------------------------------------------- corridor and satellites


def test_the_corridor_runs_from_tiled_to_compulsory():
    scene = scene_of(placed(entry(work=1e13, traffic=1e10, blocked=20), policy="modelled"))
    corridor = only(scene.corridors)

    assert 10**corridor.log_compulsory == pytest.approx(1000)
    assert 10**corridor.log_tiled == pytest.approx(50)
    assert (corridor.tiled_label, corridor.compulsory_label) == ("tiled 50.0", "compulsory 1\u202f000")
    # Absorption 0.85 leaves 0.15 of 19 further crossings: 1e13 / (1e10 (1 + 0.15 x 19)).
    assert at(only(scene.markers))[0] == pytest.approx(1000 / 3.85)


def test_what_is_read_once_has_no_corridor():
    assert scene_of(placed(entry(operator="vector"))).corridors == ()


def test_inside_the_last_cache_the_policy_moves_nothing_so_there_is_no_corridor():
    assert scene_of(placed(entry(blocked=20), boundary="l2")).corridors == ()


def test_only_the_selected_placement_shows_its_other_boundaries():
    study = placed(entry("a", work=1e13, traffic=1e10, blocked=20), entry("b"))

    assert scene_of(study).satellites == ()
    satellites = scene_of(study, selected="a").satellites
    # At L2, 50 FLOP/byte x 10 TB/s = 500 TFLOP/s, half of the ceiling; over the link nothing crosses.
    assert [one.name for one in satellites] == ["at L2: 500 TFLOP/s, 50%", "at Link: not crossed"]
    assert at(satellites[0]) == pytest.approx((50.0, 500e12))
    assert [one.crossed for one in satellites] == [True, False]


def test_the_selection_is_marked_on_the_strong_machine_only():
    scene = scene_of(placed(entry(), machines=(FAST, SLOW)), selected="one", machine="slow")

    assert [one.machine for one in scene.markers if scene.is_selected(one)] == ["slow"]


def test_a_selected_entry_that_is_elsewhere_only_is_marked_there():
    scene = scene_of(placed(entry(machines=("slow",)), machines=(FAST, SLOW)), selected="one", machine="fast")

    assert [one.machine for one in scene.markers if scene.is_selected(one)] == ["slow"]


# ------------------------------------------------------------------------------------------- launch floor


def test_the_launch_floor_is_the_slope_of_the_bytes_per_launch_over_the_overhead():
    # 1 MB per launch over 1 µs is 1 TB/s, under HBM's 4: shaded.
    floor = scene_of(placed(entry(work=1e8, traffic=1e6)), selected="one").floor

    assert 10**floor.log_bytes_per_s == pytest.approx(1e12)
    assert floor.label == "launch floor: 1 MB per launch, 1 µs"
    assert floor.shaded


def test_a_floor_above_the_roof_is_not_shaded():
    assert not scene_of(placed(entry(work=1e13, traffic=1e10)), selected="one").floor.shaded


def test_without_a_selection_or_without_an_overhead_there_is_no_floor():
    without = replace(FAST, launch_overhead=None)

    assert scene_of(placed(entry())).floor is None
    assert scene_of(placed(entry(), machines=(without,)), selected="one").floor is None


# ------------------------------------------------------------------------------------------- machines


def test_the_first_machine_in_view_has_the_strong_roof_unless_another_is_named():
    study = placed(entry(), machines=(FAST, SLOW))

    assert scene_of(study).strong_roof.machine == "fast"
    assert scene_of(study, machine="slow").strong_roof.machine == "slow"
    assert [(one.machine, one.strong) for one in scene_of(study).roofs] == [("slow", False), ("fast", True)]


def test_the_strong_roof_is_named_in_full():
    roof = scene_of(placed()).strong_roof

    assert (roof.slope_label, roof.ceiling_label, roof.ridge_label) == (
        "HBM  4 TB/s", "bf16 tensor  1 PFLOP/s", "ridge 250",
    )  # fmt: skip
    assert 10**roof.log_ridge == pytest.approx(250)


def test_quiet_ceilings_start_at_their_own_ridge_and_equal_ones_are_one_line():
    twins = machine(
        "twins", "Twins",
        ceilings={"bf16-tensor": 100e12, "fp32": 10e12, "fp64": 10e12, "int8-tensor": 200e12, "fp8-tensor": 200e12},
        boundaries={"dram": ("HBM", 1e12, False)},
    )  # fmt: skip
    ceilings = scene_of(placed(machines=(twins,))).ceilings

    assert [one.label for one in ceilings] == ["int8, fp8 tensor  200 TFLOP/s", "fp32, fp64  10 TFLOP/s"]
    assert [10**one.log_from for one in ceilings] == pytest.approx([200, 10])


def test_every_other_boundary_is_a_quiet_slope_and_on_chip_ones_are_marked_as_models():
    slopes = scene_of(placed()).slopes

    assert [(one.boundary, one.label, one.ridge_label, one.modelled) for one in slopes] == [
        ("l2", "L2  10 TB/s, approximate", "L2 100", True),
        ("nvlink", "Link  400 GB/s", "Link 2\u202f500", False),
    ]


def test_a_machine_out_of_view_that_an_entry_names_is_drawn_too():
    scene = scene_of(placed(entry(machines=("slow",)), machines=(FAST, SLOW)), machine="fast")

    assert {one.machine for one in scene.roofs} == {"fast", "slow"}


def test_the_axes_are_set_by_the_machine_and_not_by_the_variants():
    small, large = entry(work=1e11, traffic=1e10), entry(work=1e18, traffic=1e10)

    home = scene_of(placed(small)).home_range
    assert home == (-1.0, 4.0, 11.0, pytest.approx(math.log10(2.6 * 2000e12)))
    assert scene_of(placed(large)).home_range == home


def test_fit_adds_decades_until_every_marker_is_in():
    scene = scene_of(placed(entry(work=1e18, traffic=1e10)))  # 1e8 FLOP/byte

    assert scene.fit_range[:2] == (-1.0, 9.0)
    assert scene.home_range[:2] == (-1.0, 4.0)


def test_a_slow_machine_gets_axes_that_start_lower():
    laptop = machine(
        "laptop", "Laptop",
        ceilings={"fp32": 1e12}, boundaries={"dram": ("DDR5", 50e9, False)}, reference="fp32",
    )  # fmt: skip

    assert scene_of(placed(machines=(laptop,))).home_range.y0 == 10.0


def test_over_all_boundaries_the_strong_slope_stays_dram_and_the_binding_one_is_marked():
    scene = scene_of(placed(entry(work=1e13, traffic=1e10, blocked=20), boundary="all"), selected="one")

    assert scene.strong_roof.slope_label.startswith("HBM")
    assert [one.boundary for one in scene.slopes if one.own] == ["l2"]
    assert scene.title == "Roofline over all crossed boundaries"


def test_without_a_machine_there_is_an_empty_scene_and_no_failure():
    scene = scene_of(placed(entry(), machines=()))

    assert scene.roofs == () and scene.markers == ()


# ------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("view", "words"),
    [
        ({"policy": "modelled"}, ("modelled, absorption 0.85", "pure bound, no launch cost")),
        ({"policy": "tiled"}, ("tiled", "pure bound, no launch cost")),
        (
            {"policy": "compulsory", "overlap": 0.5},
            ("compulsory", "pure bound, no launch cost, overlap 0.50"),
        ),
        ({"forecast": True, "policy": "tiled"}, ("tiled", "forecast with launch, latency, tiles and waves")),
    ],
)
def test_the_model_line_names_policy_absorption_and_kind_of_figure(view, words):
    assert scene_of(placed(**view)).model_line == words


def test_title_and_axis_name_the_boundary_in_the_machines_own_word():
    scene = scene_of(placed(boundary="nvlink"))

    assert (scene.title, scene.x_title) == ("Roofline at Link", "intensity at Link, FLOP/byte")


def test_an_empty_study_invites_and_the_first_placement_ends_it():
    assert scene_of(placed()).empty is not None
    assert scene_of(placed(entry())).empty is None
    assert scene_of(placed(), invited=False).empty is None


# ------------------------------------------------------------------------------------------- measured


def test_a_measured_kernel_stands_where_its_counters_put_it():
    # 1e12 FLOP over 1e10 B in 5 ms: 100 FLOP/byte at 200 TFLOP/s; the roof there is 400.
    run = overlay(measurement(0, kernel="void mine<int>(float*)", time_s=5e-3))
    marker = only(scene_of(placed(overlays=(run,))).markers)

    assert marker.key == ("measured", run.digest, 0)
    assert at(marker) == pytest.approx((100.0, 200e12))
    assert 10**marker.log_roof == pytest.approx(400e12)
    assert marker.slot is None
    assert "headroom 2.00× to the roof of Fast 1" in marker.tip


def test_a_measured_vector_kernel_is_held_against_the_vector_ceiling():
    run = overlay(measurement(0, pipe="fp32", time_s=0.1))  # 10 TFLOP/s of the 50

    assert "headroom 5.00× to the roof of Fast 1" in only(scene_of(placed(overlays=(run,))).markers).tip


def test_a_point_above_the_roof_names_the_usual_causes():
    run = overlay(measurement(0, time_s=1e-3))  # 1 000 TFLOP/s at 100 FLOP/byte, where 400 are allowed
    tip = only(scene_of(placed(overlays=(run,))).markers).tip

    assert any("Above the roof" in line for line in tip)


def test_a_pair_shares_the_colour_and_is_joined_with_the_ratio_of_times():
    # Predicted: 100 FLOP/byte, 400 TFLOP/s, 2.5 ms; measured 5 ms.
    run = overlay(measurement(7, time_s=5e-3))
    pair = Pair(run.digest, "kernel", 7, "one")
    scene = scene_of(placed(entry(slot=3), overlays=(run,), pairs=(pair,)))
    segment = only(scene.segments)

    assert (segment.label, segment.short_label, segment.slot) == ("measured 2.00× slower", "2.00×", 3)
    assert [10**one for one in segment.start] == pytest.approx([100, 400e12])
    assert [10**one for one in segment.end] == pytest.approx([100, 200e12])


def test_a_faster_measurement_says_so_even_in_short():
    run = overlay(measurement(0, time_s=1.25e-3))
    scene = scene_of(placed(entry(), overlays=(run,), pairs=(Pair(run.digest, "kernel", 0, "one"),)))

    assert only(scene.segments).short_label == "2.00× faster"


def test_work_that_no_counter_gave_is_taken_from_the_paired_operator_and_says_so():
    run = overlay(measurement(0, work_flop=None, time_s=5e-3, traffic_bytes=2e10))
    scene = scene_of(
        placed(entry(label="Mine"), overlays=(run,), pairs=(Pair(run.digest, "kernel", 0, "one"),))
    )
    marker = only(one for one in scene.markers if one.style == "measured")

    assert at(marker) == pytest.approx((50.0, 200e12))
    assert "W from Mine" in marker.detail


def test_kernels_without_work_or_traffic_have_no_point():
    run = overlay(measurement(0, work_flop=None), measurement(1, traffic_bytes=None), measurement(2))

    assert [one.key[2] for one in scene_of(placed(overlays=(run,))).markers] == [2]


def test_many_kernels_are_a_cloud_from_which_the_selected_one_stands_out():
    run = overlay(*(measurement(number, time_s=1e-3 * (number + 1)) for number in range(40)))
    key = ("measured", run.digest, 30)

    scene = scene_of(placed(overlays=(run,)), selected=key)

    assert len(only(scene.overlays)) == 40
    assert [one.key for one in scene.markers] == [key]
    assert scene.is_selected(scene.markers[0])


def test_a_hidden_overlay_is_not_drawn():
    run = overlay(measurement(0))

    assert scene_of(placed(overlays=(run,)), hidden_overlays=frozenset([run.digest])).markers == ()


def test_nothing_measured_at_this_boundary_is_nothing_drawn():
    assert scene_of(placed(overlays=(overlay(measurement(0)),), boundary="l2")).markers == ()


# ------------------------------------------------------------------------------------------- memory


def test_the_presenter_remembers_and_still_gives_the_same_scene():
    presenter = ScenePresenter()
    first = placed(entry("a"), entry("b", work=3e12), machines=(FAST, SLOW))
    presenter.scene(first, selected="a")
    second = placed(entry("a", work=7e12), entry("b", work=3e12), machines=(FAST, SLOW), previous=first)

    for selected in ("a", "b", None):
        assert presenter.scene(second, selected=selected) == scene_of(second, selected=selected)


def test_a_step_of_one_entry_keeps_the_objects_of_all_others():
    presenter = ScenePresenter()
    still = entry("still", work=3e12)
    first = placed(entry("moves"), still)
    before = presenter.scene(first)
    second = placed(entry("moves", work=7e12), still, previous=first)

    after = presenter.scene(second)

    assert after.markers[0] != before.markers[0]
    assert after.markers[1] is before.markers[1]
    assert after.roofs is before.roofs and after.slopes is before.slopes and after.ceilings is before.ceilings


# --------------------------------------------------------------------------------- published and measured


def both_figures(use):
    """Return the fast machine with measured figures: 800 of 1,000 TFLOP/s, 3.2 of 4 TB/s."""
    ceiling, dram = FAST.ceilings["bf16-tensor"], FAST.boundaries["dram"]
    seen = Figure(800e12, "measured"), Figure(3.2e12, "measured")
    return replace(
        FAST,
        ceilings={**FAST.ceilings, "bf16-tensor": replace(ceiling, measured=seen[0]).using(use)},
        boundaries={**FAST.boundaries, "dram": replace(dram, measured=seen[1]).using(use)},
    )


def other_roofs(profile, setting=None):
    scene = placed(entry(), machines=(profile,))
    if setting is not None:
        scene = replace(scene, study=scene.study.with_panel("canvas", {"roofs": setting}))
    return [one for one in scene_of(scene).roofs if one.other_figures]


def test_the_published_roof_stands_dashed_beside_the_measured_one_in_use():
    roof = only(other_roofs(both_figures("measured")))

    assert 10**roof.log_flop_per_s == pytest.approx(1000e12)
    assert 10**roof.log_bytes_per_s == pytest.approx(4e12)
    assert (roof.ceiling_label, roof.slope_label) == ("published 1 PFLOP/s", "published 4 TB/s")
    assert roof.ridge_label == "250 published"
    assert other_roofs(both_figures("measured"), "used") == []


def test_the_measured_roof_is_drawn_beside_the_published_one_when_asked_for():
    assert other_roofs(both_figures("stated")) == []
    roof = only(other_roofs(both_figures("stated"), "both"))

    assert 10**roof.log_flop_per_s == pytest.approx(800e12)
    assert roof.slope_label == "measured 3.2 TB/s"
    assert other_roofs(FAST, "both") == []


def test_a_measured_roof_in_use_says_so():
    scene = scene_of(placed(entry(), machines=(both_figures("measured"),)))

    assert scene.strong_roof.ceiling_label.endswith("800 TFLOP/s, measured")
    assert scene.strong_roof.slope_label == "HBM  3.2 TB/s, measured"
    assert "measured" not in scene_of(placed(entry())).strong_roof.slope_label

"""What the self-check knows besides the usual mistakes: order, ridges, words, measurements, shares, origins, clocks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.ceilings.clocks import scaled_to_clock
from rooflinestudio.core.hardware import Achievable, Boundary, Figure
from rooflinestudio.core.profile_check import (
    apply_correction,
    finding_words,
    with_value,
)
from tests.core.profile_check.machines import (
    ACME,
    DRAM,
    GOOD,
    HONEST,
    SHIPPED,
    SLOWED,
    bandwidth,
    figure,
    found,
    noted,
    part,
    scaled,
    the_one,
)
from tests.core.profiles import machine


def test_an_unknown_architecture_is_judged_by_its_own_formats():
    one = the_one(scaled(ACME, ("ceilings", "fp8-tensor"), 2))
    assert (one.kind, one.likely) == ("sparse", pytest.approx(400e12))
    one = the_one(scaled(ACME, DRAM, 1000))
    assert (one.kind, one.likely) == ("thousand", pytest.approx(410e9))


def test_a_part_that_is_held_back_is_judged_by_its_own_formats():
    h20 = next(one for one in HONEST if one.id == "nvidia-h20")
    one = the_one(scaled(h20, ("ceilings", "fp8-tensor"), 2))
    assert (one.kind, one.likely) == ("sparse", pytest.approx(296e12))
    assert one.text.endswith("twice what the other matrix formats of Hopper imply.")


def test_words_beside_a_figure_can_tell_on_it():
    place = ("ceilings", "bf16-tensor")
    told = found(noted(ACME, place, condition="with 2:4 sparsity"))
    assert told[place].likely == pytest.approx(100e12)
    assert set(told) > {place}  # what stands at the same rate, or twice of it, is sparse as well
    assert found(noted(ACME, place, condition="dense; sparsity would double it")) == {}
    assert found(noted(ACME, place, note="With 2:4 sparsity 400.")) == {}
    assert found(noted(ACME, place, note="With 2:4 sparsity 200."))[place].kind == "sparse"
    link = ("boundaries", "network", "bandwidth")
    assert the_one(noted(ACME, link, condition="both directions")).likely == pytest.approx(25e9)
    assert found(noted(ACME, link, condition="one direction; 100 GB/s bidirectional")) == {}
    assert the_one(noted(ACME, link, note="50 GB/s bidirectional")).kind == "both-directions"
    assert the_one(noted(ACME, link, note="a port of 50 Gbit/s")).likely == pytest.approx(6.25e9)
    assert found(noted(ACME, link, note="a port of 400 Gbit/s")) == {}


def test_bandwidth_never_rises_outward_and_links_are_held_against_memory():
    rising = scaled(ACME, ("boundaries", "shared", "bandwidth"), 0.02)  # 344 GB/s inside 410 GB/s
    one = the_one(rising)
    assert one.kind == "order" and "LPDDR5X" in one.text and "scratchpad" in one.text
    link = with_value(ACME, ("boundaries", "network", "bandwidth"), 500e9)
    assert found(link)["boundaries", "network", "bandwidth"].kind in ("order", "bits")


def test_a_bandwidth_in_powers_of_1024_is_seen_through_its_rounding():
    # 410 GiB/s are 440.23414784 GB/s; in fewer digits that is a bandwidth like any other.
    told = found(with_value(ACME, DRAM, 440.234148e9))
    assert (told[DRAM].kind, told[DRAM].likely) == ("prefix", pytest.approx(410e9))
    assert DRAM not in found(with_value(ACME, DRAM, 440.235148e9))
    assert DRAM not in found(with_value(ACME, DRAM, 440.2e9))


@pytest.mark.parametrize("use", ["stated", "measured"])
def test_a_reason_goes_with_its_figure_when_the_other_one_is_used(use):
    other = "measured" if use == "stated" else "stated"
    pipe = ACME.ceilings["bf16-tensor"]
    above = replace(pipe, measured=Figure(pipe.figure.value * 1.2, "measured")).using(use)
    asked = replace(ACME, ceilings={**ACME.ceilings, pipe.id: above})
    one = the_one(asked)
    assert one.kind == "above-published"
    told = replace(asked, explained={one.id: "It boosts."})
    assert found(told) == {}
    switched = replace(told, ceilings={**told.ceilings, pipe.id: above.using(other)})
    assert found(switched) == {}
    assert the_one(replace(switched, explained={})).id != one.id


def test_a_first_cache_that_is_measured_as_a_least_value_may_lie_below_the_next():
    at_least = Boundary("l2", "L2", Figure(114e9, "measured"), approximate=True)
    outer = Boundary("l3", "L3", Figure(139e9, "measured"))
    cpu = replace(machine("cpu", ceilings={"fp32": 1e11}, boundaries={"dram": 44e9}), kind="cpu")
    boundaries = {"l2": at_least, "l3": outer, **cpu.boundaries}

    assert found(replace(cpu, boundaries=boundaries)) == {}
    boundaries["l2"] = replace(at_least, bandwidth=Figure(14e9, "measured"))
    assert the_one(replace(cpu, boundaries=boundaries)).kind == "order"


def test_memory_below_a_link_of_known_generation_is_the_suspect():
    slow = replace(
        GOOD, boundaries={"dram": bandwidth("dram", "memory", 41.9e9), "nvlink": GOOD.boundaries["nvlink"]}
    )
    assert found(slow)[DRAM].likely == pytest.approx(41.9e9 * 1000, rel=0.9)
    assert ("boundaries", "nvlink", "bandwidth") not in found(slow)


def test_capacity_grows_from_l2_to_memory_but_a_victim_cache_may_be_smaller():
    small = with_value(GOOD, ("boundaries", "dram", "capacity"), 0.6e9)
    assert (
        found(with_value(small, ("boundaries", "l2", "capacity"), 1.2e9))[
            "boundaries", "dram", "capacity"
        ].kind
        == "capacity-order"
    )
    l3 = bandwidth("l3", "L3", 5e12, capacity=20e6)
    with_l3 = replace(GOOD, boundaries={**GOOD.boundaries, "l3": l3})
    assert the_one(with_l3).kind == "capacity-order"
    assert (
        found(replace(with_l3, boundaries={**with_l3.boundaries, "l3": replace(l3, label="victim L3")})) == {}
    )
    assert found(replace(with_l3, kind="cpu")) == {}


def test_shared_memory_may_hold_less_than_the_registers():
    assert GOOD.boundaries["shared"].capacity.value < GOOD.boundaries["register"].capacity.value
    assert found(GOOD) == {}


def test_a_ridge_unlike_that_of_its_neighbours_is_told():
    npu = part(
        "npu", vendor="Acme", architecture="", year=2024, rates={"bf16-tensor": 0.9},
        bounds=(("dram", "HBM3", 3.35e12),),
    )  # fmt: skip
    one = the_one(npu, SHIPPED.values())
    assert one.kind == "ridge" and one.likely == pytest.approx(900e12)
    assert "0.269" in one.text  # 0.9e12 / 3.35e12
    assert found(scaled(npu, ("ceilings", "bf16-tensor"), 1000), SHIPPED.values()) == {}


def test_measured_above_stated_is_questioned_not_clamped():
    ceiling = replace(GOOD.ceilings["bf16-tensor"], measured=figure(900e12, "measured"))
    profile = replace(GOOD, ceilings={**GOOD.ceilings, "bf16-tensor": ceiling})
    for used in (
        profile,
        replace(profile, ceilings={**profile.ceilings, "bf16-tensor": ceiling.using("measured")}),
    ):
        one = the_one(used)
        assert (one.kind, one.likely, one.severity) == ("above-published", None, "suspect")
        assert "110%" in one.text and "clock" in one.mend  # 900 / 819.2
        assert finding_words(one)[2] == []
    assert found(replace(profile, ceilings={**profile.ceilings, "bf16-tensor": replace(
        ceiling, measured=figure(830e12, "measured"))})) == {}  # 1.3 % above: within the scatter  # fmt: skip


def test_a_slope_above_its_bandwidth_is_told():
    dram = replace(GOOD.boundaries["dram"], slopes={"streaming": figure(3.6e12, "measured")})
    one = the_one(replace(GOOD, boundaries={**GOOD.boundaries, "dram": dram}))
    assert (one.place, one.kind) == (("boundaries", "dram", "slopes", "streaming"), "above-published")


def test_shares_are_at_most_one_and_in_order():
    def with_shares(**shares):
        made = Achievable(**{key: figure(value, "assumed") for key, value in shares.items()})
        ceiling = replace(GOOD.ceilings["fp32"], achievable=made)
        return replace(GOOD, ceilings={**GOOD.ceilings, "fp32": ceiling})

    one = the_one(with_shares(typical=80))
    assert (one.kind, one.likely) == ("share", pytest.approx(0.8))
    assert the_one(with_shares(low=0.9, typical=0.8)).place == ("ceilings", "fp32", "achievable", "low")
    assert found(with_shares(low=0.5, typical=0.8, high=0.95)) == {}


def test_what_is_out_of_any_range_without_a_usual_mistake_is_told_without_a_value():
    one = the_one(with_value(GOOD, ("tdp",), 80e3 * 1e3 * 1e12))
    assert (one.kind, one.likely) == ("magnitude", None)
    with pytest.raises(ValueError, match="magnitude/tdp"):
        apply_correction(GOOD, one)


def test_one_slip_is_told_once_though_it_upsets_many_figures():
    """A clock in MHz makes every rate look wrong, a memory in bits stands above the caches: one finding each."""
    assert list(found(scaled(GOOD, ("clocks", "boost"), 1e-3))) == [("clocks", "boost")]
    assert list(found(scaled(GOOD, DRAM, 8))) == [DRAM]


def test_the_stated_figure_is_judged_where_a_measured_one_is_in_use():
    ceiling = replace(GOOD.ceilings["bf16-tensor"], measured=figure(700e12, "measured"))
    doubled = replace(ceiling, figure=figure(1638.4e12)).using("measured")
    one = the_one(replace(GOOD, ceilings={**GOOD.ceilings, "bf16-tensor": doubled}))
    assert (one.place, one.kind) == (("ceilings", "bf16-tensor", "published"), "sparse")
    profile = apply_correction(replace(GOOD, ceilings={**GOOD.ceilings, "bf16-tensor": doubled}), one)
    assert profile.ceilings["bf16-tensor"].stated.value == pytest.approx(819.2e12)
    assert profile.ceilings["bf16-tensor"].flop_per_s == 700e12


def test_a_copy_is_held_against_the_profile_that_it_was_made_from():
    """What no rule knows, such as the links of a part that nobody has heard of, its origin still knows."""
    mine = replace(ACME, id="mine", name="Mine", short_name="mine", based_on="acme-npu")
    for place, factor, kind in (
        (("ceilings", "bf16-tensor"), 2, "sparse"),
        (("boundaries", "network", "bandwidth"), 2, "both-directions"),
        (DRAM, 1.024**3, "prefix"),
        (("boundaries", "shared", "bandwidth"), 1 / 8, "bits"),
    ):
        assert found(scaled(mine, place, factor), [ACME])[place].kind == kind
    assert found(scaled(mine, DRAM, 1.05), [ACME]) == {}
    assert found(mine, [ACME]) == {}


@pytest.mark.parametrize("machine", SLOWED)
@pytest.mark.parametrize("share", [0.5, 0.6, 0.75, 0.95])
def test_a_machine_at_a_lower_clock_is_no_mistake(machine, share):
    known = SHIPPED[machine]
    slow = scaled_to_clock(known, known.clocks["boost"].value * share)
    assert found(slow, SHIPPED.values()) == {}
    assert slow.ceilings["fp32"].flop_per_s < known.ceilings["fp32"].flop_per_s


def test_half_of_every_rate_is_a_clock_even_where_nothing_names_it():
    slow = replace(ACME, id="slow", based_on="acme-npu", name="Slow", short_name="slow")
    for id_ in ACME.ceilings:
        slow = scaled(slow, ("ceilings", id_), 0.5)
    assert found(slow, [ACME]) == {}
    assert set(found(scaled(slow, ("ceilings", "fp32"), 2), [ACME])) == set()
    assert the_one(scaled(replace(ACME, id="mine"), ("ceilings", "fp8-tensor"), 0.5), [ACME]).kind == "halved"


def test_a_cache_at_a_low_clock_that_falls_below_memory_is_named_without_a_guess():
    h200 = SHIPPED["nvidia-h200-sxm"]
    one = the_one(scaled_to_clock(h200, 0.9e9), SHIPPED.values())
    assert (one.place, one.kind, one.likely) == (("boundaries", "l2", "bandwidth"), "order", None)


def test_the_same_profile_is_no_neighbour_of_itself():
    faulty = scaled(SHIPPED["nvidia-h100-sxm5"], DRAM, 8)
    assert DRAM in found(faulty, [faulty])
    assert DRAM in found(faulty, [replace(faulty)])


def test_a_profile_with_next_to_nothing_in_it_is_checked():
    bare = part(
        "bare", vendor="", architecture="", year=2026, rates={"fp32": 1}, bounds=(("dram", "x", 1e11),)
    )
    assert found(bare, SHIPPED.values()) == {}
    assert found(bare) == {}

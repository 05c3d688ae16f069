"""Each usual mistake is found in a profile that is good otherwise, and nothing is found in good ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.hardware import Achievable
from rooflinestudio.core.profile_check import (
    KINDS,
    apply_correction,
    check_profile,
    figure_at,
    finding_words,
    shipped_neighbours,
    with_value,
)
from tests.core.profile_check.machines import ACME, GOOD, HONEST, bandwidth, figure, noted, part

DRAM = ("boundaries", "dram", "bandwidth")
SHIPPED = {one.id: one for one in shipped_neighbours()}
SLOWED = ("nvidia-a100-sxm4-80gb", "nvidia-h100-sxm5", "amd-mi300x", "nvidia-p100-sxm2-16gb")


def found(profile, neighbours=()):
    return {one.place: one for one in check_profile(profile, neighbours) if one.open}


def the_one(profile, neighbours=()):
    """Return the only finding."""
    (one,) = found(profile, neighbours).values()
    return one


def scaled(profile, place, factor):
    return with_value(profile, place, figure_at(profile, place).value * factor)


# ------------------------------------------------------------------------------------------ nothing wrong


@pytest.mark.parametrize("profile", HONEST, ids=lambda one: one.id)
@pytest.mark.parametrize("with_shipped", [False, True])
def test_nothing_is_found_in_good_profiles(profile, with_shipped):
    assert found(profile, SHIPPED.values() if with_shipped else ()) == {}


@pytest.mark.parametrize("profile", SHIPPED.values(), ids=lambda one: one.id)
def test_nothing_is_open_in_the_shipped_profiles(profile):
    assert found(profile, SHIPPED.values()) == {}


def test_reasons_in_the_shipped_profiles_belong_to_findings():
    """A reason that explains nothing hides the next mistake at its place."""
    for profile in SHIPPED.values():
        explained = {one.id for one in check_profile(profile, SHIPPED.values()) if not one.open}
        assert explained == set(profile.explained), profile.id


def _is_odd(factor):
    """Whether a factor is none of 1.024, 1.0486, 1.0737, 1.0995 and their inverses, which are mistakes of their own."""
    return all(abs(factor / power - 1) > 1e-5 for k in range(-4, 5) if k for power in (1.024**k,))


@given(
    factors=st.lists(st.floats(0.9, 1.1).filter(_is_odd), min_size=40, max_size=40),
    pick=st.sampled_from(sorted(SHIPPED)),
)
def test_no_alarm_where_every_figure_is_a_little_different(factors, pick):
    """Other clocks, other steppings: no factor of a usual mistake, so nothing is said of them."""
    known = SHIPPED[pick]
    odd = replace(known, id="another", name=f"Another {known.name}", short_name="another")
    places = [("ceilings", id_) for id_ in odd.ceilings]
    places += [("boundaries", id_, "bandwidth") for id_ in odd.boundaries]
    for place, factor in zip(places, factors, strict=False):
        # More than five digits: what is written with fewer is compared as rounded.
        odd = scaled(odd, place, factor + 1.2345678e-7)
    fresh = {one.kind for one in check_profile(odd, SHIPPED.values()) if one.open}
    assert fresh <= {"above-published"}  # a measured figure beside a stated one that was taken down


# ---------------------------------------------------------------------------------------- planted faults

PLANTED = [
    (("ceilings", "bf16-tensor"), 2, "sparse"),
    (("ceilings", "bf16-tensor"), 4, "sparse"),
    (("ceilings", "fp8-tensor"), 2, "sparse"),
    (("ceilings", "tf32-tensor"), 2, "sparse"),
    (("ceilings", "int8-tensor"), 0.5, "halved"),
    (("ceilings", "fp16-tensor"), 0.25, "halved"),
    (("ceilings", "fp32"), 2, "counting"),
    (("ceilings", "fp32"), 0.5, "counting"),
    (("ceilings", "fp32-no-fma"), 2, "counting"),
    (("ceilings", "bf16-tensor"), 1000, "thousand"),
    (("ceilings", "fp8-tensor"), 1 / 1000, "thousand"),
    (("ceilings", "fp32"), 1000, "thousand"),
    (("ceilings", "fp64"), 1 / 1000, "thousand"),
    (("ceilings", "special"), 1000, "thousand"),
    (DRAM, 8, "bits"),
    (DRAM, 1 / 8, "bits"),
    (DRAM, 1000, "thousand"),
    (DRAM, 1 / 1000, "thousand"),
    (("boundaries", "shared", "bandwidth"), 8, "bits"),
    (("boundaries", "shared", "bandwidth"), 1 / 1000, "thousand"),
    (("boundaries", "shared", "bandwidth"), 1 / 100, "per-unit"),
    (("boundaries", "register", "bandwidth"), 1000, "thousand"),
    (("boundaries", "l2", "bandwidth"), 8, "order"),
    (("boundaries", "l2", "bandwidth"), 1 / 8, "order"),
    (("boundaries", "nvlink", "bandwidth"), 2, "both-directions"),
    (("boundaries", "nvlink", "bandwidth"), 8, "bits"),
    (("boundaries", "nvlink", "bandwidth"), 1000, "thousand"),
    (("boundaries", "pcie", "bandwidth"), 2, "both-directions"),
    (("boundaries", "pcie", "bandwidth"), 1 / 1000, "thousand"),
    (("boundaries", "network", "bandwidth"), 8, "bits"),
    (("boundaries", "network", "bandwidth"), 1000, "thousand"),
    (("boundaries", "dram", "capacity"), 1000, "thousand"),
    (("boundaries", "dram", "capacity"), 1 / 1000, "thousand"),
    (("boundaries", "l2", "capacity"), 1000, "thousand"),
    (("boundaries", "shared", "capacity"), 8, "bits"),
    (("boundaries", "shared", "capacity"), 1 / 100, "per-unit"),
    (("boundaries", "shared", "capacity"), 1.024, "prefix"),
    (("boundaries", "register", "capacity"), 1000 / 1024, "prefix"),
    (("boundaries", "dram", "latency"), 1000, "thousand"),
    (("boundaries", "l2", "latency"), 1 / 1000, "thousand"),
    (("clocks", "boost"), 1000, "thousand"),
    (("clocks", "boost"), 1 / 1000, "thousand"),
    (("tdp",), 1000, "thousand"),
    (("tdp",), 1 / 1000, "thousand"),
    (("launch_overhead",), 1000, "thousand"),
    (("launch_overhead",), 1e6, "thousand"),
]


@pytest.mark.parametrize(("place", "factor", "kind"), PLANTED)
def test_a_planted_fault_is_found_alone_with_the_right_value(place, factor, kind):
    right = figure_at(GOOD, place).value
    one = the_one(scaled(GOOD, place, factor))
    assert (one.place, one.kind) == (place, kind)
    assert one.likely == pytest.approx(right, rel=0.01)
    assert one.value == pytest.approx(right * factor)
    assert apply_correction(scaled(GOOD, place, factor), one) == with_value(GOOD, place, one.likely)
    assert found(apply_correction(scaled(GOOD, place, factor), one)) == {}


REAL = [
    ("nvidia-h100-sxm5", ("ceilings", "fp8-tensor"), 2, "sparse"),
    ("nvidia-a100-sxm4-80gb", ("ceilings", "bf16-tensor"), 2, "sparse"),
    ("nvidia-rtx-4090", ("ceilings", "bf16-tensor"), 2, "sparse"),
    ("nvidia-b200", ("ceilings", "fp4-tensor"), 2, "sparse"),
    ("amd-mi300x", ("ceilings", "bf16-tensor"), 2, "sparse"),
    ("amd-mi300x", ("ceilings", "fp32"), 1000, "thousand"),
    ("nvidia-h200-sxm", DRAM, 8, "bits"),
    ("nvidia-v100-sxm2-16gb", DRAM, 1 / 8, "bits"),
    ("nvidia-l40s", DRAM, 1000, "thousand"),
    ("nvidia-a100-sxm4-40gb", ("boundaries", "nvlink", "bandwidth"), 2, "both-directions"),
    ("nvidia-b200", ("boundaries", "nvlink", "bandwidth"), 2, "both-directions"),
    ("amd-mi300x", ("boundaries", "xgmi", "bandwidth"), 2, "both-directions"),
    ("nvidia-p100-sxm2-16gb", ("boundaries", "nvlink", "bandwidth"), 2, "both-directions"),
    ("nvidia-h100-sxm5", ("boundaries", "pcie", "bandwidth"), 2, "both-directions"),
    ("nvidia-h100-sxm5", ("boundaries", "network", "bandwidth"), 8, "bits"),
    ("amd-mi300x", ("boundaries", "l3", "capacity"), 1 / 1000, "thousand"),
]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("machine", "place", "factor", "kind"), REAL)
def test_a_fault_planted_into_a_shipped_profile_is_found(machine, place, factor, kind, known):
    """With the shipped profile of the same machine at hand and, for a new machine, without."""
    good = SHIPPED[machine]
    others = [one for one in SHIPPED.values() if known or one.id != machine]
    one = the_one(scaled(good, place, factor), others)
    assert (one.place, one.kind) == (place, kind)
    assert one.likely == pytest.approx(figure_at(good, place).value, rel=0.03)


def test_every_kind_of_finding_is_planted_somewhere_here():
    elsewhere = {"above-published", "share", "magnitude", "capacity-order", "ridge"}
    assert {kind for *_, kind in PLANTED} | elsewhere == set(KINDS)


# ------------------------------------------------------------------------------ four faults seen in the wild


def test_a_bandwidth_of_1792e15_bytes_per_second_is_a_slip_of_1000():
    card = part(
        "my-5090", name="RTX 5090", architecture="Blackwell GB202", year=2025,
        rates={"bf16-tensor": 209.5, "fp32": 104.8}, bounds=(("dram", "GDDR7", 1.792e15),),
    )  # fmt: skip
    for others in ((), SHIPPED.values()):
        one = the_one(card, others)
        assert (one.place, one.kind, one.likely) == (DRAM, "thousand", pytest.approx(1.792e12))


@pytest.mark.parametrize("rate", [1979, 2000])
@pytest.mark.parametrize("architecture", ["Hopper", ""])
def test_the_sparse_peak_of_a_gh200_is_taken_to_the_dense_one(rate, architecture):
    entry = part(
        "gh200", name="GH200", architecture=architecture, year=2023, rates={"bf16-tensor": rate},
        bounds=(("dram", "HBM3e", 4.9e12),),
    )  # fmt: skip
    one = the_one(entry, SHIPPED.values())
    assert (one.place, one.kind) == (("ceilings", "bf16-tensor"), "sparse")
    assert one.likely == pytest.approx(989.4e12, rel=0.02)


def test_the_doubled_peaks_of_an_mi300x_are_found_format_by_format():
    table = part(
        "mi300x", name="MI300X", vendor="AMD", architecture="CDNA 3", year=2023, sms=304, clocks={"boost": 2.1},
        rates={"bf16-tensor": 2614.9, "fp16-tensor": 2614.9, "fp8-tensor": 5229.8, "fp32": 163.4},
        bounds=(("dram", "HBM3", 5.3e12),),
    )  # fmt: skip
    for others in ((), SHIPPED.values()):
        likely = {place[1]: (one.kind, one.likely / 1e12) for place, one in found(table, others).items()}
        assert likely == {
            "bf16-tensor": ("sparse", pytest.approx(1307.45)),
            "fp16-tensor": ("sparse", pytest.approx(1307.45)),
            "fp8-tensor": ("sparse", pytest.approx(2614.9)),
        }


@pytest.mark.parametrize("value", [2000 * 1024**3, 2.147e12])
def test_a_bandwidth_in_powers_of_1024_is_taken_back_to_powers_of_1000(value):
    entry = part(
        "a100", name="A100 80 GB in a table", architecture="Ampere GA100", year=2020, rates={"bf16-tensor": 312},
        bounds=(("dram", "HBM2e", value),),
    )  # fmt: skip
    one = the_one(entry, SHIPPED.values())
    assert (one.place, one.kind, one.likely) == (DRAM, "prefix", pytest.approx(2.0e12, rel=1e-3))
    assert "1024" in KINDS[one.kind]


# ------------------------------------------------------------------------------------------- what else is seen


def test_an_unknown_architecture_is_judged_by_its_own_formats():
    one = the_one(scaled(ACME, ("ceilings", "fp8-tensor"), 2))
    assert (one.kind, one.likely) == ("sparse", pytest.approx(400e12))
    one = the_one(scaled(ACME, DRAM, 1000))
    assert (one.kind, one.likely) == ("thousand", pytest.approx(410e9))


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


# ------------------------------------------------------------------------------------- reasons, words, mending


def test_a_written_reason_closes_a_finding_and_leaves_the_figure_as_it_is():
    place = ("ceilings", "fp8-tensor")
    faulty = scaled(GOOD, place, 2)
    one = the_one(faulty)
    assert one.id == "sparse/ceilings.fp8-tensor"
    explained = replace(faulty, explained={one.id: "The part does this only sparse."})
    assert found(explained) == {}
    (closed,) = check_profile(explained)
    assert closed.explained == "The part does this only sparse."
    assert "only sparse" in finding_words(closed)[1]
    other = replace(faulty, explained={"sparse/ceilings.bf16-tensor": "Another figure."})
    assert list(found(other)) == [place]


def test_the_words_say_which_figure_why_and_what_to_enter():
    title, text, offers = finding_words(the_one(scaled(GOOD, ("ceilings", "bf16-tensor"), 2)))
    assert title == "Sparse rate taken for the dense one"
    assert "bf16 tensor rate is 1.638 PFLOP/s" in text
    assert "twice the dense 4\u202f096 of Hopper" in text
    assert offers == [("Set to 819.2 TFLOP/s", pytest.approx(819.2e12))]


def test_a_correction_changes_one_value_and_nothing_else():
    faulty = noted(scaled(GOOD, DRAM, 8), DRAM, source="a table", condition="peak")
    mended = apply_correction(faulty, the_one(faulty))
    bandwidth_ = mended.boundaries["dram"].bandwidth
    assert (bandwidth_.value, bandwidth_.source, bandwidth_.condition) == (3.35e12, "a table", "peak")
    assert mended.ceilings == faulty.ceilings
    assert faulty.boundaries["dram"].bytes_per_s == 8 * 3.35e12
    assert apply_correction(faulty, the_one(faulty), 3.0e12).boundaries["dram"].bytes_per_s == 3.0e12


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
@pytest.mark.parametrize("share", [0.5, 0.75])
def test_a_machine_at_half_its_clock_is_no_mistake(machine, share):
    known = SHIPPED[machine]
    slow = replace(known, id="slow", name="Slow", short_name="slow", based_on=machine)
    for id_ in known.ceilings:
        slow = noted(scaled(slow, ("ceilings", id_), share), ("ceilings", id_), condition="dense, sustained")
        if "-tensor" not in id_:
            clock = known.clocks["boost"].value * share / 1e6
            slow = noted(slow, ("ceilings", id_), condition=f"{clock:.0f} MHz")
    for id_ in set(known.boundaries) & {"register", "shared", "l1", "l2"}:
        if known.boundaries[id_].bytes_per_s * share > known.boundaries["dram"].bytes_per_s:
            slow = scaled(slow, ("boundaries", id_, "bandwidth"), share)
    assert {one.kind for one in found(slow, SHIPPED.values()).values()} <= {"above-published", "order"}
    assert not any(place[0] == "ceilings" and len(place) == 2 for place in found(slow, SHIPPED.values()))


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

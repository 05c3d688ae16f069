"""Each usual mistake is found in a profile that is good otherwise, and nothing is found in good ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.profile_check import (
    KINDS,
    apply_correction,
    check_profile,
    figure_at,
    with_value,
)
from tests.core.profile_check.machines import (
    DRAM,
    GOOD,
    HONEST,
    SHIPPED,
    found,
    part,
    scaled,
    the_one,
)

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

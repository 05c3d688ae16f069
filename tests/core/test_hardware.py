from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from rooflinestudio.core.hardware import (
    BOUNDARY_ORDER,
    INSIDE,
    LINKS,
    Boundary,
    ComputeCeiling,
    Figure,
    HardwareProfile,
)


def published(value):
    return Figure(value, "published", source="data sheet")


def make(**changes):
    rates = {"bf16-tensor": 800e12, "fp32": 60e12, "fp32-no-fma": 30e12}
    slopes = {"l2": 8e12, "dram": 2e12, "nvlink": 400e9}
    profile = HardwareProfile(
        id="acme-one", name="Acme One", short_name="One", vendor="Acme", architecture="A1", year=2026,
        ceilings={id_: ComputeCeiling(id_, published(rate)) for id_, rate in rates.items()},
        boundaries={id_: Boundary(id_, id_.upper(), published(rate)) for id_, rate in slopes.items()},
        reference_ceiling="bf16-tensor",
    )  # fmt: skip
    return replace(profile, **changes)


def test_the_ridge_is_ceiling_over_bandwidth():
    profile = make()

    assert profile.ridge() == 400  # 800e12 / 2e12
    assert profile.ridge("fp32") == 30  # 60e12 / 2e12
    assert profile.ridge("bf16-tensor", "l2") == 100  # 800e12 / 8e12
    assert profile.ridge("fp32", "nvlink") == 150  # 60e12 / 400e9


def test_an_unknown_ceiling_or_boundary_names_the_nearest():
    profile = make()

    with pytest.raises(KeyError, match=r"ceiling of acme-one.*did you mean 'bf16-tensor'"):
        profile.ceiling("bf16-tenser")
    with pytest.raises(KeyError, match=r"boundary of acme-one.*did you mean 'dram'"):
        profile.ridge(boundary_id="drum")
    with pytest.raises(KeyError, match="it has l2, dram, nvlink"):
        profile.boundary("xyzzy")


def test_collectives_run_on_the_first_link_that_is_there():
    links = {id_: Boundary(id_, id_, published(1e9)) for id_ in ("network", "pcie", "xgmi", "dram")}

    assert make().collective_home == "nvlink"
    assert make(boundaries=links).collective_home == "xgmi"
    assert make(boundaries={"network": links["network"], "dram": links["dram"]}).collective_home == "network"
    assert make(boundaries={"dram": links["dram"]}).collective_home is None


def test_boundaries_are_ordered_from_the_innermost_outward():
    assert BOUNDARY_ORDER.index("register") == 0
    assert [BOUNDARY_ORDER.index(id_) for id_ in (*INSIDE, "l3", "dram", *LINKS)] == list(
        range(len(BOUNDARY_ORDER))
    )


def test_pipes_are_named_in_words():
    ceilings = make().ceilings

    assert ceilings["bf16-tensor"].label == "bf16 tensor"
    assert ceilings["fp32-no-fma"].label == "fp32 no FMA"


def test_equal_profiles_have_equal_hashes():
    shuffled = make(ceilings=MappingProxyType(dict(reversed(make().ceilings.items()))))

    assert make(sms=Figure(132, "published")) == make(sms=Figure(132.0, "published"))
    assert (
        make(sms=Figure(132, "published")).content_hash == make(sms=Figure(132.0, "published")).content_hash
    )
    assert shuffled == make()
    assert shuffled.content_hash == make().content_hash


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Acme 1"},
        {"year": 2025},
        {"notes": ("rounded",)},
        {"matrix_tile": {"tile_m": 256}},
        {"sources": {"a": "A"}},
        {"launch_overhead": Figure(3e-6, "assumed")},
        {"clocks": {"boost": Figure(2e9, "published")}},
        {"boundaries": {"dram": Boundary("dram", "DRAM", published(2e12), approximate=True)}},
        {
            "ceilings": {
                "bf16-tensor": ComputeCeiling("bf16-tensor", Figure(800e12, "measured", source="data sheet"))
            }
        },
    ],
)
def test_any_difference_changes_the_hash(changes):
    assert make(**changes).content_hash != make().content_hash


def test_profiles_can_be_keys():
    profile = make()

    assert {profile: 1}[make()] == 1

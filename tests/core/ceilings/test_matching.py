from __future__ import annotations

from typing import NamedTuple

import pytest

from rooflinestudio.core.ceilings.matching import match_words, matching_profiles


class Entry(NamedTuple):
    id: str
    name: str


KNOWN = tuple(
    Entry(*one)
    for one in (
        ("nvidia-a100-pcie-40gb", "A100 PCIe 40 GB"),
        ("nvidia-a100-sxm4-40gb", "A100 SXM4 40 GB"),
        ("nvidia-a100-sxm4-80gb", "A100 SXM4 80 GB"),
        ("nvidia-h100-pcie", "H100 PCIe 80 GB"),
        ("nvidia-h100-sxm5", "H100 SXM5 80 GB"),
        ("nvidia-rtx-4090", "GeForce RTX 4090 24 GB"),
        ("amd-mi210", "Instinct MI210"),
        ("amd-mi250x", "Instinct MI250X, whole package (two GCDs)"),
        ("amd-mi250x-gcd", "Instinct MI250X, one GCD"),
    )
)


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        ("NVIDIA A100-SXM4-40GB", "nvidia-a100-sxm4-40gb"),
        ("NVIDIA A100-PCIE-40GB", "nvidia-a100-pcie-40gb"),
        ("NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm4-80gb"),
        ("NVIDIA H100 80GB HBM3", "nvidia-h100-sxm5"),  # the driver names the form of the card only
        ("NVIDIA H100 PCIe", "nvidia-h100-pcie"),
        ("GeForce RTX 4090", "nvidia-rtx-4090"),
        ("AMD Instinct MI210", "amd-mi210"),
        ("AMD Instinct MI250X", "amd-mi250x-gcd"),  # each die is a device
    ],
)
def test_the_part_that_a_file_names_comes_first(device, expected):
    first = matching_profiles(device, KNOWN)[0]

    assert first.id == expected
    assert first.certain


def test_another_part_with_the_same_chip_is_offered_with_its_difference():
    found = matching_profiles("NVIDIA A100-SXM4-40GB", KNOWN)

    larger = next(one for one in found if one.id == "nvidia-a100-sxm4-80gb")

    assert {one.id for one in found[1:]} == {"nvidia-a100-pcie-40gb", "nvidia-a100-sxm4-80gb"}
    assert larger.differs == "80 GB instead of 40 GB"
    assert not larger.certain
    assert "80 GB instead of 40 GB" in match_words("NVIDIA A100-SXM4-40GB", larger)


@pytest.mark.parametrize(
    "device", ["device 0", "", "links of this machine", "GeForce RTX 4090 Laptop GPU", "Xy9 77"]
)
def test_a_device_that_no_profile_has_is_said_to_be_unknown(device):
    assert matching_profiles(device, KNOWN) == ()
    assert "choose the machine" in match_words(device, None)


def test_a_compute_capability_narrows_it_down_without_certainty():
    found = matching_profiles("", KNOWN, compute_capability="8.0")

    assert {one.id for one in found} == {one.id for one in KNOWN if "a100" in one.id}
    assert not any(one.certain for one in found)
    assert "compute capability 8.0" in match_words("", found[0], compute_capability="8.0")
    assert matching_profiles("", KNOWN, compute_capability="99.9") == ()


def test_a_name_counts_more_than_a_compute_capability():
    found = matching_profiles("GeForce RTX 4090", KNOWN, compute_capability="8.0")

    assert [one.id for one in found] == ["nvidia-rtx-4090"]

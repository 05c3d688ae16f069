"""The figures of the shipped profiles, against data sheets and own arithmetic."""

from __future__ import annotations

import math

import pytest

from rooflinestudio.core.profile_files import find_profile, shipped_profiles
from tests.builtin.shipped import IDS, profile

every_profile = pytest.mark.parametrize("id_", IDS)

# Rates in TFLOP/s (dense) and TB/s, as data sheets print them; the ridge is their quotient, worked out by hand.
RIDGES = [
    ("nvidia-a100-sxm4-80gb", "bf16-tensor", 312, 2.04, 152.94),
    ("nvidia-a100-sxm4-80gb", "fp32", 19.5, 2.04, 9.56),
    ("nvidia-h100-sxm5", "bf16-tensor", 989.4, 3.35, 295.34),
    ("nvidia-h100-sxm5", "fp8-tensor", 1979, 3.35, 590.75),
    ("nvidia-h100-sxm5", "fp32", 66.9, 3.35, 19.97),
    ("nvidia-h200-sxm", "bf16-tensor", 989.4, 4.8, 206.12),
    ("nvidia-h200-sxm", "fp8-tensor", 1979, 4.8, 412.29),
    ("nvidia-h200-sxm", "fp32", 66.9, 4.8, 13.94),
    ("nvidia-b200", "bf16-tensor", 2250, 8.0, 281.25),
    ("nvidia-b200", "fp8-tensor", 4500, 8.0, 562.5),
    ("nvidia-b200", "fp32", 80, 8.0, 10.0),
    ("amd-mi300x", "bf16-tensor", 1307, 5.3, 246.6),
    ("amd-mi300x", "fp8-tensor", 2615, 5.3, 493.4),
    ("amd-mi300x", "fp32", 163.4, 5.3, 30.83),
    ("nvidia-l40s", "bf16-tensor", 362, 0.864, 418.98),
    ("nvidia-l40s", "fp8-tensor", 733, 0.864, 848.38),
    ("nvidia-l40s", "fp32", 91.6, 0.864, 106.02),
    ("nvidia-rtx-4090", "bf16-tensor", 165.2, 1.008, 163.89),
    ("nvidia-rtx-4090", "fp8-tensor", 330.3, 1.008, 327.68),
    ("nvidia-rtx-4090", "fp32", 82.6, 1.008, 81.94),
    ("nvidia-p100-sxm2-16gb", "fp16", 21.2, 0.732, 28.96),
    ("nvidia-v100-sxm2-16gb", "fp16-tensor", 125, 0.9, 138.89),
    ("nvidia-v100-sxm2-16gb", "fp32", 15.7, 0.9, 17.44),
]


@pytest.mark.parametrize(("id_", "ceiling", "tflop_per_s", "tbyte_per_s", "ridge"), RIDGES)
def test_ridges_are_those_of_the_data_sheets(id_, ceiling, tflop_per_s, tbyte_per_s, ridge):
    one = profile(id_)

    assert one.ceiling(ceiling).flop_per_s == pytest.approx(tflop_per_s * 1e12, rel=1e-3)
    assert one.boundary("dram").bytes_per_s == pytest.approx(tbyte_per_s * 1e12, rel=1e-3)
    assert one.ridge(ceiling) == pytest.approx(ridge, rel=0.01)


# (boundary, bytes/s, ridge against 989.4 TFLOP/s)
H100_BOUNDARIES = [
    ("register", 300e12, 3.298),
    ("shared", 30e12, 32.98),
    ("l2", 9e12, 109.93),
    ("dram", 3.35e12, 295.34),
    ("nvlink", 450e9, 2198.67),
    ("pcie", 64e9, 15459.4),
    ("network", 50e9, 19788.0),
]


@pytest.mark.parametrize(("boundary", "bytes_per_s", "ridge"), H100_BOUNDARIES)
def test_the_h100_has_seven_boundaries(boundary, bytes_per_s, ridge):
    h100 = profile("nvidia-h100-sxm5")

    assert len(h100.boundaries) == len(H100_BOUNDARIES)
    assert h100.boundary(boundary).bytes_per_s == bytes_per_s
    assert h100.ridge("bf16-tensor", boundary) == pytest.approx(ridge, rel=1e-3)


def test_the_h100s_on_chip_bandwidths_are_marked_approximate_with_other_readings():
    h100 = profile("nvidia-h100-sxm5")

    approximate = {id_ for id_, one in h100.boundaries.items() if one.approximate}
    assert approximate == {"register", "shared", "l2"}
    assert "267.6 TB/s" in h100.boundary("register").bandwidth.note
    assert "401.4 TB/s" in h100.boundary("register").bandwidth.note
    assert "33.5 TB/s" in h100.boundary("shared").bandwidth.note
    assert "9.8 TB/s" in h100.boundary("l2").bandwidth.note


def test_the_h100s_memory():
    dram = profile("nvidia-h100-sxm5").boundary("dram")

    assert (dram.label, dram.capacity.value, dram.latency.value) == ("HBM3", 80e9, 600e-9)
    assert "354 ns" in dram.latency.note
    assert dram.bandwidth.provenance == "published"
    assert dram.slopes["streaming"].provenance == "assumed"
    assert dram.slopes["streaming"].value == pytest.approx(2.8475e12)  # 0.85 x 3.35e12


def test_the_h100_keeps_seventeen_teraflops_of_special_functions():
    assert profile("nvidia-h100-sxm5").ceiling("special").flop_per_s == pytest.approx(17e12, rel=0.02)


def test_an_h100_needs_two_megabytes_in_flight():
    dram = profile("nvidia-h100-sxm5").boundary("dram")

    assert dram.bytes_per_s * dram.latency.value == pytest.approx(2.01e6)


TILES = {
    "nvidia-h100-sxm5": {"tile_m": 128, "tile_n": 256, "warp_m": 64, "warp_n": 256},
    "nvidia-h200-sxm": {"tile_m": 128, "tile_n": 256, "warp_m": 64, "warp_n": 256},
    "nvidia-b200": {"tile_m": 256, "tile_n": 256, "warp_m": 128, "warp_n": 256},
}


@every_profile
def test_hopper_and_blackwell_name_better_tiles(id_):
    assert profile(id_).matrix_tile == TILES.get(id_, {})


@every_profile
def test_only_blackwell_feeds_its_matrix_pipe_past_the_registers(id_):
    unfed = [one.id for one in profile(id_).boundaries.values() if not one.feeds_matrix]

    assert unfed == (["register"] if id_ == "nvidia-b200" else [])


PER_MULTIPROCESSOR = {  # how many, registers, KiB of shared memory
    "amd-mi300x": (304, 131072, 64),
    "nvidia-a100-sxm4-40gb": (108, 65536, 164),
    "nvidia-a100-sxm4-80gb": (108, 65536, 164),
    "nvidia-b200": (148, 65536, 228),
    "nvidia-h100-sxm5": (132, 65536, 228),
    "nvidia-h200-sxm": (132, 65536, 228),
    "nvidia-l40s": (142, 65536, 100),
    "nvidia-p100-sxm2-16gb": (56, 65536, 64),
    "nvidia-rtx-4090": (128, 65536, 100),
    "nvidia-v100-sxm2-16gb": (80, 65536, 96),
}


@every_profile
def test_multiprocessors(id_):
    one = profile(id_)

    assert (
        one.sms.value,
        one.registers_per_sm.value,
        one.shared_bytes_per_sm.value / 1024,
    ) == PER_MULTIPROCESSOR[id_]


MEMORY = {  # label, bytes, share of the L2 in MiB
    "amd-mi300x": ("HBM3", 192e9, 32),
    "nvidia-a100-sxm4-40gb": ("HBM2", 40e9, 40),
    "nvidia-a100-sxm4-80gb": ("HBM2e", 80e9, 40),
    "nvidia-b200": ("HBM3e", 180e9, 126),
    "nvidia-h100-sxm5": ("HBM3", 80e9, 50),
    "nvidia-h200-sxm": ("HBM3e", 141e9, 50),
    "nvidia-l40s": ("GDDR6", 48e9, 96),
    "nvidia-p100-sxm2-16gb": ("HBM2", 16e9, None),  # the bandwidth of its L2 was never published
    "nvidia-rtx-4090": ("GDDR6X", 24e9, 72),
    "nvidia-v100-sxm2-16gb": ("HBM2", 16e9, 6),
}


@every_profile
def test_memory_is_called_by_its_own_word(id_):
    boundaries = profile(id_).boundaries

    assert (
        boundaries["dram"].label,
        boundaries["dram"].capacity.value,
        boundaries["l2"].capacity.value / 2**20 if "l2" in boundaries else None,
    ) == MEMORY[id_]


@every_profile
def test_tensor_rates_are_a_whole_number_of_flop_per_multiprocessor_and_clock(id_):
    """Dense and sparse rates, and clocks, are easily mixed up; what is left per clock is a power of two."""
    one = profile(id_)
    clock = one.clocks.get("tensor", one.clocks["boost"]).value

    for ceiling in one.ceilings.values():
        if ceiling.id.endswith("-tensor") and not ceiling.id.startswith(("fp64", "fp32", "int4")):
            per_clock = ceiling.flop_per_s / (one.sms.value * clock)
            nearest = 2 ** round(math.log2(per_clock))
            assert per_clock == pytest.approx(nearest, rel=0.015), ceiling.id


def test_the_l40s_bf16_rate_is_the_dense_one():
    assert profile("nvidia-l40s").ceiling("bf16-tensor").flop_per_s == 362e12  # 181 is the plain L40


def test_no_machine_has_a_pipe_that_it_lacks():
    assert not {"bf16-tensor", "bf16", "fp8-tensor", "tf32-tensor"} & set(
        profile("nvidia-v100-sxm2-16gb").ceilings
    )
    assert "fp8-tensor" not in profile("nvidia-a100-sxm4-80gb").ceilings
    assert {id_ for id_ in IDS if "fp4-tensor" in profile(id_).ceilings} == {"nvidia-b200"}


def test_geforce_tensor_rates_accumulate_in_fp32_and_the_faster_ones_are_apart():
    card = profile("nvidia-rtx-4090")

    assert card.ceiling("fp16-tensor").flop_per_s == 165.2e12
    assert card.ceiling("fp16-tensor-fp16acc").flop_per_s == 330.3e12
    assert card.ceiling("fp8-tensor-fp16acc").flop_per_s == 660.6e12
    assert "fp32 accumulation" in card.ceiling("fp16-tensor").figure.condition
    assert "fp16 accumulation" in card.ceiling("fp16-tensor-fp16acc").figure.condition


# Read only through tables that nobody can look up, or remembered: shipped as assumed, and said to be.
ASSUMED = [
    ("nvidia-l40s", "int4-tensor", "no document confirmed"),
    ("nvidia-rtx-4090", "fp16-tensor-fp16acc", "secondary table"),
    ("nvidia-rtx-4090", "fp8-tensor-fp16acc", "secondary table"),
]


@pytest.mark.parametrize(("id_", "ceiling", "words"), ASSUMED)
def test_what_could_not_be_traced_is_assumed(id_, ceiling, words):
    figure = profile(id_).ceiling(ceiling).figure

    assert figure.provenance == "assumed"
    assert words in figure.source


def test_links_are_per_device_and_one_direction():
    assert profile("nvidia-a100-sxm4-80gb").boundary("nvlink").bytes_per_s == 300e9  # 600 GB/s both ways
    assert profile("nvidia-b200").boundary("nvlink").bytes_per_s == 900e9  # 1.8 TB/s both ways
    assert profile("amd-mi300x").boundary("xgmi").bytes_per_s == 448e9  # 7 links of 64 GB/s
    assert profile("nvidia-v100-sxm2-16gb").boundary("nvlink").bytes_per_s == 150e9
    assert "nvlink" not in profile("nvidia-l40s").boundaries
    assert profile("amd-mi300x").collective_home == "xgmi"
    assert profile("nvidia-l40s").collective_home == "pcie"


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("h100", "nvidia-h100-sxm5"), ("A100-sxm4-80", "nvidia-a100-sxm4-80gb"), ("b200", "nvidia-b200"),
        ("mi300", "amd-mi300x"), ("4090", "nvidia-rtx-4090"), ("l40s", "nvidia-l40s"),
        ("v100", "nvidia-v100-sxm2-16gb"), ("H200 SXM", "nvidia-h200-sxm"),
    ],
)  # fmt: skip
def test_a_part_of_the_id_is_enough(text, id_):
    assert find_profile(shipped_profiles(), text).id == id_


def test_the_index_comes_from_the_package_and_keeps_what_it_has_read():
    assert profile_index() == shipped_profiles()
    assert profile("h100") is profile("nvidia-h100-sxm5")

"""The figures of the shipped profiles, against data sheets and own arithmetic."""

from __future__ import annotations

import math
import re

import pytest

from rooflinestudio.core.errors import ProfileError
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
    ("nvidia-v100-sxm2-32gb", "fp16-tensor", 125, 0.9, 138.89),
    ("nvidia-t4", "fp16-tensor", 65, 0.32, 203.1),
    ("nvidia-t4", "int8-tensor", 130, 0.32, 406.3),
    ("nvidia-a10", "bf16-tensor", 125, 0.6, 208.3),
    ("nvidia-a30", "bf16-tensor", 165, 0.933, 176.8),
    ("nvidia-a100-pcie-40gb", "bf16-tensor", 312, 1.555, 200.6),
    ("nvidia-a100-pcie-80gb", "bf16-tensor", 312, 1.935, 161.2),
    ("nvidia-h100-pcie", "bf16-tensor", 756, 2.039, 370.8),
    ("nvidia-h100-nvl", "bf16-tensor", 835, 3.94, 211.9),
    ("nvidia-gh200", "bf16-tensor", 989.4, 4.0, 247.4),
    ("nvidia-l4", "bf16-tensor", 121, 0.3, 403.3),
    ("nvidia-rtx-3090", "bf16-tensor", 71.2, 0.936, 76.07),
    ("nvidia-rtx-5090", "bf16-tensor", 209.5, 1.792, 116.9),
    ("nvidia-rtx-5090", "int8-tensor", 838, 1.792, 467.6),
    ("nvidia-rtx-6000-ada", "bf16-tensor", 364.2, 0.96, 379.4),
    ("nvidia-rtx-pro-6000-blackwell", "bf16-tensor", 503.8, 1.792, 281.1),
    ("nvidia-b100", "bf16-tensor", 1750, 8.0, 218.8),
    ("nvidia-gb200", "bf16-tensor", 2500, 8.0, 312.5),
    ("nvidia-b300", "bf16-tensor", 2250, 8.0, 281.25),
    ("nvidia-b300", "int8-tensor", 150, 8.0, 18.75),  # not 4500, which is the B200's
    ("nvidia-jetson-agx-orin-64gb", "int8-tensor", 85, 0.2048, 415.0),  # 170 sparse; 275 is the whole module
    ("nvidia-dgx-spark-gb10", "fp4-tensor", 500, 0.273, 1831.5),  # 1000 sparse
    ("amd-mi100", "fp16-tensor", 184.6, 1.2288, 150.2),
    ("amd-mi100", "bf16-tensor", 92.3, 1.2288, 75.1),
    ("amd-mi210", "bf16-tensor", 181, 1.6384, 110.5),
    ("amd-mi250x", "bf16-tensor", 383, 3.2768, 116.9),
    ("amd-mi250x-gcd", "fp64-tensor", 47.9, 1.6384, 29.2),
    ("amd-mi300a", "bf16-tensor", 980.6, 5.3, 185.0),
    ("amd-mi325x", "bf16-tensor", 1307.4, 6.0, 217.9),
    ("amd-mi350x", "bf16-tensor", 2306.9, 8.0, 288.4),
    ("amd-mi355x", "fp4-tensor", 10066.3, 8.0, 1258.3),
    ("amd-rx-7900-xtx", "fp32", 61.4, 0.96, 63.96),
    ("intel-gaudi2", "fp8-tensor", 865, 2.46, 351.6),
    ("intel-gaudi3", "bf16-tensor", 1835, 3.7, 495.9),
    ("intel-max-1550", "bf16-tensor", 839, 3.2768, 256.0),
    ("google-tpu-v3", "bf16-tensor", 123, 0.9, 136.7),
    ("google-tpu-v4", "int8-tensor", 275, 1.23, 223.6),
    ("google-tpu-v5e", "bf16-tensor", 197, 0.82, 240.2),
    ("google-tpu-v5p", "int8-tensor", 918, 2.765, 332.0),
    ("google-tpu-v6e", "bf16-tensor", 918, 1.638, 560.4),
    ("google-tpu-v7", "fp8-tensor", 4614, 7.38, 625.2),
    ("aws-trainium1", "bf16-tensor", 190, 0.82, 231.7),
    ("aws-trainium2", "fp8-tensor", 1299, 2.9, 447.9),
    ("aws-inferentia2", "int8-tensor", 380, 0.82, 463.4),
    ("apple-m1-max", "fp32", 10.6, 0.4, 26.5),
    ("apple-m2-ultra", "fp32", 27.2, 0.8, 34.0),
    ("apple-m3-max", "fp32", 14.3, 0.4, 35.75),
    ("apple-m4-max", "fp32", 16.2, 0.546, 29.67),
    ("intel-xeon-8480plus", "bf16-tensor", 114.688, 0.3072, 373.3),  # 56 × 1024 × 2 GHz, 8 × 8 B × 4.8 GT/s
    ("intel-xeon-6980p", "int8-tensor", 524.288, 0.8448, 620.6),  # 128 × 2048 × 2 GHz, 12 × 8 B × 8.8 GT/s
    ("amd-epyc-9654", "fp32", 7.3728, 0.4608, 16.0),  # 96 × 32 × 2.4 GHz, 12 × 8 B × 4.8 GT/s
    ("amd-epyc-9755", "fp64", 11.0592, 0.576, 19.2),  # 128 × 32 × 2.7 GHz, 12 × 8 B × 6 GT/s
    ("nvidia-grace", "fp32", 7.1424, 0.512, 13.95),  # 72 × 32 × 3.1 GHz
    ("aws-graviton4", "fp32", 8.6016, 0.5376, 16.0),  # 96 × 32 × 2.8 GHz, 12 × 8 B × 5.6 GT/s
    ("cerebras-wse3", "fp16-tensor", 16000, 21000, 0.762),  # no byte of memory: SRAM at every core
    ("groq-lpu", "int8-tensor", 750, 80, 9.375),
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


HOPPER = {"nvidia-h100-pcie", "nvidia-h100-sxm5", "nvidia-h100-nvl", "nvidia-h200-sxm", "nvidia-gh200"}
BLACKWELL = {"nvidia-b100", "nvidia-b200", "nvidia-gb200", "nvidia-b300"}  # with tcgen05; the GB20x have not
TILES = {
    **{id_: {"tile_m": 128, "tile_n": 256, "warp_m": 64, "warp_n": 256} for id_ in HOPPER},
    **{id_: {"tile_m": 256, "tile_n": 256, "warp_m": 128, "warp_n": 256} for id_ in BLACKWELL},
}


@every_profile
def test_hopper_and_blackwell_name_better_tiles(id_):
    assert profile(id_).matrix_tile == TILES.get(id_, {})


@every_profile
def test_only_blackwell_feeds_its_matrix_pipe_past_the_registers(id_):
    unfed = [one.id for one in profile(id_).boundaries.values() if not one.feeds_matrix]

    assert unfed == (["register"] if id_ in BLACKWELL else [])


NVIDIA, AMD = 65536, 131072  # registers of 32 bits
PER_MULTIPROCESSOR = {  # how many, registers, KiB of shared memory
    "amd-mi100": (120, AMD, 64), "amd-mi210": (104, AMD, 64), "amd-mi250x": (220, AMD, 64),
    "amd-mi250x-gcd": (110, AMD, 64), "amd-mi300a": (228, AMD, 64), "amd-mi300x": (304, AMD, 64),
    "amd-mi325x": (304, AMD, 64), "amd-mi350x": (256, AMD, 160), "amd-mi355x": (256, AMD, 160),
    "amd-rx-7900-xtx": (96, 98304, 64), "nvidia-a10": (72, NVIDIA, 100), "nvidia-a100-pcie-40gb": (108, NVIDIA, 164),
    "nvidia-a100-pcie-80gb": (108, NVIDIA, 164), "nvidia-a100-sxm4-40gb": (108, NVIDIA, 164),
    "nvidia-a100-sxm4-80gb": (108, NVIDIA, 164), "nvidia-a30": (56, NVIDIA, 164), "nvidia-b100": (148, NVIDIA, 228),
    "nvidia-b200": (148, NVIDIA, 228), "nvidia-b300": (148, NVIDIA, 228), "nvidia-dgx-spark-gb10": (48, NVIDIA, 100),
    "nvidia-gb200": (152, NVIDIA, 228), "nvidia-gh200": (132, NVIDIA, 228), "nvidia-h100-nvl": (132, NVIDIA, 228),
    "nvidia-h100-pcie": (114, NVIDIA, 228), "nvidia-h100-sxm5": (132, NVIDIA, 228),
    "nvidia-h200-sxm": (132, NVIDIA, 228), "nvidia-jetson-agx-orin-64gb": (16, NVIDIA, 164),
    "nvidia-l4": (58, NVIDIA, 100), "nvidia-l40s": (142, NVIDIA, 100), "nvidia-p100-sxm2-16gb": (56, NVIDIA, 64),
    "nvidia-rtx-3090": (82, NVIDIA, 100), "nvidia-rtx-4090": (128, NVIDIA, 100), "nvidia-rtx-5090": (170, NVIDIA, 100),
    "nvidia-rtx-6000-ada": (142, NVIDIA, 100), "nvidia-rtx-pro-6000-blackwell": (188, NVIDIA, 100),
    "nvidia-t4": (40, NVIDIA, 64), "nvidia-v100-sxm2-16gb": (80, NVIDIA, 96), "nvidia-v100-sxm2-32gb": (80, NVIDIA, 96),
}  # fmt: skip
CORES = {
    "apple-m1-max": 32,
    "apple-m2-ultra": 76,
    "apple-m3-max": 40,
    "apple-m4-max": 40,
    "intel-max-1550": 128,
}


@every_profile
def test_multiprocessors(id_):
    one = profile(id_)
    if id_ not in PER_MULTIPROCESSOR:
        assert (one.sms.value if one.sms else None) == CORES.get(id_)
        assert one.registers_per_sm is None and one.shared_bytes_per_sm is None
        return

    assert (
        one.sms.value,
        one.registers_per_sm.value,
        one.shared_bytes_per_sm.value / 1024,
    ) == PER_MULTIPROCESSOR[id_]


MEMORY = {  # label, GB, MiB of the L2 (None where its bandwidth was never published, so that it is left out)
    "amd-mi100": ("HBM2", 32, 8), "amd-mi210": ("HBM2e", 64, 8), "amd-mi250x": ("HBM2e", 128, 16),
    "amd-mi250x-gcd": ("HBM2e", 64, 8), "amd-mi300a": ("HBM3", 128, 24), "amd-mi300x": ("HBM3", 192, 32),
    "amd-mi325x": ("HBM3e", 256, 32), "amd-mi350x": ("HBM3e", 288, 32), "amd-mi355x": ("HBM3e", 288, 32),
    "amd-rx-7900-xtx": ("GDDR6", 24, None), "apple-m1-max": ("LPDDR5", 64, 0.5),
    "apple-m2-ultra": ("LPDDR5", 192, 2), "apple-m3-max": ("LPDDR5", 128, 1),
    "apple-m4-max": ("LPDDR5X", 128, 1), "cerebras-wse3": ("SRAM on the wafer", 44, None),
    "intel-gaudi2": ("HBM2e", 96, 48), "intel-gaudi3": ("HBM2e", 128, 96),
    "intel-max-1550": ("HBM2e", 128, 408), "nvidia-a10": ("GDDR6", 24, None),
    "nvidia-a100-pcie-40gb": ("HBM2", 40, 40), "nvidia-a100-pcie-80gb": ("HBM2e", 80, 40),
    "nvidia-a100-sxm4-40gb": ("HBM2", 40, 40), "nvidia-a100-sxm4-80gb": ("HBM2e", 80, 40),
    "nvidia-a30": ("HBM2", 24, None), "nvidia-b100": ("HBM3e", 192, 126), "nvidia-b200": ("HBM3e", 180, 126),
    "nvidia-b300": ("HBM3e", 288, 126), "nvidia-dgx-spark-gb10": ("LPDDR5X", 128, None),
    "nvidia-gb200": ("HBM3e", 186, 126), "nvidia-gh200": ("HBM3", 96, 60), "nvidia-h100-nvl": ("HBM3", 94, 50),
    "nvidia-h100-pcie": ("HBM2e", 80, 50), "nvidia-h100-sxm5": ("HBM3", 80, 50),
    "nvidia-h200-sxm": ("HBM3e", 141, 50), "nvidia-jetson-agx-orin-64gb": ("LPDDR5", 64, None),
    "nvidia-l4": ("GDDR6", 24, None), "nvidia-l40s": ("GDDR6", 48, 96),
    "nvidia-p100-sxm2-16gb": ("HBM2", 16, None), "nvidia-rtx-3090": ("GDDR6X", 24, None),
    "nvidia-rtx-4090": ("GDDR6X", 24, 72), "nvidia-rtx-5090": ("GDDR7", 32, 96),
    "nvidia-rtx-6000-ada": ("GDDR6", 48, 96), "nvidia-rtx-pro-6000-blackwell": ("GDDR7", 96, 128),
    "nvidia-t4": ("GDDR6", 16, None), "nvidia-v100-sxm2-16gb": ("HBM2", 16, 6),
    "nvidia-v100-sxm2-32gb": ("HBM2", 32, 6),
}  # fmt: skip
IN_GIB = {"aws-inferentia2": 32, "aws-trainium1": 32, "aws-trainium2": 96, "google-tpu-v3": 32, "google-tpu-v4": 32,
          "google-tpu-v5e": 16, "google-tpu-v5p": 95, "google-tpu-v6e": 32, "google-tpu-v7": 192}  # fmt: skip


@pytest.mark.parametrize("id_", MEMORY)
def test_memory_is_called_by_its_own_word(id_):
    boundaries = profile(id_).boundaries

    assert (
        boundaries["dram"].label,
        boundaries["dram"].capacity.value / 1e9,
        boundaries["l2"].capacity.value / 2**20 if "l2" in boundaries else None,
    ) == MEMORY[id_]


@pytest.mark.parametrize("id_", IN_GIB)
def test_google_and_aws_state_gib(id_):
    assert profile(id_).boundary("dram").capacity.value == IN_GIB[id_] * 2**30


@pytest.mark.parametrize(
    ("ids", "pipe", "flop"),
    [
        (["nvidia-v100-sxm2-16gb", "nvidia-v100-sxm2-32gb", "nvidia-t4"], "fp16-tensor", 1024),
        (["nvidia-a30", "nvidia-a100-pcie-40gb", "nvidia-a100-sxm4-40gb", "nvidia-a100-pcie-80gb",
          "nvidia-a100-sxm4-80gb", "nvidia-jetson-agx-orin-64gb"], "bf16-tensor", 2048),
        (["nvidia-a10", "nvidia-l4", "nvidia-l40s", "nvidia-rtx-6000-ada", "nvidia-rtx-pro-6000-blackwell"],
         "bf16-tensor", 1024),
        (["nvidia-rtx-3090", "nvidia-rtx-4090", "nvidia-rtx-5090"], "bf16-tensor", 512),  # GeForce, half rate
        (["nvidia-rtx-3090", "nvidia-rtx-4090", "nvidia-rtx-5090"], "fp16-tensor-fp16acc", 1024),
        (sorted(HOPPER), "bf16-tensor", 4096), (sorted(HOPPER), "int8-tensor", 8192),
        (sorted(BLACKWELL), "bf16-tensor", 8192), (sorted(BLACKWELL - {"nvidia-b300"}), "fp4-tensor", 32768),
        (["amd-mi100"], "fp16-tensor", 1024), (["amd-mi100"], "bf16-tensor", 512),
        (["amd-mi210", "amd-mi250x", "amd-mi250x-gcd"], "bf16-tensor", 1024),
        (["amd-mi210", "amd-mi250x", "amd-mi250x-gcd"], "fp64-tensor", 256),
        (["amd-mi300a", "amd-mi300x", "amd-mi325x"], "bf16-tensor", 2048),
        (["amd-mi300a", "amd-mi300x", "amd-mi325x"], "int8-tensor", 4096),
        (["amd-mi350x", "amd-mi355x"], "bf16-tensor", 4096), (["amd-rx-7900-xtx"], "fp16-tensor", 512),
        (["intel-max-1550"], "bf16-tensor", 4096),
    ],
)  # fmt: skip
def test_matrix_rates_are_what_the_architecture_does_per_clock(ids, pipe, flop):
    """Dense and sparse rates, and clocks, are easily mixed up; per multiprocessor and clock they come out even."""
    for id_ in ids:
        one = profile(id_)
        clock = one.clocks.get("tensor", one.clocks["boost"]).value
        assert one.ceiling(pipe).flop_per_s / (one.sms.value * clock) == pytest.approx(flop, rel=0.015), id_


# Rates that do not come out even: documents that round, or that contradict each other (see the notes of the files).
UNEVEN = {
    ("nvidia-b200", "fp64-tensor"), ("nvidia-b200", "fp16"), ("nvidia-b200", "fp32"), ("nvidia-b200", "fp32-no-fma"),
    ("nvidia-b200", "fp64"), ("nvidia-b300", "fp4-tensor"), ("nvidia-b300", "int8-tensor"),
    ("nvidia-b300", "fp64-tensor"), ("nvidia-b300", "fp32"), ("nvidia-b300", "fp32-no-fma"), ("nvidia-b300", "fp64"),
    *(("nvidia-dgx-spark-gb10", f"{one}-tensor") for one in ("fp4", "fp8", "bf16", "fp16", "tf32")),
}  # fmt: skip


@pytest.mark.parametrize("id_", [*PER_MULTIPROCESSOR, "intel-max-1550"])
def test_every_rate_is_a_power_of_two_per_multiprocessor_at_the_clock_that_it_names(id_):
    one = profile(id_)
    for pipe, ceiling in one.ceilings.items():
        clock = re.search(r"([\d.]+) GHz", ceiling.figure.condition)
        if clock is None:  # measured
            continue
        per_clock = ceiling.flop_per_s / (one.sms.value * float(clock[1]) * 1e9)
        even = per_clock == pytest.approx(2 ** round(math.log2(per_clock)), rel=0.015)
        assert even == ((id_, pipe) not in UNEVEN), pipe


def test_the_l40s_bf16_rate_is_the_dense_one():
    assert profile("nvidia-l40s").ceiling("bf16-tensor").flop_per_s == 362e12  # 181 is the plain L40


def test_no_machine_has_a_pipe_that_it_lacks():
    assert not {"bf16-tensor", "bf16", "fp8-tensor", "tf32-tensor"} & set(
        profile("nvidia-v100-sxm2-16gb").ceilings
    )
    assert "fp8-tensor" not in profile("nvidia-a100-sxm4-80gb").ceilings
    assert {id_ for id_ in IDS if "fp4-tensor" in profile(id_).ceilings} == BLACKWELL | {
        "nvidia-dgx-spark-gb10", "nvidia-rtx-5090", "nvidia-rtx-pro-6000-blackwell", "amd-mi350x", "amd-mi355x",
    }  # fmt: skip
    assert {id_ for id_ in IDS if "tf32-tensor" not in profile(id_).ceilings and id_.startswith("amd-mi3")} == {
        "amd-mi350x", "amd-mi355x",
    }  # fmt: skip
    assert not any("bf16-tensor" in profile(id_).ceilings for id_ in IDS if id_.startswith("apple"))


def test_geforce_tensor_rates_accumulate_in_fp32_and_the_faster_ones_are_apart():
    card = profile("nvidia-rtx-4090")

    assert card.ceiling("fp16-tensor").flop_per_s == 165.2e12
    assert card.ceiling("fp16-tensor-fp16acc").flop_per_s == 330.3e12
    assert card.ceiling("fp8-tensor-fp16acc").flop_per_s == 660.6e12
    assert "fp32 accumulation" in card.ceiling("fp16-tensor").figure.condition
    assert "fp16 accumulation" in card.ceiling("fp16-tensor-fp16acc").figure.condition


ASSUMED = [
    ("nvidia-l40s", "int4-tensor", "no document confirmed"),
    ("nvidia-t4", "int4-tensor", "no document confirmed"),
    ("nvidia-b100", "bf16-tensor", "no document confirmed"),
    ("nvidia-dgx-spark-gb10", "bf16-tensor", "fp4 / 4"),
    ("amd-mi100", "int8-tensor", "no document confirmed"),
    ("amd-mi355x", "fp64-tensor", "no document confirmed"),
    ("intel-gaudi3", "bf16", "no document confirmed"),
    ("intel-max-1550", "fp16-tensor", "could not be traced"),
    ("cerebras-wse3", "fp16-tensor", "1.3 B per dense FLOP"),
    ("nvidia-v100-sxm2-16gb", "int8", "DP4A"),
]


@pytest.mark.parametrize(("id_", "ceiling", "words"), ASSUMED)
def test_what_could_not_be_traced_is_assumed(id_, ceiling, words):
    figure = profile(id_).ceiling(ceiling).figure

    assert (figure.provenance, figure.confidence) == ("assumed", "low")
    assert words in figure.source


LINKS = {  # GB/s per device and one direction; data sheets mostly print twice this, for both
    ("nvidia-p100-sxm2-16gb", "nvlink"): 80, ("nvidia-v100-sxm2-32gb", "nvlink"): 150,
    ("nvidia-a100-pcie-80gb", "nvlink"): 300, ("nvidia-h100-sxm5", "nvlink"): 450, ("nvidia-b300", "nvlink"): 900,
    ("nvidia-gh200", "c2c"): 450, ("amd-mi100", "xgmi"): 138, ("amd-mi300a", "xgmi"): 384,
    ("amd-mi325x", "xgmi"): 448, ("amd-mi250x-gcd", "c2c"): 200, ("intel-gaudi2", "roce"): 300,
    ("intel-gaudi3", "roce"): 600, ("intel-max-1550", "xe_link"): 159, ("google-tpu-v4", "ici"): 270,
    ("google-tpu-v7", "ici"): 600, ("aws-trainium1", "neuronlink"): 192, ("aws-trainium2", "neuronlink"): 640,
    ("aws-inferentia2", "neuronlink"): 96, ("nvidia-b300", "pcie"): 128, ("nvidia-t4", "pcie"): 16,
    ("nvidia-b300", "network"): 100, ("google-tpu-v7", "network"): 12.5, ("aws-trainium2", "network"): 25,
}  # fmt: skip


@pytest.mark.parametrize(("id_", "link"), LINKS)
def test_links_of_newer_parts(id_, link):
    boundary = profile(id_).boundary(link)

    assert boundary.bytes_per_s == LINKS[id_, link] * 1e9
    assert "one direction" in boundary.bandwidth.condition


POWER = {
    "nvidia-t4": 70, "nvidia-v100-sxm2-16gb": 300, "nvidia-a100-sxm4-80gb": 400, "nvidia-a100-pcie-80gb": 300,
    "nvidia-h100-sxm5": 700, "nvidia-h100-pcie": 350, "nvidia-l40s": 350, "nvidia-l4": 72, "nvidia-b200": 1000,
    "nvidia-rtx-4090": 450, "nvidia-rtx-5090": 575, "amd-mi210": 300, "amd-mi300x": 750, "amd-mi325x": 1000,
    "amd-mi355x": 1400, "intel-gaudi2": 600, "intel-gaudi3": 900, "intel-max-1550": 600, "amd-epyc-9654": 360,
    "intel-xeon-8480plus": 350,
}  # fmt: skip


@pytest.mark.parametrize("id_", POWER)
def test_power_is_what_the_part_is_built_to_take(id_):
    assert profile(id_).tdp.value == POWER[id_]


def test_sustained_clocks_are_known_of_few():
    """The MI300X cannot hold its clock, the Gaudi 3 ships with a lower one, Aurora runs its cards at a lower one."""
    known = {id_: profile(id_).clocks["sustained"].value for id_ in IDS if "sustained" in profile(id_).clocks}

    assert known == {
        "amd-mi300x": 1.26e9, "intel-gaudi3": 1.6e9, "intel-max-1550": 1.5e9,
        "intel-xeon-8480plus": 3e9, "intel-xeon-6980p": 3.2e9, "amd-epyc-9654": 3.55e9,  # all-core turbo
    }  # fmt: skip
    gaudi3 = profile("intel-gaudi3")
    scaled = gaudi3.ceiling("bf16-tensor").flop_per_s * known["intel-gaudi3"] / gaudi3.clocks["tensor"].value
    assert scaled == pytest.approx(1677e12, rel=1e-3)  # 8 engines × 256 × 256 × 2 × 1.6 GHz


def test_measured_figures_of_the_very_part_stand_beside_the_published_ones():
    h100, mi210 = profile("nvidia-h100-sxm5").ceiling("bf16-tensor"), profile("amd-mi210")

    assert (h100.flop_per_s, h100.measured.value, h100.in_use) == (989.4e12, 794.5e12, "stated")
    assert h100.achievable.typical.value == pytest.approx(794.5 / 989.4, abs=1e-4)
    assert mi210.ceiling("int8-tensor").measured.value == 167e12
    assert mi210.boundary("dram").measured.value == 1.389e12
    assert profile("nvidia-h100-nvl").ceiling("bf16-tensor").measured.value > 835e12  # above, and explained
    assert profile("nvidia-h200-sxm").ceiling("bf16-tensor").measured is None  # only its fp8 was measured


def test_caches_of_unknown_bandwidth_are_left_out_and_their_size_is_noted():
    for id_, size in (("nvidia-t4", "4 MiB"), ("nvidia-l4", "48 MiB"), ("amd-epyc-9654", "384 MiB")):
        one = profile(id_)
        assert ("l3" if one.kind == "cpu" else "l2") not in one.boundaries
        assert any("Left out" in note and size in note for note in one.notes), id_


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
        ("h100-sxm5", "nvidia-h100-sxm5"), ("A100-sxm4-80", "nvidia-a100-sxm4-80gb"), ("b200", "nvidia-b200"),
        ("mi300x", "amd-mi300x"), ("4090", "nvidia-rtx-4090"), ("l40s", "nvidia-l40s"), ("l4", "nvidia-l4"),
        ("V100 SXM2", "nvidia-v100-sxm2-16gb"), ("H200 SXM", "nvidia-h200-sxm"), ("h200", "nvidia-h200-sxm"),
        ("p100", "nvidia-p100-sxm2-16gb"), ("mi250x", "amd-mi250x"), ("mi250x gcd", "amd-mi250x-gcd"),
        ("tpu v5e", "google-tpu-v5e"), ("trillium", "google-tpu-v6e"), ("gaudi3", "intel-gaudi3"),
        ("M2 Ultra", "apple-m2-ultra"), ("8480", "intel-xeon-8480plus"), ("gb10", "nvidia-dgx-spark-gb10"),
        ("grace", "nvidia-grace"), ("gh200", "nvidia-gh200"), ("orin", "nvidia-jetson-agx-orin-64gb"),
    ],
)  # fmt: skip
def test_a_part_of_the_id_is_enough(text, id_):
    assert find_profile(shipped_profiles(), text).id == id_


def test_a_name_that_several_have_is_refused_with_all_of_them():
    with pytest.raises(ProfileError, match=r"nvidia-h100-pcie, nvidia-h100-sxm5, nvidia-h100-nvl"):
        find_profile(shipped_profiles(), "h100")

"""The figures that the first article prints, up to its section on matrix products, against the examples.

Expected values are those printed, with the tolerance of their rounding; where a comment derives one, by hand.
"""

from __future__ import annotations

import pytest

from rooflinestudio.core.probe import probe
from rooflinestudio.core.thresholds import bound_flip, weight_only_batch_to_ridge
from tests.examples.shown import H100, shown
from tests.ui.shell_helpers import registry

TERA = 1e12


def test_figure_01_an_addition_and_a_product():
    one = shown("figure-01")

    assert one["add"].intensity == pytest.approx(0.17, abs=0.005)
    assert one["gemm"].intensity == pytest.approx(4096 / 3, rel=1e-6)
    assert one["gemm"].intensity / one["add"].intensity == pytest.approx(8192, rel=1e-6)  # "eight thousand"
    assert (one["add"].bound, one["gemm"].bound) == ("memory", "compute")
    assert one.study.panels["probe"]["intensity"] == 295.34
    assert one.row("gemm").profile.ridge("bf16-tensor", "dram") == pytest.approx(295, abs=0.5)


@pytest.mark.parametrize(
    ("entry", "tera"),
    [("fp8", 1979), ("bf16", 989), ("tf32", 495), ("fp32", 67), ("no-fma", 33), ("special", 17)],
)
def test_figure_02_ceilings(entry, tera):
    assert shown("figure-02")[entry].attainable_flop_per_s / TERA == pytest.approx(tera, rel=0.02)
    assert shown("figure-02")[entry].bound == "compute"


def test_figure_02_steps_between_them_and_slopes():
    one = shown("figure-02")
    rate = {entry: one[entry].attainable_flop_per_s for entry in ("fp8", "bf16", "fp32", "special")}
    slopes = one.row("gather").profile.boundary("dram").slopes

    assert rate["fp8"] / rate["bf16"] == pytest.approx(2.0, abs=0.05)
    assert rate["bf16"] / rate["fp32"] == pytest.approx(14.8, abs=0.05)
    assert rate["special"] / rate["fp32"] == pytest.approx(1 / 4, rel=0.01)
    assert slopes["streaming"].value == pytest.approx(0.85 * 3.35e12)
    assert slopes["gather"].value == pytest.approx(3.35e12 / 8)
    # Limited twice: it stays under what spec bandwidth would give at its intensity, and under the fp32 lanes.
    assert one["gather"].attainable_flop_per_s < 0.9 * 3.35e12 * one["gather"].intensity
    assert one["gather"].ceiling_id == "fp32"


def test_figure_03_compute_outruns_bandwidth():
    one = shown("figure-03")
    rates = {
        id_: one[id_].attainable_flop_per_s for id_ in ("p100", "v100", "a100", "h100", "b200", "b200-fp4")
    }
    bandwidths = {id_: one.row(id_).profile.boundary("dram").bytes_per_s for id_ in rates}
    gap = {id_: (rates[id_] / rates["p100"]) / (bandwidths[id_] / bandwidths["p100"]) for id_ in rates}

    assert gap["p100"] == 1
    assert sorted(gap, key=gap.__getitem__)[0] == "p100"
    assert gap["b200"] == pytest.approx(
        (4500 / 21.2) / (8 / 0.732), rel=1e-3
    )  # 19.4: "an order of magnitude"
    assert 10 < gap["b200"] < gap["b200-fp4"] < 40
    ridges = {id_: rates[id_] / bandwidths[id_] for id_ in rates}
    assert (round(ridges["v100"]), round(ridges["a100"]), round(ridges["h100"])) == (139, 153, 591)


TABLE_1 = {  # TB/s; TFLOP/s and ridge in bf16, fp8, fp32
    "nvidia-a100-sxm4-80gb": (2.04, (312, 153), None, (19.5, 9.6)),
    "nvidia-h100-sxm5": (3.35, (989, 295), (1979, 591), (66.9, 20)),
    "nvidia-h200-sxm": (4.80, (989, 206), (1979, 412), (66.9, 14)),
    "nvidia-b200": (8.00, (2250, 281), (4500, 563), (80, 10)),
    "amd-mi300x": (5.30, (1307, 247), (2615, 493), (163, 31)),
    "nvidia-l40s": (0.86, (362, 419), (733, 848), (91.6, 106)),
    "nvidia-rtx-4090": (1.01, (165, 164), (330, 328), (82.6, 82)),
}


@pytest.mark.parametrize("machine", TABLE_1)
def test_table_1_ridges(machine):
    one, (bandwidth, *formats) = shown("table-1"), TABLE_1[machine]
    assert one.row("bf16", machine).profile.boundary("dram").bytes_per_s / TERA == pytest.approx(
        bandwidth, rel=0.01
    )

    for entry, figures in zip(("bf16", "fp8", "fp32"), formats, strict=True):
        machines = {row.machine for row in one.placed.rows_of(entry)}
        assert (machine in machines) == (figures is not None)
        if figures is not None:
            placed = one.on(entry, machine)
            assert placed.attainable_flop_per_s / TERA == pytest.approx(figures[0], rel=0.005)
            assert placed.at("dram").ridge == pytest.approx(figures[1], rel=0.025)


def test_table_1_stands_in_the_grid_with_seven_machines_and_three_formats():
    grid = shown("table-1").study.panels["grid"]

    assert set(grid["machines"]) == set(TABLE_1) and grid["dtypes"] == ["bf16", "fp8", "fp32"]


def test_figure_04_twice_as_long_at_the_ridge_only():
    one = shown("figure-04")
    ratio = {id_: one[f"{id_}-serial"].time_s / one[id_].time_s for id_ in ("small", "ridge", "large")}

    assert ratio["ridge"] == pytest.approx(2, abs=0.001)
    assert 1 < ratio["small"] < 1.02 and 1 < ratio["large"] < 1.02
    overlapped, serial = (one.swept(id_, 886).attainable_flop_per_s[0] for id_ in ("ridge", "ridge-serial"))
    assert overlapped / serial == pytest.approx(2, abs=0.001)


@pytest.mark.parametrize(
    ("entry", "intensity"),
    [
        ("add", 0.17), ("adam", 0.40), ("gemv", 1.0), ("swiglu", 1.0), ("two", 2.0), ("gelu", 3.0),
        ("attention", 8192 / 2), ("gemm", 1365),
    ],
)  # fmt: skip
def test_figure_05_who_lives_where(entry, intensity):
    placed = shown("figure-05")[entry]

    assert placed.intensity == pytest.approx(intensity, rel=0.02)
    assert placed.bound == ("compute" if intensity > 295 else "memory")


def test_figure_05_two_flop_per_byte_are_0_68_percent():
    placed = shown("figure-05")["two"]

    assert placed.attainable_flop_per_s / 989e12 == pytest.approx(0.0068, abs=0.00005)
    assert shown("figure-05")["gemm"].intensity / 295 == pytest.approx(4.6, abs=0.05)  # "4.6x past the ridge"


def test_lab_1_the_probe_reads_what_the_machine_allows():
    panel = shown("lab-1").study.panels["probe"]
    read = probe(registry().load_profile(H100), "dram", "bf16-tensor", panel["intensity"])

    assert panel == {"on": True, "intensity": 2}
    assert read.ridge_intensity == pytest.approx(295, abs=0.5)
    assert read.attainable_flop_per_s == pytest.approx(2 * 3.35e12)
    assert read.fraction_of_peak == pytest.approx(2 / 295, rel=0.005)
    assert read.tera_time_s == pytest.approx(1 / 6.7)
    assert read.bound == "memory"
    assert shown("lab-1")["point"].intensity == 2


def test_figure_06_eight_tiles_fetch_one_operand_four_times_and_the_other_twice():
    one = shown("figure-06")
    a, b, c = 2 * 256 * 4096, 2 * 4096 * 512, 2 * 256 * 512

    assert one["once"].traffic_bytes == a + b + c
    assert one["tiled"].traffic_bytes == 4 * a + 2 * b + c
    assert one["tiled"].traffic_bytes / one["once"].traffic_bytes == pytest.approx(2.6)


def test_figure_07_size_and_tile():
    one = shown("figure-07")

    assert one.swept("once", 4096).intensity[0] == pytest.approx(1365, abs=0.5)
    assert one.swept("once", 885).intensity[0] == pytest.approx(295, rel=0.001)
    flip = bound_flip(one.subject("once"), one.swept_names)
    assert flip.at == pytest.approx(885, abs=2)
    # Sizes that the tile divides, so that no tile is padded; the output term is what is left to the limit.
    for entry, n, plateau in (("t128", 65536, 64), ("t256", 65536, 128), ("t590", 111 * 590, 295)):
        assert one.swept(entry, n).intensity[0] == pytest.approx(plateau, rel=0.01)
    # Flat in n: sixteen times the size moves it by less than 3 %.
    few, many = one.swept("t128", 4096, 65536).intensity
    assert many / few < 1.03
    state_bytes = one.study.entry("t590").parameters["tile_m"] ** 2 * 4
    assert state_bytes == pytest.approx(1.4e6, rel=0.01)
    assert state_bytes > one.row("t590").profile.shared_bytes_per_sm.value == 228 * 1024


@pytest.mark.parametrize(
    ("entry", "intensity", "ratio", "bound"),
    [
        ("train", 3641, 12.3, "compute"),
        ("prompt", 455, 1.5, "compute"),
        ("batch", 63, 1 / 4.7, "memory"),
        ("single", 1.0, 1 / 295, "memory"),
    ],
)
def test_table_2_one_weight_matrix(entry, intensity, ratio, bound):
    placed = shown("table-2")[entry]

    assert placed.intensity == pytest.approx(intensity, rel=0.002)
    assert placed.intensity / placed.at("dram").ridge == pytest.approx(ratio, rel=0.03)
    assert placed.bound == bound


def test_figure_08_free_until_295():
    one = shown("figure-08")

    assert weight_only_batch_to_ridge(one.row("step").profile) == pytest.approx(295, abs=0.5)
    assert bound_flip(one.subject("step"), "batch").at == 296
    assert one["step"].traffic_bytes == pytest.approx(140e9, rel=0.01)
    assert one["step"].time_s == pytest.approx(41.8e-3, rel=0.01)
    assert one.details("step")["tokens_per_s"] == pytest.approx(24, abs=0.5)
    single, many, beyond = one.swept("step", 1, 280, 1024).time_s
    assert many == pytest.approx(single, rel=0.01)
    assert beyond > 3 * single


def test_lab_2_three_counts_of_one_product():
    one = shown("lab-2")
    policies = one.row("gemm").policies

    assert one["gemm"].work_flop == pytest.approx(137e9, rel=0.005)
    assert policies["compulsory"].traffic_bytes == 3 * 2 * 4096**2
    assert policies["tiled"].traffic_bytes == 2 * 4096**2 * (32 + 32 + 1)
    compulsory, tiled = (policies[name].traffic_bytes for name in ("compulsory", "tiled"))
    assert one["gemm"].traffic_bytes == pytest.approx(compulsory + 0.15 * (tiled - compulsory))
    assert one["gemm"].time_s == pytest.approx(2 * 4096**3 / 989e12, rel=0.001)
    assert one["gemm"].fraction_of_peak == pytest.approx(1)

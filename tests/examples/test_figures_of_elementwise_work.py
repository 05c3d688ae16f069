"""The figures that the first article prints on elementwise work, fusion, the loss, and optimizers."""

from __future__ import annotations

import pytest

from rooflinestudio.core.chains import chain_spec
from rooflinestudio.core.fusion import fuse
from tests.examples.shown import H100, shown
from tests.ui.shell_helpers import registry

ELEMENTS = 65536 * 8192

TABLE_3 = {  # FLOP per element, bytes per element, I, percent of the bf16 peak
    "cast": (0, 6, 0.00, 0.00),
    "add": (1, 6, 0.17, 0.06),
    "adam": (12, 30, 0.40, 0.14),
    "swiglu": (6, 6, 1.00, 0.34),
    "rmsnorm": (5, 4, 1.25, 0.42),
    "softmax": (6, 4, 1.50, 0.51),
    "layernorm": (9, 4, 2.25, 0.76),
    "gelu": (12, 4, 3.00, 1.02),
    # By the rule of chains four tensors cross, not two: 8 bytes, I = 1.5 (the article prints 4 and 3.00).
    "fused": (12, 8, 1.50, 0.51),
}


@pytest.mark.parametrize("entry", TABLE_3)
def test_table_3_the_floor(entry):
    placed, (flop, moved, intensity, percent) = shown("table-3")[entry], TABLE_3[entry]
    elements = 7e9 if entry == "adam" else ELEMENTS

    assert placed.work_flop == flop * elements
    assert placed.traffic_bytes == pytest.approx(
        moved * elements, rel=1e-4
    )  # the row of norm weights beside it
    assert placed.intensity == pytest.approx(intensity, abs=0.005)
    assert 100 * placed.attainable_flop_per_s / 989e12 == pytest.approx(percent, abs=0.006)
    assert placed.bound == "memory"


def test_table_3_says_why_the_fused_row_differs():
    notes = shown("table-3").study.notes

    assert "1.5 FLOP/byte" in notes and "would give 3" in notes


@pytest.mark.parametrize("entry", sorted(TABLE_3.keys() - {"fused"}))
def test_figure_09_no_bar_reaches_four_and_the_ridge_is_at_295(entry):
    one = shown("figure-09")

    assert one[entry].intensity == pytest.approx(TABLE_3[entry][2], abs=0.005)
    assert one[entry].intensity < 4
    assert one.row(entry).profile.ridge("bf16-tensor", "dram") == pytest.approx(295, abs=0.5)
    assert one.study.panels["probe"] == {"on": True, "intensity": 295.34}


def test_figure_09_time_is_bytes_over_bandwidth():
    placed = shown("figure-09")["rmsnorm"]

    assert pytest.approx(5.4e8, rel=0.01) == ELEMENTS and pytest.approx(1.07e9, rel=0.005) == 2 * ELEMENTS
    assert placed.traffic_bytes == pytest.approx(2.15e9, rel=0.005)
    assert placed.time_s == pytest.approx(0.64e-3, rel=0.005)


def test_figure_10_the_work_stays_and_traffic_and_time_fall_alike():
    one = shown("figure-10")
    tensor = 2 * ELEMENTS

    for entry, kernels, passes in (("split", 6, 14), ("pairs", 3, 8), ("fused", 1, 4)):
        assert len(one[entry].parts) == kernels
        assert one[entry].work_flop == (1 + 5 + 1 + 5 + 1 + 2) * ELEMENTS
        assert one[entry].traffic_bytes == pytest.approx(passes * tensor, rel=1e-4)
    for figure in ("intensity", "attainable_flop_per_s"):
        assert getattr(one["fused"], figure) / getattr(one["split"], figure) == pytest.approx(
            14 / 4, rel=1e-3
        )


def test_lab_3_starts_with_six_kernels_and_ends_with_one():
    study = shown("lab-3").study
    chain = study.chain(study.panels["fusion"]["chain"])
    profile = registry().load_profile(H100)
    bench = fuse(chain_spec(chain), study.entry("chain").parameters, {}, profile, registry())

    assert len(bench.kernels) == 6 and bench.speedup_vs_split == pytest.approx(1)
    for joint in range(5):
        before, bench = bench, bench.toggled(joint)
        assert bench.work_flop == before.work_flop and bench.traffic_bytes < before.traffic_bytes
    assert len(bench.kernels) == 1 and bench.speedup_vs_split == pytest.approx(3.5, rel=1e-3)
    assert bench.intensity < 4
    assert study.entry("chain").parameters == {"tokens": 65536, "width": 8192}


def test_figure_11_the_head_and_the_loss_behind_it():
    one = shown("figure-11")
    head, loss, fused = one["head"], one["loss"], one["fused"]

    assert head.work_flop == pytest.approx(6.7e12, rel=0.005)
    assert head.traffic_bytes == pytest.approx(2.5e9, rel=0.015)
    assert head.intensity == pytest.approx(2660, rel=0.001)
    assert loss.intensity == pytest.approx(0.38, abs=0.006)
    assert loss.traffic_bytes == pytest.approx(13e9, rel=0.01)
    assert loss.traffic_bytes / head.traffic_bytes == pytest.approx(5, abs=0.3)
    assert 100 * loss.attainable_flop_per_s / 989e12 == pytest.approx(0.13, abs=0.005)
    # No logit crosses: what is left is less than the head moves, by its output term 2·N·V and more than the input's.
    assert fused.traffic_bytes == pytest.approx(head.traffic_bytes - 2 * 8192 * 100_000, rel=1e-3)
    assert (head.bound, loss.bound, fused.bound) == ("compute", "memory", "compute")


def test_figure_11_chunks_hold_an_eighth_of_the_logits():
    one = shown("figure-11")
    whole_bytes = 4 * 8192 * 100_000

    assert whole_bytes == pytest.approx(3.3e9, rel=0.01)
    assert whole_bytes / one.details("fused")["logits_bytes"] == 8192 / 1024
    few, many = one.swept("loss", 32_000, 256_000).traffic_bytes
    assert many / few == pytest.approx(8)


@pytest.mark.parametrize(
    ("entry", "moved"),
    [("adam", 30), ("sgd", 14), ("momentum", 22), ("adafactor", 22), ("adam8", 16)],
)
def test_figure_15_bytes_per_parameter(entry, moved):
    placed = shown("figure-15")[entry]

    assert placed.traffic_bytes == moved * 7e9
    assert placed.bound == "memory"
    assert placed.time_s / shown("figure-15")["adam"].time_s == pytest.approx(moved / 30)


def test_figure_15_adam_takes_62_ms_and_muon_is_compute_bound():
    one = shown("figure-15")

    assert one["adam"].traffic_bytes == pytest.approx(210e9)
    assert one["adam"].time_s == pytest.approx(62e-3, rel=0.015)
    assert one["adam"].time_s / 400e-3 == pytest.approx(0.15, abs=0.01)
    assert one["adam"].intensity == pytest.approx(0.40)
    assert 100 * one["adam"].attainable_flop_per_s / 989e12 == pytest.approx(0.14, abs=0.005)
    assert one["muon"].work_flop == 30 * 4096**3
    assert one["muon"].intensity == pytest.approx(7.5 * 4096 / 2)
    assert one["muon"].bound == "compute"


def test_figure_15_sharding_divides_what_memory_moves():
    one = shown("figure-15")

    for ranks in (8, 64):
        parts = {part.label: part.placement for part in one.subject("adam").at({"ranks": ranks}).parts}
        assert parts["Update"].traffic_bytes == pytest.approx(30 * 7e9 / ranks)
        assert len(parts) == 3  # and two collectives on the link

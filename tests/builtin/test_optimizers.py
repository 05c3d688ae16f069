"""Optimizers: bytes and FLOP for every parameter, whatever the model; Muon's products; updates shared by ranks."""

from __future__ import annotations

import numpy as np
import pytest

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes, tiled_bytes
from tests.builtin.evaluating import estimate_of, formulas_of, placed, value_of
from tests.core.profiles import A100, H100, without

HBM, NVLINK = 3.35e12, 450e9
# id: parameters, bytes (gradient, state and master read and written, copy), FLOP
COUNTS = {
    "sgd": ({}, 4 + 8 + 2, 2),
    "sgd_momentum": ({}, 4 + 2 * 8 + 2, 4),
    "adam": ({}, 4 + 3 * 8 + 2, 12),
    "adam_8bit": ({}, 2 + 8 + 2 * 2 + 2, 12),
    "adafactor": ({}, 4 + 2 * 8 + 2, 12),
    "adafactor without a first moment": ({"first_moment": False}, 4 + 8 + 2, 12),
    "adam_8bit with fp32 gradients": ({"gradient_dtype": "fp32"}, 4 + 8 + 2 * 2 + 2, 12),
}


@pytest.mark.parametrize(("which", "expected"), COUNTS.items())
def test_bytes_and_flop_per_parameter(which, expected):
    parameters, size, flop = expected

    result = placed(which.split()[0], parameter_count=7e9, dtype=None, **parameters)

    assert (result.traffic_bytes, result.work_flop) == (size * 7e9, flop * 7e9)
    assert result.time_s == pytest.approx(size * 7e9 / HBM)
    assert result.bound == "memory"


def test_the_published_sizes_are_those_of_the_table():
    assert {name: size for name, (_, size, _) in COUNTS.items()} == {
        "sgd": 14, "sgd_momentum": 22, "adam": 30, "adam_8bit": 16, "adafactor": 22,
        "adafactor without a first moment": 14, "adam_8bit with fp32 gradients": 18,
    }  # fmt: skip


@pytest.mark.parametrize("id_", ["sgd", "sgd_momentum", "adam", "adam_8bit", "adafactor"])
def test_in_fp32_there_is_no_copy(id_):
    mixed, plain = (
        sum(compulsory_bytes(estimate_of(id_, parameter_count=1000, dtype=one))) for one in ("bf16", "fp32")
    )

    assert mixed - plain == 2000


@pytest.mark.parametrize("id_", ["sgd", "sgd_momentum", "adam_8bit", "adafactor"])
@pytest.mark.parametrize("dtype", ["bf16", "fp32"])
def test_every_optimizer_explains_its_bytes(id_, dtype):
    estimate = estimate_of(id_, parameter_count=1234, dtype=dtype)

    assert value_of(formulas_of(estimate)["work"]) == estimate.work["fp32"]
    assert value_of(formulas_of(estimate)["compulsory"]) == sum(compulsory_bytes(estimate))


def test_gradients_can_be_set_by_parameter_or_by_name():
    base = {"id_": "adam", "parameter_count": 10}

    assert compulsory_bytes(estimate_of(**base, gradient_dtype="bf16")) == compulsory_bytes(
        estimate_of(**base, dtype="gradient=bf16")
    )
    assert estimate_of(**base, dtype="weights=fp16").tensors[-1].dtype.id == "fp16"


@pytest.mark.parametrize(
    ("dtype", "gradient", "read", "written"),
    [
        (None, "fp32", 4 + 12, 12 + 2),  # 30 bytes: the usual mixed-precision step
        ("bf16", "fp32", 4 + 12, 12 + 2),
        ("bf16", "bf16", 2 + 12, 12 + 2),
        ("fp8", "bf16", 2 + 12, 12 + 1),
        ("fp32", "fp32", 4 + 12, 12),  # the forward pass reads the master weights: no copy
        ("bf16,weight=fp32", "fp32", 4 + 12, 12),
        ("bf16,m=bf16,v=bf16", "bf16", 2 + 4 + 4, 4 + 4 + 2),
    ],
)
def test_state_is_pinned_to_fp32_and_the_copy_follows_the_shorthand(dtype, gradient, read, written):
    estimate = estimate_of("adam", parameter_count=1000, gradient_dtype=gradient, dtype=dtype)

    assert compulsory_bytes(estimate) == (1000 * read, 1000 * written)
    assert estimate.work == {"fp32": 12_000}


def test_the_gradient_comes_in_first_and_the_weights_go_out_last():
    copied, plain = estimate_of("adam").tensors, estimate_of("adam", dtype="fp32").tensors

    assert (copied[0].name, copied[-1].name) == ("gradient", "weights")
    assert plain[-1].name == "master"
    assert {one.role for one in copied[1:4]} == {"state"}


def test_state_is_held_once_although_it_is_read_and_written():
    assert estimate_of("adam", parameter_count=10).footprint_bytes == 10 * (4 + 12 + 2)


def test_seven_billion_parameters_do_not_fit_into_80_gb():
    assert any(note.startswith("Does not fit: it needs 126 GB at once") for note in placed("adam").notes)
    assert not any("fit" in note for note in placed("adam", parameter_count=1e9).notes)


@pytest.mark.parametrize("dtype", ["bf16", "fp32"])
def test_the_formulas_give_the_figures(dtype):
    estimate = estimate_of("adam", parameter_count=1234, dtype=dtype)

    assert value_of(formulas_of(estimate)["work"]) == estimate.work["fp32"]
    assert value_of(formulas_of(estimate)["compulsory"]) == sum(compulsory_bytes(estimate))


# ------------------------------------------------------------------------------------------------ ranks


@pytest.mark.parametrize(
    ("id_", "size"), [("sgd", 14), ("sgd_momentum", 22), ("adam", 30), ("adafactor", 22)]
)
def test_ranks_share_the_state_and_exchange_gradients_and_weights(id_, size):
    n, p = 7e9, 8
    parts = {one.label: one.placement for one in placed(id_, parameter_count=n, ranks=p).parts}

    assert list(parts) == ["Reduce-scatter of gradients", "Update", "All-gather of results"]
    scatter, update, gather = parts.values()
    assert (update.boundary, update.traffic_bytes) == ("dram", size * n / p)
    assert (scatter.boundary, scatter.traffic_bytes) == ("nvlink", (p - 1) / p * 4 * n)
    assert (gather.boundary, gather.traffic_bytes) == ("nvlink", (p - 1) / p * 2 * n)
    assert scatter.work_flop == (p - 1) / p * n


def test_the_time_of_shared_adam_is_that_of_its_three_parts():
    n, p = 7e9, 8

    result = placed("adam", parameter_count=n, ranks=p, gradient_dtype="bf16")

    link = (p - 1) / p * (2 + 2) * n
    assert result.time_s == pytest.approx(28 * n / p / HBM + link / NVLINK)
    assert (result.boundary, result.traffic_bytes) == ("nvlink", link)
    assert (result.bound, result.binding) == ("memory", "nvlink")
    # In its own memory: an eighth of the state, and both exchanges read and written.
    assert result.at("dram").traffic_bytes == 28 * n / p + 2 * link


def test_sharding_moves_the_bytes_from_memory_to_the_link():
    alone, shared = (placed("adam", parameter_count=7e9, ranks=ranks) for ranks in (1, 8))

    assert not alone.parts
    assert shared.at("dram").traffic_bytes < alone.at("dram").traffic_bytes
    assert shared.at("nvlink").crosses
    assert not alone.at("nvlink").crosses
    assert shared.time_s > alone.time_s  # NVLink is the slower way
    assert any("removes none" in note for note in shared.notes)


def test_fp32_weights_are_gathered_as_they_are():
    parts = placed("sgd", parameter_count=800, ranks=8, dtype="fp32").parts

    assert parts[-1].placement.traffic_bytes == 7 / 8 * 800 * 4
    assert parts[1].placement.traffic_bytes == 12 * 100


def test_the_footprint_of_a_rank_holds_all_gradients_and_weights_and_its_share_of_the_state():
    estimate = estimate_of("adam", parameter_count=800, ranks=8, gradient_dtype="bf16")

    assert estimate.footprint_bytes == 800 * (2 + 2) + 100 * 12


def test_a_sweep_over_ranks_starts_at_one_as_alone():
    ranks = np.array([1.0, 8.0])
    sweep = placed("adam", parameter_count=7e9, ranks=ranks, settings=Settings(boundary="all"))
    alone = [
        placed("adam", parameter_count=7e9, ranks=one, settings=Settings(boundary="all")) for one in (1, 8)
    ]

    assert list(sweep.time_s) == pytest.approx([one.time_s for one in alone])
    assert list(sweep.work_flop) == pytest.approx([one.work_flop for one in alone])
    assert sweep.binding_words() == [one.binding for one in alone]


def test_shared_updates_need_a_link():
    with pytest.raises(RefusedError, match="has no link between devices"):
        placed("adam", on=A100, ranks=2)
    assert placed("adam", on=A100, ranks=1).bound == "memory"
    assert placed("adam", on=without(H100, boundaries=("nvlink",)), ranks=2).boundary == "pcie"


@pytest.mark.parametrize(
    ("id_", "shape"), [("adam", {"parameter_count": 1600}), ("muon", {"rows": 64, "columns": 32})]
)
def test_the_formulas_of_a_shared_update_give_the_figures(id_, shape):
    result = placed(id_, **shape, ranks=8, settings=Settings(boundary="all"))
    formulas = formulas_of(result.estimate)

    assert value_of(formulas["work"]) == pytest.approx(result.work_flop, rel=1e-5)
    assert value_of(formulas["compulsory"]) == pytest.approx(result.at("dram").traffic_bytes, rel=1e-5)
    assert value_of(formulas["link"]) == pytest.approx(result.at("nvlink").traffic_bytes, rel=1e-5)


# ------------------------------------------------------------------------------------------------- muon


def test_muon_is_the_optimizer_that_computes():
    n = 4096

    result = placed("muon", rows=n, columns=n)

    assert result.work_flop == 5 * (4 * n**3 + 2 * n**3) == 30 * n**3
    assert result.traffic_bytes == 4 * 2 * n**2
    assert result.intensity == 7.5 * n / 2 == 15360
    assert (result.bound, result.binding) == ("compute", "bf16-tensor")


@pytest.mark.parametrize(("rows", "columns"), [(512, 2048), (2048, 512)])
def test_muon_works_on_the_shorter_side(rows, columns):
    r, c = 512, 2048

    estimate = estimate_of("muon", rows=rows, columns=columns, iterations=3)

    assert estimate.work == {"bf16-tensor": 3 * (4 * r**2 * c + 2 * r**3)}


def test_blocked_muon_moves_its_products():
    r, c = 512, 2048

    def product(m, n, k):
        return sum(tiled_bytes(estimate_of("gemm", m=m, n=n, k=k)))

    # X·Xᵀ, the square of that, and the polynomial times X.
    iteration = product(r, r, c) + product(r, r, r) + product(r, c, r)

    assert sum(tiled_bytes(estimate_of("muon", rows=r, columns=c))) == 5 * iteration


def test_the_momentum_of_muon_has_a_format_of_its_own():
    usual = estimate_of("muon", rows=64, columns=32, dtype="bf16,momentum=fp32")

    assert compulsory_bytes(usual) == ((2 + 4) * 2048, (4 + 2) * 2048)
    assert usual.main_pipe == "bf16-tensor"


def test_ranks_deal_out_whole_matrices():
    alone, shared = (placed("muon", rows=1024, columns=1024, ranks=ranks) for ranks in (1, 4))
    update = next(one.placement for one in shared.parts if one.label == "Update")

    assert update.work_flop == alone.work_flop / 4
    assert update.traffic_bytes == alone.traffic_bytes / 4
    assert update.fraction_of_peak == alone.fraction_of_peak


@pytest.mark.parametrize(
    "parameters", [{}, {"rows": 300, "columns": 1000}, {"rows": 1000, "columns": 300, "tile_m": 64}]
)
def test_the_formulas_of_muon_give_the_figures(parameters):
    estimate = estimate_of("muon", **parameters)
    formulas = formulas_of(estimate)

    assert value_of(formulas["work"]) == estimate.work["bf16-tensor"]
    assert value_of(formulas["compulsory"]) == sum(compulsory_bytes(estimate))
    assert value_of(formulas["tiled"]) == sum(tiled_bytes(estimate))

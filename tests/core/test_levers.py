"""Levers: what would help, by how much, each verified by placing the variant."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.fusion import fuse
from rooflinestudio.core.levers import WORTH, LeverContext, levers
from rooflinestudio.core.levers_words import lever_documents, lever_lines
from rooflinestudio.core.operators import Estimate, OperatorBase, Parameter, Tensor
from rooflinestudio.core.placement import Settings
from rooflinestudio.core.placing import evaluate, place
from rooflinestudio.core.profile_files import shipped_profiles
from rooflinestudio.core.study import Entry, Study, View
from rooflinestudio.plugins.host import PluginHost
from tests.support import Source, machine


@pytest.fixture(scope="module")
def registry():
    host = PluginHost.discover()
    host.load_builtins()
    return host.registry


@pytest.fixture(scope="module")
def machines():
    return {entry.id: entry.load() for entry in shipped_profiles()}


@pytest.fixture(scope="module")
def ask(registry, machines):
    """Return levers of an operator on the H100, with and without the other machines."""

    def asked(id_, parameters=None, dtype=None, *, others=False, **settings):
        held, profile = Settings(**settings), machines["nvidia-h100-sxm5"]
        formats = parse_dtypes(dtype or "bf16")
        given = parameters or {}
        placement = evaluate(registry, id_, given, formats, profile, held)
        names = {role: one.id for role, one in formats.items()}
        context = LeverContext(id_, given, names, profile, held, placement)
        return context, levers(context, registry, machines.values() if others else ())

    return asked


def kinds(found):
    return [one.kind for one in found]


def of_kind(found, kind):
    return [one for one in found if one.kind == kind]


def test_a_batch_of_eight_is_raised_to_the_ridge(ask) -> None:
    _, found = ask("gemm", {"m": 8, "n": 16384, "k": 16384})
    size = of_kind(found, "size")[0]

    # The weights are read once whatever m is: per unit of work nothing is gained any more past the ridge of 295.
    assert size.change.parameters == {"m": 512} and size.change.per_work
    assert size.ratio == pytest.approx(8 * 3.35e12 / 989.4e12, rel=0.02)
    assert size.bound == "compute at bf16-tensor"
    assert found[0] is size


def test_a_compute_bound_product_is_not_told_to_grow(ask) -> None:
    assert not of_kind(ask("gemm")[1], "size")


def test_formats_help_where_the_machine_has_their_pipe(ask) -> None:
    _, found = ask("gemm")
    (fp8,) = of_kind(found, "dtype")  # narrower weights alone do not help a compute-bound product

    assert fp8.change.dtypes == {"all": "fp8"} and fp8.ratio == pytest.approx(989.4 / 1978.9)


def test_narrow_weights_help_a_product_that_waits_for_them(ask) -> None:
    changes = {one.words: one.ratio for one in of_kind(ask("gemm", {"m": 1})[1], "dtype")}

    # 4.15625 of 16 bits, scales and zero points included; the activations of one row hardly count.
    assert changes["Store weights in int4"] == pytest.approx(4.15625 / 16, rel=0.01)
    assert changes["Store weights in fp8"] == pytest.approx(0.5, rel=0.01)


def test_a_cache_is_narrowed_and_no_batch_is_offered_for_it(ask) -> None:
    _, found = ask("attention_decode", {"batch": 4})

    assert any(one.words == "Store keys and values in fp8" for one in found)
    assert not of_kind(found, "size") and not of_kind(found, "tile")


def test_an_fp32_product_can_multiply_in_tf32(ask) -> None:
    changes = {one.words: one.ratio for one in of_kind(ask("gemm", dtype="fp32")[1], "dtype")}

    assert changes["Multiply in tf32"] == pytest.approx(66.9 / 494.7)
    assert changes["Run it in bf16"] == pytest.approx(66.9 / 989.4)


def test_scores_on_chip_instead_of_in_memory(ask) -> None:
    (choice,) = of_kind(ask("attention", {"implementation": "naive"})[1], "choice")

    assert choice.change.parameters == {"implementation": "flash"}
    assert choice.ratio < 0.5


def test_the_tile_helps_only_where_re_reads_count(ask) -> None:
    (tile,) = of_kind(ask("gemm", boundary="all")[1], "tile")

    # 128 × 128 reads 2/128 of mnk, 128 × 256 reads 3/256: a quarter less, and the output beside it.
    assert tile.ratio == pytest.approx(0.754, abs=0.002)
    assert not of_kind(ask("gemm")[1], "tile")


def test_a_tile_that_no_sm_could_hold_is_not_offered(ask) -> None:
    for one in ask("gemm", boundary="all")[1]:
        tile_m, tile_n = one.change.parameters.get("tile_m", 1), one.change.parameters.get("tile_n", 1)
        assert "auto" in (tile_m, tile_n) or tile_m * tile_n * 4 <= 128 * 1024


def test_the_cache_can_absorb_more_where_it_absorbs_at_all(ask) -> None:
    tiled = of_kind(ask("gemm", policy="tiled")[1], "absorption")[0]
    modelled = of_kind(ask("gemm", {"m": 512}, policy="modelled", absorption=0.2)[1], "absorption")[0]

    assert tiled.change.settings == {"policy": "modelled", "absorption": 0.85}
    assert modelled.change.settings == {"absorption": 0.95} and modelled.ratio < 0.9
    assert not of_kind(ask("gemm")[1], "absorption") and not of_kind(
        ask("add", policy="tiled")[1], "absorption"
    )


def test_overlap_is_offered_only_where_it_is_not_full(ask) -> None:
    (overlap,) = of_kind(ask("gemm", overlap=0.0, policy="modelled")[1], "overlap")

    assert overlap.ratio == pytest.approx(1 / 1.887, rel=0.01)  # compute 138.9 µs beside 123.2 µs of traffic
    assert not of_kind(ask("gemm")[1], "overlap")


def test_fusing_an_elementwise_kernel_saves_a_round_trip(ask) -> None:
    (fusion,) = of_kind(ask("silu")[1], "fusion")

    # Two kernels of one read and one write each become one.
    assert fusion.ratio == pytest.approx(0.5) and "silu" in fusion.change.chain


def test_other_machines_are_ranked_by_what_they_bring(ask) -> None:
    _, found = ask("add", others=True)
    machines = of_kind(found, "machine")

    # Of the five with 8 TB/s one is told: of the same vendor, and not the B100, whose figures are assumed.
    assert [one.change.profile.id for one in machines] == ["nvidia-b200", "amd-mi325x", "amd-mi300a"]
    assert [one.ratio for one in machines] == pytest.approx([3.35 / 8, 3.35 / 6, 3.35 / 5.3])
    assert {one.change.profile.kind for one in machines} == {"gpu"}
    assert not of_kind(ask("add")[1], "machine")


def test_columns_over_two_devices_count_the_gathering(ask) -> None:
    splits = {tuple(one.change.parameters): one for one in of_kind(ask("gemm", {"m": 8})[1], "parallelism")}
    columns = splits["n",]

    # Half of C, 8 × 2048 in bf16, over NVLink at 450 GB/s.
    assert columns.change.extra_s == pytest.approx(8 * 2048 * 2 / 450e9)
    assert columns.ratio == pytest.approx(0.5, abs=0.01)
    assert ("m",) not in splits  # half of the rows read all of the weights again


def test_heads_are_split_together_with_their_kv_heads(ask) -> None:
    splits = [one.change.parameters for one in of_kind(ask("attention")[1], "parallelism")]

    assert {"heads": 16, "kv_heads": 4} in splits


def test_a_launch_bound_kernel_is_told_to_do_more_at_once(ask) -> None:
    _, found = ask("rmsnorm", {"tokens": 1}, forecast=True)

    assert of_kind(found, "size")[0].ratio < 0.01
    assert "Raise tokens from 1 to" in of_kind(found, "size")[0].words


CASES = [
    ("gemm", {}, {}),
    ("gemm", {"m": 8}, {"policy": "tiled"}),
    ("gemm", {}, {"boundary": "all"}),
    ("gemm", {"m": 200, "n": 200, "k": 8192}, {"forecast": True}),
    ("add", {}, {}),
    ("attention", {}, {"policy": "tiled"}),
    ("attention_decode", {}, {"forecast": True}),
    ("adam", {}, {}),
    ("cast", {}, {"boundary": "l2"}),
    ("all_reduce", {}, {}),
]


@pytest.mark.parametrize(("id_", "parameters", "settings"), CASES)
def test_every_lever_is_what_its_variant_really_takes(
    ask, registry, machines, id_, parameters, settings
) -> None:
    context, found = ask(id_, parameters, others=True, **settings)
    now = context.placement

    assert found
    assert [one.ratio for one in found] == sorted(one.ratio for one in found)
    for one in found:
        assert 0 < one.ratio < WORTH
        if one.change.chain:
            apart = one.change.chain.replace("+", "|")
            given = (
                context.parameters,
                parse_dtypes(context.dtypes),
                context.profile,
                registry,
                context.settings,
            )
            times = [
                sum(kernel.time_s for kernel in fuse(chain, *given).kernels)
                for chain in (one.change.chain, apart)
            ]
            assert one.ratio == pytest.approx(times[0] / times[1])
            continue
        # The same variant as an entry of a study, placed like any other.
        entry = Entry("a", id_, parameters=context.parameters, dtypes=context.dtypes)
        view = View(("nvidia-h100-sxm5",), **{"boundary": None, "policy": "compulsory", **settings})
        study = Study((entry, one.entry(entry, "b")), view=view)
        row = place(study, machines, registry).rows_of("b")[0]
        assert row.placement is not None, row.reason
        time_s = row.placement.time_s + one.change.extra_s
        assert one.time_s == pytest.approx(time_s)
        per = row.placement.work_flop / now.work_flop if one.change.per_work else 1.0
        assert one.ratio == pytest.approx(time_s / now.time_s / per)


def test_a_variant_follows_its_entry_in_what_is_not_changed(ask) -> None:
    _, found = ask("gemm", {"m": 8})
    entry = Entry("a", "gemm", parameters={"m": 8, "k": 512}, label="mine", slot=3, policy="tiled")
    variant = of_kind(found, "size")[0].entry(entry, "b")

    assert (variant.id, variant.variant_of, variant.policy, variant.slot) == ("b", "a", "tiled", 3)
    assert variant.parameters["k"] == 512 and variant.parameters["m"] > 8 and variant.label == ""
    with pytest.raises(ValueError, match="fusion bench"):
        of_kind(ask("silu")[1], "fusion")[0].entry(entry, "b")


def test_a_row_of_a_study_has_the_same_levers_as_the_operator_alone(ask, registry, machines) -> None:
    entry = Entry("a", "gemm", parameters={"m": 8}, dtypes={"all": "bf16"})
    study = Study((entry,), view=View(("nvidia-h100-sxm5",), policy="compulsory"))
    (row,) = place(study, machines, registry).rows
    _, found = ask("gemm", {"m": 8}, boundary="dram")

    assert [one.words for one in levers(LeverContext.of_row(row), registry)] == [one.words for one in found]


def test_a_row_that_is_not_placed_has_none(registry, machines) -> None:
    study = Study((Entry("a", "gone"),), view=View(("nvidia-h100-sxm5",)))
    with pytest.raises(ValueError, match="not placed"):
        LeverContext.of_row(place(study, machines, registry).rows[0])


def test_the_answer_is_the_same_every_time(ask) -> None:
    first, second = ask("gemm", {"m": 8}, others=True)[1], ask("gemm", {"m": 8}, others=True)[1]

    assert [(one.words, one.ratio) for one in first] == [(one.words, one.ratio) for one in second]


class Batched(OperatorBase):
    """One read weight for ``batch`` results; needs ``batch`` times 10 GB."""

    id = "batched"
    label = "Batched"
    category = "Tests"
    summary = "Weights once, results per batch"
    parameters = (Parameter("batch", "batch", 2),)

    def estimate(self, parameters, dtypes):
        batch = 1.0 * parameters["batch"]
        weight = Tensor("w", 1e9, dtypes["weight"], 1, 0, "weight")
        return Estimate({"bf16-tensor": 2e9 * batch}, "bf16-tensor", (weight,), footprint_bytes=10e9 * batch)


def lever_context(profile, **parameters):
    source = Source(Batched())
    placement = evaluate(source, "batched", parameters, parse_dtypes("bf16"), profile, Settings())
    return LeverContext("batched", parameters, {"all": "bf16"}, profile, Settings(), placement), source


def test_a_batch_that_would_not_fit_is_not_offered() -> None:
    context, source = lever_context(machine())  # 80 GB hold a batch of eight
    (size,) = of_kind(levers(context, source), "size")

    assert size.change.parameters == {"batch": 8}


def test_what_cannot_be_placed_is_left_out() -> None:
    context, source = lever_context(machine())
    without_fp8 = replace(
        machine(), ceilings={id_: one for id_, one in machine().ceilings.items() if id_ != "fp8-tensor"}
    )
    bare, _ = lever_context(without_fp8)

    assert any(one.words == "Run it in fp8" for one in levers(context, source))
    assert not any(one.words == "Run it in fp8" for one in levers(bare, source))


def test_several_points_at_once_have_no_levers() -> None:
    context, source = lever_context(machine(), batch=np.array([1.0, 2.0]))

    assert levers(context, source) == ()


def test_levers_in_words_and_as_data(ask) -> None:
    _, found = ask("gemm", {"m": 8}, others=True)
    lines, documents = lever_lines(found), lever_documents(found)

    assert lines[0].strip() == "what would help" and len(lines) == len(found) + 1
    assert "× faster" in lines[1] and "for the same work" in lines[1]
    assert documents[0]["change"]["parameters"] and documents[0]["ratio"] == found[0].ratio
    machine_ = next(one for one in documents if one["kind"] == "machine")
    assert machine_["change"]["hardware"] == "nvidia-b200"
    assert lever_lines(()) == ["  nothing that was tried would help"]

"""The budget of a layer against sums done here kernel by kernel, and against the row that it opens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.core.budget import budget_of
from rooflinestudio.core.budget_choice import composites, entry_of_part, row_for_budget, selected_part
from rooflinestudio.core.budget_regimes import BudgetSettings, RegimeBudgets, read_settings, regimes_of
from rooflinestudio.core.budget_words import budget_note, whole_word
from rooflinestudio.core.errors import RefusedError, StudioError
from rooflinestudio.core.evaluation import evaluation_document
from rooflinestudio.core.placing import PendingError, place
from rooflinestudio.core.study import Chain, Entry, Study, View
from tests.ui.shell_helpers import A100, H100, registry

PEAK, HBM = 989.4e12, 3.35e12
"""bf16 on the tensor pipe and HBM3 of the H100 SXM5."""

WIDTH, SEQ, KV, HEADS, INNER = 8192, 8192, 8, 64, 28672


def layer(id_="layer-1", **parameters):
    return Entry(id_, "transformer_layer", parameters=parameters, label="Layer")


def study(*entries, chains=(), machines=(H100,), **view):
    profiles = {id_: registry().load_profile(id_) for id_ in machines}
    view.setdefault("policy", "compulsory")
    return Study(entries=entries, chains=chains, profiles=profiles, view=View(machines=machines, **view))


def row_of(entry, **options):
    return place(study(entry, **options), {}, registry()).rows[0]


def opened(**parameters):
    return budget_of(row_of(layer(**parameters)).placement)


def product(tokens, columns, depth):
    """Work, and bytes with every operand once, of a product in bf16."""
    return 2.0 * tokens * columns * depth, 2.0 * (tokens * depth + depth * columns + tokens * columns)


def by_hand(tokens, attention):
    """(work, bytes) of the eleven kernels in their order, from the counts of the model page."""
    norm = 5.0 * tokens * WIDTH, 2.0 * (2 * tokens * WIDTH + WIDTH)
    rope = 3.0 * tokens * (HEADS + KV) * 128, 4.0 * tokens * (HEADS + KV) * 128
    add = 1.0 * tokens * WIDTH, 6.0 * tokens * WIDTH
    return [
        norm, product(tokens, WIDTH + 2 * KV * 128, WIDTH), rope, attention, product(tokens, WIDTH, WIDTH), add,
        norm, product(tokens, 2 * INNER, WIDTH), (6.0 * tokens * INNER, 6.0 * tokens * INNER),
        product(tokens, WIDTH, INNER), add,
    ]  # fmt: skip


def prefill_by_hand(batch, *, naive=False):
    tokens = batch * SEQ
    scores = 4 * 2.0 * batch * HEADS * SEQ * SEQ if naive else 0.0
    attention = 4.0 * 128 * HEADS * batch * SEQ * SEQ, 4.0 * tokens * (WIDTH + KV * 128) + scores
    return by_hand(tokens, attention)


def decode_by_hand(batch):
    attention = 4.0 * 128 * HEADS * batch * SEQ, 4.0 * batch * (SEQ * KV * 128 + WIDTH)
    return by_hand(batch, attention)


PRODUCTS = (1, 3, 4, 7, 9)


def times(kernels):
    """The larger of both times: vector work never binds here (67 TFLOP/s of it against 3.35 TB/s)."""
    return [max(w / PEAK if at in PRODUCTS else 0.0, q / HBM) for at, (w, q) in enumerate(kernels)]


def agrees(budget, kernels):
    took = times(kernels)
    assert [one.time_s for one in budget.parts] == pytest.approx(took, rel=1e-3)
    assert [one.work_flop for one in budget.parts] == pytest.approx([w for w, _ in kernels], rel=1e-6)
    assert [one.traffic_bytes for one in budget.parts] == pytest.approx([q for _, q in kernels], rel=1e-6)
    memory = sum(t for t, (w, q) in zip(took, kernels, strict=True) if t == q / HBM)
    assert budget.memory_share == pytest.approx(memory / sum(took), rel=1e-3)
    assert budget.mfu == pytest.approx(sum(w for w, _ in kernels) / sum(took) / PEAK, rel=1e-3)


def test_prefill_is_compute_bound_but_for_a_twentieth():
    budget = opened()
    agrees(budget, prefill_by_hand(4))
    assert budget.work_flop == pytest.approx(64.9e12, rel=1e-3)
    assert budget.time_s == pytest.approx(69.2e-3, rel=1e-3)
    assert (round(100 * budget.mfu), round(100 * budget.memory_share)) == (95, 5)


def test_every_kernel_of_a_decoded_token_waits_for_memory():
    budget = opened(regime="decode", batch=64)
    agrees(budget, decode_by_hand(64))
    assert budget.time_s == pytest.approx(1.17e-3, rel=5e-3)
    assert budget.mfu == pytest.approx(0.110, abs=5e-4)
    assert budget.shares == {"memory": pytest.approx(1.0)}
    # the cache: 64 sequences of 8 192 tokens, 2 · 8 · 128 values of 2 bytes each, are 2.15 GB of 3.9
    assert budget.parts[3].name == "Attention, cache" and budget.parts[3].share == pytest.approx(
        0.55, abs=0.005
    )


def test_training_is_three_times_the_work_and_twice_the_traffic():
    agrees(opened(regime="train"), [(3 * w, 2 * q) for w, q in prefill_by_hand(4)])


def test_naive_attention_writes_its_scores_and_waits_for_memory():
    flash, naive = opened(), opened(implementation="naive")
    agrees(naive, prefill_by_hand(4, naive=True))
    assert (flash.parts[3].bound, naive.parts[3].bound) == ("compute", "memory")
    # four passes over 4 · 64 · 8192² scores of 2 bytes: 137 GB, 41 ms, where flash takes 8.9 ms
    assert naive.parts[3].time_s == pytest.approx(41.4e-3, rel=2e-3)


def test_causal_halves_the_work_of_attention_only():
    whole, half = opened(), opened(causal=True)
    assert half.parts[3].work_flop / whole.parts[3].work_flop == pytest.approx((SEQ + 1) / 2 / SEQ)
    assert half.parts[7].time_s == whole.parts[7].time_s


# It says what the row says


PARAMETERS = st.fixed_dictionaries({
    "regime": st.sampled_from(("prefill", "train", "decode")),
    "width": st.sampled_from((1024, 4096, 8192)),
    "seq": st.integers(1, 40_000),
    "batch": st.integers(1, 300),
    "kv_heads": st.sampled_from((1, 2, 8)),
    "causal": st.booleans(),
    "implementation": st.sampled_from(("flash", "naive")),
})  # fmt: skip
VIEWS = st.fixed_dictionaries({
    "policy": st.sampled_from(("compulsory", "tiled", "modelled")),
    "forecast": st.booleans(),
    "overlap": st.sampled_from((0.0, 0.5, 1.0)),
    "boundary": st.sampled_from(("dram", "l2", "all", None)),
})  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(PARAMETERS, VIEWS)
def test_its_parts_add_up_to_the_row_and_to_the_document(parameters, view):
    placement = row_of(layer(**parameters), **view).placement
    budget, document = budget_of(placement), evaluation_document(placement)
    assert sum(one.time_s for one in budget.parts) == pytest.approx(placement.time_s)
    assert sum(one.share for one in budget.parts) == pytest.approx(1.0)
    assert sum(budget.shares.values()) == pytest.approx(1.0)
    assert (budget.work_flop, budget.traffic_bytes, budget.time_s) == tuple(
        document[name] for name in ("work_flop", "traffic_bytes", "time_s")
    )
    assert budget.mfu == pytest.approx(document["attainable_flop_per_s"] / document["ceiling"]["flop_per_s"])
    told = [(one.work_flop, one.traffic_bytes, one.time_s, one.bound) for one in budget.parts]
    assert told == [
        tuple(one[name] for name in ("work_flop", "traffic_bytes", "time_s", "bound"))
        for one in document["parts"]
    ]
    memory = sum(v for k, v in document["details"]["time_by_bound"].items() if k.startswith("memory"))
    assert budget.memory_share == pytest.approx(memory)


def test_layers_that_are_alike_are_folded_into_one_part():
    budget = budget_of(row_of(Entry("step", "decode_step", label="Llama")).placement)
    swiglu = next(one for one in budget.parts if one.name == "SwiGLU")
    assert swiglu.count == 32
    assert swiglu.time_s == pytest.approx(32 * swiglu.placement.time_s)


def test_a_single_kernel_has_no_budget():
    with pytest.raises(ValueError, match="no parts"):
        budget_of(row_of(Entry("gemm-1", "gemm")).placement)


def test_kernels_of_one_name_are_numbered():
    names = [one.name for one in opened().parts]
    assert len(set(names)) == 11
    assert names[0] == "RMSNorm, 1" and names[-1] == "Residual add, 2"


def test_a_chain_is_named_as_it_is_written():
    entry = Entry("c", "chain:c1", parameters={"tokens": 4096, "width": 4096})
    chain = Chain("c1", ("add", "layernorm", "gelu"), (1,))
    budget = budget_of(row_of(entry, chains=(chain,)).placement)
    assert [one.name for one in budget.parts] == ["add + layernorm", "gelu"]
    assert whole_word("chain:c1") == "chain"


def test_the_note_tells_a_bound_from_a_forecast_and_a_training_step():
    bound, forecast = budget_note(forecast=False), budget_note(forecast=True)
    assert "1.3 to 2 times" in bound and "launch" in forecast and "1.3" not in forecast
    assert "three times the work" in budget_note(forecast=False, regime="train")


# The other regimes


def test_the_present_regime_comes_first_and_is_the_row_itself():
    row = row_of(layer(regime="decode"))
    found = RegimeBudgets().of(row, BudgetSettings(), registry())
    assert [(one.regime, one.is_present) for one in found] == [
        ("decode", True), ("prefill", False), ("train", False),
    ]  # fmt: skip
    assert found[0].budget.placement is row.placement
    assert found[0].title == "Decode, batch 4, context 8\u202f192"


def test_a_regime_beside_gives_the_figures_that_it_has_in_the_study():
    beside = {"decode": {"batch": 64}}
    found = RegimeBudgets().of(row_of(layer()), BudgetSettings(beside=beside), registry())
    decode = found[2]
    assert decode.title == "Decode, batch 64, context 8\u202f192"
    assert decode.budget.time_s == opened(regime="decode", batch=64).time_s
    assert found[1].budget.time_s == opened(regime="train").time_s


def test_the_regimes_are_placed_once_for_a_row():
    row, maker = row_of(layer()), RegimeBudgets()
    first = maker.of(row, BudgetSettings(), registry())
    assert maker.of(row, BudgetSettings(), registry()) is first
    assert maker.of(row, BudgetSettings(regimes=("decode",)), registry()) is not first
    assert maker.of(row_of(layer()), BudgetSettings(), registry()) is not first


def test_a_regime_that_is_refused_says_why():
    found = RegimeBudgets().of(row_of(layer()), BudgetSettings(beside={"decode": {"batch": -1}}), registry())
    assert found[2].budget is None and "batch" in found[2].reason


def test_what_is_still_worked_out_is_asked_again():
    class Slow:
        """Answers for a regime only from the second time on."""

        asked = 0

        def __getattr__(self, name):
            return getattr(registry(), name)

        def estimate(self, *args):
            self.asked += 1
            if self.asked == 1:
                raise PendingError("still being worked out")
            return registry().estimate(*args)

    maker, row, source = RegimeBudgets(), row_of(layer()), Slow()
    first = maker.of(row, BudgetSettings(), source)
    assert [one.is_pending for one in first] == [False, True, False]
    assert all(one.budget is not None for one in maker.of(row, BudgetSettings(), source))


def test_a_step_has_no_regimes():
    found = RegimeBudgets().of(row_of(Entry("step", "decode_step")), BudgetSettings(), registry())
    assert [one.regime for one in found] == [""]
    assert regimes_of(None) == ()


@pytest.mark.parametrize(
    "panel",
    [None, {}, [], {"entry": 3, "regimes": "all", "beside": [1]}, {"beside": {1: {}, "decode": 7}}],
)
def test_a_wrong_setting_is_as_if_it_were_not_there(panel):
    read = read_settings(panel)
    assert (read.entry, read.regimes) == ("", ("prefill", "train", "decode"))
    assert not any(read.beside.values())


def test_settings_are_read_from_plain_data():
    read = read_settings(
        {"entry": "a", "regimes": ["decode", 1], "beside": {"decode": {"batch": 64, "regime": "train"}}}
    )
    assert read == BudgetSettings("a", ("decode",), {"decode": {"batch": 64}})


# Which entry, and a part by itself


def test_the_selected_composite_comes_before_the_wanted_one_and_before_the_first():
    placed = place(study(Entry("gemm-1", "gemm"), layer("a"), layer("b"), layer("c")), {}, registry())
    assert [one.id for one in composites(placed)] == ["a", "b", "c"]
    assert row_for_budget(placed).entry.id == "a"
    assert row_for_budget(placed, wanted="b").entry.id == "b"
    assert row_for_budget(placed, wanted="b", selection="c").entry.id == "c"
    assert row_for_budget(placed, wanted="b", selection=("part", "c", 3)).entry.id == "c"
    assert row_for_budget(placed, wanted="gone", selection="gemm-1").entry.id == "a"
    assert row_for_budget(place(study(Entry("g", "gemm")), {}, registry())) is None


def test_the_machine_in_front_is_preferred():
    placed = place(study(layer(), machines=(H100, A100)), {}, registry())
    assert row_for_budget(placed, machine=A100).machine == A100
    assert row_for_budget(placed, machine="none").machine == H100


def test_a_layer_that_is_refused_still_counts_as_one():
    placed = place(study(layer(kv_heads=7)), {}, registry())
    assert row_for_budget(placed) is None
    assert row_for_budget(placed, source=registry()).state == "refused"


def test_a_composite_that_becomes_refused_stays_open_and_a_kernel_does_not():
    step = Entry("step", "decode_step", parameters={"model": "no-such-model"})
    placed = place(study(layer("a"), step, Entry("g", "gemm")), {}, registry())
    assert row_for_budget(placed, selection="step").entry.id == "a"
    assert row_for_budget(placed, selection="step", shown="step").entry.id == "step"
    assert row_for_budget(placed, selection="g", shown="g").entry.id == "a"


@pytest.mark.parametrize("selection", [None, "layer-1", ("part", "other", 1), ("measured", "layer-1", 2)])
def test_only_a_part_of_the_entry_counts_as_its_part(selection):
    assert selected_part(selection, "layer-1") == -1
    assert selected_part(("part", "layer-1", 2), "layer-1") == 2


@pytest.mark.parametrize("regime", ["prefill", "decode"])
@pytest.mark.parametrize("dtypes", [{}, {"all": "fp8"}, {"weight": "int4"}, {"compute": "fp32"}])
def test_a_part_stands_by_itself_with_its_own_figures(regime, dtypes):
    entry = Entry("l", "transformer_layer", parameters={"regime": regime}, dtypes=dtypes, policy="tiled")
    row = row_of(entry)
    for at, part in enumerate(row.placement.parts):
        alone = row_of(entry_of_part(row, at, registry())).placement
        assert alone is not None, part.label
        assert alone.time_s == pytest.approx(part.placement.time_s), part.label
        assert alone.work_flop == pytest.approx(part.placement.work_flop), part.label


def test_a_part_by_itself_keeps_little_and_is_named():
    entry = entry_of_part(row_of(layer()), 7, registry())
    assert (entry.id, entry.operator, entry.label) == ("", "gemm", "Gate, up projection")
    assert entry.parameters == {"m": 32768, "n": 57344, "k": 8192}
    assert entry.dtypes == {}
    whole = entry_of_part(row_of(layer()), 7)
    assert whole.parameters["tile_m"] == 128 and whole.dtypes["weight"] == "bf16"


def test_what_cannot_stand_by_itself_is_refused():
    row = row_of(layer())
    with pytest.raises(RefusedError, match="no part 11"):
        entry_of_part(row, 11, registry())
    chain = Chain("c1", ("add", "layernorm", "gelu"), (1,))
    fused = row_of(Entry("c", "chain:c1", parameters={"tokens": 64, "width": 64}), chains=(chain,))
    with pytest.raises(RefusedError, match="fusion bench"):
        entry_of_part(fused, 0, registry())
    assert entry_of_part(fused, 1, registry()).operator == "gelu"
    # the rows of an expert are an expectation, 2.3 of them: no kernel has that
    experts = row_of(Entry("m", "moe_layer"))
    with pytest.raises(StudioError, match="whole number"):
        entry_of_part(experts, 1, registry())


def test_a_selected_step_that_the_machine_refuses_is_shown_and_not_another_entry():
    from rooflinestudio.core.budget_choice import row_for_budget
    from rooflinestudio.core.study import Entry
    from tests.ui.shell_helpers import A100

    refused = Entry("step", "decode_step", dtypes={"all": "fp8", "compute": "fp8"})
    placed = place(study(Entry("layer", "transformer_layer"), refused, machines=(A100,)), {}, registry())
    assert placed.rows[1].state == "refused"

    assert row_for_budget(placed, selection="step", source=registry()) is placed.rows[1]
    assert row_for_budget(placed, selection="layer", source=registry()) is placed.rows[0]

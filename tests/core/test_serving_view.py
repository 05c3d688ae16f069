"""What the serving view is set to and what it shows, without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.cli.catalog import registry
from rooflinestudio.core.placing import place
from rooflinestudio.core.serving.panel import ServingPanel, serving_panel
from rooflinestudio.core.serving.view import serving_picture
from rooflinestudio.core.serving.words import decode_verdict
from rooflinestudio.core.study import Entry, Study, View

H100, H200 = "nvidia-h100-sxm5", "nvidia-h200-sxm"
LLAMA = {"model": "llama-3-8b", "batch": 56, "context": 8192, "weights": "resident"}
STEP = Entry("decode-step-1", "decode_step", parameters=LLAMA, label="Llama", dtypes={"kv": "bf16"})


def study(*entries, **panel):
    profiles = {id_: registry().load_profile(id_) for id_ in (H100, H200)}
    view = View(machines=(H100, H200), policy="compulsory")
    return Study(
        entries=entries or (STEP,), profiles=profiles, view=view, panels={"serving": panel} if panel else {}
    )


def picture(made, *selection, machine=H100):
    return serving_picture(registry(), place(made, {}, registry()), selection, machine)


# ------------------------------------------------------------------------------------ settings


def test_settings_are_read_from_the_study():
    kept = study(
        entry="b", over="context", prefill_on=H100, decode_on=H200, prompt_tokens=512, output_tokens=64.0,
        prefill_batch=4, price_per_hour={H100: 2, H200: 3.5}, currency=" EUR ",
    )  # fmt: skip

    assert serving_panel(kept) == ServingPanel(
        "b", "context", H100, H200, 512, 64, 4, {H100: 2.0, H200: 3.5}, "EUR"
    )


@pytest.mark.parametrize("wrong", [
    {"entry": 3, "over": "time", "prefill_on": None, "decode_on": [], "prompt_tokens": -4, "output_tokens": "many"},
    {"output_tokens": float("nan"), "prefill_batch": True, "prompt_tokens": 2.5, "price_per_hour": "2"},
    {"price_per_hour": {H100: "x", 3: 2.0, H200: -1, "a": True, "b": float("inf")}, "currency": 7},
])  # fmt: skip
def test_what_is_wrong_takes_its_default(wrong):
    assert serving_panel(study(**wrong)) == ServingPanel(price_per_hour={})


# ------------------------------------------------------------------------------------ what is shown


def test_the_selected_step_goes_before_that_of_the_panel():
    made = study(STEP, replace(STEP, id="b"), replace(STEP, id="c"), entry="b")

    assert picture(made).row.entry.id == "b"
    assert picture(made, "c").row.entry.id == "c"
    assert picture(made, "gone").row.entry.id == "b"
    assert picture(study(Entry("gemm-1", "gemm"))) is None


def test_a_step_that_is_not_placed_has_its_reason():
    shown = picture(study(replace(STEP, parameters={"model": "no-such-model"})))

    assert shown.decoding is None and "no-such-model" in shown.row.reason


def test_one_machine_or_two_as_the_panel_says():
    alone, two = picture(study()), picture(study(prefill_on=H100, decode_on=H200))

    assert alone.on_one and alone.served.on_one
    assert alone.served.prefill.profile.id == H100
    assert not two.on_one and two.served.decode.profile.id == H200
    # decoding is bound by memory: 4.8 against 3.35 TB/s
    assert alone.served.seconds_per_token / two.served.seconds_per_token == pytest.approx(
        4.8 / 3.35, rel=2e-3
    )
    # 8192 tokens of 128 KiB over 50 GB/s
    assert two.served.transfer_s == pytest.approx(8192 * 131_072 / 50e9)


def test_prompt_and_answer_are_the_panels():
    shown = picture(study(prompt_tokens=1024, output_tokens=128, prefill_batch=2))

    assert (shown.request.context, shown.request.output_tokens, shown.request.prefill_batch) == (1024, 128, 2)
    assert shown.served.decode.parameters["context"] == 1024 + 64
    assert shown.served.decode.parameters["weights"] == "resident"


def test_costs_need_a_price_and_name_none_without():
    assert picture(study()).costs.output_per_million is None
    paid = picture(study(price_per_hour={H100: 3.6}))
    # 0.001 a second; 56 tokens in a step of 8320 cached tokens
    step_s = (2 * 8_030_261_248 + 56 * 8320 * 131_072) / 3.35e12
    assert paid.costs.output_per_million == pytest.approx(0.001 * step_s / 56 * 1e6, rel=2e-3)
    assert picture(study(price_per_hour={H200: 3.6})).costs.output_per_million is None


def test_prefill_and_decoding_become_two_linked_entries():
    shown = picture(study(prefill_on=H100, decode_on=H200, output_tokens=256))
    first, second = shown.pair
    made = shown.placed.study.adding(first).adding(second)

    assert (first.operator, second.operator) == ("prefill_step", "decode_step")
    assert (first.machines, second.machines) == ((H100,), (H200,))
    assert (first.parameters["context"], second.parameters["context"]) == (8192, 8192 + 128)
    assert second.variant_of == first.id and first.group == second.group == "Llama 3 8B served"
    assert (first.label, second.label) == ("Llama 3 8B prefill", "Llama 3 8B decode")
    assert len({one.id for one in made.entries}) == 3 and len({one.slot for one in made.entries}) == 3
    rows = {row.entry.id: row for row in place(made, {}, registry()).rows}
    assert rows[first.id].placement.time_s == shown.served.time_to_first_token_s
    assert rows[second.id].placement.time_s == shown.served.seconds_per_token
    assert (rows[first.id].placement.bound, rows[second.id].placement.bound) == ("compute", "memory")


# ------------------------------------------------------------------------------------ in words


@pytest.mark.parametrize(("changes", "words"), [
    ({}, "Capacity ends the batch at 59, before the ridge at 296. 79% of the bytes are cache"),
    ({"batch": 1}, "94% of the bytes are weights"),
    ({"batch": 64}, "A batch of 64 does not fit: capacity ends it at 59."),
    ({"model": "llama-3-70b"}, "Nothing fits"),
    ({"context": 64}, "Without a cache the batch meets the ridge at 296, before capacity ends it at"),
])  # fmt: skip
def test_the_verdict_says_what_ends_the_batch(changes, words):
    shown = picture(study(replace(STEP, parameters={**LLAMA, **changes})))

    assert words in decode_verdict(shown.decoding)


def test_a_machine_of_unknown_capacity_is_told_as_such():
    made = study()
    dram = made.profiles[H100].boundaries["dram"]
    bare = replace(
        made.profiles[H100],
        boundaries={**made.profiles[H100].boundaries, "dram": replace(dram, capacity=None)},
    )
    shown = picture(replace(made, profiles={**made.profiles, H100: bare}))

    assert "capacity of the machine is not known" in decode_verdict(shown.decoding)
    assert shown.rates.most is None and shown.what_ifs[0].max_batch is None

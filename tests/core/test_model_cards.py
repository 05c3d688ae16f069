"""Model cards: the shipped ones add up to the published counts, and broken ones are refused with every fault."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.models.cards import Latent, Mixture, ModelCardError, Sliding, load_model, model_ids
from rooflinestudio.core.models.checks import LATENT, MIXTURE, SHAPE
from rooflinestudio.core.models.counts import (
    active_parameters,
    cached_tokens,
    expected_experts,
    kv_bytes_per_sequence,
    kv_bytes_per_token,
    matrix_parameters_per_token,
    parameter_count,
    weight_bytes,
    weight_groups,
)
from rooflinestudio.core.models.families import FAMILIES
from rooflinestudio.core.models.files import card_from_text

BF16, FP8, INT4 = DTYPES["bf16"], DTYPES["fp8"], DTYPES["int4"]

GOOD = """\
format: rooflinestudio-model/1
id: acme-1b
name: Acme 1B
shape:
  layers: 2
  width: 8
  heads: 4
  kv_heads: 2
  head_dim: 2
  ffn_width: 16
  vocabulary: 10
origin: {provenance: published, source: paper, date: 2026-01-01}
sources:
  paper: {title: The Acme paper, address: https://example.org/acme}
"""

# Element counts that the checkpoints' publishers give, of the language model alone.
PUBLISHED = {
    "llama-2-7b": 6_738_415_616, "llama-2-70b": 68_976_648_192, "llama-3-8b": 8_030_261_248,
    "llama-3-70b": 70_553_706_496, "llama-3.1-405b": 405_853_388_800, "mistral-7b": 7_241_732_096,
    "mixtral-8x7b": 46_702_792_704, "qwen-2.5-7b": 7_615_616_512, "qwen-2.5-72b": 72_706_203_648,
    "qwen3-8b": 8_190_735_360, "qwen3-32b": 32_762_123_264, "qwen3-30b-a3b": 30_532_122_624,
    "qwen3-235b-a22b": 235_093_634_560, "deepseek-v3": 671_026_419_200, "deepseek-v2-lite": 15_706_484_224,
    "gpt-oss-20b": 20_914_757_184, "gpt-oss-120b": 116_829_156_672, "gemma-2-9b": 9_241_705_984,
    "gemma-3-27b": 27_432_406_640 - 416_866_032 - 6_194_304, "phi-3-mini": 3_821_079_552,
    "glm-4.5": 358_337_791_296 - 3_988_069_792 - 1_551_892_480,
}  # fmt: skip


@pytest.mark.parametrize(("id_", "count"), PUBLISHED.items())
def test_the_parameters_add_up_to_the_published_count(id_, count):
    card = load_model(id_)

    assert parameter_count(card) == count == card.published_parameters


def test_one_published_count_is_off_by_a_few_thousand_of_a_trillion():
    card = load_model("kimi-k2")

    assert card.published_parameters - parameter_count(card) == 61 * 56


def test_every_shipped_card_is_tested_named_after_its_file_and_sourced():
    assert {*PUBLISHED, "kimi-k2"} == set(model_ids())
    for id_ in model_ids():
        card = load_model(id_)
        assert card.id == id_
        assert card.figure("layers").provenance == "published"
        assert card.figure("layers").source and card.figure("layers").date
        assert card.figure("published_parameters").source
        assert card.figure("width").value == card.width


def test_the_count_of_a_small_card_is_that_of_its_matrices():
    card = card_from_text(GOOD, name="acme-1b.yaml")

    # q 8x8, k and v 8x4 each, out 8x8; gate, up and down 8x16; two norms; one last norm; two tables.
    layer = 64 + 2 * 32 + 64 + 3 * 128 + 2 * 8
    assert parameter_count(card) == 2 * layer + 8 + 2 * 80
    assert matrix_parameters_per_token(card) == 2 * (64 + 2 * 32 + 64 + 3 * 128) + 80
    assert weight_groups(card)["embedding"] == 80
    assert card.figure("heads").source == "The Acme paper (https://example.org/acme)"


def test_biases_norms_and_a_tied_table_are_counted():
    plain = card_from_text(GOOD, name="acme-1b.yaml")

    assert parameter_count(replace(plain, id="a", tied_embeddings=True)) == parameter_count(plain) - 80
    assert parameter_count(replace(plain, id="b", qkv_bias=True)) == parameter_count(plain) + 2 * 16
    assert (
        parameter_count(replace(plain, id="c", output_bias=True, sinks=True))
        == parameter_count(plain) + 2 * 12
    )
    assert parameter_count(replace(plain, id="d", mlp_bias=True)) == parameter_count(plain) + 2 * (32 + 8)
    assert parameter_count(replace(plain, id="e", qk_norm=True)) == parameter_count(plain) + 2 * 4
    assert parameter_count(replace(plain, id="f", norm="layernorm")) == parameter_count(plain) + 5 * 8
    assert parameter_count(replace(plain, id="g", positions=100)) == parameter_count(plain) + 800
    assert parameter_count(replace(plain, id="h", gated=False)) == parameter_count(plain) - 2 * 128


def test_experts_and_latents_are_counted():
    plain = card_from_text(GOOD, name="acme-1b.yaml")
    mixed = replace(plain, id="moe", mixture=Mixture(4, 2, 8, 8, 1, router_bias=True, expert_bias=True))
    latent = replace(plain, id="mla", head_dim=3, latent=Latent(None, 5, 2, 1, 2))

    # One layer's dense block gives way to a router 8x4, 4 experts and one shared expert of 3x8x8, and biases.
    assert parameter_count(mixed) == parameter_count(plain) - 384 + 32 + 5 * 192 + 4 * (1 + 16 + 8)
    assert active_parameters(mixed) == parameter_count(mixed) - 2 * (192 + 24)
    # Queries 8x12; down 8x6, a norm of 5, up 5x16; out 8x8.
    assert weight_groups(latent)["attention"] == 2 * (96 + 48 + 5 + 80 + 64)
    assert kv_bytes_per_token(latent, BF16) == 2 * 6 * 2


def test_a_cached_token_takes_keys_and_values_of_every_layer():
    # 2 · 32 layers · 8 heads · 128 · 2 bytes, and the same with 80 layers.
    assert kv_bytes_per_token(load_model("llama-3-8b"), BF16) == 131_072
    assert kv_bytes_per_token(load_model("llama-3-70b"), BF16) == 327_680
    assert kv_bytes_per_token(load_model("llama-3-70b"), FP8) == 163_840
    assert kv_bytes_per_token(load_model("deepseek-v3"), BF16) == 61 * (512 + 64) * 2


def test_a_window_stops_the_growth_of_the_cache():
    card = load_model("gemma-3-27b")  # 52 layers see 1024 tokens, 10 see all
    layer = 2 * 16 * 128 * 2

    assert kv_bytes_per_sequence(card, 1024, BF16) == 62 * layer * 1024
    assert kv_bytes_per_sequence(card, 8192, BF16) == layer * (10 * 8192 + 52 * 1024)


def test_pages_are_kept_whole():
    card = load_model("llama-3-8b")

    assert cached_tokens(card, 17, page=16) == (32, 32)
    assert kv_bytes_per_sequence(card, 17, BF16, page=16) == 32 * 131_072
    assert kv_bytes_per_sequence(card, 17, BF16) == 17 * 131_072


def test_arrays_are_counted_like_numbers():
    card = load_model("gemma-3-27b")
    contexts = np.array([0.0, 100.0, 5000.0])

    together = kv_bytes_per_sequence(card, contexts, BF16, page=16)

    assert together.tolist() == [kv_bytes_per_sequence(card, float(one), BF16, page=16) for one in contexts]


def test_weights_take_the_formats_of_their_groups():
    card = load_model("gpt-oss-20b")
    experts = weight_groups(card)["experts"]
    native = weight_bytes(card, {"weights": BF16, "experts": DTYPES["mxfp4"]})

    assert weight_bytes(card, {"weights": BF16}) == 2 * 20_914_757_184
    assert native == 2 * (20_914_757_184 - experts) + experts * 4.25 / 8
    assert native / 2**30 == pytest.approx(12.8, abs=0.05)  # the published size of the checkpoint


def test_quantised_weights_carry_their_scales():
    # Groups of 128 with one 16-bit scale and one 4-bit zero point: 4 + 20/128 bits.
    assert weight_bytes(load_model("llama-3-8b"), {"weights": INT4}) == 8_030_261_248 * (4 + 20 / 128) / 8


def test_the_experts_that_some_tokens_need():
    assert expected_experts(256, 8, 64) == pytest.approx(222.442, abs=1e-3)
    assert expected_experts(256, 8, 1) == pytest.approx(8)
    assert expected_experts(8, 8, 3) == 8


FAULTS = {
    "width: 8": ("width: 0", "shape.width is 0, but must lie between 1 and"),
    "heads: 4": ("heads: four", "shape.heads is 'four', but must be a whole number."),
    "kv_heads: 2": ("kv_heads: 3", "shape.kv_heads is 3, which does not divide heads = 4."),
    "vocabulary: 10": ("vocabulary: true", "shape.vocabulary is True, but must be a whole number."),
    "  layers: 2\n": ("", "shape.layers is missing."),
    "ffn_width: 16": ("fnn_width: 16", "shape.fnn_width is an unknown key. Did you mean 'ffn_width'?"),
    "id: acme-1b": ("id: Acme 1B", "id is 'Acme 1B'; write lower-case letters"),
    "model/1": ("model/2", "must be one of rooflinestudio-model/1"),
    "source: paper,": ("source: book,", "origin.source names 'book', which is not under sources."),
    "provenance: published": ("provenance: heard", "origin.provenance is 'heard', but must be one of published"),
    "ffn_width: 16\n": ("ffn_width: 16\n  mixture: {experts: 2, top_k: 3, expert_width: 4, layers: 2}\n",
                        "shape.mixture.top_k is 3, more than experts = 2."),
    "head_dim: 2\n": ("head_dim: 2\n  sliding: {window: 4, layers: 3}\n", "shape.sliding.layers is 3, more than the 2"),
}  # fmt: skip


@pytest.mark.parametrize(("right", "wrong"), FAULTS.items())
def test_a_wrong_card_is_refused_with_place_value_and_mend(right, wrong):
    text, message = wrong
    assert right in GOOD

    with pytest.raises(ModelCardError) as caught:
        card_from_text(GOOD.replace(right, text, 1), name="acme.yaml")

    assert message in str(caught.value)
    assert str(caught.value).startswith("acme.yaml")


def test_all_faults_are_named_at_once_with_their_lines():
    text = (
        GOOD.replace("width: 8", "width: -1", 1)
        .replace("heads: 4", "heads: 1e3", 1)
        .replace("layers: 2", "layers:")
    )

    with pytest.raises(ModelCardError) as caught:
        card_from_text(text, name="acme.yaml")

    assert [line.split(" is ")[0] for line in caught.value.faults] == [
        "acme.yaml, line 5: shape.layers", "acme.yaml, line 6: shape.width", "acme.yaml, line 7: shape.heads",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "- 1\n", "a: [", "a: *b", "{" * 100, "x\x00y", "shape: 3\n", "42"])
def test_nonsense_is_refused(text):
    with pytest.raises(ModelCardError, match=r"acme\.yaml"):
        card_from_text(text, name="acme.yaml")


def test_an_unknown_id_offers_the_nearest():
    with pytest.raises(ModelCardError, match="did you mean 'llama-3-8b'"):
        load_model("llama-3-8B ")
    with pytest.raises(ModelCardError, match=r"known are .*config\.json"):
        load_model("zzz")


def test_a_card_of_ones_own_is_read_again_when_it_changes(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD)
    first = load_model(str(path))

    path.write_text(GOOD.replace("layers: 2", "layers: 30"))

    assert (first.layers, load_model(str(path)).layers) == (2, 30)
    assert load_model(str(path)) is load_model(str(path))


def test_paths_that_lead_nowhere_are_refused(tmp_path):
    (tmp_path / "big.json").write_bytes(b" " * 1_000_001)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe{}")

    for path, words in (
        (tmp_path / "none.json", "No such file"),
        (tmp_path, "No such file"),
        (tmp_path / "big.json", "larger than"),
        (tmp_path / "binary.json", "no UTF-8"),
        ("/dev/zero", "is no file"),
        ("bad\0path.json", "cannot be read"),
    ):
        with pytest.raises(ModelCardError, match=words):
            load_model(str(path))


def test_a_sliding_pattern_without_layers_is_none():
    card = card_from_text(GOOD.replace("  ffn", "  sliding: {window: 4, layers: 0}\n  ffn"), name="acme.yaml")

    assert card.sliding is None
    assert replace(card, sliding=Sliding(4, 1)).sliding.window == 4


def test_listing_the_ids_reads_no_card():
    script = (
        "import sys\n"
        "from rooflinestudio.core.models.cards import model_ids\n"
        "assert len(model_ids()) > 20\n"
        "print([one for one in ('yaml', 'numpy', 'pydantic') if one in sys.modules])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )

    assert done.stdout.strip() == "[]", done.stderr


DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def test_the_card_in_the_documentation_is_one():
    (text,) = re.findall(r"```yaml\n(.*?)```", DOCUMENT, re.DOTALL)

    card = card_from_text(text, name="models.md")

    assert (card.dense_layers, card.sliding.layers, card.mixture.top_k) == (2, 24, 4)
    assert card.figure("max_context").provenance == "assumed"


def test_the_documentation_names_every_model_key_and_family():
    assert all(id_ in DOCUMENT for id_ in model_ids())
    assert all(f"`{key}`" in DOCUMENT for table in (SHAPE, LATENT, MIXTURE) for key in table)
    assert all(family.removesuffix("_text") in DOCUMENT for family in FAMILIES)

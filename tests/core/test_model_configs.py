"""Shapes from a config.json: known families, unknown ones, and files that mean harm."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.core.models.cards import ModelCard, ModelCardError, load_model
from rooflinestudio.core.models.configs import card_from_config
from rooflinestudio.core.models.counts import parameter_count

LLAMA = {
    "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "torch_dtype": "bfloat16",
    "max_position_embeddings": 8192, "rope_theta": 500000.0, "architectures": ["LlamaForCausalLM"],
}  # fmt: skip
DEEPSEEK = {
    "model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 128,
    "num_key_value_heads": 128, "intermediate_size": 18432, "moe_intermediate_size": 2048, "vocab_size": 129280,
    "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3,
    "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "num_nextn_predict_layers": 1, "head_dim": 64, "max_position_embeddings": 163840,
    "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}, "torch_dtype": "bfloat16",
}  # fmt: skip

# As published, with the keys that those files really have; the card beside it was counted on its own.
CONFIGS = {
    "llama-3-8b": LLAMA,
    "deepseek-v3": DEEPSEEK,
    "kimi-k2": DEEPSEEK | {
        "model_type": "kimi_k2", "num_attention_heads": 64, "vocab_size": 163840, "n_routed_experts": 384,
        "first_k_dense_replace": 1, "num_nextn_predict_layers": 0, "max_position_embeddings": 131072,
    },
    "deepseek-v2-lite": {
        "model_type": "deepseek_v2", "num_hidden_layers": 27, "hidden_size": 2048, "num_attention_heads": 16,
        "intermediate_size": 10944, "moe_intermediate_size": 1408, "vocab_size": 102400, "n_routed_experts": 64,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1, "q_lora_rank": None,
        "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "torch_dtype": "bfloat16", "max_position_embeddings": 163840,
    },
    "mistral-7b": {
        "model_type": "mistral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000, "sliding_window": 4096,
        "torch_dtype": "bfloat16", "max_position_embeddings": 32768,
    },
    "mixtral-8x7b": {
        "model_type": "mixtral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000, "sliding_window": None,
        "num_local_experts": 8, "num_experts_per_tok": 2, "torch_dtype": "bfloat16",
        "max_position_embeddings": 32768,
    },
    "qwen-2.5-7b": {
        "model_type": "qwen2", "num_hidden_layers": 28, "hidden_size": 3584, "num_attention_heads": 28,
        "num_key_value_heads": 4, "intermediate_size": 18944, "vocab_size": 152064, "sliding_window": 131072,
        "use_sliding_window": False, "max_window_layers": 28, "tie_word_embeddings": False,
        "torch_dtype": "bfloat16", "max_position_embeddings": 131072,
    },
    "qwen3-30b-a3b": {
        "model_type": "qwen3_moe", "num_hidden_layers": 48, "hidden_size": 2048, "num_attention_heads": 32,
        "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144, "moe_intermediate_size": 768,
        "num_experts": 128, "num_experts_per_tok": 8, "mlp_only_layers": [], "decoder_sparse_step": 1,
        "vocab_size": 151936, "torch_dtype": "bfloat16", "max_position_embeddings": 40960,
    },
    "gpt-oss-20b": {
        "model_type": "gpt_oss", "num_hidden_layers": 24, "hidden_size": 2880, "num_attention_heads": 64,
        "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "vocab_size": 201088,
        "num_local_experts": 32, "num_experts_per_tok": 4, "experts_per_token": 4, "sliding_window": 128,
        "layer_types": ["sliding_attention", "full_attention"] * 12, "attention_bias": True,
        "quantization_config": {"quant_method": "mxfp4"}, "max_position_embeddings": 131072,
    },
    "gemma-2-9b": {
        "model_type": "gemma2", "num_hidden_layers": 42, "hidden_size": 3584, "num_attention_heads": 16,
        "num_key_value_heads": 8, "head_dim": 256, "intermediate_size": 14336, "vocab_size": 256000,
        "sliding_window": 4096, "hidden_activation": "gelu_pytorch_tanh", "torch_dtype": "bfloat16",
        "max_position_embeddings": 8192,
    },
    "gemma-3-27b": {
        "model_type": "gemma3", "vision_config": {"hidden_size": 1152}, "torch_dtype": "bfloat16",
        "text_config": {
            "model_type": "gemma3_text", "num_hidden_layers": 62, "hidden_size": 5376, "num_attention_heads": 32,
            "num_key_value_heads": 16, "head_dim": 128, "intermediate_size": 21504, "vocab_size": 262208,
            "sliding_window": 1024, "sliding_window_pattern": 6, "max_position_embeddings": 131072,
        },
    },
    "glm-4.5": {
        "model_type": "glm4_moe", "num_hidden_layers": 92, "hidden_size": 5120, "num_attention_heads": 96,
        "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288, "moe_intermediate_size": 1536,
        "n_routed_experts": 160, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3,
        "attention_bias": True, "use_qk_norm": True, "num_nextn_predict_layers": 1, "vocab_size": 151552,
        "torch_dtype": "bfloat16", "max_position_embeddings": 131072,
    },
}  # fmt: skip


def read(config):
    text = config if isinstance(config, str) else json.dumps(config)
    return card_from_config(text, name="config.json", id_="here")


def shape_of(card: ModelCard):
    """All that figures are made from; whether a dense width is written that no layer uses makes no difference."""
    return replace(
        card, id="", name="", checkpoint="", model_type="", license="", published_parameters=None, origins={},
        sources={}, notes=(), assumed=(), ffn_width=card.ffn_width if card.dense_layers else 0,
        sliding=card.sliding and replace(card.sliding, pattern=""), native=dict(card.native),
    )  # fmt: skip


@pytest.mark.parametrize(("id_", "config"), CONFIGS.items())
def test_a_published_config_gives_the_shape_of_the_card(id_, config):
    card = read(config)

    assert shape_of(card) == shape_of(load_model(id_))
    assert card.assumed == ()


def test_classic_gpts_are_known_by_their_own_words():
    card = read({"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12, "n_positions": 1024,
                 "vocab_size": 50257, "n_inner": None, "torch_dtype": "float32"})  # fmt: skip

    assert parameter_count(card) == 124_439_808  # the published count of GPT-2 small
    assert (card.tied_embeddings, card.gated, card.norm, dict(card.native)) == (
        True,
        False,
        "layernorm",
        {"weights": "fp32"},
    )


def test_falcon_shares_one_key_value_head():
    card = read({"model_type": "falcon", "num_hidden_layers": 32, "hidden_size": 4544, "num_attention_heads": 71,
                 "multi_query": True, "vocab_size": 65024, "torch_dtype": "bfloat16"})  # fmt: skip

    assert (card.kv_heads, card.head_dim, card.ffn_width) == (1, 64, 4 * 4544)


def test_an_unknown_family_is_read_like_a_llama_and_says_so():
    card = read(LLAMA | {"model_type": "zebra"})

    assert parameter_count(card) == 8_030_261_248
    assert "'zebra' is not known" in card.assumed[0]
    assert "zebra" in card.figure("layers").note


def test_what_was_filled_in_is_told():
    bare = {
        key: LLAMA[key] for key in ("num_hidden_layers", "hidden_size", "num_attention_heads", "vocab_size")
    }

    card = read(bare | {"intermediate_size": 11008})

    assert (card.kv_heads, card.head_dim, dict(card.native)) == (32, 128, {"weights": "bf16"})
    assert [text.split(" ")[0] for text in card.assumed] == ["No", "num_key_value_heads", "The"]


def test_everything_that_is_missing_is_asked_for_by_all_its_names():
    with pytest.raises(ModelCardError) as caught:
        read({"model_type": "llama", "hidden_size": 4096})

    faults = caught.value.faults
    assert [fault.split(" is ")[0].removeprefix("config.json: ") for fault in faults] == [
        "num_hidden_layers", "num_attention_heads", "vocab_size",
    ]  # fmt: skip
    assert "n_layer" in faults[0]


WRONG = {
    "num_hidden_layers": (-1, "num_hidden_layers is -1"),
    "hidden_size": ("4096", "hidden_size is '4096'"),
    "num_attention_heads": (0, "num_attention_heads is 0"),
    "num_key_value_heads": (5, "does not divide heads = 32"),
    "vocab_size": (True, "vocab_size is True"),
    "intermediate_size": ([1], r"intermediate_size is \[1\]"),
    "head_dim": (1.5, "head_dim is 1.5"),
    "tie_word_embeddings": ("no", "tie_word_embeddings is 'no'"),
    "num_experts": (8, "num_experts_per_tok is missing"),
}


@pytest.mark.parametrize(("key", "wrong"), WRONG.items())
def test_a_wrong_value_is_named(key, wrong):
    value, message = wrong

    with pytest.raises(ModelCardError, match=message):
        read(LLAMA | {key: value})


HOSTILE = {
    "nothing": "",
    "a list": "[1, 2]",
    "half a file": '{"hidden_size": 40',
    "very deep": '{"a":' * 5000 + "1" + "}" * 5000,
    "a number of ten thousand digits": '{"hidden_size": ' + "9" * 10_000 + "}",
    "no number": '{"hidden_size": NaN, "vocab_size": Infinity}',
    "a key twice": '{"hidden_size": 1, "hidden_size": 2}',
    "too long": '{"a": "' + "x" * 1_000_001 + '"}',
    "huge layers": json.dumps(LLAMA | {"num_hidden_layers": 10**11}),
    "huge width": json.dumps(LLAMA | {"hidden_size": 1e300}),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_refused_in_words(text):
    with pytest.raises(ModelCardError) as caught:
        read(text)

    assert str(caught.value).startswith("config.json")
    assert len(str(caught.value)) < 3000


@settings(max_examples=200)
@given(data=st.data())
def test_no_config_raises_anything_but_a_refusal(data):
    base = dict(data.draw(st.sampled_from(list(CONFIGS.values()))))
    values = st.one_of(
        st.none(), st.booleans(), st.integers(-10, 10**14), st.floats(), st.text(max_size=20),
        st.lists(st.integers(), max_size=3), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    )  # fmt: skip
    for key in data.draw(
        st.lists(st.sampled_from([*base, "text_config", "attn_config", "layer_types"]), max_size=4)
    ):
        base[key] = data.draw(values)

    try:
        card = read(json.dumps(base))
    except ModelCardError:
        return
    assert parameter_count(card) > 0


def test_a_folder_with_a_config_is_a_model(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))

    assert parameter_count(load_model(str(tmp_path))) == 8_030_261_248
    assert load_model(str(tmp_path / "config.json")).layers == 32


def test_experts_in_every_second_layer_are_counted_by_step():
    card = read(CONFIGS["qwen3-30b-a3b"] | {"decoder_sparse_step": 2, "mlp_only_layers": [1, 2]})

    assert (card.moe_layers, card.dense_layers, card.ffn_width) == (23, 25, 6144)


def test_quantised_checkpoints_say_what_they_store():
    gptq = LLAMA | {"quantization_config": {"quant_method": "gptq", "bits": 4}}
    odd = LLAMA | {"quantization_config": {"quant_method": "hqq"}}

    assert dict(read(gptq).native) == {"weights": "int4", "other": "bf16"}
    assert dict(read(odd).native) == {"weights": "bf16"}
    assert "'hqq'" in read(odd).assumed[0]

"""The shape that the keys of a ``config.json`` describe, by the rules of the model's family."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.models.checks import Complaint
from rooflinestudio.core.models.families import FAMILIES, Family

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KEYS", "ConfigReading"]

KEYS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "width": ("hidden_size", "n_embd", "d_model", "n_embed", "dim"),
    "heads": ("num_attention_heads", "n_head", "n_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "n_kv_heads"),
    "head_dim": ("head_dim",),
    "ffn_width": ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "hidden_dim"),
    "vocabulary": ("vocab_size",),
    "max_context": ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length"),
    "experts": ("num_local_experts", "num_experts", "n_routed_experts", "num_routed_experts"),
    "top_k": ("num_experts_per_tok", "experts_per_token", "top_k_experts"),
    "activation": ("hidden_act", "hidden_activation", "activation_function", "activation"),
    "window": ("sliding_window", "sliding_window_size"),
})  # fmt: skip
"""The spellings of each figure, most usual first."""

_DTYPES: Final = MappingProxyType(
    {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "float8_e4m3fn": "fp8"}
)
_ESSENTIAL: Final = ("layers", "width", "heads", "vocabulary")


class ConfigReading:
    """One config on its way to a shape; collects what is wrong, and what was assumed."""

    def __init__(self, config: dict[str, Any], complaints: list[Complaint]) -> None:
        self.outer = config
        nested = config.get("text_config")
        self.config: dict[str, Any] = nested if isinstance(nested, dict) else config
        self.complaints = complaints
        self.assumed: list[str] = []
        self.model_type = self._text("model_type") or self._text("model_type", config)
        known = FAMILIES.get(self.model_type)
        self.family = known or Family()
        if known is None:
            called = (
                f"The model type {self.model_type!r} is not known"
                if self.model_type
                else "No model_type is given"
            )
            self.assumed.append(
                f"{called}: read like a llama: rotary positions, RMSNorm twice a layer, no biases, grouped heads."
            )

    # --------------------------------------------------------------------------------- single values

    def _text(self, key: str, table: dict[str, Any] | None = None) -> str:
        value = (table or self.config).get(key)
        return value if isinstance(value, str) else ""

    def number(self, figure: str, *, default: int | None = None) -> int | None:
        """Return a whole number by any of its spellings; a complaint where it is something else."""
        for key in KEYS.get(figure, (figure,)):
            value = self.config.get(key)
            if value is None:
                continue
            if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12:
                return value
            if isinstance(value, float) and value.is_integer() and 0 <= value < 1e12:
                return int(value)
            shown = repr(value) if len(str(value)[:80]) < 60 else f"{str(value)[:60]}…"
            self.complaints.append(Complaint((key,), f"is {shown}, but must be a whole number from 0 on."))
            return None
        return default

    def flag(self, key: str, *, default: bool) -> bool:
        """Return a switch of the model or of what surrounds it; a complaint where it is something else."""
        value = self.config.get(key, self.outer.get(key))
        if value is None:
            return default
        if not isinstance(value, bool):
            self.complaints.append(Complaint((key,), f"is {str(value)[:60]!r}, but must be true or false."))
            return default
        return value

    # ---------------------------------------------------------------------------------------- shape

    def shape(self) -> dict[str, Any]:
        """Return the document of the shape, as a model card has it under ``shape``."""
        shape: dict[str, Any] = {figure: self.number(figure) for figure in _ESSENTIAL}
        for figure, value in shape.items():
            if value is None and not any(
                one.place and one.place[0] in KEYS[figure] for one in self.complaints
            ):
                self._missing(figure)
        if any(not shape[figure] for figure in _ESSENTIAL):
            for figure in _ESSENTIAL:
                if shape[figure] == 0:
                    self.complaints.append(Complaint((KEYS[figure][0],), "is 0; it must be at least 1."))
            return shape
        shape["latent"] = self._latent()
        shape["kv_heads"] = self._kv_heads(shape)
        shape["head_dim"] = self._head_dim(shape)
        shape["mixture"] = self._mixture(shape["layers"])
        shape["ffn_width"] = self._ffn_width(shape)
        shape["sliding"] = self._sliding(shape["layers"])
        shape["max_context"] = self.number("max_context")
        if self.family.positions and shape["max_context"] is not None:
            shape["positions"] = shape["max_context"] + (2 if self.model_type == "opt" else 0)
        shape |= self._switches()
        shape["native"] = self._native()
        return {name: value for name, value in shape.items() if value is not None}

    def _missing(self, figure: str) -> None:
        spelled = " or ".join(KEYS[figure])
        self.complaints.append(Complaint((KEYS[figure][0],), f"is missing. Write the {figure} as {spelled}."))

    def _kv_heads(self, shape: dict[str, Any]) -> int | None:
        heads = shape["heads"]
        if self.model_type == "falcon" and not self.flag("new_decoder_architecture", default=False):
            return 1 if self.flag("multi_query", default=True) else int(heads)
        nested = self.config.get("attn_config")
        if isinstance(nested, dict) and isinstance(nested.get("kv_n_heads"), int):
            return int(nested["kv_n_heads"])
        given = self.number("kv_heads")
        if given is not None or shape["latent"] is not None:
            return given if given is not None and shape["latent"] is None else int(heads)
        default = self.family.kv_heads or heads
        self.assumed.append(f"num_key_value_heads is not given: {default}, as the family has it.")
        return int(default)

    def _head_dim(self, shape: dict[str, Any]) -> int | None:
        if shape["latent"] is not None:  # saved again, such files carry the rope part alone as head_dim
            return int(shape["latent"]["nope_dim"] + shape["latent"]["rope_dim"])
        given = self.number("head_dim")
        if given is not None:
            return given
        if self.family.head_dim:
            self.assumed.append(f"head_dim is not given: {self.family.head_dim}, the default of the family.")
            return self.family.head_dim
        width, heads = shape["width"], shape["heads"]
        if width % heads:
            text = f"is missing, and hidden_size = {width} is no multiple of the {heads} heads. Write it."
            self.complaints.append(Complaint(("head_dim",), text))
            return None
        return int(width // heads)

    def _latent(self) -> dict[str, Any] | None:
        rank = self.number("kv_lora_rank")
        if rank is None and not self.family.latent:
            return None
        names = {"nope_dim": "qk_nope_head_dim", "rope_dim": "qk_rope_head_dim", "value_dim": "v_head_dim"}
        latent: dict[str, Any] = {"rank": rank, **{name: self.number(key) for name, key in names.items()}}
        for name, key in {"rank": "kv_lora_rank", **names}.items():
            if latent[name] is None:
                self.complaints.append(Complaint((key,), "is missing. Latent attention needs it."))
                latent[name] = 1
        if "q_lora_rank" in self.config:
            latent["query_rank"] = self.number("q_lora_rank")
        else:
            latent["query_rank"] = 1536
            self.assumed.append("q_lora_rank is not given: 1536, the default of the family.")
        return latent

    def _mixture(self, layers: int) -> dict[str, Any] | None:
        experts = self.number("experts")
        if not experts or experts == 1:
            return None
        where = self.family.experts or ("first" if "first_k_dense_replace" in self.config else "all")
        if not self.family.experts:
            self.assumed.append(
                f"{experts} experts in a family that is not known: every layer after the dense ones."
            )
        top_k = self.number("top_k")
        if top_k is None:
            self.complaints.append(
                Complaint((KEYS["top_k"][0],), "is missing. Write how many experts a token takes.")
            )
        width = self.number("moe_intermediate_size")
        if width is None:
            width = self.number("ffn_width")
        if width is None:
            text = "is missing. Write the width of one expert as moe_intermediate_size."
            self.complaints.append(Complaint(("moe_intermediate_size",), text))
        sparse = self._moe_layers(where, layers)
        if sparse == 0:
            return None
        return {
            "experts": experts, "top_k": top_k, "expert_width": width, "shared_width": self._shared(width or 0),
            "layers": sparse, "router_bias": self.family.router_bias,
            "expert_bias": self.family.expert_bias,
        }  # fmt: skip

    def _shared(self, expert_width: int) -> int:
        if self.family.shared == "one":
            return expert_width
        width = self.number("shared_expert_intermediate_size")
        if width is not None:
            return width
        count = self.number("n_shared_experts", default=self.number("num_shared_experts", default=0)) or 0
        return count * expert_width

    def _moe_layers(self, where: str, layers: int) -> int:
        if where == "first":
            return max(layers - (self.number("first_k_dense_replace", default=0) or 0), 0)
        step = 1
        if where == "step":
            step = self.number("decoder_sparse_step", default=1) or 1
        elif where == "interleave":
            step = self.number("interleave_moe_layer_step", default=1) or 1
        dense = self.config.get("mlp_only_layers")
        only = {one for one in dense if isinstance(one, int)} if isinstance(dense, list) else set()
        sparse = layers // step
        return max(sparse - sum(1 for one in only if (one + 1) % step == 0 and 0 <= one < layers), 0)

    def _ffn_width(self, shape: dict[str, Any]) -> int | None:
        if self.model_type.startswith("llama4"):
            width = self.number("intermediate_size_mlp")
        else:
            width = self.number("ffn_width")
        if width is not None:
            return width
        if self.model_type == "mpt":
            return (self.number("expansion_ratio", default=4) or 4) * int(shape["width"])
        if self.family.ffn_factor:
            return self.family.ffn_factor * int(shape["width"])
        mixture = shape["mixture"]
        if mixture is not None and mixture["layers"] == shape["layers"]:
            return 0
        self._missing("ffn_width")
        return None

    def _sliding(self, layers: int) -> dict[str, Any] | None:
        window = self.number("window")
        rule = self.family.slide
        pattern = self.config.get("layer_types")
        if window is None and "sliding_window" not in self.config and rule:
            window = self.family.window or None
        if window is None or window == 0:
            return None
        if isinstance(pattern, list):
            count = sum(1 for one in pattern[:layers] if one == "sliding_attention")
        elif rule == "switch":
            if not self.flag("use_sliding_window", default=False):
                return None
            count = max(layers - (self.number("max_window_layers", default=28) or 0), 0)
        elif rule == "even":
            count = (layers + 1) // 2
        elif rule == "sixth":
            every = self.number("sliding_window_pattern") or self.number("_sliding_window_pattern") or 6
            count = layers - layers // every
        else:
            count = layers
            if not rule:
                self.assumed.append(
                    f"sliding_window = {window} in a family that is not known: all layers slide."
                )
        return {"window": window, "layers": min(count, layers)} if count else None

    def _switches(self) -> dict[str, Any]:
        family = self.family
        found: dict[str, Any] = {
            name: getattr(family, name) for name in ("qkv_bias", "output_bias", "mlp_bias")
        }
        for key, names in family.biases.items():
            if key in self.config:
                found |= dict.fromkeys(names, self.flag(key, default=False))
        if self.model_type == "mpt" and not self.flag("no_bias", default=True):
            found |= dict.fromkeys(("qkv_bias", "output_bias", "mlp_bias"), True)
        found["qk_norm"] = self.flag("use_qk_norm", default=family.qk_norm)
        found["tied_embeddings"] = self.flag("tie_word_embeddings", default=family.tied)
        word = next((self._text(key) for key in KEYS["activation"] if self._text(key)), family.activation)
        kind = "silu" if word in ("silu", "swish") else "relu" if word.startswith("relu") else "gelu"
        if kind == "gelu" and "gelu" not in word:
            self.assumed.append(f"The activation {word[:40]!r} is not known: counted like GELU.")
        return {
            **found, "activation": kind, "gated": family.gated, "norm": family.norm,
            "norms_per_layer": family.norms_per_layer, "sinks": family.sinks,
        }  # fmt: skip

    def _native(self) -> dict[str, str]:
        word = self._text("torch_dtype") or self._text("dtype") or self._text("torch_dtype", self.outer)
        plain = _DTYPES.get(word.removeprefix("torch."), "bf16")
        quantised = self.config.get("quantization_config", self.outer.get("quantization_config"))
        if not isinstance(quantised, dict):
            if word.removeprefix("torch.") not in _DTYPES:
                self.assumed.append("The format of the weights is not given: bf16.")
            return {"weights": plain}
        method = str(quantised.get("quant_method"))[:40]
        if method == "mxfp4":
            return {"weights": plain, "experts": "mxfp4"}
        formats = {"fp8": "fp8", "fbgemm_fp8": "fp8", "gptq": "int4", "awq": "int4"}
        bits = quantised.get("bits", quantised.get("w_bit", 4))
        if method not in formats or (method in ("gptq", "awq") and bits != 4):
            self.assumed.append(
                f"Weights are quantised by {method!r}, which is not read here: {plain} is assumed."
            )
            return {"weights": plain}
        return {"weights": formats[method], "other": plain}

    # ----------------------------------------------------------------------------------------- rest

    def rest(self, name: str, id_: str) -> dict[str, Any]:
        """Return the fields of the card besides its shape."""
        further = self.number("num_nextn_predict_layers", default=self.number("num_mtp_layers"))
        notes = []
        if further:
            notes.append(f"{further} layer(s) that predict further tokens are not counted.")
        if self.config is not self.outer:
            notes.append("Only the language model (text_config) is counted, not the towers beside it.")
        called = self._text("_name_or_path") or self._text("_name_or_path", self.outer)
        origin = Figure(0.0, "published", source=name, note="; ".join(self.assumed))
        return {
            "id": id_, "name": called[:100] if called.isprintable() and called else name,
            "model_type": self.model_type[:100], "origins": MappingProxyType({"*": origin}),
            "sources": MappingProxyType({"config": name}), "notes": tuple(notes), "assumed": tuple(self.assumed),
        }  # fmt: skip

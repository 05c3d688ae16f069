"""The shape that the keys of a ``config.json`` describe, by the rules of the model's family."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.models.checks import Complaint
from rooflinestudio.core.models.families import FAMILIES, Family
from rooflinestudio.core.models.values import KEYS, ConfigValues

__all__ = ["ConfigReading"]

_DTYPES: Final = MappingProxyType(
    {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "float8_e4m3fn": "fp8"}
)
_ESSENTIAL: Final = ("layers", "width", "heads", "vocabulary")


class ConfigReading(ConfigValues):
    """One config on its way to a shape; collects what is wrong, and what was assumed."""

    def __init__(self, config: dict[str, Any], complaints: list[Complaint]) -> None:
        super().__init__(config, complaints)
        self.assumed: list[str] = []
        self.model_type = self.text("model_type") or self.text("model_type", config)
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

    # ---------------------------------------------------------------------------------------- shape

    def shape(self) -> dict[str, Any]:
        """Return the document of the shape, as a model card has it under ``shape``."""
        shape: dict[str, Any] = {figure: self.number(figure) for figure in _ESSENTIAL}
        for figure, value in shape.items():
            if value is None and not any(
                one.place and one.place[0] in KEYS[figure] for one in self.complaints
            ):
                self.missing(figure)
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
        self.missing("ffn_width")
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
        word = next((self.text(key) for key in KEYS["activation"] if self.text(key)), family.activation)
        kind = "silu" if word in ("silu", "swish") else "relu" if word.startswith("relu") else "gelu"
        if kind == "gelu" and "gelu" not in word:
            self.assumed.append(f"The activation {word[:40]!r} is not known: counted like GELU.")
        return {
            **found, "activation": kind, "gated": family.gated, "norm": family.norm,
            "norms_per_layer": family.norms_per_layer, "sinks": family.sinks,
        }  # fmt: skip

    def _native(self) -> dict[str, str]:
        word = self.text("torch_dtype") or self.text("dtype") or self.text("torch_dtype", self.outer)
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
        called = self.text("_name_or_path") or self.text("_name_or_path", self.outer)
        origin = Figure(0.0, "published", source=name, note="; ".join(self.assumed))
        return {
            "id": id_, "name": called[:100] if called.isprintable() and called else name,
            "model_type": self.model_type[:100], "origins": MappingProxyType({"*": origin}),
            "sources": MappingProxyType({"config": name}), "notes": tuple(notes), "assumed": tuple(self.assumed),
        }  # fmt: skip

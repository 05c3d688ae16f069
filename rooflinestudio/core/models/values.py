"""The single values of a ``config.json``, whichever way each family spells its keys."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.models.checks import Complaint

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KEYS", "ConfigValues"]

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


class ConfigValues:
    """Numbers, switches and texts of one config, each looked at; collects what is wrong with them."""

    def __init__(self, config: dict[str, Any], complaints: list[Complaint]) -> None:
        self.outer = config
        nested = config.get("text_config")
        self.config: dict[str, Any] = nested if isinstance(nested, dict) else config
        self.complaints = complaints

    def text(self, key: str, table: dict[str, Any] | None = None) -> str:
        """Return a text of the model, or of another table; empty where it is something else."""
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

    def missing(self, figure: str) -> None:
        """Complain that a figure stands under none of its spellings."""
        spelled = " or ".join(KEYS[figure])
        self.complaints.append(Complaint((KEYS[figure][0],), f"is missing. Write the {figure} as {spelled}."))

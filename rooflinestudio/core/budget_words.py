"""The words of a budget: what kernels, regimes and the whole are called, and what the figures leave out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.quantities import format_number
from rooflinestudio.core.study import CHAIN_PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.placement import PlacedPart, Placement

__all__ = ["REGIME_WORDS", "budget_note", "part_names", "regime_title", "whole_word"]

REGIME_WORDS: Final = {"prefill": "Prefill", "train": "Train", "decode": "Decode"}
"""Regimes of a layer as a switch names them."""

_NAMES: Final = {
    "norm": "RMSNorm", "qkv": "QKV projection", "rope": "RoPE", "out": "O projection", "add": "Residual add",
    "gate_up": "Gate, up projection", "up": "Up projection", "swiglu": "SwiGLU", "gelu": "GELU",
    "down": "Down projection", "head": "Output head", "final norm": "Final norm",
}  # fmt: skip
_NORMS: Final = {"rmsnorm": "RMSNorm", "layernorm": "LayerNorm"}


def part_names(placement: Placement) -> tuple[str, ...]:
    """Return what the parts of a composite are called; kernels of one name are numbered."""
    if placement.operator.startswith(CHAIN_PREFIX):
        names = [one.label for one in placement.parts]
    else:
        names = [_name(one) for one in placement.parts]
    often, seen = Counter(names), Counter[str]()
    told = []
    for name in names:
        seen[name] += 1
        told.append(f"{name}, {seen[name]}" if often[name] > 1 else name)
    return tuple(told)


def _name(part: PlacedPart) -> str:
    label, one = part.label, part.placement
    if label == "attention":
        if one.operator == "attention_decode":
            return "Attention, cache"
        implementation = one.parameters.get("implementation")
        return f"Attention, {implementation}" if implementation else "Attention"
    if label == "norm":
        return _NORMS.get(one.operator, "Norm")
    known = _NAMES.get(label)
    if known is not None:
        return known
    words = label.replace("_", " ")
    return words[:1].upper() + words[1:]


def whole_word(operator_id: str) -> str:
    """Return what the whole is: ``layer``, ``step``, ``chain``, or ``whole`` where nothing fits."""
    if operator_id.startswith(CHAIN_PREFIX):
        return "chain"
    return next((word for word in ("layer", "step") if word in operator_id), "whole")


def regime_title(regime: str, parameters: Mapping[str, Any]) -> str:
    """Return a regime with its size: ``Prefill, 4 × 8 192 tokens``, ``Decode, batch 64, context 8 192``.

    Parameters
    ----------
    parameters
        Resolved; sizes that are not among them are left out.
    """
    word = {"train": "Training step"}.get(regime, REGIME_WORDS.get(regime, regime.capitalize()))
    batch, seq = parameters.get("batch"), parameters.get("seq")
    if batch is None or seq is None:
        return word
    if regime == "decode":
        return f"{word}, batch {_whole(batch)}, context {_whole(seq)}"
    return f"{word}, {_whole(batch)} × {_whole(seq)} tokens"


def _whole(value: Any) -> str:
    number = float(value)
    return format_number(number, digits=len(str(int(abs(number)))) if number.is_integer() else 3)


def budget_note(*, forecast: bool, regime: str = "") -> str:
    """Return what the figures of a budget leave out."""
    if forecast:
        note = (
            "Forecasts of single kernels, added up as they would run one after the other, each with its own launch. "
            "Work that overlaps or is launched together takes less."
        )
    else:
        note = (
            "Bounds of single kernels, added up as if each began where the last one ended. "
            "Real kernels take 1.3 to 2 times as long; which of them weigh most stays the same."
        )
    if regime == "train":
        note += " A training step stands for three times the work and twice the traffic of the forward pass."
    return note

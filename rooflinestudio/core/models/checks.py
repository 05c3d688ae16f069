"""From plain values to a model card: every value looked at, every fault named with its place and its mend."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.models.cards import Latent, Mixture, ModelCard, Sliding

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Complaint", "card_of", "check_table"]

LARGEST: Final = 10**9
"""No width, depth or vocabulary comes near it; products of a few such numbers stay far below what a float holds."""


class Complaint(NamedTuple):
    """One thing that is wrong: where in the document, and what, with the mend."""

    place: tuple[str | int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """What one value must be: a kind (int, bool, str), a range or choices, and whether it may be left out."""

    kind: type
    low: int = 0
    high: int = LARGEST
    choices: tuple[str, ...] = ()
    needed: bool = False


_COUNT: Final = Rule(int, low=1, needed=True)
_FLAG: Final = Rule(bool)
_GROUPS: Final = ("weights", "experts", "other")

SHAPE: Final[Mapping[str, Rule]] = MappingProxyType({
    "layers": Rule(int, low=1, high=100_000, needed=True),
    "width": _COUNT, "heads": _COUNT, "kv_heads": _COUNT, "head_dim": _COUNT, "vocabulary": _COUNT,
    "ffn_width": Rule(int, needed=True),
    "gated": _FLAG, "tied_embeddings": _FLAG, "qkv_bias": _FLAG, "output_bias": _FLAG, "mlp_bias": _FLAG,
    "qk_norm": _FLAG, "sinks": _FLAG,
    "activation": Rule(str, choices=("silu", "gelu", "relu")),
    "norm": Rule(str, choices=("rmsnorm", "layernorm")),
    "norms_per_layer": Rule(int, high=16), "positions": Rule(int), "max_context": Rule(int, low=1),
})  # fmt: skip
LATENT: Final[Mapping[str, Rule]] = MappingProxyType({
    "query_rank": Rule(int, low=1), "rank": _COUNT, "nope_dim": _COUNT, "rope_dim": Rule(int, needed=True),
    "value_dim": _COUNT,
})  # fmt: skip
MIXTURE: Final[Mapping[str, Rule]] = MappingProxyType({
    "experts": Rule(int, low=1, high=1_000_000, needed=True), "top_k": _COUNT, "expert_width": _COUNT,
    "shared_width": Rule(int), "layers": _COUNT, "router_bias": _FLAG, "expert_bias": _FLAG,
})  # fmt: skip
SLIDING: Final[Mapping[str, Rule]] = MappingProxyType(
    {"window": _COUNT, "layers": Rule(int, needed=True), "pattern": Rule(str)}
)
NATIVE: Final[Mapping[str, Rule]] = MappingProxyType(
    {group: Rule(str, choices=tuple(DTYPES), needed=group == "weights") for group in _GROUPS}
)
_TABLES: Final = MappingProxyType(
    {"latent": LATENT, "mixture": MIXTURE, "sliding": SLIDING, "native": NATIVE}
)
_WORDS: Final = {int: "a whole number", bool: "true or false", str: "a text"}


def check_table(
    table: Any, rules: Mapping[str, Rule], place: tuple[str | int, ...], complaints: list[Complaint]
) -> dict[str, Any]:
    """Return the values of a table that are right; what is wrong, missing or unknown is added to the complaints."""
    if not isinstance(table, dict):
        complaints.append(
            Complaint(place, f"is {_shown(table)}, but must be a mapping of {', '.join(rules)}.")
        )
        return {}
    good: dict[str, Any] = {}
    for name, value in table.items():
        rule = rules.get(name)
        if rule is None:
            near = difflib.get_close_matches(str(name), rules, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known are {', '.join(rules)}."
            complaints.append(Complaint((*place, str(name)), f"is an unknown key. {hint}"))
        elif value is not None:
            fault = _fault(value, rule)
            if fault:
                complaints.append(Complaint((*place, name), fault))
            else:
                good[name] = value
    for name, rule in rules.items():
        if rule.needed and table.get(name) is None:
            wanted = f"one of {', '.join(rule.choices)}" if rule.choices else _WORDS[rule.kind]
            complaints.append(Complaint((*place, name), f"is missing. Write {wanted}."))
    return good


def _fault(value: Any, rule: Rule) -> str:
    """Return what is wrong with one value, or nothing."""
    if rule.kind is bool or isinstance(value, bool):
        return "" if rule.kind is bool and isinstance(value, bool) else _wanted(value, rule)
    if not isinstance(value, rule.kind):
        return _wanted(value, rule)
    if isinstance(value, int) and not rule.low <= value <= rule.high:
        return f"is {_shown(value)}, but must lie between {rule.low} and {rule.high}."
    if rule.choices and value not in rule.choices:
        return f"is {_shown(value)}, but must be one of {', '.join(rule.choices)}."
    if isinstance(value, str) and not (len(value) <= 500 and value.strip()):
        return "must be a text of 1 to 500 characters."
    return ""


def _wanted(value: Any, rule: Rule) -> str:
    return f"is {_shown(value)}, but must be {_WORDS[rule.kind]}."


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits
        return "a number too long to show"
    return text if len(text) <= 60 else f"{text[:60]}…"


def card_of(
    shape: Any, complaints: list[Complaint], *, place: tuple[str | int, ...] = ("shape",), **more: Any
) -> ModelCard | None:
    """Return a card made from the values under ``shape``; None where something is wrong.

    Parameters
    ----------
    more
        Fields of the card besides its shape, as they are.
    """
    before = len(complaints)
    tables: dict[str, dict[str, Any]] = {}
    plain = dict(shape) if isinstance(shape, dict) else shape
    if isinstance(plain, dict):
        for name, rules in _TABLES.items():
            table = plain.pop(name, None)
            if table is not None:
                tables[name] = check_table(table, rules, (*place, name), complaints)
    good = check_table(plain, SHAPE, place, complaints)
    if len(complaints) > before:
        return None
    complaints += (Complaint((*place, *one.place), one.text) for one in _contradictions(good, tables))
    if len(complaints) > before:
        return None
    return ModelCard(
        **good,
        **more,
        latent=Latent(**{"query_rank": None, **tables["latent"]}) if "latent" in tables else None,
        mixture=Mixture(**{"shared_width": 0, **tables["mixture"]}) if "mixture" in tables else None,
        sliding=Sliding(**tables["sliding"]) if tables.get("sliding", {}).get("layers") else None,
        native=MappingProxyType(tables.get("native", {"weights": "bf16"})),
    )


def _contradictions(shape: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]]) -> list[Complaint]:
    """Return what cannot be true together."""
    found = []
    heads, kv_heads, layers = shape["heads"], shape["kv_heads"], shape["layers"]
    if "latent" not in tables and heads % kv_heads:
        found.append(
            Complaint(
                ("kv_heads",), f"is {kv_heads}, which does not divide heads = {heads}. Set a divisor of it."
            )
        )
    mixture = tables.get("mixture", {})
    if mixture and mixture["top_k"] > mixture["experts"]:
        found.append(
            Complaint(
                ("mixture", "top_k"), f"is {mixture['top_k']}, more than experts = {mixture['experts']}."
            )
        )
    for name in ("mixture", "sliding"):
        count = tables.get(name, {}).get("layers", 0)
        if count > layers:
            found.append(
                Complaint((name, "layers"), f"is {count}, more than the {layers} layers that there are.")
            )
    if shape["ffn_width"] == 0 and mixture.get("layers", 0) < layers:
        found.append(Complaint(("ffn_width",), "is 0, although some layers are dense. Write their width."))
    return found

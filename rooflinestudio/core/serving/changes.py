"""What could be changed about a decode step: the cache, the heads, the weights, drafts, experts.

A change is a different entry for the same operators. It holds no figure and no formula: what it brings is found by
placing it (:mod:`rooflinestudio.core.serving.what_if`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import dtype
from rooflinestudio.core.models.cards import load_model, model_ids
from rooflinestudio.core.models.counts import parameter_count
from rooflinestudio.core.quantities import format_number
from rooflinestudio.core.quick import nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.core.models.cards import ModelCard
    from rooflinestudio.core.serving.decode import Decoding

__all__ = ["Change", "changes_of"]

LATENT_MODELS: Final = ("deepseek-v2-lite", "deepseek-v3")
"""Cards with latent attention to compare with."""

MIXTURE_MODELS: Final = ("gpt-oss-20b", "qwen3-30b-a3b", "mixtral-8x7b", "qwen3-235b-a22b")
"""Cards with experts and heads of keys and values to compare with."""

WINDOWS: Final = (4096, 1024, 256)
PAGE: Final = 16
DRAFT, ACCEPTANCE = 4, 0.8


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes
    ----------
    id
        Short and stable: ``kv-fp8``.
    label, why
        A few words, and one line about what it does.
    parameters, dtypes
        What is set differently; dtypes are ids by role.
    operator
        Another operator, or empty for the same.
    reserved_context
        Tokens that each sequence takes up from its start although it reads fewer; 0: as many as it reads. It changes
        what fits and nothing else, and no single entry stands for it.
    """

    id: str
    label: str
    why: str
    parameters: Mapping[str, Any] = field(default_factory=nothing)
    dtypes: Mapping[str, str] = field(default_factory=nothing)
    operator: str = ""
    reserved_context: int = 0


def changes_of(decoding: Decoding) -> tuple[Change, ...]:
    """Return the changes that make sense for a decode step, those of the cache first.

    Changes for which the operator has no parameter are left out, and so are those that it has made already.
    """
    card = load_model(str(decoding.parameter("model")))
    return (
        *_cache_formats(decoding),
        *_heads(decoding, card),
        *_latent(decoding, card),
        *_kept_tokens(decoding),
        *_room(decoding, card),
        *_weight_formats(decoding),
        *_drafts(decoding),
        *_experts(decoding, card),
    )


def _has(decoding: Decoding, name: str) -> bool:
    return any(one.name == name for one in decoding.subject.operator.parameters)


def _cache_formats(decoding: Decoding) -> Iterator[Change]:
    now = decoding.subject.formats["kv"]
    for name, share in (("fp8", "half"), ("int4", "about a quarter")):
        if dtype(name).bytes < now.bytes:
            yield Change(
                f"kv-{name}", f"Cache in {name}", f"{share} of the bytes of bf16 per cached token, to read and to keep",
                dtypes={"kv": name},
            )  # fmt: skip


def _heads(decoding: Decoding, card: ModelCard) -> Iterator[Change]:
    if card.latent is not None or not _has(decoding, "kv_heads"):
        return
    given = str(decoding.parameter("kv_heads"))
    now = int(given) if given.isdigit() else card.kv_heads
    kinds = {card.heads: "MHA: a KV head each", 8: "GQA: 8 KV heads", 1: "MQA: one KV head"}
    for number, label in kinds.items():
        if number != now and number <= card.heads and card.heads % number == 0:
            times = f"{number / now:g} times" if number > now else f"1/{now / number:g} of"
            yield Change(
                f"kv-heads-{number}", label, f"{number} instead of {now} KV heads: {times} the cache",
                {"kv_heads": str(number)},
            )  # fmt: skip


def _latent(decoding: Decoding, card: ModelCard) -> Iterator[Change]:
    if card.latent is None:
        other = _nearest(card, LATENT_MODELS)
        yield Change(
            "mla", f"MLA: {other.name}", "another model, with latent attention: one short vector is cached per token",
            _another(decoding, other),
        )  # fmt: skip


def _kept_tokens(decoding: Decoding) -> Iterator[Change]:
    context = decoding.context
    window = next((one for one in WINDOWS if one < context), 0)
    if window:
        yield Change(
            f"window-{window}", f"Window of {format_number(window)}",
            f"every layer keeps and reads its last {format_number(window)} tokens, the older ones are dropped",
            {"context": window},
        )  # fmt: skip
    shared = context // 2
    if shared and _has(decoding, "shared"):
        yield Change(
            "prefix", f"Shared prefix of {format_number(shared)}",
            "the start that all prompts have in common is kept once and read once per step", {"shared": shared},
        )  # fmt: skip


def _room(decoding: Decoding, card: ModelCard) -> Iterator[Change]:
    """Yield what paging does: a page is filled up at the end; without pages a sequence takes its whole room at once."""
    if not decoding.context:
        return
    if not decoding.parameter("page"):
        yield Change(
            "paged", f"Pages of {PAGE} tokens", "the last page of each sequence is kept whole", {"page": PAGE}
        )
    longest = card.max_context or 0
    reserved = longest if longest > decoding.context else 2 * decoding.context
    tokens = format_number(reserved)
    yield Change(
        "reserved", f"No paging, {tokens} reserved",
        f"each sequence takes up {tokens} tokens from its start and reads what it has: only what fits changes",
        reserved_context=reserved,
    )  # fmt: skip


def _weight_formats(decoding: Decoding) -> Iterator[Change]:
    given = {"native": False} if _has(decoding, "native") else {}
    native = bool(given) and bool(decoding.parameter("native"))
    now = decoding.subject.formats["weight"]
    for name in ("fp8", "int4"):
        if not native and dtype(name).bytes < now.bytes:
            yield Change(
                f"weight-{name}", f"Weights in {name}", "fewer bytes to stream, and room for more sequences",
                dtypes={"weight": name},
            )  # fmt: skip


def _drafts(decoding: Decoding) -> Iterator[Change]:
    if decoding.subject.operator_id == "decode_step":
        yield Change(
            "speculative", f"Speculative, {DRAFT} drafted",
            f"{DRAFT + 1} tokens per sequence for one reading of weights and cache, {ACCEPTANCE:.0%} of the drafts "
            "accepted; the draft's own time is not in it",
            {"draft": DRAFT, "acceptance": ACCEPTANCE}, operator="speculative_verify",
        )  # fmt: skip


def _experts(decoding: Decoding, card: ModelCard) -> Iterator[Change]:
    if card.mixture is None:
        other = _nearest(card, MIXTURE_MODELS)
        yield Change(
            "moe", f"MoE: {other.name}", "another model, with experts: the more tokens, the more of them are read",
            _another(decoding, other),
        )  # fmt: skip
        return
    if _has(decoding, "routing"):
        for routing, why in (
            ("best", "all tokens take the same experts"),
            ("worst", "no two tokens share an expert"),
        ):
            if decoding.parameter("routing") != routing:
                yield Change(
                    f"routing-{routing}", f"{routing.capitalize()} routing", why, {"routing": routing}
                )


def _another(decoding: Decoding, card: ModelCard) -> dict[str, Any]:
    """Return what names another model, with the heads that it has."""
    heads = (
        {"kv_heads": "own"} if _has(decoding, "kv_heads") and decoding.parameter("kv_heads") != "own" else {}
    )
    return {"model": card.id, **heads}


def _nearest(card: ModelCard, ids: tuple[str, ...]) -> ModelCard:
    """Return the card of some whose parameter count is nearest to that of another."""
    import math

    size = math.log(parameter_count(card))
    there = [load_model(one) for one in ids if one in model_ids()]
    return min(there, key=lambda one: abs(math.log(parameter_count(one)) - size))

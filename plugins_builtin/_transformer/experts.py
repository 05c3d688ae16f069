"""The routed experts of a layer: which of them some tokens need, and the kernels that this takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from plugins_builtin._transformer.split import certainly, exchange
from rooflinestudio.plugins import Parameter, expected_experts
from rooflinestudio.plugins.arithmetic import ceil_div, larger, smaller, where

if TYPE_CHECKING:
    from plugins_builtin._transformer.kernels import Kernels
    from plugins_builtin._transformer.split import Split
    from rooflinestudio.plugins import Part
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["ROUTING", "ROUTINGS", "Experts", "expert_parts", "touched"]

ROUTINGS: Final = ("expected", "best", "worst")
ROUTING = Parameter(
    "routing", "routing", "expected", choices=ROUTINGS,
    help="How many different experts the tokens need: on average, or as few or as many as there can be.",
)  # fmt: skip


class Experts(NamedTuple):
    """The experts of one layer.

    Attributes
    ----------
    width, expert_width, shared_width
        Of a token, of one expert, and of the shared ones together (0: none).
    number, top_k
        Experts, and how many a token takes.
    bias, router_bias
        Whether the experts' products, and the router, have biases.
    """

    width: Num
    expert_width: Num
    number: Num
    top_k: Num
    shared_width: Num = 0
    gated: bool = True
    activation: str = "silu"
    bias: bool = False
    router_bias: bool = False


def touched(experts: Num, top_k: Num, tokens: Num, routing: str) -> Num:
    """Return how many different experts some tokens need, under uniform routing or at either end of what can be."""
    if routing == "best":
        return 1.0 * top_k
    if routing == "worst":
        return smaller(1.0 * experts, 1.0 * tokens * top_k)
    return expected_experts(experts, top_k, tokens)


def expert_parts(
    k: Kernels, one: Experts, split: Split, *, tokens: Num, routing: str, layers: Num = 1
) -> tuple[Part, ...]:  # fmt: skip
    """Return the kernels of a device for one layer's experts, each ``layers`` times.

    Parameters
    ----------
    tokens
        Tokens of one tensor-parallel group; with experts dealt out over devices, every device sends off its share.
    """
    own = tokens / split.token_slices
    everywhere = own * split.expert  # tokens of all devices that share the experts
    distinct = touched(one.number, one.top_k, everywhere, routing) / split.expert
    pairs = everywhere * one.top_k / split.expert
    rows, width = pairs / distinct, one.expert_width
    if not certainly(split.expert_slices, 1):
        width = ceil_div(width, split.expert_slices)
    wide = 2 if one.gated else 1
    sent = own * one.top_k * one.width
    parts = [
        k.product("router", (tokens, one.number, one.width), count=layers, weight=k.other,
                  bias=one.number if one.router_bias else 0),
        *exchange("dispatch", "all_to_all", k.activation, elements=sent, ranks=split.expert, count=layers),
        k.product("experts gate_up" if one.gated else "experts up", (rows, wide * width, one.width), batch=distinct,
                  count=layers, weight=k.experts, bias=distinct * wide * width if one.bias else 0),
        k.activated(pairs, width, gated=one.gated, activation=one.activation, count=layers,
                    label="experts activation"),
        k.product("experts down", (rows, one.width, width), batch=distinct, count=layers, weight=k.experts,
                  bias=distinct * one.width if one.bias else 0),
        *exchange("combine", "all_to_all", k.activation, elements=sent, ranks=split.expert, count=layers),
        k.weighted_sum("weighted sum", own, one.width, one.top_k, count=layers),
    ]  # fmt: skip
    if not certainly(one.shared_width, 0):
        # In a sweep from none on they run 0 times there; a product without columns has no tiles to count.
        shared, times = split.share(larger(one.shared_width, 1)), where(one.shared_width > 0, layers, 0)
        parts += [
            k.product("shared gate_up" if one.gated else "shared up", (tokens, wide * shared, one.width), count=times),
            k.activated(tokens, shared, gated=one.gated, activation=one.activation, count=times,
                        label="shared activation"),
            k.product("shared down", (tokens, one.width, shared), count=times),
        ]  # fmt: skip
    return tuple(parts)

"""A feed-forward layer of experts, of which every token takes a few."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from plugins_builtin._text import put
from plugins_builtin._transformer.experts import ROUTING, ROUTINGS, Experts, expert_parts, touched
from plugins_builtin._transformer.kernels import Kernels
from plugins_builtin._transformer.layer import CATEGORY
from plugins_builtin._transformer.split import EXPERT, TENSOR, Split, exchange
from rooflinestudio.plugins import Estimate, Formula, OperatorBase, Parameter, ParameterError
from rooflinestudio.plugins.arithmetic import ceil_div, is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rooflinestudio.plugins import Dtypes, Placement
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["MoeLayer", "routing_band"]


class MoeLayer(OperatorBase):
    """Router, routed experts, weighted sum, and shared experts beside them."""

    id = "moe_layer"
    label = "Mixture-of-experts layer"
    category = CATEGORY
    summary = "Experts of which each token takes a few: the weights that a batch needs, and their spread"
    parameters = (
        Parameter("tokens", "tokens", 64, high=1e12, help="Tokens, over all devices that share the experts."),
        Parameter("width", "width", 7168, high=1e7, help="Elements of a token."),
        Parameter("expert_width", "expert width", 2048, high=1e7, help="Inner elements of one expert."),
        Parameter("experts", "experts", 256, high=1e5, help="Routed experts."),
        Parameter("top_k", "top k", 8, high=1e5, help="Experts that each token takes."),
        Parameter("shared_width", "shared width", 0, low=0, high=1e7,
                  help="Inner elements of the experts that every token takes besides; 0: none."),
        ROUTING,
        TENSOR,
        EXPERT,
    )  # fmt: skip
    dtype_roles = MappingProxyType({"activation": "bf16", "weight": "bf16", "accumulate": "fp32"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        _check_experts(p)
        split = Split.of(self.id, p, within=False)
        k = Kernels(dtypes)
        one = Experts(p["width"], p["expert_width"], p["experts"], p["top_k"], p["shared_width"])
        tokens = _own_tokens(p, split) * split.token_slices
        parts = (
            *expert_parts(k, one, split, tokens=tokens, routing=p["routing"]),
            *exchange(
                "all-reduce", "all_reduce", k.activation, elements=tokens * p["width"], ranks=split.tensor
            ),
        )
        return Estimate(
            {}, k.main_pipe, (), footprint_bytes=_footprint(p, dtypes, split), parts=parts,
            formulas=lambda: _formulas(p, dtypes, split), notes=lambda: tuple(_notes(p)),
        )  # fmt: skip

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return the experts and weights needed, with the band from best to worst routing, and the times of both."""
        p, dtypes = placement.parameters, placement.dtypes
        split = Split.of(self.id, p, within=False)
        one = 3.0 * p["width"] * ceil_div(p["expert_width"], split.expert_slices) * dtypes["weight"].bytes
        counts = {name: touched(p["experts"], p["top_k"], p["tokens"], name) for name in ROUTINGS}
        return {
            **{f"experts_{name}": count for name, count in counts.items()},
            **{f"expert_weight_bytes_{name}": count / split.expert * one for name, count in counts.items()},
            "tokens_per_expert": p["tokens"] * p["top_k"] / counts[p["routing"]],
            **routing_band(self.estimate, placement),
        }


def routing_band(estimate: Callable[..., Estimate], placement: Placement) -> dict[str, Num]:
    """Return the times under best and worst routing, all else equal."""
    from rooflinestudio.plugins import place_estimate

    band = {}
    for name in ("best", "worst"):
        varied = estimate({**placement.parameters, "routing": name}, placement.dtypes)
        band[f"time_s_{name}_routing"] = place_estimate(varied, placement.profile, placement.settings).time_s
    return band


def _check_experts(p: Mapping[str, Any]) -> None:
    wrong: Any = p["top_k"] > p["experts"]
    if wrong is True or (not isinstance(wrong, bool) and wrong.any()):
        raise ParameterError(
            "moe_layer: a token cannot take more experts than there are: top_k must not exceed experts. "
            "Lower top_k, or raise experts."
        )


def _own_tokens(p: Mapping[str, Any], split: Split) -> Num:
    """Return the tokens that one device sends off."""
    own: Num = p["tokens"] / split.expert
    return own


def _footprint(p: Mapping[str, Any], dtypes: Dtypes, split: Split) -> Num:
    width, inner = 1.0 * p["width"], ceil_div(p["expert_width"], split.expert_slices)
    shared = split.share(p["shared_width"])
    held = 3.0 * width * (ceil_div(p["experts"], split.expert) * inner + shared) + width * p["experts"]
    tokens = _own_tokens(p, split)
    alive = tokens * (2.0 * width + p["top_k"] * (width + 3.0 * inner))
    size: Num = held * dtypes["weight"].bytes + alive * dtypes["activation"].bytes
    return size


def _formulas(p: Mapping[str, Any], dtypes: Dtypes, split: Split) -> tuple[Formula, ...]:
    values = {
        name: p[name] for name in ("tokens", "width", "expert_width", "experts", "top_k", "shared_width")
    }
    values |= {"w": dtypes["weight"].bytes, "ep": split.expert, "tp": split.expert_slices}
    values["needed"] = touched(p["experts"], p["top_k"], p["tokens"], p["routing"])
    shown = {
        "expected": ("experts·(1 - (1 - top_k/experts)^tokens)", "experts that no token takes are not read"),
        "best": ("top_k", "all tokens take the same experts"),
        "worst": (
            "min(experts, tokens·top_k)",
            "no two tokens share an expert, as long as there are any left",
        ),
    }
    symbols, words = shown[p["routing"]]
    return (
        Formula(
            "work", "W = 6·tokens·width·(top_k·expert_width + shared_width) + 2·tokens·width·experts + W_vector",
            put("6·{tokens}·{width}·({top_k}·{expert_width} + {shared_width}) + 2·{tokens}·{width}·{experts}", **values)
            if split.alone else "",
            "three products per expert taken, the router, and little vector work; parallel, one device's share",
        ),
        Formula("experts", f"needed = {symbols}", put("{needed}", **values), words),
        Formula(
            "weights", "Q_experts = s_w·3·width·expert_width·needed",
            put("{w}·3·{width}·{expert_width}·{needed}/({ep}·{tp})", **values),
            "each needed expert is read once, whatever few tokens it gets",
        ),
    )  # fmt: skip


def _notes(p: Mapping[str, Any]) -> Iterator[str]:
    yield "Routing is taken as uniform; real routers prefer some experts, which needs fewer weights and more waiting."
    if is_number(p["tokens"]):
        counts = [
            touched(p["experts"], p["top_k"], p["tokens"], name) for name in ("best", "expected", "worst")
        ]
        if all(is_number(one) for one in counts):
            low, usual, high = (f"{one:.4g}" for one in counts)
            yield f"{usual} different experts are needed on average; anything from {low} to {high} can happen."
